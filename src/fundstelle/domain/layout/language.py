"""Guess whether a text is German or English, by the small words that make a third of any text."""

import re

_GERMAN = frozenset(
    "der die das und nicht ist mit dem den ein eine für auf von zu des im sich werden auch".split()  # noqa: SIM905
)
_ENGLISH = frozenset(
    "the of and to is that for with are this be as not by an or from it which was".split()  # noqa: SIM905
)
_WORD = re.compile(r"[a-zäöüß]+")
_SAMPLE = 20_000
_MIN_HITS = 3


def guess_language(text: str) -> str | None:
    """Guess the language of a text: `de`, `en`, or None where it is not clear."""
    words = _WORD.findall(text[:_SAMPLE].lower())
    german = sum(word in _GERMAN for word in words)
    english = sum(word in _ENGLISH for word in words)
    if max(german, english) < _MIN_HITS or german == english:
        return None
    return "de" if german > english else "en"
