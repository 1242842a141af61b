"""Read chunks for queries from SQL; implements `ports.querying.PassageReader`. Writes nothing."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias, cast

from sqlalchemy import Engine, Row, Select, bindparam, select

from fundstelle.adapters.sql.engine import READ_ONLY
from fundstelle.adapters.sql.statements import batches
from fundstelle.adapters.sql.tables import (
    chunks,
    collections,
    document_pages,
    document_versions,
    documents,
    embedding_models,
    windows,
)
from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.identity import (
    ChunkId,
    CollectionId,
    DocumentId,
    ModelId,
    PointId,
    SectionId,
    TextHash,
    VersionId,
)
from fundstelle.domain.query_phases import LocatedWindow, SearchedCollection, WindowState
from fundstelle.domain.retrieval import ChunkRecord
from fundstelle.ports.querying import ChunkKey
from fundstelle.ports.records import WorkStatus

_VISIBLE = frozenset({VersionStatus.INDEXED.value, VersionStatus.PARTIAL.value})


def _locate() -> Select[tuple[str, ...]]:
    return (
        select(
            windows.c.qdrant_id,
            windows.c.window_index,
            windows.c.version_id,
            windows.c.chunk_id,
            chunks.c.superseded,
            document_versions.c.status,
            documents.c.id.label("document_id"),
            documents.c.collection_id,
            documents.c.current_version_id,
            documents.c.withdrawn_at,
        )
        .join(chunks, (chunks.c.version_id == windows.c.version_id) & (chunks.c.id == windows.c.chunk_id))
        .join(document_versions, document_versions.c.id == windows.c.version_id)
        .join(documents, documents.c.id == document_versions.c.document_id)
        .where(windows.c.qdrant_id.in_(bindparam("points", expanding=True)))
    )


_LocatedRow: TypeAlias = tuple[str, int, str, str, bool, str, str, str, str | None, datetime | None]
_first, _last = document_pages.alias("page_first_row"), document_pages.alias("page_last_row")


def _reload() -> Select[tuple[str, ...]]:
    return (
        select(
            chunks,
            documents.c.title.label("document_title"),
            documents.c.filename,
            document_versions.c.page_count,
            _first.c.page_label.label("label_first"),
            _last.c.page_label.label("label_last"),
        )
        .join(document_versions, document_versions.c.id == chunks.c.version_id)
        .join(documents, documents.c.id == document_versions.c.document_id)
        .outerjoin(
            _first,
            (_first.c.version_id == chunks.c.version_id) & (_first.c.page_number == chunks.c.page_first),
        )
        .outerjoin(
            _last, (_last.c.version_id == chunks.c.version_id) & (_last.c.page_number == chunks.c.page_last)
        )
        .where(
            chunks.c.id.in_(bindparam("chunks", expanding=True)),
            chunks.c.version_id.in_(bindparam("versions", expanding=True)),
        )
    )


_COLLECTIONS = (
    select(collections, embedding_models.c.provider, embedding_models.c.name.label("model_name"))
    .outerjoin(embedding_models, embedding_models.c.id == collections.c.model_id)
    .order_by(collections.c.name)
)
_NAMED_COLLECTIONS = _COLLECTIONS.where(collections.c.name.in_(bindparam("names", expanding=True)))
_EXPECTED = (
    select(documents.c.id)
    .join(windows, windows.c.version_id == documents.c.current_version_id)
    .where(
        documents.c.collection_id == bindparam("collection"),
        documents.c.withdrawn_at.is_(None),
        windows.c.status == WorkStatus.INDEXED.value,
    )
    .limit(1)
)
_LOCATE = _locate()
_RELOAD = _reload()


class SqlPassageReader:
    """Read collections, windows, chunks and pages, each call in a transaction that only reads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(**{READ_ONLY: True})

    def collections(self, names: Sequence[str]) -> Sequence[SearchedCollection]:
        """Read collections by name, all of them for no name, sorted by name."""
        statement, values = (_NAMED_COLLECTIONS, {"names": list(names)}) if names else (_COLLECTIONS, {})
        with self._engine.connect() as connection:
            return tuple(_collection(row) for row in connection.execute(statement, values))

    def locate(self, points: Sequence[PointId]) -> Sequence[LocatedWindow]:
        """Find the chunks of points, in the order of `points`, live ones first."""
        found: defaultdict[str, list[LocatedWindow]] = defaultdict(list)
        with self._engine.connect() as connection:
            for batch in batches(points):
                for row in connection.execute(_LOCATE, {"points": batch}).all():
                    window = _window(*cast("_LocatedRow", tuple(row)))
                    found[window.point_id].append(window)
        return [window for point in points for window in _all_of(point, found.get(point, []))]

    def reload(self, keys: Sequence[ChunkKey]) -> Sequence[ChunkRecord]:
        """Read chunks with their provenance, live or not, in the order of `keys`."""
        found: dict[ChunkKey, ChunkRecord] = {}
        with self._engine.connect() as connection:
            for batch in batches(keys):
                values = {
                    "chunks": sorted({key.chunk_id for key in batch}),
                    "versions": sorted({key.version_id for key in batch}),
                }
                for row in connection.execute(_RELOAD, values):
                    found[ChunkKey(VersionId(row.version_id), ChunkId(row.id))] = _record(row)
        return [found[key] for key in keys if key in found]

    def expects_points(self, collection: CollectionId) -> bool:
        """Tell whether queries see any window of a collection."""
        with self._engine.connect() as connection:
            return connection.execute(_EXPECTED, {"collection": collection}).first() is not None

    def pages(self, versions: Sequence[VersionId]) -> frozenset[tuple[VersionId, int]]:
        """List the physical pages that are stored of some versions."""
        numbers = select(document_pages.c.version_id, document_pages.c.page_number)
        with self._engine.connect() as connection:
            return frozenset(
                (VersionId(row.version_id), row.page_number)
                for batch in batches(versions)
                for row in connection.execute(numbers.where(document_pages.c.version_id.in_(batch)))
            )


