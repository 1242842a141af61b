"""Measure structure, chunking and windows on a long real text, and print sizes and overlaps.

Run: `python bench/chunking.py [file.md]`; without a file it takes the civil code of the shared data.
"""

import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from fundstelle.adapters.readers.markdown import MarkdownReader
from fundstelle.adapters.tokenizers import O200kTokenizer
from fundstelle.domain.documents import Chunk, ChunkParameters, DocumentText, MediaType, VersionText
from fundstelle.domain.identity import VersionId, content_hash
from fundstelle.ingest.criteria_i2 import check_sections
from fundstelle.ingest.criteria_i3 import check_chunks
from fundstelle.ingest.i2_structure import build_sections
from fundstelle.ingest.i3_chunks import CHUNKER_VERSION, chunk_document
from fundstelle.ingest.windows import cut_windows
from fundstelle.ports.reading import ReadRequest

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "text" / "bgb.md"
PARAMETERS = ChunkParameters()
COUNT = O200kTokenizer().count


def main() -> None:
    """Measure twice: with the file's sections, then as one section without headings."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    COUNT("warm")
    document = MarkdownReader().read(ReadRequest(path, MediaType.MARKDOWN), lambda _done, _total: None)
    measure("with its headings", path, document, with_headings=True)
    measure("as one section", path, document, with_headings=False)


def measure(name: str, path: Path, document: DocumentText, *, with_headings: bool) -> None:
    """Time the phases (processor seconds) and print what came out."""
    version = VersionText(VersionId("ver_bench"), content_hash(path.read_bytes()), document.text, [0])
    megabytes = len(version.text.encode()) / 1e6
    clock = time.process_time()
    sections = build_sections(version, document.headings if with_headings else ())
    structured = time.process_time()
    chunks = chunk_document(version, sections, PARAMETERS, COUNT)
    chunked = time.process_time()
    signature = PARAMETERS.signature(CHUNKER_VERSION)
    problems = check_sections(version, sections)
    problems += check_chunks(version, sections, chunks, PARAMETERS, COUNT, signature)
    checked = time.process_time()
    windows = [cut_windows(c.content, c.heading_path, 800, 512, lambda text: len(text) // 3) for c in chunks]
    cut = time.process_time()
    chunking = chunked - structured
    print(f"{path.name} {name}: {megabytes:.2f} MB")
    print(f"  sections {len(sections):6}  {structured - clock:6.3f} s")
    print(f"  chunks   {len(chunks):6}  {chunking:6.3f} s  {megabytes / chunking:.1f} MB/s")
    print(f"  criteria {len(problems):6}  {checked - chunked:6.3f} s  (problems found)")
    print(f"  windows  {sum(map(len, windows)):6}  {cut - checked:6.3f} s  (without counting pieces)")
    print_sizes(version.text, chunks)


def print_sizes(text: str, chunks: Sequence[Chunk]) -> None:
    """Print the distribution of sizes, and the share of overlaps within the limits."""
    low, high = PARAMETERS.min_tokens, PARAMETERS.max_tokens
    pairs = [(a, b) for a, b in pairwise(chunks) if a.section_id == b.section_id]
    several = len({a.section_id for a, _ in pairs})
    inner = [a.token_count for a, _ in pairs]
    last = [b.token_count for (_, b) in pairs if b.chunk_id not in {a.chunk_id for a, _ in pairs}]
    overlaps = [COUNT(text[b.char_start : a.char_end].strip()) for a, b in pairs]
    fitting = sum(PARAMETERS.min_overlap <= tokens <= PARAMETERS.max_overlap for tokens in overlaps)
    print(f"  sections of several chunks: {several}")
    if inner:
        within = sum(low <= tokens <= high for tokens in inner)
        print(
            f"  not last: {len(inner)}, {within} within {low}-{high}, median {statistics.median(inner):.0f}"
        )
        print(f"  last: {len(last)}, {min(last)}-{max(last)}, median {statistics.median(last):.0f}")
        print(f"  overlaps: {fitting} of {len(overlaps)} within limits, none: {overlaps.count(0)}")
    print(f"  split sentences {sum(chunk.split_sentence for chunk in chunks)}")
    print(f"  roles {dict(Counter(chunk.semantic_role.value for chunk in chunks))}")


if __name__ == "__main__":
    main()
