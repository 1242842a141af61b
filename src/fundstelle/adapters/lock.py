"""The lock of the data folder: one process writes at a time, and the next one is told who does.

The lock itself is the operating system's (it ends with the process, however that ends); a note
beside it says who holds it, for people.
"""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from fundstelle.domain.errors import BusyError, StorageError

_LOCK_FILE = "fundstelle.lock"
_NOTE_FILE = "fundstelle.lock.json"


def _now() -> datetime:
    return datetime.now(UTC)


@contextlib.contextmanager
def locked(
    folder: Path, *, wait_s: float = 0.0, command: str | None = None, clock: Callable[[], datetime] = _now
) -> Iterator[None]:
    """Hold the data folder for as long as the block lasts.

    Args:
        wait_s: How long to wait for another process.
        command: How the holder is named to others; by default program and command of this process.

    Raises:
        BusyError: Another process holds it; names its pid, its command and since when.
        StorageError: The folder cannot be written.
    """
    lock = FileLock(folder / _LOCK_FILE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=wait_s)
    except Timeout as error:
        raise _busy(folder) from error
    except OSError as error:
        raise StorageError(
            f"The data folder {folder} cannot be locked: {error.strerror}.",
            "Give your user the right to write to the data folder and all files in it.",
        ) from error
    note = folder / _NOTE_FILE
    try:
        _write_note(note, command or _command_line(), clock())
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        lock.release()


def _write_note(note: Path, command: str, since: datetime) -> None:
    content = {"pid": os.getpid(), "command": command, "since": since.isoformat()}
    # The note is a courtesy; a disk too full for it must not stop work that may free space.
    with contextlib.suppress(OSError):
        unfinished = note.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(content), encoding="utf-8")
        unfinished.replace(note)


def _busy(folder: Path) -> BusyError:
    hint = "Wait until it has finished, or end it, and run the command again."
    try:
        note = json.loads((folder / _NOTE_FILE).read_text(encoding="utf-8"))
        since = datetime.fromisoformat(note["since"]).astimezone()
        who = f"process {note['pid']} ({note['command']}) since {since:%Y-%m-%d %H:%M:%S}"
    except (OSError, ValueError, KeyError, TypeError):
        who = "another process"
    return BusyError(f"The data folder {folder} is in use by {who}.", hint)


def _command_line() -> str:
    """Name program and command alone: options may hold passwords."""
    return " ".join([Path(sys.argv[0]).name, *(word for word in sys.argv[1:2] if not word.startswith("-"))])
