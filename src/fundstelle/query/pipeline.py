"""The query process: the nine phases in order, and the only loop over them.

The loop times each phase, checks its criteria, and records what it left behind. A criterion that
does not hold stops the query. Everything is stored in one transaction at the end, of a query that
failed as of one that was answered; only a request that phase A0 refuses never becomes a query.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import TypeAlias

from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.errors import CriterionError, FundstelleError, UsageError
from fundstelle.domain.identity import QueryId
from fundstelle.domain.query_phases import Phase, QueryRequest, QueryTrail, done
from fundstelle.domain.query_record import CriterionResult, PhaseRecord, QueryRecord, QueryState
from fundstelle.domain.retrieval import AnswerVerdict, Candidate, ChunkRecord, RetrievalMode
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.generating import Generator
from fundstelle.ports.indexing import SparseVector, VectorIndex
from fundstelle.ports.querying import PassageReader, QueryLog
from fundstelle.query.a0_request import accept_request
from fundstelle.query.a1_embedding import embed_question
from fundstelle.query.a2_preselection import preselect
from fundstelle.query.a3_reload import reload_candidates
from fundstelle.query.a4_selection import select_chunks
from fundstelle.query.a5_context import build_context
from fundstelle.query.a6_prompt import compose_prompt
from fundstelle.query.a7_generation import generate_answer
from fundstelle.query.a8_output import EvidenceCheck, deliver_answer
from fundstelle.query.criteria import check_phase


@dataclass(frozen=True, slots=True)
class QueryServices:
    """Hold what the query process works with.

    Args:
        embedder: Not touched in lexical mode.
        encode_query: Makes the BM25 terms of a question.
        count_tokens: Counts with the tokenizer that `tokenizer` names.
        tick: Gives seconds that only go forward, for durations.
    """

    reader: PassageReader
    log: QueryLog
    index: VectorIndex
    embedder: Embedder
    generator: Generator
    encode_query: Callable[[str], SparseVector]
    count_tokens: Callable[[str], int]
    check_evidence: EvidenceCheck
    tokenizer: str = "o200k_base"
    tick: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class Run:
    """Hold what one query brings along, the same for all phases.

    Args:
        count_tokens: Remembers what it counted: phases A4 and A5 both count the context.
    """

    query_id: QueryId
    request: QueryRequest
    services: QueryServices
    count_tokens: Callable[[str], int]
    on_text: Callable[[str], None]


Step: TypeAlias = Callable[[Run, QueryTrail], QueryTrail]


def _request(run: Run, trail: QueryTrail) -> QueryTrail:
    services, lexical = run.services, run.request.mode is RetrievalMode.LEXICAL
    accepted = accept_request(
        run.request,
        query_id=run.query_id,
        generator=services.generator.name,
        model_id=None if lexical else services.embedder.identity.model_id,
        tokenizer=services.tokenizer,
        reader=services.reader,
    )
    return replace(trail, accepted=accepted)


def _embedding(run: Run, trail: QueryTrail) -> QueryTrail:
    return replace(trail, embedding=embed_question(done(trail.accepted), run.services.embedder))


def _preselection(run: Run, trail: QueryTrail) -> QueryTrail:
    services = run.services
    found = preselect(
        done(trail.accepted),
        done(trail.embedding),
        index=services.index,
        reader=services.reader,
        encode_query=services.encode_query,
    )
    return replace(trail, preselection=found)


def _reload(run: Run, trail: QueryTrail) -> QueryTrail:
    candidates = done(trail.preselection).candidates
    return replace(trail, reload=reload_candidates(candidates, reader=run.services.reader))


def _selection(run: Run, trail: QueryTrail) -> QueryTrail:
    selection = select_chunks(
        done(trail.preselection).candidates,
        done(trail.reload).records,
        context_tokens=done(trail.accepted).query.context_tokens,
        count_tokens=run.count_tokens,
    )
    return replace(trail, selection=selection)


def _context(run: Run, trail: QueryTrail) -> QueryTrail:
    selected = done(trail.selection).selected
    return replace(trail, context=build_context(selected, count_tokens=run.count_tokens))


def _prompt(_run: Run, trail: QueryTrail) -> QueryTrail:
    query = done(trail.accepted).query
    prompt = compose_prompt(query.raw_text, done(trail.context).block, template=query.template)
    return replace(trail, prompt=prompt)


def _generation(run: Run, trail: QueryTrail) -> QueryTrail:
    generation = generate_answer(
        done(trail.accepted),
        done(trail.context),
        done(trail.prompt),
        generator=run.services.generator,
        on_text=run.on_text,
    )
    return replace(trail, generation=generation)


def _output(run: Run, trail: QueryTrail) -> QueryTrail:
    return replace(trail, output=deliver_answer(trail, check_evidence=run.services.check_evidence))


PHASES: Sequence[tuple[Phase, Step]] = (
    (Phase.REQUEST, _request),
    (Phase.EMBEDDING, _embedding),
    (Phase.PRESELECTION, _preselection),
    (Phase.RELOAD, _reload),
    (Phase.SELECTION, _selection),
    (Phase.CONTEXT, _context),
    (Phase.PROMPT, _prompt),
    (Phase.GENERATION, _generation),
    (Phase.OUTPUT, _output),
)
"""The nine phases in their order."""

_SEARCH_PHASES = 4


def ask(
    request: QueryRequest,
    *,
    services: QueryServices,
    query_id: QueryId,
    now: datetime,
    on_text: Callable[[str], None] = lambda _: None,
) -> AnswerRecord:
    """Answer a question (or work on a briefing), and store everything that led to the answer.

    Args:
        query_id: New and random; everything is stored under it.
        now: With zone.
        on_text: Called with each piece of the answer as it comes.

    Raises:
        UsageError: Phase A0 refuses the request; nothing is stored. Any other error is stored with
            the phase in which it came, then raised.
        ModelMismatchError: The index was built with another embedding model.
        CriterionError: A supervision criterion does not hold.
        ServiceError: Index, embedder or generator does not answer.
        StorageError: The database refuses.
    """
    course = _Course(Run(query_id, request, services, _remembering(services.count_tokens), on_text), now)
    try:
        for phase, step in PHASES:
            course.go_through(phase, step)
    except BaseException as error:
        course.store_failure(error)
        raise
    return course.finish()


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Hold a chunk that a search found, with its scores, text and provenance."""

    candidate: Candidate
    record: ChunkRecord


