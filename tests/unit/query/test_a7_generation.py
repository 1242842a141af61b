"""Phase A7 hands over exactly the stored prompt and keeps the raw answer unchanged."""

from collections.abc import Callable

from fundstelle.ports.generating import GeneratedAnswer, GenerationRequest
from fundstelle.query.a5_context import build_context
from fundstelle.query.a6_prompt import build_chat_prompt
from fundstelle.query.a7_generation import generate_answer
from fundstelle.testing.querying import make_accepted, make_record, make_selected


class Recorder:
    """Give a fixed answer in two pieces and keep the request."""

    name = "fake"

    def __init__(self) -> None:
        self.requests: list[GenerationRequest] = []

    def generate(self, request: GenerationRequest, on_text: Callable[[str], None]) -> GeneratedAnswer:
        """Word the answer."""
        self.requests.append(request)
        on_text(" 30")
        on_text(" Tage \n")
        return GeneratedAnswer(
            " 30 Tage \n", "m", "d", tokens_sent=10, tokens_evaluated=11, details={"a": "b"}
        )


def test_generate_answer_when_there_are_sources_then_prompt_and_limits_are_handed_over() -> None:
    """The generator gets the composed prompt, the raw question, the sources and the limits."""
    accepted = make_accepted("Wie viele?")
    context = build_context(make_selected([make_record(1, "30 Tage.")]), count_tokens=len)
    prompt = build_chat_prompt("Wie viele?", context.block)
    generator, heard = Recorder(), list[str]()
    found = generate_answer(accepted, context, prompt, generator=generator, on_text=heard.append)
    request = generator.requests[0]
    assert (request.system, request.user, request.question) == (prompt.system, prompt.user, "Wie viele?")
    assert request.sources == context.sources
    assert (request.max_tokens, request.temperature, request.seed) == (1_000, 0.0, None)
    assert found.text == " 30 Tage \n" == "".join(heard)
    assert (found.called, found.model, found.digest) == (True, "m", "d")
    assert (found.tokens_sent, found.tokens_evaluated, found.details) == (10, 11, {"a": "b"})


def test_generate_answer_when_the_context_is_empty_then_no_model_is_asked() -> None:
    """Without sources there is nothing to word."""
    context, generator = build_context((), count_tokens=len), Recorder()
    prompt = build_chat_prompt("Wie viele?", context.block)
    found = generate_answer(make_accepted(), context, prompt, generator=generator, on_text=lambda _: None)
    assert generator.requests == []
    assert (found.called, found.refused, found.text) == (False, True, "")
