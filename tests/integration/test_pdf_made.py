"""The PDF reader over files made for one rule each, and over workers that hang, die and are limited."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pdf_kit import PdfPage, write_pdf

from fundstelle.adapters.readers.pdf import PdfLimits, PdfReader
from fundstelle.domain.documents import DocumentText, MarkKind, MediaType, PageQuality, Verdict
from fundstelle.domain.errors import SourceError
from fundstelle.ports.reading import ReadRequest

TEXT = [
    "Die Satzung regelt die Rechte und Pflichten der Mitglieder, soweit nicht das Gesetz",
    "anderes bestimmt.",
]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture(scope="module")
def reader() -> Iterator[PdfReader]:
    """Share one reader over all files."""
    pdf_reader = PdfReader()
    yield pdf_reader
    pdf_reader.close()


def read(reader: PdfReader, path: Path) -> DocumentText:
    """Read one file without progress."""
    return reader.read(ReadRequest(path, MediaType.PDF), lambda _done, _total: None)


def test_text_nobody_sees_when_read_then_hidden_with_its_reason(reader: PdfReader, tmp_path: Path) -> None:
    """No ink, tiny, off the page, in the colour of the paper, covered: hidden. White on blue is seen."""
    page = PdfPage().lines(60, 780, TEXT)
    page.text(60, 740, "ohne Tinte", extra="3 Tr").text(60, 720, "winzig", 1).text(60, -50, "außerhalb")
    page.text(60, 700, "weiß auf weiß", extra="1 1 1 rg").text(60, 680, "abgedeckt")
    page.raw("0 0 0 rg 50 670 200 25 re f 0.2 0.2 0.6 rg 50 640 200 20 re f")
    page.text(60, 645, "weiß auf blau", extra="1 1 1 rg")
    (found,) = read(reader, write_pdf(tmp_path / "a.pdf", [page])).pages
    hidden = {found.raw_content[m.raw_start : m.raw_end] for m in found.marks if m.kind is MarkKind.HIDDEN}
    assert hidden == {"ohne Tinte", "winzig", "außerhalb", "weiß auf weiß", "abgedeckt"}
    assert "weiß auf blau" in found.content
    assert not any(text in found.content for text in hidden)


def test_text_without_ink_over_a_scan_when_read_then_it_is_the_text(
    reader: PdfReader, tmp_path: Path
) -> None:
    """The layer that OCR has put over a scanned page is no hidden text."""
    page = PdfPage().image(0, 0, 595, 842)
    for k, line in enumerate(TEXT):
        page.text(60, 780 - 12 * k, line, extra="3 Tr")
    (found,) = read(reader, write_pdf(tmp_path / "a.pdf", [page])).pages
    assert found.from_ocr
    assert found.quality is PageQuality.GOOD
    assert " ".join(TEXT) in found.content


def test_scan_beside_text_when_read_then_partial_and_named(reader: PdfReader, tmp_path: Path) -> None:
    """A file with one scanned page is readable but for that page."""
    pages = [PdfPage().lines(60, 780, TEXT), PdfPage().image(0, 0, 595, 842)]
    document = read(reader, write_pdf(tmp_path / "a.pdf", pages))
    assert document.verdict is Verdict.PARTIAL_NEEDS_OCR
    assert document.verdict_detail.startswith("Page 2 ")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_page_when_rotated_then_read_and_boxes_lie_where_it_is_seen(
    turn: int, reader: PdfReader, tmp_path: Path
) -> None:
    """The box of a line is on the displayed page: here in the corner that the rotation brings up."""
    document = read(reader, write_pdf(tmp_path / "a.pdf", [PdfPage(rotate=turn).text(60, 800, "Oben links")]))
    (found,) = document.pages
    (box,) = found.line_boxes
    middle = ((box.x0 + box.x1) / 2 / found.width, (box.y0 + box.y1) / 2 / found.height)
    corner = {0: (False, False), 90: (True, False), 180: (True, True), 270: (False, True)}[turn]
    assert (middle[0] > 0.5, middle[1] > 0.5) == corner
    assert found.content.strip() == "Oben links"


def test_margin_text_that_runs_upwards_when_read_then_apart(reader: PdfReader, tmp_path: Path) -> None:
    """Turned text is a paragraph of its own and does not tear lines apart."""
    page = PdfPage().lines(80, 780, TEXT).turned(40, 300, "Randnotiz läuft nach oben")
    (found,) = read(reader, write_pdf(tmp_path / "a.pdf", [page])).pages
    assert found.content == f"{' '.join(TEXT)}\n\nRandnotiz läuft nach oben\n\n"
    turned = found.line_boxes[-1]
    assert turned.y1 - turned.y0 > turned.x1 - turned.x0


def test_cropped_page_when_read_then_only_what_is_left_of_it(reader: PdfReader, tmp_path: Path) -> None:
    """Text outside the crop box is off the page, and boxes count from its corner."""
    page = PdfPage(crop=(50, 50, 500, 700)).text(60, 650, "im Ausschnitt").text(60, 780, "daneben")
    (found,) = read(reader, write_pdf(tmp_path / "a.pdf", [page])).pages
    assert found.content.strip() == "im Ausschnitt"
    assert found.line_boxes[0].x0 == pytest.approx(10, abs=1)
    assert (found.width, found.height) == (450, 650)


def test_accent_over_a_letter_when_read_then_both_are_one_character(
    reader: PdfReader, tmp_path: Path
) -> None:
    """An accent drawn over a letter, before or behind it in the file, is put on it; one beside it is not."""
    page = (
        PdfPage()
        .text(70, 760, "Es sei")
        .text(102, 762, "˜")
        .text(101.5, 760, "x")
        .text(109, 760, "eine Zahl")
    )
    page.text(70, 740, "und auch").text(115, 740, "q").text(115, 740, "˜").text(123, 740, "eine")
    page.text(70, 720, "Taste ˜ und p")
    path = write_pdf(tmp_path / "accent.pdf", [page])
    document = read(reader, path)
    text = document.text
    assert "sei x\u0303 eine Zahl" in text
    assert "auch q\u0303 eine" in text
    assert "Taste ˜ und p" in text


def test_information_when_read_then_title_author_language_date_and_labels(
    reader: PdfReader, tmp_path: Path
) -> None:
    """What the file says about itself comes along."""
    path = write_pdf(
        tmp_path / "a.pdf",
        [PdfPage().lines(60, 780, TEXT), PdfPage().lines(60, 780, TEXT)],
        labels="0<</S/r>> 1<</S/D/St 5>>",
        info="/Title(Handbuch)/Author(Erika Muster)/CreationDate(D:20240131120000+01'00')",
        language="de-AT",
    )
    document = read(reader, path)
    assert (document.title, document.author, document.language) == ("Handbuch", "Erika Muster", "de")
    assert document.created_at == "2024-01-31T12:00:00+01:00"
    assert [page.page_label for page in document.pages] == ["i", "5"]


def test_outline_when_read_then_headings_stand_where_it_points(reader: PdfReader, tmp_path: Path) -> None:
    """Printed titles are found; an entry without title is dropped, an unprinted one keeps its place."""
    page = PdfPage().text(60, 780, "Anfang", 16, "B").lines(60, 750, TEXT).lines(60, 600, TEXT)
    outline = [("Anfang", 0, 800), ("", 0, 700), ("Nicht gedruckt", 0, 620)]
    document = read(reader, write_pdf(tmp_path / "a.pdf", [page], outline=outline))
    assert [heading.title for heading in document.headings] == ["Anfang", "Nicht gedruckt"]
    assert document.text[document.headings[1].char_start :].startswith("Die Satzung")


def test_missing_file_when_read_then_source_error(reader: PdfReader, tmp_path: Path) -> None:
    """A file that is gone is the caller's error, not a verdict."""
    with pytest.raises(SourceError, match=r"fehlt\.pdf"):
        read(reader, tmp_path / "fehlt.pdf")


