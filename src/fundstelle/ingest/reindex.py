"""Build the index of a collection anew beside the old one, check it, and switch over.

Vectors come from SQL; only what has none is embedded: after a change of the model, of the sizes of
chunks or windows, or of the chunker. Until the switch, queries use the old index and the old chunks;
the switch is one transaction. Old chunks stay, marked as superseded, so that old answers resolve.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from fundstelle.domain.criteria import Problem
from fundstelle.domain.errors import CriterionError, NotFoundError
from fundstelle.domain.identity import VersionId
from fundstelle.ingest.chunking import make_chunks
from fundstelle.ingest.i4_embedding import EmbeddingQueue
from fundstelle.ingest.i4_windows import plan_windows
from fundstelle.ingest.i5_index import POINTS_AT_ONCE, Target, generation_of, index_name, write_points
from fundstelle.ingest.results import AuditReport, ImportProgress, Silent
from fundstelle.ingest.tools import ImportTools, IndexTools
from fundstelle.ports.records import CollectionRecord, Event, WorkStatus
from fundstelle.ports.storing import Database, UnitOfWork

BUILDING = "building"
REPLACED = "replaced"
"""Events of a collection that name, as their detail, an index made or left by a rebuild."""

_SILENT = Silent()
_VERSIONS_AT_ONCE = 5_000
_ANY_STATUS = (WorkStatus.PENDING, WorkStatus.INDEXED, WorkStatus.REMOVING)


def reindex(
    collection: str | None,
    *,
    tools: ImportTools,
    indexing: IndexTools,
    progress: ImportProgress = _SILENT,
) -> AuditReport:
    """Build the index of one collection, or of all that have one, anew with the model and sizes of now.

    Returns:
        How many points were written and checked; without problems, because the old index stays in use
        when there is one.

    Raises:
        NotFoundError: There is no such collection.
        ServiceError: Embedder or index do not answer; the old index stays in use.
        CriterionError: The new index does not hold what it must; the old one stays in use.
    """
    report = AuditReport()
    with tools.database.read() as unit:
        collections = [c for c in unit.collections.all() if collection in (None, c.name)]
    if collection is not None and not collections:
        raise NotFoundError(f"There is no collection '{collection}'.")
    for record in collections:
        if record.index_name is not None:
            _prepare(record, tools, indexing, progress)
            target = _build(record, tools, indexing)
            report.checked += _check(target, tools, indexing)
            _switch(record, target, tools, indexing)
    return report


def _prepare(
    collection: CollectionRecord, tools: ImportTools, indexing: IndexTools, progress: ImportProgress
) -> None:
    """See to it that every visible version has chunks, windows and vectors as they should be now."""
    with EmbeddingQueue(tools.database, indexing, tools.settings.batch_size) as queue:
        for version_id in _live(collection, tools.database):
            _stage_chunks(version_id, tools)
            queue.add(version_id, plan_windows(version_id, tools, indexing).texts)
            queue.advance(wait=queue.is_full)
            progress.windows(queue.done, queue.total)
        while queue.is_busy:
            queue.advance(wait=True, last=True)
            progress.windows(queue.done, queue.total)
        if queue.failure is not None:
            raise queue.failure


def _stage_chunks(version_id: VersionId, tools: ImportTools) -> None:
    """Chunk a version anew where the chunker has changed; queries do not see these chunks yet."""
    chunker = tools.settings.chunker
    with tools.database.read() as unit:
        version = unit.versions.find(version_id)
    if version is None or version.chunker == chunker:
        return
    chunks = make_chunks(version, tools)
    with tools.database.write() as unit:
        unit.chunks.write(version, chunks, chunker, in_force=False)
        unit.commit()


def _build(collection: CollectionRecord, tools: ImportTools, indexing: IndexTools) -> Target:
    generation = generation_of(collection.index_name or "") + 1
    name = index_name(collection.collection_id, indexing.model_id, generation)
    target = Target(name, collection)
    with tools.database.write() as unit:
        unit.events.record([Event(BUILDING, collection.collection_id, name)])
        unit.commit()
    indexing.index.drop(name)  # what an interrupted attempt may have left
    indexing.index.ensure(name, indexing.embedder.identity.dimension)
    for version_id in _live(collection, tools.database):
        with tools.database.read() as unit:
            windows = unit.windows.projected(
                version_id, indexing.model_id, tools.settings.chunker, _ANY_STATUS
            )
            while batch := list(islice(windows, POINTS_AT_ONCE)):
                write_points(target, batch, tools.database, indexing)
    return target


def _check(target: Target, tools: ImportTools, indexing: IndexTools) -> int:
    """Compare the new index with what SQL has planned; give the number of points."""
    key, chunker = target.collection.collection_id, tools.settings.chunker
    counted = 0
    for batch in indexing.index.stamps(target.index_name):
        with tools.database.read() as unit:
            planned = unit.projection.wanted(key, indexing.model_id, list(batch), chunker)
        wrong = [point for point, stamp in batch.items() if planned.get(point) != stamp]
        if wrong:
            raise _criterion(Problem("points_current", wrong[0], "The new index holds another text."))
        counted += len(batch)
    with tools.database.read() as unit:
        expected = unit.projection.count(key, indexing.model_id, chunker)
    if counted != expected:
        detail = f"The new index holds {counted} points and should hold {expected}."
        raise _criterion(Problem("points_present", target.index_name, detail))
    return counted


def _criterion(problem: Problem) -> CriterionError:
    return CriterionError("I5", problem.criterion, f"{problem.id}: {problem.detail}")


def _switch(collection: CollectionRecord, target: Target, tools: ImportTools, indexing: IndexTools) -> None:
    with tools.database.write(durable=True) as unit:
        live = list(_live_in(unit, collection))
        for version_id in live:
            _put_in_force(unit, version_id, tools.settings.chunker)
        unit.projection.adopt(collection.collection_id, indexing.model_id)
        for version_id in live:
            unit.chunks.settle(version_id, indexing.model_id)
        unit.collections.use_index(collection.collection_id, target.index_name, indexing.model_id)
        unit.events.record([Event(REPLACED, collection.collection_id, collection.index_name or "")])
        unit.commit()
    if collection.index_name is not None:
        indexing.index.drop(collection.index_name)


def _put_in_force(unit: UnitOfWork, version_id: VersionId, chunker: str) -> None:
    version = unit.versions.find(version_id)
    if version is not None and version.chunker != chunker:
        unit.chunks.put_in_force(version_id, chunker)
        unit.versions.save(replace(version, chunker=chunker))


def _live(collection: CollectionRecord, database: Database) -> Iterator[VersionId]:
    after: VersionId | None = None
    while True:
        with database.read() as unit:
            batch = unit.documents.live_versions(collection.collection_id, after, _VERSIONS_AT_ONCE)
        if not batch:
            return
        yield from batch
        after = batch[-1]


def _live_in(unit: UnitOfWork, collection: CollectionRecord) -> Iterator[VersionId]:
    after: VersionId | None = None
    while batch := unit.documents.live_versions(collection.collection_id, after, _VERSIONS_AT_ONCE):
        yield from batch
        after = batch[-1]
