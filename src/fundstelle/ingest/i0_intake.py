"""Phase I0, intake: keep the bytes, and find out what has to be done with them.

Bytes are read once, into the blob store; every later step reads from there, so a file that changes
or vanishes meanwhile cannot matter. This module decides; it reads no text.
"""

from dataclasses import dataclass, replace
from enum import Enum

from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.identity import CollectionId, DocumentId, VersionId, document_id, version_id
from fundstelle.ingest.sources import FileSource, Source
from fundstelle.ports.records import CollectionRecord, DocumentRecord, Event, StoredBlob, VersionRecord
from fundstelle.ports.storing import BlobStore, Database, UnitOfWork

FINISHED = frozenset({VersionStatus.INDEXED, VersionStatus.PARTIAL})
"""Statuses of a version that the index holds."""

_STEPS = {
    VersionStatus.PENDING: 1,
    VersionStatus.CHUNKED: 2,
    VersionStatus.INDEXED: 3,
    VersionStatus.PARTIAL: 3,
}


class Todo(Enum):
    """Say what is left to do with a source."""

    READ = "read"
    CONTINUE = "continue"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Intake:
    """Hold a source with its kept bytes and the place where it belongs.

    Args:
        ordinal: The ordinal that a new version gets.
        document: As stored, None for a new one.
        version: As stored, None for a new one.
        identical_to: The document that has these bytes already.
    """

    source: Source
    blob: StoredBlob
    collection_id: CollectionId
    document_id: DocumentId
    version_id: VersionId
    ordinal: int
    document: DocumentRecord | None
    version: VersionRecord | None
    todo: Todo
    identical_to: DocumentId | None = None


def reached(status: VersionStatus, goal: VersionStatus) -> bool:
    """Tell whether a version has come as far as is wanted; a failed one never has."""
    return _STEPS.get(status, 0) >= _STEPS[goal]


def take_in(
    source: Source,
    collection: CollectionRecord,
    goal: VersionStatus,
    *,
    database: Database,
    blobs: BlobStore,
    max_bytes: int,
) -> Intake:
    """Keep the bytes of a source and decide what to do.

    - The same bytes as the newest version of the same document, or of another one in the collection
      when the source is new: nothing, or whatever of it is unfinished.
    - A withdrawn document is restored; bytes that were replaced by others count as newest again.
    - Other bytes under the same path or title: a new version.

    Raises:
        SourceError: The file cannot be read.
        SourceTooLargeError: It is over the limit.
    """
    if isinstance(source, FileSource):
        blob = blobs.put_file(source.path, max_bytes)
    else:
        blob = blobs.put_bytes(source.text.encode("utf-8", "backslashreplace"))
    with database.read() as unit:
        intake = _decide(unit, source, blob, collection.collection_id, goal)
    if intake.todo is not Todo.READ and _has_to_return(intake):
        return _let_return(intake, goal, database)
    return intake


def _decide(
    unit: UnitOfWork, source: Source, blob: StoredBlob, collection: CollectionId, goal: VersionStatus
) -> Intake:
    own = document_id(collection, source.key)
    document = unit.documents.find(own)
    twin = None if document else unit.documents.with_content(collection, blob.content_hash)
    document = document or twin
    key = document.document_id if document else own
    versions = unit.versions.of_document(key)
    version = unit.versions.find(version_id(key, blob.content_hash))
    newest = versions[0].ordinal if versions else 0
    is_newest = version is not None and version.ordinal == newest
    return _with_todo(
        Intake(
            source=source,
            blob=blob,
            collection_id=collection,
            document_id=key,
            version_id=version_id(key, blob.content_hash),
            ordinal=newest if is_newest else newest + 1,
            document=document,
            version=version,
            todo=Todo.READ,
            identical_to=twin.document_id if twin else None,
        ),
        goal,
    )


def _with_todo(intake: Intake, goal: VersionStatus) -> Intake:
    """Say what has still to be done of an intake that is taken as unread."""
    document, version = intake.document, intake.version
    if version is None or document is None or version.status is VersionStatus.FAILED:
        return intake
    visible = document.withdrawn_at is None and (
        version.status not in FINISHED or document.current_version_id == version.version_id
    )
    if visible and reached(version.status, goal):
        return replace(intake, todo=Todo.NOTHING, identical_to=intake.document_id)
    return replace(intake, todo=Todo.CONTINUE)


def _has_to_return(intake: Intake) -> bool:
    """Tell whether stored bytes were out of sight: withdrawn, or replaced by others since."""
    assert intake.document is not None
    assert intake.version is not None
    return intake.document.withdrawn_at is not None or intake.version.ordinal != intake.ordinal


def _let_return(intake: Intake, goal: VersionStatus, database: Database) -> Intake:
    with database.write() as unit:
        again = _decide(unit, intake.source, intake.blob, intake.collection_id, goal)
        if again.document is None or again.version is None or again.todo is Todo.READ:
            return again
        document, version = bring_back(unit, again.document, again.version, again.ordinal)
        unit.commit()
    return replace(again, document=document, version=version)


def bring_back(
    unit: UnitOfWork, document: DocumentRecord, version: VersionRecord, ordinal: int
) -> tuple[DocumentRecord, VersionRecord]:
    """Make a stored version the newest of a document that is not withdrawn.

    A version that the index does not hold now goes back to `chunked`, so that the import, or a later
    `resume`, puts it there; queries see it only then.
    """
    was_withdrawn = document.withdrawn_at is not None
    indexed = version.status in FINISHED and document.current_version_id == version.version_id
    status = version.status
    if status in FINISHED and (was_withdrawn or not indexed):
        status = VersionStatus.CHUNKED
    version = replace(version, ordinal=ordinal, status=status)
    document = replace(
        document,
        status=status,
        withdrawn_at=None,
        current_version_id=None if was_withdrawn else document.current_version_id,
    )
    unit.versions.save(version)
    unit.documents.save(document)
    if was_withdrawn:
        unit.events.record([Event("restored", document.document_id, f"'{document.filename}' counts again.")])
    return document, version
