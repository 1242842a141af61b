"""What the evidence check must say of answers: a truth set of German cases, and the laws of the report."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.identity import ChunkId, DocumentId, VersionId
from fundstelle.domain.retrieval import AnswerVerdict, ContextSource, EvidenceStatus
from fundstelle.query.evidence import EvidenceReport, check_evidence

_CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "evidence_cases.jsonl").read_text(encoding="utf-8").splitlines()
]
_LIMIT_S = 10.0


def _sources(texts: Sequence[str], title: str = "Ordnung") -> list[ContextSource]:
    return [
        ContextSource(
            number=number,
            title=title,
            text=text,
            chunk_id=ChunkId(f"chk_{number}"),
            version_id=VersionId("ver"),
            document_id=DocumentId("doc"),
            heading_path="",
            page_first=1,
            page_last=1,
            score=1.0,
        )
        for number, text in enumerate(texts, start=1)
    ]


@pytest.mark.parametrize("case", _CASES, ids=[f"{case['id']}-{case['rule']}" for case in _CASES])
def test_check_evidence_when_given_a_case_of_the_truth_set_then_judges_as_written(
    case: Mapping[str, object],
) -> None:
    """Each sentence must get the status that a careful reader gave it."""
    texts, answer = case["sources"], case["answer"]
    assert isinstance(texts, list)
    assert isinstance(answer, str)
    report = check_evidence(answer, _sources(texts))
    assert [sentence.status for sentence in report.sentences] == case["expect"], report
    if "verdict" in case:
        assert report.verdict == case["verdict"]
    if "unknown" in case:
        assert list(report.unknown_citations) == case["unknown"]
    if "sources_of" in case:
        assert [list(sentence.sources) for sentence in report.sentences] == case["sources_of"]


def test_truth_set_when_counted_then_covers_each_rule_both_ways() -> None:
    """A rule that only ever accepts, or only ever refuses, would not be tested."""
    by_rule: dict[str, set[str]] = {}
    for case in _CASES:
        by_rule.setdefault(case["rule"], set()).update(case["expect"])
    for rule in (
        "words",
        "number",
        "date",
        "quote",
        "name",
        "modal",
        "negation",
        "bound",
        "pair",
        "citation",
    ):
        assert {"supported", "unsupported"} <= by_rule[rule], rule
    assert len(_CASES) >= 80


def test_check_evidence_when_a_sentence_fails_then_says_why_in_a_sentence() -> None:
    """Whoever sees a mark must be able to read what does not hold."""
    for case in _CASES:
        for sentence in check_evidence(case["answer"], _sources(case["sources"])).sentences:
            if sentence.status is not EvidenceStatus.SUPPORTED:
                assert sentence.problems
            assert all(problem.endswith(".") for problem in sentence.problems)


def test_check_evidence_when_the_right_source_is_another_then_names_it() -> None:
    """A wrong citation number must not be repaired in silence, but the right one is named."""
    report = check_evidence(
        "Der Urlaub beträgt 30 Tage [2].", _sources(["Der Urlaub beträgt 30 Tage.", "Anderes."])
    )
    assert report.sentences[0].sources == ()
    assert any("Quelle 1" in problem for problem in report.sentences[0].problems)


def test_check_evidence_when_similarity_is_given_then_other_words_are_weak_not_supported() -> None:
    """Likeness in meaning alone must never make a sentence supported."""
    sources = _sources(["Zwischen zwei Schichten liegen elf freie Stunden."])
    answer = "Die Ruhezeit umfasst elf Stunden [1]."
    alike = check_evidence(answer, sources, similarity=lambda _left, _right: 0.95)
    unlike = check_evidence(answer, sources, similarity=lambda _left, _right: 0.2)
    assert alike.sentences[0].status is EvidenceStatus.WEAK
    assert unlike.sentences[0].status is EvidenceStatus.UNSUPPORTED


def test_check_evidence_when_title_or_heading_says_it_then_it_counts() -> None:
    """What stands in title and headings is part of the passage."""
    source = _sources(["Sie beträgt vier Wochen."], title="Kündigungsfrist in der Probezeit")
    report = check_evidence("Die Kündigungsfrist in der Probezeit beträgt vier Wochen [1].", source)
    assert report.sentences[0].status is EvidenceStatus.SUPPORTED


def test_check_evidence_when_there_are_no_sources_then_nothing_is_supported() -> None:
    """Without sources there is no evidence."""
    report = check_evidence("Der Urlaub beträgt 30 Tage [1].", [])
    assert report.verdict is AnswerVerdict.UNSUPPORTED
    assert report.unknown_citations == (1,)


@pytest.mark.parametrize(
    "answer",
    [
        "[" * 100_000,
        "]" * 100_000,
        "[1" * 50_000,
        "[1]" * 30_000,
        "[Quelle 1: " * 10_000,
        "(Quelle 1 " * 10_000,
        "„" * 100_000,
        '"' * 100_000,
        "1." * 50_000,
        "nicht " * 20_000,
        "**" * 50_000,
        "Der Urlaub beträgt 30 Tage. [1] " * 3_000,
        "Der Urlaub beträgt, " * 5_000,
        "ist zu " * 15_000,
        "Herr " * 20_000,
    ],
    ids=range(15),
)
def test_check_evidence_when_the_answer_is_hostile_then_ends_soon(answer: str) -> None:
    """No answer may hold the process up: the time must grow with its length only."""
    started = time.process_time()
    check_evidence(answer, _sources(["Der Urlaub beträgt 30 Tage. " * 40]))
    assert time.process_time() - started < _LIMIT_S


_WORDS = [
    "Der Urlaub",
    "beträgt",
    "30 Tage",
    "nicht",
    "muss",
    "„so“",
    "Dr. Meier",
    "3. Mai 2020",
    "Keine Fundstelle",
]
_SIGNS = ["[1]", "[Quelle 2]", "(Quelle 1)", ".", "!", "\n", " ", "- ", ":"]
_PIECES = st.sampled_from([*_WORDS, *_SIGNS])


@given(st.lists(_PIECES, max_size=30))
def test_check_evidence_when_given_anything_then_places_are_exact_and_ordered(pieces: list[str]) -> None:
    """Each sentence must be found at its place in the raw answer, in order and without overlap."""
    answer = " ".join(pieces)
    report: EvidenceReport = check_evidence(answer, _sources(["Der Urlaub beträgt 30 Tage.", "Anderes."]))
    end = 0
    for sentence in report.sentences:
        assert answer[sentence.char_start : sentence.char_end] == sentence.text
        assert end <= sentence.char_start < sentence.char_end
        end = sentence.char_end
    assert check_evidence(answer, _sources(["Der Urlaub beträgt 30 Tage.", "Anderes."])) == report
