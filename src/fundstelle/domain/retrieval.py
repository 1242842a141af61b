"""What a query is made of: the query object, candidates, sources, sentences and their evidence.

These types live for one query. What is stored of them is written by `query.pipeline`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fundstelle.domain.identity import (
    ChunkId,
    CollectionId,
    DocumentId,
    ModelId,
    QueryId,
    SectionId,
    TextHash,
    VersionId,
)


class RetrievalMode(StrEnum):
    """Name the legs that a search uses."""

    VECTOR = "vector"
    LEXICAL = "lexical"
    HYBRID = "hybrid"


class Application(StrEnum):
    """Name who asks: it decides the default size of the context."""

    CHAT = "chat"
    STUDIO = "studio"


class EvidenceStatus(StrEnum):
    """Judge one sentence of an answer against the passages it cites."""

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"


class AnswerVerdict(StrEnum):
    """Judge a whole answer."""

    SUPPORTED = "supported"
    PARTLY_SUPPORTED = "partly_supported"
    UNSUPPORTED = "unsupported"
    NO_PASSAGE = "no_passage"


@dataclass(frozen=True, slots=True)
class QueryObject:
    """Hold a question, fully parametrised, before any retrieval starts (result of phase A0).

    Args:
        collections: Searched collections, in stable order; at least one.
        top_k: Candidates (chunks) that go from preselection to selection.
        context_tokens: Upper limit of the context block.
        answer_tokens: Upper limit of the answer.
        prefetch: Windows that each leg fetches.
        without: Documents that the search leaves out.
    """

    query_id: QueryId
    raw_text: str
    application: Application
    collections: tuple[CollectionId, ...]
    mode: RetrievalMode
    top_k: int
    context_tokens: int
    answer_tokens: int
    generator: str
    temperature: float
    seed: int | None
    model_id: ModelId | None
    template: str
    prefetch: int
    without: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class LegScore:
    """Hold what one leg says of a candidate: best score of its windows and its rank (from 1)."""

    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold a chunk that preselection found (result of phase A2)."""

    chunk_id: ChunkId
    version_id: VersionId
    score: float
    rank: int
    legs: Mapping[str, LegScore] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """Hold a candidate reloaded from SQL (result of phase A3)."""

    chunk_id: ChunkId
    version_id: VersionId
    document_id: DocumentId
    section_id: SectionId
    document_title: str
    filename: str
    heading_path: str
    content: str
    token_count: int
    char_start: int
    char_end: int
    page_first: int
    page_last: int
    label_first: str | None
    label_last: str | None
    paged: bool
    text_hash: TextHash


@dataclass(frozen=True, slots=True)
class SelectedChunk:
    """Hold a chunk that goes into the context, in its place (result of phase A4)."""

    number: int
    score: float
    record: ChunkRecord


@dataclass(frozen=True, slots=True)
class Omission:
    """Record why a candidate was left out (result of phase A4)."""

    chunk_id: ChunkId
    version_id: VersionId
    reason: str


@dataclass(frozen=True, slots=True)
class ContextSource:
    """Hold one source of the context block: `[Quelle number: title]` (result of phase A5)."""

    number: int
    title: str
    text: str
    chunk_id: ChunkId
    version_id: VersionId
    document_id: DocumentId
    heading_path: str
    page_first: int
    page_last: int
    score: float


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """Hold the evidence for one sentence of the answer.

    Args:
        char_start: Place in the raw answer, half open with `char_end`.
        sources: Numbers of the sources that support it.
        problems: What does not hold, in sentences for people.
    """

    text: str
    char_start: int
    char_end: int
    status: EvidenceStatus
    sources: tuple[int, ...]
    problems: tuple[str, ...] = ()
