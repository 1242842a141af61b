"""The ports of the query process to SQL: reading chunks, keeping the query log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from fundstelle.domain.identity import ChunkId, CollectionId, DocumentId, PointId, QueryId, VersionId
from fundstelle.domain.query_phases import LocatedWindow, SearchedCollection
from fundstelle.domain.query_record import QueryRecord, QueryState
from fundstelle.domain.retrieval import AnswerVerdict, Application, ChunkRecord


class ChunkKey(NamedTuple):
    """Name one stored chunk: the same content gives the same chunk id in every document."""

    version_id: VersionId
    chunk_id: ChunkId


@dataclass(frozen=True, slots=True)
class QuerySummary:
    """Hold one line of the list of queries."""

    query_id: QueryId
    created_at: datetime
    application: Application | None
    raw_text: str
    state: QueryState
    verdict: AnswerVerdict | None


class PassageReader(Protocol):
    """Read what the import has stored; never writes. Thread-safe."""

    def collections(self, names: Sequence[str]) -> Sequence[SearchedCollection]:
        """Read collections by name, all of them for no name, sorted by name; unknown ones are missing."""
        ...

    def locate(self, points: Sequence[PointId]) -> Sequence[LocatedWindow]:
        """Find the chunks of points, in the order of `points`, each at least once.

        A point whose content stands in several documents comes once for each of them, live ones
        first. A point that SQL does not know comes with the state `unknown`.
        """
        ...

    def reload(self, keys: Sequence[ChunkKey]) -> Sequence[ChunkRecord]:
        """Read chunks with their provenance, live or not, in the order of `keys`, without missing ones."""
        ...

    def expects_points(self, collection: CollectionId) -> bool:
        """Tell whether queries see any window of a collection, so that its index must hold points."""
        ...

    def pages(self, versions: Sequence[VersionId]) -> frozenset[tuple[VersionId, int]]:
        """List the physical pages that are stored of some versions."""
        ...


class QueryLog(Protocol):
    """Keep the record of every query. Records are added once and never changed. Thread-safe."""

    def add(self, record: QueryRecord) -> None:
        """Store a record, whole or not at all, in one transaction.

        Raises:
            StorageError: The database refuses.
        """
        ...

    def load(self, query_id: QueryId) -> QueryRecord | None:
        """Read a record; the texts of chunks come from the chunks as they are stored now.

        What cannot be read of a phase is missing in the trail and named in the phase's `integrity`.
        A chunk that is gone has an empty text.
        """
        ...

    def ids(self, after: QueryId | None, limit: int) -> Sequence[QueryId]:
        """List ids in ascending order, those greater than `after`."""
        ...

    def recent(self, limit: int, offset: int = 0) -> Sequence[QuerySummary]:
        """List queries, the newest first."""
        ...

    def citing(self, document: DocumentId) -> Sequence[QueryId]:
        """List the queries whose answer had a document among its sources, in ascending order."""
        ...
