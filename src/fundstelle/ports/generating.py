"""The port to whatever words the answer (phase A7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fundstelle.domain.retrieval import ContextSource


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """Hand the complete prompt to a generator.

    Args:
        system: The system prompt.
        user: The user prompt: question and context, as composed and stored by phase A6.
        question: The question alone, for generators that need no prompt.
        sources: The passages of the context in order, for generators that quote.
        max_tokens: The longest answer allowed, in tokens.
    """

    system: str
    user: str
    question: str
    sources: Sequence[ContextSource]
    max_tokens: int
    temperature: float
    seed: int | None


@dataclass(frozen=True, slots=True)
class GeneratedAnswer:
    """Hold the raw answer, unchanged, and what the generator says of itself.

    Args:
        refused: True when the generator itself found no passage that answers.
        tokens_sent: Tokens of the prompt by our count; None where no model was called.
        tokens_evaluated: Tokens that the model says it evaluated; None where no model was called.
    """

    text: str
    model: str
    digest: str
    refused: bool = False
    reason: str = ""
    tokens_sent: int | None = None
    tokens_evaluated: int | None = None
    tokens_generated: int | None = None
    details: Mapping[str, str] = field(default_factory=dict)


class Generator(Protocol):
    """Word an answer from the given context and nothing else."""

    @property
    def name(self) -> str:
        """Name the generator as it is stored with each answer, such as `extractive`."""
        ...

    def generate(self, request: GenerationRequest, on_text: Callable[[str], None]) -> GeneratedAnswer:
        """Word the answer, calling `on_text` with each piece as it comes.

        Raises:
            ServiceError: The model does not answer.
        """
        ...
