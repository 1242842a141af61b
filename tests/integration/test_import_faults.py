"""Whatever goes wrong on the way, nothing half done is seen, and the next import makes it good."""

import contextlib
import errno
import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event

from fundstelle.adapters.blobs import FileBlobStore
from fundstelle.adapters.lock import locked
from fundstelle.adapters.sql.engine import DATABASE_FILE, open_database, sqlite_engine
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.domain.documents import DocumentText, Verdict, VersionStatus
from fundstelle.domain.errors import StorageError
from fundstelle.ingest.pipeline import ImportRequest, import_paths
from fundstelle.ingest.results import Silent
from fundstelle.ports.reading import PageProgress, ReadRequest
from fundstelle.testing.reading import FakeReader
from fundstelle.testing.words import count_words
from import_kit import Kit, a_text, write_documents
from kill_kit import differences, disturb, open_kit, prepare, start, state_of, wait_for_step

_NOBODY = 65534


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[Kit]:
    """Give a data folder."""
    kit = Kit(tmp_path / "home")
    yield kit
    kit.database.close()


def _undisturbed(folder: Path, source: Path) -> Kit:
    whole = Kit(folder / "undisturbed")
    whole.run(source)
    return whole


@contextlib.contextmanager
def _without_rights() -> Iterator[Path]:
    """Act as a user who owns nothing, in an open folder."""
    if os.geteuid() != 0:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    # Whatever is imported late has to be loaded by the user who may read the interpreter's files.
    Kit(folder / "loads-everything").run(write_documents(folder / "any", 1))
    os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        os.seteuid(0)
        shutil.rmtree(folder)


@pytest.mark.slow
def test_import_when_killed_at_random_moments_then_ends_with_the_same_rows(tmp_path: Path) -> None:
    """After kill -9 and another import, rows and points equal those of an undisturbed import."""
    course = prepare(tmp_path, 6)
    chance = random.Random(7)
    killed = 0
    for number in range(3):
        home = tmp_path / f"home-{number}"
        killed += len(disturb(course, home, chance))
        assert differences(state_of(home), course.expected) == []
    assert killed > 0


@pytest.mark.slow
def test_import_when_interrupted_by_ctrl_c_then_can_be_carried_on(tmp_path: Path) -> None:
    """Ctrl-C ends the process soon, and the next import ends with the same rows."""
    course = prepare(tmp_path, 6)
    shutil.copytree(course.earlier, tmp_path / "home")
    process = start(tmp_path / "home", course.source)
    wait_for_step(process, course.steps // 2)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert b"end" not in out
    assert b"KeyboardInterrupt" in errors
    kit, index = open_kit(tmp_path / "home")
    kit.run(course.source)
    index.close()
    assert differences(state_of(tmp_path / "home"), course.expected) == []


@pytest.mark.parametrize("when", ["started", "pages", "chunks", "windows", "finished"])
def test_import_when_interrupted_between_steps_then_can_be_carried_on(
    kit: Kit, tmp_path: Path, when: str
) -> None:
    """Wherever the interrupt comes, what was committed stays and the rest is made good."""
    source = write_documents(tmp_path / "texte", 4)
    calls = 0

    class Interrupt(Silent):
        def __getattribute__(self, name: str) -> object:
            nonlocal calls
            calls += name == when
            if name == when and calls == 3:
                raise KeyboardInterrupt
            return super().__getattribute__(name)

    with pytest.raises(KeyboardInterrupt):
        list(import_paths(ImportRequest([source], "standard"), tools=kit.tools, progress=Interrupt()))
    assert {result.status for result in kit.run(source)} == {VersionStatus.INDEXED}
    whole = _undisturbed(tmp_path, source)
    assert kit.rows() == whole.rows()
    assert kit.stamps() == whole.stamps()


def test_imports_until_chunked_when_two_run_at_once_then_rows_are_those_of_one(tmp_path: Path) -> None:
    """Two processes that store the same documents at the same time do not spoil each other's work."""
    source = write_documents(tmp_path / "texte", 6)
    program = (
        "import sys; sys.path.insert(0, 'tests'); from import_kit import *; "
        "kit = Kit(Path(sys.argv[1])); "
        "print({r.status.value for r in kit.run(Path(sys.argv[2]), until=VersionStatus.CHUNKED)})"
    )
    root = Path(__file__).resolve().parents[2]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "home"), str(source)],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for process in started:
        out, errors = process.communicate(timeout=120)
        assert out.strip() == b"{'chunked'}", errors.decode()
    whole = Kit(tmp_path / "whole")
    whole.run(source, until=VersionStatus.CHUNKED)
    assert Kit(tmp_path / "home").rows() == whole.rows()


