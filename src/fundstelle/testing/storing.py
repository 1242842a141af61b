"""The contract that every store of original bytes must keep.

A back end proves itself by a subclass of `BlobStoreContract` that overrides `make_store`.
"""

import hashlib
from pathlib import Path

import pytest

from fundstelle.domain.documents import Verdict
from fundstelle.domain.errors import SourceError, SourceTooLargeError, UnreadableError
from fundstelle.domain.identity import ContentHash
from fundstelle.ports.storing import BlobStore

_LARGE = bytes(range(256)) * 10_000


class BlobStoreContract:
    """State what every blob store must do; subclasses override `make_store`."""

    def make_store(self, folder: Path) -> BlobStore:
        """Make a store; the same folder leads to the same blobs."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> BlobStore:
        """Give an empty store."""
        return self.make_store(tmp_path / "blobs")

    @pytest.mark.parametrize("data", [b"", b"\x00", b"gleich", _LARGE], ids=["none", "zero", "few", "many"])
    def test_put_when_read_back_then_the_same_bytes(
        self, store: BlobStore, tmp_path: Path, data: bytes
    ) -> None:
        """What is kept is what was given, under its SHA-256, from a file as from memory."""
        source = tmp_path / "quelle"
        source.write_bytes(data)
        blob = store.put_file(source, len(data))
        assert blob.content_hash == hashlib.sha256(data).hexdigest()
        assert (blob.path.read_bytes(), blob.size_bytes) == (data, len(data))
        assert store.put_bytes(data) == blob == store.find(blob.content_hash)

    def test_find_when_opened_again_then_still_there(self, tmp_path: Path) -> None:
        """Blobs outlast the object that kept them."""
        blob = self.make_store(tmp_path).put_bytes(b"bleibt")
        assert self.make_store(tmp_path).find(blob.content_hash) == blob

    def test_find_when_unknown_then_none(self, store: BlobStore) -> None:
        """What is not kept is not found."""
        assert store.find(ContentHash("0" * 64)) is None

    def test_put_file_when_too_large_then_refused_and_not_kept(
        self, store: BlobStore, tmp_path: Path
    ) -> None:
        """The limit counts to the byte."""
        source = tmp_path / "quelle"
        source.write_bytes(b"x" * 11)
        with pytest.raises(SourceTooLargeError):
            store.put_file(source, 10)
        assert store.find(ContentHash(hashlib.sha256(b"x" * 11).hexdigest())) is None
        assert store.put_file(source, 11).size_bytes == 11

    def test_put_file_when_missing_then_verdict_not_found(self, store: BlobStore, tmp_path: Path) -> None:
        """A vanished file is told from one that may not be read."""
        with pytest.raises(UnreadableError) as caught:
            store.put_file(tmp_path / "weg.pdf", 10)
        assert caught.value.verdict == Verdict.NOT_FOUND

    def test_put_file_when_it_is_a_folder_then_source_error(self, store: BlobStore, tmp_path: Path) -> None:
        """A folder is no file."""
        with pytest.raises(SourceError):
            store.put_file(tmp_path, 10)
