"""Split text into sentences, German first; English splits decently, too.

A terminator is a boundary unless something speaks against it: the next word goes on in lower
case, an abbreviation, ordinal or initial stands before it (`periods`), or it lies inside a pair of
quotes or brackets (`nesting`). Lines of lists and tables are split from each other. Nothing is
learned, so the same text is split alike everywhere. Linear in the length of the text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from fundstelle.domain.text import abbreviations as known
from fundstelle.domain.text.nesting import pair_signs
from fundstelle.domain.text.periods import ends_sentence

_CLOSERS = ")\\]}\"'“”‟»«›‹‘’*_`"
_CANDIDATE = re.compile(
    rf"(?<![.!?…])(?P<mark>[.!?…]++)(?P<close>[{_CLOSERS}]*+)"
    r"(?P<note>(?:\[\d{1,3}\])++|[¹²³⁰⁴-⁹]++|\d{1,3}+)?(?=\s(?!\s*+\.))"
)
_FOLLOWING = re.compile(r"\s*+(?P<dash>[-–—]\s++)?(?P<open>[(\[{\"'„“”»«›‹‚‘’`¿¡*_]|,,)*+")
_SPACE = re.compile(r"\s*+")
_CELL_BORDER = " | "
_LIST_LETTER = re.compile(r"[a-z]{1,2}\)\s")
_LIST_ITEM = re.compile(
    r"\s*(?:[-–—•·*▪◦‣]\s|\(?(?:\d{1,3}|[a-z]{1,2}|[ivxIVX]{1,5})[.)]\s|\(\d{1,3}[a-z]?\)\s)"
)
_WORD = re.compile(r"[^\W\d_]+")
_BRACKET_CLOSERS = (")", "]", "}")
_QUOTES = '"„“”‟«»‹›‚‘,`'
_INTRODUCERS = (":", ".", "!", "?", "…", "")
_MIN_WORD = 3
_MAX_SHIELD = 600
"""Characters up to which a quote or bracket holds its sentences together."""


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Find the sentences of a text.

    Returns:
        Half-open spans in order; between them is white space only, and none crosses a blank line.
    """
    return list(_spans(text))


@lru_cache(maxsize=4)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """Find the spans; remembered, since chunking and its criteria ask for the same text."""
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        if _CELL_BORDER in text[start:end]:
            spans.append((start, end))  # a table row is read as a whole, whatever its cells hold
        else:
            _split_block(text, start, end, spans)
    return tuple(spans)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Group lines that read as one paragraph; list items and table rows stand alone."""
    start = end = 0
    at = 0
    previous = ""
    for line in text.split("\n"):
        if not line or line.isspace():
            if start < end:
                yield start, end
            start = end = at + len(line) + 1
            previous = ""
        else:
            if start < end and _is_new_block(previous, line):
                yield start, end
                start = at
            if start >= end:
                start = at + len(line) - len(line.lstrip())
            end = at + len(line.rstrip())
            previous = line
        at += len(line) + 1
    if start < end:
        yield start, end


def _is_new_block(previous: str, line: str) -> bool:
    """Say whether a single line break ends the block, rather than wrapping a paragraph."""
    if _CELL_BORDER in line or _CELL_BORDER in previous or line.startswith(("  ", "\t")):
        return True
    if previous.endswith((":", "{", "}")) or line.startswith(("}", "{")):
        return True
    return _LIST_ITEM.match(line) is not None


def _split_block(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    begin = start
    nesting: _Nesting | None = None
    for match in _CANDIDATE.finditer(text, start, end):
        following = _FOLLOWING.match(text, match.end())
        assert following is not None  # every part of the pattern may be empty
        after = following.end()
        if after >= end or match.start() <= begin or not _may_end(text, begin, match, following):
            continue
        nesting = nesting or _Nesting(text, start, end)
        if nesting.holds(match) or nesting.continues(begin, match, following):
            continue
        spans.append((begin, match.end()))
        begin = _SPACE.match(text, match.end()).end()  # type: ignore[union-attr]  # may be empty
    if begin < end:
        spans.append((begin, end))


def _may_end(text: str, begin: int, match: re.Match[str], following: re.Match[str]) -> bool:
    """Decide by what stands directly before and behind the terminator."""
    after = following.end()
    if text[after].islower() and (following["open"] or not _LIST_LETTER.match(text, after)):
        return False
    if text[after].isspace():
        return False  # a closing quote behind a blank, as in French
    at = match.start()
    if match["close"][:1] in _BRACKET_CLOSERS and text[at - 1] in "([":
        return False  # an omission: (...), [...], (?)
    if match["note"] and match["note"].isdigit() and not _carries_note(text, begin, match):
        return False
    if match["mark"] != ".":
        return True
    return ends_sentence(text, begin, at, after)


def _carries_note(text: str, begin: int, match: re.Match[str]) -> bool:
    """Say whether digits behind the period are a footnote: after a word or a closing sign."""
    at = match.start()
    return bool(match["close"]) or (at - begin > _MIN_WORD and text[at - _MIN_WORD : at].isalpha())


class _Nesting:
    """Know for one block which quotes and brackets are open at a terminator; asked from left to right."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._pairs = pair_signs(text, start, end)
        self._shields = self._outermost()
        self._next = 0

    def _outermost(self) -> list[tuple[int, int]]:
        shields: list[tuple[int, int]] = []
        for opened, closed in sorted((opened, closed) for closed, opened in self._pairs.items()):
            if closed - opened <= _MAX_SHIELD and not (shields and opened < shields[-1][1]):
                shields.append((opened, closed))
        return shields

    def holds(self, match: re.Match[str]) -> bool:
        """Say whether the terminator lies inside a pair that closes later."""
        while self._next < len(self._shields) and self._shields[self._next][1] < match.end():
            self._next += 1
        return self._next < len(self._shields) and self._shields[self._next][0] < match.start()

    def continues(self, begin: int, match: re.Match[str], following: re.Match[str]) -> bool:
        """Say whether the sentence goes on behind a quote or bracket that closes with the terminator."""
        starter = _word_at(self._text, following.end()) in known.STARTERS
        for at in range(match.end("mark"), match.end("close")):
            opened = self._pairs.get(at)
            if opened is None or opened - begin <= 1:
                continue
            if self._text[at] in _BRACKET_CLOSERS:
                return not starter
            introduced = self._text[begin:opened].rstrip()[-1:] in _INTRODUCERS
            if introduced:
                return bool(following["open"]) and following["open"][0] in _QUOTES
            return match["mark"] != "." and not starter and not following["open"]
        return False


def _word_at(text: str, at: int) -> str:
    match = _WORD.match(text, at)
    return match.group() if match else ""
