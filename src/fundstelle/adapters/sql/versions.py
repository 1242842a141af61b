"""Versions of documents in SQL; implements `ports.storing.VersionStore`."""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Row, Table, func, select

from fundstelle.adapters.sql.statements import is_newest, save
from fundstelle.adapters.sql.tables import (
    chunks,
    document_pages,
    document_versions,
    documents,
    sections,
    windows,
)
from fundstelle.domain.documents import Verdict, VersionStatus
from fundstelle.domain.identity import CollectionId, DocumentId, VersionId
from fundstelle.ports.records import VersionCounts, VersionRecord
from fundstelle.ports.storing import Clock


class SqlVersions:
    """Keep versions of documents."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def find(self, version_id: VersionId) -> VersionRecord | None:
        """Find a version."""
        query = select(document_versions).where(document_versions.c.id == version_id)
        row = self._connection.execute(query).first()
        return version_record(row) if row else None

    def save(self, record: VersionRecord) -> None:
        """Add a version or replace what is stored of it."""
        values = {
            name: getattr(record, name)
            for name in VersionRecord.__slots__
            if name not in ("version_id", "metadata")
        }
        values["metadata"] = dict(record.metadata)
        save(self._connection, document_versions, record.version_id, values, {"created_at": self._clock()})

    def of_document(self, document_id: DocumentId) -> tuple[VersionRecord, ...]:
        """Read all versions of a document, the newest first."""
        query = (
            select(document_versions)
            .where(document_versions.c.document_id == document_id)
            .order_by(document_versions.c.ordinal.desc())
        )
        return tuple(version_record(row) for row in self._connection.execute(query))

    def with_status(
        self,
        statuses: Collection[VersionStatus],
        collection_id: CollectionId | None,
        after: VersionId | None,
        limit: int,
    ) -> tuple[VersionId, ...]:
        """Go through the newest versions of documents, not withdrawn, that have one of the statuses."""
        query = (
            select(document_versions.c.id)
            .join(documents, documents.c.id == document_versions.c.document_id)
            .where(
                document_versions.c.status.in_(statuses),
                document_versions.c.id > (after or ""),
                documents.c.withdrawn_at.is_(None),
                is_newest(),
            )
            .order_by(document_versions.c.id)
            .limit(limit)
        )
        if collection_id is not None:
            query = query.where(documents.c.collection_id == collection_id)
        return tuple(map(VersionId, self._connection.scalars(query)))

    def counts(self, version_id: VersionId) -> VersionCounts:
        """Count what is stored of a version."""
        return count_versions(self._connection, [version_id])[version_id]


def count_versions(connection: Connection, ids: Sequence[VersionId]) -> dict[VersionId, VersionCounts]:
    """Count what is stored of some versions, with one query for each kind of row."""
    pages = _count(connection, document_pages, ids)
    found_sections = _count(connection, sections, ids)
    found_chunks = _count(connection, chunks, ids)
    found_windows = _count(connection, windows, ids)
    return {
        key: VersionCounts(
            pages.get(key, 0), found_sections.get(key, 0), found_chunks.get(key, 0), found_windows.get(key, 0)
        )
        for key in ids
    }


def _count(connection: Connection, table: Table, ids: Sequence[VersionId]) -> dict[VersionId, int]:
    query = select(table.c.version_id, func.count()).where(table.c.version_id.in_(ids))
    if table is chunks:
        query = query.where(~chunks.c.superseded)
    if table is windows:
        in_force = (chunks.c.version_id == windows.c.version_id) & (chunks.c.id == windows.c.chunk_id)
        query = query.join(chunks, in_force).where(~chunks.c.superseded)
    rows = connection.execute(query.group_by(table.c.version_id))
    return {VersionId(version): count for version, count in rows}


def version_record(row: Row[tuple[object, ...]]) -> VersionRecord:
    """Build a record from a row that holds all columns of `document_versions`."""
    values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
    columns = document_versions.c
    return VersionRecord(
        version_id=values[columns.id],
        document_id=values[columns.document_id],
        content_hash=values[columns.content_hash],
        ordinal=values[columns.ordinal],
        media_type=values[columns.media_type],
        file_size=values[columns.file_size],
        page_count=values[columns.page_count],
        status=VersionStatus(values[columns.status]),
        verdict=Verdict(values[columns.verdict]),
        verdict_detail=values[columns.verdict_detail],
        failed_phase=values[columns.failed_phase],
        failure=values[columns.failure],
        text_hash=values[columns.text_hash],
        chunker=values[columns.chunker],
        title=values[columns.title],
        author=values[columns.author],
        language=values[columns.language],
        metadata=values[columns.metadata],
    )
