"""Old queries can be rebuilt whatever happened since, and whatever was tampered with is found."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text

from fundstelle.adapters.sql.query_store import SqlQueryLog
from fundstelle.domain.errors import CriterionError
from fundstelle.domain.identity import QueryId
from fundstelle.domain.query_phases import WindowState
from fundstelle.domain.query_record import QueryState
from fundstelle.query.replay import replay, replay_all
from fundstelle.query.verify import verify_queries
from fundstelle.testing.embedding import FakeEmbedder
from query_corpus import QUESTION, Corpus, make_two_documents


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Give a corpus of two documents, and one query that was answered from it."""
    made = make_two_documents(tmp_path)
    made.ask(QUESTION)
    yield made
    made.engine.dispose()


def tamper(engine: Engine, statement: str) -> None:
    """Change stored rows behind the program's back."""
    with engine.begin() as connection:
        assert connection.exec_driver_sql(statement).rowcount > 0


def problems(corpus: Corpus) -> tuple[set[str], set[str]]:
    """Give the criteria that replay and verification find broken."""
    replayed = replay(QueryId("q_1"), services=corpus.replaying())
    services = corpus.services()
    verified = verify_queries(log=services.log, reader=services.reader)
    return {one.criterion for one in replayed.problems}, {one.criterion for one in verified.problems}


def a_new_version(corpus: Corpus) -> None:
    """Import a changed document."""
    corpus.add("Urlaub", ("Der Urlaub beträgt 28 Tage im Jahr.",))


def a_withdrawal(corpus: Corpus) -> None:
    """Withdraw the document that was cited."""
    corpus.withdraw("Urlaub")


def a_reindex(corpus: Corpus) -> None:
    """Rebuild the index with another model; windows and points of the old one are gone."""
    corpus.reindex(FakeEmbedder(name="other", dimension=16))


def a_supersession(corpus: Corpus) -> None:
    """Let another chunker take over."""
    tamper(corpus.engine, "UPDATE chunks SET superseded = 1")


def a_lost_index(corpus: Corpus) -> None:
    """Delete the index."""
    corpus.index.drop("standard")


def everything(corpus: Corpus) -> None:
    """Do all of it, one after the other."""
    a_new_version(corpus)
    a_withdrawal(corpus)
    a_supersession(corpus)
    a_reindex(corpus)


CHANGES = [a_new_version, a_withdrawal, a_reindex, a_supersession, a_lost_index, everything]


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: one.__name__)
def test_replay_when_documents_changed_since_then_still_exact(
    corpus: Corpus, change: Callable[[Corpus], None]
) -> None:
    """Phases A1 to A6 are rebuilt byte for byte, and verification holds, whatever the import did since."""
    change(corpus)
    report = replay(QueryId("q_1"), services=corpus.replaying())
    assert report.problems == ()
    assert report.checked == 6
    assert verify_queries(log=corpus.services().log, reader=corpus.services().reader).problems == ()


def test_replay_when_the_model_is_not_in_use_then_a_note_says_so(corpus: Corpus) -> None:
    """The stored vector is then checked by its hash alone, and that is said."""
    assert replay(QueryId("q_1"), services=corpus.replaying()).notes == ()
    a_reindex(corpus)
    notes = replay(QueryId("q_1"), services=corpus.replaying()).notes
    assert len(notes) == 1
    assert "not embedded again" in notes[0]


def test_ask_when_a_new_version_is_there_then_only_it_is_found(corpus: Corpus) -> None:
    """A later query sees the new version, though the index still holds the old points."""
    corpus.add("Urlaub", ("Der Urlaub beträgt 28 Tage im Jahr.",), clean_index=False)
    corpus.ask(QUESTION, "q_2")
    record = corpus.services().log.load(QueryId("q_2"))
    assert record is not None
    assert record.trail.preselection is not None
    assert record.trail.output is not None
    assert "28" in record.trail.output.answer
    assert {one.state for one in record.trail.preselection.dead} == {WindowState.OLD_VERSION}
    assert replay_all(services=corpus.replaying()).ok


def test_replay_when_the_title_changed_since_then_exact_with_a_note(corpus: Corpus) -> None:
    """The context keeps the title of its time."""
    tamper(corpus.engine, "UPDATE documents SET title = 'Urlaubsordnung' WHERE title = 'Urlaub'")
    report = replay(QueryId("q_1"), services=corpus.replaying())
    assert report.ok
    assert any("document_title" in note and "'Urlaubsordnung'" in note for note in report.notes)


