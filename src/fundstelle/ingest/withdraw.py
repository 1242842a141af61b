"""Take a document out of the answers, and let it in again; its rows stay, so that old answers resolve.

SQL withdraws first and for good; the index follows.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.errors import NotFoundError, ServiceError
from fundstelle.domain.identity import DocumentId
from fundstelle.ingest.i0_intake import bring_back
from fundstelle.ingest.i5_index import finish_removals
from fundstelle.ingest.results import ImportProgress, ImportResult, Silent
from fundstelle.ingest.run import ImportRun
from fundstelle.ingest.tools import ImportTools, IndexTools
from fundstelle.ports.records import DocumentRecord, Event, WorkStatus
from fundstelle.ports.storing import Database, UnitOfWork

_SILENT = Silent()


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Report a withdrawal.

    Args:
        points_removed: Points that left the index.
        error: Why the index has still to follow; queries do not see the document all the same.
    """

    document: DocumentRecord
    points_removed: int
    error: str | None = None


def withdraw(
    document_id: DocumentId, *, at: datetime, database: Database, indexing: IndexTools | None
) -> Withdrawal:
    """Withdraw a document; nothing happens when it is withdrawn already.

    Args:
        indexing: None leaves the index to the next import, resume or reconcile.

    Raises:
        NotFoundError: There is no such document.
    """
    with database.write(durable=True) as unit:
        document = _document(unit, document_id)
        if document.withdrawn_at is None:
            document = replace(document, withdrawn_at=at)
            unit.documents.save(document)
            versions = [version.version_id for version in unit.versions.of_document(document_id)]
            unit.windows.mark_all(versions, WorkStatus.INDEXED, WorkStatus.REMOVING)
            unit.events.record([Event("withdrawn", document_id, f"'{document.filename}' counts no more.")])
            unit.commit()
    try:
        removed = finish_removals(database, indexing) if indexing is not None else 0
    except ServiceError as error:
        return Withdrawal(document, 0, str(error))
    return Withdrawal(document, removed)


def restore(
    document_id: DocumentId, *, tools: ImportTools, progress: ImportProgress = _SILENT
) -> ImportResult:
    """Let a withdrawn document count again, in its newest version that could be read, and index it.

    Its vectors are kept, so nothing is embedded unless the model has changed.

    Raises:
        NotFoundError: There is no such document, or nothing of it was ever stored.
        ModelMismatchError: The collection was indexed with another model.
    """
    with tools.database.write(durable=True) as unit:
        document = _document(unit, document_id)
        versions = unit.versions.of_document(document_id)
        if not versions:
            raise NotFoundError(f"Nothing is stored of the document {document_id}.", "Import it again.")
        collection = unit.collections.get(document.collection_id)
        # A newer version that could not be read never counted; it must not hide the one that did.
        version = next((one for one in versions if one.status is not VersionStatus.FAILED), versions[0])
        if document.withdrawn_at is not None:
            ordinal = versions[0].ordinal
            bring_back(unit, document, version, ordinal if version is versions[0] else ordinal + 1)
            unit.commit()
    goal = VersionStatus.INDEXED if tools.indexing is not None else VersionStatus.CHUNKED
    with ImportRun(tools, goal, collection, progress) as run:
        results = [*run.carry_on(version.version_id), *run.finish()]
    return results[0]


def _document(unit: UnitOfWork, document_id: DocumentId) -> DocumentRecord:
    document = unit.documents.find(document_id)
    if document is None:
        raise NotFoundError(f"There is no document with the id {document_id}.")
    return document
