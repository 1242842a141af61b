"""Measure the PDF reader: time against PDFium's plain text, similarity to a truth, peak memory.

Run `python bench/pdf_text.py` (options: `--help`). Time is compared within one run: reading the same
file's text with pypdfium2 alone, page by page, is 1.0. Similarity is the one of py-pdf/benchmarks
(Levenshtein ratio: 1 - distance / total length, with insertions and deletions only), on text whose
white space is folded; its truth keeps running headers, so the text is measured without and with them.
"""

import argparse
import re
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pypdfium2

from fundstelle.adapters.readers.pdf import PdfReader
from fundstelle.domain.documents import DocumentText, MarkKind, MediaType
from fundstelle.ports.reading import ReadRequest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "pdf"
REPEATS = 5


def plain_text(path: Path) -> None:
    """Read all text with PDFium alone."""
    document = pypdfium2.PdfDocument(path)
    for page in document:
        text_page = page.get_textpage()
        text_page.get_text_range()
        text_page.close()
        page.close()
    document.close()


def read(reader: PdfReader, path: Path) -> DocumentText:
    """Read a file with the product's reader."""
    return reader.read(ReadRequest(path, MediaType.PDF), lambda _done, _total: None)


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Give the wall time and this process's CPU time of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def children_cpu() -> float:
    """CPU seconds of all ended child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_time(path: Path) -> None:
    """Print the ratio to plain PDFium, and where the time goes."""
    with_start = time.perf_counter()
    reader = PdfReader()
    pages = read(reader, path).page_count or 0
    with_start = time.perf_counter() - with_start
    plain, ours, ratios, parent = [], [], [], []
    for _ in range(REPEATS):  # in turn, so that a busy machine slows both alike
        plain.append(seconds(lambda: plain_text(path))[0])
        wall, cpu = seconds(lambda: read(reader, path))
        ours.append(wall)
        parent.append(cpu)
        ratios.append(wall / plain[-1])
    before = children_cpu()
    reader.close()
    workers = (children_cpu() - before) / (REPEATS + 1)
    best = min(plain)
    print(f"{path.name}: {pages} pages")
    print(f"  pdfium plain text     {best * 1e3:8.1f} ms  {best / pages * 1e3:6.2f} ms a page")
    print(f"  reader, warm          {min(ours) * 1e3:8.1f} ms  ratio {min(ours) / best:.2f}", end="")
    print(f"  (median of paired ratios {statistics.median(ratios):.2f})")
    print(f"  reader, first call    {with_start * 1e3:8.1f} ms  with the start of the workers")
    print(
        f"  CPU: extraction in the workers {workers * 1e3:.0f} ms,"
        f" layout and assembly {min(parent) * 1e3:.0f} ms"
    )


def lcs_length(left: str, right: str) -> int:
    """Length of the longest common subsequence, bit-parallel (Hyyrö 2004)."""
    masks: dict[str, int] = {}
    for k, char in enumerate(left):
        masks[char] = masks.get(char, 0) | 1 << k
    full = (1 << len(left)) - 1
    row = full
    for char in right:
        match = masks.get(char, 0)
        hit = row & match
        row = ((row + hit) | (row - hit)) & full
    return len(left) - row.bit_count()


def similarity(truth: str, text: str) -> float:
    """Levenshtein ratio of two texts with folded white space."""
    truth, text = (re.sub(r"\s+", " ", one) for one in (truth, text))
    return 2 * lcs_length(truth, text) / (len(truth) + len(text))


def with_headers(document: DocumentText) -> str:
    """Put the running headers back in front of their pages."""
    parts = []
    for page in document.pages:
        headers = [m for m in page.marks if m.kind is not MarkKind.HIDDEN]
        parts.extend(page.raw_content[mark.raw_start : mark.raw_end] + "\n" for mark in headers)
        parts.append(page.content)
    return "".join(parts)


def measure_similarity(path: Path, truth: Path) -> None:
    """Print how near the text comes to the truth, beside PDFium's plain text."""
    reader = PdfReader()
    document = read(reader, path)
    reader.close()
    wanted = truth.read_text("utf-8")
    raw = "\n".join(page.raw_content for page in document.pages)
    print(f"{path.name}: similarity to its source")
    print(f"  pdfium plain text           {similarity(wanted, raw):.4f}")
    print(f"  reader                      {similarity(wanted, document.text):.4f}")
    print(f"  reader, with headers        {similarity(wanted, with_headers(document)):.4f}")


def resident_bytes(pid: int | str) -> int:
    """Resident memory of a process (Linux); 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text("ascii").split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * resource.getpagesize()


def measure_memory(path: Path) -> None:
    """Print the peak memory of reading a long file, over that of the idle process."""
    idle = resident_bytes("self")
    peak = [0]
    stop = threading.Event()
    reader = PdfReader()

    def watch() -> None:
        while not stop.wait(0.01):
            pids = [worker.pid for worker in reader.workers if worker.pid]
            peak[0] = max(peak[0], resident_bytes("self") + sum(resident_bytes(pid) for pid in pids))

    watcher = threading.Thread(target=watch)
    watcher.start()
    document = read(reader, path)
    stop.set()
    watcher.join()
    reader.close()
    over = (peak[0] - idle) / (1 << 20)
    print(f"{path.name}: {document.page_count} pages, peak {over:.0f} MB over idle, workers included")


def repeat_file(source: Path, target: Path, pages: int) -> Path:
    """Write a long file by repeating a short one."""
    document, once = pypdfium2.PdfDocument.new(), pypdfium2.PdfDocument(source)
    while len(document) < pages:
        document.import_pages(once, list(range(min(len(once), pages - len(document)))))
    document.save(target)
    return target


def main() -> None:
    """Run the chosen measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="PDF files to time (default: the German book)")
    parser.add_argument("--pages", type=int, default=1000, help="length of the file for the memory test")
    parser.add_argument("--only", choices=["time", "similarity", "memory"])
    options = parser.parse_args()
    files = options.files or [DATA / "geotopo.pdf"]
    with tempfile.TemporaryDirectory() as folder:
        long = repeat_file(DATA / "geotopo.pdf", Path(folder) / "long.pdf", options.pages)
        if options.only in {None, "time"}:
            for path in [*files, long]:
                measure_time(path)
        if options.only in {None, "memory"}:
            measure_memory(long)
        if options.only in {None, "similarity"}:
            measure_similarity(DATA / "geotopo.pdf", DATA / "geotopo.truth.txt")


if __name__ == "__main__":
    main()
