"""Phase I3: the units that a chunk is packed from, and how one that is too long is cut.

A unit is the smallest piece that stays whole: a sentence of a paragraph, an item of a list, a row of
a table, the heading. Only a unit longer than the maximum is cut further: an item or row at its
sentences, a sentence at line ends and clauses, a clause at word borders, a word anywhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

CountTokens: TypeAlias = Callable[[str], int]
"""Counts the tokens of a text, exactly."""


class Break(Enum):
    """Name the border before a unit; the value is what a chunk border there costs, in tokens.

    The cost is weighed against the distance from the wanted size: a paragraph's start 40 tokens
    further away is as good as a sentence's start right there.
    """

    BLOCK = 0
    SENTENCE = 40
    ITEM = 41
    ROW = 60
    ITEM_SENTENCE = 100
    CLAUSE = 120
    PHRASE = 140
    WORD = 200
    ANYWHERE = 300
    HEADING = 1000

    @property
    def splits_sentence(self) -> bool:
        """Tell whether a chunk border here lies within a sentence."""
        return self in (Break.CLAUSE, Break.PHRASE, Break.WORD, Break.ANYWHERE)


@dataclass(frozen=True, slots=True)
class TableHeader:
    """Place the header row of a table, which chunks that begin further down repeat."""

    char_start: int
    char_end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Unit:
    """Place a unit in the version text.

    Args:
        before: The kind of border before it; `HEADING` follows directly on the section's heading.
        tokens: Counted with the line ends after it and the blanks before it, as tokens are cut, so that
            sums come close to the exact count.
        table_header: Header of the table that it lies in, where it is not the header itself.
    """

    char_start: int
    char_end: int
    before: Break
    tokens: int
    table_header: TableHeader | None = None


@dataclass(frozen=True, slots=True)
class Border:
    """Mark where a unit begins, or (`inner`) where it may be cut when it is too long."""

    start: int
    kind: Break
    inner: bool = False
    table_header: TableHeader | None = None


@dataclass(frozen=True, slots=True)
class Cutter:
    """Make units of a text, cutting those that are too long.

    Args:
        max_tokens: Longest unit that stays whole, the repeated table header included.
        piece_tokens: Longest piece of a sentence that is cut; small enough for a chunk that is not yet
            full to take one more piece.
    """

    text: str
    max_tokens: int
    piece_tokens: int
    count_tokens: CountTokens

    def cut(self, borders: Sequence[Border], position: int, limit: int) -> list[Unit]:
        """Make one unit of what begins at the first border, or several when it is too long.

        Args:
            borders: The unit's own border, then the inner ones.
            position: Up to where the units before have been counted.
            limit: Start of the unit after.
        """
        first = borders[0]
        unit = self._unit(first, position, limit)
        room = self._room(first)
        if self._fits(unit, room):
            return [unit]
        units: list[Unit] = []
        for border, end in zip(borders, [b.start for b in borders[1:]] + [limit], strict=True):
            piece = self._unit(border, position, end)
            fits = self._fits(piece, room)
            units.extend([piece] if fits else self._cut_sentence(border, position, piece.char_end))
            position = self.counted_to(units[-1])
        return units

    def counted_to(self, unit: Unit) -> int:
        """Find up to where a unit was counted: the last line end after it, where there is one."""
        return self._line_end(unit.char_end)

    def _cut_sentence(self, border: Border, position: int, limit: int) -> Iterator[Unit]:
        """Cut a sentence at its clauses, and clauses that are too long at words."""
        borders = [border, *self._clauses(border, limit)]
        for clause, end in zip(borders, [b.start for b in borders[1:]] + [limit], strict=True):
            whole = self._unit(clause, position, end)
            fits = whole.tokens <= self._piece_room(clause)
            for unit in (whole,) if fits else self._cut_clause(clause, position, whole):
                yield unit
                position = self.counted_to(unit)

    def _clauses(self, border: Border, limit: int) -> Iterator[Border]:
        """Find the borders of clauses, at least some words apart."""
        stride = max(self.piece_tokens // 4, 1)
        last = border.start
        for match in _CLAUSE_BORDER.finditer(self.text, border.start, limit):
            start = match.end()
            if start - last >= stride and start < limit:
                strong = (
                    self.text[match.start() - 1] == ";"
                    or not match.group().isspace()
                    or "\n" in match.group()
                )
                yield Border(start, Break.CLAUSE if strong else Break.PHRASE, False, border.table_header)
                last = start

    def _cut_clause(self, border: Border, position: int, whole: Unit) -> Iterator[Unit]:
        """Cut at word borders, or anywhere where a word fills a piece; linear in the length."""
        length = whole.char_end - whole.char_start
        room = self._piece_room(border)
        stride = max(length * room * 9 // (whole.tokens * 10), 1)
        while border.start < whole.char_end:
            reach = stride
            following = self._word_border(border, reach, whole.char_end)
            unit = self._unit(border, position, following.start)
            while unit.tokens > room and reach > 1:
                reach //= 2
                following = self._word_border(border, reach, whole.char_end)
                unit = self._unit(border, position, following.start)
            yield unit
            position, border = self.counted_to(unit), following

    def _word_border(self, border: Border, reach: int, end: int) -> Border:
        """Find the last word border within reach, else a place that tears no character apart."""
        low, high = border.start + (reach + 1) // 2, border.start + reach
        if high >= end:
            return Border(end, Break.WORD, False, border.table_header)
        space = max((match.start() for match in _SPACE.finditer(self.text, low, high + 1)), default=None)
        visible = None if space is None else _NON_SPACE.search(self.text, space, end)
        if visible is not None:
            return Border(visible.start(), Break.WORD, False, border.table_header)
        while high < end and _joins(self.text[high - 1], self.text[high]):
            high += 1
        return Border(high, Break.ANYWHERE, False, border.table_header)

    def _unit(self, border: Border, position: int, limit: int) -> Unit:
        end = border.start + len(self.text[border.start : limit].rstrip())
        tokens = self.count_tokens(self.text[position : self._line_end(end)])
        return Unit(border.start, end, border.kind, tokens, border.table_header)

    def _line_end(self, end: int) -> int:
        gap = _SPACE.match(self.text, end)
        return end if gap is None else end + gap.group().rfind("\n") + 1

    def _room(self, border: Border) -> int:
        return self.max_tokens - (border.table_header.tokens if border.table_header else 0)

    def _piece_room(self, border: Border) -> int:
        return min(self.piece_tokens, self._room(border))

    def _fits(self, unit: Unit, room: int) -> bool:
        """Tell whether a unit stays whole; the white space before it does not count."""
        return unit.tokens <= room or self.count_tokens(self.text[unit.char_start : unit.char_end]) <= room


_CLAUSE_BORDER = re.compile(r"(?<=[,:;])\s+|\s(?=[–—-]\s)|\s\|\s|\n\s*")
_SPACE = re.compile(r"\s+")
_NON_SPACE = re.compile(r"\S")
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")


def _joins(left: str, right: str) -> bool:
    """Tell whether two characters make up one that a reader sees."""
    return left == "\u200d" or right in _JOINERS or unicodedata.combining(right) != 0
