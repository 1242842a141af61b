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


BM25 = Bm25Parameters(saturation=0.8, length_weight=0.9, average_length=60.0)
"""The constants in use; docs/decisions/0002-lexical-leg.md has the evidence."""

PART_LETTERS = 4
PART_WEIGHT = 0.4
"""How much the beginning or the end of a word counts in a question, beside 1 for the whole word."""


@dataclass(frozen=True, slots=True)
class TermWeights:
    """Hold a sparse vector: term numbers (unsigned 32 bit, ascending, distinct) and their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


def searchable_text(title: str, heading_path: str, text: str) -> str:
    """Put the words by which a window is found together: its text, its headings, its document's title.

    Of the heading path only the last two headings: higher ones are shared by too many windows.
    """
    headings = heading_path.split(" > ")[-2:]
    return "\n".join(part for part in (title, *headings, text) if part)


def encode_document(text: str, parameters: Bm25Parameters = BM25) -> TermWeights:
    """Weigh the terms of a stored text; empty when it has none.

    Beside each word stand its first and its last letters, by which compounds and derived words meet:
    `Vertragsdauer` meets `Vertrag`, `Mietvertrag` meets `Vertrag`, without any word list.
    """
    terms = index_terms(text)
    counts = Counter(terms)
    for term, count in tuple(counts.items()):
        for part in word_parts(term):
            counts[part] += count
    share = len(terms) / parameters.average_length
    penalty = parameters.saturation * (1.0 - parameters.length_weight + parameters.length_weight * share)
    return _weights({t: n * (parameters.saturation + 1.0) / (n + penalty) for t, n in counts.items()})


def encode_query(text: str) -> TermWeights:
    """Weigh the terms of a question: each distinct word counts 1, each beginning and end less."""
    terms = dict.fromkeys(index_terms(text), 1.0)
    parts = {part: PART_WEIGHT for term in terms for part in word_parts(term)}
    return _weights({**parts, **terms})


@lru_cache(maxsize=16_384)
def word_parts(term: str) -> tuple[str, ...]:
    """Give beginning and end of a word as terms of their own; none for short words, numbers and codes."""
    if len(term) < PART_LETTERS or not term.isalpha():
        return ()
    return f"<{term[:PART_LETTERS]}", f">{term[-PART_LETTERS:]}"


@lru_cache(maxsize=32_768)
def term_number(term: str) -> int:
    """Number a term (unsigned 32 bit), the same on every machine and for ever."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest())


def _weights(by_term: Mapping[str, float]) -> TermWeights:
    """Order weights by term number; the rare terms that share a number share their weight."""
    by_number: dict[int, float] = {}
    for term, weight in by_term.items():
        number = term_number(term)
        by_number[number] = by_number.get(number, 0.0) + weight
    ordered = sorted(by_number.items())
    return TermWeights(tuple(n for n, _ in ordered), tuple(w for _, w in ordered))
