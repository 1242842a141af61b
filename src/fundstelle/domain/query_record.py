"""The stored record of a query: what the query log writes and reads."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from fundstelle.domain.criteria import Problem
from fundstelle.domain.identity import QueryId
from fundstelle.domain.query_phases import Integrity, Phase, QueryTrail
from fundstelle.domain.retrieval import AnswerVerdict


class QueryState(StrEnum):
    """Say how a query ended."""

    ANSWERED = "answered"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """Record that a criterion was checked, and what did not hold."""

    criterion: str
    problems: tuple[Problem, ...] = ()

    @property
    def holds(self) -> bool:
        """Say whether nothing was found against it."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """Record one phase of one run: how long it took and which criteria were checked.

    Args:
        integrity: Given by the log when it reads; None in a record that has not been stored yet.
    """

    phase: Phase
    duration_ms: float
    criteria: tuple[CriterionResult, ...] = ()
    integrity: Integrity | None = None


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """Hold a whole query as it is stored, finished or failed.

    Args:
        phases: Those that were begun, in order; the last one is `failed_phase` where a query failed.
        failure: Code and message of the error.
    """

    query_id: QueryId
    created_at: datetime
    raw_text: str
    state: QueryState
    verdict: AnswerVerdict | None
    reason: str
    failed_phase: Phase | None
    failure: str
    trail: QueryTrail
    phases: tuple[PhaseRecord, ...]
