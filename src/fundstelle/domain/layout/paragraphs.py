"""Put lines together to paragraphs, list items and table rows (re-flow).

A line begins a new block when type size or weight change, when the gap is wider than the usual
leading, at an indent, at a list marker, and when the line before ended early although the first
word of this one would have fitted.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from fundstelle.domain.layout.lines import Line

_SIZE_CHANGE = 1.09
_INDENT = 0.8
_MAX_LEADING = 1.32
_USUAL_LEADING = 1.2
_WINDOW = 4
_FEW_LINES = 8
_NEAR = 2.5
_TERMINAL = re.compile(r"[.!?…:;][)\]}“”\"»’']{0,2}[¹²³⁴⁵⁶⁷⁸⁹⁰\s]*\Z")
_BULLET = re.compile(r"(?:[•▪●■➢✓◦‣○□]|[·–—*-](?=\s[^*·—]*[^\W\d_]{2}))(?=\s\S)")
_NUMBERED = re.compile(
    r"(?:\d{1,3}[.)]|[a-zA-Z]\)|[ivx]{1,5}\)|\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,3})\))(?=\s\S)"
)
_STRONG_BULLETS = frozenset("•▪●■➢✓◦‣○□")
_NOTE_START = re.compile(r"[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3}\s?\S|\d{1,3}\s\S|[*†‡]\s?\S")
_NOTE_SIZE = 0.93
_CONTENTS = re.compile(
    r"(?:Inhalt|Inhaltsverzeichnis|Inhaltsübersicht|Contents|Table of Contents)\W*\Z", re.IGNORECASE
)
_ENTRY = re.compile(r"\S.*?(?:(?:\.\s?){3,}|…+|\s)\s*(?:\d{1,4}|[ivxlc]{1,7})\Z")
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\w{1,7}\Z")


class BlockKind(StrEnum):
    """Name what a block of lines is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"
    NOTE = "note"
    ENTRY = "entry"


class Block(NamedTuple):
    """Hold the lines of one paragraph, list item, table row, heading or footnote.

    Args:
        indent: Depth of a list item, from 0.
        first: Index of its first line on the page.
    """

    kind: BlockKind
    lines: list[Line]
    first: int
    indent: int = 0


def ends_sentence(text: str) -> bool:
    """Say whether a text ends with the end of a sentence."""
    return _TERMINAL.search(text) is not None


def build_blocks(
    lines: Sequence[Line],
    skip: Mapping[int, object],
    headings: Mapping[int, int],
    body_size: float,
    area: tuple[float, float] | None = None,
) -> list[Block]:
    """Cut the lines of a page into blocks, footnotes last.

    Args:
        skip: Lines to leave out (furniture).
        headings: First line of each heading and the number of its lines.
        body_size: Type size of most of the document.
        area: Left and right edge of the text on most pages, where there is one.
    """
    kept = [(k, line) for k, line in enumerate(lines) if k not in skip]
    notes = _note_lines(kept, body_size)
    flow = _Flow([line for _, line in kept], area)
    entries = _entry_lines(kept)
    blocks: list[Block] = []
    feet: list[Block] = []
    heading_end = -1
    for position, (k, line) in enumerate(kept):
        if k < heading_end:
            blocks[-1].lines.append(line)
        elif k in headings:
            heading_end = k + headings[k]
            blocks.append(Block(BlockKind.HEADING, [line], k))
        elif k in entries:
            begun = blocks[-1] if blocks and blocks[-1].kind is BlockKind.ENTRY else None
            if begun is not None and not _ENTRY.match(begun.lines[-1].text):
                begun.lines.append(line)
            else:
                blocks.append(Block(BlockKind.ENTRY, [line], k))
        else:
            own = feet if k in notes else blocks
            if _goes_on(own, flow, position, is_note=k in notes):
                own[-1].lines.append(line)
            else:
                own.append(_new_block(blocks, line, k, is_note=k in notes))
    return [*blocks, *feet]


def _new_block(blocks: list[Block], line: Line, k: int, *, is_note: bool) -> Block:
    if is_note:
        return Block(BlockKind.NOTE, [line], k)
    if len(line.cells) > 1:
        return Block(BlockKind.ROW, [line], k)
    if not (_BULLET.match(line.text) or _NUMBERED.match(line.text)):
        return Block(BlockKind.PARAGRAPH, [line], k)
    return Block(BlockKind.ITEM, [line], k, _list_depth(blocks, line))


def _list_depth(blocks: list[Block], line: Line) -> int:
    """Find how deep a list item lies, by the left edges of the items just before it."""
    for block in reversed(blocks):
        if block.kind is not BlockKind.ITEM or block.lines[0].region != line.region:
            return 0
        edge = block.lines[0].x0
        if abs(edge - line.x0) < _NEAR:
            return block.indent
        if edge < line.x0:
            return block.indent + 1
    return 0


def _goes_on(blocks: list[Block], flow: "_Flow", position: int, *, is_note: bool) -> bool:
    if not blocks or position == 0:
        return False
    block = blocks[-1]
    if block.kind in {BlockKind.HEADING, BlockKind.ROW, BlockKind.ENTRY} or is_note != (
        block.kind is BlockKind.NOTE
    ):
        return False
    line = flow.lines[position]
    if len(line.cells) > 1 or (is_note and _NOTE_START.match(line.text)):
        return False
    return not flow.begins_block(position, block)


