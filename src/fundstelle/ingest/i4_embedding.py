"""Phase I4, second step: embed texts in full batches across documents, and keep every vector.

The model runs in a thread of its own and always has the next batches waiting, while the importing
thread reads and chunks further documents. Only the importing thread touches the database. A text
that has a vector, from whatever document, run or crash, is never embedded again.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from fundstelle.domain.errors import ServiceError
from fundstelle.domain.identity import TextHash, VersionId
from fundstelle.ingest.i4_windows import PendingText
from fundstelle.ingest.tools import IndexTools
from fundstelle.ingest.windows import clean_for_embedding
from fundstelle.ports.embedding import Embedder, Vectors
from fundstelle.ports.storing import Database

_BATCHES_AHEAD = 4
_BATCHES_SORTED_TOGETHER = 8
_MAX_WAITING_BATCHES = 64


def get_embedding(text: str, *, embedder: Embedder) -> Vectors | None:
    """Embed one passage, cleaned like every window of a chunk.

    Returns:
        Shape: (d,) float32, L2-normalised; None for a text without any letter or digit, which the caller
        records.

    Raises:
        ServiceError: The model does not answer, or the text is longer than it sees at once.
    """
    cleaned = clean_for_embedding(text)
    return embedder.embed_passages([cleaned])[0] if cleaned else None


class EmbeddingQueue:
    """Collect texts of many versions, embed them, and say which versions have all their vectors.

    Use it as a context manager: leaving it drops what was not begun and waits for the batch at work.

    Args:
        batch_size: Texts in one call of the model.
    """

    def __init__(self, database: Database, indexing: IndexTools, batch_size: int) -> None:
        self._database = database
        self._indexing = indexing
        self._batch_size = batch_size
        self._model = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._pool: deque[PendingText] = deque()
        self._sorted: deque[tuple[PendingText, ...]] = deque()
        self._running: deque[tuple[Future[Vectors], tuple[PendingText, ...]]] = deque()
        self._waiting: dict[TextHash, list[VersionId]] = {}
        self._missing: dict[VersionId, int] = {}
        self._ready: list[VersionId] = []
        self.failure: ServiceError | None = None
        """Why the model does not answer; nothing is embedded any more then."""
        self.done = 0
        """Texts embedded so far."""
        self.total = 0
        """Texts that were given to embed so far."""

    def __enter__(self) -> Self:
        """Use the queue."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop what was not begun."""
        self._model.shutdown(wait=True, cancel_futures=True)

    @property
    def is_busy(self) -> bool:
        """Tell whether texts wait for their vectors."""
        return self.failure is None and bool(self._waiting)

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits that no further version should be prepared."""
        return len(self._pool) > _MAX_WAITING_BATCHES * self._batch_size

    def add(self, version_id: VersionId, texts: Sequence[PendingText]) -> None:
        """Queue the texts of a version; a version without any is ready at once."""
        self._missing[version_id] = len(texts)
        if not texts:
            self._ready.append(version_id)
        for text in texts:
            waiting = self._waiting.setdefault(text.text_hash, [])
            waiting.append(version_id)
            if len(waiting) == 1:
                self._pool.append(text)
                self.total += 1

    def advance(self, *, wait: bool, last: bool = False) -> list[VersionId]:
        """Keep the vectors that are done and give the model more.

        Args:
            wait: Wait until the batch at work is done.
            last: No more texts will come soon, so that batches need not be full.

        Returns:
            Versions that have all their vectors now, each once.
        """
        self._submit(last=last or wait)
        while self._running and self.failure is None and (wait or self._running[0][0].done()):
            future, batch = self._running.popleft()
            try:
                vectors = future.result()
            except ServiceError as error:
                self.failure = error
                break
            self._submit(last=last or wait)
            self._keep(batch, vectors)
            wait = False
        ready, self._ready = self._ready, []
        return ready

    def _submit(self, *, last: bool) -> None:
        while self.failure is None and len(self._running) < _BATCHES_AHEAD:
            if not self._sorted:
                self._sort(last=last)
            if not self._sorted:
                return
            batch = self._sorted.popleft()
            texts = [text.text for text in batch]
            self._running.append((self._model.submit(self._indexing.embedder.embed_passages, texts), batch))

    def _sort(self, *, last: bool) -> None:
        """Cut what waits longest into batches of texts of like length, so that little is padded."""
        size = self._batch_size
        count = min(len(self._pool), size * _BATCHES_SORTED_TOGETHER)
        count = count if last else count - count % size
        texts = sorted((self._pool.popleft() for _ in range(count)), key=_by_length)
        self._sorted.extend(tuple(texts[start : start + size]) for start in range(0, count, size))

    def _keep(self, batch: Sequence[PendingText], vectors: Vectors) -> None:
        hashes = [text.text_hash for text in batch]
        with self._database.write() as unit:
            unit.embeddings.add(self._indexing.model_id, hashes, vectors, [text.pieces for text in batch])
            unit.commit()
        self.done += len(batch)
        self._ready.extend(self._settle(hashes))

    def _settle(self, hashes: Iterable[TextHash]) -> Iterable[VersionId]:
        for key in hashes:
            for version_id in self._waiting.pop(key):
                self._missing[version_id] -= 1
                if not self._missing[version_id]:
                    yield version_id


def _by_length(text: PendingText) -> tuple[int, TextHash]:
    return -text.pieces, text.text_hash
