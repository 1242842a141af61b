"""Block rules beside CommonMark: pandoc's grid tables, footnotes, and nesting that loses nothing."""

import itertools
import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock

from fundstelle.adapters.readers.markdown_inline import PlacedInline
from fundstelle.domain.text.mapped import MappedText

_MAX_NESTING = 100
_SMALLEST_GRID = 3
_GRID_BORDER = re.compile(r" {0,3}\+(?:[-=:]{2,}\+)+\s*\Z")
_GRID_LINE = re.compile(r" {0,3}[|+].*[|+]\s*\Z")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\s]{1,60}\]:[ \t]")


def make_parser() -> MarkdownIt:
    """Make a parser of CommonMark with tables whose inline tokens know their place."""
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING + 20}).enable(["table", "strikethrough"])
    parser.inline = PlacedInline()
    parser.inline.ruler.disable(["linkify"])
    parser.inline.ruler2.disable(["fragments_join"])
    options: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("table", "too_deep", _too_deep, {"alt": []})
    parser.block.ruler.before("table", "grid_table", _grid_table, options)
    parser.block.ruler.before("reference", "footnote", _footnote, options)
    return parser


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _push_paragraph(state: StateBlock, start: int, end: int) -> None:
    opened = state.push("paragraph_open", "p", 1)
    opened.map = [start, end]
    inline = state.push("inline", "", 0)
    inline.map = [start, end]
    inline.content = state.getLines(start, end, state.blkIndent, False).strip()
    inline.children = []
    state.push("paragraph_close", "p", -1)
    state.line = end


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take what is nested too deeply as it stands, so that it is not lost."""
    if silent or state.level < _MAX_NESTING:
        return False
    _push_paragraph(state, start, end)
    return True


def _footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a footnote as a paragraph; it would else be lost as the target of a link."""
    if not _FOOTNOTE.match(_line(state, start)):
        return False
    if silent:
        return True
    last = start + 1
    while last < end and _line(state, last).strip() and not _FOOTNOTE.match(_line(state, last)):
        last += 1
    _push_paragraph(state, start, last)
    return True


def _grid_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not _GRID_BORDER.match(_line(state, start)):
        return False
    last = start + 1
    while last < end and _GRID_LINE.match(_line(state, last)):
        last += 1
    while not _GRID_BORDER.match(_line(state, last - 1)):
        last -= 1
    if last - start < _SMALLEST_GRID:
        return False
    if not silent:
        token = state.push("grid_table", "table", 0)
        token.map = [start, last]
        state.line = last
    return True


def grid_rows(lines: Sequence[MappedText]) -> list[list[MappedText]]:
    """Cut the lines of a grid table into rows of cells, each cell with all of its lines."""
    columns: list[int] = []
    rows: list[list[MappedText]] = []
    cells: list[list[MappedText]] = []
    for line in lines:
        if _GRID_BORDER.match(line.text):
            if cells:
                rows.append([MappedText.joined(cell) for cell in cells])
            columns = columns or [at for at, sign in enumerate(line.text) if sign == "+"]
            cells = []
            continue
        cells = cells or [[] for _ in columns[1:]]
        for index, (left, right) in enumerate(itertools.pairwise(columns)):
            cells[index].extend((line.slice(left + 1, right).stripped(), MappedText("\n")))
    return rows
