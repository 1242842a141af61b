"""What a document is once it has been read: pages, headings, sections, chunks, windows.

All character offsets are half open and count characters of the *version text*: the contents of
the pages, in order, joined by nothing. A page's content carries its own closing separator, so a
word or paragraph that runs over a page border is whole in the version text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from fundstelle.domain.identity import ChunkId, ContentHash, SectionId, VersionId
from fundstelle.domain.offsets import OffsetMap


class MediaType(StrEnum):
    """Name the kinds of content that can be read, detected from the bytes."""

    PDF = "application/pdf"
    TEXT = "text/plain"
    MARKDOWN = "text/markdown"
    HTML = "text/html"


class VersionStatus(StrEnum):
    """Say how far the import of a version has come."""

    PENDING = "pending"
    CHUNKED = "chunked"
    INDEXED = "indexed"
    PARTIAL = "partial"
    FAILED = "failed"


class Verdict(StrEnum):
    """Say how readable a file was."""

    OK = "ok"
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - a verdict, no secret
    NEEDS_OCR = "needs_ocr"
    PARTIAL_NEEDS_OCR = "partial_needs_ocr"
    NO_TEXT = "no_text"
    NO_PAGES = "no_pages"
    GARBLED = "garbled"
    DAMAGED = "damaged"
    PARTIAL = "partial"
    NOT_PDF = "not_pdf"
    EMPTY_FILE = "empty_file"
    XFA_PLACEHOLDER = "xfa_placeholder"
    NOT_PERMITTED = "not_permitted"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    NOT_FOUND = "not_found"


READABLE = frozenset({Verdict.OK, Verdict.PARTIAL, Verdict.PARTIAL_NEEDS_OCR})
"""Verdicts with which a document can be chunked and indexed."""


class PageQuality(StrEnum):
    """Judge the text of one page."""

    GOOD = "good"
    EMPTY = "empty"
    SCANNED = "scanned"
    GARBLED = "garbled"


class MarkKind(StrEnum):
    """Name why a stretch of raw text was kept out of the normalised text."""

    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    HIDDEN = "hidden"


class RecognisedBy(StrEnum):
    """Say by which sign a heading was recognised."""

    OUTLINE = "outline"
    TAGGED = "tagged"
    NUMBERING = "numbering"
    FONT = "font"
    MARKDOWN = "markdown"
    HTML = "html"
    PREAMBLE = "preamble"
    WHOLE_TEXT = "whole_text"


class SemanticRole(StrEnum):
    """Name what a chunk does in its text, by transparent rules."""

    PROSE = "prose"
    DEFINITION = "definition"
    ENUMERATION = "enumeration"
    EXAMPLE = "example"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LineBox:
    """Place a printed line on its page.

    Units:
        Offsets in characters of the *page's* content; coordinates in PDF points, origin at the
        top left of the page as it is displayed (rotation applied).
    """

    char_start: int
    char_end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Mark:
    """Record raw text that was kept out of the normalised text, with its reason.

    Units:
        Half-open offsets in the page's raw content.
    """

    kind: MarkKind
    raw_start: int
    raw_end: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PageText:
    """Hold one page: its raw and normalised text and how they relate.

    Args:
        page_number: Physical number, from 1.
        page_label: The number printed or labelled in the file, where there is one.
        content: Normalised text with its closing separator.
        raw_content: The text as the engine extracted it.
    """

    page_number: int
    page_label: str | None
    content: str
    raw_content: str
    offset_map: OffsetMap
    line_boxes: tuple[LineBox, ...] = ()
    quality: PageQuality = PageQuality.GOOD
    quality_reason: str = ""
    marks: tuple[Mark, ...] = ()
    width: float = 0.0
    height: float = 0.0
    from_ocr: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """Mark where a section begins.

    Args:
        level: Depth, 1 is the highest; levels may skip.
        char_start: First character of the heading in the version text.
        char_end: End of the heading's own text; the body follows.
    """

    title: str
    level: int
    char_start: int
    char_end: int
    recognised_by: RecognisedBy


@dataclass(frozen=True, slots=True)
class DocumentText:
    """Hold everything a reader found in a file.

    Args:
        headings: In order of `char_start`, without duplicates.
        page_count: Pages that the file has, readable or not; None for formats without pages.
        verdict_detail: One sentence for people, naming pages where some were lost.
    """

    media_type: MediaType
    pages: tuple[PageText, ...]
    headings: tuple[Heading, ...]
    verdict: Verdict
    verdict_detail: str = ""
    page_count: int | None = None
    title: str | None = None
    author: str | None = None
    language: str | None = None
    created_at: str | None = None

    @property
    def text(self) -> str:
        """Join the pages' contents to the version text."""
        return "".join(page.content for page in self.pages)


@dataclass(frozen=True, slots=True)
class Section:
    """Hold one section; all sections of a version tile its text without gap or overlap.

    Args:
        ordinal: Position in reading order, from 0.
        ordinal_path: Place in the tree, such as `2.1.3`, from 1.
        heading_path: Titles from the top down to this section, joined by ` > `.
        body_start: End of the heading's own text; `char_start` where there is no heading.
    """

    section_id: SectionId
    parent_id: SectionId | None
    ordinal: int
    ordinal_path: str
    level: int
    title: str
    heading_path: str
    char_start: int
    body_start: int
    char_end: int
    page_first: int
    page_last: int
    recognised_by: RecognisedBy


@dataclass(frozen=True, slots=True)
class Chunk:
    """Hold one chunk: whole sentences of exactly one section.

    Args:
        content: `text[char_start:char_end]`, headed by `text[slice(*repeated)]` and a newline where a
            table's header is repeated.
        split_sentence: True when a sentence longer than the maximum had to be split here.
    """

    chunk_id: ChunkId
    section_id: SectionId
    chunk_index: int
    content: str
    token_count: int
    heading_path: str
    semantic_role: SemanticRole
    char_start: int
    char_end: int
    page_first: int
    page_last: int
    repeated: tuple[int, int] | None = None
    split_sentence: bool = False


@dataclass(frozen=True, slots=True)
class ChunkParameters:
    """Hold the rules of size for chunks.

    Units:
        Tokens of the tokenizer named by `tokenizer`.
    """

    min_tokens: int = 500
    max_tokens: int = 800
    min_overlap: int = 50
    max_overlap: int = 100
    tokenizer: str = "o200k_base"

    def signature(self, chunker_version: str) -> str:
        """Name chunker and parameters in one string, as it enters the chunk ids."""
        return (
            f"{chunker_version}/{self.tokenizer}/{self.min_tokens}-{self.max_tokens}"
            f"/{self.min_overlap}-{self.max_overlap}"
        )


@dataclass(frozen=True, slots=True)
class Window:
    """Hold the piece of a chunk that the embedding model sees at once.

    Args:
        char_start: First character within the *chunk's* content; half open with `char_end`.
        text: Exactly what is embedded: heading line, where there is one, and the cleaned piece.
        pieces: Word pieces that the model counts for `text`, with prefix and special tokens.
    """

    window_index: int
    char_start: int
    char_end: int
    text: str
    pieces: int


@dataclass(frozen=True, slots=True)
class VersionText:
    """Hold what the chunker needs to know of a version, as it is stored in SQL."""

    version_id: VersionId
    content_hash: ContentHash
    text: str
    page_starts: Sequence[int] = field(default_factory=list)

    def page_at(self, offset: int) -> int:
        """Find the physical page (from 1) on which a character of the version text stands."""
        low, high = 0, len(self.page_starts)
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if self.page_starts[middle] <= offset else (low, middle)
        return low + 1
