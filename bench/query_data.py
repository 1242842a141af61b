"""A synthetic data set for `query_latency.py`: words by Zipf's law, vectors in clusters.

Chunks have as many words as 700 tokens of German; the windows of a chunk lie near each other, chunks
of a cluster near its centre. Written as an import leaves it, through the program's store and index.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.domain.documents import Chunk, PageText, SemanticRole, Verdict, VersionStatus
from fundstelle.domain.identity import (
    SectionId,
    chunk_id,
    collection_id,
    content_hash,
    document_id,
    point_id,
    text_hash,
    version_id,
)
from fundstelle.domain.offsets import OffsetMap
from fundstelle.ports.embedding import ModelIdentity, Vectors
from fundstelle.ports.indexing import IndexPoint, SparseVector, VectorIndex
from fundstelle.ports.records import CollectionRecord, DocumentRecord, VersionRecord, WindowRecord, WorkStatus

DIMENSION = 384
MODEL = ModelIdentity("bench", "stub", "", DIMENSION, True, "", "", 512)
COLLECTION = CollectionRecord(collection_id("bench"), "bench")
CHUNKER = "bench"
CHUNKS_PER_DOCUMENT = 200
WORDS_PER_CHUNK = 280
WORDS_PER_SENTENCE = 14
VOCABULARY = 50_000
POINTS_AT_ONCE = 100_000
CHUNK_NOISE = 0.8
WINDOW_NOISE = 0.8
QUESTION_NOISE = 0.8
SATURATION = 1.2
_SYLLABLES = "ver ge be ung heit keit lich schaft ord nung recht ar beit zeit kos ten an trag frist ein aus"


@dataclass(frozen=True, slots=True)
class Dice:
    """Draw words and vectors, the same ones every time."""

    drawn: np.random.Generator
    words: tuple[str, ...]
    shares: npt.NDArray[np.float64]
    centres: Vectors

    @classmethod
    def make(cls, chunks: int) -> "Dice":
        """Make the vocabulary and the centres of the clusters."""
        drawn = np.random.default_rng(7)
        words = tuple(islice(_distinct_words(), VOCABULARY))
        weights = 1.0 / np.arange(1, VOCABULARY + 1) ** 1.05
        centres = unit(drawn.normal(size=(max(8, chunks // 50), DIMENSION)))
        return cls(drawn, words, weights.cumsum() / weights.sum(), centres)

    def draw(self, count: int) -> list[int]:
        """Draw word numbers by Zipf's law."""
        return np.searchsorted(self.shares, self.drawn.random(count)).tolist()

    def near(self, base: Vectors, count: int, noise: float) -> Vectors:
        """Draw unit vectors near one."""
        return unit(base + self.drawn.normal(size=(count, DIMENSION)) * noise / np.sqrt(DIMENSION))


