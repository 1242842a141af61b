"""Phase A2, preselection (Vorselektion): the nearest windows, grouped to chunks, the legs fused.

Every leg is asked in every collection. What it finds is stored as it was found; SQL alone says to
which chunk a point belongs and whether that chunk is live. Dead windows are recorded with their
reason, and when they leave too few chunks over, the legs are asked for more.

Within a leg the collections compete by score (the same model, the same measure); how the legs, whose
scores are different measures, are fused is the business of `domain.fusion`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fundstelle.domain.errors import ServiceError
from fundstelle.domain.fusion import METHOD, ChunkHit, fuse
from fundstelle.domain.identity import ChunkId, CollectionId, DocumentId, PointId, VersionId
from fundstelle.domain.query_phases import (
    AcceptedQuery,
    Leg,
    LegHit,
    LegResult,
    LocatedWindow,
    Preselection,
    QuestionEmbedding,
    SearchedCollection,
    WindowState,
)
from fundstelle.domain.retrieval import Candidate, RetrievalMode
from fundstelle.ports.indexing import SparseVector, VectorIndex
from fundstelle.ports.querying import PassageReader

LEGS = {
    RetrievalMode.VECTOR: (Leg.VECTOR,),
    RetrievalMode.LEXICAL: (Leg.LEXICAL,),
    RetrievalMode.HYBRID: (Leg.VECTOR, Leg.LEXICAL),
}

_GROWTH = 3
_MAX_ROUNDS = 5

_ChunksOf: TypeAlias = dict[tuple[PointId, CollectionId | None], list[tuple[ChunkId, VersionId]]]
QueryVectors: TypeAlias = dict[Leg, "npt.NDArray[np.float32] | SparseVector"]


def preselect(
    accepted: AcceptedQuery,
    embedding: QuestionEmbedding,
    *,
    index: VectorIndex,
    reader: PassageReader,
    encode_query: Callable[[str], SparseVector],
) -> Preselection:
    """Find candidates in all searched collections, live ones only, best first.

    Raises:
        ServiceError: The index does not answer, or has lost its points.
    """
    query = accepted.query
    vectors = _query_vectors(query.mode, embedding, encode_query)
    located = _Located(reader, frozenset(query.collections), frozenset(query.without))
    limit, rounds = query.prefetch, 0
    while True:
        rounds += 1
        legs = tuple(
            _ask(leg, collection, vectors[leg], limit, index)
            for leg in LEGS[query.mode]
            for collection in accepted.searched
        )
        _demand_points(accepted, legs, index, reader)
        located.add(legs)
        candidates = fuse_legs(legs, located.windows, query.top_k)
        if len(candidates) >= query.top_k or rounds == _MAX_ROUNDS or not _more_to_find(legs):
            return Preselection(legs, tuple(located.windows), candidates, METHOD, rounds)
        limit *= _GROWTH


def fuse_legs(
    legs: Sequence[LegResult], windows: Sequence[LocatedWindow], top_k: int
) -> tuple[Candidate, ...]:
    """Group the found windows to live chunks and fuse the legs; pure, so replay repeats it."""
    chunks_of: _ChunksOf = {}
    for window in windows:
        if window.state is WindowState.LIVE and window.version_id and window.chunk_id:
            place = (window.point_id, window.collection_id)
            chunks_of.setdefault(place, []).append((window.chunk_id, window.version_id))
    hits: dict[str, list[ChunkHit]] = {result.leg.value: [] for result in legs}
    for result in legs:
        of_leg = hits[result.leg.value]
        for hit in result.hits:
            for chunk, version in chunks_of.get((hit.point_id, result.collection_id), ()):
                of_leg.append(ChunkHit(chunk, version, hit.score))
    return fuse(hits, floors=_floors(legs))[:top_k]


def _floors(legs: Sequence[LegResult]) -> dict[str, float]:
    """Say what a lexical leg that found everything there was says of the rest: nothing, which is 0."""
    lexical = [result for result in legs if result.leg is Leg.LEXICAL]
    exhausted = bool(lexical) and not _more_to_find(lexical)
    return {Leg.LEXICAL.value: 0.0} if exhausted else {}


def _query_vectors(
    mode: RetrievalMode, embedding: QuestionEmbedding, encode_query: Callable[[str], SparseVector]
) -> QueryVectors:
    vectors: QueryVectors = {}
    if embedding.vector is not None:
        vectors[Leg.VECTOR] = np.frombuffer(embedding.vector, dtype="<f4")
    if Leg.LEXICAL in LEGS[mode]:
        vectors[Leg.LEXICAL] = encode_query(embedding.text)
    return vectors


def _ask(
    leg: Leg,
    collection: SearchedCollection,
    vector: npt.NDArray[np.float32] | SparseVector,
    limit: int,
    index: VectorIndex,
) -> LegResult:
    if collection.index_name is None:
        note = f"nothing of collection '{collection.name}' is indexed yet"
        return LegResult(collection.collection_id, leg, limit, (), note)
    if isinstance(vector, SparseVector) and not vector.indices:
        return LegResult(collection.collection_id, leg, limit, (), "the question holds no search terms")
    hits = index.search(collection.index_name, vector, limit)
    return LegResult(
        collection.collection_id, leg, limit, tuple(LegHit(hit.point_id, hit.score) for hit in hits)
    )


def _demand_points(
    accepted: AcceptedQuery, legs: Sequence[LegResult], index: VectorIndex, reader: PassageReader
) -> None:
    """See to it that nothing found means that nothing is there, and not that the index is gone."""
    answered = {leg.collection_id for leg in legs if leg.hits}
    for one in accepted.searched:
        silent = one.index_name is not None and one.collection_id not in answered
        if silent and reader.expects_points(one.collection_id) and not _has_points(index, one.index_name):
            raise ServiceError(
                f"The index of collection '{one.name}' is missing or empty, but the database has documents "
                "for it.",
                "Run `fundstelle reconcile --repair`; nothing has to be embedded again.",
            )


def _has_points(index: VectorIndex, name: str | None) -> bool:
    return name is not None and any(index.stamps(name))


def _more_to_find(legs: Sequence[LegResult]) -> bool:
    return any(len(leg.hits) >= leg.limit for leg in legs)


@dataclass(slots=True)
class _Located:
    """Collect where the found points belong, asking SQL for each point once."""

    reader: PassageReader
    collections: frozenset[CollectionId]
    without: frozenset[DocumentId]
    windows: list[LocatedWindow] = field(default_factory=list)
    seen: set[PointId] = field(default_factory=set)

    def add(self, legs: Sequence[LegResult]) -> None:
        """Look up the points that were not looked up before."""
        found = dict.fromkeys(hit.point_id for leg in legs for hit in leg.hits)
        new = [point for point in found if point not in self.seen]
        if new:
            self.seen.update(new)
            self.windows.extend(self._marked(window) for window in self.reader.locate(new))

    def _marked(self, window: LocatedWindow) -> LocatedWindow:
        if window.collection_id is not None and window.collection_id not in self.collections:
            return replace(window, state=WindowState.OTHER_COLLECTION)
        if window.document_id in self.without:
            return replace(window, state=WindowState.EXCLUDED)
        return window
