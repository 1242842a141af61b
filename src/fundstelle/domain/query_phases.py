"""What each phase of a query leaves behind: one typed result per phase, A0 to A8.

A `QueryTrail` holds the results of one query. The running pipeline fills it phase by phase, the
store writes and reads it, the criteria check it, replay rebuilds it: all four speak of the same
types, so what is checked later is what was checked then.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.identity import (
    ChunkId,
    CollectionId,
    DocumentId,
    ModelId,
    PointId,
    TextHash,
    VersionId,
)
from fundstelle.domain.retrieval import (
    Application,
    Candidate,
    ChunkRecord,
    ContextSource,
    Omission,
    QueryObject,
    RetrievalMode,
    SelectedChunk,
)

_Result = TypeVar("_Result")


class Phase(StrEnum):
    """Name the phases of a query in their order."""

    REQUEST = "A0"
    EMBEDDING = "A1"
    PRESELECTION = "A2"
    RELOAD = "A3"
    SELECTION = "A4"
    CONTEXT = "A5"
    PROMPT = "A6"
    GENERATION = "A7"
    OUTPUT = "A8"


class Leg(StrEnum):
    """Name the two ways in which a search finds windows."""

    VECTOR = "vector"
    LEXICAL = "lexical"


class WindowState(StrEnum):
    """Say whether a window that the index found may go on, and if not, why."""

    LIVE = "live"
    UNKNOWN = "unknown"
    WITHDRAWN = "withdrawn"
    OLD_VERSION = "old_version"
    NOT_INDEXED = "not_indexed"
    SUPERSEDED = "superseded"
    OTHER_COLLECTION = "other_collection"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """Ask a question (chat) or give a briefing (studio); what is None takes its default in phase A0.

    Args:
        text: Kept unchanged; it is what the model will read.
        collections: Names; empty means all.
        without: Documents that the search leaves out.
    """

    text: str
    application: Application = Application.CHAT
    collections: tuple[str, ...] = ()
    mode: RetrievalMode = RetrievalMode.HYBRID
    top_k: int | None = None
    prefetch: int | None = None
    context_tokens: int | None = None
    answer_tokens: int | None = None
    temperature: float = 0.0
    seed: int | None = None
    without: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchedCollection:
    """Hold a collection as it stood when the query began.

    Args:
        index_name: None as long as nothing of it is indexed.
        model_id: The model that its index was built with.
        model_name: Provider and name of that model, for people.
    """

    collection_id: CollectionId
    name: str
    index_name: str | None
    model_id: ModelId | None
    model_name: str = ""


@dataclass(frozen=True, slots=True)
class AcceptedQuery:
    """Hold the query object and the collections that it will search (result of phase A0).

    Args:
        tokenizer: Name of the tokenizer that counts for the token limits.
    """

    query: QueryObject
    searched: tuple[SearchedCollection, ...]
    tokenizer: str


@dataclass(frozen=True, slots=True)
class QuestionEmbedding:
    """Hold the normalised question and its vector (result of phase A1).

    Args:
        vector: float32, little endian, L2-normalised; None in lexical mode.
        vector_hash: SHA-256 of these bytes, hex.
        note: Why there is no vector, where there is none.
    """

    text: str
    model_id: ModelId | None
    dimension: int
    vector: bytes | None
    vector_hash: str | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class LegHit:
    """Hold a window that one leg found, with the score of the index."""

    point_id: PointId
    score: float


@dataclass(frozen=True, slots=True)
class LegResult:
    """Hold everything one leg found in one collection, best first.

    Args:
        limit: Windows asked for; fewer hits mean that there were no more.
        note: Why nothing was searched, where nothing was.
    """

    collection_id: CollectionId
    leg: Leg
    limit: int
    hits: tuple[LegHit, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class LocatedWindow:
    """Tell which chunk a point of the index belongs to, by SQL, and whether it is live.

    Args:
        version_id: None, like `chunk_id` and `document_id`, where SQL knows no such point.
    """

    point_id: PointId
    window_index: int
    version_id: VersionId | None
    chunk_id: ChunkId | None
    document_id: DocumentId | None
    collection_id: CollectionId | None
    state: WindowState


@dataclass(frozen=True, slots=True)
class Preselection:
    """Hold what was found, where it belongs, and the candidates in fused order (result of phase A2).

    Args:
        windows: Every point found, live or not: dead ones are recorded here with their reason.
        fusion: Method and parameters by which the legs were fused.
        rounds: How often the legs were asked, each time for more, because too few chunks were live.
    """

    legs: tuple[LegResult, ...]
    windows: tuple[LocatedWindow, ...]
    candidates: tuple[Candidate, ...]
    fusion: str
    rounds: int = 1

    @property
    def dead(self) -> tuple[LocatedWindow, ...]:
        """List the windows that were found and must not go on."""
        return tuple(window for window in self.windows if window.state is not WindowState.LIVE)


@dataclass(frozen=True, slots=True)
class Reload:
    """Hold the candidates' texts and provenance from SQL, in the order of the candidates (phase A3)."""

    records: tuple[ChunkRecord, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """Hold the chosen chunks in their order, and why each other candidate was left out (phase A4).

    Args:
        rules: Version and parameters of the rules.
        tokens: Tokens of the context block that the chosen chunks make.
    """

    selected: tuple[SelectedChunk, ...]
    omitted: tuple[Omission, ...]
    rules: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Context:
    """Hold the context block exactly as it is sent, and its sources (result of phase A5).

    Args:
        spans: Place of each source's text in the block, half open, in the order of `sources`.
        form: Version of the form of the block.
    """

    block: str
    sources: tuple[ContextSource, ...]
    spans: tuple[tuple[int, int], ...]
    token_count: int
    form: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Hold the complete prompt (result of phase A6)."""

    system: str
    user: str
    template: str


@dataclass(frozen=True, slots=True)
class Generation:
    """Hold the raw answer, unchanged, and what the generator says of itself (result of phase A7).

    Args:
        called: False when the context was empty, so that no generator was asked.
    """

    called: bool
    generator: str
    text: str
    model: str
    digest: str
    refused: bool
    reason: str
    tokens_sent: int | None
    tokens_evaluated: int | None
    tokens_generated: int | None
    details: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class QueryTrail:
    """Hold the results of the phases that a query has been through, in order; None is yet to come."""

    accepted: AcceptedQuery | None = None
    embedding: QuestionEmbedding | None = None
    preselection: Preselection | None = None
    reload: Reload | None = None
    selection: Selection | None = None
    context: Context | None = None
    prompt: Prompt | None = None
    generation: Generation | None = None
    output: AnswerRecord | None = None


def done(result: _Result | None) -> _Result:
    """Give the result of a phase that has run.

    Raises:
        LookupError: It has not, or what is stored of it cannot be read.
    """
    if result is None:
        raise LookupError("The phase has left no result.")
    return result


@dataclass(frozen=True, slots=True)
class Integrity:
    """Compare what was stored of a phase with the hash that was stored beside it.

    Args:
        unreadable: Why the artefacts cannot be read, empty where they can.
    """

    stored_hash: TextHash
    actual_hash: TextHash
    unreadable: str = ""

    @property
    def intact(self) -> bool:
        """Say whether the stored artefacts are those that were stored."""
        return self.stored_hash == self.actual_hash and not self.unreadable
