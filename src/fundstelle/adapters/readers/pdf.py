"""Read PDF files (phase I1, and headings for I2) through a worker process.

The worker extracts pages; this process lays them out meanwhile. What a file does to the worker,
it hangs, it crashes, it eats memory, costs the page or the file and never the application.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.adapters.readers.pdf_lanes import GaveUpError, LostPage, PageLanes
from fundstelle.adapters.readers.pdf_messages import document_from, page_from
from fundstelle.adapters.readers.pdf_verdicts import Loss, judge, refuse_bytes, unopened
from fundstelle.adapters.readers.sandbox import Frame, WorkerDiedError, WorkerProcess, WorkerTimeoutError
from fundstelle.adapters.readers.worker_frames import Json
from fundstelle.domain.documents import DocumentText, MediaType, Verdict
from fundstelle.domain.errors import SourceError
from fundstelle.domain.layout.assembly import PageLines, assemble, layout_page
from fundstelle.domain.layout.language import guess_language
from fundstelle.domain.layout.page import RawDocument, RawPage
from fundstelle.ports.reading import PageProgress, ReadRequest

_MODULE = "fundstelle.adapters.readers.pdf_worker"
_PAGES_FOR_SEVERAL = 10
_MAX_WORKERS = 2


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """Hold the limits under which a file is read.

    Args:
        memory_bytes: Address space of the worker.
        page_timeout_s: Time for opening a file and for each page.
        document_timeout_s: Time for a whole file.
        max_text_chars: Length of the raw text of a whole file.
        max_pages: Pages of a file.
        workers: Processes that extract longer files at the same time.
    """

    memory_bytes: int = 1_500 << 20
    page_timeout_s: float = 20.0
    document_timeout_s: float = 600.0
    max_text_chars: int = 200_000_000
    max_pages: int = 100_000
    workers: int = min(_MAX_WORKERS, os.cpu_count() or 1)


class PdfReader:
    """Read PDF files; implements `ports.reading.DocumentReader`.

    The worker processes are started when they are first needed and used for all files until `close`.
    """

    def __init__(self, limits: PdfLimits | None = None) -> None:
        self._limits = limits or PdfLimits()
        page_seconds = str(max(1, round(self._limits.page_timeout_s)))
        arguments = [str(self._limits.memory_bytes), page_seconds]
        self._workers = [WorkerProcess(_MODULE, arguments) for _ in range(max(1, self._limits.workers))]

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read one file.

        Raises:
            SourceError: The file vanished or may not be read.
        """
        try:
            with request.path.open("rb") as stream:
                head = stream.read(1 << 16)
        except OSError as error:
            message = f"{request.path.name} cannot be read: {error.strerror or error}."
            raise SourceError(message, "Check the path and the permissions of the file.") from error
        refused = refuse_bytes(head)
        if refused is not None:
            return _nothing(*refused)
        try:
            return _Reading(self._workers, self._limits, request, progress).run()
        except BaseException:
            for worker in self._workers:
                worker.kill()
            raise

    @property
    def workers(self) -> Sequence[WorkerProcess]:
        """The worker processes, running or not, for those who watch them."""
        return self._workers

    def close(self) -> None:
        """End the worker processes; the next file starts new ones."""
        for worker in self._workers:
            worker.close()


