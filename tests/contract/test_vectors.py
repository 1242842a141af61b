"""Every vector index keeps the contract; Qdrant Edge also survives crashes, damage and rivals."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.domain.errors import BusyError, ServiceError
from fundstelle.ports.indexing import SparseVector, VectorIndex
from fundstelle.testing.vectors import DIMENSION, InMemoryIndex, VectorIndexContract, make_point

_WRITER = """
import sys, time
from pathlib import Path
from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.testing.vectors import DIMENSION, make_point
index = QdrantEdgeIndex(Path(sys.argv[1]))
index.ensure("main", DIMENSION)
for start in range(0, 300, 100):
    index.write("main", [make_point(n, terms=[n]) for n in range(start, start + 100)])
index.write("main", [], [make_point(7).point_id])
print("written", flush=True)
time.sleep(60)
"""


class TestInMemoryIndex(VectorIndexContract):
    """The fake keeps the contract."""

    def make_index(self) -> VectorIndex:
        """Make an index in memory."""
        return InMemoryIndex()


class TestQdrantEdgeIndex(VectorIndexContract):
    """Qdrant Edge keeps the contract."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> Iterator[None]:
        self._made: list[QdrantEdgeIndex] = []
        self._path = tmp_path / "vectors"
        yield
        for index in self._made:
            index.close()

    def make_index(self) -> VectorIndex:
        """Make an index in a folder of the test."""
        self._made.append(QdrantEdgeIndex(self._path))
        return self._made[-1]

    def test_close_when_opened_again_then_points_are_there(self) -> None:
        """Closing lets go of the folder; another object finds everything."""
        first = QdrantEdgeIndex(self._path)
        first.ensure("main", DIMENSION)
        first.write("main", [make_point(n, terms=[n]) for n in range(10)])
        first.close()
        again = self.make_index()
        assert again.search("main", SparseVector((3,), (1.0,)), 1)[0].point_id == make_point(3).point_id
        assert again.search("main", make_point(4).dense, 1)[0].point_id == make_point(4).point_id

    def test_write_when_process_is_killed_then_nothing_is_lost(self) -> None:
        """What `write` returned from is there after kill -9."""
        with _writer(self._path) as process:
            os.kill(process.pid, signal.SIGKILL)
        index = self.make_index()
        found = {p for batch in index.stamps("main") for p in batch}
        assert found == {make_point(n).point_id for n in range(300) if n != 7}

    def test_open_when_another_process_holds_it_then_busy_names_the_server(self) -> None:
        """A second process is told who is in the way and that a Qdrant server can be shared."""
        index = self.make_index()
        with _writer(self._path) as process:
            with pytest.raises(BusyError, match="Qdrant server"):
                index.search("main", make_point(1).dense, 1)
            with pytest.raises(BusyError):
                index.drop("main")
            process.kill()
        assert index.search("main", make_point(1).dense, 1)

    @pytest.mark.parametrize("damage", ["cut", "garbage", "missing"])
    def test_open_when_shard_is_damaged_then_error_names_reindex_and_drop_works(self, damage: str) -> None:
        """A damaged shard says how to rebuild it, and can be dropped for that."""
        first = QdrantEdgeIndex(self._path)
        first.ensure("main", DIMENSION)
        first.write("main", [make_point(n) for n in range(10)])
        first.close()
        for file in self._path.rglob("segment.json"):
            _damage(file, damage)
        index = self.make_index()
        with pytest.raises(ServiceError, match="fundstelle reindex"):
            index.search("main", make_point(1).dense, 1)
        index.drop("main")
        index.ensure("main", DIMENSION)
        assert list(index.stamps("main")) == []

    def test_open_when_engine_panics_then_service_error(self) -> None:
        """A panic of the engine is an error like others, not a crash."""
        first = QdrantEdgeIndex(self._path)
        first.ensure("main", DIMENSION)
        first.write("main", [make_point(n) for n in range(10)])
        first.close()
        for file in self._path.rglob("vector_storage-dense/deleted/status.dat"):
            file.write_bytes(b"")
        with pytest.raises(ServiceError, match="fundstelle reindex"):
            self.make_index().search("main", make_point(1).dense, 1)

    def test_ensure_when_an_earlier_one_was_interrupted_then_made_anew(self) -> None:
        """A half-made folder is no obstacle."""
        first = QdrantEdgeIndex(self._path)
        first.ensure("main", DIMENSION)
        first.close()
        (folder,) = self._path.iterdir()
        shutil.copytree(folder, folder.with_name(f".new-{folder.name}"))
        shutil.rmtree(folder)
        index = self.make_index()
        index.ensure("main", DIMENSION)
        assert list(index.stamps("main")) == []

    def test_search_when_many_threads_ask_then_the_same_answers(self) -> None:
        """Reads from several threads do not disturb each other."""
        index = self.make_index()
        index.ensure("main", DIMENSION)
        points = [make_point(n) for n in range(300)]
        index.write("main", points)
        alone = [index.search("main", point.dense, 5) for point in points[:50]]
        results: list[list[object]] = [[] for _ in range(4)]

        def ask(slot: int) -> None:
            results[slot].extend(index.search("main", point.dense, 5) for point in points[:50])

        threads = [threading.Thread(target=ask, args=(slot,)) for slot in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(result == alone for result in results)

    def test_search_when_graph_was_built_then_nearly_exact(self) -> None:
        """After a large write the search graph finds what comparing with every point finds."""
        index = QdrantEdgeIndex(self._path, graph_from_kb=100)
        self._made.append(index)
        index.ensure("big", 64)
        rng = np.random.default_rng(1)
        dense = rng.normal(size=(3_000, 64)).astype(np.float32)
        dense /= np.linalg.norm(dense, axis=1, keepdims=True)
        points = [_replaced(n, vector) for n, vector in enumerate(dense)]
        index.write("big", points)
        found = 0
        for vector in dense[:20]:
            exact = {points[int(n)].point_id for n in np.argsort(-(dense @ vector))[:10]}
            found += len(exact & {hit.point_id for hit in index.search("big", vector, 10)})
        assert found >= 190


class _writer:  # noqa: N801 - reads as a function where it is used
    """Run a process that writes 300 points, deletes one and then holds the shard."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(self._folder)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == "written"
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def _damage(file: Path, how: str) -> None:
    if how == "missing":
        file.unlink()
    elif how == "cut":
        file.write_bytes(file.read_bytes()[:20])
    else:
        file.write_bytes(b"\xff" * 100)


def _replaced(number: int, dense: np.ndarray) -> object:
    from dataclasses import replace

    return replace(make_point(number), dense=dense)
