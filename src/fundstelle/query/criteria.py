"""The supervision criteria of phases A0 to A8: checked while a query runs, and again in `verify`.

Each is a pure function of the query's trail and returns what does not hold. The names are stable and
listed in docs/phases.md.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from fundstelle.domain.criteria import Problem
from fundstelle.domain.identity import content_hash, text_hash
from fundstelle.domain.query_phases import Context, Phase, QueryTrail, WindowState, done
from fundstelle.domain.query_record import CriterionResult
from fundstelle.domain.retrieval import AnswerVerdict, RetrievalMode
from fundstelle.ports.querying import ChunkKey
from fundstelle.query.a5_context import parse_block
from fundstelle.query.a6_prompt import compose_prompt

_UNIT_LENGTH = 1e-3
_FEWEST_EVALUATED = 0.7
_MOST_EVALUATED = 2.0

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


def _fully_parametrised(trail: QueryTrail) -> list[str]:
    accepted = done(trail.accepted)
    query = accepted.query
    needed: Mapping[str, object] = {
        "query_id": query.query_id,
        "raw_text": query.raw_text.strip(),
        "collections": query.collections,
        "top_k": query.top_k,
        "prefetch": query.prefetch,
        "context_tokens": query.context_tokens,
        "answer_tokens": query.answer_tokens,
        "generator": query.generator,
        "template": query.template,
        "tokenizer": accepted.tokenizer,
        "model_id": query.model_id or query.mode is RetrievalMode.LEXICAL,
    }
    missing = [f"{name} is not set" for name, value in needed.items() if not value]
    if query.collections != tuple(one.collection_id for one in accepted.searched):
        missing.append("the collections of the query are not those that are searched")
    return missing


def _one_query_vector(trail: QueryTrail) -> list[str]:
    embedding, mode = done(trail.embedding), done(trail.accepted).query.mode
    if mode is RetrievalMode.LEXICAL:
        return [] if embedding.vector is None else ["there is a vector in lexical mode"]
    if embedding.vector is None:
        return ["there is no query vector"]
    vector = np.frombuffer(embedding.vector, dtype="<f4")
    problems = []
    if vector.shape != (embedding.dimension,):
        problems.append(
            f"the vector has {vector.size} numbers, the model has {embedding.dimension} dimensions"
        )
    if not abs(float(np.linalg.norm(vector)) - 1.0) <= _UNIT_LENGTH:
        problems.append("the vector is not of length 1")
    if content_hash(embedding.vector) != embedding.vector_hash:
        problems.append("the vector does not have its stored hash")
    return problems


def _same_model(trail: QueryTrail) -> list[str]:
    accepted, embedding = done(trail.accepted), done(trail.embedding)
    if accepted.query.mode is RetrievalMode.LEXICAL:
        return []
    problems = [
        f"collection '{one.name}' has model {one.model_id}, the question {embedding.model_id}"
        for one in accepted.searched
        if one.index_name is not None and one.model_id != embedding.model_id
    ]
    if embedding.model_id != accepted.query.model_id:
        problems.append(f"the query object asks for {accepted.query.model_id}, not {embedding.model_id}")
    return problems


def _live_rows_only(trail: QueryTrail) -> list[str]:
    preselection = done(trail.preselection)
    live = {
        (window.version_id, window.chunk_id)
        for window in preselection.windows
        if window.state is WindowState.LIVE
    }
    return [
        f"candidate {one.chunk_id} has no live row"
        for one in preselection.candidates
        if (one.version_id, one.chunk_id) not in live
    ]


def _every_hit_recorded(trail: QueryTrail) -> list[str]:
    preselection = done(trail.preselection)
    located = {window.point_id for window in preselection.windows}
    hits = {hit.point_id for leg in preselection.legs for hit in leg.hits}
    return [f"point {point} was found and not looked up" for point in sorted(hits - located)]


def _ranked_by_score(trail: QueryTrail) -> list[str]:
    candidates = done(trail.preselection).candidates
    problems = [
        f"rank {b.rank} scores above rank {a.rank}" for a, b in pairwise(candidates) if b.score > a.score
    ]
    if [one.rank for one in candidates] != list(range(1, len(candidates) + 1)):
        problems.append("the ranks are not 1, 2, 3, …")
    return problems


def _every_candidate_loaded(trail: QueryTrail) -> list[str]:
    wanted = [ChunkKey(one.version_id, one.chunk_id) for one in done(trail.preselection).candidates]
    loaded = [ChunkKey(one.version_id, one.chunk_id) for one in done(trail.reload).records]
    if wanted == loaded:
        return []
    missing = [f"{key.chunk_id} is not in SQL" for key in wanted if key not in loaded]
    return missing or ["the records are not the candidates in their order"]


def _text_has_its_hash(trail: QueryTrail) -> list[str]:
    return [
        f"the text of {record.chunk_id} does not have the hash {record.text_hash}"
        for record in done(trail.reload).records
        if text_hash(record.content) != record.text_hash
    ]


def _every_candidate_decided(trail: QueryTrail) -> list[str]:
    selection = done(trail.selection)
    chosen = [(one.record.version_id, one.record.chunk_id) for one in selection.selected]
    decided = Counter(chosen + [(one.version_id, one.chunk_id) for one in selection.omitted])
    candidates = Counter((one.version_id, one.chunk_id) for one in done(trail.preselection).candidates)
    problems = [
        f"{chunk} is neither chosen nor left out, or both"
        for _, chunk in (decided - candidates) + (candidates - decided)
    ]
    return problems + [
        f"{one.chunk_id} is left out without a reason" for one in selection.omitted if not one.reason
    ]


def _ordered_by_score(trail: QueryTrail) -> list[str]:
    selected = done(trail.selection).selected
    problems = [
        f"source {b.number} scores above {a.number}" for a, b in pairwise(selected) if b.score > a.score
    ]
    if [one.number for one in selected] != list(range(1, len(selected) + 1)):
        problems.append("the numbers are not 1, 2, 3, …")
    return problems


def _one_source_per_passage(trail: QueryTrail) -> list[str]:
    context, selected = done(trail.context), done(trail.selection).selected
    parsed = [(one.number, one.text) for one in parse_block(context.block)]
    problems = []
    if parsed != [(one.number, one.record.content) for one in selected]:
        problems.append("read back, the block does not give the chosen chunks in their order")
    if [one.number for one in context.sources] != [one.number for one in selected]:
        problems.append("the source list is not that of the chosen chunks")
    return problems + _wrong_spans(context)


def _wrong_spans(context: Context) -> list[str]:
    places = zip(context.sources, context.spans, strict=True)
    return [
        f"source {source.number} does not stand at its place"
        for source, (start, end) in places
        if context.block[start:end] != source.text
    ]


def _within_token_limit(trail: QueryTrail) -> list[str]:
    count, limit = done(trail.context).token_count, done(trail.accepted).query.context_tokens
    return [f"the context has {count} tokens, allowed are {limit}"] if count > limit else []


def _rebuilt_byte_for_byte(trail: QueryTrail) -> list[str]:
    query, context, prompt = done(trail.accepted).query, done(trail.context), done(trail.prompt)
    rebuilt = compose_prompt(query.raw_text, context.block, template=prompt.template)
    parts = (("system prompt", rebuilt.system, prompt.system), ("prompt", rebuilt.user, prompt.user))
    problems = [f"the {name} composed again is another" for name, again, stored in parts if again != stored]
    if prompt.template != query.template:
        problems.append(f"the query object asks for template {query.template}, not {prompt.template}")
    return problems


def _tokens_match(trail: QueryTrail) -> list[str]:
    generation = done(trail.generation)
    sent, evaluated = generation.tokens_sent, generation.tokens_evaluated
    if not sent or evaluated is None or _FEWEST_EVALUATED * sent <= evaluated <= _MOST_EVALUATED * sent:
        return []
    return [f"{sent} tokens were sent, the model evaluated {evaluated}: it saw another prompt than was sent"]


def _only_given_context(trail: QueryTrail) -> list[str]:
    generation, query = done(trail.generation), done(trail.accepted).query
    problems = []
    if generation.called != bool(done(trail.context).sources):
        problems.append("a model is called exactly when there are sources")
    if generation.generator != query.generator:
        problems.append(f"the query object names {query.generator}, {generation.generator} answered")
    return problems


def _leads_to_sources(trail: QueryTrail) -> list[str]:
    output = done(trail.output)
    chosen = {one.number: one.record for one in done(trail.selection).selected}
    problems = []
    for source in output.sources:
        record = chosen.get(source.number)
        if record is None or (record.version_id, record.chunk_id) != (source.version_id, source.chunk_id):
            problems.append(f"source {source.number} is not the chunk of that number")
        if not 1 <= source.page_first <= source.page_last:
            problems.append(f"source {source.number} has no page")
    numbers = {source.number for source in output.sources}
    for sentence in output.sentences:
        problems += [
            f"a sentence rests on source {n}, which is none" for n in sentence.sources if n not in numbers
        ]
    return problems


def _raw_answer_unchanged(trail: QueryTrail) -> list[str]:
    raw, shown = done(trail.generation).text, done(trail.output).answer
    return ["the answer shown is not the raw answer"] if raw.strip() and raw != shown else []


def _refusal_is_plain(trail: QueryTrail) -> list[str]:
    output = done(trail.output)
    if output.verdict is not AnswerVerdict.NO_PASSAGE:
        return [] if output.sources else ["an answer is handed out without sources"]
    problems = [] if output.reason else ["no passage was found, and no reason is given"]
    return problems + (["no passage was found, and sources are named"] if output.sources else [])


CRITERIA: Mapping[Phase, Sequence[Criterion]] = {
    Phase.REQUEST: (Criterion("A0.fully_parametrised", _fully_parametrised),),
    Phase.EMBEDDING: (
        Criterion("A1.one_query_vector", _one_query_vector),
        Criterion("A1.same_model", _same_model),
    ),
    Phase.PRESELECTION: (
        Criterion("A2.live_rows_only", _live_rows_only),
        Criterion("A2.every_hit_recorded", _every_hit_recorded),
        Criterion("A2.ranked_by_score", _ranked_by_score),
    ),
    Phase.RELOAD: (
        Criterion("A3.every_candidate_loaded", _every_candidate_loaded),
        Criterion("A3.text_has_its_hash", _text_has_its_hash),
    ),
    Phase.SELECTION: (
        Criterion("A4.every_candidate_decided", _every_candidate_decided),
        Criterion("A4.ordered_by_score", _ordered_by_score),
    ),
    Phase.CONTEXT: (
        Criterion("A5.one_source_per_passage", _one_source_per_passage),
        Criterion("A5.within_token_limit", _within_token_limit),
    ),
    Phase.PROMPT: (Criterion("A6.rebuilt_byte_for_byte", _rebuilt_byte_for_byte),),
    Phase.GENERATION: (
        Criterion("A7.tokens_match", _tokens_match),
        Criterion("A7.only_given_context", _only_given_context),
    ),
    Phase.OUTPUT: (
        Criterion("A8.leads_to_sources", _leads_to_sources),
        Criterion("A8.raw_answer_unchanged", _raw_answer_unchanged),
        Criterion("A8.refusal_is_plain", _refusal_is_plain),
    ),
}
"""Every criterion of every phase."""