def long_file(folder: Path) -> Path:
    """Write a file that both workers share."""
    return write_pdf(
        folder / "long.pdf", [PdfPage().lines(60, 780, [f"Seite {k} hier.", *TEXT]) for k in range(120)]
    )


def test_progress_when_reading_then_counts_every_page_once(reader: PdfReader, tmp_path: Path) -> None:
    """Pages done and pages in all are told after each page."""
    told: list[tuple[int, int | None]] = []
    reader.read(
        ReadRequest(long_file(tmp_path), MediaType.PDF), lambda done, total: told.append((done, total))
    )
    assert told == [(k, 120) for k in range(1, 121)]


def test_file_when_read_twice_then_the_same_result(reader: PdfReader, tmp_path: Path) -> None:
    """The same bytes give the same pages and headings."""
    path = long_file(tmp_path)
    assert read(reader, path) == read(reader, path)


@posix_only
def test_worker_when_killed_in_the_middle_then_nothing_is_lost(tmp_path: Path) -> None:
    """A worker that was ended from outside is replaced, and its page is read again."""
    pdf_reader = PdfReader()
    path = long_file(tmp_path)
    whole = read(pdf_reader, path)

    def kill_at_twenty(done: int, _total: int | None) -> None:
        for worker in pdf_reader.workers if done == 20 else ():
            if worker.pid is not None:
                os.kill(worker.pid, signal.SIGKILL)

    assert pdf_reader.read(ReadRequest(path, MediaType.PDF), kill_at_twenty) == whole
    pdf_reader.close()


