"""Put footnotes behind the paragraph that refers to them, where a reader would look them up.

A note at the foot of a page belongs to what refers to it, which may be the section before the last
one on the page. A note whose mark is not found stays at the end of the page.
"""

import re
from collections.abc import Sequence

from fundstelle.domain.layout.paragraphs import Block, BlockKind

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_MARK = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\d{1,3}(?=[\s)])|[*†‡]{1,3}")
_MARKS = re.compile(r"(?<=\S) ?([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|[*†‡]{1,3})(?![⁰¹²³⁴⁵⁶⁷⁸⁹*†‡])")
_TOGETHER = frozenset({BlockKind.ITEM, BlockKind.ROW, BlockKind.ENTRY})


def place_notes(blocks: Sequence[Block]) -> list[Block]:
    """Order the blocks of a page: each note behind the block with its mark, else at the end.

    A list or a table is not torn apart, and no note comes between a heading and its text.
    """
    body = [block for block in blocks if block.kind is not BlockKind.NOTE]
    notes = [block for block in blocks if block.kind is BlockKind.NOTE]
    if not notes or not body:
        return list(blocks)
    places = _marks_of(body)
    behind: dict[int, list[Block]] = {}
    for note in notes:
        place = _end_of_group(body, places.get(_mark_of(note), len(body) - 1))
        behind.setdefault(place, []).append(note)
    ordered: list[Block] = []
    for k, block in enumerate(body):
        ordered += [block, *behind.get(k, ())]
    return ordered


def last_before_its_notes(blocks: Sequence[Block]) -> list[Block]:
    """Put the notes at the end of a page before its last paragraph, which goes on on the next page."""
    end = len(blocks)
    while end and blocks[end - 1].kind is BlockKind.NOTE:
        end -= 1
    return [*blocks[: end - 1], *blocks[end:], *blocks[end - 1 : end]] if end else list(blocks)


def _mark_of(note: Block) -> str:
    match = _MARK.match(note.lines[0].text)
    return match[0].translate(_RAISED) if match else ""


def _marks_of(body: Sequence[Block]) -> dict[str, int]:
    """Find the first block in which each mark stands."""
    found: dict[str, int] = {}
    for k, block in enumerate(body):
        for line in block.lines:
            for mark in _MARKS.findall(line.text):
                found.setdefault(mark, k)
    return found


def _end_of_group(body: Sequence[Block], k: int) -> int:
    while k + 1 < len(body) and (
        body[k].kind is BlockKind.HEADING or (body[k].kind in _TOGETHER and body[k + 1].kind is body[k].kind)
    ):
        k += 1
    return k
