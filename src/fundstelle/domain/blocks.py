"""Recognise paragraphs, lists, tables and kept lines in normalised text.

Normalised text has a blank line between blocks; paragraphs stand on one line, list items and table
rows on one line each. This module only reads those signs; it never changes text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """Name the kinds of blocks: `LINES` are several lines that are neither list nor table, such as code."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class Block:
    """Place a block in the text.

    Args:
        rows: Where its parts begin: items of a list, rows of a table, lines of kept lines; a paragraph
            has one. Continuation lines belong to their item; a lead-in line of a list is a part too.
        first_row_end: End of the first row, without its line end: a table's header row.

    Units:
        Half-open character offsets in the whole text; white space around is not part of the block.
    """

    kind: BlockKind
    char_start: int
    char_end: int
    rows: tuple[int, ...]
    first_row_end: int


ITEM_MARKER = re.compile(
    r"[ \t]*(?:[-–—•‣▪◦∙·*+○●■□➢➤✓]"  # a dash or bullet
    r"|\(?(?:\d{1,3}|[ivxlcIVXLC]{1,6}|[a-zA-Z]{1,2})[.)]"  # 1. 1) (1) iv) a)
    r"|\(?\d{1,3}(?:\.\d{1,3}){1,3}\)?"  # 1.2.3
    r")[ \t]+(?=\S)"
)
"""Matches the marker that opens a list item: a dash or bullet, or a number or letter as printed."""

_BLANK = re.compile(r"\n[ \t\r\f\v\u00a0]*\n\s*")
_CELL_BORDER = re.compile(r" \|(?: |$)|^\| ")


def split_blocks(text: str, start: int = 0, end: int | None = None) -> Iterator[Block]:
    """Go through the blocks of a range of text, in order; together they hold every visible character."""
    stop = len(text) if end is None else end
    position = start
    while position < stop:
        gap = _BLANK.search(text, position, stop)
        border = gap.start() if gap else stop
        block = _read_block(text, position, border)
        if block is not None:
            yield block
        position = gap.end() if gap else stop


def is_table_row(line: str) -> bool:
    """Tell whether a line has cells, joined by ` | `."""
    return _CELL_BORDER.search(line) is not None


def _read_block(text: str, start: int, end: int) -> Block | None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    start += len(piece) - len(piece.lstrip())
    end = start + len(stripped)
    lines = _lines(text, start, end)
    kind = _kind([text[low:high] for low, high in lines])
    rows = tuple(
        low for low, high in lines if kind is not BlockKind.LIST or _opens_item(text, low, high, start)
    )
    return Block(kind, start, end, rows if kind is not BlockKind.PARAGRAPH else (start,), lines[0][1])


def _opens_item(text: str, low: int, high: int, block_start: int) -> bool:
    return low == block_start or ITEM_MARKER.match(text, low, high) is not None


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Find the lines of a block that hold something, without the white space before."""
    lines: list[tuple[int, int]] = []
    position = start
    for line in text[start:end].split("\n"):
        if line.strip():
            lines.append((position + len(line) - len(line.lstrip()), position + len(line)))
        position += len(line) + 1
    return lines


def _kind(lines: list[str]) -> BlockKind:
    if len(lines) == 1:
        return BlockKind.PARAGRAPH
    if all(is_table_row(line) for line in lines):
        return BlockKind.TABLE
    items = sum(1 for line in lines if ITEM_MARKER.match(line))
    return BlockKind.LIST if items > 1 and items * 2 >= len(lines) else BlockKind.LINES
