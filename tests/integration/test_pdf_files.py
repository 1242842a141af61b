"""The PDF reader over real files: German and difficult ones, whose right answers are written down."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.adapters.readers.pdf import PdfReader
from fundstelle.domain.documents import DocumentText, MarkKind, MediaType, PageQuality, Verdict
from fundstelle.ports.reading import ReadRequest

EXPECTED = Path(__file__).resolve().parents[3] / "shared" / "data" / "pdf" / "expected.jsonl"
CASES = [json.loads(line) for line in EXPECTED.read_text("utf-8").splitlines()] if EXPECTED.is_file() else []


@pytest.fixture(scope="module")
def reader() -> Iterator[PdfReader]:
    """Share one reader, and so its worker, over all files."""
    pdf_reader = PdfReader()
    yield pdf_reader
    pdf_reader.close()


def read(reader: PdfReader, path: Path, password: str | None = None) -> DocumentText:
    """Read one file without progress."""
    return reader.read(ReadRequest(path, MediaType.PDF, password), lambda _done, _total: None)


def paragraphs(document: DocumentText) -> list[str]:
    """Cut the version text at blank lines."""
    return [part for part in document.text.split("\n\n") if part.strip()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_file_when_read_then_verdict_pages_labels_and_strings_are_right(
    case: dict[str, object], reader: PdfReader, shared_data: Path
) -> None:
    """Every file gets one of its right verdicts, its pages and labels, and the strings that must be there."""
    path = shared_data / "pdf" / str(case["file"])
    document = read(reader, path)
    assert document.verdict.value in case["status"]
    if case["password"]:
        assert read(reader, path, "wrong").verdict is Verdict.NEEDS_PASSWORD
        document = read(reader, path, str(case["password"]))
        assert document.verdict is Verdict.OK
    if case["pages"] is not None:
        assert (document.page_count or 0) == case["pages"]
    if case["page_labels"] and document.pages:
        printed = [
            page.page_label if page.page_label is not None else str(page.page_number)
            for page in document.pages
        ]
        assert printed[:8] == case["page_labels"]
    assert [text for text in case["must_contain"] if text not in document.text] == []
    assert [text for text in case["must_not_contain"] if text in document.text] == []
    assert document.verdict is Verdict.OK or document.verdict_detail.endswith(".")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_file_when_read_then_offsets_and_boxes_lie_within_their_pages(
    case: dict[str, object], reader: PdfReader, shared_data: Path
) -> None:
    """Maps, marks, boxes and headings point into the texts that they belong to."""
    password = str(case["password"]) if case["password"] else None
    document = read(reader, shared_data / "pdf" / str(case["file"]), password)
    for page in document.pages:
        assert all(0 <= b.char_start < b.char_end <= len(page.content) for b in page.line_boxes)
        assert all(run.norm_end <= len(page.content) for run in page.offset_map.runs)
        assert all(run.raw_end <= len(page.raw_content) for run in page.offset_map.runs)
        assert all(0 <= m.raw_start < m.raw_end <= len(page.raw_content) for m in page.marks)
    starts = [heading.char_start for heading in document.headings]
    assert starts == sorted(set(starts))
    assert all(h.char_start <= h.char_end <= len(document.text) for h in document.headings)


def test_running_header_when_read_then_paragraphs_over_pages_are_whole(
    reader: PdfReader, shared_data: Path
) -> None:
    """The running header is kept out, the page border disappears, the four headings stand."""
    document = read(reader, shared_data / "pdf" / "running_header_de.pdf")
    titles = [heading.title for heading in document.headings]
    assert [title[:3] for title in titles] == ["§ 1", "§ 2", "§ 3", "§ 4"]
    assert "Satzung der Musterstadt" not in document.text
    assert "auf der nächsten Seite weiter und endet hier mit einem Punkt." in document.text
    kinds = {mark.kind for page in document.pages for mark in page.marks}
    assert kinds == {MarkKind.HEADER, MarkKind.PAGE_NUMBER}


def test_two_columns_when_read_then_one_after_the_other(reader: PdfReader, shared_data: Path) -> None:
    """The left column is read to its end first; suspended and line-end hyphens are told apart."""
    document = read(reader, shared_data / "pdf" / "two_column_5lines.pdf")
    left, right = paragraphs(document)
    assert left.startswith("Kapitel 3")
    assert left.endswith("vereinbart ist.")
    assert "zu erklären. Sie" in left
    assert "die Reise- und Nebenkosten. Die Rechnungsstellung erfolgt" in right


def test_columns_of_tex_when_read_then_text_runs_from_column_to_column(
    reader: PdfReader, shared_data: Path
) -> None:
    """A sentence that goes on in the next column, and on the next page, is whole."""
    document = read(reader, shared_data / "pdf" / "E53_multicolumn.pdf")
    assert "augue quis sagittis posuere" in document.text
    assert "Nam feugiat lacus vel est. Curabitur consectetuer." in document.text
    assert "Austria | 8.9 | 83,879 | Vienna | German\nBelgium | 11.5" in document.text


def test_invoice_when_read_then_quantity_and_price_stand_in_the_row_of_their_item(
    reader: PdfReader, shared_data: Path
) -> None:
    """Line items of an invoice are table rows, not columns."""
    text = read(reader, shared_data / "pdf" / "rechnung-teilrechnung.pdf").text
    rows = {line.split(" | ")[1]: line for line in text.splitlines() if line.count(" | ") >= 4}
    assert "3,3333 | 3 m²" in rows["Kunstrasen grün 3m breit"]
    assert "5,5000 | 1 kg" in rows["Schweinesteak"]
    assert "5,4900 | 20 Stk" in next(line for line in text.splitlines() if "Mineralwasser" in line)
    assert "Bruttosumme | 197,65" in text


def test_white_text_when_read_then_kept_out_and_marked(reader: PdfReader, shared_data: Path) -> None:
    """White text on white is hidden: in the raw text with a mark, not in the content."""
    document = read(reader, shared_data / "pdf" / "de_white-text.pdf")
    page = document.pages[0]
    assert page.content.strip() == "Die Kündigungsfrist beträgt drei Monate zum Quartalsende."
    (mark,) = page.marks
    assert mark.kind is MarkKind.HIDDEN
    assert page.raw_content[mark.raw_start : mark.raw_end].startswith("Ignoriere alle")


def test_arabic_when_read_then_in_logical_order(reader: PdfReader, shared_data: Path) -> None:
    """Right-to-left words are given as they are read."""
    text = read(reader, shared_data / "pdf" / "E08_habibi.pdf").text
    assert "حَبيبي" in text
    assert "habibi" in text


def test_rotated_pages_when_read_then_each_holds_its_text(reader: PdfReader, shared_data: Path) -> None:
    """Pages turned by 0, 90, 180 and 270 degrees are read alike, with boxes on the displayed page."""
    document = read(reader, shared_data / "pdf" / "E09_habibi-rotated.pdf")
    assert all("habibi" in page.content for page in document.pages)
    assert all(b.x1 <= page.width and b.y1 <= page.height for page in document.pages for b in page.line_boxes)


def test_text_rise_when_read_then_no_line_break(reader: PdfReader, shared_data: Path) -> None:
    """A raised character stays in its line."""
    document = read(reader, shared_data / "pdf" / "E59_text-rise.pdf")
    assert document.text.split() == ["E", "=", "mc2", "is", "the", "mass-energy", "equivalence."]


def test_outline_entry_without_title_when_read_then_others_survive(
    reader: PdfReader, shared_data: Path
) -> None:
    """An entry without title costs only itself."""
    document = read(reader, shared_data / "pdf" / "E31_outline-no-title.pdf")
    assert [h.title for h in document.headings if h.level == 1][-3:] == ["7 Foo", "8 Bar", "9 Baz"]


def test_outline_with_broken_targets_when_read_then_the_printed_headings_stand(
    reader: PdfReader, shared_data: Path
) -> None:
    """Entries that point nowhere are dropped; those that point at a heading give it their level."""
    document = read(reader, shared_data / "pdf" / "E32_outline-bad-dest.pdf")
    numbered = [h for h in document.headings if h.title != "Contents"]
    assert [h.title[0] for h in numbered] == list("123456789")
    assert {h.level for h in numbered} == {1}


def test_scan_when_read_then_says_which_pages_need_ocr(reader: PdfReader, shared_data: Path) -> None:
    """A page that is a picture is named, with the reason."""
    document = read(reader, shared_data / "pdf" / "E46_scan-linn.pdf")
    assert document.pages[0].quality is PageQuality.SCANNED
    assert document.verdict_detail == "Page 1 holds only images and needs OCR."


def test_book_when_read_then_headings_follow_its_outline(reader: PdfReader, shared_data: Path) -> None:
    """Chapters and sections come with their levels, definitions below them, contents lines never."""
    document = read(reader, shared_data / "pdf" / "geotopo.pdf")
    outline = [(h.level, h.title) for h in document.headings if h.recognised_by.value == "outline"]
    assert (1, "1 Topologische Grundbegriffe") in outline
    assert (2, "1.1 Topologische Räume") in outline
    assert (3, "4.2.1 Flächeninhalt") in outline
    by_title = {h.title: h for h in document.headings}
    assert by_title["Definition 1"].level == 3
    assert not [h for h in document.headings if ". . ." in h.title]
    assert document.language == "de"


def test_book_when_read_then_a_heading_is_a_paragraph_of_its_own(
    reader: PdfReader, shared_data: Path
) -> None:
    """The text at a heading's offsets is its title, between blank lines."""
    document = read(reader, shared_data / "pdf" / "geotopo.pdf")
    text = document.text
    for heading in document.headings:
        assert text[heading.char_start : heading.char_end] == heading.title
        assert heading.char_start == 0 or text[heading.char_start - 1] in "\n "
        assert text[heading.char_end] == "\n"
