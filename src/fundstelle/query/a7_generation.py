"""Phase A7, generation (Generierung): the chosen model words the answer; its raw text is kept unchanged.

A context without sources is not put to any model: there is nothing that it could word.
"""

from collections.abc import Callable

from fundstelle.domain.query_phases import AcceptedQuery, Context, Generation, Prompt
from fundstelle.ports.generating import GeneratedAnswer, GenerationRequest, Generator


def generate_answer(
    accepted: AcceptedQuery,
    context: Context,
    prompt: Prompt,
    *,
    generator: Generator,
    on_text: Callable[[str], None],
) -> Generation:
    """Call the generator with the stored prompt, and keep what it says of itself.

    Raises:
        ServiceError: The model does not answer.
    """
    if not context.sources:
        return _not_called(accepted.query.generator)
    query = accepted.query
    answer = generator.generate(
        GenerationRequest(
            system=prompt.system,
            user=prompt.user,
            question=query.raw_text,
            sources=context.sources,
            max_tokens=query.answer_tokens,
            temperature=query.temperature,
            seed=query.seed,
        ),
        on_text,
    )
    return _called(generator.name, answer)


def _called(name: str, answer: GeneratedAnswer) -> Generation:
    return Generation(
        called=True,
        generator=name,
        text=answer.text,
        model=answer.model,
        digest=answer.digest,
        refused=answer.refused,
        reason=answer.reason,
        tokens_sent=answer.tokens_sent,
        tokens_evaluated=answer.tokens_evaluated,
        tokens_generated=answer.tokens_generated,
        details=dict(answer.details),
    )


def _not_called(name: str) -> Generation:
    return Generation(
        called=False,
        generator=name,
        text="",
        model="",
        digest="",
        refused=True,
        reason="",
        tokens_sent=None,
        tokens_evaluated=None,
        tokens_generated=None,
        details={},
    )
