"""Lists of documents for people; implements `ports.storing.DocumentListing`."""

from collections.abc import Sequence

from sqlalchemy import Connection, Row, func, or_, select

from fundstelle.adapters.sql.documents import document_record
from fundstelle.adapters.sql.statements import is_newest
from fundstelle.adapters.sql.tables import collections, document_versions, documents
from fundstelle.adapters.sql.versions import count_versions, version_record
from fundstelle.domain.identity import CollectionId, DocumentId
from fundstelle.ports.records import DocumentSummary, VersionCounts, VersionRecord

_NOTHING = VersionCounts(pages=0, sections=0, chunks=0, windows=0)


class SqlListing:
    """List documents page by page, each page with a fixed number of queries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def page(
        self, collection_id: CollectionId | None, after: DocumentId | None, limit: int
    ) -> tuple[DocumentSummary, ...]:
        """Read summaries in order of first import, beginning behind the document `after`."""
        query = _SUMMARY.order_by(documents.c.created_at, documents.c.id).limit(limit)
        if collection_id is not None:
            query = query.where(documents.c.collection_id == collection_id)
        if after is not None:
            created_at = self._connection.scalar(
                select(documents.c.created_at).where(documents.c.id == after)
            )
            # The first condition alone lets the index find the place.
            query = query.where(
                documents.c.created_at >= created_at,
                or_(documents.c.created_at > created_at, documents.c.id > after),
            )
        return self._summaries(self._connection.execute(query).all())

    def of(self, document_id: DocumentId) -> DocumentSummary | None:
        """Read the summary of one document."""
        rows = self._connection.execute(_SUMMARY.where(documents.c.id == document_id)).all()
        return self._summaries(rows)[0] if rows else None

    def count(self, collection_id: CollectionId | None) -> int:
        """Count all documents, withdrawn ones too."""
        query = select(func.count()).select_from(documents)
        if collection_id is not None:
            query = query.where(documents.c.collection_id == collection_id)
        return self._connection.scalar(query) or 0

    def _summaries(self, rows: Sequence[Row[tuple[object, ...]]]) -> tuple[DocumentSummary, ...]:
        newest = self._newest([document_record(row).document_id for row in rows])
        counts = count_versions(self._connection, [version.version_id for version in newest.values()])
        summaries = []
        for row in rows:
            document = document_record(row)
            version = newest.get(document.document_id)
            counted = counts[version.version_id] if version else _NOTHING
            values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
            summaries.append(
                DocumentSummary(
                    document, values["collection"], version, counted, values[documents.c.created_at]
                )
            )
        return tuple(summaries)

    def _newest(self, ids: Sequence[DocumentId]) -> dict[DocumentId, VersionRecord]:
        query = select(document_versions).where(document_versions.c.document_id.in_(ids), is_newest())
        records = map(version_record, self._connection.execute(query))
        return {record.document_id: record for record in records}


_SUMMARY = select(documents, collections.c.name.label("collection")).join(
    collections, collections.c.id == documents.c.collection_id
)
