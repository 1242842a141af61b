"""How long phases A0 to A6 take with every artefact stored, at 1,000 to 1,000,000 chunks.

The embedding of the question and the wording of the answer are stubbed; everything else is the real
thing: SQLite, Qdrant Edge, tokenizer, evidence check. Questions come one after the other.

    python bench/query_latency.py [--chunks 1000 10000 100000] [--million] [--windows 5] [--folder DIR]

Prints one JSON object per size: median and 95th percentile of each phase, in milliseconds, and `cpu`,
the processor time of a whole query on the asking thread: on a busy machine the more honest number.
"""

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from sqlalchemy import Engine

from fundstelle.adapters.sql.engine import open_database
from fundstelle.adapters.sql.query_reader import SqlPassageReader
from fundstelle.adapters.sql.query_store import SqlQueryLog
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.adapters.tokenizers import O200kTokenizer
from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.domain.identity import QueryId, text_hash
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.domain.query_record import QueryRecord
from fundstelle.ports.embedding import Vectors
from fundstelle.ports.generating import GeneratedAnswer, GenerationRequest
from fundstelle.ports.indexing import SparseVector
from fundstelle.query.evidence import check_evidence
from fundstelle.query.pipeline import QueryServices, ask
from query_data import DIMENSION, MODEL, QUESTION_NOISE, Dice, build, unit

NOW = datetime(2025, 1, 1, tzinfo=UTC)
WARM_UP = 20
BESIDE = {"A7", "A8"}
"""Phases that are not counted: wording and its evidence check hang on the generator."""


class StubEmbedder:
    """Give a vector near a centre of the data set at once."""

    identity = MODEL

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Not needed here."""
        raise NotImplementedError

    def embed_query(self, text: str) -> Vectors:
        """Draw a vector that the text decides."""
        drawn = np.random.default_rng(int(text_hash(text)[:8], 16))
        centre = self._dice.centres[drawn.integers(len(self._dice.centres))]
        return unit((centre + drawn.normal(size=DIMENSION) * QUESTION_NOISE / np.sqrt(DIMENSION))[None])[0]

    def count_pieces(self, text: str) -> int:
        """Count words."""
        return len(text.split())


class StubGenerator:
    """Quote the first sentence of the first source at once."""

    name = "stub"

    def generate(self, request: GenerationRequest, on_text: Callable[[str], None]) -> GeneratedAnswer:
        """Word the answer."""
        text = f"{request.sources[0].text.split('. ')[0]} [Quelle 1]."
        on_text(text)
        return GeneratedAnswer(text, "stub", "")


class TimedLog(SqlQueryLog):
    """Take the time that storing takes."""

    last_ms = 0.0

    def add(self, record: QueryRecord) -> None:
        """Store a record and note the time."""
        started = time.perf_counter()
        super().add(record)
        self.last_ms = (time.perf_counter() - started) * 1e3


def questions(dice: Dice, count: int) -> Iterator[str]:
    """Draw questions of six words, three that are in 0.4 to 4 % of the windows, three rarer ones."""
    spell = random.Random(11)
    for _ in range(count):
        common, rare = spell.choices(dice.words[200:2_000], k=3), spell.choices(dice.words[2_000:20_000], k=3)
        yield " ".join(common + rare)


def make_services(engine: Engine, index: QdrantEdgeIndex, dice: Dice) -> QueryServices:
    """Wire the real thing with the two stubs."""
    numbers = {word: n for n, word in enumerate(dice.words)}

    def encode(text: str) -> SparseVector:
        found = sorted({numbers[word] for word in text.split()})
        return SparseVector(tuple(found), (1.0,) * len(found))

    return QueryServices(
        reader=SqlPassageReader(engine),
        log=TimedLog(engine),
        index=index,
        embedder=StubEmbedder(dice),
        generator=StubGenerator(),
        encode_query=encode,
        count_tokens=O200kTokenizer().count,
        check_evidence=check_evidence,
    )


def measure(engine: Engine, index: QdrantEdgeIndex, chunks: int, count: int) -> dict[str, object]:
    """Ask questions one after the other and report the times."""
    dice = Dice.make(chunks)
    services = make_services(engine, index, dice)
    assert isinstance(services.log, TimedLog)
    times: dict[str, list[float]] = {}
    for n, question in enumerate(questions(dice, count + WARM_UP)):
        query_id, cpu = QueryId(f"q_{time.time_ns()}"), time.thread_time()
        answer = ask(QueryRequest(question), services=services, query_id=query_id, now=NOW)
        if n < WARM_UP:
            continue
        parts = {**answer.timings_ms, "store": services.log.last_ms}
        parts["A0-A6+store"] = sum(ms for phase, ms in parts.items() if phase not in BESIDE)
        parts["cpu"] = (time.thread_time() - cpu) * 1e3
        for phase, ms in parts.items():
            times.setdefault(phase, []).append(ms)
    return {"chunks": chunks, "questions": count, **{phase: _spread(ms) for phase, ms in times.items()}}


def _spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"p50": round(statistics.median(ordered), 2), "p95": round(ordered[int(len(ordered) * 0.95)], 2)}


def main() -> None:
    """Build and measure each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chunks", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--million", action="store_true", help="1,000,000 chunks as well")
    parser.add_argument("--windows", type=int, default=5, help="windows per chunk")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="keep the data sets here and use them again")
    given = parser.parse_args()
    for chunks in [*given.chunks, *([1_000_000] if given.million else [])]:
        folder = (given.folder or Path(tempfile.mkdtemp())) / f"{chunks}x{given.windows}"
        engine, index, started = (
            open_database(folder),
            QdrantEdgeIndex(folder / "vectors"),
            time.perf_counter(),
        )
        if not (folder / "built").exists():
            build(SqlDatabase(engine), index, chunks, given.windows)
            (folder / "built").touch()
        report = {"build_seconds": round(time.perf_counter() - started, 1), "windows": given.windows}
        print(json.dumps(measure(engine, index, chunks, given.questions) | report), flush=True)
        index.close()
        engine.dispose()
        if given.folder is None:
            shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
