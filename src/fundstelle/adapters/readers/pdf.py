"""Read PDF files (phase I1, and headings for I2) through a worker process.

The worker extracts pages; this process lays them out meanwhile. What a file does to the worker,
it hangs, it crashes, it eats memory, costs the page or the file and never the application.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.adapters.readers.pdf_messages import document_from, page_from
from fundstelle.adapters.readers.pdf_verdicts import Loss, judge, refuse_bytes, unopened
from fundstelle.adapters.readers.sandbox import WorkerDiedError, WorkerProcess, WorkerTimeoutError
from fundstelle.domain.documents import DocumentText, MediaType, Verdict
from fundstelle.domain.errors import SourceError
from fundstelle.domain.layout.assembly import PageLines, assemble, layout_page
from fundstelle.domain.layout.language import guess_language
from fundstelle.domain.layout.page import RawDocument, RawPage
from fundstelle.ports.reading import PageProgress, ReadRequest

_MODULE = "fundstelle.adapters.readers.pdf_worker"
_MAX_LOST_IN_A_ROW = 3
_BATCH_PAGES = 400


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """Hold the limits under which a file is read.

    Args:
        memory_bytes: Address space of the worker.
        page_timeout_s: Time for opening a file and for each page.
        document_timeout_s: Time for a whole file.
        max_text_chars: Length of the raw text of a whole file.
        max_pages: Pages of a file.
    """

    memory_bytes: int = 1_500 << 20
    page_timeout_s: float = 20.0
    document_timeout_s: float = 600.0
    max_text_chars: int = 200_000_000
    max_pages: int = 100_000


class PdfReader:
    """Read PDF files; implements `ports.reading.DocumentReader`.

    The worker process is started by the first file and used for all others until `close`.
    """

    def __init__(self, limits: PdfLimits | None = None) -> None:
        self._limits = limits or PdfLimits()
        page_seconds = str(max(1, round(self._limits.page_timeout_s)))
        self._worker = WorkerProcess(_MODULE, [str(self._limits.memory_bytes), page_seconds])

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
            return _Reading(self._worker, self._limits, request, progress).run()
        except BaseException:
            self._worker.kill()
            raise

    def close(self) -> None:
        """End the worker process; the next file starts a new one."""
        self._worker.close()


class _Reading:
    """Read one file, page by page, surviving the end of the worker."""

    def __init__(
        self, worker: WorkerProcess, limits: PdfLimits, request: ReadRequest, progress: PageProgress
    ) -> None:
        self._worker, self._limits, self._request, self._progress = worker, limits, request, progress
        self._deadline = time.monotonic() + limits.document_timeout_s
        self._pages: list[PageLines] = []
        self._tops: list[tuple[float, ...]] = []
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
        stopped = self._read_pages(count)
        if stopped is not None:
            return _nothing(*stopped, count)
        return self._finish(opened)

    def _open(self) -> RawDocument | tuple[Verdict, str]:
        request = self._request
        for attempt in (1, 2):  # a worker that died between two files is simply replaced
            fresh = self._worker.pid is None
            try:
                self._worker.send(
                    {"do": "open", "path": str(request.path.absolute()), "password": request.password}
                )
                header, _ = self._worker.receive(self._limits.page_timeout_s)
            except WorkerTimeoutError:
                return Verdict.TOO_LARGE, f"Opening took longer than {self._limits.page_timeout_s:g} seconds."
            except WorkerDiedError:
                if fresh or attempt == 2:
                    return Verdict.DAMAGED, "The file ended the process that opened it."
                continue
            error = header.get("error")
            if error is not None:
                return unopened(int(str(error)), request.path, has_password=bool(request.password))
            opened = document_from(header)
            return opened if opened.page_count else unopened(0, request.path, has_password=False)
        return Verdict.DAMAGED, "The file ended the process that opened it."

    def _read_pages(self, count: int) -> tuple[Verdict, str] | None:
        lost_in_a_row = 0
        asked = 0
        while len(self._pages) < count:
            index = len(self._pages)
            try:
                if asked <= index:
                    asked = min(index + _BATCH_PAGES, count)
                    self._worker.send({"do": "pages", "first": index, "end": asked})
                self._receive_page(index)
                lost_in_a_row = 0
            except (WorkerTimeoutError, WorkerDiedError) as error:
                lost_in_a_row += 1
                slow = isinstance(error, WorkerTimeoutError)
                self._lose(index, slow=slow)
                stop = self._reopen(lost_in_a_row, slow=slow)
                if stop is not None:
                    return stop
                asked = 0
            if self._chars > self._limits.max_text_chars:
                self._worker.kill()
                limit = self._limits.max_text_chars
                return Verdict.TOO_LARGE, f"The text is longer than the limit of {limit} characters."
            self._progress(len(self._pages), count)
        return None

    def _receive_page(self, index: int) -> None:
        left = self._deadline - time.monotonic()
        header, columns = self._worker.receive(min(self._limits.page_timeout_s, left))
        page = page_from(index, header, columns)
        self._chars += len(page.text)
        frame = header.get("frame")
        self._tops.append(tuple(float(str(v)) for v in frame) if isinstance(frame, list) else ())
        self._pages.append(layout_page(page))
        if page.problem:
            self._losses.append(Loss(index + 1, page.problem))

    def _lose(self, index: int, *, slow: bool) -> None:
        limit = self._limits.page_timeout_s
        problem = f"it took longer than {limit:g} seconds" if slow else "it ended the process that read it"
        self._losses.append(Loss(index + 1, problem, slow=slow))
        self._tops.append(())
        self._pages.append(layout_page(RawPage(index + 1, None, 0.0, 0.0, problem=problem)))

    def _reopen(self, lost_in_a_row: int, *, slow: bool) -> tuple[Verdict, str] | None:
        verdict = Verdict.TOO_LARGE if slow else Verdict.DAMAGED
        if time.monotonic() >= self._deadline:
            limit = self._limits.document_timeout_s
            return Verdict.TOO_LARGE, f"Reading took longer than {limit:g} seconds in all."
        if lost_in_a_row >= _MAX_LOST_IN_A_ROW:
            return verdict, f"{lost_in_a_row} pages in a row could not be read: {self._losses[-1].problem}."
        opened = self._open()
        return None if isinstance(opened, RawDocument) else opened

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
        return self._tops[page_number - 1] if page_number and page_number <= len(self._tops) else ()


def _displayed_top(top: float | None, frame: Sequence[float]) -> float | None:
    """Turn a height in page space to one from the top of the displayed page, where that is upright."""
    if top is None or len(frame) < 5 or frame[4] != 0:
        return None
    return frame[1] - top


def _nothing(verdict: Verdict, detail: str, page_count: int | None = None) -> DocumentText:
    return DocumentText(MediaType.PDF, (), (), verdict, detail, page_count)
