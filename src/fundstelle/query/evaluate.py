"""Measure retrieval and refusal on a set of questions with known paragraphs (`fundstelle eval`).

The measures are pure functions of ranks; the use case asks the questions. How a paragraph is imported
and a question searched is handed in: this module knows neither SQL nor index.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from fundstelle.domain.errors import UsageError
from fundstelle.domain.identity import DocumentId
from fundstelle.query.evaluate_squad import EvalParagraph, EvalQuestion, EvalSet

DEPTH = 10

Progress = Callable[[int, int], None]
"""Called with questions done and questions in all."""


class ImportParagraphs(Protocol):
    """Import paragraphs, each as its own document, into a collection made for this evaluation."""

    def __call__(self, paragraphs: Sequence[EvalParagraph]) -> Sequence[DocumentId]:
        """Return when all can be found: their documents, in the order of `paragraphs`."""
        ...


class Search(Protocol):
    """Search as a question of the chat would."""

    def __call__(self, question: str, limit: int) -> Sequence[DocumentId]:
        """Return documents, best first; one that comes twice counts where it comes first."""
        ...


class Ask(Protocol):
    """Ask a question through all phases."""

    def __call__(self, question: str, *, without: DocumentId | None) -> bool:
        """Say whether it was answered (True) or refused with `Keine Fundstelle` (False).

        Args:
            without: A document that retrieval must leave out.
        """
        ...


@dataclass(frozen=True, slots=True)
class RetrievalMetrics:
    """Hold how well the right paragraphs were found; questions without a paragraph do not count."""

    questions: int
    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr_at_10: float
    ndcg_at_10: float
    seconds: float


@dataclass(frozen=True, slots=True)
class RefusalMetrics:
    """Hold how often the system answers when it can and refuses when it cannot.

    Args:
        answered_rate: Share of the questions answered with their paragraph in the collection.
        refusal_rate: Share refused when asked without it (and of questions that no paragraph answers).
    """

    answered_rate: float
    refusal_rate: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Hold the result; `refusal` only where the gold paragraphs were held out."""

    retrieval: RetrievalMetrics
    refusal: RefusalMetrics | None = None


def rank_of(gold: DocumentId, found: Sequence[DocumentId], depth: int = DEPTH) -> int | None:
    """Find the rank (from 1) of a document among the first `depth` distinct ones; None when not there."""
    distinct = list(dict.fromkeys(found))[:depth]
    return distinct.index(gold) + 1 if gold in distinct else None


def recall_at(depth: int, ranks: Sequence[int | None]) -> float:
    """Compute the share of questions whose paragraph is among the first `depth`."""
    return _mean([1.0 if rank is not None and rank <= depth else 0.0 for rank in ranks])


def mean_reciprocal_rank(ranks: Sequence[int | None]) -> float:
    """Compute the mean of 1/rank, 0 where the paragraph was not found."""
    return _mean([1 / rank if rank is not None else 0.0 for rank in ranks])


def ndcg(ranks: Sequence[int | None]) -> float:
    """Compute the normalised discounted cumulative gain with one right paragraph per question.

    Source:
        Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; with one relevant item it is 1/log2(1 + rank).
    """
    return _mean([1 / math.log2(1 + rank) if rank is not None else 0.0 for rank in ranks])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def evaluate_retrieval(
    questions: Sequence[EvalQuestion],
    documents: Sequence[DocumentId],
    *,
    search: Search,
    clock: Callable[[], float],
    progress: Progress | None = None,
) -> RetrievalMetrics:
    """Ask every question that has a paragraph, and measure where the paragraph was found.

    Args:
        documents: The document of each paragraph of the set.
        clock: Gives seconds; only the searching is timed.
    """
    asked = [question for question in questions if question.paragraph is not None]
    ranks: list[int | None] = []
    started = clock()
    for done, question in enumerate(asked, start=1):
        gold = documents[question.paragraph or 0]
        ranks.append(rank_of(gold, search(question.text, DEPTH)))
        if progress is not None:
            progress(done, len(asked))
    return RetrievalMetrics(
        questions=len(asked),
        recall_at_1=recall_at(1, ranks),
        recall_at_5=recall_at(5, ranks),
        recall_at_10=recall_at(DEPTH, ranks),
        mrr_at_10=mean_reciprocal_rank(ranks),
        ndcg_at_10=ndcg(ranks),
        seconds=clock() - started,
    )


def evaluate_refusal(
    questions: Sequence[EvalQuestion],
    documents: Sequence[DocumentId],
    *,
    ask: Ask,
    progress: Progress | None = None,
) -> RefusalMetrics:
    """Ask every question with its paragraph and without it."""
    with_gold: list[float] = []
    without_gold: list[float] = []
    for done, question in enumerate(questions, start=1):
        gold = None if question.paragraph is None else documents[question.paragraph]
        if gold is not None:
            with_gold.append(float(ask(question.text, without=None)))
        without_gold.append(float(not ask(question.text, without=gold)))
        if progress is not None:
            progress(done, len(questions))
    return RefusalMetrics(answered_rate=_mean(with_gold), refusal_rate=_mean(without_gold))


def evaluate(
    eval_set: EvalSet,
    *,
    import_paragraphs: ImportParagraphs,
    search: Search,
    clock: Callable[[], float],
    ask: Ask | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Import the paragraphs, ask the questions, measure.

    Args:
        ask: Given to hold out the gold paragraphs too and measure answers and refusals.

    Raises:
        UsageError: The import gave another number of documents than the set has paragraphs.
    """
    documents = import_paragraphs(eval_set.paragraphs)
    if len(documents) != len(eval_set.paragraphs):
        raise UsageError(
            f"{len(eval_set.paragraphs)} paragraphs were imported as {len(documents)} documents.",
            "Each paragraph must become its own document; see the import's messages.",
        )
    questions = eval_set.questions
    retrieval = evaluate_retrieval(questions, documents, search=search, clock=clock, progress=progress)
    if ask is None:
        return Evaluation(retrieval)
    return Evaluation(retrieval, evaluate_refusal(questions, documents, ask=ask, progress=progress))
