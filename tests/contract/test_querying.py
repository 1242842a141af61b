"""Fakes and SQL keep the contracts of the query process: the log of queries and the view of passages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fundstelle.adapters.sql.query_reader import SqlPassageReader
from fundstelle.adapters.sql.query_store import SqlQueryLog
from fundstelle.domain.identity import CollectionId, PointId, QueryId, VersionId
from fundstelle.domain.query_phases import LocatedWindow, QueryRequest, SearchedCollection, WindowState
from fundstelle.domain.query_record import QueryRecord
from fundstelle.ports.querying import ChunkKey, PassageReader, QueryLog
from fundstelle.query.pipeline import ask
from fundstelle.testing.query_contracts import PassageReaderContract, QueryLogContract
from fundstelle.testing.querying import STANDARD, MemoryPassages, MemoryQueryLog, make_record
from query_corpus import CHUNKER, Corpus, make_corpus

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
HOLIDAY = ("Der Urlaub beträgt 30 Tage im Jahr.", "Die Probezeit dauert sechs Monate.")
TRAVEL = ("Reisekosten werden innerhalb von 14 Tagen erstattet.",)


class _WithCorpus:
    """Fill a database with the two documents, one of them withdrawn later."""

    @pytest.fixture(autouse=True)
    def _corpus(self, tmp_path: Path) -> None:
        self.corpus: Corpus = make_corpus(tmp_path)
        self.corpus.add_collection("anders")
        self.versions = [self.corpus.add("Urlaub", HOLIDAY), self.corpus.add("Reise", TRAVEL)]


class TestSqlQueryLog(_WithCorpus, QueryLogContract):
    """SQL keeps the contract."""

    def make_log(self) -> QueryLog:
        """Open the log."""
        return SqlQueryLog(self.corpus.engine)

    def make_record(self) -> QueryRecord:
        """Answer a question over the corpus."""
        return _answered(self.corpus)


class TestMemoryQueryLog(_WithCorpus, QueryLogContract):
    """The fake keeps the contract."""

    def make_log(self) -> QueryLog:
        """Make a fake."""
        return MemoryQueryLog()

    def make_record(self) -> QueryRecord:
        """Answer a question over the corpus."""
        return _answered(self.corpus)


class TestSqlPassageReader(_WithCorpus, PassageReaderContract):
    """SQL keeps the contract."""

    def make_reader(self) -> PassageReader:
        """Open the reader, with one document withdrawn."""
        self.corpus.withdraw("Reise", from_index=False)
        return SqlPassageReader(self.corpus.engine)

    def points(self) -> Sequence[PointId]:
        """Read the points of the chunks."""
        model = self.corpus.embedder.identity.model_id
        with self.corpus.database.read() as unit:
            return [
                window.point_id
                for version in self.versions
                for window in unit.windows.of_version(version, model, CHUNKER)
            ]

    def keys(self) -> Sequence[ChunkKey]:
        """Read the chunks."""
        with self.corpus.database.read() as unit:
            return [
                ChunkKey(version, chunk.chunk_id)
                for version in self.versions
                for chunk in unit.chunks.of_version(version)
            ]


class TestMemoryPassages(PassageReaderContract):
    """The fake keeps the contract."""

    records = (
        make_record(1, HOLIDAY[0]),
        make_record(2, HOLIDAY[1]),
        make_record(1, TRAVEL[0], document=2),
    )

    def make_reader(self) -> PassageReader:
        """Fill a fake."""
        states = (WindowState.LIVE, WindowState.LIVE, WindowState.WITHDRAWN)
        windows = [
            LocatedWindow(
                point, 0, one.version_id, one.chunk_id, one.document_id, STANDARD.collection_id, state
            )
            for point, one, state in zip(self.points(), self.records, states, strict=True)
        ]
        other = SearchedCollection(CollectionId("col_2"), "anders", None, None, "")
        return MemoryPassages([STANDARD, other], windows, list(self.records))

    def points(self) -> Sequence[PointId]:
        """Number the points."""
        return [PointId(f"point-{number}") for number in (1, 2, 3)]

    def keys(self) -> Sequence[ChunkKey]:
        """Name the chunks."""
        return [ChunkKey(VersionId(one.version_id), one.chunk_id) for one in self.records]


def _answered(corpus: Corpus) -> QueryRecord:
    log, query_id = MemoryQueryLog(), QueryId("q_first")
    services = replace(corpus.services(), log=log)
    ask(QueryRequest("Wie viele Tage Urlaub gibt es?"), services=services, query_id=query_id, now=NOW)
    return log.records[query_id]
