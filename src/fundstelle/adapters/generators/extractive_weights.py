"""Weigh the measurements of a piece into the chance that it answers, and of a context that it can.

Two logistic sums with few, named terms. The weights were fitted offline (`bench/answers.py`) on one
half of XQuAD-de and on questions of our own and are kept here as constants; see
docs/decisions/0004-extractive-answers.md.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

PIECE_WEIGHTS: Mapping[str, float] = {
    "own": 2.5,
    "near": 2.0,
    "similarity": 2.0,
    "context": 2.0,
    "fit": 1.5,
    "rank": -0.15,
}
ANSWER_WEIGHTS: Mapping[str, float] = {
    "bias": -4.0,
    "own": 1.5,
    "near": 3.0,
    "similarity": 1.0,
    "context": 1.0,
    "fit": 1.5,
    "missing": -2.0,
}
THRESHOLD = 0.5


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
        """Rescale: 0 for unrelated, 1 for a sentence that answers; not clipped."""
        span = self.related - self.unrelated
        return (cosine - self.unrelated) / span if span > 0 else 0.0


def weigh(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Sum the values, each with its weight."""
    return weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in values.items())


def chance(total: float) -> float:
    """Turn a sum into a chance between 0 and 1."""
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, total))))
