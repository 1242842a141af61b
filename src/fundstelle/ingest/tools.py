"""What the use cases of the import are given: settings, and the ports they work with."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fundstelle.domain.documents import ChunkParameters, MediaType, Verdict
from fundstelle.domain.identity import ModelId
from fundstelle.ingest.i3_chunks import CHUNKER_VERSION
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.indexing import SparseVector, VectorIndex
from fundstelle.ports.reading import DocumentReader
from fundstelle.ports.storing import BlobStore, Database


class Sniffed(Protocol):
    """Say what the bytes of a file are.

    `media_type` is None where the file cannot be read; `verdict` and `detail` say why.
    """

    @property
    def media_type(self) -> MediaType | None:
        """Name the kind of content."""
        ...

    @property
    def verdict(self) -> Verdict:
        """Say how readable the bytes look."""
        ...

    @property
    def detail(self) -> str:
        """Explain the verdict to people."""
        ...


@dataclass(frozen=True, slots=True)
class ImportSettings:
    """Hold the limits and sizes of an import.

    Args:
        max_embed_chars: Longest text that is embedded as one window.
        headed: Put the heading path above each window. It is part of the chunk's identity, so equal
            chunks of two documents have equal windows; a title would not be.
        batch_size: Texts embedded in one call.
    """

    max_bytes: int = 500 * 1024 * 1024
    chunks: ChunkParameters = field(default_factory=ChunkParameters)
    max_embed_chars: int = 800
    headed: bool = False
    batch_size: int = 16

    @property
    def chunker(self) -> str:
        """Name chunker and parameters in one string."""
        return self.chunks.signature(CHUNKER_VERSION)


@dataclass(frozen=True, slots=True)
class IndexTools:
    """Hold what phases I4 and I5 work with.

    Args:
        encode_document: Gives the BM25 weights of a text.
    """

    embedder: Embedder
    index: VectorIndex
    encode_document: Callable[[str], SparseVector]

    @property
    def model_id(self) -> ModelId:
        """Name the model that embeds."""
        return self.embedder.identity.model_id


@dataclass(frozen=True, slots=True)
class ImportTools:
    """Hold what the import works with.

    Args:
        sniff: Called with the path of the bytes and the name that people know the file by.
        count_tokens: Counts with the tokenizer that the chunk parameters name.
        indexing: None when no step up to the index is wanted, so that no model has to be loaded.
        timer: Gives seconds, for durations.
    """

    database: Database
    blobs: BlobStore
    sniff: Callable[[Path, str], Sniffed]
    reader: DocumentReader
    count_tokens: Callable[[str], int]
    settings: ImportSettings = field(default_factory=ImportSettings)
    indexing: IndexTools | None = None
    timer: Callable[[], float] = time.perf_counter
