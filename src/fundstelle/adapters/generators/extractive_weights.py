"""Weigh the measurements of a piece into a score, and those of the best piece into the chance of an answer.

Two sums with few, named terms. The weights were fitted offline (listwise and logistic regression on 170
questions of XQuAD-de with their paragraphs, without them, and with one word exchanged, and on the sample
corpus) and rounded; how, and what they reach, is told in docs/decisions/0004-extractive-answers.md.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

PIECE_WEIGHTS: Mapping[str, float] = {
    "own": 1.8,
    "near": 2.9,
    "similarity": 2.2,
    "context": 2.5,
    "fit": 1.7,
    "conflict": -0.6,
    "rank": -0.55,
}
"""Score of a piece among others; only differences count."""

ANSWER_WEIGHTS: Mapping[str, float] = {
    "bias": -1.0,
    "near": 1.5,
    "similarity": 0.6,
    "context": 2.6,
    "misfit": -1.0,
    "strict_misfit": -5.5,
    "nobody": -3.5,
    "conflict": -5.3,
    "unknown_nouns": -3.6,
    "distant_nouns": -0.7,
}
"""Logistic weights of the best piece; the bias sets how careful the generator is."""

THRESHOLD = 0.5
"""Chance from which the generator answers."""


_LOWEST, _HIGHEST = -0.5, 1.3


@dataclass(frozen=True, slots=True)
class Scale:
    """Put the cosines of one embedding model on a scale that all models share.

    Args:
        unrelated: Mean cosine of a question and a sentence about something else.
        related: Mean cosine of a question and the sentence that answers it.
    """

    unrelated: float
    related: float

    def of(self, cosine: float) -> float:
        """Rescale: 0 for unrelated, 1 for a sentence that answers; clipped, lest it outweigh the rest."""
        span = self.related - self.unrelated
        return max(_LOWEST, min(_HIGHEST, (cosine - self.unrelated) / span)) if span > 0 else 0.0


def weigh(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Sum the values, each with its weight."""
    return weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in values.items())


def chance(total: float) -> float:
    """Turn a sum into a chance between 0 and 1."""
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, total))))
