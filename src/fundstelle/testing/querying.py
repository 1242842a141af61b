"""Passages and a query log in memory, and builders of what queries work on, for tests."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from fundstelle.domain.errors import StorageError
from fundstelle.domain.identity import (
    ChunkId,
    CollectionId,
    DocumentId,
    ModelId,
    PointId,
    QueryId,
    SectionId,
    VersionId,
    text_hash,
)
from fundstelle.domain.query_phases import AcceptedQuery, LocatedWindow, SearchedCollection, WindowState
from fundstelle.domain.query_record import QueryRecord
from fundstelle.domain.retrieval import (
    Application,
    Candidate,
    ChunkRecord,
    QueryObject,
    RetrievalMode,
    SelectedChunk,
)
from fundstelle.ports.querying import ChunkKey, QuerySummary

STANDARD = SearchedCollection(CollectionId("col_1"), "standard", "standard-index", ModelId("mod_1"), "fake/1")
"""A collection that is indexed."""


@dataclass(slots=True)
class MemoryPassages:
    """Implement `ports.querying.PassageReader` on lists."""

    known: list[SearchedCollection] = field(default_factory=lambda: [STANDARD])
    windows: list[LocatedWindow] = field(default_factory=list)
    records: list[ChunkRecord] = field(default_factory=list)

    def collections(self, names: Sequence[str]) -> Sequence[SearchedCollection]:
        """Read collections by name, all of them for no name, sorted by name."""
        found = [one for one in self.known if not names or one.name in names]
        return sorted(found, key=lambda one: one.name)

    def locate(self, points: Sequence[PointId]) -> Sequence[LocatedWindow]:
        """Find the chunks of points, in the order of `points`."""
        located: list[LocatedWindow] = []
        for point in points:
            found = [window for window in self.windows if window.point_id == point]
            unknown = LocatedWindow(point, 0, None, None, None, None, WindowState.UNKNOWN)
            located += sorted(found, key=lambda one: one.state is not WindowState.LIVE) or [unknown]
        return located

    def reload(self, keys: Sequence[ChunkKey]) -> Sequence[ChunkRecord]:
        """Read chunks in the order of `keys`."""
        found = {ChunkKey(one.version_id, one.chunk_id): one for one in self.records}
        return [found[key] for key in keys if key in found]

    def expects_points(self, collection: CollectionId) -> bool:
        """Tell whether a window of a collection is live."""
        return any(one.collection_id == collection and one.state is WindowState.LIVE for one in self.windows)

    def pages(self, versions: Sequence[VersionId]) -> frozenset[tuple[VersionId, int]]:
        """List the pages that the chunks stand on."""
        return frozenset(
            (one.version_id, page)
            for one in self.records
            if one.version_id in versions
            for page in range(one.page_first, one.page_last + 1)
        )


@dataclass(slots=True)
class MemoryQueryLog:
    """Implement `ports.querying.QueryLog` on a dictionary."""

    records: dict[QueryId, QueryRecord] = field(default_factory=dict)

    def add(self, record: QueryRecord) -> None:
        """Store a record; one that is there is never changed."""
        if record.query_id in self.records:
            raise StorageError(f"The query {record.query_id} is stored already.")
        self.records[record.query_id] = record

    def load(self, query_id: QueryId) -> QueryRecord | None:
        """Read a record."""
        return self.records.get(query_id)

    def ids(self, after: QueryId | None, limit: int) -> Sequence[QueryId]:
        """List ids in ascending order, those greater than `after`."""
        return [one for one in sorted(self.records) if after is None or one > after][:limit]

    def recent(self, limit: int, offset: int = 0) -> Sequence[QuerySummary]:
        """List queries, the newest first."""
        by_id = sorted(self.records.values(), key=lambda one: one.query_id)
        newest = sorted(by_id, key=lambda one: one.created_at, reverse=True)
        return [_summary(one) for one in newest[offset : offset + limit]]

    def citing(self, document: DocumentId) -> Sequence[QueryId]:
        """List the queries whose answer had a document among its sources."""
        outputs = {one.query_id: one.trail.output for one in self.records.values()}
        return sorted(
            query_id
            for query_id, output in outputs.items()
            if output and any(source.document_id == document for source in output.sources)
        )


def _summary(record: QueryRecord) -> QuerySummary:
    accepted = record.trail.accepted
    application = accepted.query.application if accepted else None
    return QuerySummary(
        record.query_id, record.created_at, application, record.raw_text, record.state, record.verdict
    )


def make_accepted(
    text: str = "Wie viele Tage Urlaub gibt es?",
    *,
    mode: RetrievalMode = RetrievalMode.HYBRID,
    searched: Sequence[SearchedCollection] = (STANDARD,),
    top_k: int = 12,
    prefetch: int = 60,
    context_tokens: int = 3_000,
) -> AcceptedQuery:
    """Make the result of phase A0."""
    query = QueryObject(
        query_id=QueryId("q_1"),
        raw_text=text,
        application=Application.CHAT,
        collections=tuple(one.collection_id for one in searched),
        mode=mode,
        top_k=top_k,
        context_tokens=context_tokens,
        answer_tokens=1_000,
        generator="fake",
        temperature=0.0,
        seed=None,
        model_id=None if mode is RetrievalMode.LEXICAL else ModelId("mod_1"),
        template="chat/1",
        prefetch=prefetch,
    )
    return AcceptedQuery(query, tuple(searched), "words")


def make_record(number: int, text: str, *, document: int = 1, title: str = "Handbuch") -> ChunkRecord:
    """Make a chunk as phase A3 loads it; its tokens are its words."""
    return ChunkRecord(
        chunk_id=ChunkId(f"chk_{number}"),
        version_id=VersionId(f"ver_{document}"),
        document_id=DocumentId(f"doc_{document}"),
        section_id=SectionId(f"sec_{number}"),
        document_title=title,
        filename="handbuch.pdf",
        heading_path=f"Kapitel {number}",
        content=text,
        token_count=len(text.split()),
        char_start=0,
        char_end=len(text),
        page_first=number,
        page_last=number,
        label_first=None,
        label_last=None,
        paged=True,
        text_hash=text_hash(text),
    )


def make_candidates(records: Sequence[ChunkRecord]) -> tuple[Candidate, ...]:
    """Make the candidates that these records were loaded for, best first."""
    return tuple(
        Candidate(record.chunk_id, record.version_id, 1.0 / (60 + rank), rank)
        for rank, record in enumerate(records, start=1)
    )


def make_selected(records: Sequence[ChunkRecord]) -> tuple[SelectedChunk, ...]:
    """Make the result of a selection that chose all of these, best first."""
    return tuple(
        SelectedChunk(number, 1.0 / (60 + number), record) for number, record in enumerate(records, start=1)
    )
