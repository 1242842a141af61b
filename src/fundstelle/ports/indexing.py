"""The port to the vector index (phases I5 and A2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fundstelle.domain.identity import ChunkId, DocumentId, PointId, TextHash, VersionId


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Hold a sparse vector: term numbers (unsigned 32 bit, ascending, distinct) and their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class IndexPoint:
    """Hold what the index stores for one window.

    Args:
        dense: Shape: (d,) float32, L2-normalised.
        sparse: BM25 weights of the terms; the index multiplies them with the inverse document frequency.
        text_hash: Hash of the embedded text, compared by `reconcile`.
        content: For people who browse the index; the query process never reads it.
    """

    point_id: PointId
    dense: npt.NDArray[np.float32]
    sparse: SparseVector
    chunk_id: ChunkId
    document_id: DocumentId
    version_id: VersionId
    document_title: str
    collection: str
    window_index: int
    text_hash: TextHash
    content: str


@dataclass(frozen=True, slots=True)
class IndexHit:
    """Hold one point found, with the score of the leg that found it."""

    point_id: PointId
    score: float


class VectorIndex(Protocol):
    """Keep points in named indexes and find the nearest.

    Every write is idempotent by point id and durable when the call returns. Results are sorted by
    score, highest first; equal scores by point id. Unknown index names behave as empty on reads.
    Thread-safe for reads; one writer at a time.
    """

    def ensure(self, index: str, dimension: int) -> None:
        """Create an index when it is not there.

        Raises:
            ModelMismatchError: It is there with another dimension.
        """
        ...

    def write(self, index: str, upsert: Sequence[IndexPoint], delete: Sequence[PointId] = ()) -> None:
        """Delete points, then insert or replace points."""
        ...

    def search(
        self, index: str, query: npt.NDArray[np.float32] | SparseVector, limit: int
    ) -> Sequence[IndexHit]:
        """Find the nearest points by cosine (dense) or BM25 with IDF (sparse)."""
        ...

    def stamps(self, index: str) -> Iterator[Mapping[PointId, TextHash]]:
        """Go through all points in batches: id and hash of the embedded text."""
        ...

    def drop(self, index: str) -> None:
        """Remove an index with all its points; nothing happens when it is not there."""
        ...
