"""The supervision criteria of phases A0 to A8: checked while a query runs, and again in `verify`.

Each is a pure function of the query's trail and returns what does not hold. The names are stable and
listed in docs/phases.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fundstelle.domain.criteria import Problem
from fundstelle.domain.query_phases import Phase, QueryTrail
from fundstelle.domain.query_record import CriterionResult
from fundstelle.query import criteria_answer as answer
from fundstelle.query import criteria_search as search

Check: TypeAlias = Callable[[QueryTrail], list[str]]


@dataclass(frozen=True, slots=True)
class Criterion:
    """Name a condition and the function that says what does not hold of it."""

    name: str
    check: Check


def check_phase(phase: Phase, trail: QueryTrail) -> tuple[CriterionResult, ...]:
    """Check all criteria of a phase; what cannot be checked because a result is missing does not hold."""
    query_id = trail.accepted.query.query_id if trail.accepted else ""
    return tuple(
        CriterionResult(
            criterion.name,
            tuple(Problem(criterion.name, query_id, detail) for detail in _run(criterion.check, trail)),
        )
        for criterion in CRITERIA[phase]
    )


def _run(check: Check, trail: QueryTrail) -> list[str]:
    try:
        return check(trail)
    except (LookupError, ValueError) as error:
        return [f"It cannot be checked: {error}"]


CRITERIA: Mapping[Phase, Sequence[Criterion]] = {
    Phase.REQUEST: (Criterion("A0.fully_parametrised", search.fully_parametrised),),
    Phase.EMBEDDING: (
        Criterion("A1.one_query_vector", search.one_query_vector),
        Criterion("A1.same_model", search.same_model),
    ),
    Phase.PRESELECTION: (
        Criterion("A2.live_rows_only", search.live_rows_only),
        Criterion("A2.every_hit_recorded", search.every_hit_recorded),
        Criterion("A2.ranked_by_score", search.ranked_by_score),
    ),
    Phase.RELOAD: (
        Criterion("A3.every_candidate_loaded", search.every_candidate_loaded),
        Criterion("A3.text_has_its_hash", search.text_has_its_hash),
    ),
    Phase.SELECTION: (
        Criterion("A4.every_candidate_decided", search.every_candidate_decided),
        Criterion("A4.ordered_by_score", search.ordered_by_score),
    ),
    Phase.CONTEXT: (
        Criterion("A5.one_source_per_passage", answer.one_source_per_passage),
        Criterion("A5.within_token_limit", answer.within_token_limit),
    ),
    Phase.PROMPT: (Criterion("A6.rebuilt_byte_for_byte", answer.rebuilt_byte_for_byte),),
    Phase.GENERATION: (
        Criterion("A7.tokens_match", answer.tokens_match),
        Criterion("A7.only_given_context", answer.only_given_context),
    ),
    Phase.OUTPUT: (
        Criterion("A8.leads_to_sources", answer.leads_to_sources),
        Criterion("A8.raw_answer_unchanged", answer.raw_answer_unchanged),
        Criterion("A8.refusal_is_plain", answer.refusal_is_plain),
    ),
}
"""Every criterion of every phase."""
