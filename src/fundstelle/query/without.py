"""A reader that treats one document as withdrawn, for questions asked without their right passage."""

from collections.abc import Sequence
from dataclasses import replace

from fundstelle.domain.identity import DocumentId, PointId, VersionId
from fundstelle.domain.query_phases import LocatedWindow, SearchedCollection, WindowState
from fundstelle.domain.retrieval import ChunkRecord
from fundstelle.ports.querying import ChunkKey, PassageReader


class ReaderWithout:
    """Implement `ports.querying.PassageReader` over another one; one document is not live.

    Args:
        reader: Reads everything else.
        document: Seen as withdrawn.
    """

    def __init__(self, reader: PassageReader, document: DocumentId) -> None:
        self._reader = reader
        self._document = document

    def collections(self, names: Sequence[str]) -> Sequence[SearchedCollection]:
        """Read collections by name."""
        return self._reader.collections(names)

    def locate(self, points: Sequence[PointId]) -> Sequence[LocatedWindow]:
        """Find the chunks of points; those of the document are withdrawn."""
        return [
            replace(window, state=WindowState.WITHDRAWN) if window.document_id == self._document else window
            for window in self._reader.locate(points)
        ]

    def reload(self, keys: Sequence[ChunkKey]) -> Sequence[ChunkRecord]:
        """Read chunks with their provenance."""
        return self._reader.reload(keys)

    def pages(self, versions: Sequence[VersionId]) -> frozenset[tuple[VersionId, int]]:
        """List the stored pages of some versions."""
        return self._reader.pages(versions)
