"""The contracts of the two ports of the query process to SQL.

A back end proves itself by subclasses that override the methods marked so. What its store must hold for a
test is described by the suite in words, because each back end is filled in its own way.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from fundstelle.domain.errors import StorageError
from fundstelle.domain.identity import ChunkId, DocumentId, PointId, QueryId, VersionId, text_hash
from fundstelle.domain.query_phases import WindowState
from fundstelle.domain.query_record import QueryRecord
from fundstelle.ports.querying import ChunkKey, PassageReader, QueryLog


class QueryLogContract:
    """State what every query log must do; subclasses override `make_log` and `make_record`."""

    def make_log(self) -> QueryLog:
        """Make an empty log."""
        raise NotImplementedError

    def make_record(self) -> QueryRecord:
        """Make the record of an answered query with at least one source that the log can take."""
        raise NotImplementedError

    @pytest.fixture
    def record(self) -> QueryRecord:
        """Give a record."""
        return self.make_record()

    @pytest.fixture
    def log(self, record: QueryRecord) -> QueryLog:
        """Give a log that holds the record and two later copies of it."""
        made = self.make_log()
        for minutes, query_id in enumerate(("q_b", "q_c", "q_a")):
            made.add(_copy(record, query_id, minutes))
        return made

    def test_load_when_added_then_equal(self, log: QueryLog, record: QueryRecord) -> None:
        """A record comes back as it was given, but for the check of its integrity."""
        found = log.load(QueryId("q_b"))
        assert found is not None
        assert all(phase.integrity is None or phase.integrity.intact for phase in found.phases)
        phases = tuple(replace(phase, integrity=None) for phase in found.phases)
        assert replace(found, phases=phases) == _copy(record, "q_b", 0)

    def test_load_when_unknown_then_none(self, log: QueryLog) -> None:
        """An unknown id is no error of the log."""
        assert log.load(QueryId("q_fehlt")) is None

    def test_add_when_the_id_is_there_then_refused_and_unchanged(
        self, log: QueryLog, record: QueryRecord
    ) -> None:
        """Records are added once and never changed."""
        with pytest.raises(StorageError):
            log.add(replace(_copy(record, "q_b", 9), raw_text="Eine andere Frage"))
        found = log.load(QueryId("q_b"))
        assert found is not None
        assert found.raw_text == record.raw_text

    def test_ids_when_paged_then_ascending_behind_the_given_one(self, log: QueryLog) -> None:
        """Ids come in ascending order, each once."""
        assert list(log.ids(None, 2)) == ["q_a", "q_b"]
        assert list(log.ids(QueryId("q_b"), 2)) == ["q_c"]
        assert list(log.ids(QueryId("q_c"), 2)) == []

    def test_recent_when_paged_then_newest_first(self, log: QueryLog, record: QueryRecord) -> None:
        """Summaries come newest first, with what the record says."""
        assert [one.query_id for one in log.recent(2)] == ["q_a", "q_c"]
        (last,) = log.recent(2, offset=2)
        assert (last.query_id, last.created_at) == ("q_b", record.created_at)
        assert (last.raw_text, last.state, last.verdict) == (record.raw_text, record.state, record.verdict)

    def test_citing_when_a_document_is_a_source_then_its_queries_by_id(
        self, log: QueryLog, record: QueryRecord
    ) -> None:
        """A document leads to all queries whose answer has it among its sources."""
        assert record.trail.output is not None
        source = record.trail.output.sources[0]
        assert list(log.citing(source.document_id)) == ["q_a", "q_b", "q_c"]
        assert list(log.citing(DocumentId("doc_fehlt"))) == []


def _copy(record: QueryRecord, query_id: str, minutes: int) -> QueryRecord:
    created_at = record.created_at + timedelta(minutes=minutes)
    return replace(record, query_id=QueryId(query_id), created_at=created_at)


class PassageReaderContract:
    """State what every passage reader must do; subclasses override `make_reader` and the two lists.

    The store holds the collections `anders` and `standard`; in `standard` one live document of two chunks on
    pages 1 and 2, each of one window, and one withdrawn document of one chunk on page 1, of one window.
    """

    def make_reader(self) -> PassageReader:
        """Make the reader of a store so filled."""
        raise NotImplementedError

    def points(self) -> Sequence[PointId]:
        """Name the points: two live ones in order of their chunks, then the withdrawn one."""
        raise NotImplementedError

    def keys(self) -> Sequence[ChunkKey]:
        """Name the chunks of these points."""
        raise NotImplementedError

    @pytest.fixture
    def reader(self) -> PassageReader:
        """Give the reader."""
        return self.make_reader()

    def test_collections_when_named_then_by_name_without_unknown_ones(self, reader: PassageReader) -> None:
        """No name means all; order of asking and repetition do not matter."""
        assert [one.name for one in reader.collections(())] == ["anders", "standard"]
        asked = ("standard", "fehlt", "anders", "standard")
        assert [one.name for one in reader.collections(asked)] == ["anders", "standard"]
        assert list(reader.collections(("fehlt",))) == []

    def test_locate_when_asked_then_in_that_order_with_their_states(self, reader: PassageReader) -> None:
        """Every point comes back, in the order asked, also one that SQL does not know."""
        asked = [PointId("fehlt"), *reversed(self.points())]
        found = reader.locate(asked)
        assert [one.point_id for one in found] == asked
        live = WindowState.LIVE
        assert [one.state for one in found] == [WindowState.UNKNOWN, WindowState.WITHDRAWN, live, live]
        keys = [
            ChunkKey(one.version_id, one.chunk_id) for one in found[1:] if one.version_id and one.chunk_id
        ]
        assert keys == list(reversed(self.keys()))

    def test_reload_when_asked_then_in_that_order_without_missing_ones(self, reader: PassageReader) -> None:
        """Chunks come in the order asked, withdrawn ones too, with the hash of their text."""
        keys = list(reversed(self.keys()))
        strange = [
            ChunkKey(VersionId("ver_fehlt"), keys[0].chunk_id),
            ChunkKey(keys[0].version_id, ChunkId("x")),
        ]
        found = reader.reload([strange[0], *keys, strange[1]])
        assert [ChunkKey(one.version_id, one.chunk_id) for one in found] == keys
        assert [one.page_first for one in found] == [1, 2, 1]
        assert all(one.text_hash == text_hash(one.content) for one in found)

    def test_expects_points_when_asked_then_only_where_queries_see_something(
        self, reader: PassageReader
    ) -> None:
        """A collection with a live document must have points in its index; an empty one need not."""
        empty, filled = (one.collection_id for one in reader.collections(["anders", "standard"]))
        assert reader.expects_points(filled)
        assert not reader.expects_points(empty)

    def test_pages_when_asked_then_those_stored(self, reader: PassageReader) -> None:
        """Pages are known of versions that queries do not see any more, too."""
        live, _, withdrawn = (key.version_id for key in self.keys())
        assert reader.pages([live, withdrawn]) == {(live, 1), (live, 2), (withdrawn, 1)}
        assert reader.pages([VersionId("ver_fehlt")]) == frozenset()
        assert reader.pages([]) == frozenset()
