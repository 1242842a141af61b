"""Words a trace for people: the nine phases, what each left behind, and whether its criteria hold."""

from collections.abc import Iterator

from fundstelle.cli.output import in_one_line
from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.query_phases import (
    AcceptedQuery,
    Context,
    Generation,
    Preselection,
    Prompt,
    QuestionEmbedding,
    Reload,
    Selection,
)
from fundstelle.query.trace import Artefact, PhaseTrace, Trace

_INDENT = "      "
_CANDIDATES_SHOWN = 10


def trace_lines(found: Trace) -> Iterator[str]:
    """Word the whole trace, line by line."""
    record = found.record
    yield f"Query {record.query_id}, {record.created_at.astimezone():%Y-%m-%d %H:%M:%S}, {record.state.value}"
    yield f"Question: {in_one_line(record.raw_text)}"
    if record.failure:
        yield f"Failed in {record.failed_phase}: {record.failure}"
    for phase in found.phases:
        yield ""
        yield from _phase_lines(phase)


def _phase_lines(phase: PhaseTrace) -> Iterator[str]:
    if not phase.begun:
        yield f"{phase.phase.value}  {phase.name} ({phase.name_de}): not reached"
        return
    yield f"{phase.phase.value}  {phase.name} ({phase.name_de}), {phase.duration_ms:.1f} ms"
    if phase.integrity is not None and not phase.integrity.intact:
        yield f"{_INDENT}✗ changed since it was stored: {phase.integrity.unreadable or 'hash differs'}"
    if phase.artefact is not None:
        yield from (f"{_INDENT}{line}" for line in _artefact_lines(phase.artefact))
    for result in phase.criteria:
        yield f"{_INDENT}{'✓' if result.holds else '✗'} {result.criterion}"
        yield from (f"{_INDENT}    {problem.detail}" for problem in result.problems)


def _artefact_lines(artefact: Artefact) -> Iterator[str]:
    match artefact:
        case AcceptedQuery() | QuestionEmbedding():
            yield from _question_lines(artefact)
        case Preselection():
            yield from _preselection_lines(artefact)
        case Reload(records=records):
            yield f"{len(records)} chunks reloaded from SQL"
        case Selection():
            yield f"{len(artefact.selected)} chunks chosen, {artefact.tokens} tokens, rules {artefact.rules}"
            yield from (f"left out {one.chunk_id}: {one.reason}" for one in artefact.omitted)
        case Context():
            yield f"{len(artefact.sources)} sources, {artefact.token_count} tokens, form {artefact.form}"
        case Prompt():
            yield f"template {artefact.template}, {len(artefact.system)} + {len(artefact.user)} characters"
        case Generation():
            yield f"generator {artefact.generator}" + (f", model {artefact.model}" if artefact.model else "")
            yield from artefact.text.splitlines()
        case AnswerRecord():
            yield f"verdict {artefact.verdict.value}" + (f": {artefact.reason}" if artefact.reason else "")


def _question_lines(artefact: AcceptedQuery | QuestionEmbedding) -> Iterator[str]:
    if isinstance(artefact, QuestionEmbedding):
        yield artefact.note or f"{artefact.dimension} dimensions, model {artefact.model_id}"
        return
    query = artefact.query
    names = ", ".join(one.name for one in artefact.searched)
    yield f"mode {query.mode.value}, top_k {query.top_k}, prefetch {query.prefetch}, collections: {names}"
    yield f"context {query.context_tokens} tokens, answer {query.answer_tokens} tokens, {query.generator}"


def _preselection_lines(artefact: Preselection) -> Iterator[str]:
    legs = ", ".join(f"{leg.leg.value} {len(leg.hits)} windows" for leg in artefact.legs)
    yield f"{legs}; fused by {artefact.fusion}; {len(artefact.candidates)} candidates"
    for candidate in artefact.candidates[:_CANDIDATES_SHOWN]:
        ranks = ", ".join(f"{name} {leg.rank} ({leg.score:.3f})" for name, leg in candidate.legs.items())
        yield f"{candidate.rank:3}. {candidate.chunk_id}  {candidate.score:.4f}  {ranks}"
    if len(artefact.candidates) > _CANDIDATES_SHOWN:
        yield f"     and {len(artefact.candidates) - _CANDIDATES_SHOWN} more (--json shows all)"
    yield from (f"not live: {one.point_id} ({one.state.value})" for one in artefact.dead)
