"""Phase I4, first half: cut a chunk into windows, the pieces that an embedding model sees at once.

Windows are runs of whole sentences that follow each other without gap, so that together they hold
every visible character of the chunk; nothing is cut off. Only a sentence that does not fit alone is
cut, at a clause, else at a word, else anywhere. What is embedded is cleaned: leaders of dots reduced,
white space folded. The stored text of the chunk is never changed.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fundstelle.domain.documents import Window
from fundstelle.domain.errors import CriterionError
from fundstelle.domain.text.sentences import split_sentences

CountPieces: TypeAlias = Callable[[str], int]
"""Counts the word pieces of a passage as the model sees it, prefix and special tokens included."""

_LEADER = re.compile(r"([._·‥=*~–—-])(?: ?\1){3,}|…(?: ?…)+")
_CLAUSE_BORDER = re.compile(r"(?<=[;,:])\s+|\s(?=[–—-]\s)|\s\|\s")
_WORD_BORDER = re.compile(r"\s+")
_PATH_SEPARATOR = " > "
_SHORTENED = "… > "
_HEADER_SHARE = 3
"""The header takes at most this part of a window (a third)."""

_SAFETY = 0.95
"""After a count that was too high, aim this far below the limit."""


def clean_for_embedding(text: str) -> str:
    """Fold white space and reduce leaders; a text without any letter or digit cleans to nothing."""
    folded = _fold(text)
    return folded if any(map(str.isalnum, folded)) else ""


def _fold(text: str) -> str:
    return _LEADER.sub("…", " ".join(text.split()))


def fit_header(header: str, max_chars: int) -> str:
    """Shorten a heading path from the left to at most `max_chars`, or drop it: `… > Titel`."""
    cleaned = " ".join(header.split())
    if len(cleaned) <= max_chars:
        return cleaned
    parts = cleaned.split(_PATH_SEPARATOR)
    for first in range(1, len(parts)):
        shortened = _SHORTENED + _PATH_SEPARATOR.join(parts[first:])
        if len(shortened) <= max_chars:
            return shortened
    return ""


def cut_windows(
    content: str, header: str, max_chars: int, max_pieces: int, count_pieces: CountPieces
) -> tuple[Window, ...]:
    """Cut a chunk's content into windows of at most `max_chars` characters and `max_pieces` pieces.

    `count_pieces` is called once per window, and once more for each that turns out too long.

    Args:
        header: Heading path put on a line of its own above each piece; shortened from the left or
            dropped when it would take more than a third of the window.

    Returns:
        Windows in order. A stretch without letters or digits that fills a window alone is not embedded,
        but lies in the range of the window beside it; a content that cleans to nothing as a whole gives
        no window, which the caller records.

    Raises:
        CriterionError: Not even a single character fits into `max_pieces`.
    """
    cutter = _Cutter(
        content, fit_header(header, max_chars // _HEADER_SHARE), max_chars, max_pieces, count_pieces
    )
    windows: list[Window] = []
    for window in cutter.windows():
        if window.text:
            windows.append(replace(window, window_index=len(windows)))
        elif windows:
            windows[-1] = replace(windows[-1], char_end=window.char_end)
    return tuple(windows)


@dataclass(slots=True)
class _Cutter:
    content: str
    header: str
    max_chars: int
    max_pieces: int
    count_pieces: CountPieces
    limit: int = 0
    starts: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.limit = self.max_chars
        self.starts = [start for start, _ in split_sentences(self.content)]
        ends = [*self.starts[1:], len(self.content)]
        self.lengths = [
            len(_fold(self.content[start:end])) for start, end in zip(self.starts, ends, strict=False)
        ]

    def windows(self) -> Iterator[Window]:
        """Give the windows in order; what cleans to nothing belongs to the next one's range, not to its text.

        At the end it comes as a window with an empty text.
        """
        position = start = self.starts[0] if self.starts else len(self.content)
        while position < len(self.content):
            end = self._next_end(position)
            text = self._compose(position, end)
            pieces = self.count_pieces(text) if text else 0
            if len(text) > self.max_chars or pieces > self.max_pieces:
                self._shrink(text, pieces)
                continue
            if text:
                yield self._window(start, end, text, pieces)
                start = end
            position = end
        if start < len(self.content.rstrip()):
            yield self._window(start, len(self.content), "", 0)

    def _next_end(self, position: int) -> int:
        """Find where the window that begins at `position` ends best: at a sentence, evenly spread."""
        room = self._room()
        index = bisect_right(self.starts, position) - 1
        total = len(_fold(self.content[position : self._end(index)]))
        rest = total + sum(self.lengths[index + 1 :]) + len(self.lengths) - index - 1
        if rest <= room:
            return len(self.content)
        wanted = rest / -(-rest // room)
        choices: list[tuple[float, int]] = []
        while total <= room and index + 1 < len(self.starts):
            choices.append((abs(total - wanted), -self.starts[index + 1]))
            index += 1
            total += self.lengths[index] + 1
        if choices:
            return -min(choices)[1]
        return self._cut_sentence(position, self._end(index), room)

    def _cut_sentence(self, start: int, end: int, room: int) -> int:
        """Find a place within a sentence: a clause's end, else a word's, else anywhere."""
        length = len(_fold(self.content[start:end]))
        reach = min(start + room, end)
        wanted = min(start + (end - start) // max(-(-length // room), 1), reach)
        for border in (_CLAUSE_BORDER, _WORD_BORDER):
            places = [match.end() for match in border.finditer(self.content, start, reach)]
            places = [place for place in places if place > start + room // 4]
            if places:
                return min(places, key=lambda place: abs(place - wanted))
        return max(wanted, start + 1)

    def _shrink(self, text: str, pieces: int) -> None:
        """Aim at shorter windows from here on, by what the count has taught."""
        if pieces > self.max_pieces:
            reached = min(len(text), self.limit)
            limit = min(int(reached * self.max_pieces / pieces * _SAFETY), self.limit - 1)
        else:
            limit = self.limit - max(len(text) - self.max_chars, 1)
        if limit < 1 and not self.header:
            detail = f"one character needs {pieces} pieces, the model takes {self.max_pieces}"
            raise CriterionError("I4", "windows_fit", detail)
        self.limit = max(limit, 1)
        self.header = fit_header(self.header, self.limit // _HEADER_SHARE)

    def _room(self) -> int:
        return max(self.limit - (len(self.header) + 1 if self.header else 0), 1)

    def _end(self, index: int) -> int:
        return self.starts[index + 1] if index + 1 < len(self.starts) else len(self.content)

    def _compose(self, start: int, end: int) -> str:
        cleaned = clean_for_embedding(self.content[start:end])
        return f"{self.header}\n{cleaned}" if self.header and cleaned else cleaned

    def _window(self, start: int, end: int, text: str, pieces: int) -> Window:
        """Place a window, without the white space around it."""
        piece = self.content[start:end]
        char_start = start + len(piece) - len(piece.lstrip())
        return Window(0, char_start, start + len(piece.rstrip()), text, pieces)
