"""One run of the import: takes sources one by one through the phases and gives results as they come.

Reading and chunking go document by document; embedding and indexing go in batches across documents,
so results come later than their sources and not always in their order.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from fundstelle.domain.documents import Verdict, VersionStatus
from fundstelle.domain.errors import (
    BusyError,
    CriterionError,
    ModelMismatchError,
    ServiceError,
    SourceError,
    SourceTooLargeError,
    StorageError,
    UnreadableError,
)
from fundstelle.domain.identity import DocumentId, VersionId, document_id
from fundstelle.ingest.chunking import store_chunks
from fundstelle.ingest.i0_intake import Intake, Todo, reached, take_in
from fundstelle.ingest.i1_text import read_text, store_text
from fundstelle.ingest.i4_embedding import EmbeddingQueue
from fundstelle.ingest.i4_windows import plan_windows
from fundstelle.ingest.i5_index import (
    POINTS_AT_ONCE,
    finish_removals,
    make_visible,
    target_of,
    write_versions,
)
from fundstelle.ingest.jobs import VersionJob, fail, load_job, store_failure
from fundstelle.ingest.recovery import check_model, recover_index
from fundstelle.ingest.results import ImportProgress, ImportResult
from fundstelle.ingest.sources import Refusal, Source
from fundstelle.ingest.tools import ImportTools, IndexTools
from fundstelle.ports.records import CollectionRecord, Event, VersionCounts

_NOTHING = VersionCounts(0, 0, 0, 0)
_WAITING = "Its chunks are stored and wait: run the import again when this works."
_OUTDATED = "A newer version of it was imported meanwhile; this one is kept and not indexed."


@dataclass(frozen=True, slots=True)
class _Follower:
    """Remember a source whose bytes are on their way already, under another name."""

    filename: str
    version_id: VersionId
    started_s: float


class ImportRun:
    """Take sources through the phases up to a goal; use it as a context manager.

    Args:
        indexing: What phases I4 and I5 work with; None stops before them.
    """

    def __init__(
        self,
        tools: ImportTools,
        goal: VersionStatus,
        collection: CollectionRecord,
        progress: ImportProgress,
    ) -> None:
        self._tools = tools
        self._goal = goal
        self._collection = collection
        self._progress = progress
        self._indexing: IndexTools | None = tools.indexing if goal is VersionStatus.INDEXED else None
        self._queue: EmbeddingQueue | None = None
        self._unavailable: ServiceError | None = None
        self._open: dict[VersionId, tuple[VersionJob, DocumentId | None]] = {}
        self._ready: list[VersionId] = []
        self._ready_points = 0
        self._points: dict[VersionId, int] = {}
        self._followers: list[_Follower] = []

    def __enter__(self) -> Self:
        """Look after the index, so that what is written goes into a sound one."""
        if self._indexing is not None:
            try:
                check_model(self._collection, self._indexing)
                recover_index(self._collection, self._tools.database, self._indexing)
                finish_removals(self._tools.database, self._indexing)
            except ModelMismatchError:
                raise
            except ServiceError as error:
                self._unavailable = error
            self._queue = EmbeddingQueue(
                self._tools.database, self._indexing, self._tools.settings.batch_size
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the model; what was committed stays."""
        if self._queue is not None:
            self._queue.__exit__(kind, error, trace)

    def refuse(self, refusal: Refusal) -> ImportResult:
        """Record and report something that cannot be read."""
        subject = document_id(self._collection.collection_id, refusal.key)
        with self._tools.database.write() as unit:
            unit.events.record([Event("refused", subject, refusal.error)])
            unit.commit()
        result = ImportResult(
            document_id=None,
            version_id=None,
            filename=refusal.filename,
            status=VersionStatus.FAILED,
            verdict=refusal.verdict,
            pages=0,
            sections=0,
            chunks=0,
            windows=0,
            seconds=0.0,
            error=refusal.error,
        )
        self._progress.finished(result)
        return result

    def take(self, source: Source, password: str | None) -> Iterator[ImportResult]:
        """Take a source as far as it goes now; gives the results that are there by then."""
        started_s = self._tools.timer()
        self._progress.started(source.filename)
        try:
            intake = take_in(
                source,
                self._collection,
                self._goal,
                database=self._tools.database,
                blobs=self._tools.blobs,
                max_bytes=self._tools.settings.max_bytes,
            )
        except SourceError as error:
            yield self.refuse(Refusal(source.filename, source.key, _verdict_of(error), str(error)))
            return
        if intake.version_id in self._open:
            self._followers.append(_Follower(source.filename, intake.version_id, started_s))
            return
        job = self._job_of(intake, password, started_s)
        if intake.todo is Todo.NOTHING:
            yield self._report(job, source.filename, intake.identical_to)
        else:
            yield from self._go_on(job, intake.identical_to)

    def _job_of(self, intake: Intake, password: str | None, started_s: float) -> VersionJob:
        """Read what is new; what is stored already is taken as it stands."""
        if intake.todo is Todo.READ:
            return self._read(intake, password, started_s)
        assert intake.document is not None
        assert intake.version is not None
        return VersionJob(
            self._collection, intake.document, intake.version, started_s, intake.source.filename
        )

    def carry_on(self, version_id: VersionId) -> Iterator[ImportResult]:
        """Take a stored version as far as it goes now."""
        job = load_job(self._tools.database, version_id, self._tools.timer())
        self._progress.started(job.filename)
        yield from self._go_on(job, None)

    def finish(self) -> Iterator[ImportResult]:
        """Wait for what is on its way; gives the results that are left."""
        while self._queue is not None and self._queue.is_busy:
            yield from self._collect(wait=True)
        yield from self._index_ready()
        for version_id, (job, identical_to) in list(self._open.items()):
            del self._open[version_id]
            yield self._report(job, job.filename, identical_to, self._why_waiting())
        for follower in self._followers:
            job = load_job(self._tools.database, follower.version_id, follower.started_s)
            error = None if reached(job.version.status, self._goal) else self._why_waiting()
            yield self._report(job, follower.filename, job.document.document_id, error)
        self._followers.clear()

    def _read(self, intake: Intake, password: str | None, started_s: float) -> VersionJob:
        media_type = None
        try:
            reading = read_text(intake, self._tools, password, self._progress.pages)
            media_type = reading.media_type
            document, version = store_text(intake, reading, self._tools)
        except (StorageError, BusyError):
            raise
        except Exception as error:  # noqa: BLE001 - one hostile file must not end the run; it is recorded
            document, version = store_failure(self._tools.database, intake, media_type, error)
        return VersionJob(self._collection, document, version, started_s, intake.source.filename)

    def _go_on(self, job: VersionJob, identical_to: DocumentId | None) -> Iterator[ImportResult]:
        if job.version.status is not VersionStatus.FAILED and self._goal is not VersionStatus.PENDING:
            job = self._chunk(job)
        if job.version.status is VersionStatus.FAILED or self._indexing is None:
            yield self._report(job, job.filename, identical_to)
            return
        job = self._plan(job, self._indexing)
        if job.version.status is VersionStatus.FAILED or self._unavailable is not None:
            yield self._report(job, job.filename, identical_to, self._why_waiting())
            return
        self._open[job.version.version_id] = job, identical_to
        yield from self._collect(wait=False)

    def _chunk(self, job: VersionJob) -> VersionJob:
        version = job.version
        if version.status is VersionStatus.CHUNKED and version.chunker == self._tools.settings.chunker:
            return job
        try:
            job, count = store_chunks(job, self._tools)
        except (StorageError, BusyError):
            raise
        except Exception as error:  # noqa: BLE001 - one hostile file must not end the run; it is recorded
            return self._failed(job, "I3", error)
        self._progress.chunks(count)
        return job

    def _plan(self, job: VersionJob, indexing: IndexTools) -> VersionJob:
        assert self._queue is not None
        if self._unavailable is not None:
            return job
        try:
            plan = plan_windows(job.version.version_id, self._tools, indexing)
            if plan.vanished:
                index = target_of(self._collection, indexing.model_id).index_name
                indexing.index.write(index, [], plan.vanished)
        except CriterionError as error:
            return self._failed(job, "I4", error)
        except ServiceError as error:
            self._unavailable = error
            return job
        self._points[plan.version_id] = plan.windows
        self._queue.add(plan.version_id, plan.texts)
        return job

    def _failed(self, job: VersionJob, phase: str, error: Exception) -> VersionJob:
        return replace(job, version=fail(self._tools.database, job.version, phase, error))

    def _collect(self, *, wait: bool) -> Iterator[ImportResult]:
        """Take from the queue what is ready, holding back further sources while too much waits."""
        assert self._queue is not None
        while True:
            ready = self._queue.advance(wait=wait, last=wait)
            self._progress.windows(self._queue.done, self._queue.total)
            self._ready.extend(ready)
            self._ready_points += sum(self._points.pop(version_id) for version_id in ready)
            if self._ready_points >= POINTS_AT_ONCE:
                yield from self._index_ready()
            self._unavailable = self._unavailable or self._queue.failure
            if not self._queue.is_full or self._unavailable is not None:
                return
            wait = True

    def _index_ready(self) -> Iterator[ImportResult]:
        ready, self._ready, self._ready_points = self._ready, [], 0
        if self._indexing is None or not ready:
            return
        jobs = [self._open[version_id][0] for version_id in ready]
        try:
            write_versions(jobs, self._tools.database, self._indexing)
        except ServiceError as error:
            self._unavailable = error
            return
        for job in jobs:
            done = make_visible(job, self._tools.database, self._indexing)
            self._collection = done.collection
            _, identical_to = self._open.pop(job.version.version_id)
            outdated = _OUTDATED if done is job else None
            yield self._report(done, done.filename, identical_to, outdated)
        try:
            finish_removals(self._tools.database, self._indexing)
        except ServiceError as error:
            self._unavailable = error

    def _why_waiting(self) -> str | None:
        return f"{self._unavailable} {_WAITING}" if self._unavailable is not None else None

    def _report(
        self, job: VersionJob, filename: str, identical_to: DocumentId | None, error: str | None = None
    ) -> ImportResult:
        version = job.version
        with self._tools.database.read() as unit:
            counts = unit.versions.counts(version.version_id)
        if version.status is VersionStatus.FAILED:
            error = version.failure
        elif error is None and version.verdict is not Verdict.OK:
            error = version.verdict_detail or None
        result = ImportResult(
            document_id=version.document_id,
            version_id=version.version_id,
            filename=filename,
            status=version.status,
            verdict=version.verdict,
            pages=version.page_count if version.page_count is not None else counts.pages,
            sections=counts.sections,
            chunks=counts.chunks,
            windows=counts.windows,
            seconds=round(self._tools.timer() - job.started_s, 3),
            identical_to=identical_to,
            error=error,
        )
        self._progress.finished(result)
        return result


def _verdict_of(error: SourceError) -> Verdict:
    if isinstance(error, UnreadableError):
        return Verdict(error.verdict)
    return Verdict.TOO_LARGE if isinstance(error, SourceTooLargeError) else Verdict.NOT_FOUND
