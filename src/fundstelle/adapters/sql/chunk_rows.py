"""Chunks in SQL; implements `ports.storing.ChunkStore`."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Row, case, exists, select, update

from fundstelle.adapters.sql.statements import insert_all
from fundstelle.adapters.sql.tables import chunks as chunks_table
from fundstelle.adapters.sql.tables import windows
from fundstelle.domain.documents import Chunk, SemanticRole
from fundstelle.domain.identity import ModelId, VersionId, text_hash
from fundstelle.ports.records import StoredChunk, VersionRecord, WorkStatus
from fundstelle.ports.storing import Clock

_CHUNKS_AT_ONCE = 200


class SqlChunks:
    """Keep chunks; those of an earlier chunker stay, marked as superseded."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def write(
        self, version: VersionRecord, chunks: Sequence[Chunk], chunker: str, *, in_force: bool = True
    ) -> None:
        """Store chunks of a version; those that are there already stay as they are."""
        query = select(chunks_table.c.id).where(chunks_table.c.version_id == version.version_id)
        known = set(self._connection.scalars(query))
        shared = {
            "version_id": version.version_id,
            "document_id": version.document_id,
            "chunker": chunker,
            "superseded": True,
            "qdrant_id": None,
            "status": WorkStatus.PENDING,
            "created_at": self._clock(),
        }
        rows = [_row(chunk) | shared for chunk in chunks if chunk.chunk_id not in known]
        insert_all(self._connection, chunks_table, rows)
        if in_force:
            self.put_in_force(version.version_id, chunker)

    def put_in_force(self, version_id: VersionId, chunker: str) -> None:
        """Let the chunks of this chunker be the ones in force; windows of others have to leave the index."""
        self._connection.execute(
            update(chunks_table)
            .where(chunks_table.c.version_id == version_id)
            .values(superseded=case((chunks_table.c.chunker == chunker, False), else_=True))
        )
        superseded = exists().where(
            chunks_table.c.version_id == windows.c.version_id,
            chunks_table.c.id == windows.c.chunk_id,
            chunks_table.c.superseded,
        )
        self._connection.execute(
            update(windows)
            .where(windows.c.version_id == version_id, windows.c.status == WorkStatus.INDEXED, superseded)
            .values(status=WorkStatus.REMOVING)
        )

    def of_version(self, version_id: VersionId, chunker: str | None = None) -> Iterator[Chunk]:
        """Go through chunks in order: those in force, or those of one chunker."""
        chosen = ~chunks_table.c.superseded if chunker is None else chunks_table.c.chunker == chunker
        query = (
            select(chunks_table)
            .where(chunks_table.c.version_id == version_id, chosen)
            .order_by(chunks_table.c.chunk_index)
        )
        with self._connection.execute(query).yield_per(_CHUNKS_AT_ONCE) as rows:
            yield from map(_chunk, rows)

    def stored(self, version_id: VersionId) -> Iterator[StoredChunk]:
        """Go through the states of all chunks, superseded ones too, in order of chunker and index."""
        columns = chunks_table.c
        query = (
            select(
                columns.id,
                columns.section_id,
                columns.text_hash,
                columns.chunker,
                columns.superseded,
                columns.status,
            )
            .where(columns.version_id == version_id)
            .order_by(columns.chunker, columns.chunk_index)
        )
        with self._connection.execute(query).yield_per(_CHUNKS_AT_ONCE) as rows:
            for row in rows:
                yield StoredChunk(
                    row.id, row.section_id, row.text_hash, row.chunker, row.superseded, WorkStatus(row.status)
                )

    def settle(self, version_id: VersionId, model_id: ModelId) -> None:
        """Set status and first point of the chunks in force after the windows of a model."""
        of_chunk = (
            windows.c.version_id == chunks_table.c.version_id,
            windows.c.chunk_id == chunks_table.c.id,
            windows.c.model_id == model_id,
        )
        first_point = (
            select(windows.c.qdrant_id)
            .where(*of_chunk, windows.c.status != WorkStatus.SKIPPED)
            .order_by(windows.c.window_index)
            .limit(1)
            .scalar_subquery()
        )
        waiting = exists().where(*of_chunk, windows.c.status.in_([WorkStatus.PENDING, WorkStatus.REMOVING]))
        indexed = exists().where(*of_chunk, windows.c.status == WorkStatus.INDEXED)
        status = case(
            (waiting, WorkStatus.PENDING.value),
            (indexed, WorkStatus.INDEXED.value),
            else_=WorkStatus.SKIPPED.value,
        )
        self._connection.execute(
            update(chunks_table)
            .where(chunks_table.c.version_id == version_id, ~chunks_table.c.superseded)
            .values(status=status, qdrant_id=first_point)
        )


def _row(chunk: Chunk) -> dict[str, object]:
    return {
        "id": chunk.chunk_id,
        "section_id": chunk.section_id,
        "chunk_index": chunk.chunk_index,
        "content": chunk.content,
        "text_hash": text_hash(chunk.content),
        "token_count": chunk.token_count,
        "heading_path": chunk.heading_path,
        "semantic_role": chunk.semantic_role,
        "char_start": chunk.char_start,
        "char_end": chunk.char_end,
        "page_first": chunk.page_first,
        "page_last": chunk.page_last,
        "metadata": {"repeated": chunk.repeated, "split_sentence": chunk.split_sentence},
    }


def _chunk(row: Row[tuple[object, ...]]) -> Chunk:
    values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
    columns = chunks_table.c
    metadata = values[columns.metadata]
    repeated = metadata["repeated"]
    return Chunk(
        chunk_id=values[columns.id],
        section_id=values[columns.section_id],
        chunk_index=values[columns.chunk_index],
        content=values[columns.content],
        token_count=values[columns.token_count],
        heading_path=values[columns.heading_path],
        semantic_role=SemanticRole(values[columns.semantic_role]),
        char_start=values[columns.char_start],
        char_end=values[columns.char_end],
        page_first=values[columns.page_first],
        page_last=values[columns.page_last],
        repeated=None if repeated is None else (repeated[0], repeated[1]),
        split_sentence=metadata["split_sentence"],
    )
