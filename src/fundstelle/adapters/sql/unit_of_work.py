"""Transactions on the canonical store; implements `ports.storing.Database` and `UnitOfWork`."""

from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine

from fundstelle.adapters.sql.chunk_rows import SqlChunks
from fundstelle.adapters.sql.collection_rows import SqlCollections
from fundstelle.adapters.sql.documents import SqlDocuments
from fundstelle.adapters.sql.embedding_rows import SqlEmbeddings
from fundstelle.adapters.sql.engine import DURABLE, READ_ONLY
from fundstelle.adapters.sql.event_rows import SqlEvents
from fundstelle.adapters.sql.listing import SqlListing
from fundstelle.adapters.sql.projection import SqlProjection, SqlRemovals
from fundstelle.adapters.sql.texts import SqlTexts
from fundstelle.adapters.sql.versions import SqlVersions
from fundstelle.adapters.sql.window_rows import SqlWindows
from fundstelle.ports.projecting import EmbeddingStore, ProjectionStore, RemovalQueue, WindowStore
from fundstelle.ports.storing import (
    ChunkStore,
    Clock,
    CollectionStore,
    DocumentListing,
    DocumentStore,
    EventLog,
    TextStore,
    VersionStore,
)


def utc_now() -> datetime:
    """Give the present time in UTC."""
    return datetime.now(UTC)


class SqlDatabase:
    """Hand out units of work on one engine; safe to share between threads.

    Args:
        clock: Stamps the rows that a unit adds.
    """

    def __init__(self, engine: Engine, clock: Clock = utc_now) -> None:
        self._engine = engine
        self._clock = clock

    def write(self, *, durable: bool = False) -> "SqlUnitOfWork":
        """Make a unit that writes; it takes the lock of the database when it is entered."""
        return SqlUnitOfWork(self._engine.execution_options(**{DURABLE: durable}), self._clock)

    def read(self) -> "SqlUnitOfWork":
        """Make a unit that only reads; it waits for no writer."""
        return SqlUnitOfWork(self._engine.execution_options(**{READ_ONLY: True}), self._clock)

    def close(self) -> None:
        """Close all connections; later units open new ones."""
        self._engine.dispose()


class SqlUnitOfWork:
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

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def __enter__(self) -> Self:
        """Begin the transaction."""
        self._connection = self._engine.connect()
        try:
            self._transaction = self._connection.begin()
        except BaseException:
            self._connection.close()
            raise
        self._open_stores(self._connection)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take back what was not committed."""
        try:
            if self._transaction.is_active:
                self._transaction.rollback()
        finally:
            self._connection.close()

    def commit(self) -> None:
        """Make what was written last; the unit cannot be used afterwards."""
        self._transaction.commit()

    def _open_stores(self, connection: Connection) -> None:
        self.collections = SqlCollections(connection, self._clock)
        self.documents = SqlDocuments(connection, self._clock)
        self.listing = SqlListing(connection)
        self.versions = SqlVersions(connection, self._clock)
        self.texts = SqlTexts(connection, self._clock)
        self.chunks = SqlChunks(connection, self._clock)
        self.windows = SqlWindows(connection)
        self.embeddings = SqlEmbeddings(connection)
        self.projection = SqlProjection(connection)
        self.removals = SqlRemovals(connection)
        self.events = SqlEvents(connection, self._clock)
