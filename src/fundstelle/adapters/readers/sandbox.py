"""Keep a worker process: start it, talk to it, end it when it hangs.

The worker is a module of this package run by the same Python. Its answers are read by a thread, so
that waiting has a limit on every system. The queue between is short: a fast worker waits for a slow
reader, and memory stays bounded.
"""

import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import IO, TypeAlias

from fundstelle.adapters.readers.worker_frames import BrokenFrameError, Json, read_frame, write_frame

Frame: TypeAlias = tuple[dict[str, Json], dict[str, Sequence[float]]]

_QUEUE_FRAMES = 16
_END_S = 2.0


class WorkerTimeoutError(Exception):
    """Report that the worker did not answer in time; it has been ended."""


class WorkerDiedError(Exception):
    """Report that the worker ended by itself: a crash, or its limit on memory."""


class WorkerProcess:
    """Run one worker process; it can be started again after it has ended.

    Args:
        module: The module to run with `python -m`.
        arguments: Its command line arguments.
    """

    def __init__(self, module: str, arguments: Sequence[str]) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[Frame | None] = queue.Queue(_QUEUE_FRAMES)

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> None:
        """Start the process, unless it runs; it warms up while the caller does something else."""
        if self.pid is not None:
            return
        self.kill()
        self._answers = queue.Queue(_QUEUE_FRAMES)
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        stream = self._process.stdout
        if stream is not None:
            threading.Thread(target=_pump, args=(stream, self._answers), daemon=True).start()

    def send(self, request: Mapping[str, Json]) -> None:
        """Send a request to the running process.

        Raises:
            WorkerDiedError: The process is gone, or was never started.
        """
        stream = self._process.stdin if self._process and self.pid is not None else None
        if stream is None:
            raise WorkerDiedError
        try:
            write_frame(stream, request, {})
        except OSError as error:
            self.kill()
            raise WorkerDiedError from error

    def receive(self, timeout_s: float) -> Frame:
        """Wait for the next answer.

        Raises:
            WorkerTimeoutError: None came in time.
            WorkerDiedError: The process ended instead.
        """
        try:
            frame = self._answers.get(timeout=max(timeout_s, 0.0))
        except queue.Empty:
            self.kill()
            raise WorkerTimeoutError from None
        if frame is None:
            self.kill()
            raise WorkerDiedError
        return frame

    def kill(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        self._drain()
        process.wait()
        _close_pipes(process)

    def close(self) -> None:
        """Let the process end by closing its input; end it when it does not."""
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        self._drain()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.kill()
        else:
            self._process = None
            _close_pipes(process)

    def _drain(self) -> None:
        """Throw away what is left, so that the reading thread does not wait for a place for ever."""
        answers = self._answers

        def drain() -> None:
            while answers.get() is not None:
                pass

        threading.Thread(target=drain, daemon=True).start()


def _close_pipes(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.close()


def _pump(stream: IO[bytes], answers: "queue.Queue[Frame | None]") -> None:
    """Move answers from the pipe to the queue; None says that no more will come."""
    try:
        while (frame := read_frame(stream)) is not None:
            answers.put(frame)
    except (BrokenFrameError, OSError, ValueError):
        pass  # the end of the stream either way; the receiver learns it from the None
    answers.put(None)
