"""One reader for all formats: hands each file to the reader of its media type."""

from collections.abc import Mapping

from fundstelle.domain.documents import DocumentText, MediaType
from fundstelle.ports.reading import DocumentReader, PageProgress, ReadRequest


class ReaderByType:
    """Implement `ports.reading.DocumentReader` for every media type that has a reader.

    Args:
        readers: By media type; one reader may stand for several.
    """

    def __init__(self, readers: Mapping[MediaType, DocumentReader]) -> None:
        self._readers = dict(readers)

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read the whole file with the reader of its type."""
        return self._readers[request.media_type].read(request, progress)

    def close(self) -> None:
        """End the worker processes of all readers."""
        for reader in self._readers.values():
            reader.close()
