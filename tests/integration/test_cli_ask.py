"""The commands `ask`, `trace`, `queries`, `replay` and `eval`: shapes and exit codes."""

import json

import pytest
from cli_kit import QUESTION, UNANSWERABLE, CommandLine

from fundstelle.domain.query_phases import Phase

ANSWER_KEYS = {"query_id", "answer", "verdict", "sources", "sentences", "usage", "timings_ms"}
SOURCE_KEYS = {
    "number", "document_id", "version_id", "document_title", "chunk_id", "heading_path", "page_first",
    "page_last", "score",
}  # fmt: skip
CHECK_KEYS = {"ok", "checked", "problems"}


def test_ask_when_answered_then_the_promised_shape(command_line: CommandLine) -> None:
    """An answer names its sources, the evidence of each sentence and the time of each phase."""
    document = command_line.import_holiday()
    found = command_line("ask", QUESTION, "--json")
    answer = found.object
    assert (found.code, found.err, answer["verdict"]) == (0, "", "supported")
    assert set(answer) >= ANSWER_KEYS
    assert "30 Tage" in str(answer["answer"])
    assert [source["document_id"] for source in answer["sources"]] == [document] * len(answer["sources"])
    assert all(set(source) >= SOURCE_KEYS for source in answer["sources"])
    assert all(set(sentence) >= {"text", "status", "sources"} for sentence in answer["sentences"])
    assert list(answer["timings_ms"]) == [phase.value for phase in Phase]


def test_ask_when_nothing_answers_then_keine_fundstelle_with_the_nearest(command_line: CommandLine) -> None:
    """A refusal is a result, not an error: no sources, a reason, the nearest passages."""
    command_line.import_holiday()
    found = command_line("ask", UNANSWERABLE, "--json")
    assert (found.code, found.object["verdict"], found.object["sources"]) == (0, "no_passage", [])
    assert str(found.object["answer"]).startswith("Keine Fundstelle")
    assert found.object["reason"]
    assert found.object["nearest"]


def test_ask_when_worded_for_people_then_source_and_trace_are_named(command_line: CommandLine) -> None:
    """The text for people names section and document, and how to trace the answer."""
    command_line.import_holiday()
    found = command_line("ask", QUESTION)
    assert found.code == 0
    assert "[1] urlaub, Urlaub" in found.out
    assert "fundstelle trace q_" in found.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((" ",), 2),
        (("Frage", "--top-k", "0"), 2),
        (("Frage", "--mode", "geraten"), 2),
        (("Frage", "--collection", "fehlt"), 3),
    ],
)
def test_ask_when_it_cannot_be_asked_then_refused_and_nothing_stored(
    command_line: CommandLine, arguments: tuple[str, ...], code: int
) -> None:
    """A request that phase A0 or an option refuses never becomes a query."""
    command_line.import_holiday()
    found = command_line("ask", *arguments)
    assert (found.code, found.out) == (code, "")
    assert command_line("queries", "--json").out == ""


def test_trace_when_asked_for_then_nine_phases_with_criteria(command_line: CommandLine) -> None:
    """A trace shows every phase with what it left and what was checked; unknown queries are code 3."""
    command_line.import_holiday()
    query = str(command_line("ask", QUESTION, "--json").object["query_id"])
    shown = command_line("trace", query, "--json")
    phases = shown.object["phases"]
    assert [phase["phase"] for phase in phases] == [phase.value for phase in Phase]
    assert all(result["problems"] == [] for phase in phases for result in phase["criteria"])
    assert all(phase["criteria"] for phase in phases)
    assert "A8" in command_line("trace", query).out
    assert command_line("trace", "q_fehlt").code == 3


def test_queries_when_listed_then_newest_first(command_line: CommandLine) -> None:
    """Every query is kept with its state and verdict, refused ones too."""
    command_line.import_holiday()
    for question in (QUESTION, UNANSWERABLE):
        command_line("ask", question)
    listed = command_line("queries", "--json").lines
    assert [(one["raw_text"], one["state"]) for one in listed] == [
        (UNANSWERABLE, "refused"),
        (QUESTION, "answered"),
    ]


def test_replay_when_the_document_was_withdrawn_then_still_exact(command_line: CommandLine) -> None:
    """An old answer is rebuilt byte for byte also after its document has left."""
    document = command_line.import_holiday()
    query = str(command_line("ask", QUESTION, "--json").object["query_id"])
    assert command_line("documents", "remove", document).code == 0
    for arguments in ((query,), ("--all",)):
        found = command_line("replay", *arguments, "--json")
        assert (found.code, found.object["ok"], found.object["problems"]) == (0, True, [])
        assert set(found.object) >= CHECK_KEYS
        assert int(str(found.object["checked"])) > 0
    assert command_line("replay").code == command_line("replay", query, "--all").code == 2


def test_eval_when_given_squad_form_then_the_promised_measures(command_line: CommandLine) -> None:
    """The measures are numbers between 0 and 1, and the documents of the data folder stay untouched."""
    command_line.import_holiday()
    squad = {
        "data": [
            {
                "title": "Regeln",
                "paragraphs": [
                    {
                        "context": "Der Urlaub beträgt 30 Tage im Jahr.",
                        "qas": [{"id": "1", "question": QUESTION, "answers": []}],
                    },
                    {
                        "context": "Die Probezeit dauert sechs Monate.",
                        "qas": [{"id": "2", "question": "Wie lange dauert die Probezeit?", "answers": []}],
                    },
                ],
            }
        ]
    }
    found = command_line("eval", command_line.write("fragen.json", json.dumps(squad)), "--json")
    assert (found.code, found.object["questions"]) == (0, 2)
    measures = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr_at_10", "ndcg_at_10")
    assert list(found.object) == ["questions", *measures, "seconds"]
    assert [found.object[name] for name in measures] == [1.0] * 5
    assert len(command_line("documents", "list", "--json").lines) == 1


@pytest.mark.parametrize(("content", "code"), [(None, 4), (b"\xff", 2), (b"{", 2), (b"{}", 2)])
def test_eval_when_the_file_is_not_of_that_form_then_refused(
    command_line: CommandLine, content: bytes | None, code: int
) -> None:
    """A missing file, wrong bytes, broken JSON and another form each end with one clear line."""
    path = command_line.folder / "fragen.json"
    if content is not None:
        command_line.write("fragen.json", content)
    found = command_line("eval", path)
    assert found.code == code
    assert found.err.startswith("Error: ")
    assert found.err.count("\n") == 1
