"""Windows in SQL; implements `ports.projecting.WindowStore`."""

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import Connection, RowMapping, and_, delete, select, update

from fundstelle.adapters.sql.statements import batches, insert_all
from fundstelle.adapters.sql.tables import chunks, document_versions
from fundstelle.adapters.sql.tables import windows as windows_table
from fundstelle.domain.identity import ModelId, PointId, VersionId
from fundstelle.ports.records import ProjectedWindow, WindowRecord, WorkStatus

_WINDOWS_AT_ONCE = 500
_OF_CHUNK = and_(chunks.c.version_id == windows_table.c.version_id, chunks.c.id == windows_table.c.chunk_id)


class SqlWindows:
    """Keep windows: what should be in the index, and what of it is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def plan(
        self, version_id: VersionId, model_id: ModelId, chunker: str, windows: Sequence[WindowRecord]
    ) -> None:
        """Store the windows of a version's chunks (of one chunker) in place of those stored before."""
        of_chunker = select(chunks.c.id).where(chunks.c.version_id == version_id, chunks.c.chunker == chunker)
        self._connection.execute(
            delete(windows_table).where(
                windows_table.c.version_id == version_id,
                windows_table.c.model_id == model_id,
                windows_table.c.chunk_id.in_(of_chunker),
            )
        )
        owner = {"version_id": version_id, "model_id": model_id}
        insert_all(self._connection, windows_table, [_row(window) | owner for window in windows])

    def of_version(self, version_id: VersionId, model_id: ModelId, chunker: str) -> tuple[WindowRecord, ...]:
        """Read the windows of a version's chunks (of one chunker), by chunk index and window index."""
        query = (
            select(windows_table)
            .join(chunks, _OF_CHUNK)
            .where(
                windows_table.c.version_id == version_id,
                windows_table.c.model_id == model_id,
                chunks.c.chunker == chunker,
            )
            .order_by(chunks.c.chunk_index, windows_table.c.window_index)
        )
        return tuple(_window(row) for row in self._connection.execute(query).mappings())

    def projected(
        self, version_id: VersionId, model_id: ModelId, chunker: str, statuses: Collection[WorkStatus]
    ) -> Iterator[ProjectedWindow]:
        """Go through windows of these statuses with what their points are made of, in order."""
        query = (
            select(
                windows_table,
                chunks.c.content,
                chunks.c.heading_path,
                document_versions.c.document_id,
                document_versions.c.title,
            )
            .join(chunks, _OF_CHUNK)
            .join(document_versions, document_versions.c.id == windows_table.c.version_id)
            .where(
                windows_table.c.version_id == version_id,
                windows_table.c.model_id == model_id,
                windows_table.c.status.in_(statuses),
                chunks.c.chunker == chunker,
            )
            .order_by(chunks.c.chunk_index, windows_table.c.window_index)
        )
        with self._connection.execute(query).yield_per(_WINDOWS_AT_ONCE) as rows:
            for row in rows.mappings():
                window = _window(row)
                yield ProjectedWindow(
                    window=window,
                    version_id=version_id,
                    document_id=row[document_versions.c.document_id],
                    document_title=row[document_versions.c.title] or "",
                    heading_path=row[chunks.c.heading_path],
                    content=row[chunks.c.content][window.char_start : window.char_end],
                )

    def mark(self, version_id: VersionId, points: Sequence[PointId], status: WorkStatus) -> None:
        """Set the status of the windows of these points; skipped ones stay as they are."""
        for batch in batches(points):
            self._connection.execute(
                update(windows_table)
                .where(
                    windows_table.c.version_id == version_id,
                    windows_table.c.qdrant_id.in_(batch),
                    windows_table.c.status != WorkStatus.SKIPPED,
                )
                .values(status=status)
            )

    def mark_all(self, versions: Sequence[VersionId], old: WorkStatus, new: WorkStatus) -> None:
        """Move all windows of these versions from one status to another."""
        for batch in batches(versions):
            self._connection.execute(
                update(windows_table)
                .where(windows_table.c.version_id.in_(batch), windows_table.c.status == old)
                .values(status=new)
            )


def _row(window: WindowRecord) -> dict[str, object]:
    return {
        "chunk_id": window.chunk_id,
        "window_index": window.window_index,
        "char_start": window.char_start,
        "char_end": window.char_end,
        "text_hash": window.text_hash,
        "pieces": window.pieces,
        "qdrant_id": window.point_id,
        "status": window.status,
    }


def _window(row: RowMapping) -> WindowRecord:
    columns = windows_table.c
    return WindowRecord(
        chunk_id=row[columns.chunk_id],
        window_index=row[columns.window_index],
        char_start=row[columns.char_start],
        char_end=row[columns.char_end],
        text_hash=row[columns.text_hash],
        pieces=row[columns.pieces],
        point_id=row[columns.qdrant_id],
        status=WorkStatus(row[columns.status]),
    )