def _note_lines(kept: list[tuple[int, Line]], body_size: float) -> set[int]:
    """Find the footnotes: small type at the end of a region, from the first note number on."""
    notes: set[int] = set()
    by_region: dict[int, list[tuple[int, Line]]] = {}
    for item in kept:
        by_region.setdefault(item[1].region, []).append(item)
    for items in by_region.values():
        tail: list[tuple[int, Line]] = []
        for item in reversed(items):
            if item[1].size > _NOTE_SIZE * body_size or len(item[1].cells) > 1:
                break
            tail.append(item)
        tail.reverse()
        begin = next((p for p, item in enumerate(tail) if _NOTE_START.match(item[1].text)), None)
        if begin is not None and len(tail) < len(items):
            notes.update(k for k, _ in tail[begin:])
    return notes


def _entry_lines(kept: list[tuple[int, Line]]) -> set[int]:
    """Find the lines of a table of contents: they stay lines of their own."""
    titled = next((p for p, item in enumerate(kept[:6]) if _CONTENTS.match(item[1].text)), None)
    led = {k for k, line in kept if _has_leaders(line.text)}
    if titled is None:
        return led
    found = set(led)
    listed = [p for p, item in enumerate(kept) if p > titled and _ENTRY.match(item[1].text)]
    for p in range(titled + 1, listed[-1] + 1 if listed else 0):
        nearest = min(abs(p - other) for other in listed)
        if nearest <= 1:
            found.add(kept[p][0])
    return found


def _has_leaders(text: str) -> bool:
    return (". . " in text or "...." in text) and _LEADERS.search(text) is not None


class _Flow:
    """Know the usual leading and right edge around each line of a page."""

    def __init__(self, lines: list[Line], area: tuple[float, float] | None) -> None:
        self.lines = lines
        self._area = area if len(lines) < _FEW_LINES else None
        self._leading = self._usual_leading()
        self._right = [self._right_edge(k) for k in range(len(lines))]

    def _usual_leading(self) -> dict[tuple[int, int], float]:
        steps: dict[tuple[int, int], list[float]] = {}
        for above, line in zip(self.lines, self.lines[1:], strict=False):
            step = line.base - above.base
            if above.region == line.region and 0.8 * line.size < step < 2.2 * line.size:
                steps.setdefault((line.region, round(line.size)), []).append(step)
        usual = {}
        for key, found in steps.items():
            found.sort()
            usual[key] = found[(len(found) - 1) // 3]
        return usual

    def _right_edge(self, k: int) -> float:
        line = self.lines[k]
        around = self.lines[max(0, k - _WINDOW) : k + _WINDOW + 1]
        size = line.size
        right = max(
            [
                one.x1
                for one in around
                if one.region == line.region and -1 < one.size - size < 1 and one.angle == line.angle
            ]
        )
        if self._area is not None and abs(line.x0 - self._area[0]) < _NEAR:
            return max(right, self._area[1])
        return right

    def begins_block(self, k: int, block: Block) -> bool:
        """Say whether line `k` begins a new block after the line before it."""
        above, line = block.lines[-1], self.lines[k]
        if above.angle != line.angle:
            return True
        if above.region != line.region:
            return not continues(above, line)
        unfinished = bool(above.hyphen) or not ends_sentence(above.text)
        if self._type_changes(above, line, unfinished=unfinished) or self._is_gap(above, line):
            return True
        if above.hyphen:
            return False
        short = self._ended_early(k)
        if self._is_marked(line, above, block, free=short or not unfinished):
            return True
        goes_lower = line.text[:1].islower() and unfinished
        if self._indents(line, above, block, free=(short or not unfinished) and not goes_lower):
            return True
        return short and not goes_lower

    @staticmethod
    def _type_changes(above: Line, line: Line, *, unfinished: bool) -> bool:
        small, large = sorted((above.size, line.size))
        if large > _SIZE_CHANGE * small:
            return True
        return above.bold != line.bold and not (unfinished and line.text[:1].islower())

    def _is_gap(self, above: Line, line: Line) -> bool:
        step = line.base - above.base
        usual = self._leading.get((line.region, round(line.size)), _USUAL_LEADING * line.size)
        return step > _MAX_LEADING * usual or step < -0.5 * line.size

    def _ended_early(self, k: int) -> bool:
        above, line = self.lines[k - 1], self.lines[k]
        word = line.text.split(" ", 1)[0]
        width = (line.x1 - line.x0) / max(len(line.text), 1) * (len(word) + 1)
        return above.x1 + width + 0.3 * line.size < self._right[k - 1]

    @staticmethod
    def _is_marked(line: Line, above: Line, block: Block, *, free: bool) -> bool:
        text = line.text
        if _BULLET.match(text):
            return text[0] in _STRONG_BULLETS or free
        if not _NUMBERED.match(text):
            return False
        sibling = block.kind is BlockKind.ITEM and abs(line.x0 - block.lines[0].x0) < _NEAR
        return free or (sibling and len(block.lines) > 1) or (sibling and above is block.lines[0])

    @staticmethod
    def _indents(line: Line, above: Line, block: Block, *, free: bool) -> bool:
        step = line.x0 - above.x0
        limit = _INDENT * line.size
        if block.kind is BlockKind.ITEM:
            hangs = len(block.lines) > 1 and step < -limit
            return (hangs or (len(block.lines) == 1 and step < -limit)) and free
        if step > limit:
            return free
        return step < -limit and len(block.lines) > 1 and free


def continues(above: Line, line: Line) -> bool:
    """Say whether a paragraph goes on from the end of one column or page to the next."""
    if len(above.cells) > 1 or len(line.cells) > 1:
        return False
    small, large = sorted((above.size, line.size))
    if large > _SIZE_CHANGE * small or above.bold != line.bold or above.angle != line.angle:
        return False
    if above.hyphen:
        return True
    if ends_sentence(above.text) or _BULLET.match(line.text):
        return False
    if line.text[:1].islower():
        return True
    return not _NUMBERED.match(line.text) and above.text[-1:] != ":" and len(above.text.split()) > 2
