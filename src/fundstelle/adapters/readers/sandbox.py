"""Keep a worker process: start it, talk to it, end it when it hangs.

The worker is a module of this package run by the same Python. Waiting for it has a limit on every
system: where pipes can be polled they are, elsewhere a thread reads them. What the worker has ready
but nobody has read is bounded, so a fast worker waits for a slow reader.
"""

import contextlib
import os
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, TypeAlias

from fundstelle.adapters.readers.worker_frames import (
    HEAD_SIZE,
    BrokenFrameError,
    Json,
    body_size,
    parse_frame,
    write_frame,
)

Frame: TypeAlias = tuple[dict[str, Json], dict[str, Sequence[float]]]

_QUEUE_FRAMES = 16
_END_S = 2.0
_PIPE_BYTES = 1 << 20
_CAN_POLL = os.name == "posix"


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
        self._answers: _PolledAnswers | _ThreadedAnswers | None = None

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> None:
        """Start the process, unless it runs; it warms up while the caller does something else."""
        if self.pid is not None:
            return
        self.kill()
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        stream = self._process.stdout
        if stream is not None:
            self._answers = _PolledAnswers(stream) if _CAN_POLL else _ThreadedAnswers(stream)

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
        if self._answers is None:
            raise WorkerDiedError
        try:
            return self._answers.get(max(timeout_s, 0.0))
        except (WorkerTimeoutError, WorkerDiedError):
            self.kill()
            raise

    def kill(self) -> None:
        """End the process at once."""
        process, self._process, self._answers = self._process, None, None
        if process is not None:
            process.kill()
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
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_S)
        self.kill()


def _close_pipes(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.close()


class _PolledAnswers:
    """Read answers from a pipe with a limit on the wait (POSIX)."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor = stream.fileno()
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)
        _widen(self._descriptor)

    def get(self, timeout_s: float) -> Frame:
        """Wait for one answer."""
        deadline = time.monotonic() + timeout_s
        try:
            size = body_size(self._take(HEAD_SIZE, deadline))
            return parse_frame(size, self._take(sum(size), deadline))
        except BrokenFrameError as error:
            raise WorkerDiedError from error

    def _take(self, size: int, deadline: float) -> bytes:
        while len(self._buffer) < size:
            left_ms = (deadline - time.monotonic()) * 1000
            if not self._poll.poll(max(left_ms, 0)):
                raise WorkerTimeoutError
            data = os.read(self._descriptor, _PIPE_BYTES)
            if not data:
                raise WorkerDiedError
            self._buffer += data
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken


def _widen(descriptor: int) -> None:
    """Make the pipe hold more pages, where the system lets us."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


class _ThreadedAnswers:
    """Read answers in a thread, where pipes cannot be polled (Windows)."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._frames: queue.Queue[Frame | None] = queue.Queue(_QUEUE_FRAMES)
        threading.Thread(target=_pump, args=(stream, self._frames), daemon=True).start()

    def get(self, timeout_s: float) -> Frame:
        """Wait for one answer."""
        try:
            frame = self._frames.get(timeout=timeout_s)
        except queue.Empty:
            raise WorkerTimeoutError from None
        if frame is None:
            raise WorkerDiedError
        return frame


def _pump(stream: IO[bytes], frames: "queue.Queue[Frame | None]") -> None:
    """Move answers from the pipe to the queue; None says that no more will come."""
    try:
        while head := stream.read(HEAD_SIZE):
            size = body_size(head)
            frames.put(parse_frame(size, stream.read(sum(size))))
    except (BrokenFrameError, OSError, ValueError):
        pass  # the end of the stream either way; the receiver learns it from the None
    frames.put(None)
