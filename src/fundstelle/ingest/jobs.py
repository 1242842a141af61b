"""A version on its way through the import, and the records that the steps leave when they fail."""

from dataclasses import dataclass, replace

from fundstelle.domain.documents import Verdict, VersionStatus
from fundstelle.domain.errors import CriterionError, FundstelleError, NotFoundError
from fundstelle.domain.identity import VersionId
from fundstelle.ingest.i0_intake import Intake
from fundstelle.ports.records import CollectionRecord, DocumentRecord, Event, VersionRecord
from fundstelle.ports.storing import Database, UnitOfWork

UNKNOWN_MEDIA_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class VersionJob:
    """Hold a stored version that the import works on.

    Args:
        started_s: When work began, on the timer of the tools.
        given_name: The name under which the source was given, where it may differ from the document's:
            the same bytes can stand at several places.
    """

    collection: CollectionRecord
    document: DocumentRecord
    version: VersionRecord
    started_s: float
    given_name: str | None = None

    @property
    def filename(self) -> str:
        """Give the name by which whoever asked for the import knows it."""
        return self.given_name or self.document.filename


def load_job(database: Database, version_id: VersionId, started_s: float) -> VersionJob:
    """Read what a job needs of a stored version.

    Raises:
        NotFoundError: There is no such version.
    """
    with database.read() as unit:
        version = unit.versions.find(version_id)
        document = unit.documents.find(version.document_id) if version else None
        if version is None or document is None:
            raise NotFoundError(f"There is no version with the id {version_id}.")
        return VersionJob(unit.collections.get(document.collection_id), document, version, started_s)


def new_version(intake: Intake, media_type: str, verdict: Verdict, detail: str) -> VersionRecord:
    """Make the record of a version about which nothing else is known yet."""
    return VersionRecord(
        version_id=intake.version_id,
        document_id=intake.document_id,
        content_hash=intake.blob.content_hash,
        ordinal=intake.ordinal,
        media_type=media_type,
        file_size=intake.blob.size_bytes,
        page_count=None,
        status=VersionStatus.PENDING,
        verdict=verdict,
        verdict_detail=detail,
    )


def save_version(unit: UnitOfWork, intake: Intake, version: VersionRecord) -> DocumentRecord:
    """Store a version as the newest of its document, making the document when it is new.

    While queries see an earlier version, title, author and language stay those of that one.
    """
    document = unit.documents.find(intake.document_id) or _new_document(intake, version.status)
    was_withdrawn = document.withdrawn_at is not None
    document = replace(
        document,
        status=version.status,
        withdrawn_at=None,
        current_version_id=None if was_withdrawn else document.current_version_id,
    )
    if document.current_version_id is None:
        title = version.title or document.title or intake.source.filename
        document = replace(document, title=title, author=version.author, language=version.language)
    unit.documents.save(document)
    unit.versions.save(version)
    if was_withdrawn:
        unit.events.record([Event("restored", document.document_id, f"'{document.filename}' counts again.")])
    return document


def _new_document(intake: Intake, status: VersionStatus) -> DocumentRecord:
    return DocumentRecord(
        document_id=intake.document_id,
        collection_id=intake.collection_id,
        filename=intake.source.filename,
        source_path=intake.source.key,
        title="",
        author=None,
        language=None,
        current_version_id=None,
        status=status,
    )


def store_failure(
    database: Database, intake: Intake, media_type: str | None, error: Exception
) -> tuple[DocumentRecord, VersionRecord]:
    """Store a version whose text could not be stored, with the phase, the cause and what to do."""
    phase = error.phase if isinstance(error, CriterionError) else "I1"
    version = replace(
        new_version(intake, media_type or UNKNOWN_MEDIA_TYPE, Verdict.DAMAGED, explain(phase, error)),
        status=VersionStatus.FAILED,
        failed_phase=phase,
        failure=explain(phase, error),
        title=intake.source.filename,
    )
    with database.write() as unit:
        document = save_version(unit, intake, version)
        unit.commit()
    return document, version


def fail(database: Database, version: VersionRecord, phase: str, error: Exception) -> VersionRecord:
    """Record that a stored version failed, with phase, cause and what to do."""
    failed = replace(version, status=VersionStatus.FAILED, failed_phase=phase, failure=explain(phase, error))
    with database.write() as unit:
        document = unit.documents.find(version.document_id)
        if (
            document is not None
            and unit.versions.of_document(version.document_id)[0].ordinal == version.ordinal
        ):
            unit.documents.save(replace(document, status=VersionStatus.FAILED))
        unit.versions.save(failed)
        unit.commit()
    return failed


def explain(phase: str, error: Exception) -> str:
    """Word an error for people; what is no error of ours is a bug and says so."""
    if isinstance(error, FundstelleError):
        return str(error)
    return (
        f"The program has a fault in phase {phase}: {type(error).__name__}: {error}. "
        "Nothing of this step was kept. Please report it with the document id."
    )
