"""Read chunks for queries from SQL; implements `ports.querying.PassageReader`. Writes nothing."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

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


_LOCATE = _locate()
_RELOAD = _reload()


class SqlPassageReader:
    """Read collections, windows, chunks and pages, each call in a transaction that only reads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(**{READ_ONLY: True})

    def collections(self, names: Sequence[str]) -> Sequence[SearchedCollection]:
        """Read collections by name, all of them for no name, sorted by name."""
        statement = (
            select(collections, embedding_models.c.provider, embedding_models.c.name.label("model_name"))
            .outerjoin(embedding_models, embedding_models.c.id == collections.c.model_id)
            .order_by(collections.c.name)
        )
        if names:
            statement = statement.where(collections.c.name.in_(list(names)))
        with self._engine.connect() as connection:
            return tuple(_collection(row) for row in connection.execute(statement))

    def locate(self, points: Sequence[PointId]) -> Sequence[LocatedWindow]:
        """Find the chunks of points, in the order of `points`, live ones first."""
        found: defaultdict[str, list[LocatedWindow]] = defaultdict(list)
        with self._engine.connect() as connection:
            for batch in batches(points):
                for row in connection.execute(_LOCATE, {"points": batch}):
                    found[row.qdrant_id].append(_window(row))
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


def _all_of(point: PointId, found: list[LocatedWindow]) -> Iterator[LocatedWindow]:
    if not found:
        yield LocatedWindow(point, 0, None, None, None, None, WindowState.UNKNOWN)
    yield from sorted(found, key=lambda one: (one.state is not WindowState.LIVE, one.version_id))


def _window(row: Row[tuple[str, ...]]) -> LocatedWindow:
    return LocatedWindow(
        point_id=PointId(row.qdrant_id),
        window_index=row.window_index,
        version_id=VersionId(row.version_id),
        chunk_id=ChunkId(row.chunk_id),
        document_id=DocumentId(row.document_id),
        collection_id=CollectionId(row.collection_id),
        state=_state(row),
    )


def _state(row: Row[tuple[str, ...]]) -> WindowState:
    if row.withdrawn_at is not None:
        return WindowState.WITHDRAWN
    if row.version_id != row.current_version_id:
        return WindowState.OLD_VERSION
    if row.status not in _VISIBLE:
        return WindowState.NOT_INDEXED
    return WindowState.SUPERSEDED if row.superseded else WindowState.LIVE


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
