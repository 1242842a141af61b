"""An embedder that needs no model and the contract that every embedder must keep.

A back end proves itself by a subclass of `EmbedderContract` that overrides `make_embedder`.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from fundstelle.domain.errors import ServiceError
from fundstelle.ports.embedding import Embedder, ModelIdentity, Vectors

_PIECE = 4


class FakeEmbedder:
    """Draw vectors from the SHA-256 of the words: deterministic, and texts that share words are near.

    Args:
        dimension: Of the vectors.
        max_pieces: A piece is four characters, counted per word.
        name: Another name is another model, with other vectors.
    """

    def __init__(self, dimension: int = 32, max_pieces: int = 512, name: str = "fake") -> None:
        self._identity = ModelIdentity(
            provider="testing",
            name=name,
            digest="",
            dimension=dimension,
            normalised=True,
            query_prefix="",
            passage_prefix="",
            max_pieces=max_pieces,
        )
        self.embedded_texts = 0
        """Passages embedded so far, for tests that count calls."""

    @property
    def identity(self) -> ModelIdentity:
        """Name the model."""
        return self._identity

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts of documents."""
        vectors = [self._embed(text) for text in texts]
        self.embedded_texts += len(vectors)
        return np.array(vectors, dtype=np.float32).reshape(len(vectors), self._identity.dimension)

    def embed_query(self, text: str) -> Vectors:
        """Embed one question."""
        return self._embed(text)

    def count_pieces(self, text: str) -> int:
        """Count pieces of four characters, and two for the ends."""
        return 2 + sum(-(-len(word) // _PIECE) for word in text.split())

    def _embed(self, text: str) -> Vectors:
        if not text.strip() or self.count_pieces(text) > self._identity.max_pieces:
            raise ServiceError("A text is empty or too long for the fake model.")
        summed = np.sum([self._word_vector(word) for word in text.lower().split()], axis=0)
        return np.asarray(summed / np.linalg.norm(summed), dtype=np.float32)

    def _word_vector(self, word: str) -> Vectors:
        digest = hashlib.sha256(f"{self._identity.name}\x1f{word}".encode("utf-8", "surrogatepass")).digest()
        seeded = np.random.default_rng(int.from_bytes(digest[:8]))
        return seeded.normal(size=self._identity.dimension).astype(np.float32)


class EmbedderContract:
    """State what every embedder must do; subclasses override `make_embedder`."""

    texts = ("Die Kündigung bedarf der Schriftform.", "Der Mond ist rund.", "Straße und Öl", "x")

    def make_embedder(self) -> Embedder:
        """Make the embedder."""
        raise NotImplementedError

    @pytest.fixture
    def embedder(self) -> Embedder:
        """Give the embedder."""
        return self.make_embedder()

    def test_identity_when_asked_twice_then_the_same(self, embedder: Embedder) -> None:
        """The identity is stable and complete."""
        identity = embedder.identity
        assert identity == self.make_embedder().identity
        assert identity.dimension > 0
        assert identity.max_pieces > 0
        assert identity.name
        assert identity.model_id.startswith("mod_")

    def test_embed_passages_when_given_texts_then_normalised_rows(self, embedder: Embedder) -> None:
        """Rows are float32, of the model's dimension and of length one."""
        vectors = embedder.embed_passages(self.texts)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(self.texts), embedder.identity.dimension)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(self.texts)), abs=1e-4)

    def test_embed_passages_when_given_nothing_then_empty(self, embedder: Embedder) -> None:
        """No texts give no rows, of the right width."""
        assert embedder.embed_passages([]).shape == (0, embedder.identity.dimension)

    def test_embed_passages_when_order_changes_then_rows_follow(self, embedder: Embedder) -> None:
        """A vector depends on its own text only, not on its neighbours or its place."""
        forward = embedder.embed_passages(self.texts)
        backward = embedder.embed_passages(self.texts[::-1])
        single = np.vstack([embedder.embed_passages([text]) for text in self.texts])
        assert forward == pytest.approx(backward[::-1], abs=1e-5)
        assert forward == pytest.approx(single, abs=1e-5)

    def test_embed_query_when_given_a_question_then_one_normalised_vector(self, embedder: Embedder) -> None:
        """A question gives one vector of length one."""
        vector = embedder.embed_query("Welche Form braucht die Kündigung?")
        assert vector.dtype == np.float32
        assert vector.shape == (embedder.identity.dimension,)
        assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-4)

    def test_embed_query_when_passages_differ_then_the_fitting_one_is_nearest(
        self, embedder: Embedder
    ) -> None:
        """The vectors are good for what they are made for."""
        vectors = embedder.embed_passages(self.texts)
        scores = vectors @ embedder.embed_query("Kündigung bedarf der Schriftform.")
        assert int(np.argmax(scores)) == 0

    @pytest.mark.parametrize("text", ["", " \n\t "])
    def test_embed_when_text_is_empty_then_service_error(self, embedder: Embedder, text: str) -> None:
        """Nothing has no vector."""
        with pytest.raises(ServiceError):
            embedder.embed_query(text)
        with pytest.raises(ServiceError):
            embedder.embed_passages(["Text", text])

    def test_embed_when_text_is_too_long_then_service_error(self, embedder: Embedder) -> None:
        """Nothing is cut off or averaged: a text over the limit is refused."""
        long = "Haus " * (2 * embedder.identity.max_pieces)
        assert embedder.count_pieces(long) > embedder.identity.max_pieces
        with pytest.raises(ServiceError):
            embedder.embed_passages([long])
        with pytest.raises(ServiceError):
            embedder.embed_query(long)

    def test_embed_when_text_has_odd_characters_then_all_of_it_counts(self, embedder: Embedder) -> None:
        """NUL characters and lone surrogates neither end a text nor break the call."""
        plain, odd = "Anfang", "Anfang \x00 Kündigung \ud800 Ende"
        vectors = embedder.embed_passages([plain, odd])
        assert float(vectors[0] @ vectors[1]) < 0.999
        assert embedder.count_pieces(odd) > embedder.count_pieces(plain)

    def test_count_pieces_when_text_grows_then_count_grows(self, embedder: Embedder) -> None:
        """Longer texts have more pieces."""
        counts = [embedder.count_pieces("Wort " * n) for n in (1, 10, 100)]
        assert counts == sorted(set(counts))
