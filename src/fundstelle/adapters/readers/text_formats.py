"""What the readers of plain text, Markdown and HTML share: blocks that become one page of text.

A reader cuts its source into blocks (`Block`) that know where each character came from; `assemble`
joins them by the convention for normalised text, with offset map and headings.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from fundstelle.adapters.readers.text_formats_source import NoTextError, TooLargeTextError, load_source
from fundstelle.domain.documents import (
    DocumentText,
    Heading,
    Mark,
    MediaType,
    PageQuality,
    PageText,
    RecognisedBy,
    Verdict,
)
from fundstelle.domain.text.mapped import MappedText

LIST_INDENT = "  "


class BlockKind(StrEnum):
    """Name what a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LINE = "line"
    """A list item, a line of verse or code: one of several lines that belong together."""
    ROW = "row"
    """A table row, its cells already joined."""


@dataclass(frozen=True, slots=True)
class Block:
    """Hold one block of text.

    Args:
        group: Blocks of one list, table or stretch of code share a number; they stand on lines of their
            own without a blank line between them. 0 belongs to no group.
        level: Level of a heading, from 1.
    """

    kind: BlockKind
    text: MappedText
    group: int = 0
    level: int = 0


@dataclass(frozen=True, slots=True)
class SourceMetadata:
    """Hold what a source says of itself."""

    title: str | None = None
    author: str | None = None
    language: str | None = None
    created_at: str | None = None


@dataclass(slots=True)
class BlockList:
    """Collect blocks and marks in reading order.

    Args:
        words: Words of the source, in lower case, with which words cut by a hyphen at a line end are
            joined; None where line ends carry no such meaning (HTML).
    """

    blocks: list[Block] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    words: Container[str] | None = None
    _groups: int = 0

    def new_group(self) -> int:
        """Begin a list, table or stretch of code."""
        self._groups += 1
        return self._groups

    def add(self, kind: BlockKind, text: MappedText, *, group: int = 0, level: int = 0) -> None:
        """Add a block; one without text is left out."""
        if text.text.strip():
            self.blocks.append(Block(kind, text, group, level))


def trim_code(text: MappedText) -> MappedText:
    """Cut off empty lines around code; the indentation of its first line stays."""
    start = len(text.text) - len(text.text.lstrip("\n"))
    return text.slice(start, max(start, len(text.text.rstrip())))


def join_row(cells: Sequence[MappedText]) -> MappedText:
    """Join the cells of a table row by ` | `."""
    parts: list[MappedText] = []
    for index, cell in enumerate(cells):
        if index:
            parts.append(MappedText(" | "))
        parts.append(cell)
    return MappedText.joined(parts)


def assemble(
    raw: str, found: BlockList, media_type: MediaType, recognised_by: RecognisedBy, about: SourceMetadata
) -> DocumentText:
    """Make a document of one page from the blocks of a source.

    Args:
        raw: The decoded source, to which the blocks' runs lead.
    """
    parts: list[MappedText] = []
    headings: list[Heading] = []
    at = 0
    for block, separator in _separated(found.blocks):
        size = len(block.text.text)
        if block.kind is BlockKind.HEADING:
            headings.append(Heading(block.text.text, block.level, at, at + size, recognised_by))
        parts.extend((block.text, MappedText(separator)))
        at += size + len(separator)
    whole = MappedText.joined(parts)
    if not whole.text:
        return without_text(media_type, raw)
    page = PageText(
        page_number=1,
        page_label=None,
        content=whole.text,
        raw_content=raw,
        offset_map=whole.offset_map(),
        marks=tuple(found.marks),
    )
    return DocumentText(
        media_type=media_type,
        pages=(page,),
        headings=tuple(headings),
        verdict=Verdict.OK,
        title=about.title,
        author=about.author,
        language=about.language,
        created_at=about.created_at,
    )


def _separated(blocks: Sequence[Block]) -> Iterable[tuple[Block, str]]:
    for index, block in enumerate(blocks):
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        together = following is not None and block.group and following.group == block.group
        yield block, ("\n" if together else "\n\n")


def read_source(path: Path, media_type: MediaType, read: Callable[[str], DocumentText]) -> DocumentText:
    """Load a source and read it; what stands against it becomes a verdict.

    Raises:
        SourceError: The file vanished or may not be read.
    """
    try:
        source = load_source(path)
    except TooLargeTextError as error:
        return DocumentText(media_type, (), (), Verdict.TOO_LARGE, str(error))
    except NoTextError as error:
        return DocumentText(media_type, (), (), Verdict.GARBLED, str(error))
    return read(source)


def without_text(media_type: MediaType, raw: str) -> DocumentText:
    """Report a source in which there is nothing to read."""
    detail = "The file holds no text that a reader could see."
    page = PageText(
        1, None, "", raw, MappedText("").offset_map(), quality=PageQuality.EMPTY, quality_reason=detail
    )
    return DocumentText(media_type, (page,) if raw else (), (), Verdict.NO_TEXT, detail)
