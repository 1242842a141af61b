"""Check that the sample corpus is what README.md promises.

Why: questions name a page and a passage, and a rebuilt PDF may break its lines elsewhere.
Must not: depend on Fundstelle itself; it reads the PDFs with pdfium alone.

Usage: `python examples/check.py` lists every problem; exit code 1 when there is one.
"""

import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

EXAMPLES = Path(__file__).parent
MIN_PAGES, MAX_PAGES = 12, 25
QUESTIONS, UNANSWERABLE = 40, 15
PASSAGE_MIN_CHARS, PASSAGE_MAX_CHARS = 40, 200
MAX_ANSWER_TERMS = 4

# White space, hyphens of every kind, and the marks that pdfium puts for a broken word.
_IGNORED = re.compile(r"[\s\-\u00ad\u2010\u2011\x02\ufffe]")


@dataclass(frozen=True, slots=True)
class Expectation:
    """Say what one PDF must look like.

    labels: printed labels of the first, the fifth and the last page.
    broken_table: (physical page, header row) of a table that runs on over the next page.
    """

    has_outline: bool
    columns: int
    labels: tuple[str, str, str]
    broken_table: tuple[int, str] | None = None


EXPECTED = {
    "coaching-handbuch.pdf": Expectation(
        has_outline=True,
        columns=1,
        labels=("i", "1", "14"),
        broken_table=(13, "Werkzeug Dauer Material Geeignet für Nicht geeignet bei"),
    ),
    "teamentwicklung.pdf": Expectation(has_outline=False, columns=1, labels=("1", "5", "16")),
    "systemik-grundlagen.pdf": Expectation(has_outline=True, columns=2, labels=("i", "1", "10")),
}


@dataclass(frozen=True, slots=True)
class Book:
    """Hold what pdfium reads from one PDF; lists are in page order."""

    texts: list[str]
    labels: list[str]
    outline_entries: int
    columns: int


@dataclass(frozen=True, slots=True)
class Question:
    """Hold one line of questions.jsonl; page is physical and counts from 1."""

    id: str
    question: str
    document: str
    page: int
    page_label: str
    passage: str
    answer_terms: list[str]


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """Hold one line of unanswerable.jsonl."""

    id: str
    question: str
    why: str


def squeeze(text: str) -> str:
    """Drop white space and hyphens, so that line ends no longer matter."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", text))


def read_book(path: Path) -> Book:
    """Read text, labels and outline of one PDF."""
    document = pypdfium2.PdfDocument(path)
    numbers = range(len(document))
    return Book(
        texts=[squeeze(document[n].get_textpage().get_text_range()) for n in numbers],
        labels=[document.get_page_label(n) for n in numbers],
        outline_entries=sum(1 for _ in document.get_toc()),
        columns=count_columns(document[numbers[len(numbers) // 2]]),
    )


def count_columns(page: pypdfium2.PdfPage) -> int:
    """Tell a page of one column from a page of two by text across its middle."""
    middle = page.get_width() / 2
    textpage = page.get_textpage()
    boxes = [textpage.get_rect(n) for n in range(textpage.count_rects())]
    crossing = [box for box in boxes if box[0] < middle < box[2]]
    return 1 if len(crossing) > len(boxes) / 3 else 2


def check_book(name: str, book: Book, expected: Expectation) -> Iterator[str]:
    """Yield what is wrong with one PDF."""
    if not MIN_PAGES <= len(book.texts) <= MAX_PAGES:
        yield f"{name}: {len(book.texts)} pages, expected {MIN_PAGES} to {MAX_PAGES}"
    if (book.outline_entries > 0) != expected.has_outline:
        yield f"{name}: {book.outline_entries} outline entries"
    if book.columns != expected.columns:
        yield f"{name}: {book.columns} columns, expected {expected.columns}"
    labels = (book.labels[0], book.labels[4], book.labels[-1])
    if labels != expected.labels:
        yield f"{name}: page labels {labels}, expected {expected.labels}"
    if expected.broken_table:
        page, header = expected.broken_table
        if any(squeeze(header) not in text for text in book.texts[page - 1 : page + 1]):
            yield f"{name}: no table breaks over the border of pages {page} and {page + 1}"


def check_question(question: Question, book: Book) -> Iterator[str]:
    """Yield what is wrong with one question."""
    passage, page = question.passage, question.page
    if not PASSAGE_MIN_CHARS <= len(passage) <= PASSAGE_MAX_CHARS:
        yield f"{question.id}: the passage has {len(passage)} characters"
    found = [n for n, text in enumerate(book.texts, 1) if squeeze(passage) in text]
    if found != [page]:
        yield f"{question.id}: passage found on pages {found}, expected only {page}"
    if book.labels[page - 1] != question.page_label:
        yield f"{question.id}: page {page} is labelled {book.labels[page - 1]!r}"
    if not 1 <= len(question.answer_terms) <= MAX_ANSWER_TERMS:
        yield f"{question.id}: {len(question.answer_terms)} answer terms"
    for term in question.answer_terms:
        if term not in passage:
            yield f"{question.id}: {term!r} is not in the passage"


def check_ids(name: str, ids: list[str], expected: int) -> Iterator[str]:
    """Yield a wrong number of lines and every id that occurs twice."""
    if len(ids) != expected:
        yield f"{name}: {len(ids)} lines, expected {expected}"
    yield from (f"{name}: id {id_!r} twice" for id_, n in Counter(ids).items() if n > 1)


def check_corpus() -> Iterator[str]:
    """Yield every problem of the corpus."""
    books = {name: read_book(EXAMPLES / name) for name in EXPECTED}
    for name, book in books.items():
        yield from check_book(name, book, EXPECTED[name])
    questions = [Question(**json.loads(line)) for line in lines("questions.jsonl")]
    yield from check_ids("questions.jsonl", [q.id for q in questions], QUESTIONS)
    for question in questions:
        yield from check_question(question, books[question.document])
    others = [Unanswerable(**json.loads(line)) for line in lines("unanswerable.jsonl")]
    yield from check_ids("unanswerable.jsonl", [u.id for u in others], UNANSWERABLE)


def lines(name: str) -> list[str]:
    """Read the lines of one file of the corpus."""
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def main() -> int:
    """Print every problem; return the exit code."""
    problems = list(check_corpus())
    print("\n".join(problems) if problems else "the sample corpus is as described")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
