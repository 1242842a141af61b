"""Read German number words (`zwei`, `dreiundzwanzig`, `zweimal`, `dritte`) as numbers.

`ein` and its forms are articles more often than numbers and are left alone.
"""

import re
from functools import lru_cache

_UNITS = {
    "ein": 1, "eins": 1, "zwei": 2, "zwo": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9,
}  # fmt: skip
_TEENS = {
    "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "sechzehn": 16,
    "siebzehn": 17, "achtzehn": 18, "neunzehn": 19,
}  # fmt: skip
_TENS = {
    "zwanzig": 20, "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70,
    "achtzig": 80, "neunzig": 90,
}  # fmt: skip
_ORDINALS = {
    "zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6, "siebt": 7, "siebent": 7, "acht": 8,
    "neunt": 9, "zehnt": 10, "elft": 11, "zwölft": 12,
}  # fmt: skip
_ORDINAL_ENDINGS = ("e", "en", "er", "es", "em", "ens")
_TIMES = re.compile(r"(?:mal(?:ig\w*)?|fach\w*|stellig\w*)\Z")
_SPAN = re.compile(r"(?:tägig|wöchig|monatig|jährig|stündig|minütig)\w*\Z")
_LONGEST = 60


@lru_cache(maxsize=8192)
def number_of_word(word: str) -> int | None:
    """Read a number word; None when the word is none.

    Ordinals from `zweite` on count, and so do `zweimal`, `dreifach`, `vierwöchig`.
    """
    lower = word.lower()
    if lower == "eins":
        return 1
    if len(lower) > _LONGEST or lower == "ein" or word == "Acht":
        return None
    for tail in (_TIMES, _SPAN):
        if (cut := tail.search(lower)) and cut.start():
            return _cardinal(lower[: cut.start()])
    number = _cardinal(lower)
    return number if number is not None else _ordinal(lower)


def unit_part(word: str) -> str:
    """Cut the unit out of a number word, such as `wöchige` out of `zweiwöchige`; empty where none is."""
    lower = word.lower()
    if cut := _SPAN.search(lower):
        return lower[cut.start() :]
    return "mal" if _TIMES.search(lower) else ""


def _ordinal(word: str) -> int | None:
    for ending in _ORDINAL_ENDINGS:
        if word.endswith(ending) and (number := _ORDINALS.get(word.removesuffix(ending))):
            return number
    return None


def _cardinal(word: str) -> int | None:
    """Read a cardinal below a million."""
    thousands, found, rest = word.rpartition("tausend")
    if found:
        high = _below_thousand(thousands) if thousands else 1
        low = _below_thousand(rest.removeprefix("und")) if rest else 0
        return None if high is None or low is None else high * 1000 + low
    return _below_thousand(word)


def _below_thousand(word: str) -> int | None:
    hundreds, found, rest = word.rpartition("hundert")
    if found:
        high = _UNITS.get(hundreds) if hundreds else 1
        low = _below_hundred(rest.removeprefix("und")) if rest else 0
        return None if high is None or low is None else high * 100 + low
    return _below_hundred(word)


def _below_hundred(word: str) -> int | None:
    for table in (_UNITS, _TEENS, _TENS):
        if word in table:
            return table[word]
    unit, found, ten = word.partition("und")
    if found and unit in _UNITS and ten in _TENS:
        return _UNITS[unit] + _TENS[ten]
    return None
