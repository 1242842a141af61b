"""Trace: the nine phases of a stored query, with artefacts, criteria and durations, for any face."""

from dataclasses import dataclass
from typing import TypeAlias

from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.errors import NotFoundError
from fundstelle.domain.identity import QueryId
from fundstelle.domain.query_phases import (
    AcceptedQuery,
    Context,
    Generation,
    Integrity,
    Phase,
    Preselection,
    Prompt,
    QueryTrail,
    QuestionEmbedding,
    Reload,
    Selection,
)
from fundstelle.domain.query_record import CriterionResult, PhaseRecord, QueryRecord
from fundstelle.ports.querying import QueryLog

Artefact: TypeAlias = (
    AcceptedQuery
    | QuestionEmbedding
    | Preselection
    | Reload
    | Selection
    | Context
    | Prompt
    | Generation
    | AnswerRecord
)

NAMES = {
    Phase.REQUEST: ("request", "Anfrage-Eingang"),
    Phase.EMBEDDING: ("embedding", "Anfrage-Einbettung"),
    Phase.PRESELECTION: ("preselection", "Vorselektion"),
    Phase.RELOAD: ("reload", "Kanonisches Nachladen"),
    Phase.SELECTION: ("selection", "Selektion"),
    Phase.CONTEXT: ("context", "Formalisierung"),
    Phase.PROMPT: ("prompt", "Prompt-Komposition"),
    Phase.GENERATION: ("generation", "Generierung"),
    Phase.OUTPUT: ("output", "Ausgabe"),
}
"""The names of the phases in English and German."""


@dataclass(frozen=True, slots=True)
class PhaseTrace:
    """Show one phase.

    Args:
        begun: False for the phases behind the one in which a query failed.
        artefact: What the phase left; None when it left nothing or it cannot be read.
    """

    phase: Phase
    name: str
    name_de: str
    begun: bool
    duration_ms: float
    criteria: tuple[CriterionResult, ...]
    artefact: Artefact | None
    integrity: Integrity | None


@dataclass(frozen=True, slots=True)
class Trace:
    """Show a stored query: its record and all nine phases in order."""

    record: QueryRecord
    phases: tuple[PhaseTrace, ...]


def trace(query_id: QueryId, *, log: QueryLog) -> Trace:
    """Read a stored query, finished or failed, as its nine phases.

    Raises:
        NotFoundError: Nothing is stored under this id.
    """
    record = load_query(query_id, log=log)
    begun = {one.phase: one for one in record.phases}
    artefacts = artefacts_of(record.trail)
    return Trace(record, tuple(_phase(phase, begun.get(phase), artefacts[phase]) for phase in Phase))


def load_query(query_id: QueryId, *, log: QueryLog) -> QueryRecord:
    """Read a stored query.

    Raises:
        NotFoundError: Nothing is stored under this id.
    """
    record = log.load(query_id)
    if record is None:
        raise NotFoundError(f"There is no query '{query_id}'.", "Look the id up in the answer or the list.")
    return record


def artefacts_of(trail: QueryTrail) -> dict[Phase, Artefact | None]:
    """List what each phase left behind."""
    return {
        Phase.REQUEST: trail.accepted,
        Phase.EMBEDDING: trail.embedding,
        Phase.PRESELECTION: trail.preselection,
        Phase.RELOAD: trail.reload,
        Phase.SELECTION: trail.selection,
        Phase.CONTEXT: trail.context,
        Phase.PROMPT: trail.prompt,
        Phase.GENERATION: trail.generation,
        Phase.OUTPUT: trail.output,
    }


def _phase(phase: Phase, record: PhaseRecord | None, artefact: Artefact | None) -> PhaseTrace:
    english, german = NAMES[phase]
    return PhaseTrace(
        phase=phase,
        name=english,
        name_de=german,
        begun=record is not None,
        duration_ms=record.duration_ms if record else 0.0,
        criteria=record.criteria if record else (),
        artefact=artefact,
        integrity=record.integrity if record else None,
    )