TAMPERINGS = {
    "the text of a chunk": (
        "UPDATE chunks SET content = replace(content, '30', '40')",
        "A3.replay",
        "A3.text_has_its_hash",
    ),
    "text and hash of a chunk": (
        "UPDATE chunks SET content = content || ' x', text_hash = 'f'",
        "A3.replay",
        "A3.text_has_its_hash",
    ),
    "the page of a chunk": ("UPDATE chunks SET page_first = 2, page_last = 2", "A3.replay", None),
    "the context block": (
        "UPDATE query_phases SET text = replace(text, '30', '31') WHERE phase = 'A5'",
        "A5.replay",
        "query.unchanged",
    ),
    "the prompt": (
        "UPDATE query_phases SET text = text || ' ' WHERE phase = 'A6'",
        "A6.replay",
        "A6.rebuilt_byte_for_byte",
    ),
    "the system prompt": (
        "UPDATE query_phases SET artefacts = replace(artefacts, 'Regeln', 'Bitten') WHERE phase = 'A6'",
        "A6.replay",
        "A6.rebuilt_byte_for_byte",
    ),
    "the query vector": (
        "UPDATE query_phases SET vector = x'0000803f' WHERE phase = 'A1'",
        "A1.replay",
        "A1.one_query_vector",
    ),
    "the question": ("UPDATE queries SET raw_text = 'Anders?'", "A1.replay", "query.unchanged"),
    "the ranks of the candidates": (
        """UPDATE query_phases SET artefacts = replace(artefacts, '"rank":1,', '"rank":2,')""",
        "A2.replay",
        "A2.ranked_by_score",
    ),
    "the raw answer": (
        "UPDATE query_phases SET text = replace(text, '30', '35') WHERE phase = 'A7'",
        "A7.replay",
        "A8.raw_answer_unchanged",
    ),
    "the verdict": ("UPDATE queries SET verdict = 'unsupported'", None, "query.unchanged"),
    "the artefacts of a phase": (
        "UPDATE query_phases SET artefacts = '{}' WHERE phase = 'A4'",
        "A4.replay",
        "query.complete",
    ),
    "the context as a whole": (
        "DELETE FROM query_phases WHERE phase = 'A5'",
        "A5.replay",
        "query.complete",
    ),
    "all phases": ("DELETE FROM query_phases", "A1.replay", "query.complete"),
    "a phase": ("DELETE FROM query_phases WHERE phase = 'A7'", None, "query.complete"),
    "the stored page": ("DELETE FROM document_pages", None, "query.leads_to_page"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_checks_when_something_was_tampered_with_then_found(corpus: Corpus, what: str) -> None:
    """Each change behind the program's back is found by replay, by verification, or by both."""
    assert problems(corpus) == (set(), set())
    statement, by_replay, by_verification = TAMPERINGS[what]
    tamper(corpus.engine, statement)
    replayed, verified = problems(corpus)
    assert by_replay is None or by_replay in replayed
    assert by_verification is None or by_verification in verified


def test_replay_when_context_and_prompt_are_forged_with_their_hashes_then_found(corpus: Corpus) -> None:
    """Forged artefacts with matching hashes still do not come out of the chunks."""
    log = corpus.services().log
    record = log.load(QueryId("q_1"))
    assert record is not None
    context, prompt = record.trail.context, record.trail.prompt
    assert context is not None
    assert prompt is not None
    block = context.block.replace("30 Tage", "99 Tage")
    sources = tuple(replace(one, text=one.text.replace("30 Tage", "99 Tage")) for one in context.sources)
    forged = replace(
        record.trail,
        context=replace(context, block=block, sources=sources),
        prompt=replace(prompt, user=prompt.user.replace("30 Tage", "99 Tage")),
    )
    with corpus.engine.begin() as connection:
        for table, column in (("query_sources", "query_id"), ("query_phases", "query_id"), ("queries", "id")):
            connection.execute(text(f"DELETE FROM {table} WHERE {column} = 'q_1'"))
    log.add(replace(record, trail=forged))
    replayed, verified = problems(corpus)
    assert {"A5.replay", "A6.replay"} <= replayed
    assert {"A5.one_source_per_passage", "A6.rebuilt_byte_for_byte"} <= verified


def test_ask_when_a_stored_text_was_changed_then_the_query_stops(corpus: Corpus) -> None:
    """A chunk whose text lost its hash never reaches a prompt; the failure is stored."""
    tamper(corpus.engine, "UPDATE chunks SET content = content || ' Gelogen.'")
    with pytest.raises(CriterionError, match=r"A3\.text_has_its_hash"):
        corpus.ask(QUESTION, "q_2")
    record = corpus.services().log.load(QueryId("q_2"))
    assert record is not None
    assert record.state is QueryState.FAILED
    assert record.failure.startswith("criterion:")


WRITABLE = {"queries", "query_phases", "query_sources"}
WRITES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}


def test_query_process_when_running_then_writes_only_its_own_tables(corpus: Corpus) -> None:
    """SQLite itself forbids every write but to the query log, and everything still works."""
    written: set[str] = set()

    def authorise(action: int, table: str | None, *_: object) -> int:
        if action in WRITES:
            written.add(str(table))
            return sqlite3.SQLITE_OK if table in WRITABLE else sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    corpus.engine.dispose()

    @event.listens_for(corpus.engine, "connect")
    def watch(connection: sqlite3.Connection, _: object) -> None:
        connection.set_authorizer(authorise)

    corpus.ask(QUESTION, "q_2")
    corpus.generator.refuse = True
    corpus.ask(QUESTION, "q_3")
    assert replay_all(services=corpus.replaying()).ok
    assert verify_queries(log=SqlQueryLog(corpus.engine), reader=corpus.services().reader).ok
    assert written == WRITABLE
