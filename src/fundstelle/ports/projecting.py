"""The ports to what the vector index should hold: windows, their vectors, and which points are wanted.

They are stores of the unit of work in `ports.storing` and keep to what is said there. SQL is the plan, the
index follows it (decision 0006).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from fundstelle.domain.identity import CollectionId, ModelId, PointId, TextHash, VersionId
from fundstelle.ports.embedding import ModelIdentity, Vectors
from fundstelle.ports.records import ProjectedWindow, WindowRecord, WorkStatus


class WindowStore(Protocol):
    """Keep windows: what should be in the index, and what of it is."""

    def plan(
        self, version_id: VersionId, model_id: ModelId, chunker: str, windows: Sequence[WindowRecord]
    ) -> None:
        """Store the windows of a version's chunks (of one chunker) in place of those stored before."""
        ...

    def of_version(self, version_id: VersionId, model_id: ModelId, chunker: str) -> tuple[WindowRecord, ...]:
        """Read the windows of a version's chunks (of one chunker), by chunk index and window index."""
        ...

    def projected(
        self,
        version_id: VersionId,
        model_id: ModelId,
        chunker: str,
        statuses: Collection[WorkStatus],
    ) -> Iterator[ProjectedWindow]:
        """Go through windows of these statuses with what their points are made of, in order."""
        ...

    def mark(self, version_id: VersionId, points: Sequence[PointId], status: WorkStatus) -> None:
        """Set the status of the windows of these points; skipped ones stay as they are."""
        ...

    def mark_all(self, versions: Sequence[VersionId], old: WorkStatus, new: WorkStatus) -> None:
        """Move all windows of these versions from one status to another."""
        ...


class EmbeddingStore(Protocol):
    """Keep vectors by model and text, so that no text is ever embedded twice."""

    def register(self, identity: ModelIdentity) -> None:
        """Store a model; nothing happens when it is there."""
        ...

    def known(self, model_id: ModelId, texts: Collection[TextHash]) -> frozenset[TextHash]:
        """Say which texts have a vector."""
        ...

    def add(
        self, model_id: ModelId, texts: Sequence[TextHash], vectors: Vectors, pieces: Sequence[int]
    ) -> None:
        """Store vectors; those that are there stay.

        Args:
            vectors: Shape: (len(texts), d) float32, L2-normalised.
        """
        ...

    def fetch(self, model_id: ModelId, texts: Collection[TextHash]) -> Mapping[TextHash, Vectors]:
        """Read vectors, each of shape (d,); texts without one are left out."""
        ...


class ProjectionStore(Protocol):
    """Say what the index of a collection should hold.

    A point is wanted when a window with status `indexed` needs it whose chunk is in force and whose
    version queries see, or whose version is on its way there (`chunked`, the newest, not withdrawn).
    Asked with a chunker, it is planned: what a new index has to hold before the chunks of that chunker
    can be put in force, whatever the status of their windows.
    """

    def wanted(
        self,
        collection_id: CollectionId,
        model_id: ModelId,
        points: Collection[PointId],
        chunker: str | None = None,
    ) -> Mapping[PointId, TextHash]:
        """Say which of these points are wanted (planned), and with which text."""
        ...

    def wanted_range(
        self, collection_id: CollectionId, model_id: ModelId, low: str, high: str, limit: int
    ) -> Sequence[tuple[PointId, TextHash, VersionId]]:
        """Go through the wanted points with `low < id < high`, by id; one version each."""
        ...

    def count(self, collection_id: CollectionId, model_id: ModelId, chunker: str | None = None) -> int:
        """Count the wanted (planned) points."""
        ...

    def adopt(self, collection_id: CollectionId, model_id: ModelId) -> None:
        """Say that a new index holds the windows of all chunks in force that queries see, and no others."""
        ...


class RemovalQueue(Protocol):
    """Say what has still to leave the index: windows with status `removing`."""

    def versions(self, limit: int) -> Sequence[tuple[CollectionId, VersionId]]:
        """Name versions that have such windows, by version id."""
        ...

    def points(self, version_id: VersionId) -> Sequence[PointId]:
        """Name the points of a version's windows that have to leave, by id."""
        ...
