"""A vector index in memory and the contract that every vector index must keep.

A back end proves itself by a subclass of `VectorIndexContract` that overrides `make_index`.
"""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

import numpy as np
import numpy.typing as npt
import pytest

from fundstelle.domain.errors import ModelMismatchError, ServiceError
from fundstelle.domain.identity import ChunkId, DocumentId, PointId, TextHash, VersionId
from fundstelle.ports.indexing import IndexHit, IndexPoint, SparseVector, VectorIndex

DIMENSION = 8
"""Dimension of the vectors in the contract."""


class InMemoryIndex:
    """Implement `ports.indexing.VectorIndex` by comparing with every point."""

    def __init__(self) -> None:
        self._indexes: dict[str, dict[PointId, IndexPoint]] = {}
        self._dimensions: dict[str, int] = {}

    def ensure(self, index: str, dimension: int) -> None:
        """Create an index when it is not there."""
        if self._dimensions.setdefault(index, dimension) != dimension:
            present = self._dimensions[index]
            raise ModelMismatchError(f"The index '{index}' has {present} dimensions, not {dimension}.")
        self._indexes.setdefault(index, {})

    def write(self, index: str, upsert: Sequence[IndexPoint], delete: Sequence[PointId] = ()) -> None:
        """Delete points, then insert or replace points."""
        if not upsert and not delete:
            return
        if index not in self._indexes:
            raise ServiceError(f"There is no index '{index}'.", "Run `fundstelle reindex` to build it.")
        if any(point.dense.shape != (self._dimensions[index],) for point in upsert):
            raise ServiceError(f"A vector does not fit the index '{index}'.")
        points = self._indexes[index]
        for point_id in delete:
            points.pop(point_id, None)
        points.update((point.point_id, point) for point in upsert)

    def search(
        self, index: str, query: npt.NDArray[np.float32] | SparseVector, limit: int
    ) -> Sequence[IndexHit]:
        """Find the nearest points by cosine (dense) or BM25 with IDF (sparse)."""
        points = self._indexes.get(index, {})
        scores = _sparse_scores(points, query) if isinstance(query, SparseVector) else _cosines(points, query)
        hits = [IndexHit(point_id, score) for point_id, score in scores.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.point_id))[: max(limit, 0)]

    def stamps(self, index: str) -> Iterator[Mapping[PointId, TextHash]]:
        """Go through all points, in one batch."""
        points = self._indexes.get(index, {})
        if points:
            yield {point_id: point.text_hash for point_id, point in points.items()}

    def drop(self, index: str) -> None:
        """Remove an index with all its points."""
        self._indexes.pop(index, None)
        self._dimensions.pop(index, None)


def _cosines(points: Mapping[PointId, IndexPoint], query: npt.NDArray[np.float32]) -> Mapping[PointId, float]:
    return {point_id: float(point.dense @ query) for point_id, point in points.items()}


def _sparse_scores(points: Mapping[PointId, IndexPoint], query: SparseVector) -> Mapping[PointId, float]:
    holders = Counter(term for point in points.values() for term in point.sparse.indices)
    asked = {
        term: weight * log(1 + (len(points) - holders[term] + 0.5) / (holders[term] + 0.5))
        for term, weight in zip(query.indices, query.values, strict=True)
    }
    return {
        point_id: sum(asked.get(t, 0.0) * w for t, w in zip(p.sparse.indices, p.sparse.values, strict=True))
        for point_id, p in points.items()
        if not asked.keys().isdisjoint(p.sparse.indices)
    }


def make_point(number: int, *, dense: Sequence[float] | None = None, terms: Sequence[int] = ()) -> IndexPoint:
    """Make a point for tests: its id, hash and texts follow from its number.

    Args:
        dense: Normalised here; by default drawn from the number.
        terms: Term numbers, each with weight 1.
    """
    given = np.random.default_rng(number).normal(size=DIMENSION) if dense is None else np.asarray(dense)
    distinct = tuple(sorted(set(terms)))
    return IndexPoint(
        point_id=PointId(str(uuid.uuid5(uuid.NAMESPACE_OID, str(number)))),
        dense=(given / np.linalg.norm(given)).astype(np.float32),
        sparse=SparseVector(distinct, tuple(1.0 for _ in distinct)),
        chunk_id=ChunkId(f"chk_{number}"),
        document_id=DocumentId("doc_1"),
        version_id=VersionId("ver_1"),
        document_title="Handbuch",
        collection="standard",
        window_index=number,
        text_hash=TextHash(f"hash-{number}"),
        content=f"Absatz {number}",
    )


