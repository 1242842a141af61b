"""Decide whether the sources answer the question at all, and say what is missing when they do not.

No evidence, no answer: a wrong answer is worse than none. The decision is a logistic sum over few
measurements of the best pieces; each of them is stored with the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fundstelle.adapters.generators.extractive_features import Features, Lookup
from fundstelle.adapters.generators.extractive_question import STRICT, TOLD_BY_FORM, AnswerType
from fundstelle.adapters.generators.extractive_weights import (
    ANSWER_WEIGHTS,
    PIECE_WEIGHTS,
    THRESHOLD,
    Scale,
    chance,
    weigh,
)

_FORMS = {
    AnswerType.YEAR: "ein Jahr",
    AnswerType.DATE: "ein Datum",
    AnswerType.CLOCK: "eine Uhrzeit",
    AnswerType.TIME: "ein Zeitpunkt",
    AnswerType.FREQUENCY: "eine Häufigkeit",
    AnswerType.DURATION: "eine Dauer",
    AnswerType.MONEY: "ein Betrag",
    AnswerType.NUMBER: "eine Zahl",
    AnswerType.NAME: "ein Name",
    AnswerType.PERSON: "eine Person oder Stelle",
    AnswerType.PLACE: "ein Ort",
    AnswerType.REASON: "ein Grund",
    AnswerType.DEFINITION: "eine Erklärung",
}
HELD = 0.45
"""From here on a word of the question counts as held by a text."""
LAST_RANK = 5
_MOST_NAMED = 3


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
            "conflict": float(bool(features.conflicts)),
            "rank": float(min(features.rank, LAST_RANK)),
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
    if not measured:
        return Decision(
            True, 0.0, "Die gefundenen Abschnitte enthalten keinen Satz, der sich anführen ließe.", {}
        )
    if not lookup.asked:
        return Decision(True, 0.0, "Die Frage nennt kein Stichwort, nach dem sich suchen ließe.", {})
    best = max(measured, key=lambda one: one.score)
    values = answer_values(lookup, best)
    likely = chance(weigh(values, ANSWER_WEIGHTS))
    if likely >= THRESHOLD:
        return Decision(False, likely, "", values)
    return Decision(True, likely, _reason(lookup, best), values)


def answer_values(lookup: Lookup, best: Measured) -> Mapping[str, float]:
    """Measure what speaks for and against the best piece as an answer.

    Returns:
        `near`, `similarity`, `context` of the piece; `misfit`: 1 where a type of answer that can be told by
        its form is expected and not there, `strict_misfit`: the same for the surest of these types;
        `nobody`: 1 where a person is asked and none is there;
        `conflict`: 1 where the piece speaks of something else; `unknown_nouns`: weighted share of nouns and
        numbers of the question that no source holds; `distant_nouns`: how many are not near the piece.
    """
    index = lookup.index[best.features.unit]
    nouns = lookup.nouns
    misfit = lookup.question.expects in TOLD_BY_FORM and best.features.fit == 0
    return {
        "near": best.features.near,
        "similarity": best.similarity,
        "context": best.context,
        "misfit": float(misfit),
        "strict_misfit": float(misfit and lookup.question.expects in STRICT),
        "nobody": float(lookup.question.expects is AnswerType.PERSON and best.features.fit == 0),
        "conflict": float(bool(best.features.conflicts)),
        "unknown_nouns": 1 - lookup.share([max(lookup.hits[word]) for word in nouns], nouns)
        if nouns
        else 0.0,
        "distant_nouns": float(sum(lookup.held_near(word, index) < HELD for word in nouns)),
    }


def _reason(lookup: Lookup, best: Measured) -> str:
    """Name what is missing: words that stand nowhere, or not together, or the form of the answer."""
    if best.features.conflicts:
        names = _join([f"»{name}«" for name in best.features.conflicts])
        return f"Die Stelle, die der Frage am nächsten kommt, handelt nicht von {names}, sondern von anderem."
    words = range(len(lookup.asked))
    nowhere = [word for word in words if max(lookup.hits[word]) < HELD]
    if nowhere:
        return f"Die gefundenen Abschnitte sagen nichts über {_list(lookup, nowhere)}."
    form = _FORMS.get(lookup.question.expects)
    if form and best.features.fit == 0:
        return f"Die Stelle, die der Frage am nächsten kommt, nennt nicht, was gefragt ist ({form})."
    index = lookup.index[best.features.unit]
    apart = [word for word in words if lookup.held_near(word, index) < HELD]
    if apart:
        return f"Die Stelle, die der Frage am nächsten kommt, sagt nichts über {_list(lookup, apart)}."
    return "Die gefundenen Abschnitte handeln davon, beantworten die Frage aber nicht."


def _words(lookup: Lookup) -> list[str]:
    return [*(term.word for term in lookup.question.terms), *lookup.question.numbers]


def _list(lookup: Lookup, words: Sequence[int]) -> str:
    rarest = sorted(words, key=lambda word: -lookup.weights[word])[:_MOST_NAMED]
    return _join([f"»{_words(lookup)[word]}«" for word in rarest])


def _join(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} und {names[-1]}"
