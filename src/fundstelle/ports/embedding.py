"""The port through which text becomes vectors (phases I4 and A1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from fundstelle.domain.identity import ModelId, text_hash

Vectors: TypeAlias = npt.NDArray[np.float32]
"""Shape: (n, d) float32, each row L2-normalised; a single vector is (d,)."""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Name an embedding model so exactly that its vectors can be told from all others.

    Args:
        digest: What the provider gives to tell two builds apart; empty where it gives nothing.
        dimension: As the model answered, never a constant.
        max_pieces: Word pieces that the model sees at once, special tokens and prefix included.
    """

    provider: str
    name: str
    digest: str
    dimension: int
    normalised: bool
    query_prefix: str
    passage_prefix: str
    max_pieces: int

    @property
    def model_id(self) -> ModelId:
        """Derive the id: the same for the same model on every machine."""
        parts = (self.provider, self.name, self.digest, str(self.dimension), str(self.normalised))
        signature = "\x1f".join((*parts, self.query_prefix, self.passage_prefix))
        return ModelId(f"mod_{text_hash(signature)[:24]}")


class Embedder(Protocol):
    """Turn text into vectors with one model.

    Nothing is cut off: a text of more than `identity.max_pieces` pieces is refused. Deterministic up
    to the last bits of float32. Thread-safe.
    """

    @property
    def identity(self) -> ModelIdentity:
        """Name the model."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts of documents (the model's passage prefix is added here).

        Returns:
            Shape: (len(texts), d) float32, rows L2-normalised, in the order of `texts`.

        Raises:
            ServiceError: The model does not answer, or a text is empty or over the limit.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Embed one question (the model's query prefix is added here).

        Returns:
            Shape: (d,) float32, L2-normalised.
        """
        ...

    def count_pieces(self, text: str) -> int:
        """Count the word pieces of a passage as the model sees it, prefix and special tokens included."""
        ...
