"""What the evaluation must compute, and how it refuses a malformed file."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from fundstelle.domain.errors import UsageError
from fundstelle.domain.identity import DocumentId
from fundstelle.query.evaluate import (
    evaluate,
    mean_reciprocal_rank,
    ndcg,
    rank_of,
    recall_at,
)
from fundstelle.query.evaluate_squad import EvalParagraph, EvalSet, read_squad


def _documents(*names: str) -> list[DocumentId]:
    return [DocumentId(name) for name in names]


def _set(*questions: str) -> EvalSet:
    qas = [{"question": question, "answers": [{"text": "x", "answer_start": 0}]} for question in questions]
    paragraphs = [{"context": f"Text {place}.", "qas": [qa]} for place, qa in enumerate(qas)]
    return read_squad(json.dumps({"data": [{"title": "T", "paragraphs": paragraphs}]}), "f.json")


class _World:
    """A collection whose answers are written down: for each question the documents found."""

    def __init__(self, found: dict[str, list[str]]) -> None:
        self.found = found
        self.ticks = 0

    def import_paragraphs(self, paragraphs: Sequence[EvalParagraph]) -> Sequence[DocumentId]:
        return _documents(*(paragraph.key for paragraph in paragraphs))

    def search(self, question: str, limit: int) -> Sequence[DocumentId]:
        return _documents(*self.found[question])[:limit]

    def ask(self, question: str, *, without: DocumentId | None) -> bool:
        return any(DocumentId(name) != without for name in self.found[question][:1])

    def clock(self) -> float:
        self.ticks += 1
        return float(self.ticks)


def test_rank_of_when_a_document_comes_twice_then_counts_distinct_documents() -> None:
    """Several chunks of one document must take only one place."""
    assert rank_of(DocumentId("b"), _documents("a", "a", "b")) == 2


def test_rank_of_when_beyond_the_depth_then_none() -> None:
    """What lies beyond the depth counts as not found."""
    assert rank_of(DocumentId("z"), _documents(*"abcdefghij", "z")) is None


def test_measures_when_ranks_are_known_then_match_hand_computed_values() -> None:
    """Recall, MRR and nDCG must be what their definitions say."""
    ranks = [1, 2, None, 6]
    assert recall_at(1, ranks) == pytest.approx(0.25)
    assert recall_at(5, ranks) == pytest.approx(0.5)
    assert recall_at(10, ranks) == pytest.approx(0.75)
    assert mean_reciprocal_rank(ranks) == pytest.approx((1 + 1 / 2 + 1 / 6) / 4)
    assert ndcg(ranks) == pytest.approx((1 + 1 / math.log2(3) + 1 / math.log2(7)) / 4)


def test_measures_when_no_question_then_zero() -> None:
    """An empty list must not divide by zero."""
    assert recall_at(1, []) == mean_reciprocal_rank([]) == ndcg([]) == 0.0


def test_evaluate_when_questions_are_found_then_counts_and_times_them() -> None:
    """The use case must import every paragraph, search every question and time the searching."""
    world = _World({"eins?": ["a000-p000"], "zwei?": ["a000-p000", "a000-p001"]})
    result = evaluate(
        _set("eins?", "zwei?"),
        import_paragraphs=world.import_paragraphs,
        search=world.search,
        clock=world.clock,
    )
    assert result.retrieval.questions == 2
    assert result.retrieval.recall_at_1 == pytest.approx(0.5)
    assert result.retrieval.mrr_at_10 == pytest.approx(0.75)
    assert result.retrieval.seconds == 1.0
    assert result.refusal is None


def test_evaluate_when_gold_is_held_out_then_measures_answers_and_refusals() -> None:
    """With an asking function, each question is asked with and without its paragraph."""
    world = _World({"eins?": ["a000-p000"], "zwei?": ["a000-p000", "a000-p001"]})
    result = evaluate(
        _set("eins?", "zwei?"),
        import_paragraphs=world.import_paragraphs,
        search=world.search,
        clock=world.clock,
        ask=world.ask,
    )
    assert result.refusal is not None
    assert result.refusal.answered_rate == pytest.approx(1.0)
    assert result.refusal.refusal_rate == pytest.approx(0.5)


def test_evaluate_when_the_import_loses_a_paragraph_then_says_so() -> None:
    """A paragraph that is not imported must not silently lower the measures."""
    world = _World({"eins?": []})
    with pytest.raises(UsageError, match="1 paragraphs were imported as 0 documents"):
        evaluate(_set("eins?"), import_paragraphs=lambda _: [], search=world.search, clock=world.clock)


def test_read_squad_when_a_question_is_impossible_then_it_has_no_paragraph() -> None:
    """SQuAD 2.0 marks questions that no paragraph answers; they count for refusal only."""
    entry = {"context": "Text.", "qas": [{"question": "Was?", "is_impossible": True, "answers": []}]}
    found = read_squad(json.dumps({"data": [{"paragraphs": [entry]}]}), "f.json")
    assert found.questions[0].paragraph is None
    assert found.paragraphs[0].title == "a000-p000"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"f\.json is no valid JSON.*line 1, column 2"),
        ("[]", r"f\.json: the file must be an object"),
        ("[" * 100_000, r"nested too deeply|no valid JSON"),
        ("{}", r"the file\.data must be a list, but is nothing"),
        ('{"data": [3]}', r"data\[0\] must be an object, but is int '3'"),
        ('{"data": [{"title": 1, "paragraphs": []}]}', r"data\[0\]\.title must be a string"),
        (
            '{"data": [{"paragraphs": [{"qas": []}]}]}',
            r"data\[0\]\.paragraphs\[0\]\.context must be a string",
        ),
        ('{"data": [{"paragraphs": [{"context": "a"}]}]}', r"paragraphs\[0\]\.qas must be a list"),
        (
            '{"data": [{"paragraphs": [{"context": "a", "qas": [{"question": " "}]}]}]}',
            r"qas\[0\]\.question must be a string with content",
        ),
        (
            '{"data": [{"paragraphs": [{"context": "a", "qas": [{"question": "q", "answers": [{}]}]}]}]}',
            r"answers\[0\]\.text must be a string",
        ),
        (
            '{"data": [{"paragraphs": [{"context": "a", "qas": [{"question": "q", "is_impossible": 1}]}]}]}',
            r"is_impossible must be true or false",
        ),
        ('{"data": []}', r"f\.json holds no question"),
    ],
)
def test_read_squad_when_malformed_then_names_what_and_where(content: str, message: str) -> None:
    """A person must find the wrong place in the file from the message alone."""
    with pytest.raises(UsageError, match=message):
        read_squad(content, "f.json")


def test_read_squad_when_given_xquad_then_finds_all_questions(shared_data: Path) -> None:
    """The public German set must be read whole."""
    content = (shared_data / "text" / "xquad.de.json").read_text(encoding="utf-8")
    found = read_squad(content, "xquad.de.json")
    assert (len(found.paragraphs), len(found.questions)) == (240, 1190)
    assert len({paragraph.key for paragraph in found.paragraphs}) == 240
