"""Turn a German text into the terms by which the lexical leg finds it.

The same function serves documents and questions, so every spelling that a person may type must end
as the same term: `Kündigung`, `Kuendigung`, `KÜNDIGUNG`, `kündigen`, `gekündigt`. Nothing here may
depend on other documents: terms made today must meet terms made last year.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from fundstelle.domain.text.stem import stem
from fundstelle.domain.text.stop_words import STOP_WORDS

__all__ = ["STOP_WORDS", "fold", "index_terms"]

_MONTHS = ["januar", "februar", "märz", "april", "mai", "juni", "juli"]
_MONTHS += ["august", "september", "oktober", "november", "dezember"]
_UNIT = re.compile(
    rf"""
      (?P<section>(?:§{{1,2}}|\bparagraph)\s*\d+[a-z]?\b)
    | (?P<date>\b\d{{1,2}}\.\s?(?:\d{{1,2}}\.\s?|(?:{"|".join(_MONTHS)})\s)\d{{4}}\b)
    | (?P<number>\d+(?:[.,]\d+)*(?!\w))
    | (?P<word>\w+(?:[-‐‑'’]\w+)*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SAYING_NOTHING = re.compile(
    r"\b(?:z\.\s?B|d\.\s?h|u\.\s?a|i\.\s?d\.\s?R|o\.\s?[äÄ]|s\.\s?[oua])\.", re.IGNORECASE
)
_RUN = re.compile(r"\d+|[^\W\d_]+")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_DATE_PART = re.compile(r"\d+|[^\W\d_]+")
_SPELLED_UMLAUT = re.compile(r"(?<![aeouq])([aou])e(?=\w)")
_SHORTEST_RUN = 2
_LONGEST_KNOWN = 64
_SHORTEST_VERBAL_NOUN = 7


def index_terms(text: str) -> list[str]:
    """List the search terms of a text, in order and with repetition.

    Words are folded, stemmed and freed of stop words; a hyphenated word gives its parts and the whole.
    Numbers, dates, `§ 5` and codes such as `ISO-9001` stay findable as they are written.
    """
    terms: list[str] = []
    readable = _SAYING_NOTHING.sub(" ", unicodedata.normalize("NFC", text))
    for match in _UNIT.finditer(readable):
        kind, unit = str(match.lastgroup), match.group()
        terms.extend(_known_terms(kind, unit) if len(unit) <= _LONGEST_KNOWN else _terms_of(kind, unit))
    return terms


def fold(word: str) -> str:
    """Write a word so that all its spellings are one: lower case, `a` for `ä` and `ae`, `ss` for `ß`."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return _SPELLED_UMLAUT.sub(r"\1", plain)


def _terms_of(kind: str, unit: str) -> tuple[str, ...]:
    if kind == "section":
        number = unit.lstrip("§").lower().removeprefix("paragraph").strip()
        return f"§{number}", number
    if kind == "date":
        return _date_terms(unit)
    if kind == "number":
        return (_number_term(unit),)
    return tuple(_word_terms(unit))


_known_terms = lru_cache(maxsize=16_384)(_terms_of)


def _date_terms(unit: str) -> tuple[str, ...]:
    """Give a date one form, however it is written, and its month and year besides."""
    day, month, year = _DATE_PART.findall(unit)
    number = int(month) if month.isdigit() else _MONTHS.index(month.lower()) + 1
    name = (stem(fold(_MONTHS[number - 1])),) if 1 <= number <= len(_MONTHS) else ()
    return f"{int(year)}-{number}-{int(day)}", *name, year


def _number_term(unit: str) -> str:
    if _THOUSANDS.fullmatch(unit):
        return unit.replace(".", "")
    return unit.replace(".", ",")


def _word_terms(unit: str) -> Iterator[str]:
    parts = re.split(r"[-‐‑'’]", unit)
    if len(parts) > 1:
        yield from _simple_terms("".join(parts))
    for part in parts:
        yield from _simple_terms(part)


def _simple_terms(word: str) -> Iterator[str]:
    folded = fold(word)
    if folded in STOP_WORDS:
        return
    runs = _RUN.findall(folded)
    if len(runs) == 1 and not folded[0].isdigit():
        yield _stem_of(folded)
        return
    yield folded
    if len(runs) > 1:
        yield from (run for run in runs if len(run) >= _SHORTEST_RUN and run not in STOP_WORDS)


def _stem_of(folded: str) -> str:
    stemmed = stem(folded, ignore_case=True)
    if len(stemmed) >= _SHORTEST_VERBAL_NOUN and stemmed.endswith("ung"):
        return stem(stemmed[:-3], ignore_case=True)
    return stemmed
