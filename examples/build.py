"""Build the three sample handbooks (PDF) from their Typst sources.

Why: the PDFs are committed, and anyone must be able to make the very same bytes again.
Must not: reach the network, use fonts of the machine, or put the time of day into a file.

Usage: `python examples/build.py` writes the PDFs, `--check` only compares them with the
committed ones (exit code 1 when they differ).
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import typst

EXAMPLES = Path(__file__).parent
SOURCES = EXAMPLES / "sources"
CREATED_AT_UNIX_S = 1_740_996_000  # 2025-03-03 10:00 UTC, the date of the edition


@dataclass(frozen=True, slots=True)
class Handbook:
    """Name one handbook and say whether its PDF carries structure tags.

    One book goes without tags (and, by its source, without outline), so that the corpus
    also holds a PDF whose structure shows in its typography alone.
    """

    name: str
    tagged: bool

    @property
    def source(self) -> Path:
        """Locate the Typst source."""
        return SOURCES / f"{self.name}.typ"

    @property
    def pdf(self) -> Path:
        """Locate the committed PDF."""
        return EXAMPLES / f"{self.name}.pdf"


HANDBOOKS = (
    Handbook("coaching-handbuch", tagged=True),
    Handbook("teamentwicklung", tagged=False),
    Handbook("systemik-grundlagen", tagged=True),
)


def compile_handbook(book: Handbook) -> bytes:
    """Typeset one handbook with the fonts inside the typst package only.

    Raises:
        RuntimeError: the source compiles, but with warnings (e.g. an unknown font).
        typst.TypstError: the source does not compile.
    """
    compiler = typst.Compiler(book.source, root=SOURCES, ignore_system_fonts=True)
    pdf, warnings = compiler.compile_with_warnings(
        format="pdf", timestamp=CREATED_AT_UNIX_S, pdf_tags=book.tagged
    )
    if warnings:
        raise RuntimeError(f"{book.source.name}: {'; '.join(map(str, warnings))}")
    if not isinstance(pdf, bytes):
        raise RuntimeError(f"{book.source.name}: expected one PDF, got {type(pdf).__name__}")
    return pdf


def differs(book: Handbook) -> bool:
    """Tell whether the committed PDF is missing or not what the source gives."""
    return not book.pdf.exists() or book.pdf.read_bytes() != compile_handbook(book)


def main() -> int:
    """Write all PDFs, or compare them; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the sample handbooks.")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    if parser.parse_args().check:
        stale = [book.pdf.name for book in HANDBOOKS if differs(book)]
        print(f"not up to date: {', '.join(stale)}" if stale else "all PDFs are up to date")
        return 1 if stale else 0
    for book in HANDBOOKS:
        size_bytes = book.pdf.write_bytes(compile_handbook(book))
        print(f"{book.pdf.name}: {size_bytes} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
