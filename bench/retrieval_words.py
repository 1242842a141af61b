"""Ways to turn German text into weighed terms, for `retrieval.py` to compare; BM25 in memory."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from qdrant_edge import Bm25, Bm25Config

from fundstelle.domain import bm25
from fundstelle.domain.text.stem import stem
from fundstelle.domain.text.terms import STOP_WORDS, fold, index_terms

Matrix: TypeAlias = npt.NDArray[np.float64]
Terms: TypeAlias = Callable[[str], Mapping[str, float]]
RECIPE = f"+ beginning and end, {bm25.PART_WEIGHT}"


class Lexicon:
    """Score by BM25 in memory, with any terms."""

    def __init__(self, units: Sequence[Mapping[str, float]], k: float, b: float) -> None:
        self._size = len(units)
        lengths = [sum(unit.values()) for unit in units]
        average = sum(lengths) / len(lengths)
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, (unit, length) in enumerate(zip(units, lengths, strict=True)):
            penalty = k * (1 - b + b * length / average)
            for term, count in unit.items():
                postings[term].append((number, count * (k + 1) / (count + penalty)))
        self._postings = {
            t: (np.array([n for n, _ in p]), np.array([w for _, w in p])) for t, p in postings.items()
        }

    def scores(self, question: Mapping[str, float]) -> Matrix:
        """Score all units."""
        scores = np.zeros(self._size)
        for term, weight in question.items():
            if term in self._postings:
                numbers, values = self._postings[term]
                idf = math.log(1 + (self._size - len(numbers) + 0.5) / (len(numbers) + 0.5))
                scores[numbers] += weight * idf * values
        return scores


@dataclass(frozen=True, slots=True)
class LexicalIdea:
    """Hold one way to make terms: from a text, and from a question with weights."""

    name: str
    document: Terms
    question: Terms
    k: float = 0.8
    b: float = 0.9


def _with_parts(
    name: str, parts: Callable[[str], Sequence[str]], weight: float, **more: float
) -> LexicalIdea:
    def document(text: str) -> Mapping[str, float]:
        counts = Counter(index_terms(text))
        for term, count in tuple(counts.items()):
            for part in parts(term):
                counts[part] += count
        return counts

    def question(text: str) -> Mapping[str, float]:
        terms = dict.fromkeys(index_terms(text), 1.0)
        return {**{part: weight for term in terms for part in parts(term)}, **terms}

    return LexicalIdea(name, document, question, **more)


def _plain(name: str, split: Callable[[str], Sequence[str]], **more: float) -> LexicalIdea:
    return LexicalIdea(name, lambda t: Counter(split(t)), lambda t: dict.fromkeys(split(t), 1.0), **more)


def _runs(size: int) -> Callable[[str], Sequence[str]]:
    def parts(term: str) -> Sequence[str]:
        if not term.isalpha() or len(term) < size:
            return ()
        return [f"~{('_' + term)[i : i + size]}" for i in range(len(term) + 2 - size)]

    return parts


def _beginning(letters: int) -> Callable[[str], Sequence[str]]:
    return lambda term: [f"<{term[:letters]}"] if term.isalpha() and len(term) >= letters else []


def lexical_ideas() -> list[LexicalIdea]:
    """List the ways that are compared; `RECIPE` is the one in use."""
    words = re.compile(r"\w+")

    def kept(text: str) -> list[str]:
        return [fold(word) for word in words.findall(text) if fold(word) not in STOP_WORDS]

    def with_nouns(text: str) -> list[str]:
        return [stem(word) for word in words.findall(text) if fold(word) not in STOP_WORDS]

    parts = bm25.word_parts
    return [
        _plain("words as written", lambda text: words.findall(text.lower()), k=1.2, b=0.75),
        _plain("folded, without stop words", kept, k=1.2, b=0.75),
        _plain("Qdrant's German BM25", _qdrant_terms(), k=1.2, b=0.75),
        _plain("CISTEM, capitalised words keep -t", with_nouns, k=1.2, b=0.75),
        _plain("index_terms, k 1.2, b 0.75", index_terms, k=1.2, b=0.75),
        _plain("index_terms", index_terms),
        *(_with_parts(f"+ beginning and end, {w}", parts, w) for w in (0.2, 0.4, 0.7)),
        _with_parts("+ beginning and end, 0.4, k 0.8, b 0.5", parts, 0.4, b=0.5),
        _with_parts("+ beginning and end, 0.4, k 1.2, b 0.75", parts, 0.4, k=1.2, b=0.75),
        *(_with_parts(f"+ beginning of {n} letters, 0.4", _beginning(n), 0.4) for n in (4, 5)),
        *(_with_parts(f"+ all runs of {n} letters, 0.25", _runs(n), 0.25) for n in (3, 4, 5)),
    ]


def _qdrant_terms() -> Callable[[str], list[str]]:
    """Let Qdrant's own BM25 model make the terms, word by word, with repetition."""
    model = Bm25(Bm25Config(language="german"))
    known: dict[str, list[str]] = {}

    def terms(text: str) -> list[str]:
        found: list[str] = []
        for word in re.findall(r"\w+", text.lower()):
            if word not in known:
                known[word] = [str(number) for number in model.embed_query(word).indices]
            found += known[word]
        return found

    return terms
