"""Keep the vector index in a folder with Qdrant Edge, the engine of Qdrant inside the process.

One shard per index. The index is a projection of SQL: whatever is damaged here can be thrown away
and built again, and the messages say so. This module never reads the text that it stores for people.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import qdrant_edge as edge

from fundstelle.adapters.vectors import qdrant_edge_shard as shards
from fundstelle.domain.errors import ModelMismatchError, ServiceError
from fundstelle.domain.identity import PointId, TextHash
from fundstelle.ports.indexing import IndexHit, IndexPoint, SparseVector

GRAPH_FROM_KB = 30_000
"""20,000 vectors of 384 dimensions: comparing with all of them takes about as long as walking a graph."""

_WRITE_BATCH = 512
_SCROLL_BATCH = 1_000
_TIE_FACTOR = 16
_Item = TypeVar("_Item")


class QdrantEdgeIndex:
    """Implement `ports.indexing.VectorIndex` on a folder of Qdrant Edge shards.

    Shards are opened at first use and stay open until `close`. Only one process can hold a shard; a
    second one gets a `BusyError`.

    Args:
        folder: Holds one folder per index; made when the first index is made.
        graph_from_kb: Kilobytes of vectors from which on a search graph is built; below, comparing with
            every point is as fast and exact. Counts when an index is made.
    """

    def __init__(self, folder: Path, graph_from_kb: int = GRAPH_FROM_KB) -> None:
        self._folder = folder
        self._graph_from_kb = graph_from_kb
        self._open: dict[str, edge.EdgeShard] = {}
        self._opening = threading.RLock()
        self._writing = threading.Lock()

    def ensure(self, index: str, dimension: int) -> None:
        """Create an index when it is not there.

        Raises:
            ModelMismatchError: It is there with another dimension.
            BusyError: Another process holds it.
        """
        with self._opening:
            path = shards.path_of(self._folder, index)
            if not path.exists():
                shards.create(path, index, dimension, self._graph_from_kb)
            self._shard(index)
            present = shards.dimension_of(path, index)
            if present != dimension:
                raise ModelMismatchError(
                    f"The index '{index}' has vectors of {present} dimensions, the model gives {dimension}.",
                    "Run `fundstelle reindex` to build the index with this model.",
                )

    def write(self, index: str, upsert: Sequence[IndexPoint], delete: Sequence[PointId] = ()) -> None:
        """Delete points, then insert or replace points; on disk when the call returns.

        Raises:
            ServiceError: The index does not exist, or refuses.
        """
        if not upsert and not delete:
            return
        shard = self._shard(index)
        if shard is None:
            raise ServiceError(f"There is no index '{index}'.", "Run `fundstelle reindex` to build it.")
        with self._writing, shards.translated(index):
            for batch in _batches(delete, _WRITE_BATCH):
                shard.update(edge.UpdateOperation.delete_points(list(batch)))
            for points in _batches(upsert, _WRITE_BATCH):
                shard.update(edge.UpdateOperation.upsert_points([_to_point(point) for point in points]))
            shard.optimize()
            shard.flush()

    def search(
        self, index: str, query: npt.NDArray[np.float32] | SparseVector, limit: int
    ) -> Sequence[IndexHit]:
        """Find the nearest points by cosine (dense) or BM25 with IDF (sparse)."""
        shard = self._shard(index)
        if shard is None or limit < 1:
            return []
        with shards.translated(index):
            hits = _search_past_ties(shard, query, limit)
        return sorted(hits, key=lambda hit: (-hit.score, hit.point_id))[:limit]

    def stamps(self, index: str) -> Iterator[Mapping[PointId, TextHash]]:
        """Go through all points in batches: id and hash of the embedded text."""
        shard = self._shard(index)
        offset: edge.PointId | None = None
        while shard is not None:
            with shards.translated(index):
                records, offset = shard.scroll(
                    edge.ScrollRequest(offset=offset, limit=_SCROLL_BATCH, with_payload=["text_hash"])
                )
            if records:
                yield {PointId(str(r.id)): TextHash((r.payload or {}).get("text_hash", "")) for r in records}
            if offset is None:
                return

    def drop(self, index: str) -> None:
        """Remove an index with all its points, also a damaged one."""
        with self._opening, self._writing:
            path = shards.path_of(self._folder, index)
            shard = self._open.pop(index, None)
            if shard is not None:
                shard.close()
            if path.exists():
                shards.remove(path, index)

    def close(self) -> None:
        """Write everything to disk and let go of all shards; the index can be used again afterwards."""
        with self._opening, self._writing:
            while self._open:
                index, shard = self._open.popitem()
                with shards.translated(index):
                    shard.flush()
                    shard.close()

    def _shard(self, index: str) -> edge.EdgeShard | None:
        """Give the open shard of an index, opening it at first use; None when there is no such index."""
        shard = self._open.get(index)
        if shard is not None:
            return shard
        with self._opening:
            path = shards.path_of(self._folder, index)
            if index not in self._open and path.exists():
                self._open[index] = shards.load(path, index)
            return self._open.get(index)


def _to_point(point: IndexPoint) -> edge.Point:
    sparse = edge.SparseVector(list(point.sparse.indices), list(point.sparse.values))
    vectors: dict[str, edge.NamedVector] = {shards.DENSE: point.dense.tolist()}
    if point.sparse.indices:
        vectors[shards.SPARSE] = sparse
    payload = {
        "chunk_id": point.chunk_id,
        "document_id": point.document_id,
        "version_id": point.version_id,
        "document_title": point.document_title,
        "collection": point.collection,
        "window_index": point.window_index,
        "text_hash": point.text_hash,
        "content": point.content,
    }
    return edge.Point(point.point_id, vectors, payload)


def _search_past_ties(
    shard: edge.EdgeShard, query: npt.NDArray[np.float32] | SparseVector, limit: int
) -> list[IndexHit]:
    """Fetch more than asked for while the last scores are equal, so that ids cut ties, not chance."""
    fetched = limit + 1
    while True:
        hits = _search(shard, query, fetched)
        tied = len(hits) == fetched and hits[limit - 1].score == hits[-1].score
        if not tied or fetched > limit * _TIE_FACTOR:
            return hits
        fetched *= 2


def _search(
    shard: edge.EdgeShard, query: npt.NDArray[np.float32] | SparseVector, limit: int
) -> list[IndexHit]:
    if isinstance(query, SparseVector):
        vector = edge.SparseVector(list(query.indices), list(query.values))
        nearest, params = edge.Query.Nearest(vector, using=shards.SPARSE), None
    else:
        nearest = edge.Query.Nearest(query.tolist(), using=shards.DENSE)
        params = edge.SearchParams(hnsw_ef=max(shards.SEARCH_EF, limit))
    found = shard.query(edge.QueryRequest(limit=limit, query=nearest, params=params))
    return [IndexHit(PointId(str(point.id)), point.score) for point in found]


def _batches(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
