"""The start of the program, in processes of their own: signals at any moment, closed and odd streams."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Signals and closed streams are POSIX's.")

_SIGNAL_WHILE_LOADING = """
import os, sys
class Loading:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["WHEN"]:
            os.kill(os.getpid(), int(os.environ["SIGNAL"]))
sys.meta_path.insert(0, Loading())
from fundstelle.cli.start import main
main()
"""
_NAME = "Grüße ✓ Łódź.txt"


@pytest.mark.parametrize("loading", ["typer", "sqlalchemy.dialects.sqlite"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_main_when_a_signal_comes_at_any_moment_then_one_line_and_its_code(
    tmp_path: Path, loading: str, number: signal.Signals, code: int
) -> None:
    """Ctrl-C and a request to end give one sentence, also before the program is loaded: no stack trace."""
    done = subprocess.run(
        [sys.executable, "-c", _SIGNAL_WHILE_LOADING, "--home", str(tmp_path), "documents", "list"],
        env=os.environ | {"WHEN": loading, "SIGNAL": str(number.value)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.decode().splitlines() == [
        "Interrupted. What was finished is kept; run the command again to carry on."
    ]


def _shell(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m fundstelle --home "{folder}/home" {command}'],
        env=os.environ | variables,
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_main_when_standard_streams_are_closed_then_the_work_is_done(tmp_path: Path, closed: str) -> None:
    """A program started without streams, as services do it, works all the same."""
    (tmp_path / _NAME).write_text("Die Frist beträgt 14 Tage.", encoding="utf-8")
    assert _shell(f"import --until chunked . {closed}", tmp_path).returncode == 0
    found = _shell("documents list --json", tmp_path)
    assert json.loads(found.stdout)["filename"] == _NAME


def test_main_when_a_typed_text_has_no_input_then_that_is_said(tmp_path: Path) -> None:
    """Closed standard input is an empty text, and no fault of the program."""
    done = _shell("import --until chunked --text Notiz <&-", tmp_path)
    assert done.returncode == 1
    assert "fault" not in (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_main_when_the_output_lacks_characters_then_nothing_is_lost(tmp_path: Path, encoding: str) -> None:
    """An output in another encoding shows codes for what it lacks; JSON stays whole."""
    (tmp_path / _NAME).write_text("Die Frist beträgt 14 Tage.", encoding="utf-8")
    done = _shell("import --until chunked .", tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\\u0141\\xf3d\\u017a" in done.stdout.decode(encoding).replace("ó", "\\xf3")
    found = _shell("documents list --json", tmp_path, PYTHONIOENCODING=encoding)
    assert json.loads(found.stdout.decode(encoding))["filename"] == _NAME


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Needs the device that is always full.")
@pytest.mark.parametrize("command", ["documents list", "documents list --json"])
def test_main_when_the_output_is_full_then_that_is_said(tmp_path: Path, command: str) -> None:
    """Where the result cannot be written, the exit code is not 0 and one line says why."""
    (tmp_path / _NAME).write_text("Die Frist beträgt 14 Tage.", encoding="utf-8")
    assert _shell("import --until chunked .", tmp_path).returncode == 0
    done = _shell(f"{command} >/dev/full", tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (6, 1)
    assert b"output cannot be written" in done.stderr


def test_import_when_bars_are_drawn_then_the_results_still_go_into_the_file(tmp_path: Path) -> None:
    """At a terminal `import --json > file` fills the file; the bars alone go to the terminal."""
    pty = pytest.importorskip("pty")
    (tmp_path / "[bold][red] :key:.txt").write_text("Die Frist beträgt 14 Tage.", encoding="utf-8")
    terminal, end = pty.openpty()
    with (tmp_path / "results.jsonl").open("wb") as results:
        command = [sys.executable, "-m", "fundstelle", "--home", str(tmp_path / "home"), "import", "--json"]
        process = subprocess.Popen(
            [*command, "--until", "chunked", str(tmp_path / "[bold][red] :key:.txt")],
            stdout=results,
            stderr=end,
            env=os.environ | {"TERM": "xterm"},
        )
        os.close(end)
        shown = _read_all(terminal)
        assert process.wait(60) == 0, shown
    assert json.loads((tmp_path / "results.jsonl").read_text("utf-8"))["status"] == "chunked"
    assert b"document_id" not in shown


def _read_all(terminal: int) -> bytes:
    parts = []
    try:
        while part := os.read(terminal, 65_536):
            parts.append(part)
    except OSError:  # how Linux says that the other end was closed
        pass
    os.close(terminal)
    return b"".join(parts)
