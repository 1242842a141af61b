"""The queue embeds every text once, in full batches across documents, and loses none."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fundstelle.domain.errors import ServiceError
from fundstelle.domain.identity import TextHash, VersionId, text_hash
from fundstelle.ingest.i4_embedding import EmbeddingQueue, get_embedding
from fundstelle.ingest.i4_windows import PendingText
from fundstelle.ingest.tools import IndexTools
from fundstelle.ports.embedding import Vectors
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.vectors import InMemoryIndex
from fundstelle.testing.words import encode_document
from import_kit import Kit


class CountingEmbedder(FakeEmbedder):
    """Remember the batches; fail from a given batch on."""

    def __init__(self, fail_at: int | None = None) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()
        self._fail_at = fail_at

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed, or fail."""
        if self._fail_at is not None and len(self.batches) >= self._fail_at:
            raise ServiceError("Der Dienst antwortet nicht.", "Bitte starten.")
        self.batches.append(list(texts))
        self.threads.add(threading.get_ident())
        return super().embed_passages(texts)


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[Kit]:
    """Give a data folder."""
    kit = Kit(tmp_path)
    yield kit
    kit.database.close()


def _queue(kit: Kit, embedder: FakeEmbedder, batch_size: int = 4) -> EmbeddingQueue:
    with kit.database.write() as unit:
        unit.embeddings.register(embedder.identity)
        unit.commit()
    return EmbeddingQueue(kit.database, IndexTools(embedder, InMemoryIndex(), encode_document), batch_size)


def _texts(*words: str) -> list[PendingText]:
    return [PendingText(text_hash(word), word, len(word)) for word in words]


def _drain(queue: EmbeddingQueue) -> list[VersionId]:
    ready = []
    while queue.is_busy:
        ready += queue.advance(wait=True, last=True)
    return ready + queue.advance(wait=False)


def _known(kit: Kit, embedder: FakeEmbedder, words: Sequence[str]) -> frozenset[TextHash]:
    with kit.database.read() as unit:
        return unit.embeddings.known(embedder.identity.model_id, [text_hash(word) for word in words])


def test_get_embedding_when_text_is_clean_or_not_then_the_same_vector() -> None:
    """White space and leaders of dots do not change a vector; a text without a letter has none."""
    embedder = FakeEmbedder()
    vector = get_embedding("Inhalt  ......... \n 7", embedder=embedder)
    assert vector is not None
    assert vector == pytest.approx(get_embedding("Inhalt … 7", embedder=embedder))
    assert get_embedding(" . . . . . ", embedder=embedder) is None


def test_queue_when_documents_are_small_then_batches_are_full_across_them(kit: Kit) -> None:
    """Ten documents of three texts with batches of four give seven full batches and one of two."""
    embedder = CountingEmbedder()
    words = [[f"Wort{document}x{text}" for text in range(3)] for document in range(10)]
    ready = []
    with _queue(kit, embedder) as queue:
        for number, of_document in enumerate(words):
            queue.add(VersionId(f"ver_{number}"), _texts(*of_document))
            ready += queue.advance(wait=False)
        ready += _drain(queue)
        assert (queue.done, queue.total) == (30, 30)
    assert sorted(map(len, embedder.batches), reverse=True) == [4] * 7 + [2]
    assert sorted(ready) == sorted(VersionId(f"ver_{number}") for number in range(10))
    every = [word for of_document in words for word in of_document]
    assert len(_known(kit, embedder, every)) == 30
    assert threading.get_ident() not in embedder.threads


def test_queue_when_documents_share_texts_then_each_text_is_embedded_once(kit: Kit) -> None:
    """A text that two documents wait for is embedded once and makes both ready."""
    embedder = CountingEmbedder()
    with _queue(kit, embedder) as queue:
        queue.add(VersionId("ver_1"), _texts("eins", "zwei"))
        queue.add(VersionId("ver_2"), _texts("zwei", "drei"))
        assert sorted(_drain(queue)) == ["ver_1", "ver_2"]
    assert sorted(text for batch in embedder.batches for text in batch) == ["drei", "eins", "zwei"]


def test_queue_when_a_version_needs_nothing_then_ready_at_once(kit: Kit) -> None:
    """A version whose texts all have vectors does not wait for others."""
    with _queue(kit, CountingEmbedder()) as queue:
        queue.add(VersionId("ver_1"), [])
        assert queue.advance(wait=False) == ["ver_1"]
        assert queue.advance(wait=False) == []


def test_queue_when_lengths_differ_then_like_lengths_share_a_batch(kit: Kit) -> None:
    """Within what waits, texts are sorted by length, so that little is padded."""
    embedder = CountingEmbedder()
    with _queue(kit, embedder) as queue:
        queue.add(VersionId("ver_1"), _texts(*(("x" if n % 2 else "lang" * 9) + str(n) for n in range(8))))
        _drain(queue)
    assert [len({len(text) > 9 for text in batch}) for batch in embedder.batches] == [1, 1]


def test_queue_when_the_service_fails_then_what_was_embedded_is_kept(kit: Kit) -> None:
    """After a failure nothing more is asked, and nothing that was done is lost."""
    embedder = CountingEmbedder(fail_at=2)
    words = [f"Wort{number}" for number in range(20)]
    with _queue(kit, embedder) as queue:
        queue.add(VersionId("ver_1"), _texts(*words))
        assert _drain(queue) == []
        assert queue.failure is not None
        assert not queue.is_busy
    assert len(embedder.batches) == 2
    assert len(_known(kit, embedder, words)) == 8


class HeldEmbedder(CountingEmbedder):
    """Begin the first batch and hold it until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let_go = threading.Event(), threading.Event()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed when let go."""
        self.begun.set()
        self.let_go.wait(60)
        return super().embed_passages(texts)


def test_queue_when_left_early_then_the_model_stops_soon(kit: Kit) -> None:
    """Leaving drops what was not begun; no thread stays."""
    embedder = HeldEmbedder()
    with _queue(kit, embedder, batch_size=1) as queue:
        queue.add(VersionId("ver_1"), _texts(*(f"Wort{number}" for number in range(50))))
        queue.advance(wait=False)
        assert embedder.begun.wait(60)
        embedder.let_go.set()
    assert 1 <= len(embedder.batches) <= 4
    assert not [t for t in threading.enumerate() if t.name.startswith("embedder")]
