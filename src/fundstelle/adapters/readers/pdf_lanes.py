"""Read the pages of one PDF in order while one or two worker processes extract ahead.

Pages are dealt out in small batches, in turn. A worker that hangs or dies costs the page it was at:
it is replaced, opens the file again, and goes on with what it still had to do.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fundstelle.adapters.readers.sandbox import Frame, WorkerDiedError, WorkerProcess, WorkerTimeoutError
from fundstelle.adapters.readers.worker_frames import Json

_BATCH_PAGES = 8
_BATCHES_AHEAD = 2
_MAX_LOST_IN_A_ROW = 3
_TRIES = 2


class LostPage(NamedTuple):
    """Say that a worker did not give a page: too slow, or gone."""

    page_index: int
    slow: bool


class GaveUpError(Exception):
    """Report that reading a file makes no sense any more."""

    def __init__(self, message: str, *, slow: bool) -> None:
        super().__init__(message)
        self.slow = slow


@dataclass(slots=True)
class _Lane:
    """Hold a worker, whether it has the file open or opens it, and the page ranges it still owes."""

    worker: WorkerProcess
    is_open: bool
    opens: bool = False
    owed: deque[tuple[int, int]] = field(default_factory=deque)


class PageLanes:
    """Deal pages out to workers and give them back in order.

    Args:
        workers: The first has the file open already.
        request: The message that opens the file.
        page_timeout_s: Time for one page.
        deadline: When the whole file must be done, on the monotonic clock.
    """

    def __init__(
        self,
        workers: Sequence[WorkerProcess],
        request: dict[str, Json],
        page_timeout_s: float,
        deadline: float,
    ) -> None:
        self._lanes = [_Lane(worker, is_open=k == 0) for k, worker in enumerate(workers)]
        self._request, self._page_timeout_s, self._deadline = request, page_timeout_s, deadline
        self._next_batch = 0
        self._lost_in_a_row = 0

    def pages(self, count: int) -> Iterator[tuple[int, Frame | LostPage]]:
        """Give all pages in order.

        Raises:
            GaveUpError: The time is over, or too many pages in a row were lost.
        """
        for index in range(count):
            batch = index // _BATCH_PAGES
            self._ask_ahead(batch, count)
            lane = self._lanes[batch % len(self._lanes)]
            yield index, self._page(lane, index)

    def _ask_ahead(self, batch: int, count: int) -> None:
        last = (count + _BATCH_PAGES - 1) // _BATCH_PAGES
        while self._next_batch < min(batch + _BATCHES_AHEAD * len(self._lanes), last):
            first = self._next_batch * _BATCH_PAGES
            lane = self._lanes[self._next_batch % len(self._lanes)]
            lane.owed.append((first, min(first + _BATCH_PAGES, count)))
            self._next_batch += 1
            if lane.is_open:
                self._ask(lane, *lane.owed[-1])
            else:
                self._open(lane)

    def _ask(self, lane: _Lane, first: int, end: int) -> None:
        try:
            lane.worker.send({"do": "pages", "first": first, "end": end})
        except WorkerDiedError:
            lane.is_open = False

    def _open(self, lane: _Lane) -> None:
        """Have a lane open the file and read all that it owes; its first answer is about the file."""
        lane.is_open = lane.opens = True
        lane.worker.start()
        try:
            lane.worker.send(self._request)
        except WorkerDiedError:
            lane.is_open = False
            return
        for first, end in lane.owed:
            self._ask(lane, first, end)

    def _wait_s(self) -> float:
        return min(self._page_timeout_s, self._deadline - time.monotonic())

    def _page(self, lane: _Lane, index: int) -> Frame | LostPage:
        """Wait for one page; a worker that died may have been killed from outside and gets another try."""
        slow = False
        for _ in range(_TRIES):
            try:
                frame = self._receive(lane)
            except WorkerTimeoutError:
                slow, lane.is_open = True, False
                break
            except WorkerDiedError:
                lane.is_open = False
            else:
                self._settle(lane, index)
                self._lost_in_a_row = 0
                return frame
        self._settle(lane, index)
        return self._lose(index, slow=slow)

    def _receive(self, lane: _Lane) -> Frame:
        if not lane.is_open:
            self._open(lane)
        if lane.opens and "error" in lane.worker.receive(self._wait_s())[0]:
            raise GaveUpError("The file could not be opened a second time.", slow=False)
        lane.opens = False
        return lane.worker.receive(self._wait_s())

    @staticmethod
    def _settle(lane: _Lane, index: int) -> None:
        _, end = lane.owed[0]
        if index + 1 < end:
            lane.owed[0] = (index + 1, end)
        else:
            lane.owed.popleft()

    def _lose(self, index: int, *, slow: bool) -> LostPage:
        self._lost_in_a_row += 1
        if time.monotonic() >= self._deadline:
            raise GaveUpError("Reading took longer than the limit for a whole file.", slow=True)
        if self._lost_in_a_row >= _MAX_LOST_IN_A_ROW:
            problem = "took too long" if slow else "ended the process that read them"
            raise GaveUpError(f"{self._lost_in_a_row} pages in a row {problem}.", slow=slow)
        return LostPage(index, slow=slow)
