"""Collections in SQL; implements `ports.storing.CollectionStore`."""

from sqlalchemy import Connection, Row, select, update

from fundstelle.adapters.sql.statements import insert_missing
from fundstelle.adapters.sql.tables import collections
from fundstelle.domain.errors import NotFoundError
from fundstelle.domain.identity import CollectionId, ModelId
from fundstelle.ports.records import CollectionRecord
from fundstelle.ports.storing import Clock


class SqlCollections:
    """Keep collections."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def by_name(self, name: str) -> CollectionRecord | None:
        """Find a collection."""
        row = self._connection.execute(select(collections).where(collections.c.name == name)).first()
        return _record(row) if row else None

    def get(self, collection_id: CollectionId) -> CollectionRecord:
        """Read a collection that is there."""
        row = self._connection.execute(select(collections).where(collections.c.id == collection_id)).first()
        if row is None:
            raise NotFoundError(f"There is no collection with the id {collection_id}.")
        return _record(row)

    def add(self, record: CollectionRecord) -> None:
        """Add a collection; nothing happens when its id is there."""
        values = {
            "id": record.collection_id,
            "name": record.name,
            "title": record.title or record.name,
            "description": record.description,
            "index_name": record.index_name,
            "model_id": record.model_id,
            "created_at": self._clock(),
        }
        self._connection.execute(insert_missing(collections).values(values))

    def use_index(self, collection_id: CollectionId, index_name: str, model_id: ModelId) -> None:
        """Let the queries of a collection use this index."""
        self._connection.execute(
            update(collections)
            .where(collections.c.id == collection_id)
            .values(index_name=index_name, model_id=model_id)
        )

    def all(self) -> tuple[CollectionRecord, ...]:
        """Read all collections, by name."""
        return tuple(
            _record(row) for row in self._connection.execute(select(collections).order_by(collections.c.name))
        )


def _record(row: Row[tuple[object, ...]]) -> CollectionRecord:
    values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
    columns = collections.c
    return CollectionRecord(
        collection_id=values[columns.id],
        name=values[columns.name],
        title=values[columns.title],
        description=values[columns.description],
        index_name=values[columns.index_name],
        model_id=values[columns.model_id],
    )
