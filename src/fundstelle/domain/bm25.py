"""Weigh the terms of a text for BM25 as sparse vectors.

BM25 splits into a part that a document knows of itself (how often, how long) and a part that only
the index knows (how rare). The first part is made here and stored; the index multiplies with the
second (IDF) when it is asked. So the index needs no text and this module no index.

Source:
    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from fundstelle.domain.text.terms import index_terms


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    """Hold the constants of BM25.

    Args:
        saturation: `k`, how soon repeating a term stops to help.
        length_weight: `b`, how much a long text is held against it (0 to 1).
        average_length: Terms in a text of usual length. A constant, not a statistic, so that a stored
            vector never has to change because other documents come.
    """

    saturation: float
    length_weight: float
    average_length: float


BM25 = Bm25Parameters(saturation=1.2, length_weight=0.75, average_length=70.0)
"""The constants in use; see docs/decisions/0002-lexical-leg.md for the evidence."""


@dataclass(frozen=True, slots=True)
class TermWeights:
    """Hold a sparse vector: term numbers (unsigned 32 bit, ascending, distinct) and their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


def encode_document(text: str, parameters: Bm25Parameters = BM25) -> TermWeights:
    """Weigh the terms of a stored text; empty when it has none."""
    terms = index_terms(text)
    share = len(terms) / parameters.average_length
    penalty = parameters.saturation * (1.0 - parameters.length_weight + parameters.length_weight * share)
    return _weights({t: n * (parameters.saturation + 1.0) / (n + penalty) for t, n in Counter(terms).items()})


def encode_query(text: str) -> TermWeights:
    """Weigh the terms of a question: each distinct term counts once."""
    return _weights(dict.fromkeys(index_terms(text), 1.0))


@lru_cache(maxsize=262_144)
def term_number(term: str) -> int:
    """Number a term (unsigned 32 bit), the same on every machine and for ever."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest())


def _weights(by_term: Mapping[str, float]) -> TermWeights:
    """Order weights by term number; the rare terms that share a number share their weight."""
    by_number: Counter[int] = Counter()
    for term, weight in by_term.items():
        by_number[term_number(term)] += weight  # type: ignore[assignment]
    ordered = sorted(by_number.items())
    return TermWeights(tuple(n for n, _ in ordered), tuple(float(w) for _, w in ordered))