class VectorIndexContract:
    """State what every vector index must do; subclasses override `make_index`."""

    def make_index(self) -> VectorIndex:
        """Make an empty index."""
        raise NotImplementedError

    @pytest.fixture
    def index(self) -> VectorIndex:
        """Give an index in which `main` exists and is empty."""
        index = self.make_index()
        index.ensure("main", DIMENSION)
        return index

    def test_ensure_when_index_exists_then_points_stay(self, index: VectorIndex) -> None:
        """Ensuring an index twice changes nothing."""
        index.write("main", [make_point(1)])
        index.ensure("main", DIMENSION)
        assert _stamps(index) == {make_point(1).point_id: "hash-1"}

    def test_ensure_when_dimension_differs_then_model_mismatch(self, index: VectorIndex) -> None:
        """An index of another model is refused, not overwritten."""
        with pytest.raises(ModelMismatchError):
            index.ensure("main", DIMENSION + 1)

    def test_reads_when_index_is_unknown_then_empty(self, index: VectorIndex) -> None:
        """Unknown names behave as empty indexes."""
        assert list(index.search("unknown", make_point(1).dense, 5)) == []
        assert list(index.search("unknown", SparseVector((1,), (1.0,)), 5)) == []
        assert list(index.stamps("unknown")) == []
        index.drop("unknown")

    def test_write_when_index_is_unknown_then_service_error(self, index: VectorIndex) -> None:
        """Points are never lost in an index that nobody made."""
        with pytest.raises(ServiceError):
            index.write("unknown", [make_point(1)])

    def test_write_when_dimension_differs_then_service_error(self, index: VectorIndex) -> None:
        """A vector of another length is refused."""
        with pytest.raises(ServiceError):
            index.write("main", [_with_dense(make_point(1), DIMENSION + 1)])

    def test_write_when_repeated_then_the_same(self, index: VectorIndex) -> None:
        """Writing is idempotent by point id."""
        points = [make_point(n) for n in range(5)]
        index.write("main", points)
        index.write("main", points)
        assert _stamps(index) == {point.point_id: point.text_hash for point in points}

    def test_write_when_id_is_deleted_and_inserted_then_inserted_stays(self, index: VectorIndex) -> None:
        """Deletion comes before insertion."""
        index.write("main", [make_point(1), make_point(2)])
        index.write("main", [make_point(1)], [make_point(1).point_id, make_point(2).point_id])
        assert set(_stamps(index)) == {make_point(1).point_id}

    def test_write_when_id_to_delete_is_unknown_then_nothing_happens(self, index: VectorIndex) -> None:
        """Deleting what is not there is no error."""
        index.write("main", [make_point(1)])
        index.write("main", [], [make_point(9).point_id])
        assert set(_stamps(index)) == {make_point(1).point_id}

    def test_search_when_dense_then_nearest_first(self, index: VectorIndex) -> None:
        """Dense search sorts by cosine."""
        points = [make_point(n) for n in range(50)]
        index.write("main", points)
        hits = index.search("main", points[7].dense, 10)
        expected = sorted(points, key=lambda p: -float(p.dense @ points[7].dense))[:10]
        assert [hit.point_id for hit in hits] == [point.point_id for point in expected]
        assert hits[0].score == pytest.approx(1.0, abs=1e-5)

    def test_search_when_sparse_then_rare_terms_weigh_more(self, index: VectorIndex) -> None:
        """Sparse search multiplies with the inverse document frequency."""
        index.write("main", [make_point(n, terms=[100]) for n in range(10)])
        index.write("main", [make_point(20, terms=[100, 4_000_000_000]), make_point(21, terms=[7])])
        hits = index.search("main", SparseVector((100, 4_000_000_000), (1.0, 1.0)), 20)
        assert hits[0].point_id == make_point(20).point_id
        assert hits[0].score > 2 * hits[1].score > 0
        assert make_point(21).point_id not in {hit.point_id for hit in hits}

    def test_search_when_sparse_then_score_is_bm25_with_idf(self, index: VectorIndex) -> None:
        """The IDF is ln(1 + (N - n + 0.5) / (n + 0.5)), as Qdrant and Lucene compute it."""
        index.write("main", [make_point(n, terms=[n]) for n in range(9)])
        hit = index.search("main", SparseVector((3,), (2.0,)), 1)[0]
        assert hit.score == pytest.approx(2.0 * log(1 + 8.5 / 1.5), rel=1e-4)

    def test_search_when_no_term_is_asked_then_empty(self, index: VectorIndex) -> None:
        """A question of stop words finds nothing in the sparse leg."""
        index.write("main", [make_point(1, terms=[1]), make_point(2)])
        assert list(index.search("main", SparseVector((), ()), 5)) == []

    def test_search_when_scores_are_equal_then_by_id(self, index: VectorIndex) -> None:
        """Ties are sorted, and cut, by point id."""
        twins = [make_point(n, dense=[1.0] * DIMENSION, terms=[1]) for n in range(30)]
        index.write("main", [*twins, make_point(99, terms=[2])])
        ids = sorted(point.point_id for point in twins)
        for query in (twins[0].dense, SparseVector((1,), (1.0,))):
            assert [hit.point_id for hit in index.search("main", query, 7)] == ids[:7]
            assert [hit.point_id for hit in index.search("main", query, 30)] == ids

    def test_search_when_limit_is_not_positive_then_empty(self, index: VectorIndex) -> None:
        """Asking for nothing gives nothing."""
        index.write("main", [make_point(1)])
        assert list(index.search("main", make_point(1).dense, 0)) == []

    def test_search_when_point_was_deleted_then_not_found(self, index: VectorIndex) -> None:
        """Deleted points are gone from both legs."""
        point = make_point(1, terms=[5])
        index.write("main", [point, make_point(2, terms=[5])])
        index.write("main", [], [point.point_id])
        for query in (point.dense, SparseVector((5,), (1.0,))):
            assert point.point_id not in {hit.point_id for hit in index.search("main", query, 5)}

    def test_stamps_when_many_points_then_each_once(self, index: VectorIndex) -> None:
        """Going through an index meets each point exactly once."""
        points = [make_point(n) for n in range(2_500)]
        index.write("main", points)
        batches = list(index.stamps("main"))
        assert sum(len(batch) for batch in batches) == len(points)
        assert _stamps(index) == {point.point_id: point.text_hash for point in points}

    def test_drop_when_index_exists_then_it_can_be_made_anew(self, index: VectorIndex) -> None:
        """A dropped index is gone, other indexes stay, and its name is free for another dimension."""
        index.ensure("other", DIMENSION)
        index.write("main", [make_point(1)])
        index.write("other", [make_point(2)])
        index.drop("main")
        assert _stamps(index) == {}
        assert set(_stamps(index, "other")) == {make_point(2).point_id}
        index.ensure("main", DIMENSION + 1)

    def test_indexes_when_names_look_alike_then_apart(self, index: VectorIndex) -> None:
        """Names that differ only in case or signs are different indexes."""
        names = ["Main", "main/1", "main 1", "main_1", "größe", "../main", "x" * 300]
        for number, name in enumerate(names):
            index.ensure(name, DIMENSION)
            index.write(name, [make_point(number)])
        assert [set(_stamps(index, name)) for name in names] == [
            {make_point(number).point_id} for number in range(len(names))
        ]


def _stamps(index: VectorIndex, name: str = "main") -> dict[PointId, TextHash]:
    return {point_id: stamp for batch in index.stamps(name) for point_id, stamp in batch.items()}


def _with_dense(point: IndexPoint, dimension: int) -> IndexPoint:
    from dataclasses import replace

    return replace(point, dense=np.full(dimension, 1 / np.sqrt(dimension), dtype=np.float32))
