"""The ports to the canonical store (SQL) and to the original bytes, as the import uses them.

A unit of work is one transaction with one small store per kind of row. Only use cases open one; no
store commits. Reads see one consistent state for as long as the unit lasts. Rows come back in the
order that each method names. A unit is used by one thread; units of several threads may overlap, a
second writer waits for the first. Every method raises `StorageError` when the database refuses.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
    PointId,
    TextHash,
    VersionId,
)
from fundstelle.ports.embedding import ModelIdentity, Vectors
from fundstelle.ports.records import (
    CollectionRecord,
    DocumentRecord,
    DocumentSummary,
    Event,
    ProjectedWindow,
    StoredBlob,
    StoredChunk,
    VersionCounts,
    VersionRecord,
    WindowRecord,
    WorkStatus,
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


class WindowStore(Protocol):
    """Keep windows: what should be in the index, and what of it is."""

    def plan(
        self, version_id: VersionId, model_id: ModelId, chunker: str, windows: Sequence[WindowRecord]
    ) -> None:
        """Store the windows of a version's chunks (of one chunker) in place of those stored before."""
        ...

    def of_version(self, version_id: VersionId, model_id: ModelId, chunker: str) -> tuple[WindowRecord, ...]:
        """Read the windows of a version's chunks (of one chunker), by chunk index and window index."""
        ...

    def projected(
        self,
        version_id: VersionId,
        model_id: ModelId,
        chunker: str,
        statuses: Collection[WorkStatus],
    ) -> Iterator[ProjectedWindow]:
        """Go through windows of these statuses with what their points are made of, in order."""
        ...

    def mark(self, version_id: VersionId, points: Sequence[PointId], status: WorkStatus) -> None:
        """Set the status of the windows of these points; skipped ones stay as they are."""
        ...

    def mark_all(self, versions: Sequence[VersionId], old: WorkStatus, new: WorkStatus) -> None:
        """Move all windows of these versions from one status to another."""
        ...


class EmbeddingStore(Protocol):
    """Keep vectors by model and text, so that no text is ever embedded twice."""

    def register(self, identity: ModelIdentity) -> None:
        """Store a model; nothing happens when it is there."""
        ...

    def known(self, model_id: ModelId, texts: Collection[TextHash]) -> frozenset[TextHash]:
        """Say which texts have a vector."""
        ...

    def add(
        self, model_id: ModelId, texts: Sequence[TextHash], vectors: Vectors, pieces: Sequence[int]
    ) -> None:
        """Store vectors; those that are there stay.

        Args:
            vectors: Shape: (len(texts), d) float32, L2-normalised.
        """
        ...

    def fetch(self, model_id: ModelId, texts: Collection[TextHash]) -> Mapping[TextHash, Vectors]:
        """Read vectors, each of shape (d,); texts without one are left out."""
        ...


class ProjectionStore(Protocol):
    """Say what the index of a collection should hold.

    A point is wanted when a window with status `indexed` needs it whose chunk is in force and whose
    version queries see, or whose version is on its way there (`chunked`, the newest, not withdrawn).
    Asked with a chunker, it is planned: what a new index has to hold before the chunks of that chunker
    can be put in force, whatever the status of their windows.
    """

    def wanted(
        self,
        collection_id: CollectionId,
        model_id: ModelId,
        points: Collection[PointId],
        chunker: str | None = None,
    ) -> Mapping[PointId, TextHash]:
        """Say which of these points are wanted (planned), and with which text."""
        ...

    def wanted_range(
        self, collection_id: CollectionId, model_id: ModelId, low: str, high: str, limit: int
    ) -> Sequence[tuple[PointId, TextHash, VersionId]]:
        """Go through the wanted points with `low < id < high`, by id; one version each."""
        ...

    def count(self, collection_id: CollectionId, model_id: ModelId, chunker: str | None = None) -> int:
        """Count the wanted (planned) points."""
        ...

    def adopt(self, collection_id: CollectionId, model_id: ModelId) -> None:
        """Say that a new index holds the windows of all chunks in force that queries see, and no others."""
        ...


class RemovalQueue(Protocol):
    """Say what has still to leave the index: windows with status `removing`."""

    def versions(self, limit: int) -> Sequence[tuple[CollectionId, VersionId]]:
        """Name versions that have such windows, by version id."""
        ...

    def points(self, version_id: VersionId) -> Sequence[PointId]:
        """Name the points of a version's windows that have to leave, by id."""
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