def search(
    request: QueryRequest, *, services: QueryServices, query_id: QueryId, now: datetime
) -> tuple[FoundPassage, ...]:
    """Find chunks as a question would, best first: phases A0 to A3, checked, and nothing is stored.

    Raises:
        FundstelleError: As `ask`.
    """
    course = _Course(Run(query_id, request, services, services.count_tokens, lambda _: None), now)
    for phase, step in PHASES[:_SEARCH_PHASES]:
        course.go_through(phase, step)
    candidates, records = done(course.trail.preselection).candidates, done(course.trail.reload).records
    return tuple(FoundPassage(*pair) for pair in zip(candidates, records, strict=True))


def _remembering(count_tokens: Callable[[str], int]) -> Callable[[str], int]:
    return lru_cache(maxsize=16)(count_tokens)


class _Course:
    """Lead one query through its phases, keeping the record of each."""

    def __init__(self, run: Run, now: datetime) -> None:
        self._run = run
        self._now = now
        self.trail = QueryTrail()
        self._phases: list[PhaseRecord] = []

    def go_through(self, phase: Phase, step: Step) -> None:
        """Run, time and check one phase; it is recorded also when it fails."""
        tick = self._run.services.tick
        started = tick()
        criteria: tuple[CriterionResult, ...] = ()
        try:
            self.trail = step(self._run, self.trail)
            criteria = check_phase(phase, self.trail)
        finally:
            self._phases.append(PhaseRecord(phase, (tick() - started) * 1e3, criteria))
        _stop_at_failure(phase, criteria)

    def finish(self) -> AnswerRecord:
        """Store the whole query in one transaction and hand out the answer."""
        timings = {record.phase.value: round(record.duration_ms, 3) for record in self._phases}
        answer = replace(done(self.trail.output), timings_ms=timings)
        self.trail = replace(self.trail, output=answer)
        refused = answer.verdict is AnswerVerdict.NO_PASSAGE
        state = QueryState.REFUSED if refused else QueryState.ANSWERED
        self._run.services.log.add(self._record(state, answer.verdict, answer.reason))
        return answer

    def store_failure(self, error: BaseException) -> None:
        """Store a query that failed in the phase begun last, unless that phase refused the request."""
        phase = self._phases[-1].phase if self._phases else Phase.REQUEST
        if phase is Phase.REQUEST and (isinstance(error, UsageError) or not self._phases):
            return
        code = error.code if isinstance(error, FundstelleError) else type(error).__name__
        record = self._record(QueryState.FAILED, None, "")
        try:
            self._run.services.log.add(replace(record, failed_phase=phase, failure=f"{code}: {error}"))
        except FundstelleError as second:
            error.add_note(f"The failed query could not be stored: {second}")

    def _record(self, state: QueryState, verdict: AnswerVerdict | None, reason: str) -> QueryRecord:
        return QueryRecord(
            query_id=self._run.query_id,
            created_at=self._now,
            raw_text=self._run.request.text,
            state=state,
            verdict=verdict,
            reason=reason,
            failed_phase=None,
            failure="",
            trail=self.trail,
            phases=tuple(self._phases),
        )


def _stop_at_failure(phase: Phase, criteria: Sequence[CriterionResult]) -> None:
    for result in criteria:
        for problem in result.problems:
            raise CriterionError(phase.value, result.criterion, problem.detail)
