"""Phase A2 finds live chunks, best first, and records everything else that it found."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from fundstelle.domain.errors import ServiceError
from fundstelle.domain.fusion import METHOD
from fundstelle.domain.identity import ChunkId, CollectionId, DocumentId, PointId, VersionId
from fundstelle.domain.query_phases import (
    Leg,
    LegHit,
    LegResult,
    LocatedWindow,
    Preselection,
    QuestionEmbedding,
    SearchedCollection,
    WindowState,
)
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.ports.indexing import IndexHit, SparseVector
from fundstelle.query.a2_preselection import fuse_legs, preselect
from fundstelle.testing.querying import STANDARD, MemoryPassages, make_accepted

VECTOR = np.array([1.0, 0.0], dtype="<f4").tobytes()
EMBEDDED = QuestionEmbedding("frage", STANDARD.model_id, 2, VECTOR, None)


class ScriptedIndex:
    """Answer with fixed hits for each index and leg, and note the limits asked for."""

    def __init__(self, vector: dict[str, list[str]], lexical: dict[str, list[str]] | None = None) -> None:
        self.vector, self.lexical, self.limits = vector, lexical or {}, list[int]()
        self.best: dict[str, float] = {}

    def search(self, index: str, query: object, limit: int) -> list[IndexHit]:
        """Give the first `limit` hits; each scores a little less than the one before."""
        self.limits.append(limit)
        names = (self.lexical if isinstance(query, SparseVector) else self.vector).get(index, [])
        best = self.best.get(index, 1.0)
        return [IndexHit(PointId(name), best - place / 1000) for place, name in enumerate(names)][:limit]


def window(
    point: str, chunk: int, state: WindowState = WindowState.LIVE, collection: str = "col_1"
) -> LocatedWindow:
    """Make a window of a chunk."""
    return LocatedWindow(
        PointId(point),
        0,
        VersionId("ver_1"),
        ChunkId(f"chk_{chunk}"),
        DocumentId("doc_1"),
        CollectionId(collection),
        state,
    )


def search(index: ScriptedIndex, windows: list[LocatedWindow], **options: object) -> Preselection:
    """Preselect with a scripted index."""
    accepted = make_accepted(**options)  # type: ignore[arg-type]
    return preselect(
        accepted,
        EMBEDDED if accepted.query.mode is not RetrievalMode.LEXICAL else replace(EMBEDDED, vector=None),
        index=index,  # type: ignore[arg-type]
        reader=MemoryPassages(windows=windows),
        encode_query=lambda text: SparseVector((1,), (1.0,)) if text else SparseVector((), ()),
    )


def chunks_of(found: Preselection) -> list[str]:
    """List the candidates' chunks."""
    return [one.chunk_id for one in found.candidates]


def test_preselect_when_both_legs_agree_then_first_and_scores_of_both_are_kept() -> None:
    """What both legs find wins over what one of them ranks higher."""
    index = ScriptedIndex({"standard-index": ["a", "b", "d"]}, {"standard-index": ["c", "b"]})
    found = search(index, [window("a", 1), window("b", 2), window("c", 3), window("d", 4)])
    assert chunks_of(found)[0] == "chk_2"
    assert {leg: score.rank for leg, score in found.candidates[0].legs.items()} == {"vector": 2, "lexical": 2}
    assert found.fusion == METHOD
    assert [one.rank for one in found.candidates] == [1, 2, 3, 4]


def test_preselect_when_a_chunk_has_several_windows_then_its_best_one_counts_once() -> None:
    """Windows are grouped to chunks; ranks count chunks, not windows."""
    index = ScriptedIndex({"standard-index": ["a1", "a2", "b"]})
    found = search(index, [window("a1", 1), window("a2", 1), window("b", 2)], mode=RetrievalMode.VECTOR)
    assert chunks_of(found) == ["chk_1", "chk_2"]
    assert found.candidates[1].legs["vector"].rank == 2
    assert found.candidates[0].legs["vector"].score == 1.0


def test_preselect_when_windows_are_dead_then_recorded_with_their_reason_and_left_out() -> None:
    """Nothing dead goes on, nothing dead vanishes."""
    states = [one for one in WindowState if one not in {WindowState.UNKNOWN, WindowState.OTHER_COLLECTION}]
    windows = [window(f"p{n}", n, state) for n, state in enumerate(states)]
    found = search(
        ScriptedIndex({"standard-index": [*(f"p{n}" for n in range(len(states))), "stranger"]}), windows
    )
    assert chunks_of(found) == ["chk_0"]
    assert {one.state for one in found.dead} == {*states, WindowState.UNKNOWN} - {WindowState.LIVE}
    assert {one.point_id for one in found.windows} >= {hit.point_id for leg in found.legs for hit in leg.hits}


