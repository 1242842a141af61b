"""Original bytes by their hash in the data folder; implements `ports.storing.BlobStore`.

A blob appears under its name only when it is whole and on the disk: it is written beside, synced and
renamed. Equal bytes are kept once. What a crash leaves behind is swept when the store is opened
for writing the next time.
"""

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from fundstelle.domain.documents import Verdict
from fundstelle.domain.errors import SourceError, SourceTooLargeError, StorageError, UnreadableError
from fundstelle.domain.identity import ContentHash
from fundstelle.ports.records import StoredBlob

_BLOCK_BYTES = 1024 * 1024
_MEBIBYTE = 1024 * 1024


class FileBlobStore:
    """Keep bytes in files named by their SHA-256, spread over 256 folders.

    Args:
        folder: Made at the first write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put_file(self, source: Path, max_bytes: int) -> StoredBlob:
        """Read a file once, from start to end, hash and keep what was read."""
        return self._put(_read_blocks(source, max_bytes))

    def put_bytes(self, data: bytes) -> StoredBlob:
        """Keep bytes that are in memory already."""
        return self._put([data])

    def find(self, content_hash: ContentHash) -> StoredBlob | None:
        """Find kept bytes; None when they are not there."""
        path = self._path(content_hash)
        try:
            return StoredBlob(content_hash, path.stat().st_size, path)
        except FileNotFoundError:
            return None

    def _put(self, blocks: Iterable[bytes]) -> StoredBlob:
        digest, size = hashlib.sha256(), 0
        with self._unfinished() as (file, descriptor):
            for block in blocks:
                digest.update(block)
                size += len(block)
                with _disk_errors(self._folder):
                    _write_all(descriptor, block)
            content_hash = ContentHash(digest.hexdigest())
            path = self._path(content_hash)
            with _disk_errors(self._folder):
                if not _holds(path, content_hash, size):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    # The name itself becomes lasting with the next sync of this disk, at the latest
                    # with the durable commit that makes the version visible.
                    os.fsync(descriptor)
                    file.replace(path)
        return StoredBlob(content_hash, size, path)

    @contextlib.contextmanager
    def _unfinished(self) -> Iterator[tuple[Path, int]]:
        """Give a file beside the blobs that is gone afterwards unless it was renamed."""
        with _disk_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=".unfinished-", dir=self._folder)
        try:
            yield Path(name), descriptor
        finally:
            os.close(descriptor)
            Path(name).unlink(missing_ok=True)

    def _path(self, content_hash: ContentHash) -> Path:
        return self._folder / content_hash[:2] / content_hash

    def sweep(self) -> int:
        """Remove what crashes left unfinished; only for the one process that holds the data folder.

        Returns:
            How many files were removed.
        """
        with _disk_errors(self._folder):
            left_over = list(self._folder.glob(".unfinished-*"))
            for file in left_over:
                file.unlink(missing_ok=True)
        return len(left_over)


def _read_blocks(source: Path, max_bytes: int) -> Iterator[bytes]:
    # Opened without waiting: a pipe that took the place of the file must not hold up the import.
    with _source_errors(source):
        descriptor = os.open(source, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableError(
                f"'{source}' is not a file.", "Please name a file.", verdict=Verdict.UNSUPPORTED
            )
        size = 0
        while True:
            with _source_errors(source):
                block = os.read(descriptor, _BLOCK_BYTES)
            size += len(block)
            if size > max_bytes:
                raise SourceTooLargeError(
                    f"'{source}' is larger than the limit of {max_bytes / _MEBIBYTE:g} MiB.",
                    "Raise the limit (setting max_file_mb) or split the file.",
                )
            if not block:
                return
            yield block
    finally:
        os.close(descriptor)


def _holds(path: Path, content_hash: ContentHash, size: int) -> bool:
    """Tell whether the bytes are there and whole, so that what a disk has spoilt is made good."""
    if not (path.exists() and path.stat().st_size == size):
        return False
    with path.open("rb") as kept:
        return hashlib.file_digest(kept, "sha256").hexdigest() == content_hash


def _write_all(descriptor: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(descriptor, view) :]


@contextlib.contextmanager
def _source_errors(source: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise UnreadableError(
            f"'{source}' does not exist any more.", "Check the path.", verdict=Verdict.NOT_FOUND
        ) from error
    except PermissionError as error:
        raise UnreadableError(
            f"'{source}' may not be read.",
            "Give your user the right to read it.",
            verdict=Verdict.NOT_PERMITTED,
        ) from error
    except OSError as error:
        raise SourceError(f"'{source}' cannot be read: {error.strerror}.", "Check path and disk.") from error


@contextlib.contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageError(
                f"The disk is full: the folder {folder} cannot take more.",
                "Free some space and run the command again; what was stored before is safe.",
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise StorageError(
                f"The folder {folder} may not be written.",
                "Give your user the right to write to the data folder and all files in it.",
            ) from error
        raise StorageError(
            f"The folder {folder} cannot be used: {error.strerror}.", "Check the disk, then try again."
        ) from error