class _Reading:
    """Read one file, page by page, surviving the end of the workers."""

    def __init__(
        self,
        workers: Sequence[WorkerProcess],
        limits: PdfLimits,
        request: ReadRequest,
        progress: PageProgress,
    ) -> None:
        self._workers, self._limits, self._request, self._progress = workers, limits, request, progress
        self._open_message: dict[str, Json] = {
            "do": "open",
            "path": str(request.path.absolute()),
            "password": request.password,
        }
        self._deadline = time.monotonic() + limits.document_timeout_s
        self._pages: list[PageLines] = []
        self._frames: list[Sequence[float]] = []
        self._losses: list[Loss] = []
        self._chars = 0

    def run(self) -> DocumentText:
        """Read the file and put its pages together."""
        opened = self._open()
        if not isinstance(opened, RawDocument):
            return _nothing(*opened, 0)
        count = opened.page_count
        if count > self._limits.max_pages:
            reason = f"The file has {count} pages; the limit is {self._limits.max_pages}."
            return _nothing(Verdict.TOO_LARGE, reason, count)
        try:
            self._read_pages(count)
        except GaveUpError as error:
            self._kill()
            return _nothing(Verdict.TOO_LARGE if error.slow else Verdict.DAMAGED, str(error), count)
        return self._finish(opened)

    def _kill(self) -> None:
        for worker in self._workers:
            worker.kill()

    def _open(self) -> RawDocument | tuple[Verdict, str]:
        worker = self._workers[0]
        for attempt in (1, 2):  # a worker that died between two files is simply replaced
            fresh = worker.pid is None
            worker.start()
            try:
                worker.send(self._open_message)
                header, _ = worker.receive(self._limits.page_timeout_s)
            except WorkerTimeoutError:
                return Verdict.TOO_LARGE, f"Opening took longer than {self._limits.page_timeout_s:g} seconds."
            except WorkerDiedError:
                if fresh or attempt == 2:
                    break
                continue
            error = header.get("error")
            if error is not None:
                has_password = bool(self._request.password)
                return unopened(int(str(error)), self._request.path, has_password=has_password)
            opened = document_from(header)
            return opened if opened.page_count else unopened(0, self._request.path, has_password=False)
        return Verdict.DAMAGED, "The file ended the process that opened it."

    def _read_pages(self, count: int) -> None:
        used = self._workers if count >= _PAGES_FOR_SEVERAL else self._workers[:1]
        lanes = PageLanes(used, self._open_message, self._limits.page_timeout_s, self._deadline)
        for index, answer in lanes.pages(count):
            self._add(index, answer)
            if self._chars > self._limits.max_text_chars:
                limit = self._limits.max_text_chars
                raise GaveUpError(f"The text is longer than the limit of {limit} characters.", slow=True)
            self._progress(index + 1, count)

    def _add(self, index: int, answer: Frame | LostPage) -> None:
        if isinstance(answer, LostPage):
            limit = self._limits.page_timeout_s
            slow = f"it took longer than {limit:g} seconds"
            problem = slow if answer.slow else "it ended the process that read it"
            page = RawPage(index + 1, None, 0.0, 0.0, problem=problem)
            self._frames.append(())
        else:
            page = page_from(index, *answer)
            frame = answer[0].get("frame")
            self._frames.append([float(str(value)) for value in frame] if isinstance(frame, list) else ())
        self._chars += len(page.text)
        self._pages.append(layout_page(page))
        if page.problem:
            slow_page = isinstance(answer, LostPage) and answer.slow
            self._losses.append(Loss(index + 1, page.problem, slow=slow_page))

    def _finish(self, opened: RawDocument) -> DocumentText:
        outline = [
            entry._replace(top=_displayed_top(entry.top, self._frame(entry.page_number)))
            for entry in opened.outline
        ]
        assembled = assemble(self._pages, outline)
        verdict, detail = judge(opened, assembled.pages, self._losses)
        sample = "".join(page.content for page in assembled.pages[:20])
        return DocumentText(
            MediaType.PDF,
            assembled.pages,
            assembled.headings,
            verdict,
            detail,
            opened.page_count,
            opened.title,
            opened.author,
            opened.language or guess_language(sample),
            opened.created_at,
        )

    def _frame(self, page_number: int | None) -> Sequence[float]:
        return self._frames[page_number - 1] if page_number and page_number <= len(self._frames) else ()


def _displayed_top(top: float | None, frame: Sequence[float]) -> float | None:
    """Turn a height in page space to one from the top of the displayed page, where that is upright."""
    if top is None or len(frame) < 5 or frame[4] != 0:
        return None
    return frame[1] - top


def _nothing(verdict: Verdict, detail: str, page_count: int | None = None) -> DocumentText:
    return DocumentText(MediaType.PDF, (), (), verdict, detail, page_count)