@pytest.mark.parametrize("room", [2, 6, 12, 20])
def test_import_when_the_disk_is_full_then_says_so_and_loses_nothing(tmp_path: Path, room: int) -> None:
    """A full disk ends the import with what to do; with room again it ends as if nothing had been."""
    source = write_documents(tmp_path / "texte", 10)
    home = tmp_path / "home"
    open_database(home).dispose()
    engine = sqlite_engine(home / DATABASE_FILE)
    with engine.connect() as connection:
        pages = room + connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    engine.dispose()

    @event.listens_for(engine, "connect")
    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    kit = Kit(home)
    roomy, kit.database = kit.database, SqlDatabase(engine)
    with pytest.raises(StorageError, match="disk is full") as caught:
        kit.run(source)
    assert "Free some space" in caught.value.hint
    engine.dispose()
    kit.database = roomy
    kit.run(source)
    whole = _undisturbed(tmp_path, source)
    assert kit.rows() == whole.rows()
    assert kit.stamps() == whole.stamps()


def test_import_when_the_disk_is_full_for_blobs_then_says_so(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk too full for the original bytes ends the import, and nothing half written stays."""
    source = write_documents(tmp_path / "texte", 2)
    written = 0
    write = os.write

    def fill_up(descriptor: int, data: bytes) -> int:
        nonlocal written
        written += 1
        if written > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data)

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", fill_up)
        with pytest.raises(StorageError, match="disk is full"):
            kit.run(source)
    assert not list((tmp_path / "home" / "blobs").glob(".unfinished*"))
    assert len(kit.run(source)) == 2
    assert kit.rows() == _undisturbed(tmp_path, source).rows()


def test_import_when_a_file_vanishes_then_the_others_are_imported(kit: Kit, tmp_path: Path) -> None:
    """A file that is gone when its turn comes is a result of its own, with a record."""
    source = write_documents(tmp_path / "texte", 3)

    class Remove(Silent):
        def started(self, document: str) -> None:
            if document == "dokument-01.txt":
                (source / document).unlink()

    results = list(import_paths(ImportRequest([source], "standard"), tools=kit.tools, progress=Remove()))
    by_name = {result.filename: result for result in results}
    assert by_name["dokument-01.txt"].verdict is Verdict.NOT_FOUND
    assert by_name["dokument-01.txt"].document_id is None
    assert {by_name[f"dokument-0{n}.txt"].status for n in (0, 2)} == {VersionStatus.INDEXED}
    assert [row[0] for row in kit.rows()["events"]] == ["refused"]


def test_import_when_a_file_changes_after_it_was_taken_in_then_the_taken_bytes_count(
    kit: Kit, tmp_path: Path
) -> None:
    """Everything after intake reads the kept bytes, never the file again."""
    path = write_documents(tmp_path / "texte", 1) / "dokument-00.txt"
    original = path.read_text()

    class ChangeWhileReading(FakeReader):
        def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
            path.write_text("Ganz anderer Inhalt.")
            return super().read(request, progress)

    kit.reader = ChangeWhileReading()
    kit.run(path)
    path.write_text(original)
    assert kit.run(path)[0].identical_to is not None
    assert kit.reader.files_read == 1


def test_import_when_folder_or_file_may_not_be_read_then_reported_and_the_rest_imported() -> None:
    """What the user has no right to read is named; the import goes on."""
    with _without_rights() as folder:
        source = write_documents(folder / "texte", 2)
        (source / "zu").mkdir()
        (source / "zu" / "innen.txt").write_text("x")
        (source / "zu").chmod(0)
        (source / "dokument-01.txt").chmod(0)
        kit = Kit(folder / "home")
        results = {result.filename: result for result in kit.run(source)}
        kit.database.close()
        (source / "zu").chmod(stat.S_IRWXU)
    assert results["dokument-00.txt"].status is VersionStatus.INDEXED
    for name in ("zu", "dokument-01.txt"):
        assert results[name].verdict is Verdict.NOT_PERMITTED
        assert "right to read" in (results[name].error or "")


def test_open_when_data_folder_is_read_only_then_storage_error() -> None:
    """A data folder that may not be written is said so, by database, blobs and lock."""
    with _without_rights() as folder:
        home = folder / "home"
        open_database(home).dispose()
        for path in (*home.iterdir(), home):
            path.chmod(path.stat().st_mode & ~0o222)
        with pytest.raises(StorageError, match=r"may only be read|cannot be opened"):
            Kit(home).run(write_documents(folder / "texte", 1))
        with pytest.raises(StorageError, match="may not be written"):
            FileBlobStore(home / "blobs").put_bytes(b"x")
        with pytest.raises(StorageError, match="cannot be locked"), locked(home):
            pass
        with pytest.raises(StorageError):
            open_database(home / "neu")
        home.chmod(stat.S_IRWXU)


def test_open_when_database_is_damaged_then_storage_error(tmp_path: Path) -> None:
    """A file that is no database is said so, with the way back."""
    (tmp_path / DATABASE_FILE).write_bytes(b"Das ist keine Datenbank. " * 400)
    with pytest.raises(StorageError, match="damaged") as caught:
        open_database(tmp_path)
    assert "backup" in caught.value.hint


def test_write_when_another_program_holds_the_database_then_storage_error(tmp_path: Path) -> None:
    """A database that stays locked is said so, after the time to wait."""
    database = SqlDatabase(open_database(tmp_path, busy_timeout_s=0.1))
    other = sqlite3.connect(tmp_path / DATABASE_FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="locked by another program"), database.write():
        pass
    other.execute("ROLLBACK")
    other.close()
    with database.write() as unit:
        unit.commit()
    database.close()


@pytest.mark.parametrize("damage", ["deleted", "damaged"])
def test_import_when_the_index_is_lost_then_rebuilt_from_sql_with_a_record(
    tmp_path: Path, damage: str
) -> None:
    """An index folder that is gone or damaged is written again without embedding anything."""
    source = write_documents(tmp_path / "texte", 3)
    kit, index = open_kit(tmp_path / "home")
    kit.run(source)
    stamps = kit.stamps()
    index.close()
    folder = tmp_path / "home" / "index"
    if damage == "deleted":
        shutil.rmtree(folder)
    else:
        for path in folder.rglob("*"):
            if path.is_file():
                path.write_bytes(b"\xff" * min(path.stat().st_size, 4096))
    kit, index = open_kit(tmp_path / "home")
    kit.run(source / "dokument-00.txt")
    assert kit.stamps() == stamps
    assert kit.embedder.embedded_texts == 0
    assert [row[0] for row in kit.rows()["events"]] == ["rebuilt"]
    index.close()


def test_import_when_a_file_upsets_the_reader_then_recorded_and_the_others_imported(
    kit: Kit, tmp_path: Path
) -> None:
    """A fault of the program in one document is stored with it and ends nothing else."""

    class Upset(FakeReader):
        def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
            if b"Thema1" in request.path.read_bytes():
                raise ValueError("unerwartet")
            return super().read(request, progress)

    kit.reader = Upset()
    results = {r.filename: r for r in kit.run(write_documents(tmp_path / "texte", 3))}
    failed = results["dokument-01.txt"]
    assert (failed.status, failed.chunks) == (VersionStatus.FAILED, 0)
    assert "fault in phase I1" in (failed.error or "")
    assert results["dokument-02.txt"].status is VersionStatus.INDEXED
    kit.reader = FakeReader()
    assert {result.status for result in kit.run(tmp_path / "texte")} == {VersionStatus.INDEXED}


def test_import_when_chunking_breaks_a_criterion_then_nothing_of_it_stays(kit: Kit, tmp_path: Path) -> None:
    """A criterion that does not hold takes the step back and is stored with the version."""
    counts = iter(range(1, 10**6))

    def count_wrongly(text: str) -> int:
        return next(counts) if "Thema1" in text else count_words(text)

    tools = replace(kit.tools, count_tokens=count_wrongly)
    source = write_documents(tmp_path / "texte", 3)
    results = {r.filename: r for r in import_paths(ImportRequest([source], "standard"), tools=tools)}
    failed = results["dokument-01.txt"]
    assert (failed.status, failed.chunks) == (VersionStatus.FAILED, 0)
    assert "phase I3" in (failed.error or "")
    assert failed.pages == 2
    assert results["dokument-00.txt"].status is VersionStatus.INDEXED
    kit.run(source)
    assert kit.rows() == _undisturbed(tmp_path, source).rows()


def test_import_when_file_is_over_the_limit_then_refused_unread(kit: Kit, tmp_path: Path) -> None:
    """A file over the size limit is reported with the setting to raise, and leaves only a record."""
    kit.settings = replace(kit.settings, max_bytes=100)
    path = tmp_path / "gross.txt"
    path.write_text(a_text("Großes"))
    (result,) = kit.run(path)
    assert (result.status, result.verdict) == (VersionStatus.FAILED, Verdict.TOO_LARGE)
    assert "max_file_mb" in (result.error or "")
    assert kit.rows()["documents"] == []
    assert [row[0] for row in kit.rows()["events"]] == ["refused"]
