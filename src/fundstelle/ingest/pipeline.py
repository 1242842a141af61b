"""The import as use cases: files and folders, typed text, and whatever is unfinished.

The only place that lists the phases in order and decides what happens when one fails:
- what is wrong with one document becomes its result, and is stored with the version;
- when embedder or index do not answer, chunks stay as they are, every result says so, and `resume`
  carries on later;
- when the database or the disk refuses, the run ends; what was committed is safe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from fundstelle.domain.documents import MediaType, VersionStatus
from fundstelle.domain.errors import NotFoundError, UsageError
from fundstelle.domain.identity import VersionId, collection_id
from fundstelle.ingest.results import ImportProgress, ImportResult, Silent
from fundstelle.ingest.run import ImportRun
from fundstelle.ingest.sources import Refusal, TextSource, walk
from fundstelle.ingest.tools import ImportTools
from fundstelle.ports.records import CollectionRecord
from fundstelle.ports.storing import Database

_SILENT = Silent()
_GOALS = (VersionStatus.PENDING, VersionStatus.CHUNKED, VersionStatus.INDEXED)
_VERSIONS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Ask for files and folders to be imported.

    Args:
        collection: Name of the collection; made when it is not there.
        until: Stop each document there: pending, chunked or indexed.
        password: Tried on every encrypted file.
        own_folder: The data folder, passed over where a named folder contains it.
    """

    paths: Sequence[Path]
    collection: str
    until: VersionStatus = VersionStatus.INDEXED
    password: str | None = None
    own_folder: Path | None = None


@dataclass(frozen=True, slots=True)
class TextRequest:
    """Ask for a typed text to be imported; the title is what it is known by."""

    title: str
    text: str
    collection: str
    media_type: MediaType = MediaType.TEXT
    until: VersionStatus = VersionStatus.INDEXED


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """Ask for everything unfinished to be carried on.

    Args:
        collection: Name of a collection; None for all.
    """

    collection: str | None = None
    until: VersionStatus = VersionStatus.INDEXED


def import_paths(
    request: ImportRequest, *, tools: ImportTools, progress: ImportProgress = _SILENT
) -> Iterator[ImportResult]:
    """Import files and folders; gives one result for each document, as it is done.

    Raises:
        UsageError: The goal is no goal, or the collection has no name.
        ModelMismatchError: The collection was indexed with another model.
        StorageError: The database or the disk refuses.
    """
    collection = _prepare(request.collection, request.until, tools)
    with ImportRun(tools, request.until, collection, progress) as run:
        for found in walk(request.paths, own_folder=request.own_folder):
            if isinstance(found, Refusal):
                yield run.refuse(found)
            else:
                yield from run.take(found, request.password)
        yield from run.finish()


def import_text(
    request: TextRequest, *, tools: ImportTools, progress: ImportProgress = _SILENT
) -> ImportResult:
    """Import a typed text.

    Raises:
        UsageError: The title is empty, or the goal is no goal.
        ModelMismatchError: The collection was indexed with another model.
        StorageError: The database or the disk refuses.
    """
    if not request.title.strip():
        raise UsageError("A typed text needs a title.", "Give it one; the text is known by it.")
    collection = _prepare(request.collection, request.until, tools)
    source = TextSource(request.title.strip(), request.text, request.media_type)
    with ImportRun(tools, request.until, collection, progress) as run:
        results = [*run.take(source, None), *run.finish()]
    return results[0]


def resume(
    request: ResumeRequest, *, tools: ImportTools, progress: ImportProgress = _SILENT
) -> Iterator[ImportResult]:
    """Carry on with every version that is stored and has not come as far as is wanted.

    Raises:
        NotFoundError: There is no such collection.
        ModelMismatchError: A collection was indexed with another model.
        StorageError: The database or the disk refuses.
    """
    _check_goal(request.until, tools)
    for collection in _collections(request.collection, tools.database):
        unfinished = _unfinished(collection, request.until, tools.database)
        first = next(unfinished, None)
        if first is None and not _has_removals(collection, tools.database):
            continue
        with ImportRun(tools, request.until, collection, progress) as run:
            for version_id in chain([first] if first else [], unfinished):
                yield from run.carry_on(version_id)
            yield from run.finish()


def _prepare(name: str, until: VersionStatus, tools: ImportTools) -> CollectionRecord:
    _check_goal(until, tools)
    if not name.strip():
        raise UsageError("A collection needs a name.")
    with tools.database.read() as unit:
        collection = unit.collections.by_name(name)
    if collection is None:
        collection = CollectionRecord(collection_id(name), name, name)
        with tools.database.write() as unit:
            unit.collections.add(collection)
            unit.commit()
    return collection


def _check_goal(until: VersionStatus, tools: ImportTools) -> None:
    if until not in _GOALS:
        raise UsageError(f"An import cannot stop at '{until}'.", f"Possible are: {', '.join(_GOALS)}.")
    if until is VersionStatus.INDEXED and tools.indexing is None:
        raise UsageError("Without embedder and index an import cannot go on to 'indexed'.")


def _collections(name: str | None, database: Database) -> tuple[CollectionRecord, ...]:
    with database.read() as unit:
        if name is None:
            return unit.collections.all()
        collection = unit.collections.by_name(name)
    if collection is None:
        raise NotFoundError(f"There is no collection '{name}'.")
    return (collection,)


def _has_removals(collection: CollectionRecord, database: Database) -> bool:
    with database.read() as unit:
        waiting = unit.removals.versions(_VERSIONS_AT_ONCE)
    return any(collection_id == collection.collection_id for collection_id, _ in waiting)


def _unfinished(
    collection: CollectionRecord, until: VersionStatus, database: Database
) -> Iterator[VersionId]:
    statuses = [VersionStatus.PENDING]
    if until is VersionStatus.INDEXED:
        statuses.append(VersionStatus.CHUNKED)
    after: VersionId | None = None
    while until is not VersionStatus.PENDING:
        with database.read() as unit:
            batch = unit.versions.with_status(statuses, collection.collection_id, after, _VERSIONS_AT_ONCE)
        if not batch:
            return
        yield from batch
        after = batch[-1]
