"""Find where a piece of text speaks of something else than the question asks, though nearly the same.

`Was kostet eine Sitzung im Gruppencoaching?` is not answered by the price of the Einzelcoaching, nor a
question about 2022 by the figure of 2024. Only closed kinds are compared: years, numbers with their
unit, days of the week, months, and compounds with the same last part; and what is asked to be `am
häufigsten` must be ranked somehow.
"""

import re
from collections.abc import Collection, Iterator

from fundstelle.adapters.generators.extractive_question import Question, is_year
from fundstelle.domain.quantities import Quantity, find_dates, find_quantities, units_agree
from fundstelle.domain.text.matching import content_terms, found, key_of

_DAYS = re.compile(r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend", re.IGNORECASE)
_MONTHS = re.compile(
    r"\b(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"\bam\s(\w{3,30}sten)\b", re.IGNORECASE)
_RANKING = re.compile(
    r"\b(?:meist\w*|größt\w*|höchst\w*|wichtigst\w*|häufigst\w*|beste[nrsm]?|längst\w*|ältest\w*"
    r"|stärkst\w*|vor allem"
    r"|mehr als|überwiegend|hauptsächlich|in erster linie|kleinst\w*|niedrigst\w*|wenigst\w*"
    r"|seltenst\w*|jüngst\w*)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(r"\b([A-ZÄÖÜ]\w+)\s(?:der|des|von|für)\s(?:\w+\s)?([A-ZÄÖÜ]\w+)")
_FEWEST_LETTERS = 4
_HELD = 0.9


def find_conflicts(question: Question, text: str, near: str, vocabulary: Collection[str]) -> tuple[str, ...]:
    """List what the question names and the piece has otherwise.

    Args:
        near: The piece with its surroundings and headings; what stands there is no conflict.
        vocabulary: All words of the sources; the shared last part of two compounds must be one of them.
    """
    found_there = (
        *_years(question, near),
        *_quantities(question, text, near),
        *_closed(question, text, near, _DAYS),
        *_closed(question, text, near, _MONTHS),
        *_siblings(question, text, near, vocabulary),
        *_superlatives(question, text, near),
    )
    return tuple(dict.fromkeys(found_there))


def _years(question: Question, near: str) -> Iterator[str]:
    there = {str(date.year) for date in find_dates(near)} | {
        q.key for q in find_quantities(near) if is_year(q)
    }
    yield from (year for year in question.years if year not in there and there - {"None"})


def _quantities(question: Question, text: str, near: str) -> Iterator[str]:
    around = find_quantities(near)
    here = find_quantities(text)
    for asked in question.quantities:
        if asked.key in question.years or any(other.key == asked.key for other in around):
            continue
        if any(_same_kind(asked, other) for other in here):
            yield asked.text


def _same_kind(asked: Quantity, other: Quantity) -> bool:
    if asked.unit or other.unit:
        return bool(asked.unit and other.unit) and units_agree(asked.unit, other.unit)
    if not (asked.counted and other.counted):
        return False
    left, right = key_of(asked.counted), key_of(other.counted)
    return found(left, (right,)) > 0 or found(right, (left,)) > 0


def _closed(question: Question, text: str, near: str, kind: re.Pattern[str]) -> Iterator[str]:
    asked = {match[0].lower() for match in kind.finditer(question.text)}
    here = {match[0].lower() for match in kind.finditer(text)}
    if asked and here and not asked & ({match[0].lower() for match in kind.finditer(near)}):
        yield from sorted(word.capitalize() for word in asked)


def _siblings(question: Question, text: str, near: str, vocabulary: Collection[str]) -> Iterator[str]:
    """Find compounds of the question that the piece has with another first part."""
    around = {term.key for term in content_terms(near)}
    here = {term.key for term in content_terms(text) if term.capital}
    asked = {term.key for term in question.terms}
    for term in question.terms:
        if not term.capital or found(term.key, around) >= _HELD:
            continue
        tails = [word for word in vocabulary if _is_tail(word, term.key)]
        elsewhere = any(_belongs_elsewhere(tail, near, asked) for tail in tails)
        if elsewhere or any(_is_tail(tail, other) for tail in tails for other in here):
            yield term.word


def _belongs_elsewhere(tail: str, text: str, asked: Collection[str]) -> bool:
    """Say whether the last part of a compound is said of what the question does not name.

    `Nummer der Telefonseelsorge` is no `Kontonummer`.
    """
    owners = [key_of(match[2]) for match in _OWNED.finditer(text) if key_of(match[1]) == tail]
    return bool(owners) and not any(found(key, owners) >= _HELD for key in asked)


def _superlatives(question: Question, text: str, near: str) -> Iterator[str]:
    """Find what is asked to rank highest where nothing is ranked."""
    for match in _SUPERLATIVE.finditer(question.text):
        root = key_of(match[1].lower().removesuffix("sten"))
        ranked = _SUPERLATIVE.search(near) or _RANKING.search(text)
        if not ranked and not found(root, {term.key for term in content_terms(near)}):
            yield f"am {match[1].lower()}"


def _is_tail(tail: str, key: str) -> bool:
    return len(tail) >= _FEWEST_LETTERS and len(key) >= len(tail) + 3 and key.endswith(tail)
