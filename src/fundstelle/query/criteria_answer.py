"""The criteria of phases A5 to A8: from the context to the answer.

Each is a pure function of the trail and says, in sentences for people, what does not hold.
"""

from fundstelle.domain.query_phases import Context, QueryTrail, done
from fundstelle.domain.retrieval import AnswerVerdict
from fundstelle.query.a5_context import parse_block
from fundstelle.query.a6_prompt import compose_prompt

_FEWEST_EVALUATED = 0.7
_MOST_EVALUATED = 2.0


def one_source_per_passage(trail: QueryTrail) -> list[str]:
    """Find passages that do not belong to exactly one source when the block is read back."""
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


def within_token_limit(trail: QueryTrail) -> list[str]:
    """Find a context over its limit."""
    count, limit = done(trail.context).token_count, done(trail.accepted).query.context_tokens
    return [f"the context has {count} tokens, allowed are {limit}"] if count > limit else []


def rebuilt_byte_for_byte(trail: QueryTrail) -> list[str]:
    """Find a prompt that is another when it is composed again."""
    query, context, prompt = done(trail.accepted).query, done(trail.context), done(trail.prompt)
    rebuilt = compose_prompt(query.raw_text, context.block, template=prompt.template)
    parts = (("system prompt", rebuilt.system, prompt.system), ("prompt", rebuilt.user, prompt.user))
    problems = [f"the {name} composed again is another" for name, again, stored in parts if again != stored]
    if prompt.template != query.template:
        problems.append(f"the query object asks for template {query.template}, not {prompt.template}")
    return problems


def tokens_match(trail: QueryTrail) -> list[str]:
    """Find a model that saw another prompt than was sent."""
    generation = done(trail.generation)
    sent, evaluated = generation.tokens_sent, generation.tokens_evaluated
    if not sent or evaluated is None or _FEWEST_EVALUATED * sent <= evaluated <= _MOST_EVALUATED * sent:
        return []
    return [f"{sent} tokens were sent, the model evaluated {evaluated}: it saw another prompt than was sent"]


def only_given_context(trail: QueryTrail) -> list[str]:
    """Find an answer that did not come from the given context and generator."""
    generation, query = done(trail.generation), done(trail.accepted).query
    problems = []
    if generation.called != bool(done(trail.context).sources):
        problems.append("a model is called exactly when there are sources")
    if generation.generator != query.generator:
        problems.append(f"the query object names {query.generator}, {generation.generator} answered")
    return problems


def leads_to_sources(trail: QueryTrail) -> list[str]:
    """Find sources and sentences that lead nowhere."""
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


def raw_answer_unchanged(trail: QueryTrail) -> list[str]:
    """Find an answer that was changed for showing."""
    raw, shown = done(trail.generation).text, done(trail.output).answer
    return ["the answer shown is not the raw answer"] if raw.strip() and raw != shown else []


def refusal_is_plain(trail: QueryTrail) -> list[str]:
    """Find a refusal with sources or without a reason, and an answer without sources."""
    output = done(trail.output)
    if output.verdict is not AnswerVerdict.NO_PASSAGE:
        return [] if output.sources else ["an answer is handed out without sources"]
    problems = [] if output.reason else ["no passage was found, and no reason is given"]
    return problems + (["no passage was found, and sources are named"] if output.sources else [])
