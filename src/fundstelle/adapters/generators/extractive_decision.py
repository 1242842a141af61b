"""Decide whether the sources answer the question at all, and say what is missing when they do not.

No evidence, no answer: a wrong answer is worse than none. The decision is a logistic sum over few
measurements of the best pieces; each of them is stored with the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fundstelle.adapters.generators.extractive_features import Features, Lookup
from fundstelle.adapters.generators.extractive_question import AnswerType
from fundstelle.adapters.generators.extractive_weights import (
    ANSWER_WEIGHTS,
    PIECE_WEIGHTS,
    THRESHOLD,
    Scale,
    chance,
    weigh,
)

_FORMS = {
    AnswerType.TIME: "ein Zeitpunkt",
    AnswerType.DURATION: "eine Dauer oder Häufigkeit",
    AnswerType.MONEY: "ein Betrag",
    AnswerType.NUMBER: "eine Zahl",
    AnswerType.PERSON: "eine Person oder Stelle",
    AnswerType.PLACE: "ein Ort",
    AnswerType.REASON: "ein Grund",
    AnswerType.DEFINITION: "eine Erklärung",
}
_HELD = 0.45


@dataclass(frozen=True, slots=True)
class Measured:
    """Hold a piece with its measurements on common scales and its score as an answer."""

    features: Features
    similarity: float
    context: float
    score: float

    @classmethod
    def of(cls, features: Features, scale: Scale) -> "Measured":
        """Rescale the cosines and weigh all measurements into a score."""
        similarity, context = scale.of(features.similarity), scale.of(features.context)
        values = {
            "own": features.own,
            "near": features.near,
            "similarity": similarity,
            "context": context,
            "fit": features.fit,
            "rank": float(min(features.rank, 5)),
        }
        return cls(features, similarity, context, weigh(values, PIECE_WEIGHTS))


@dataclass(frozen=True, slots=True)
class Decision:
    """Hold whether to answer, the chance that the sources do, and why not.

    Args:
        reason: One German sentence for people; empty when not refused.
    """

    refused: bool
    chance: float
    reason: str
    values: Mapping[str, float]


def decide(lookup: Lookup, measured: Sequence[Measured]) -> Decision:
    """Decide whether the best piece answers the question."""
    if not measured or not lookup.asked:
        reason = (
            "Die Frage nennt kein Stichwort, nach dem sich suchen lässt."
            if measured
            else "Es gibt keinen Text."
        )
        return Decision(True, 0.0, reason, {})
    best = max(measured, key=lambda one: one.score)
    values = answer_values(lookup, measured, best)
    total = chance(weigh(values, ANSWER_WEIGHTS))
    if total >= THRESHOLD:
        return Decision(False, total, "", values)
    return Decision(True, total, _reason(lookup, best), values)


def answer_values(lookup: Lookup, measured: Sequence[Measured], best: Measured) -> Mapping[str, float]:
    """Measure the best piece and the context as a whole."""
    features = best.features
    words = range(len(lookup.asked))
    anywhere = [max(lookup.hits[word]) for word in words]
    nouns = [
        (weight, max(lookup.held_near(word, lookup.units.index(features.unit)), 0.0))
        for word, weight in zip(words, lookup.weights, strict=True)
        if word >= len(lookup.question.terms) or lookup.question.terms[word].capital
    ]
    total = sum(weight for weight, _ in nouns)
    return {
        "own": features.own,
        "near": features.near,
        "similarity": max(one.similarity for one in measured),
        "context": max(one.context for one in measured),
        "fit": features.fit,
        "missing": 1 - lookup.share(anywhere),
        "nouns": sum(weight * held for weight, held in nouns) / total if total else features.near,
        "weakest": min((held for _, held in nouns), default=1.0),
        "rank": float(min(features.rank, 5)),
    }


def _reason(lookup: Lookup, best: Measured) -> str:
    """Name what is missing: words that stand nowhere, or not together, or the form of the answer."""
    nowhere = [word for word, name in enumerate(_words(lookup)) if name and max(lookup.hits[word]) < _HELD]
    if nowhere:
        return f"Die gefundenen Abschnitte sagen nichts über {_list(lookup, nowhere)}."
    index = lookup.units.index(best.features.unit)
    apart = [
        word for word, name in enumerate(_words(lookup)) if name and lookup.held_near(word, index) < _HELD
    ]
    if apart:
        return f"Die Stelle, die der Frage am nächsten kommt, nennt {_list(lookup, apart)} nicht."
    if best.features.fit < 1 and (form := _FORMS.get(lookup.question.expects)):
        return f"In den gefundenen Abschnitten steht dazu nicht, was gefragt ist ({form})."
    return "Die gefundenen Abschnitte handeln davon, beantworten die Frage aber nicht."


def _words(lookup: Lookup) -> list[str]:
    return [*(term.word for term in lookup.question.terms), *lookup.question.numbers]


def _list(lookup: Lookup, words: Sequence[int]) -> str:
    names = [
        f"»{_words(lookup)[word]}«" for word in sorted(words, key=lambda word: -lookup.weights[word])[:3]
    ]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} und {names[-1]}"
