"""Documents in SQL; implements `ports.storing.DocumentStore`."""

from dataclasses import asdict

from sqlalchemy import Connection, Row, select

from fundstelle.adapters.sql.statements import is_newest, save
from fundstelle.adapters.sql.tables import document_versions, documents
from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.identity import CollectionId, ContentHash, DocumentId, VersionId
from fundstelle.ports.records import DocumentRecord
from fundstelle.ports.storing import Clock


class SqlDocuments:
    """Keep documents."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def find(self, document_id: DocumentId) -> DocumentRecord | None:
        """Find a document."""
        row = self._connection.execute(select(documents).where(documents.c.id == document_id)).first()
        return document_record(row) if row else None

    def save(self, record: DocumentRecord) -> None:
        """Add a document or replace what is stored of it."""
        values = asdict(record)
        key = values.pop("document_id")
        save(self._connection, documents, key, values, {"created_at": self._clock()})

    def by_prefix(self, prefix: str, limit: int) -> tuple[DocumentId, ...]:
        """Find documents whose id begins so, by id."""
        # A range in place of LIKE: it uses the index, and `_` and `%` mean themselves.
        query = (
            select(documents.c.id)
            .where(documents.c.id >= prefix, documents.c.id < prefix + "\U0010ffff")
            .order_by(documents.c.id)
            .limit(limit)
        )
        return tuple(map(DocumentId, self._connection.scalars(query)))

    def with_content(self, collection_id: CollectionId, content_hash: ContentHash) -> DocumentRecord | None:
        """Find a document, not withdrawn, whose newest version has these bytes (the first by id)."""
        query = (
            select(documents)
            .join(document_versions, document_versions.c.document_id == documents.c.id)
            .where(
                document_versions.c.content_hash == content_hash,
                documents.c.collection_id == collection_id,
                documents.c.withdrawn_at.is_(None),
                is_newest(),
            )
            .order_by(documents.c.id)
            .limit(1)
        )
        row = self._connection.execute(query).first()
        return document_record(row) if row else None

    def live_versions(
        self, collection_id: CollectionId | None, after: VersionId | None, limit: int
    ) -> tuple[VersionId, ...]:
        """Go through the versions that queries see, by version id, beginning behind `after`."""
        query = (
            select(documents.c.current_version_id)
            .where(documents.c.current_version_id > (after or ""), documents.c.withdrawn_at.is_(None))
            .order_by(documents.c.current_version_id)
            .limit(limit)
        )
        if collection_id is not None:
            query = query.where(documents.c.collection_id == collection_id)
        return tuple(map(VersionId, self._connection.scalars(query)))


def document_record(row: Row[tuple[object, ...]]) -> DocumentRecord:
    """Build a record from a row that holds all columns of `documents`."""
    values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
    return DocumentRecord(
        document_id=values[documents.c.id],
        collection_id=values[documents.c.collection_id],
        filename=values[documents.c.filename],
        source_path=values[documents.c.source_path],
        title=values[documents.c.title],
        author=values[documents.c.author],
        language=values[documents.c.language],
        current_version_id=values[documents.c.current_version_id],
        status=VersionStatus(values[documents.c.status]),
        withdrawn_at=values[documents.c.withdrawn_at],
    )
