"""Every criterion holds for a good query and fails for a query that breaks it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from query_runs import make_desk

from fundstelle.domain.identity import ChunkId, ModelId, PointId
from fundstelle.domain.query_phases import LegHit, Phase, QueryTrail, WindowState, done
from fundstelle.domain.retrieval import AnswerVerdict, RetrievalMode
from fundstelle.query.criteria import CRITERIA, check_phase

Break = Callable[[QueryTrail], QueryTrail]
NAMES = [criterion.name for phase in Phase for criterion in CRITERIA[phase]]


def good_trail() -> QueryTrail:
    """Give the trail of a query that was answered."""
    desk = make_desk()
    desk.ask()
    return desk.stored().trail


def failing(trail: QueryTrail) -> set[str]:
    """Name the criteria that do not hold."""
    return {one.criterion for phase in Phase for one in check_phase(phase, trail) if not one.holds}


def query(trail: QueryTrail, **changes: object) -> QueryTrail:
    """Change the query object."""
    accepted = done(trail.accepted)
    return replace(trail, accepted=replace(accepted, query=replace(accepted.query, **changes)))  # type: ignore[arg-type]


def embedding(trail: QueryTrail, **changes: object) -> QueryTrail:
    """Change the result of A1."""
    return replace(trail, embedding=replace(done(trail.embedding), **changes))  # type: ignore[arg-type]


def dead_candidates(trail: QueryTrail) -> QueryTrail:
    """Let the windows have been withdrawn."""
    found = done(trail.preselection)
    windows = tuple(replace(one, state=WindowState.WITHDRAWN) for one in found.windows)
    return replace(trail, preselection=replace(found, windows=windows))


def unrecorded_hit(trail: QueryTrail) -> QueryTrail:
    """Let a leg have found a point that nobody looked up."""
    found = done(trail.preselection)
    leg = replace(found.legs[0], hits=(*found.legs[0].hits, LegHit(PointId("p_lost"), 0.1)))
    return replace(trail, preselection=replace(found, legs=(leg, *found.legs[1:])))


def swapped_candidates(trail: QueryTrail) -> QueryTrail:
    """Turn the order of the candidates round."""
    found = done(trail.preselection)
    return replace(trail, preselection=replace(found, candidates=found.candidates[::-1]))


def missing_record(trail: QueryTrail) -> QueryTrail:
    """Lose a record."""
    return replace(trail, reload=replace(done(trail.reload), records=done(trail.reload).records[:1]))


def changed_record(trail: QueryTrail) -> QueryTrail:
    """Change a text."""
    first, *others = done(trail.reload).records
    records = (replace(first, content=f"{first.content}!"), *others)
    return replace(trail, reload=replace(done(trail.reload), records=records))


def undecided_candidate(trail: QueryTrail) -> QueryTrail:
    """Let a candidate be neither chosen nor left out."""
    selection = done(trail.selection)
    return replace(trail, selection=replace(selection, selected=selection.selected[:1]))


def swapped_choice(trail: QueryTrail) -> QueryTrail:
    """Turn the order of the chosen chunks round."""
    selection = done(trail.selection)
    return replace(trail, selection=replace(selection, selected=selection.selected[::-1]))


def forged_block(trail: QueryTrail) -> QueryTrail:
    """Add a source to the block."""
    context = done(trail.context)
    block = f"{context.block}\n\n---\n\n[Quelle 3: Falsch]\nGelogen."
    return replace(trail, context=replace(context, block=block))


def other_prompt(trail: QueryTrail) -> QueryTrail:
    """Add a blank to the prompt."""
    prompt = done(trail.prompt)
    return replace(trail, prompt=replace(prompt, user=f"{prompt.user} "))


def generation(trail: QueryTrail, **changes: object) -> QueryTrail:
    """Change the result of A7."""
    return replace(trail, generation=replace(done(trail.generation), **changes))  # type: ignore[arg-type]


def output(trail: QueryTrail, **changes: object) -> QueryTrail:
    """Change the result of A8."""
    return replace(trail, output=replace(done(trail.output), **changes))  # type: ignore[arg-type]


def other_source(trail: QueryTrail) -> QueryTrail:
    """Let a source be another chunk than the one of its number."""
    first, *others = done(trail.output).sources
    return output(trail, sources=(replace(first, chunk_id=ChunkId("chk_9")), *others))


BREAKS: list[tuple[str, Break]] = [
    ("A0.fully_parametrised", lambda trail: query(trail, top_k=0)),
    ("A0.fully_parametrised", lambda trail: query(trail, model_id=None)),
    ("A0.fully_parametrised", lambda trail: query(trail, collections=())),
    ("A1.one_query_vector", lambda trail: embedding(trail, vector=None)),
    ("A1.one_query_vector", lambda trail: embedding(trail, vector=bytes(4 * 32))),
    ("A1.one_query_vector", lambda trail: embedding(trail, dimension=31)),
    ("A1.one_query_vector", lambda trail: embedding(trail, vector_hash="0")),
    ("A1.one_query_vector", lambda trail: query(trail, mode=RetrievalMode.LEXICAL)),
    ("A1.same_model", lambda trail: embedding(trail, model_id=ModelId("mod_other"))),
    ("A2.live_rows_only", dead_candidates),
    ("A2.every_hit_recorded", unrecorded_hit),
    ("A2.ranked_by_score", swapped_candidates),
    ("A3.every_candidate_loaded", missing_record),
    ("A3.every_candidate_loaded", swapped_candidates),
    ("A3.text_has_its_hash", changed_record),
    ("A4.every_candidate_decided", undecided_candidate),
    ("A4.ordered_by_score", swapped_choice),
    ("A5.one_source_per_passage", forged_block),
    ("A5.one_source_per_passage", swapped_choice),
    ("A5.within_token_limit", lambda trail: query(trail, context_tokens=3)),
    ("A6.rebuilt_byte_for_byte", other_prompt),
    ("A6.rebuilt_byte_for_byte", forged_block),
    ("A6.rebuilt_byte_for_byte", lambda trail: query(trail, template="studio/1")),
    ("A7.tokens_match", lambda trail: generation(trail, tokens_sent=1_000, tokens_evaluated=400)),
    ("A7.tokens_match", lambda trail: generation(trail, tokens_sent=1_000, tokens_evaluated=4_000)),
    ("A7.only_given_context", lambda trail: generation(trail, called=False)),
    ("A7.only_given_context", lambda trail: generation(trail, generator="other")),
    ("A8.leads_to_sources", other_source),
    ("A8.leads_to_sources", lambda trail: output(trail, sources=done(trail.output).sources[1:])),
    ("A8.raw_answer_unchanged", lambda trail: output(trail, answer="Geschönt.")),
    ("A8.refusal_is_plain", lambda trail: output(trail, sources=())),
    ("A8.refusal_is_plain", lambda trail: output(trail, verdict=AnswerVerdict.NO_PASSAGE)),
]


def test_criteria_when_the_query_is_good_then_all_hold() -> None:
    """A good query breaks none of them."""
    assert failing(good_trail()) == set()


@pytest.mark.parametrize(("criterion", "break_it"), BREAKS)
def test_criterion_when_broken_then_does_not_hold(criterion: str, break_it: Break) -> None:
    """Each criterion finds what it is there to find."""
    assert criterion in failing(break_it(good_trail()))


def test_criteria_when_listed_then_each_has_a_breaking_query_and_is_documented() -> None:
    """No criterion is without proof that it can fail, and none is missing in docs/phases.md."""
    documented = (Path(__file__).parents[3] / "docs" / "phases.md").read_text(encoding="utf-8")
    assert {name for name, _ in BREAKS} == set(NAMES)
    assert [name for name in NAMES if documented.count(f"`{name}`") < 2] == []


@pytest.mark.parametrize("phase", list(Phase))
def test_criteria_when_the_result_is_missing_then_none_of_the_phase_holds(phase: Phase) -> None:
    """What is not there is never taken for right."""
    assert all(not one.holds for one in check_phase(phase, QueryTrail()))
