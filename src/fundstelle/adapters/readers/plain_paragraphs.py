"""Tell what a paragraph of plain text is: wrapped prose, a list, a table, or lines meant as lines."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.domain.text.abbreviations import MONTHS

_BULLET = re.compile(r"[ \t]*([-–—•·*▪◦‣●○■\uf0b7\uf0a7])[ \t]+(?=\S)")
_NUMBERED = re.compile(r"[ \t]*(\(?\d{1,3}[.)]|\(?[a-z]{1,2}\)|\(?[ivx]{1,5}\))[ \t]+(?=\S)")
_LAW_PARAGRAPH = re.compile(r"[ \t]*\(\d{1,3}[a-z]?\)[ \t]+\S")
_COLUMN = re.compile(r"\t+ *| {3,}")
_PIPE_ROW = re.compile(r"\s*\|.*\|\s*\Z")
_PIPE_BORDER = re.compile(r"[\s|+:=-]*\Z")
_WORD = re.compile(r"[^\W\d_]+")
_CAPITAL = re.compile(r"[\W\d]*[A-ZÄÖÜ]|\d")
_SHORT_LINE = 60
_NARROW = 40
"""Nobody wraps prose at so few characters."""
_MANY = 0.8
_TAB = 4


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one line of the source and its half-open place."""

    start: int
    end: int
    text: str

    @property
    def indent(self) -> int:
        """Count the columns before the first character."""
        expanded = self.text.expandtabs(_TAB)
        return len(expanded) - len(expanded.lstrip())


@dataclass(frozen=True, slots=True)
class ItemSign:
    """Hold the marker of a list item: as it is written, and where the text behind it begins."""

    marker: str
    text_start: int


def split_lines(source: str) -> list[Line]:
    """Cut a source into lines, at form feeds, too."""
    lines: list[Line] = []
    at = 0
    for text in re.split(r"[\n\f]", source):
        lines.append(Line(at, at + len(text), text))
        at += len(text) + 1
    return lines


def item_sign(line: Line, previous: Line | None, *, in_list: bool) -> ItemSign | None:
    """Recognise a list item; inside a paragraph only where the line before ends or is one itself."""
    match = _BULLET.match(line.text) or _NUMBERED.match(line.text)
    if match is None or _LAW_PARAGRAPH.match(line.text):
        return None
    word = _WORD.match(line.text, match.end())
    if word and word.group() in MONTHS and match[1][-1] == ".":
        return None
    if not (previous is None or in_list or previous.text.rstrip().endswith((":", ";", ".", ","))):
        return None
    return ItemSign("- " if match.re is _BULLET else f"{match[1]} ", match.end())


def begins_law_paragraph(line: Line) -> bool:
    """Say whether a line begins with `(1)`, as the paragraphs of laws and contracts do."""
    return _LAW_PARAGRAPH.match(line.text) is not None


def table_columns(lines: Sequence[Line]) -> list[list[tuple[int, int]]] | None:
    """Find the cells of a table that is drawn with bars, tabs or wide gaps.

    Returns:
        Half-open places of the cells, row by row; None where the lines are no table.
    """
    if len(lines) < 2:
        return None
    if all(_PIPE_ROW.match(line.text) or _PIPE_BORDER.match(line.text) for line in lines):
        return [_pipe_cells(line) for line in lines if not _PIPE_BORDER.match(line.text)] or None
    rows = [_gap_cells(line) for line in lines]
    return rows if len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows) else None


def _pipe_cells(line: Line) -> list[tuple[int, int]]:
    bars = [line.start + at for at, sign in enumerate(line.text) if sign == "|"]
    return [(left + 1, right) for left, right in itertools.pairwise(bars)]


def _gap_cells(line: Line) -> list[tuple[int, int]]:
    cells: list[tuple[int, int]] = []
    at = len(line.text) - len(line.text.lstrip())
    for gap in _COLUMN.finditer(line.text.rstrip(), at):
        cells.append((line.start + at, line.start + gap.start()))
        at = gap.end()
    return [*cells, (line.start + at, line.end)]


def keeps_lines(lines: Sequence[Line]) -> bool:
    """Say whether the line ends are meant (verse, an address), not the edge of the page.

    Where a line had room for the first word of the next one, its end was a choice. Verse and
    addresses choose so again and again, are short, and begin their lines with capitals or figures.
    """
    if len(lines) < 2:
        return False
    texts = [line.text.strip() for line in lines]
    width = max(len(text) for text in texts)
    if width > _SHORT_LINE:
        return False
    chosen = sum(
        len(text) + 1 + len(following.split()[0]) <= width for text, following in itertools.pairwise(texts)
    )
    capitals = sum(_CAPITAL.match(text) is not None for text in texts)
    if capitals >= _MANY * len(texts):
        return width <= _NARROW or 3 * chosen >= len(texts) - 1
    return len(texts) > 2 and chosen >= _MANY * (len(texts) - 1)
