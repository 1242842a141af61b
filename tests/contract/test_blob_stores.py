"""Every store of original bytes keeps the contract."""

from pathlib import Path

from fundstelle.adapters.blobs import FileBlobStore
from fundstelle.ports.storing import BlobStore
from fundstelle.testing.storing import BlobStoreContract


class TestFileBlobStore(BlobStoreContract):
    """Files in the data folder keep the contract."""

    def make_store(self, folder: Path) -> BlobStore:
        """Open the folder."""
        return FileBlobStore(folder)
