"""Measure the embedded vector index as it grows: building, memory, and how long both legs take.

    python bench/index_scaling.py [--sizes 1000 10000 100000] [--million] [--folder DIR]

Points lie around a thousand centres in 384 dimensions; their words follow the frequencies of real German
texts, so that the most common terms are as common as in life. Prints one JSON object per size. `build_s`
counts writing only, with the graphs that it built; `cpu_s` is the processor time of the same, the more
honest number on a busy machine. Memory is resident: `anonymous` is the process's own, `mapped` are pages of
files that the system takes back when it needs them. `recall` compares the dense leg with every point.
"""

import argparse
import json
import resource
import shutil
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.domain import bm25
from fundstelle.domain.fusion import PREFETCH
from fundstelle.domain.identity import ChunkId, DocumentId, PointId, TextHash, VersionId
from fundstelle.domain.text.terms import index_terms
from fundstelle.ports.indexing import IndexPoint, SparseVector

DIMENSION = 384
CENTRES = 1_000
SPREAD = 0.6
WORDS_PER_WINDOW = 55
BATCH = 500
QUESTIONS = 300
NAME = "bench"


class Material:
    """Draw points and questions, the same for the same seed.

    Args:
        text: Real text, from whose words and their frequencies windows are drawn.
    """

    def __init__(self, text: str, seed: int = 1) -> None:
        self._dice = np.random.default_rng(seed)
        self._centres = self._dice.normal(size=(CENTRES, DIMENSION)).astype(np.float32)
        counts = Counter(index_terms(text))
        self._words = np.array(list(counts))
        self._shares = np.array(list(counts.values()), dtype=np.float64) / sum(counts.values())
        self._pool = [self._sparse(WORDS_PER_WINDOW, bm25.encode_document) for _ in range(4_000)]

    def points(self, first: int, count: int) -> Iterator[IndexPoint]:
        """Make the points with these numbers."""
        for number, dense in enumerate(self.vectors(count), start=first):
            yield IndexPoint(
                point_id=PointId(str(uuid.UUID(int=number + 1))),
                dense=dense,
                sparse=self._window(),
                chunk_id=ChunkId(f"chk_{number // 5:024}"),
                document_id=DocumentId("doc_1"),
                version_id=VersionId("ver_1"),
                document_title="Handbuch",
                collection=NAME,
                window_index=number % 5,
                text_hash=TextHash(f"{number:064x}"),
                content="Ein Satz, den Menschen lesen, die im Index blättern. " * 15,
            )

    def _window(self) -> SparseVector:
        """Take a window from the pool and shift its weights a little, so that no two score the same."""
        drawn = self._pool[int(self._dice.integers(len(self._pool)))]
        shift = float(self._dice.uniform(0.98, 1.02))
        return SparseVector(drawn.indices, tuple(value * shift for value in drawn.values))

    def vectors(self, count: int) -> npt.NDArray[np.float32]:
        """Draw normalised vectors around the centres."""
        around = self._centres[self._dice.integers(CENTRES, size=count)]
        drawn = around + SPREAD * self._dice.normal(size=(count, DIMENSION)).astype(np.float32)
        return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)

    def question(self, words: int) -> SparseVector:
        """Draw a question of so many words."""
        return self._sparse(words, bm25.encode_query)

    def common_question(self, words: int) -> SparseVector:
        """Ask for the most common words: the worst that can be asked."""
        order = np.argsort(-self._shares)[:words]
        return _as_sparse(bm25.encode_query(" ".join(self._words[order])))

    def _sparse(self, words: int, encode: Callable[[str], bm25.TermWeights]) -> SparseVector:
        drawn = self._dice.choice(self._words, size=words, p=self._shares)
        return _as_sparse(encode(" ".join(drawn)))


def _as_sparse(weights: bm25.TermWeights) -> SparseVector:
    return SparseVector(weights.indices, weights.values)


def measure(size: int, material: Material, folder: Path) -> dict[str, object]:
    """Build an index of one size and ask it."""
    shutil.rmtree(folder, ignore_errors=True)
    index = QdrantEdgeIndex(folder)
    index.ensure(NAME, DIMENSION)
    before, spent, used, longest = _memory(), 0.0, 0.0, 0.0
    sample: list[npt.NDArray[np.float32]] = []
    for first in range(0, size, BATCH):
        points = list(material.points(first, min(BATCH, size - first)))
        sample += [point.dense for point in points]
        start, cpu = time.perf_counter(), _cpu()
        index.write(NAME, points)
        longest = max(longest, time.perf_counter() - start)
        spent, used = spent + time.perf_counter() - start, used + _cpu() - cpu
    built = _memory()
    result: dict[str, object] = {
        "points": size,
        "build_s": round(spent, 1),
        "cpu_s": round(used, 1),
        "longest_write_s": round(longest, 1),
        "memory_mb": {name: built[name] - before[name] for name in built},
        "disk_mb": sum(f.stat().st_blocks for f in folder.rglob("*")) >> 11,
        **_ask(index, material, np.array(sample)),
    }
    index.close()
    start = time.perf_counter()
    index.search(NAME, material.question(5), PREFETCH)
    result["open_s"] = round(time.perf_counter() - start, 2)
    index.close()
    return result


def _ask(index: QdrantEdgeIndex, material: Material, stored: npt.NDArray[np.float32]) -> dict[str, object]:
    questions = material.vectors(QUESTIONS)
    for question in questions[:20]:
        index.search(NAME, question, PREFETCH)
        index.search(NAME, material.question(8), PREFETCH)
    found = 0
    for question in questions[:50]:
        nearest = set(np.argpartition(-(stored @ question), PREFETCH)[:PREFETCH].tolist())
        hits = index.search(NAME, question, PREFETCH)
        found += len(nearest & {uuid.UUID(hit.point_id).int - 1 for hit in hits})
    return {
        "recall": round(found / (50 * PREFETCH), 4),
        "dense_ms": _times([lambda q=q: index.search(NAME, q, PREFETCH) for q in questions]),
        "sparse_ms": _times(_asking(index, [material.question(8) for _ in range(QUESTIONS)])),
        "sparse_long_ms": _times(_asking(index, [material.question(30) for _ in range(QUESTIONS)])),
        "sparse_common_ms": _times(_asking(index, [material.common_question(20)] * 50)),
    }


def _asking(index: QdrantEdgeIndex, questions: list[SparseVector]) -> list[Callable[[], object]]:
    return [lambda q=q: index.search(NAME, q, PREFETCH) for q in questions]


def _times(calls: list[Callable[[], object]]) -> dict[str, float]:
    taken = []
    for call in calls:
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1_000)
    return {
        "p50": round(float(np.percentile(taken, 50)), 2),
        "p95": round(float(np.percentile(taken, 95)), 2),
    }


def _memory() -> dict[str, int]:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) >> 10 for line in lines if line.startswith("Rss")}
    return {"anonymous": sizes["RssAnon"], "mapped": sizes["RssFile"]}


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Run the bench."""
    here = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--data", type=Path, default=here.parent / "shared" / "data")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "fundstelle-index-bench")
    options = parser.parse_args()
    text = (options.data / "text" / "bgb.md").read_text("utf-8")
    squad = json.loads((options.data / "text" / "xquad.de.json").read_text("utf-8"))
    text += "\n".join(p["context"] for article in squad["data"] for p in article["paragraphs"])
    for size in [*options.sizes, *([1_000_000] if options.million else [])]:
        print(json.dumps(measure(size, Material(text), options.folder)), flush=True)
    shutil.rmtree(options.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
