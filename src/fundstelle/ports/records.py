"""The rows of the canonical store as the import sees them; pages, sections and chunks are domain types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from fundstelle.domain.documents import Verdict, VersionStatus
from fundstelle.domain.identity import (
    ChunkId,
    CollectionId,
    ContentHash,
    DocumentId,
    ModelId,
    PointId,
    SectionId,
    TextHash,
    VersionId,
)


class WorkStatus(StrEnum):
    """Say what the index holds of a chunk or window.

    `REMOVING`: SQL has withdrawn it, the index has still to follow.
    """

    PENDING = "pending"
    INDEXED = "indexed"
    SKIPPED = "skipped"
    REMOVING = "removing"


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """Name original bytes that are kept in the data folder, and where they lie."""

    content_hash: ContentHash
    size_bytes: int
    path: Path


@dataclass(frozen=True, slots=True)
class CollectionRecord:
    """Hold a collection and the index that its queries use (None before the first import)."""

    collection_id: CollectionId
    name: str
    title: str = ""
    description: str = ""
    index_name: str | None = None
    model_id: ModelId | None = None


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """Hold a document.

    Args:
        source_path: What it is known by: `path:` or `title:` and the rest, as it enters the id.
        current_version_id: The version that queries see, while `withdrawn_at` is None.
        status: Status of the newest version.
    """

    document_id: DocumentId
    collection_id: CollectionId
    filename: str
    source_path: str
    title: str
    author: str | None
    language: str | None
    current_version_id: VersionId | None
    status: VersionStatus
    withdrawn_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """Hold a version: the document's bytes at one time and how far their import has come.

    Args:
        ordinal: Grows by one with each version; bytes that come back after others count anew, so
            the highest ordinal is always the newest state of the document.
        media_type: `application/octet-stream` where it was not recognised.
        failed_phase: `I0` to `I5`, with `failure` saying what happened and what to do.
        chunker: Signature of chunker and parameters whose chunks are in force.
        metadata: What the file says of itself beyond title, author and language.
    """

    version_id: VersionId
    document_id: DocumentId
    content_hash: ContentHash
    ordinal: int
    media_type: str
    file_size: int
    page_count: int | None
    status: VersionStatus
    verdict: Verdict
    verdict_detail: str = ""
    failed_phase: str | None = None
    failure: str | None = None
    text_hash: TextHash | None = None
    chunker: str | None = None
    title: str | None = None
    author: str | None = None
    language: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VersionCounts:
    """Count what is stored of a version; chunks and windows in force only."""

    pages: int
    sections: int
    chunks: int
    windows: int


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """Describe a document for lists: itself, its newest version, and counts of that version."""

    document: DocumentRecord
    collection: str
    version: VersionRecord | None
    counts: VersionCounts
    created_at: datetime


@dataclass(frozen=True, slots=True)
class WindowRecord:
    """Hold a window of a chunk for one model.

    Args:
        char_start: Within the chunk's content, half open with `char_end`.
        text_hash: Hash of exactly what is embedded.
    """

    chunk_id: ChunkId
    window_index: int
    char_start: int
    char_end: int
    text_hash: TextHash
    pieces: int
    point_id: PointId
    status: WorkStatus


@dataclass(frozen=True, slots=True)
class ProjectedWindow:
    """Hold a window with all that its point in the index is made of, the vector aside."""

    window: WindowRecord
    version_id: VersionId
    document_id: DocumentId
    document_title: str
    heading_path: str
    content: str


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """Say how a stored chunk stands beside its text: what `verify` compares."""

    chunk_id: ChunkId
    section_id: SectionId
    text_hash: TextHash
    chunker: str
    superseded: bool
    status: WorkStatus


@dataclass(frozen=True, slots=True)
class Event:
    """Record that something happened beside the plain course: skipped, withdrawn, rebuilt."""

    event: str
    subject: str
    detail: str