def _collection(row: Row[tuple[str, ...]]) -> SearchedCollection:
    return SearchedCollection(
        collection_id=CollectionId(row.id),
        name=row.name,
        index_name=row.index_name,
        model_id=ModelId(row.model_id) if row.model_id else None,
        model_name=f"{row.provider}/{row.model_name}" if row.provider else "",
    )


def _all_of(point: PointId, found: list[LocatedWindow]) -> list[LocatedWindow]:
    if not found:
        return [LocatedWindow(point, 0, None, None, None, None, WindowState.UNKNOWN)]
    if len(found) > 1:
        found.sort(key=lambda one: (one.state is not WindowState.LIVE, one.version_id))
    return found


def _window(  # the columns of `_locate` in their order
    point: str,
    number: int,
    version: str,
    chunk: str,
    superseded: bool,
    status: str,
    document: str,
    collection: str,
    current_version: str | None,
    withdrawn_at: datetime | None,
) -> LocatedWindow:
    if withdrawn_at is not None:
        state = WindowState.WITHDRAWN
    elif version != current_version:
        state = WindowState.OLD_VERSION
    elif status not in _VISIBLE:
        state = WindowState.NOT_INDEXED
    else:
        state = WindowState.SUPERSEDED if superseded else WindowState.LIVE
    return LocatedWindow(
        point_id=PointId(point),
        window_index=number,
        version_id=VersionId(version),
        chunk_id=ChunkId(chunk),
        document_id=DocumentId(document),
        collection_id=CollectionId(collection),
        state=state,
    )


def _record(row: Row[tuple[str, ...]]) -> ChunkRecord:
    return ChunkRecord(
        chunk_id=ChunkId(row.id),
        version_id=VersionId(row.version_id),
        document_id=DocumentId(row.document_id),
        section_id=SectionId(row.section_id),
        document_title=row.document_title or row.filename,
        filename=row.filename,
        heading_path=row.heading_path,
        content=row.content,
        token_count=row.token_count,
        char_start=row.char_start,
        char_end=row.char_end,
        page_first=row.page_first,
        page_last=row.page_last,
        label_first=row.label_first,
        label_last=row.label_last,
        paged=row.page_count is not None,
        text_hash=TextHash(row.text_hash),
    )
