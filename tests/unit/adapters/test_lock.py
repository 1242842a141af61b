"""One process holds the data folder, and the next one is told who."""

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fundstelle.adapters.lock import locked
from fundstelle.domain.errors import BusyError, StorageError

_HOLDER = """
import sys, time
from pathlib import Path
from fundstelle.adapters.lock import locked
with locked(Path(sys.argv[1]), command="fundstelle import"):
    print("held", flush=True)
    sys.stdin.read()
"""


def _hold(folder: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def _let_go(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def test_locked_when_another_process_holds_it_then_busy_names_it_at_once(tmp_path: Path) -> None:
    """The message names pid, command and since when, and comes without waiting."""
    holder = _hold(tmp_path)
    try:
        begun = time.monotonic()
        with pytest.raises(BusyError) as caught, locked(tmp_path):
            pass
        assert time.monotonic() - begun < 2
        year = str(datetime.now(UTC).year)
        for part in (str(holder.pid), "fundstelle import", f"since {year}"):
            assert part in caught.value.message
        assert caught.value.hint
    finally:
        _let_go(holder)


def test_locked_when_the_holder_was_killed_then_free(tmp_path: Path) -> None:
    """The lock ends with its process, however that ends; an old note does not matter."""
    _let_go(_hold(tmp_path))
    with locked(tmp_path):
        pass


def test_locked_when_left_then_free_and_note_gone(tmp_path: Path) -> None:
    """Leaving lets go, also after an error."""
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    with locked(tmp_path):
        assert list(tmp_path.glob("*.json"))
    assert not list(tmp_path.glob("*.json"))


def test_locked_when_the_note_is_damaged_then_busy_all_the_same(tmp_path: Path) -> None:
    """Without a readable note the message is shorter, not missing."""
    holder = _hold(tmp_path)
    try:
        for note in tmp_path.glob("*.json"):
            note.write_text("{")
        with pytest.raises(BusyError, match="another process"), locked(tmp_path):
            pass
    finally:
        _let_go(holder)


def test_locked_when_command_has_options_then_they_are_not_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password on the command line never gets into the note."""
    monkeypatch.setattr(sys, "argv", ["/usr/bin/fundstelle", "import", "--password", "geheim"])
    with locked(tmp_path):
        (note,) = tmp_path.glob("*.json")
        content = note.read_text()
    assert "fundstelle import" in content
    assert "geheim" not in content


def test_locked_when_folder_cannot_be_made_then_storage_error(tmp_path: Path) -> None:
    """A data folder that cannot be is said so."""
    (tmp_path / "datei").write_text("")
    with pytest.raises(StorageError, match="cannot be locked"), locked(tmp_path / "datei" / "home"):
        pass
