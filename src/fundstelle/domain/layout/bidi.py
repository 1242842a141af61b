"""Bring Hebrew and Arabic into logical order: as it is read and typed, not as it is drawn.

A file may draw such words from left to right; then their characters come out reversed. The places of
a word's first and last character say which it is.
"""

import re

from fundstelle.domain.layout.page import RawPage
from fundstelle.domain.layout.segments import Segment, single_words

_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")
_MIN_ADVANCE, _SLACK, _SHORT = 0.5, 0.05, 3


def has_right_to_left(text: str) -> bool:
    """Say whether a text holds Hebrew or Arabic characters."""
    return _RTL.search(text) is not None


def in_logical_order(page: RawPage) -> RawPage:
    """Turn the characters of words that are drawn from left to right; all offsets stay."""
    if not has_right_to_left(page.text):
        return page
    characters = list(page.text)
    for k, (start, end) in enumerate(zip(page.starts, page.ends, strict=True)):
        word = page.text[start:end]
        if len(word) > 1 and _is_right_to_left(word) and _comes_forward(page, k, len(word)):
            characters[start:end] = word[::-1]
    return page._replace(text="".join(characters))


def _comes_forward(page: RawPage, k: int, length: int) -> bool:
    """Say whether the last character of a word does not lie left of its first one.

    So it is where a file draws a word from left to right, and where the engine turned a word that the
    file itself spelled out (`ActualText`); then all characters share one place.
    """
    advance = (page.x1[k] - page.x0[k]) / page.styles[page.style_of[k]].size
    return advance > (-_SLACK * length if length > _SHORT else _MIN_ADVANCE * (length - 1))


def order_words(page: RawPage, segments: list[Segment]) -> list[Segment]:
    """Order the words of a line as they are read, by the direction of most of its letters."""
    words = sorted(single_words(page, segments), key=lambda one: one.x0)
    turned = [_is_right_to_left(page.text[page.starts[w.first] : page.ends[w.last]]) for w in words]
    base = sum(turned) * 2 > len(turned)
    ordered: list[Segment] = []
    start = 0
    for k in range(1, len(words) + 1):
        if k == len(words) or turned[k] != turned[start]:
            run = words[start:k][::-1] if turned[start] else words[start:k]
            ordered = [*run, *ordered] if base else [*ordered, *run]
            start = k
    return ordered


def _is_right_to_left(word: str) -> bool:
    letters = _LETTER.findall(word)
    return bool(letters) and 2 * sum(_RTL.match(letter) is not None for letter in letters) > len(letters)
