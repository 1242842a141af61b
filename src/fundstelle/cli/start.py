"""The entry of the command `fundstelle`: makes ready what every command relies on, then runs it.

Loads nothing heavy itself, so that Ctrl-C in the first second, a closed or odd standard stream and a
request to end (SIGTERM) are met before there is anything that could stumble over them.
"""

import contextlib
import io
import os
import signal
import sys
from types import FrameType

EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
"""128 + the number of the signal, as shells expect it."""

_INTERRUPTED = "Interrupted. What was finished is kept; run the command again to carry on.\n"


class _Ending:
    """Remember by what the program was asked to end."""

    def __init__(self) -> None:
        self.terminated = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """End as on Ctrl-C: workers are stopped, locks let go, half a step is rolled back."""
        self.terminated = True
        raise KeyboardInterrupt


def main() -> None:
    """Run the command line; every error ends as one clear line and an exit code."""
    ending = _Ending()
    try:
        with contextlib.suppress(ValueError):  # not the main thread: signals are somebody else's
            signal.signal(signal.SIGTERM, ending)
        open_streams()
        from fundstelle.cli.main import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            sys.stderr.write(_INTERRUPTED)
        code = EXIT_INTERRUPTED
    sys.exit(EXIT_TERMINATED if ending.terminated and code == EXIT_INTERRUPTED else code)


def open_streams() -> None:
    """Give closed streams a place to go to, and let every character out in some form.

    A program that is started without standard streams still does its work; an output whose encoding
    lacks a character gets its code, so that no result is lost for a sign.
    """
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> io.TextIOWrapper:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open as long as the program runs
