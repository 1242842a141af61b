"""Collect running text into blocks: paragraphs, headings, list lines, code, table rows.

A frame is a place where blocks are collected: the page, or a cell of a table, whose blocks become
part of a row. Text comes in pieces; `flush` ends the block that is being collected.
"""

from collections.abc import Container
from dataclasses import dataclass

from fundstelle.adapters.readers.text_formats import (
    LIST_INDENT,
    Block,
    BlockKind,
    BlockList,
    join_row,
    trim_code,
)
from fundstelle.domain.text.mapped import MappedText

_MAX_INDENT = 12
_MAX_CELL_PARAGRAPHS = 4
_BLANK = MappedText(" ")


@dataclass(slots=True)
class ListState:
    """Hold where a list stands: its kind of numbers and the number of its next item.

    Args:
        style: `1`, `a`, `A`, `i` or `I`; empty for a list without numbers or a list of terms.
    """

    style: str = ""
    counter: int = 1
    step: int = 1


class TextFrame:
    """Collect the blocks of the page or of one cell."""

    def __init__(self, found: BlockList, blocks: list[Block]) -> None:
        self.blocks = blocks
        self.heading = 0
        self.in_code = False
        self.lists: list[ListState] = []
        self._found = found
        self._parts: list[MappedText | None] = []
        self._prefix = ""
        self._group = 0
        self._terms = 0

    def append(self, part: MappedText) -> None:
        """Add a piece of running text."""
        self._parts.append(part)

    def soft_end(self) -> None:
        """End a paragraph; inside a list item, what follows stays on the line of the item."""
        if self.lists and not self.in_code:
            self._parts.append(_BLANK)
        else:
            self.flush()

    def break_line(self) -> None:
        """Break the line inside a paragraph."""
        self._parts.append(MappedText("\n") if self.in_code else None)

    def open_list(self, state: ListState) -> None:
        """Begin a list or a list of terms."""
        self.flush()
        if not self.lists:
            self._group = self._found.new_group()
        self.lists.append(state)
        self._prefix = self._indent()

    def open_terms(self) -> None:
        """Begin a list of terms, or carry on with the one that has just ended."""
        self.flush()
        last = self.blocks[-1] if self.blocks else None
        carries_on = not self.lists and last is not None and 0 < last.group == self._terms
        self.open_list(ListState())
        if carries_on:
            self._group = self._terms
        self._terms = self._group

    def take_back_as_term(self) -> None:
        """Make the paragraph before the term of the definition that comes."""
        self.flush()
        if self.lists or not self.blocks or self.blocks[-1].kind is not BlockKind.PARAGRAPH:
            return
        term = self.blocks.pop()
        last = self.blocks[-1] if self.blocks else None
        if not self._terms or last is None or last.group != self._terms:
            self._terms = self._found.new_group()
        self.blocks.append(Block(BlockKind.LINE, term.text, self._terms))

    def close_list(self) -> None:
        """End the innermost list."""
        self.flush()
        if self.lists:
            self.lists.pop()
        self._prefix = self._indent() + LIST_INDENT if self.lists else ""

    def begin_item(self, marker: str) -> None:
        """Begin an item of the innermost list with its marker, such as `- `."""
        self.flush()
        self._prefix = self._indent() + marker

    def add_row(self, cells: list[MappedText], group: int) -> None:
        """Add a table row whose cells are already read."""
        self.flush()
        self._emit(BlockKind.ROW, join_row(cells), group)

    def flush(self) -> None:
        """End the block that is being collected."""
        parts, self._parts = self._parts, []
        if not parts:
            return
        if self.in_code:
            code = MappedText.joined(part for part in parts if part is not None).normalised()
            self._emit(BlockKind.LINE, trim_code(code), self._found.new_group())
            return
        lines = _lines(parts, self._found.words)
        if self.heading:
            self._emit(BlockKind.HEADING, _on_one_line(lines), 0, self.heading)
        elif self.lists:
            self._emit_item(_on_one_line(lines))
        else:
            self._emit_paragraphs(lines)

    def _emit_item(self, text: MappedText) -> None:
        if text.text:
            line = MappedText.joined((MappedText(self._prefix), text))
            self._prefix = self._indent() + LIST_INDENT
            self._emit(BlockKind.LINE, line, self._group)

    def _emit_paragraphs(self, lines: list[MappedText]) -> None:
        """Emit lines that breaks have cut: an empty one ends a paragraph, the others stay lines."""
        paragraph: list[MappedText] = []
        for line in [*lines, MappedText("")]:
            if line.text:
                paragraph.append(line)
            elif paragraph:
                group = self._found.new_group() if len(paragraph) > 1 else 0
                for kept in paragraph:
                    self._emit(BlockKind.LINE if group else BlockKind.PARAGRAPH, kept, group)
                paragraph = []

    def _emit(self, kind: BlockKind, text: MappedText, group: int = 0, level: int = 0) -> None:
        if text.text.strip():
            self.blocks.append(Block(kind, text, group, level))

    def _indent(self) -> str:
        return LIST_INDENT * min(len(self.lists) - 1, _MAX_INDENT)


def _lines(parts: list[MappedText | None], words: Container[str] | None) -> list[MappedText]:
    """Cut pieces into lines at their breaks (None), folded and normalised."""
    lines: list[list[MappedText]] = [[]]
    for part in parts:
        if part is None:
            lines.append([])
        else:
            lines[-1].append(part)
    return [MappedText.joined(line).normalised().reflowed(words) for line in lines]


def _on_one_line(lines: list[MappedText]) -> MappedText:
    spaced: list[MappedText] = []
    for line in lines:
        if line.text:
            spaced.extend((_BLANK, line))
    return MappedText.joined(spaced[1:])


class TableState:
    """Collect the cells of a table row by row."""

    def __init__(self, group: int) -> None:
        self._group = group
        self._cells: list[list[Block]] = []

    def add_cell(self, blocks: list[Block]) -> None:
        """Add the blocks of a cell to the row."""
        self._cells.append(blocks)

    def end_row(self) -> list[Block]:
        """End the row.

        Returns:
            One row; of a table that only lays out a page (headings, tables, long text in its cells), the
            blocks of the cells one after the other.
        """
        cells, self._cells = self._cells, []
        if any(_is_layout(cell) for cell in cells):
            return [block for cell in cells for block in cell]
        texts = [_on_one_line([block.text for block in cell]).reflowed() for cell in cells]
        filled = [text for text in texts if text.text]
        if not filled:
            return []
        return [Block(BlockKind.ROW, filled[0] if len(filled) == 1 else join_row(texts), self._group)]


def _is_layout(cell: list[Block]) -> bool:
    if any(block.kind in (BlockKind.HEADING, BlockKind.ROW) for block in cell):
        return True
    return sum(block.kind is BlockKind.PARAGRAPH for block in cell) > _MAX_CELL_PARAGRAPHS
