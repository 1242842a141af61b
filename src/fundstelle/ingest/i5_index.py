"""Phase I5: write the points of versions whose vectors are there, then let queries see them.

Points go first, SQL follows, so that SQL never says `indexed` of what is not there; every write can
be repeated. One durable transaction makes a version visible. What must leave the index is first
withdrawn in SQL (`removing`), then removed, then settled; a crash in between is made good by the next
import or `resume`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from fundstelle.domain.bm25 import searchable_text
from fundstelle.domain.documents import Verdict, VersionStatus
from fundstelle.domain.errors import CriterionError
from fundstelle.domain.identity import CollectionId, ModelId, PointId, TextHash, VersionId
from fundstelle.ingest.jobs import VersionJob
from fundstelle.ingest.tools import IndexTools
from fundstelle.ports.embedding import Vectors
from fundstelle.ports.indexing import IndexPoint
from fundstelle.ports.records import CollectionRecord, ProjectedWindow, VersionRecord, WorkStatus
from fundstelle.ports.storing import Database, UnitOfWork

POINTS_AT_ONCE = 256
_VERSIONS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Target:
    """Name an index and the collection it belongs to."""

    index_name: str
    collection: CollectionRecord


def target_of(collection: CollectionRecord, model_id: ModelId) -> Target:
    """Name the index of a collection: the one in use, or the first one."""
    return Target(collection.index_name or index_name(collection.collection_id, model_id, 1), collection)


def index_name(collection_id: CollectionId, model_id: ModelId, generation: int) -> str:
    """Name an index after its collection, its model, and how often it was built anew."""
    return f"{collection_id}-{model_id}-{generation}"


def generation_of(index: str) -> int:
    """Read from the name of an index how often it was built anew."""
    tail = index.rpartition("-")[2]
    return int(tail) if tail.isdecimal() else 0


def write_versions(jobs: Sequence[VersionJob], database: Database, indexing: IndexTools) -> None:
    """Write the points of versions, of one collection, that are not in the index yet.

    Raises:
        ServiceError: The index does not answer.
        CriterionError: A window has no vector.
    """
    if not jobs:
        return
    target = target_of(jobs[0].collection, indexing.model_id)
    indexing.index.ensure(target.index_name, indexing.embedder.identity.dimension)
    with database.read() as reader:
        pending = chain.from_iterable(_pending(reader, job, indexing.model_id) for job in jobs)
        while batch := list(islice(pending, POINTS_AT_ONCE)):
            write_points(target, batch, database, indexing)
            with database.write() as unit:
                for version_id, points in _by_version(batch):
                    unit.windows.mark(version_id, points, WorkStatus.INDEXED)
                unit.commit()


def _pending(unit: UnitOfWork, job: VersionJob, model_id: ModelId) -> Iterator[ProjectedWindow]:
    version = job.version
    waiting = (WorkStatus.PENDING, WorkStatus.REMOVING)
    return unit.windows.projected(version.version_id, model_id, version.chunker or "", waiting)


def write_points(
    target: Target, windows: Sequence[ProjectedWindow], database: Database, indexing: IndexTools
) -> None:
    """Write the points of windows into an index.

    Raises:
        ServiceError: The index does not answer.
        CriterionError: A window has no vector.
    """
    with database.read() as unit:
        vectors = unit.embeddings.fetch(indexing.model_id, {w.window.text_hash for w in windows})
    points = [_point(window, vectors, target, indexing) for window in windows]
    indexing.index.write(target.index_name, points)


def _point(
    projected: ProjectedWindow, vectors: Mapping[TextHash, Vectors], target: Target, indexing: IndexTools
) -> IndexPoint:
    window = projected.window
    vector = vectors.get(window.text_hash)
    if vector is None:
        raise CriterionError("I5", "points_have_vectors", f"{window.point_id}: its text has no vector.")
    searched = searchable_text(projected.document_title, projected.heading_path, projected.content)
    return IndexPoint(
        point_id=window.point_id,
        dense=vector,
        sparse=indexing.encode_document(searched),
        chunk_id=window.chunk_id,
        document_id=projected.document_id,
        version_id=projected.version_id,
        document_title=projected.document_title,
        collection=target.collection.name,
        window_index=window.window_index,
        text_hash=window.text_hash,
        content=projected.content,
    )


def _by_version(windows: Iterable[ProjectedWindow]) -> Iterator[tuple[VersionId, list[PointId]]]:
    found: dict[VersionId, list[PointId]] = {}
    for window in windows:
        found.setdefault(window.version_id, []).append(window.window.point_id)
    yield from found.items()


def make_visible(job: VersionJob, database: Database, indexing: IndexTools) -> VersionJob:
    """Let queries see a version whose points are all written, in place of the one before.

    A version that is not the newest of its document any more stays as it is, and its points leave.

    Raises:
        CriterionError: A window is not in the index yet.
    """
    status = VersionStatus.INDEXED if job.version.verdict is Verdict.OK else VersionStatus.PARTIAL
    version = replace(job.version, status=status)
    key = version.version_id
    with database.write(durable=True) as unit:
        _check_indexed(unit, version, indexing.model_id)
        others = [other.version_id for other in unit.versions.of_document(version.document_id)]
        if others[0] != key:
            unit.windows.mark_all([key], WorkStatus.INDEXED, WorkStatus.REMOVING)
            unit.commit()
            return job
        document = replace(
            unit.documents.find(version.document_id) or job.document,
            current_version_id=key,
            status=status,
            title=version.title or job.document.title,
            author=version.author,
            language=version.language,
        )
        unit.versions.save(version)
        unit.documents.save(document)
        unit.windows.mark_all(others[1:], WorkStatus.INDEXED, WorkStatus.REMOVING)
        unit.chunks.settle(key, indexing.model_id)
        collection = _use_index(unit, job.collection, indexing.model_id)
        unit.commit()
    return replace(job, version=version, document=document, collection=collection)


def _check_indexed(unit: UnitOfWork, version: VersionRecord, model_id: ModelId) -> None:
    windows = unit.windows.of_version(version.version_id, model_id, version.chunker or "")
    missing = sum(window.status is not WorkStatus.INDEXED for window in windows)
    if missing:
        raise CriterionError(
            "I5", "windows_indexed", f"{version.version_id}: {missing} are not in the index."
        )


def _use_index(unit: UnitOfWork, collection: CollectionRecord, model_id: ModelId) -> CollectionRecord:
    stored = unit.collections.get(collection.collection_id)
    if stored.index_name is not None:
        return stored
    name = target_of(stored, model_id).index_name
    unit.collections.use_index(stored.collection_id, name, model_id)
    return replace(stored, index_name=name, model_id=model_id)


def finish_removals(database: Database, indexing: IndexTools) -> int:
    """Remove from the index what SQL has withdrawn, except points that another version needs.

    Returns:
        How many points were removed.

    Raises:
        ServiceError: The index does not answer.
    """
    removed = 0
    while True:
        with database.read() as unit:
            waiting = unit.removals.versions(_VERSIONS_AT_ONCE)
        if not waiting:
            return removed
        for collection_id, version_id in waiting:
            removed += _remove(collection_id, version_id, database, indexing)


def _remove(
    collection_id: CollectionId, version_id: VersionId, database: Database, indexing: IndexTools
) -> int:
    with database.read() as unit:
        collection = unit.collections.get(collection_id)
        points = unit.removals.points(version_id)
        wanted = unit.projection.wanted(collection_id, collection.model_id or indexing.model_id, points)
    unwanted = [point for point in points if point not in wanted]
    index = target_of(collection, indexing.model_id).index_name
    indexing.index.ensure(index, indexing.embedder.identity.dimension)
    indexing.index.write(index, [], unwanted)
    with database.write() as unit:
        unit.windows.mark_all([version_id], WorkStatus.REMOVING, WorkStatus.PENDING)
        unit.chunks.settle(version_id, indexing.model_id)
        unit.commit()
    return len(unwanted)
