"""Phase I2, structure: headings become sections that tile the text of a version.

Only explicit structure counts: what the reader recognised as a heading. This module never looks
for headings itself and never changes the text.

Rules:
- Text before the first heading is a section of its own (`PREAMBLE`); white space alone is none and
  belongs to the first heading's section. Without headings the whole text is one section (`WHOLE_TEXT`).
- A heading is the child of the nearest earlier heading of a smaller level, however far the levels jump.
- Two headings at the same place with the same title are one; the first wins. With different titles
  both stay: the earlier gets an empty range, because the tree needs its title, and gives no chunk.
- A tree deeper than `MAX_DEPTH` is flattened there, so that paths stay short on hostile input.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fundstelle.domain.documents import Heading, RecognisedBy, Section, VersionText
from fundstelle.domain.identity import SectionId, section_id

MAX_DEPTH = 24
"""Deepest nesting kept; deeper headings become siblings at this depth."""

PATH_SEPARATOR = " > "

_NON_SPACE = re.compile(r"\S")


@dataclass(slots=True)
class _Node:
    level: int
    section_id: SectionId | None
    ordinal_path: str
    heading_path: str
    children: int = 0


@dataclass(slots=True)
class _Outline:
    """Keep the open headings from the top down to the current one."""

    open: list[_Node] = field(default_factory=lambda: [_Node(-1, None, "", "")])

    def enter(self, version: VersionText, title: str, level: int) -> tuple[_Node, _Node]:
        """Open a heading of a level and give it with its parent."""
        while len(self.open) > 1 and (self.open[-1].level >= level or len(self.open) > MAX_DEPTH):
            self.open.pop()
        parent = self.open[-1]
        parent.children += 1
        ordinal_path = (
            f"{parent.ordinal_path}.{parent.children}" if parent.ordinal_path else f"{parent.children}"
        )
        heading_path = PATH_SEPARATOR.join(part for part in (parent.heading_path, title) if part)
        node = _Node(level, section_id(version.version_id, ordinal_path), ordinal_path, heading_path)
        self.open.append(node)
        return node, parent


def build_sections(version: VersionText, headings: Sequence[Heading]) -> tuple[Section, ...]:
    """Tile the text of a version with sections; an empty text gives none."""
    length = len(version.text)
    kept = _distinct(heading for heading in headings if 0 <= heading.char_start < length)
    if not kept:
        return (_lone_section(version, length, "1", RecognisedBy.WHOLE_TEXT),) if length else ()
    first = _NON_SPACE.search(version.text)
    text_start = first.start() if first else length
    sections: list[Section] = []
    start = 0
    if text_start < kept[0].char_start:
        start = kept[0].char_start
        sections.append(_lone_section(version, start, "0", RecognisedBy.PREAMBLE))
    sections.extend(_headed_sections(version, kept, start, len(sections)))
    return tuple(sections)


def _headed_sections(
    version: VersionText, headings: Sequence[Heading], start: int, ordinal: int
) -> Iterator[Section]:
    outline = _Outline()
    ends = [heading.char_start for heading in headings[1:]] + [len(version.text)]
    for heading, end in zip(headings, ends, strict=True):
        title = " ".join(heading.title.split())
        node, parent = outline.enter(version, title, heading.level)
        page_first, page_last = _pages(version, start, end)
        assert node.section_id is not None
        yield Section(
            section_id=node.section_id,
            parent_id=parent.section_id,
            ordinal=ordinal,
            ordinal_path=node.ordinal_path,
            level=heading.level,
            title=title,
            heading_path=node.heading_path,
            char_start=start,
            body_start=max(start, min(heading.char_end, end)),
            char_end=end,
            page_first=page_first,
            page_last=page_last,
            recognised_by=heading.recognised_by,
        )
        start, ordinal = end, ordinal + 1


def _lone_section(version: VersionText, end: int, ordinal_path: str, recognised_by: RecognisedBy) -> Section:
    """Make a section without heading that begins with the text."""
    page_first, page_last = _pages(version, 0, end)
    return Section(
        section_id=section_id(version.version_id, ordinal_path),
        parent_id=None,
        ordinal=0,
        ordinal_path=ordinal_path,
        level=0,
        title="",
        heading_path="",
        char_start=0,
        body_start=0,
        char_end=end,
        page_first=page_first,
        page_last=page_last,
        recognised_by=recognised_by,
    )


def _distinct(headings: Iterable[Heading]) -> list[Heading]:
    """Sort by place, keeping the given order where places are equal, and drop what is named twice."""
    kept: list[Heading] = []
    for heading in sorted(headings, key=lambda heading: heading.char_start):
        if not kept or not _same_heading(kept[-1], heading):
            kept.append(heading)
    return kept


def _same_heading(left: Heading, right: Heading) -> bool:
    same_title = left.title.split() == right.title.split()
    return left.char_start == right.char_start and same_title


def _pages(version: VersionText, start: int, end: int) -> tuple[int, int]:
    """Find the pages on which the first and the last visible character of a range stand."""
    first = _NON_SPACE.search(version.text, start, end)
    if first is None:
        page = version.page_at(min(start, max(len(version.text) - 1, 0)))
        return page, page
    last = start + len(version.text[start:end].rstrip()) - 1
    return version.page_at(first.start()), version.page_at(last)
