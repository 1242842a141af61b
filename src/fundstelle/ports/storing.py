"""The ports to the canonical store (SQL) and to the original bytes, as the import uses them.

A unit of work is one transaction with one small store per kind of row. Only use cases open one; no
store commits. Reads see one consistent state for as long as the unit lasts. Rows come back in the
order that each method names. A unit is used by one thread; units of several threads may overlap, a
second writer waits for the first. Every method raises `StorageError` when the database refuses.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from fundstelle.domain.documents import Chunk, PageText, Section, VersionStatus, VersionText
from fundstelle.domain.identity import (
    CollectionId,
    ContentHash,
    DocumentId,
    ModelId,
    VersionId,
)
from fundstelle.ports.projecting import EmbeddingStore, ProjectionStore, RemovalQueue, WindowStore
from fundstelle.ports.records import (
    CollectionRecord,
    DocumentRecord,
    DocumentSummary,
    Event,
    StoredBlob,
    StoredChunk,
    VersionCounts,
    VersionRecord,
)


class BlobStore(Protocol):
    """Keep original bytes by their hash; equal bytes are kept once; what is there is whole."""

    def put_file(self, source: Path, max_bytes: int) -> StoredBlob:
        """Read a file once, from start to end, hash and keep what was read.

        Raises:
            SourceError: The file is not there or may not be read.
            SourceTooLargeError: It has more than `max_bytes`.
            StorageError: The data folder cannot be written.
        """
        ...

    def put_bytes(self, data: bytes) -> StoredBlob:
        """Keep bytes that are in memory already."""
        ...

    def find(self, content_hash: ContentHash) -> StoredBlob | None:
        """Find kept bytes; None when they are not there."""
        ...


class CollectionStore(Protocol):
    """Keep collections."""

    def by_name(self, name: str) -> CollectionRecord | None:
        """Find a collection."""
        ...

    def get(self, collection_id: CollectionId) -> CollectionRecord:
        """Read a collection that is there.

        Raises:
            NotFoundError: It is not there.
        """
        ...

    def add(self, record: CollectionRecord) -> None:
        """Add a collection; nothing happens when its id is there."""
        ...

    def use_index(self, collection_id: CollectionId, index_name: str, model_id: ModelId) -> None:
        """Let the queries of a collection use this index."""
        ...

    def all(self) -> tuple[CollectionRecord, ...]:
        """Read all collections, by name."""
        ...


class DocumentStore(Protocol):
    """Keep documents."""

    def find(self, document_id: DocumentId) -> DocumentRecord | None:
        """Find a document."""
        ...

    def save(self, record: DocumentRecord) -> None:
        """Add a document or replace what is stored of it."""
        ...

    def by_prefix(self, prefix: str, limit: int) -> tuple[DocumentId, ...]:
        """Find documents whose id begins so, by id."""
        ...

    def with_content(self, collection_id: CollectionId, content_hash: ContentHash) -> DocumentRecord | None:
        """Find a document, not withdrawn, whose newest version has these bytes (the first by id)."""
        ...

    def live_versions(
        self, collection_id: CollectionId | None, after: VersionId | None, limit: int
    ) -> tuple[VersionId, ...]:
        """Go through the versions that queries see, by version id, beginning behind `after`."""
        ...


class DocumentListing(Protocol):
    """List documents for people, page by page; made for hundreds of thousands."""

    def page(
        self, collection_id: CollectionId | None, after: DocumentId | None, limit: int
    ) -> tuple[DocumentSummary, ...]:
        """Read summaries in order of first import, beginning behind the document `after`."""
        ...

    def of(self, document_id: DocumentId) -> DocumentSummary | None:
        """Read the summary of one document."""
        ...

    def count(self, collection_id: CollectionId | None) -> int:
        """Count all documents, withdrawn ones too."""
        ...


class VersionStore(Protocol):
    """Keep versions of documents."""

    def find(self, version_id: VersionId) -> VersionRecord | None:
        """Find a version."""
        ...

    def save(self, record: VersionRecord) -> None:
        """Add a version or replace what is stored of it."""
        ...

    def of_document(self, document_id: DocumentId) -> tuple[VersionRecord, ...]:
        """Read all versions of a document, the newest (highest ordinal) first."""
        ...

    def with_status(
        self,
        statuses: Collection[VersionStatus],
        collection_id: CollectionId | None,
        after: VersionId | None,
        limit: int,
    ) -> tuple[VersionId, ...]:
        """Go through the newest versions of documents, not withdrawn, that have one of the statuses.

        Returns:
            By version id, beginning behind `after`.
        """
        ...

    def counts(self, version_id: VersionId) -> VersionCounts:
        """Count what is stored of a version."""
        ...


class TextStore(Protocol):
    """Keep the text of versions: pages and sections."""

    def write(self, version: VersionRecord, pages: Sequence[PageText], sections: Sequence[Section]) -> None:
        """Store pages and sections of a version in place of what was stored before."""
        ...

    def pages(self, version_id: VersionId, first: int = 1, last: int | None = None) -> Iterator[PageText]:
        """Go through pages in order, from and to these physical numbers."""
        ...

    def text(self, version_id: VersionId, content_hash: ContentHash) -> VersionText:
        """Read the version text with the place of each page; normalised text alone, so it is quick."""
        ...

    def sections(self, version_id: VersionId) -> tuple[Section, ...]:
        """Read the sections in reading order."""
        ...


class ChunkStore(Protocol):
    """Keep chunks. Chunks of an earlier chunker stay, marked as superseded."""

    def write(
        self, version: VersionRecord, chunks: Sequence[Chunk], chunker: str, *, in_force: bool = True
    ) -> None:
        """Store chunks of a version; those that are there already stay as they are.

        Args:
            in_force: Put them in the place of all others at once, else store them superseded, waiting
                for `put_in_force`.
        """
        ...

    def put_in_force(self, version_id: VersionId, chunker: str) -> None:
        """Let the chunks of this chunker be the ones in force."""
        ...

    def of_version(self, version_id: VersionId, chunker: str | None = None) -> Iterator[Chunk]:
        """Go through chunks in order: those in force, or those of one chunker."""
        ...

    def stored(self, version_id: VersionId) -> Iterator[StoredChunk]:
        """Go through the states of all chunks, superseded ones too, in order of chunker and index."""
        ...

    def settle(self, version_id: VersionId, model_id: ModelId) -> None:
        """Set status and first point of the chunks in force after the windows of a model."""
        ...


class EventLog(Protocol):
    """Keep what happened beside the plain course."""

    def record(self, events: Sequence[Event]) -> None:
        """Add events."""
        ...

    def of(self, subject: str) -> tuple[Event, ...]:
        """Read the events of a subject, the oldest first."""
        ...


class UnitOfWork(Protocol):
    """Hold one transaction; leaving it without `commit` takes everything back."""

    collections: CollectionStore
    documents: DocumentStore
    listing: DocumentListing
    versions: VersionStore
    texts: TextStore
    chunks: ChunkStore
    windows: WindowStore
    embeddings: EmbeddingStore
    projection: ProjectionStore
    removals: RemovalQueue
    events: EventLog

    def __enter__(self) -> Self:
        """Begin the transaction."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take back what was not committed."""
        ...

    def commit(self) -> None:
        """Make what was written last; the unit cannot be used afterwards."""
        ...


class Database(Protocol):
    """Hand out units of work."""

    def write(self, *, durable: bool = False) -> UnitOfWork:
        """Make a unit that writes.

        Args:
            durable: Its commit outlasts a loss of power (one sync of the disk), and with it every
                commit before.
        """
        ...

    def read(self) -> UnitOfWork:
        """Make a unit that only reads; it waits for no writer."""
        ...


Clock = Callable[[], datetime]
"""Gives the present time, with zone."""
