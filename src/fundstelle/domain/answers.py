"""What a query hands out: the answer, its sources, its evidence, and the record of its run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fundstelle.domain.identity import ChunkId, DocumentId, QueryId, VersionId
from fundstelle.domain.retrieval import AnswerVerdict, SentenceEvidence

NO_PASSAGE = "Keine Fundstelle"
"""How an answer begins that says that no passage answers the question."""


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """Hold one source beside the answer: where the passage stands, physically and as printed.

    Args:
        cited: True when the answer names it or a sentence rests on it.
        page_first: Physical page, from 1.
        label_first: The number printed on that page, None where the file has none.
        paged: False for formats without pages; page 1 means nothing there.
    """

    number: int
    document_id: DocumentId
    version_id: VersionId
    document_title: str
    filename: str
    chunk_id: ChunkId
    heading_path: str
    page_first: int
    page_last: int
    label_first: str | None
    label_last: str | None
    paged: bool
    score: float
    cited: bool


@dataclass(frozen=True, slots=True)
class NearestCandidate:
    """Hold a passage that came near but does not answer; it is no source."""

    document_id: DocumentId
    version_id: VersionId
    document_title: str
    chunk_id: ChunkId
    heading_path: str
    page_first: int
    page_last: int
    score: float
    excerpt: str
    label_first: str | None = None
    label_last: str | None = None
    paged: bool = True


@dataclass(frozen=True, slots=True)
class Usage:
    """Count the tokens of a query; None where no model counted.

    Units:
        Tokens of the tokenizer of the query, `tokens_evaluated` and `tokens_generated` of the model.
    """

    context_tokens: int = 0
    tokens_sent: int | None = None
    tokens_evaluated: int | None = None
    tokens_generated: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """Hold the answer and everything that leads back from it to its sources (result of phase A8).

    Args:
        answer: What is shown; the raw answer wherever a generator gave one.
        reason: Why there is no answer; empty when there is one.
        unknown_citations: Numbers that the answer cites and the context does not have.
        problems: What does not hold of the answer as a whole, in sentences for people.
        nearest: Only where no passage was found.
        timings_ms: Duration of each phase, by its name.
    """

    query_id: QueryId
    answer: str
    verdict: AnswerVerdict
    sources: tuple[AnswerSource, ...]
    sentences: tuple[SentenceEvidence, ...]
    reason: str = ""
    nearest: tuple[NearestCandidate, ...] = ()
    unknown_citations: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()
    generator: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
