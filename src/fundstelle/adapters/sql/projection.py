"""What the index of a collection should hold; implements `ports.storing.ProjectionStore`."""

from collections.abc import Collection, Sequence
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from fundstelle.adapters.sql.statements import batches, is_newest
from fundstelle.adapters.sql.tables import chunks, document_versions, documents, windows
from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.identity import CollectionId, ModelId, PointId, TextHash, VersionId
from fundstelle.ports.records import WorkStatus

Columns = TypeVarTuple("Columns")


class SqlProjection:
    """Say which points are wanted."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def wanted(
        self, collection_id: CollectionId, model_id: ModelId, points: Collection[PointId]
    ) -> dict[PointId, TextHash]:
        """Say which of these points are wanted, and with which text."""
        found: dict[PointId, TextHash] = {}
        for batch in batches(points):
            query = _only_wanted(select(windows.c.qdrant_id, windows.c.text_hash), collection_id, model_id)
            rows = self._connection.execute(query.where(windows.c.qdrant_id.in_(batch)))
            found.update((PointId(row.qdrant_id), TextHash(row.text_hash)) for row in rows)
        return found

    def wanted_range(
        self, collection_id: CollectionId, model_id: ModelId, low: str, high: str, limit: int
    ) -> list[tuple[PointId, TextHash, VersionId]]:
        """Go through the wanted points with `low < id < high`, by id; one version each."""
        columns = (windows.c.qdrant_id, func.min(windows.c.text_hash), func.min(windows.c.version_id))
        query = (
            _only_wanted(select(*columns), collection_id, model_id)
            .where(windows.c.qdrant_id > low, windows.c.qdrant_id < high)
            .group_by(windows.c.qdrant_id)
            .order_by(windows.c.qdrant_id)
            .limit(limit)
        )
        return [(PointId(p), TextHash(t), VersionId(v)) for p, t, v in self._connection.execute(query)]

    def count(self, collection_id: CollectionId, model_id: ModelId) -> int:
        """Count the wanted points."""
        query = select(func.count(windows.c.qdrant_id.distinct()))
        return self._connection.scalar(_only_wanted(query, collection_id, model_id)) or 0

    def removing(self, limit: int) -> Sequence[tuple[CollectionId, VersionId]]:
        """Name versions with windows that have still to leave the index, by version id."""
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

    def points_of(self, version_id: VersionId, status: WorkStatus) -> Sequence[PointId]:
        """Name the points of a version's windows that have this status, by id, for all models."""
        query = (
            select(windows.c.qdrant_id)
            .where(windows.c.version_id == version_id, windows.c.status == status)
            .order_by(windows.c.qdrant_id)
        )
        return [PointId(point) for point in self._connection.scalars(query)]


def _only_wanted(query: Select[*Columns], collection_id: CollectionId, model_id: ModelId) -> Select[*Columns]:
    of_chunk = and_(chunks.c.version_id == windows.c.version_id, chunks.c.id == windows.c.chunk_id)
    return (
        query.select_from(windows)
        .join(chunks, of_chunk)
        .join(document_versions, document_versions.c.id == windows.c.version_id)
        .join(documents, documents.c.id == document_versions.c.document_id)
        .where(
            windows.c.model_id == model_id,
            windows.c.status == WorkStatus.INDEXED,
            ~chunks.c.superseded,
            documents.c.collection_id == collection_id,
            documents.c.withdrawn_at.is_(None),
            or_(documents.c.current_version_id == document_versions.c.id, _on_its_way()),
        )
    )


def _on_its_way() -> ColumnElement[bool]:
    return and_(document_versions.c.status == VersionStatus.CHUNKED, is_newest())
