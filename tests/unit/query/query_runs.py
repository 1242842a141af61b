"""A query process over fakes in memory, for the unit tests of pipeline, criteria, trace and replay."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count

from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.identity import CollectionId, QueryId, TextHash, point_id
from fundstelle.domain.query_phases import LocatedWindow, QueryRequest, WindowState
from fundstelle.domain.query_record import QueryRecord
from fundstelle.domain.retrieval import ChunkRecord
from fundstelle.ports.generating import GeneratedAnswer, GenerationRequest
from fundstelle.ports.indexing import IndexPoint
from fundstelle.query.evidence import check_evidence
from fundstelle.query.pipeline import QueryServices, ask
from fundstelle.query.replay import ReplayServices
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.querying import STANDARD, MemoryPassages, MemoryQueryLog, make_record
from fundstelle.testing.vectors import InMemoryIndex
from fundstelle.testing.words import count_words, encode_document, encode_query

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
URLAUB = "Der Urlaub beträgt 30 Tage im Jahr. Er wird schriftlich beantragt."
REISE = "Reisekosten werden innerhalb von 14 Tagen erstattet. Belege sind beizufügen."


@dataclass(slots=True)
class FakeGenerator:
    """Give the answer that a test sets; by default quote the first sentence of the first source."""

    name: str = "fake"
    answer: Callable[[GenerationRequest], GeneratedAnswer] | None = None

    def generate(self, request: GenerationRequest, on_text: Callable[[str], None]) -> GeneratedAnswer:
        """Word the answer."""
        if self.answer is not None:
            return self.answer(request)
        text = f"{request.sources[0].text.split('. ')[0]} [Quelle 1]."
        on_text(text)
        return GeneratedAnswer(text, "fake", "1")


@dataclass(slots=True)
class Desk:
    """Hold a whole query process in memory."""

    passages: MemoryPassages = field(default_factory=MemoryPassages)
    log: MemoryQueryLog = field(default_factory=MemoryQueryLog)
    index: InMemoryIndex = field(default_factory=InMemoryIndex)
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    generator: FakeGenerator = field(default_factory=FakeGenerator)

    def add(self, record: ChunkRecord, state: WindowState = WindowState.LIVE) -> None:
        """Add a chunk with one window."""
        model = self.embedder.identity
        self.passages.known = [replace(STANDARD, model_id=model.model_id)]
        self.index.ensure("standard-index", model.dimension)
        point = point_id(record.chunk_id, 0, model.model_id)
        self.passages.records.append(record)
        self.passages.windows.append(
            LocatedWindow(
                point, 0, record.version_id, record.chunk_id, record.document_id, CollectionId("col_1"), state
            )
        )
        vector = self.embedder.embed_passages([record.content])[0]
        sparse = encode_document(record.content)
        owner = (record.chunk_id, record.document_id, record.version_id)
        self.index.write(
            "standard-index",
            [IndexPoint(point, vector, sparse, *owner, "", "standard", 0, TextHash("h"), "other text")],
        )

    def services(self) -> QueryServices:
        """Give what the pipeline works with; every look at the clock is a millisecond later."""
        ticks = count()
        return QueryServices(
            reader=self.passages,
            log=self.log,
            index=self.index,
            embedder=self.embedder,
            generator=self.generator,
            encode_query=encode_query,
            count_tokens=count_words,
            check_evidence=check_evidence,
            tokenizer="words",
            tick=lambda: next(ticks) / 1e3,
        )

    def replaying(self) -> ReplayServices:
        """Give what replay works with."""
        return ReplayServices(self.log, self.passages, count_words, "words", self.embedder)

    def ask(self, text: str = "Wie viele Tage Urlaub gibt es?", **options: object) -> AnswerRecord:
        """Ask a question as `q_1`."""
        request = QueryRequest(text, **options)  # type: ignore[arg-type]
        return ask(request, services=self.services(), query_id=QueryId("q_1"), now=NOW)

    def stored(self) -> QueryRecord:
        """Give the record of `q_1`."""
        return self.log.records[QueryId("q_1")]


def make_desk() -> Desk:
    """Make a query process over two documents."""
    desk = Desk()
    desk.add(make_record(1, URLAUB, title="Urlaub"))
    desk.add(make_record(2, REISE, document=2, title="Reise"))
    return desk