def _distinct_words() -> Iterator[str]:
    spell, seen, syllables = random.Random(7), set[str](), _SYLLABLES.split()
    while True:
        word = "".join(spell.choices(syllables, k=1 + len(seen) // 400 if len(seen) < 1_600 else 4))
        if word not in seen:
            seen.add(word)
            yield word
        elif len(seen) < 1_600:
            seen.add(f"{word}{len(seen)}")
            yield f"{word}{len(seen)}"


def unit(vectors: npt.NDArray[np.float64] | Vectors) -> Vectors:
    """Scale rows to length 1."""
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def weigh(numbers: Sequence[int]) -> SparseVector:
    """Weigh words as BM25 does, by their number in the vocabulary."""
    counts = sorted(Counter(numbers).items())
    values = (count * (SATURATION + 1) / (count + SATURATION) for _, count in counts)
    return SparseVector(tuple(number for number, _ in counts), tuple(values))


def build(database: SqlDatabase, index: VectorIndex, chunks: int, windows: int) -> None:
    """Write the data set, one document after the other."""
    dice = Dice.make(chunks)
    index.ensure(COLLECTION.name, DIMENSION)
    with database.write() as unit_of_work:
        unit_of_work.embeddings.register(MODEL)
        unit_of_work.collections.add(COLLECTION)
        unit_of_work.collections.use_index(COLLECTION.collection_id, COLLECTION.name, MODEL.model_id)
        unit_of_work.commit()
    waiting: list[IndexPoint] = []
    for first in range(0, chunks, CHUNKS_PER_DOCUMENT):
        size = min(CHUNKS_PER_DOCUMENT, chunks - first)
        waiting += _write_document(database, dice, first // CHUNKS_PER_DOCUMENT, size, windows)
        if len(waiting) >= POINTS_AT_ONCE:
            index.write(COLLECTION.name, waiting)
            print(f"  {first + size} chunks", file=sys.stderr)
            waiting = []
    index.write(COLLECTION.name, waiting)


def _write_document(
    database: SqlDatabase, dice: Dice, number: int, size: int, windows: int
) -> list[IndexPoint]:
    key, data = f"path:/{number}.pdf", content_hash(str(number).encode())
    owner = document_id(COLLECTION.collection_id, key)
    version = VersionRecord(
        version_id(owner, data), owner, data, 1, "application/pdf", 1, size, VersionStatus.INDEXED,
        Verdict.OK, chunker=CHUNKER,
    )  # fmt: skip
    document = DocumentRecord(
        owner, COLLECTION.collection_id, f"{number}.pdf", key, f"Dokument {number}", None, "de",
        version.version_id, VersionStatus.INDEXED,
    )  # fmt: skip
    numbers = [dice.draw(WORDS_PER_CHUNK) for _ in range(size)]
    chunks = [_chunk(dice, version, n, drawn) for n, drawn in enumerate(numbers)]
    pages = [PageText(n + 1, str(n), "", "", OffsetMap(())) for n in range(size)]
    projected = [_windows(dice, version, *pair, windows) for pair in zip(chunks, numbers, strict=True)]
    with database.write() as unit_of_work:
        unit_of_work.documents.save(document)
        unit_of_work.versions.save(version)
        unit_of_work.texts.write(version, pages, ())
        unit_of_work.chunks.write(version, chunks, CHUNKER)
        records = [record for of_chunk, _ in projected for record in of_chunk]
        unit_of_work.windows.plan(version.version_id, MODEL.model_id, CHUNKER, records)
        unit_of_work.commit()
    return [point for _, points in projected for point in points]


def _chunk(dice: Dice, version: VersionRecord, n: int, numbers: Sequence[int]) -> Chunk:
    words = [dice.words[number] for number in numbers]
    starts = range(0, len(words), WORDS_PER_SENTENCE)
    sentences = (words[start : start + WORDS_PER_SENTENCE] for start in starts)
    text = " ".join(" ".join(sentence).capitalize() + "." for sentence in sentences)
    found = chunk_id(version.content_hash, str(n), 0, len(text), text_hash(text), CHUNKER)
    section = SectionId(f"sec_{version.version_id}_{n}")
    return Chunk(
        found, section, n, text, 700, f"Kapitel {n}", SemanticRole.PROSE, 0, len(text), n + 1, n + 1
    )  # fmt: skip


def _windows(
    dice: Dice, version: VersionRecord, chunk: Chunk, numbers: Sequence[int], count: int
) -> tuple[list[WindowRecord], list[IndexPoint]]:
    base = dice.near(dice.centres[dice.drawn.integers(len(dice.centres))], 1, CHUNK_NOISE)[0]
    vectors = dice.near(base, count, WINDOW_NOISE)
    bounds = [round(k * len(numbers) / count) for k in range(count + 1)]
    records, points = [], []
    for k, (start, end) in enumerate(pairwise(bounds)):
        point, stamp = point_id(chunk.chunk_id, k, MODEL.model_id), text_hash(f"{chunk.chunk_id}{k}")
        records.append(WindowRecord(chunk.chunk_id, k, 0, 1, stamp, 1, point, WorkStatus.INDEXED))
        points.append(
            IndexPoint(
                point, vectors[k], weigh(numbers[start:end]), chunk.chunk_id, version.document_id,
                version.version_id, "Dokument", COLLECTION.name, k, stamp, "",
            )
        )  # fmt: skip
    return records, points