@posix_only
def test_worker_when_it_hangs_then_the_page_is_lost_and_named(tmp_path: Path) -> None:
    """A page over its time limit is given up; the others are read."""
    pdf_reader = PdfReader(PdfLimits(page_timeout_s=0.5, workers=1))

    def stop_at_twenty(done: int, _total: int | None) -> None:
        if done == 16 and pdf_reader.workers[0].pid is not None:
            os.kill(pdf_reader.workers[0].pid, signal.SIGSTOP)

    document = pdf_reader.read(ReadRequest(long_file(tmp_path), MediaType.PDF), stop_at_twenty)
    pdf_reader.close()
    assert document.verdict is Verdict.PARTIAL
    assert "longer than 0.5 seconds" in document.verdict_detail
    assert sum(not page.raw_content for page in document.pages) == 1


@pytest.mark.parametrize(
    "limits",
    [PdfLimits(max_text_chars=500), PdfLimits(max_pages=10), PdfLimits(document_timeout_s=0.0)],
    ids=["text", "pages", "time"],
)
def test_limit_when_reached_then_too_large_with_a_sentence(limits: PdfLimits, tmp_path: Path) -> None:
    """A file over a limit ends as too large, and the sentence names the limit."""
    pdf_reader = PdfReader(limits)
    document = read(pdf_reader, long_file(tmp_path))
    pdf_reader.close()
    assert document.verdict is Verdict.TOO_LARGE
    assert "limit" in document.verdict_detail or "longer" in document.verdict_detail


def test_reader_when_closed_then_processes_are_gone_and_it_can_read_again(tmp_path: Path) -> None:
    """Closing ends the workers; the next file starts new ones."""
    pdf_reader = PdfReader()
    path = long_file(tmp_path)
    read(pdf_reader, path)
    pdf_reader.close()
    assert [worker.pid for worker in pdf_reader.workers if worker.pid] == []
    assert read(pdf_reader, path).verdict is Verdict.OK
    pdf_reader.close()


@posix_only
def test_callback_when_it_raises_then_the_workers_are_ended(tmp_path: Path) -> None:
    """An error or Ctrl-C in the middle leaves no process behind, and the reader usable."""
    pdf_reader = PdfReader()

    def interrupt(_done: int, _total: int | None) -> None:
        raise KeyboardInterrupt

    path = long_file(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        pdf_reader.read(ReadRequest(path, MediaType.PDF), interrupt)
    assert [worker.pid for worker in pdf_reader.workers if worker.pid] == []
    assert read(pdf_reader, path).verdict is Verdict.OK
    pdf_reader.close()
