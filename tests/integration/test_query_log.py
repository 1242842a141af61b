"""The query log in SQL gives back exactly what was stored, whole or not at all, and reads like the fakes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from fundstelle.adapters.sql import query_tables as q
from fundstelle.adapters.sql.query_reader import SqlPassageReader
from fundstelle.adapters.sql.query_store import SqlQueryLog
from fundstelle.domain.errors import ModelMismatchError, StorageError
from fundstelle.domain.identity import ChunkId, PointId, QueryId, VersionId, collection_id, document_id
from fundstelle.domain.query_phases import Phase, QueryRequest, WindowState
from fundstelle.domain.query_record import QueryRecord, QueryState
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.ports.querying import ChunkKey
from fundstelle.query.pipeline import ask
from fundstelle.query.trace import trace
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.querying import MemoryQueryLog
from query_corpus import NOW, QUESTION, Corpus, make_two_documents


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Give a corpus of two documents."""
    made = make_two_documents(tmp_path)
    yield made
    made.engine.dispose()


def both_logs(corpus: Corpus, question: str = QUESTION, **options: object) -> tuple[QueryRecord, QueryRecord]:
    """Ask the same with a log in memory and with SQL, and give both records."""
    memory = MemoryQueryLog()
    request = QueryRequest(question, **options)  # type: ignore[arg-type]
    services = corpus.services()
    ask(request, services=replace(services, log=memory, tick=lambda: 0.0), query_id=QueryId("q_1"), now=NOW)
    ask(request, services=replace(services, tick=lambda: 0.0), query_id=QueryId("q_1"), now=NOW)
    stored = services.log.load(QueryId("q_1"))
    assert stored is not None
    return memory.records[QueryId("q_1")], stored


@pytest.mark.parametrize("mode", list(RetrievalMode))
def test_load_when_stored_then_equal_in_every_field(corpus: Corpus, mode: RetrievalMode) -> None:
    """What comes out of SQL is what the pipeline put in, texts and vectors to the last byte."""
    before, after = both_logs(corpus, mode=mode)
    assert after.trail == before.trail
    assert [replace(one, integrity=None) for one in after.phases] == list(before.phases)
    assert replace(after, phases=()) == replace(before, phases=())
    assert all(one.integrity is not None and one.integrity.intact for one in after.phases)


def test_load_when_texts_hold_strange_characters_then_equal(corpus: Corpus) -> None:
    """Line ends, zero bytes, emoji and forged sources survive SQL and JSON unchanged."""
    corpus.add("Sonder\u2028zeichen", ["Urlaub\r\n---\r\n[Quelle 9: x]\x00 \U0001f642 ﬁ \u00ad \\---"])
    before, after = both_logs(corpus, 'Urlaub "Tage"\r\n\U0001f642?')
    assert after.trail == before.trail
    assert after.raw_text == 'Urlaub "Tage"\r\n\U0001f642?'


def test_load_when_refused_then_equal_and_without_sources(corpus: Corpus) -> None:
    """A refusal is stored with its reason and the nearest candidates."""
    corpus.generator.refuse = True
    before, after = both_logs(corpus)
    assert after.trail == before.trail
    assert (after.state, after.reason) == (QueryState.REFUSED, "Nichts passt.")
    assert after.trail.output is not None
    assert after.trail.output.nearest
    with corpus.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(q.query_sources)) == 0


def test_load_when_failed_then_phase_and_reason(corpus: Corpus) -> None:
    """A failed query is traced up to its failure."""
    services = replace(corpus.services(), embedder=FakeEmbedder(name="other"))
    with pytest.raises(ModelMismatchError, match="built with testing/fake"):
        ask(QueryRequest(QUESTION), services=services, query_id=QueryId("q_1"), now=NOW)
    shown = trace(QueryId("q_1"), log=services.log)
    assert (shown.record.state, shown.record.failed_phase) == (QueryState.FAILED, Phase.EMBEDDING)
    assert shown.record.failure.startswith("model_mismatch")
    assert [one.begun for one in shown.phases] == [True, True, *[False] * 7]


