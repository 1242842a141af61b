"""Fuse what the legs of a search found into one ranking of chunks.

The scores of the legs are different measures (cosine; BM25), and ranks alone throw away how far the
best is ahead. So each leg's scores are stretched onto one scale: 0 for the last that it fetched,
1 for its best. A chunk's score is the weighted mean of what the legs say; a leg that did not find it says 0.
Everything here is pure, so that a stored search can be fused again and compared.

docs/decisions/0003-fusion.md has the methods that were tried and their numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fundstelle.domain.identity import ChunkId, VersionId
from fundstelle.domain.retrieval import Candidate, LegScore

WEIGHTS: Mapping[str, float] = {"vector": 0.5, "lexical": 0.5}
"""Say of each leg in hybrid mode; equal, because no other choice was better on both sets of questions."""

PREFETCH = 40
"""Windows that each leg fetches; between 20 and 100 the results hardly differ."""

METHOD = "stretch/" + ",".join(f"{leg}={weight}" for leg, weight in WEIGHTS.items())
"""Name of the method with its parameters, as it is stored with every query."""

_Key: TypeAlias = tuple[ChunkId, VersionId]


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """Hold one window that a leg found, by the chunk it belongs to."""

    chunk_id: ChunkId
    version_id: VersionId
    score: float


@dataclass(frozen=True, slots=True)
class LegRange:
    """Hold what the scores of a leg were stretched between: `floor` became 0 and `best` became 1."""

    floor: float
    best: float

    def stretch(self, score: float) -> float:
        """Place a score between 0 and 1; where all scores are equal, each is the best."""
        if self.best <= self.floor:
            return 1.0
        return min(max((score - self.floor) / (self.best - self.floor), 0.0), 1.0)


def fuse(
    legs: Mapping[str, Sequence[ChunkHit]],
    weights: Mapping[str, float] = WEIGHTS,
    floors: Mapping[str, float] | None = None,
) -> tuple[Candidate, ...]:
    """Group windows to chunks and rank the chunks, best first; equal scores by chunk id, then version id.

    Args:
        legs: What each leg found, in any order; a chunk counts by its best window.
        weights: Say of each leg; only their ratio among the legs given matters.
        floors: The score of whatever a leg did not find, where it is known: 0 for a lexical leg that gave
            fewer windows than were asked for. Elsewhere the lowest score found stands for it.

    Returns:
        All chunks found, with score (0 to 1), rank (from 1) and each leg's own best score and rank.
    """
    ranked = {leg: _rank_chunks(hits) for leg, hits in legs.items()}
    ranges = leg_ranges(legs, floors)
    whole = sum(weights[leg] for leg in legs) or 1.0
    scored: list[tuple[float, _Key, dict[str, LegScore]]] = []
    for key in {key for chunks in ranked.values() for key in chunks}:
        found = {leg: chunks[key] for leg, chunks in ranked.items() if key in chunks}
        said = sum(weights[leg] * ranges[leg].stretch(own.score) for leg, own in found.items())
        scored.append((said / whole, key, found))
    scored.sort(key=lambda item: (-item[0], item[1]))
    return tuple(
        Candidate(chunk_id, version_id, score, rank, found)
        for rank, (score, (chunk_id, version_id), found) in enumerate(scored, start=1)
    )


def leg_ranges(
    legs: Mapping[str, Sequence[ChunkHit]], floors: Mapping[str, float] | None = None
) -> Mapping[str, LegRange]:
    """Say between what each leg's scores are stretched; a leg without hits has no range."""
    known = floors or {}
    ranges: dict[str, LegRange] = {}
    for leg, hits in legs.items():
        if hits:
            scores = [hit.score for hit in hits]
            ranges[leg] = LegRange(known.get(leg, min(scores)), max(scores))
    return ranges


def _rank_chunks(hits: Iterable[ChunkHit]) -> dict[_Key, LegScore]:
    """Keep each chunk's best window and rank the chunks within the leg."""
    best: dict[_Key, float] = {}
    for hit in hits:
        key = (hit.chunk_id, hit.version_id)
        best[key] = max(hit.score, best.get(key, hit.score))
    ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return {key: LegScore(score, rank) for rank, (key, score) in enumerate(ordered, start=1)}
