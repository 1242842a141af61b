"""Compare the index with SQL, by point id and hash of the text, in both directions; repair on request.

SQL is right. Both sides are read in batches; memory grows with the number of differences, not with size.
"""

from collections.abc import Collection, Iterator, Sequence

from fundstelle.domain.criteria import Problem
from fundstelle.domain.errors import NotFoundError
from fundstelle.domain.identity import PointId, VersionId
from fundstelle.ingest.i5_index import (
    POINTS_AT_ONCE,
    Target,
    finish_removals,
    target_of,
    write_points,
)
from fundstelle.ingest.recovery import check_model, recover_index
from fundstelle.ingest.reindex import BUILDING, REPLACED
from fundstelle.ingest.results import AuditReport
from fundstelle.ingest.tools import IndexTools
from fundstelle.ports.records import CollectionRecord, Event, WorkStatus
from fundstelle.ports.storing import Database

_POINTS_AT_ONCE = 1_000
_POINTS_IN_MEMORY = 200_000
_DIGITS = "0123456789abcdef"
_AFTER_ALL = "~"


def reconcile(
    collection: str | None, *, repair: bool, database: Database, indexing: IndexTools
) -> AuditReport:
    """Compare the indexes of one collection, or of all, with SQL.

    Raises:
        NotFoundError: There is no such collection.
        ModelMismatchError: It was indexed with another model.
        ServiceError: The index does not answer.
    """
    report = AuditReport()
    with database.read() as unit:
        collections = [c for c in unit.collections.all() if collection in (None, c.name)]
    if collection is not None and not collections:
        raise NotFoundError(f"There is no collection '{collection}'.")
    for record in collections:
        if record.index_name is not None:
            check_model(record, indexing)
            _reconcile(record, report, database, indexing, repair=repair)
    return report


def _reconcile(
    collection: CollectionRecord,
    report: AuditReport,
    database: Database,
    indexing: IndexTools,
    *,
    repair: bool,
) -> None:
    target = target_of(collection, indexing.model_id)
    if repair:
        recover_index(collection, database, indexing)
        finish_removals(database, indexing)
        _drop_left_overs(target, database, indexing)
    repaired = report.repaired
    matched, outdated = _check_index(target, report, database, indexing, repair=repair)
    with database.read() as unit:
        wanted = unit.projection.count(collection.collection_id, indexing.model_id)
    if matched != wanted:
        _check_sql(target, wanted, outdated, report, database, indexing, repair=repair)
    if report.repaired > repaired:
        with database.write() as unit:
            detail = f"{report.repaired - repaired} differences between index and database were repaired."
            unit.events.record([Event("reconciled", target.index_name, detail)])
            unit.commit()


def _drop_left_overs(target: Target, database: Database, indexing: IndexTools) -> None:
    """Remove what an interrupted `reindex` has left beside the index in use."""
    with database.read() as unit:
        events = unit.events.of(target.collection.collection_id)
    names = {event.detail for event in events if event.event in (BUILDING, REPLACED)}
    for name in sorted(names - {target.index_name}):
        indexing.index.drop(name)


def _check_index(
    target: Target, report: AuditReport, database: Database, indexing: IndexTools, *, repair: bool
) -> tuple[int, set[PointId]]:
    """Look at every point of the index.

    Returns:
        How many are as SQL wants them, and which hold another text; a repair has removed those.
    """
    matched = 0
    doomed: list[PointId] = []
    outdated: set[PointId] = set()
    for batch in indexing.index.stamps(target.index_name):
        with database.read() as unit:
            wanted = unit.projection.wanted(target.collection.collection_id, indexing.model_id, list(batch))
        report.checked += len(batch)
        for point, stamp in batch.items():
            if point not in wanted:
                detail = "It is in the index, and no visible window needs it."
                report.add(Problem("points_wanted", point, detail), repaired=repair)
                doomed.append(point)
            elif wanted[point] != stamp:
                detail = "The index holds another text than the database."
                report.add(Problem("points_current", point, detail), repaired=repair)
                outdated.add(point)
            else:
                matched += 1
    doomed += sorted(outdated)
    if repair:
        for start in range(0, len(doomed), _POINTS_AT_ONCE):
            indexing.index.write(target.index_name, [], doomed[start : start + _POINTS_AT_ONCE])
    return matched, outdated


def _check_sql(
    target: Target,
    wanted: int,
    outdated: Collection[PointId],
    report: AuditReport,
    database: Database,
    indexing: IndexTools,
    *,
    repair: bool,
) -> None:
    """Find the wanted points that are not in the index."""
    if repair:
        indexing.index.ensure(target.index_name, indexing.embedder.identity.dimension)
    for low, high in _ranges(wanted):
        present = {
            point
            for batch in indexing.index.stamps(target.index_name)
            for point in batch
            if low < point < high
        }
        for rows in _wanted(target, low, high, database, indexing):
            missing = [(point, version) for point, _, version in rows if point not in present]
            for point in (point for point, _ in missing if point not in outdated):
                detail = "The database has it as indexed, and it is not in the index."
                report.add(Problem("points_present", point, detail), repaired=repair)
            report.checked += len(missing)
            if repair:
                _write_again(target, missing, database, indexing)


def _ranges(count: int) -> Iterator[tuple[str, str]]:
    """Cut the ids into ranges of which each fits into memory."""
    if count <= _POINTS_IN_MEMORY:
        yield "", _AFTER_ALL
        return
    borders = [first + second for first in _DIGITS for second in _DIGITS]
    yield from zip(["", *borders[1:]], [*borders[1:], _AFTER_ALL], strict=True)


def _wanted(
    target: Target, low: str, high: str, database: Database, indexing: IndexTools
) -> Iterator[Sequence[tuple[PointId, str, VersionId]]]:
    after = low
    while True:
        with database.read() as unit:
            rows = unit.projection.wanted_range(
                target.collection.collection_id, indexing.model_id, after, high, _POINTS_AT_ONCE
            )
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def _write_again(
    target: Target,
    missing: Sequence[tuple[PointId, VersionId]],
    database: Database,
    indexing: IndexTools,
) -> None:
    points = {point for point, _ in missing}
    for version_id in sorted({version for _, version in missing}):
        with database.read() as unit:
            version = unit.versions.find(version_id)
            chunker = (version.chunker if version else None) or ""
            windows = [
                window
                for window in unit.windows.projected(
                    version_id, indexing.model_id, chunker, (WorkStatus.INDEXED,)
                )
                if window.window.point_id in points
            ]
        for start in range(0, len(windows), POINTS_AT_ONCE):
            write_points(target, windows[start : start + POINTS_AT_ONCE], database, indexing)