def test_preselect_when_dead_windows_starve_the_list_then_more_is_fetched() -> None:
    """A hundred dead points before the live ones do not hide them."""
    dead = [window(f"d{n:03}", n, WindowState.WITHDRAWN) for n in range(100)]
    live = [window(f"l{n}", 1000 + n) for n in range(12)]
    index = ScriptedIndex({"standard-index": [one.point_id for one in [*dead, *live]]})
    found = search(index, [*dead, *live], mode=RetrievalMode.VECTOR)
    assert len(found.candidates) == 12
    assert found.rounds == 2
    assert index.limits == [60, 180]
    assert len(found.dead) == 100


def test_preselect_when_everything_is_dead_then_ends_with_nothing() -> None:
    """Asking for more has an end."""
    dead = [window(f"d{n:05}", n, WindowState.OLD_VERSION) for n in range(9_000)]
    found = search(
        ScriptedIndex({"standard-index": [one.point_id for one in dead]}), dead, mode=RetrievalMode.VECTOR
    )
    assert found.candidates == ()
    assert found.rounds == 5


def test_preselect_when_two_collections_then_compete_by_score_not_by_rank() -> None:
    """A poor collection's best window does not stand beside a good collection's best."""
    other = SearchedCollection(CollectionId("col_2"), "zweite", "zweite-index", STANDARD.model_id)
    index = ScriptedIndex({"standard-index": ["a", "b", "c"], "zweite-index": ["x"]})
    index.best = {"zweite-index": 0.1}
    windows = [window("a", 1), window("b", 2), window("c", 3), window("x", 4, collection="col_2")]
    found = search(index, windows, mode=RetrievalMode.VECTOR, searched=(STANDARD, other))
    assert chunks_of(found) == ["chk_1", "chk_2", "chk_3", "chk_4"]


def test_preselect_when_the_point_stands_in_an_unsearched_collection_too_then_recorded_as_such() -> None:
    """The same content in another collection is not searched and does not go on."""
    windows = [window("a", 1), replace(window("a", 1, collection="col_9"), version_id=VersionId("ver_9"))]
    found = search(ScriptedIndex({"standard-index": ["a"]}), windows, mode=RetrievalMode.VECTOR)
    assert [one.version_id for one in found.candidates] == ["ver_1"]
    assert [one.state for one in found.dead] == [WindowState.OTHER_COLLECTION]


def test_preselect_when_nothing_is_indexed_then_says_so_in_the_leg() -> None:
    """A collection without an index is a note, not silence."""
    empty = replace(STANDARD, index_name=None, model_id=None)
    found = search(ScriptedIndex({}), [], searched=(empty,))
    assert found.candidates == ()
    assert all("nothing of collection 'standard' is indexed" in leg.note for leg in found.legs)


def test_preselect_when_the_question_has_no_terms_then_the_lexical_leg_says_so() -> None:
    """A question of stop words leaves a note in the lexical leg."""
    found = preselect(
        make_accepted("der die das", mode=RetrievalMode.LEXICAL),
        replace(EMBEDDED, vector=None),
        index=ScriptedIndex({}),  # type: ignore[arg-type]
        reader=MemoryPassages(),
        encode_query=lambda _: SparseVector((), ()),
    )
    assert [leg.note for leg in found.legs] == ["the question holds no search terms"]


def test_fuse_legs_when_hits_come_in_another_order_then_the_result_is_the_same() -> None:
    """The order depends on scores and ids alone."""
    hits = tuple(LegHit(PointId(f"p{n}"), 0.5) for n in range(9))
    windows = [window(f"p{n}", 9 - n) for n in range(9)]
    legs = [LegResult(STANDARD.collection_id, Leg.VECTOR, 60, order) for order in (hits, hits[::-1])]
    assert fuse_legs(legs[:1], windows, 9) == fuse_legs(legs[1:], windows[::-1], 9)


class LostIndex:
    """An index that finds nothing, with or without points."""

    def __init__(self, points: int) -> None:
        self.points = points

    def search(self, *_: object) -> list[IndexHit]:
        """Find nothing."""
        return []

    def stamps(self, _index: str) -> Iterator[dict[PointId, str]]:
        """Give one batch, where there are points."""
        yield from [{PointId("a"): "hash"}] * self.points


@pytest.mark.parametrize("mode", list(RetrievalMode))
def test_preselect_when_the_index_is_gone_then_an_error_and_not_nothing_found(mode: RetrievalMode) -> None:
    """A lost index must never look like documents that do not answer."""
    with pytest.raises(ServiceError, match="'standard' is missing or empty") as caught:
        search(LostIndex(0), [window("a", 1)], mode=mode)  # type: ignore[arg-type]
    assert "reconcile --repair" in caught.value.hint


def test_preselect_when_nothing_is_found_or_expected_then_no_candidates() -> None:
    """A question without hits, and a collection whose documents are all withdrawn, are no errors."""
    lexical = RetrievalMode.LEXICAL
    assert chunks_of(search(LostIndex(1), [window("a", 1)], mode=lexical)) == []  # type: ignore[arg-type]
    withdrawn = [window("a", 1, WindowState.WITHDRAWN)]
    assert chunks_of(search(LostIndex(0), withdrawn)) == []  # type: ignore[arg-type]
