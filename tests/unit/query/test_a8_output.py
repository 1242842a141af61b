"""Phase A8 hands out an answer that leads back to its sources, or plainly none."""

from dataclasses import replace

import pytest
from query_runs import Desk, make_desk

from fundstelle.domain.retrieval import AnswerVerdict, EvidenceStatus
from fundstelle.ports.generating import GeneratedAnswer
from fundstelle.query.a8_output import says_no_passage
from fundstelle.testing.querying import STANDARD


def answering(text: str, *, refused: bool = False, reason: str = "") -> Desk:
    """Make a desk whose generator gives this answer."""
    desk = make_desk()
    desk.generator.answer = lambda _: GeneratedAnswer(text, "fake", "1", refused, reason)
    return desk


def test_deliver_answer_when_cited_then_source_carries_page_and_provenance() -> None:
    """Each source names document, version, chunk, heading and page, and whether it is cited."""
    answer = make_desk().ask()
    first, second = answer.sources
    assert answer.verdict is AnswerVerdict.SUPPORTED
    assert (first.number, first.document_title, first.chunk_id, first.version_id) == (
        1,
        "Urlaub",
        "chk_1",
        "ver_1",
    )
    assert (first.page_first, first.page_last, first.heading_path) == (1, 1, "Kapitel 1")
    assert (first.cited, second.cited) == (True, False)
    assert answer.sentences[0].status is EvidenceStatus.SUPPORTED
    assert answer.sentences[0].sources == (1,)


def test_deliver_answer_when_a_citation_does_not_exist_then_reported_and_answer_unchanged() -> None:
    """Number 7 of two sources is reported, not removed."""
    answer = answering("Der Urlaub beträgt 30 Tage im Jahr [Quelle 7].").ask()
    assert answer.unknown_citations == (7,)
    assert answer.answer == "Der Urlaub beträgt 30 Tage im Jahr [Quelle 7]."
    assert answer.verdict is not AnswerVerdict.SUPPORTED


def test_deliver_answer_when_a_number_is_invented_then_the_sentence_is_unsupported() -> None:
    """The evidence of each sentence is handed out with the answer."""
    answer = answering("Der Urlaub beträgt 45 Tage im Jahr [Quelle 1].").ask()
    assert answer.sentences[0].status is EvidenceStatus.UNSUPPORTED
    assert answer.verdict is AnswerVerdict.UNSUPPORTED


def test_deliver_answer_when_the_generator_refuses_then_no_source_but_the_nearest() -> None:
    """A refusal carries its reason and what came near, and names no source."""
    answer = answering("", refused=True, reason="Nichts davon passt.").ask()
    assert answer.verdict is AnswerVerdict.NO_PASSAGE
    assert answer.sources == ()
    assert answer.reason == "Nichts davon passt."
    assert answer.answer == "Keine Fundstelle. Nichts davon passt."
    assert [one.document_title for one in answer.nearest] == ["Urlaub", "Reise"]
    assert answer.nearest[0].excerpt.startswith("Der Urlaub beträgt")


def test_deliver_answer_when_a_model_says_there_is_none_then_refused_with_its_words() -> None:
    """A model that follows the rule of the prompt is understood."""
    answer = answering("„Keine Fundstelle.“ Zur Elternzeit steht nichts in den Quellen.").ask()
    assert answer.verdict is AnswerVerdict.NO_PASSAGE
    assert answer.sources == ()
    assert answer.reason
    assert answer.answer.startswith("„Keine Fundstelle.“")


def test_deliver_answer_when_a_model_says_nothing_then_refused() -> None:
    """Blanks are no answer."""
    answer = answering(" \n").ask()
    assert answer.verdict is AnswerVerdict.NO_PASSAGE
    assert answer.reason == "Das Modell hat nichts geantwortet."


def test_deliver_answer_when_nothing_fits_into_the_context_then_says_so() -> None:
    """The reason names the limit."""
    answer = make_desk().ask(context_tokens=3)
    assert answer.verdict is AnswerVerdict.NO_PASSAGE
    assert "Kontextlimit von 3 Token" in answer.reason
    assert len(answer.nearest) == 2


def test_deliver_answer_when_nothing_is_indexed_then_says_so() -> None:
    """A collection without an index is the reason, and names itself."""
    desk = Desk()
    desk.passages.known = [replace(STANDARD, index_name=None, model_id=None)]
    answer = desk.ask()
    assert answer.verdict is AnswerVerdict.NO_PASSAGE
    assert answer.reason == "In „standard“ ist noch nichts indiziert."
    assert answer.nearest == ()


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("Keine Fundstelle.", True),
        ('  "Keine Fundstelle": es fehlt', True),
        ("**Keine Fundstelle.**", True),
        ("Es gibt keine Fundstelle.", False),
        ("Der Urlaub beträgt 30 Tage.", False),
    ],
)
def test_says_no_passage_when_an_answer_begins_so_then_true(text: str, refusal: bool) -> None:
    """Only an answer that begins with the words is a refusal."""
    assert says_no_passage(text) is refusal