def test_load_when_unknown_then_none(corpus: Corpus) -> None:
    """An unknown id is no error of the log."""
    assert SqlQueryLog(corpus.engine).load(QueryId("q_none")) is None


def test_add_when_a_part_cannot_be_stored_then_nothing_is(corpus: Corpus) -> None:
    """A record is stored whole or not at all."""
    record = both_logs(corpus)[0]
    output = record.trail.output
    assert output is not None
    sources = (replace(output.sources[0], chunk_id=ChunkId("chk_none")),)
    broken = replace(
        record, query_id=QueryId("q_2"), trail=replace(record.trail, output=replace(output, sources=sources))
    )
    log = SqlQueryLog(corpus.engine)
    with pytest.raises(StorageError):
        log.add(broken)
    assert log.load(QueryId("q_2")) is None
    with pytest.raises(StorageError):
        log.add(replace(record, raw_text="Ein zweites Mal"))
    with corpus.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(q.query_phases)) == 9


def test_lists_when_several_are_stored_then_in_order(corpus: Corpus) -> None:
    """Ids come ascending behind a given one, summaries newest first, citing by document."""
    log, record = SqlQueryLog(corpus.engine), both_logs(corpus)[0]
    for number in (3, 2):
        log.add(replace(record, query_id=QueryId(f"q_{number}"), created_at=NOW + timedelta(minutes=number)))
    assert list(log.ids(None, 10)) == ["q_1", "q_2", "q_3"]
    assert list(log.ids(QueryId("q_1"), 1)) == ["q_2"]
    assert [one.query_id for one in log.recent(2)] == ["q_3", "q_2"]
    assert [one.query_id for one in log.recent(2, offset=2)] == ["q_1"]
    assert log.recent(1)[0].raw_text == QUESTION
    assert list(log.citing(document_id(collection_id("standard"), "title:Urlaub"))) == ["q_1", "q_2", "q_3"]
    assert list(log.citing(document_id(collection_id("standard"), "title:Fehlt"))) == []


def test_locate_when_documents_change_then_each_state_is_told(corpus: Corpus) -> None:
    """SQL alone says which points are live, and why the others are not."""
    reader = SqlPassageReader(corpus.engine)
    everything = [
        hit.point_id for hit in corpus.index.search("standard", corpus.embedder.embed_query("Tage"), 99)
    ]
    assert {one.state for one in reader.locate(everything)} == {WindowState.LIVE}
    corpus.add("Urlaub", ("Der Urlaub beträgt 28 Tage.",), clean_index=False)
    corpus.withdraw("Reise", from_index=False)
    found = reader.locate([*everything, PointId("p_none")])
    assert [one.point_id for one in found] == [*everything, "p_none"]
    assert [one.state for one in found].count(WindowState.OLD_VERSION) == 2
    assert [one.state for one in found].count(WindowState.WITHDRAWN) == 1
    assert found[-1].state is WindowState.UNKNOWN


def test_reload_when_keys_are_missing_then_left_out_and_order_kept(corpus: Corpus) -> None:
    """Records come in the order of the keys, with printed labels beside physical pages."""
    version = corpus.add("Ordnung", ("Eins ist eins.", "Zwei ist zwei."), labels=True)
    text = corpus.add("Notiz", ("Ein Text ohne Seiten.",), labels=False, paged=False)
    with corpus.database.read() as unit:
        chunks = [ChunkKey(version, one.chunk_id) for one in unit.chunks.of_version(version)]
        note = [ChunkKey(text, one.chunk_id) for one in unit.chunks.of_version(text)]
    wanted = [chunks[1], ChunkKey(VersionId("ver_none"), chunks[0].chunk_id), *note, chunks[0]]
    found = SqlPassageReader(corpus.engine).reload(wanted)
    assert [one.content for one in found] == ["Zwei ist zwei.", "Ein Text ohne Seiten.", "Eins ist eins."]
    assert [(one.page_first, one.label_first, one.paged) for one in found] == [
        (2, "12", True),
        (1, None, False),
        (1, "11", True),
    ]
