"""Phase A8, output (Ausgabe): the answer with its sources and evidence, or the plain word that there is none.

Nothing in the raw answer is changed. Citations of sources that do not exist are reported. Where no
passage answers the question, the record carries the reason and the nearest candidates, and no source.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from fundstelle.domain.answers import NO_PASSAGE, AnswerRecord, AnswerSource, NearestCandidate, Usage
from fundstelle.domain.query_phases import Generation, QueryTrail, done
from fundstelle.domain.retrieval import (
    AnswerVerdict,
    ChunkRecord,
    ContextSource,
    SelectedChunk,
    SentenceEvidence,
)

MAX_NEAREST = 3
_EXCERPT_CHARS = 240


class EvidenceFindings(Protocol):
    """What the evidence check says of an answer."""

    @property
    def sentences(self) -> tuple[SentenceEvidence, ...]:
        """Judge each sentence."""
        ...

    @property
    def verdict(self) -> AnswerVerdict:
        """Judge the whole."""
        ...

    @property
    def unknown_citations(self) -> tuple[int, ...]:
        """List cited numbers that no source has."""
        ...

    @property
    def problems(self) -> tuple[str, ...]:
        """Say what does not hold of the answer as a whole."""
        ...


EvidenceCheck: TypeAlias = Callable[[str, Sequence[ContextSource]], EvidenceFindings]


def deliver_answer(trail: QueryTrail, *, check_evidence: EvidenceCheck) -> AnswerRecord:
    """Resolve the citations, check the evidence, and hand out the answer with its sources.

    Args:
        trail: With the results of phases A0 to A7.
    """
    generation = done(trail.generation)
    if not generation.called:
        return _refusal(trail, f"{NO_PASSAGE}. {_why_empty(trail)}", _why_empty(trail))
    if generation.refused or not generation.text.strip():
        reason = generation.reason or _why_refused(generation)
        return _refusal(
            trail, generation.text if generation.text.strip() else f"{NO_PASSAGE}. {reason}", reason
        )
    findings = check_evidence(generation.text, done(trail.context).sources)
    cited = {number for sentence in findings.sentences for number in sentence.sources}
    if findings.verdict is AnswerVerdict.NO_PASSAGE or (not cited and says_no_passage(generation.text)):
        return _refusal(trail, generation.text, generation.reason or _why_refused(generation))
    return _record(
        trail,
        answer=generation.text,
        verdict=findings.verdict,
        sources=_sources(done(trail.selection).selected, cited),
        sentences=findings.sentences,
        unknown_citations=findings.unknown_citations,
        problems=findings.problems,
    )


def says_no_passage(answer: str) -> bool:
    """Say whether a model followed the rule how to answer when nothing answers."""
    return answer.strip(" \n\"'„“”»«*_").casefold().startswith(NO_PASSAGE.casefold())


def _why_empty(trail: QueryTrail) -> str:
    query = done(trail.accepted)
    if all(collection.index_name is None for collection in query.searched):
        names = ", ".join(f"„{collection.name}“" for collection in query.searched)
        return f"In {names} ist noch nichts indiziert."
    if not done(trail.preselection).candidates:
        return "Die Suche hat keinen gültigen Abschnitt gefunden."
    return f"Kein gefundener Abschnitt passt in das Kontextlimit von {query.query.context_tokens} Token."


def _why_refused(generation: Generation) -> str:
    if not generation.text.strip():
        return "Das Modell hat nichts geantwortet."
    return "Keiner der gefundenen Abschnitte beantwortet die Frage."


def _refusal(trail: QueryTrail, answer: str, reason: str) -> AnswerRecord:
    return _record(
        trail,
        answer=answer,
        verdict=AnswerVerdict.NO_PASSAGE,
        reason=reason,
        nearest=_nearest(trail),
    )


def _record(
    trail: QueryTrail,
    *,
    answer: str,
    verdict: AnswerVerdict,
    sources: tuple[AnswerSource, ...] = (),
    sentences: tuple[SentenceEvidence, ...] = (),
    reason: str = "",
    nearest: tuple[NearestCandidate, ...] = (),
    unknown_citations: tuple[int, ...] = (),
    problems: tuple[str, ...] = (),
) -> AnswerRecord:
    generation = done(trail.generation)
    return AnswerRecord(
        query_id=done(trail.accepted).query.query_id,
        answer=answer,
        verdict=verdict,
        sources=sources,
        sentences=sentences,
        reason=reason,
        nearest=nearest,
        unknown_citations=unknown_citations,
        problems=problems,
        generator=generation.generator,
        model=generation.model,
        usage=Usage(
            context_tokens=done(trail.context).token_count,
            tokens_sent=generation.tokens_sent,
            tokens_evaluated=generation.tokens_evaluated,
            tokens_generated=generation.tokens_generated,
        ),
    )


def _sources(selected: Iterable[SelectedChunk], cited: set[int]) -> tuple[AnswerSource, ...]:
    return tuple(_source(chunk, chunk.number in cited) for chunk in selected)


def _source(chunk: SelectedChunk, cited: bool) -> AnswerSource:
    record = chunk.record
    return AnswerSource(
        number=chunk.number,
        document_id=record.document_id,
        version_id=record.version_id,
        document_title=record.document_title,
        filename=record.filename,
        chunk_id=record.chunk_id,
        heading_path=record.heading_path,
        page_first=record.page_first,
        page_last=record.page_last,
        label_first=record.label_first,
        label_last=record.label_last,
        paged=record.paged,
        score=chunk.score,
        cited=cited,
    )


def _nearest(trail: QueryTrail) -> tuple[NearestCandidate, ...]:
    pairs = zip(done(trail.preselection).candidates, done(trail.reload).records, strict=True)
    return tuple(_near(record, candidate.score) for candidate, record in list(pairs)[:MAX_NEAREST])


def _near(record: ChunkRecord, score: float) -> NearestCandidate:
    return NearestCandidate(
        document_id=record.document_id,
        version_id=record.version_id,
        document_title=record.document_title,
        chunk_id=record.chunk_id,
        heading_path=record.heading_path,
        page_first=record.page_first,
        page_last=record.page_last,
        score=score,
        excerpt=" ".join(record.content[: 2 * _EXCERPT_CHARS].split())[:_EXCERPT_CHARS],
        label_first=record.label_first,
        label_last=record.label_last,
        paged=record.paged,
    )
