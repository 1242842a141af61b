"""Original bytes are kept whole, once, by their hash; beyond the contract, crashes and disks that refuse."""

import errno
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fundstelle.adapters.blobs import FileBlobStore
from fundstelle.domain.errors import SourceTooLargeError, StorageError, UnreadableError


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(data=st.binary(max_size=5000))
def test_put_when_read_back_then_the_same_bytes(tmp_path: Path, data: bytes) -> None:
    """What is kept is what was given, under its SHA-256."""
    store = FileBlobStore(tmp_path / "blobs")
    source = tmp_path / "quelle"
    source.write_bytes(data)
    blob = store.put_file(source, 10_000)
    assert blob.content_hash == hashlib.sha256(data).hexdigest()
    assert blob.path.read_bytes() == data
    assert blob.size_bytes == len(data)
    assert store.put_bytes(data) == blob == store.find(blob.content_hash)


def test_put_when_repeated_then_kept_once_and_nothing_left_over(tmp_path: Path) -> None:
    """Equal bytes take the place of one file, and no unfinished file stays."""
    store = FileBlobStore(tmp_path)
    for _ in range(3):
        store.put_bytes(b"gleich")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 1


def test_put_when_kept_file_was_cut_then_made_whole(tmp_path: Path) -> None:
    """A kept file of the wrong size is replaced, not believed."""
    store = FileBlobStore(tmp_path)
    blob = store.put_bytes(b"ganzer Inhalt")
    blob.path.write_bytes(b"ganz")
    assert store.put_bytes(b"ganzer Inhalt").path.read_bytes() == b"ganzer Inhalt"


def test_put_when_kept_file_was_spoilt_then_made_whole(tmp_path: Path) -> None:
    """A kept file of the right size with other bytes is replaced, so that `verify` can be satisfied again."""
    store = FileBlobStore(tmp_path)
    blob = store.put_bytes(b"ganzer Inhalt")
    blob.path.write_bytes(b"ganzer Unfug!")
    assert store.put_bytes(b"ganzer Inhalt").path.read_bytes() == b"ganzer Inhalt"


def test_put_file_when_too_large_then_refused_and_nothing_kept(tmp_path: Path) -> None:
    """The limit counts to the byte."""
    store = FileBlobStore(tmp_path / "blobs")
    source = tmp_path / "quelle"
    source.write_bytes(b"x" * 11)
    with pytest.raises(SourceTooLargeError, match="max_file_mb"):
        store.put_file(source, 10)
    assert not [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert store.put_file(source, 11).size_bytes == 11


def test_put_file_when_it_is_a_pipe_then_refused_at_once(tmp_path: Path) -> None:
    """A pipe without a writer does not hold up the import."""
    pipe = tmp_path / "rohr"
    os.mkfifo(pipe)
    with pytest.raises(UnreadableError, match="not a file"):
        FileBlobStore(tmp_path / "blobs").put_file(pipe, 10)


@pytest.mark.parametrize(
    ("number", "expected"), [(errno.ENOSPC, "disk is full"), (errno.EROFS, "may not be written")]
)
def test_put_when_the_disk_refuses_then_storage_error_and_nothing_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: str
) -> None:
    """A full or read-only disk ends with what to do; no half file stays."""

    def refuse(descriptor: int, data: object) -> int:
        raise OSError(number, os.strerror(number))

    store = FileBlobStore(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        with pytest.raises(StorageError, match=expected):
            store.put_bytes(b"Inhalt")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert store.put_bytes(b"Inhalt").path.read_bytes() == b"Inhalt"


def test_sweep_when_a_crash_left_files_then_removed(tmp_path: Path) -> None:
    """What a crash left unfinished is removed, what is kept stays."""
    store = FileBlobStore(tmp_path)
    blob = store.put_bytes(b"bleibt")
    (tmp_path / ".unfinished-abc").write_bytes(b"hal")
    assert store.sweep() == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [blob.path]
