"""Fusion: two legs, one ranking, the same every time."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.fusion import METHOD, WEIGHTS, ChunkHit, fuse, leg_ranges
from fundstelle.domain.identity import ChunkId, VersionId


def hit(chunk: str, score: float, version: str = "v") -> ChunkHit:
    """Make a hit."""
    return ChunkHit(ChunkId(chunk), VersionId(version), score)


def test_fuse_when_both_legs_agree_then_score_one_and_rank_one() -> None:
    """The best of both legs has the highest score there is."""
    found = fuse({"vector": [hit("a", 0.9), hit("b", 0.8)], "lexical": [hit("a", 12.0), hit("b", 3.0)]})
    assert [(c.chunk_id, c.score, c.rank) for c in found] == [("a", 1.0, 1), ("b", 0.0, 2)]


def test_fuse_when_scores_lie_between_then_weighted_mean_of_stretched_scores() -> None:
    """A chunk's score follows from the stored scores by one formula."""
    legs = {
        "vector": [hit("a", 0.9), hit("b", 0.85), hit("c", 0.8)],
        "lexical": [hit("b", 10.0), hit("c", 7.0), hit("a", 0.0)],
    }
    scores = {c.chunk_id: c.score for c in fuse(legs, {"vector": 3.0, "lexical": 1.0})}
    assert scores == pytest.approx({"a": 0.75, "b": 0.625, "c": 0.175})


def test_fuse_when_chunk_has_many_windows_then_best_counts_once() -> None:
    """Many windows do not push a chunk, its best one does."""
    legs = {"vector": [hit("a", 0.5), hit("a", 0.9), hit("a", 0.4), hit("b", 0.8), hit("c", 0.3)]}
    first, second, third = fuse(legs)
    assert (first.chunk_id, first.legs["vector"].score, first.legs["vector"].rank) == ("a", 0.9, 1)
    assert (second.chunk_id, second.legs["vector"].rank) == ("b", 2)
    assert third.legs["vector"].rank == 3


def test_fuse_when_one_leg_did_not_find_a_chunk_then_it_says_nothing_for_it() -> None:
    """A leg without the chunk adds 0 and is not listed."""
    legs = {"vector": [hit("a", 0.9), hit("b", 0.8)], "lexical": [hit("b", 5.0), hit("c", 1.0)]}
    by_chunk = {c.chunk_id: c for c in fuse(legs)}
    assert set(by_chunk["a"].legs) == {"vector"}
    assert by_chunk["a"].score == WEIGHTS["vector"]


def test_fuse_when_scores_are_equal_then_by_chunk_and_version() -> None:
    """Ties are broken by id, the same on every machine."""
    legs = {"vector": [hit("b", 0.5, "1"), hit("a", 0.5, "2"), hit("a", 0.5, "1")]}
    assert [(c.chunk_id, c.version_id) for c in fuse(legs)] == [("a", "1"), ("a", "2"), ("b", "1")]


def test_fuse_when_leg_is_exhausted_then_floor_keeps_weak_matches_above_none() -> None:
    """With a known floor, the last of few lexical matches still counts for more than no match."""
    legs = {"vector": [hit("a", 0.9), hit("b", 0.9)], "lexical": [hit("c", 9.0), hit("b", 3.0)]}
    without = {c.chunk_id: c.score for c in fuse(legs)}
    floored = {c.chunk_id: c.score for c in fuse(legs, floors={"lexical": 0.0})}
    assert without["b"] == without["a"]
    assert floored["b"] > floored["a"]


def test_fuse_when_a_leg_found_nothing_then_the_other_decides() -> None:
    """An empty leg disturbs no order."""
    found = fuse({"vector": [hit("a", 0.2), hit("b", 0.7)], "lexical": []})
    assert [c.chunk_id for c in found] == ["b", "a"]
    assert fuse({"vector": [], "lexical": []}) == ()


def test_leg_ranges_when_legs_are_fused_then_tell_what_was_stretched() -> None:
    """What the scores were stretched between can be stored and shown."""
    ranges = leg_ranges({"vector": [hit("a", 0.9), hit("b", 0.4)], "lexical": []})
    assert (ranges["vector"].floor, ranges["vector"].best) == (0.4, 0.9)
    assert "lexical" not in ranges


def test_method_when_weights_change_then_name_changes() -> None:
    """The stored name of the method names the weights in use."""
    assert all(f"{leg}={weight}" in METHOD for leg, weight in WEIGHTS.items())


hits = st.lists(
    st.builds(hit, st.sampled_from("abcdefgh"), st.floats(-1, 50), st.sampled_from("12")), max_size=30
)


@given(hits, hits, st.randoms(use_true_random=False))
def test_fuse_when_hits_come_in_any_order_then_the_same_ranking(
    vector: list[ChunkHit], lexical: list[ChunkHit], shuffler: random.Random
) -> None:
    """The ranking depends on what was found, not on the order in which it came; scores stay in 0 to 1."""
    found = fuse({"vector": vector, "lexical": lexical})
    shuffler.shuffle(vector)
    shuffler.shuffle(lexical)
    assert fuse({"lexical": lexical, "vector": vector}) == found
    assert [c.rank for c in found] == list(range(1, len(found) + 1))
    assert all(0.0 <= c.score <= 1.0 for c in found)
    assert len({(c.chunk_id, c.version_id) for c in found}) == len(found)
