"""What the index should hold and what has to leave it; implements `ProjectionStore` and `RemovalQueue`."""

from collections.abc import Collection, Sequence
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select, update

from fundstelle.adapters.sql.statements import batches, is_newest
from fundstelle.adapters.sql.tables import chunks, document_versions, documents, windows
from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.identity import CollectionId, ModelId, PointId, TextHash, VersionId
from fundstelle.ports.records import WorkStatus

Columns = TypeVarTuple("Columns")
_OF_CHUNK = and_(chunks.c.version_id == windows.c.version_id, chunks.c.id == windows.c.chunk_id)
_IS_LIVE = and_(documents.c.withdrawn_at.is_(None), documents.c.current_version_id == document_versions.c.id)


class SqlProjection:
    """Say which points are wanted."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def wanted(
        self,
        collection_id: CollectionId,
        model_id: ModelId,
        points: Collection[PointId],
        chunker: str | None = None,
    ) -> dict[PointId, TextHash]:
        """Say which of these points are wanted (planned), and with which text."""
        found: dict[PointId, TextHash] = {}
        for batch in batches(points):
            query = _of_collection(select(windows.c.qdrant_id, windows.c.text_hash), collection_id, model_id)
            query = query.where(_is_wanted(chunker), windows.c.qdrant_id.in_(batch))
            rows = self._connection.execute(query)
            found.update((PointId(row.qdrant_id), TextHash(row.text_hash)) for row in rows)
        return found

    def wanted_range(
        self, collection_id: CollectionId, model_id: ModelId, low: str, high: str, limit: int
    ) -> list[tuple[PointId, TextHash, VersionId]]:
        """Go through the wanted points with `low < id < high`, by id; one version each."""
        columns = (windows.c.qdrant_id, func.min(windows.c.text_hash), func.min(windows.c.version_id))
        query = (
            _of_collection(select(*columns), collection_id, model_id)
            .where(_is_wanted(None), windows.c.qdrant_id > low, windows.c.qdrant_id < high)
            .group_by(windows.c.qdrant_id)
            .order_by(windows.c.qdrant_id)
            .limit(limit)
        )
        return [(PointId(p), TextHash(t), VersionId(v)) for p, t, v in self._connection.execute(query)]

    def count(self, collection_id: CollectionId, model_id: ModelId, chunker: str | None = None) -> int:
        """Count the wanted (planned) points."""
        query = _of_collection(select(func.count(windows.c.qdrant_id.distinct())), collection_id, model_id)
        return self._connection.scalar(query.where(_is_wanted(chunker))) or 0

    def adopt(self, collection_id: CollectionId, model_id: ModelId) -> None:
        """Say that a new index holds the windows of all chunks in force that queries see, and no others."""
        in_collection = (
            select(document_versions.c.id)
            .join(documents, documents.c.id == document_versions.c.document_id)
            .where(documents.c.collection_id == collection_id)
        )
        held = (WorkStatus.INDEXED, WorkStatus.REMOVING)
        self._connection.execute(
            update(windows)
            .where(windows.c.version_id.in_(in_collection), windows.c.status.in_(held))
            .values(status=WorkStatus.PENDING)
        )
        self._connection.execute(
            update(windows)
            .where(
                windows.c.version_id.in_(in_collection.where(_IS_LIVE)),
                windows.c.model_id == model_id,
                windows.c.status == WorkStatus.PENDING,
                exists().where(_OF_CHUNK, ~chunks.c.superseded),
            )
            .values(status=WorkStatus.INDEXED)
        )


class SqlRemovals:
    """Say what has still to leave the index."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def versions(self, limit: int) -> Sequence[tuple[CollectionId, VersionId]]:
        """Name versions that have such windows, by version id."""
        query = (
            select(documents.c.collection_id, windows.c.version_id)
            .select_from(windows)
            .join(document_versions, document_versions.c.id == windows.c.version_id)
            .join(documents, documents.c.id == document_versions.c.document_id)
            .where(windows.c.status == WorkStatus.REMOVING)
            .group_by(documents.c.collection_id, windows.c.version_id)
            .order_by(windows.c.version_id)
            .limit(limit)
        )
        return [(CollectionId(c), VersionId(v)) for c, v in self._connection.execute(query)]

    def points(self, version_id: VersionId) -> Sequence[PointId]:
        """Name the points of a version's windows that have to leave, by id."""
        query = (
            select(windows.c.qdrant_id)
            .where(windows.c.version_id == version_id, windows.c.status == WorkStatus.REMOVING)
            .order_by(windows.c.qdrant_id)
        )
        return [PointId(point) for point in self._connection.scalars(query)]


def _of_collection(
    query: Select[*Columns], collection_id: CollectionId, model_id: ModelId
) -> Select[*Columns]:
    return (
        query.select_from(windows)
        .join(chunks, _OF_CHUNK)
        .join(document_versions, document_versions.c.id == windows.c.version_id)
        .join(documents, documents.c.id == document_versions.c.document_id)
        .where(windows.c.model_id == model_id, documents.c.collection_id == collection_id)
    )


def _is_wanted(chunker: str | None) -> ColumnElement[bool]:
    if chunker is not None:
        return and_(_IS_LIVE, chunks.c.chunker == chunker, windows.c.status != WorkStatus.SKIPPED)
    on_its_way = and_(
        documents.c.withdrawn_at.is_(None), document_versions.c.status == VersionStatus.CHUNKED, is_newest()
    )
    return and_(windows.c.status == WorkStatus.INDEXED, ~chunks.c.superseded, or_(_IS_LIVE, on_its_way))
