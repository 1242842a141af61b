"""What a file is: by its bytes, with the name deciding only between kinds of text."""

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.adapters.readers.media_type import detect, sniff
from fundstelle.adapters.readers.text_formats_encoding import decode_text
from fundstelle.domain.documents import MediaType, Verdict
from fundstelle.domain.errors import SourceError

GERMAN = (
    "Die Größe der Straße überträgt ähnliche Maße. Müller heißt Jürgen, § 5 gilt für Ärzte und Österreich.\n"
)


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.7\n", "a.pdf", MediaType.PDF),
        (b"junk\n" * 20 + b"%PDF-1.4", "a.txt", MediaType.PDF),
        (b"<!DOCTYPE html><html><body>Hallo", "a.txt", MediaType.HTML),
        (b"\xef\xbb\xbf\n <html lang='de'>", "", MediaType.HTML),
        (b"<?xml version='1.0'?><html xmlns='x'>", "a.xhtml", MediaType.HTML),
        (b"<!-- c --><h1>Titel</h1><p>Text", "a.md", MediaType.MARKDOWN),
        (b"<!doctype html><p>x", "a.md", MediaType.HTML),
        (b"Nur Text mit a < b und <wichtig>.", "a.txt", MediaType.TEXT),
        (b"Hallo <b>Welt</b>", "a.html", MediaType.HTML),
        (b"# Titel\n\nText mit **fett**.\n", "", MediaType.MARKDOWN),
        (b"---\ntitle: x\n---\n\nText\n", "", MediaType.MARKDOWN),
        (b"# Titel\n\nText mit **fett**.\n", "a.txt", MediaType.TEXT),
        (b"Nur Text.\n", "a.markdown", MediaType.MARKDOWN),
        (b"# nur ein Kommentar\nx = 1\n", "", MediaType.TEXT),
        (b"<?xml version='1.0'?><book/>", "a.xml", None),
        (b"<svg xmlns='x'>", "a.svg", None),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.txt", None),
        (b"BMW baut Autos.", "a.txt", MediaType.TEXT),
        (b"", "a.txt", None),
        (GERMAN.encode("utf-16-le"), "a.txt", MediaType.TEXT),
        (bytes(range(256)) * 4, "a.txt", None),
    ],
)
def test_detect_when_bytes_are_given_then_they_decide(
    head: bytes, name: str, expected: MediaType | None
) -> None:
    """The content decides; the name only chooses between Markdown and plain text."""
    assert detect(head, name) == expected


@pytest.mark.parametrize(
    "encoding",
    [
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "cp1252",
        "iso-8859-1",
        "cp850",
        "mac_roman",
    ],
)
def test_decode_when_the_encoding_is_unknown_then_umlauts_survive(encoding: str) -> None:
    """German text is read right in every encoding that it comes in."""
    assert decode_text((GERMAN * 3).encode(encoding)) == GERMAN * 3


def test_decode_when_a_page_declares_its_encoding_then_that_counts() -> None:
    """The declared encoding of an HTML page is used where the bytes are no UTF-8."""
    page = '<html><meta charset="iso-8859-2"><p>Łódź źle</p>'
    assert decode_text(page.encode("iso-8859-2")) == page


def test_decode_when_text_ends_inside_a_character_then_the_start_is_read() -> None:
    """The first bytes of a file may end in the middle of a letter."""
    assert decode_text("Größ".encode()[:-1], complete=False) == "Grö"


@given(st.binary(max_size=300))
def test_detect_when_bytes_are_anything_then_it_answers(data: bytes) -> None:
    """No bytes make the detection fail."""
    assert detect(data, "a.txt") in {None, *MediaType}


def test_sniff_when_a_page_is_named_pdf_then_it_is_no_pdf(tmp_path: Path) -> None:
    """An HTML page named .pdf is reported as what it is."""
    path = tmp_path / "Bericht.PDF"
    path.write_bytes(b"<html><body>Fehler 404</body></html>")
    found = sniff(path)
    assert found.verdict is Verdict.NOT_PDF
    assert found.media_type is None
    assert "HTML page" in found.detail


def test_sniff_when_a_file_is_empty_then_it_says_so(tmp_path: Path) -> None:
    """A file of zero bytes is an empty file, whatever its name."""
    path = tmp_path / "leer.pdf"
    path.write_bytes(b"")
    assert sniff(path).verdict is Verdict.EMPTY_FILE


def test_sniff_when_a_file_is_a_word_document_then_its_kind_is_named(tmp_path: Path) -> None:
    """A binary format is named in the sentence for people."""
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("word/document.xml", "<x/>")
    found = sniff(path)
    assert found.verdict is Verdict.UNSUPPORTED
    assert "Word document" in found.detail


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n", "PNG image"),
        (b"PK\x03\x04broken", "damaged zip"),
        (b"\x00\xff\x13" * 99, "unknown kind"),
    ],
)
def test_sniff_when_a_format_cannot_be_read_then_the_detail_says_what_it_is(
    tmp_path: Path, data: bytes, kind: str
) -> None:
    """What cannot be read is unsupported, and the detail names it."""
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    found = sniff(path)
    assert found.verdict is Verdict.UNSUPPORTED
    assert kind in found.detail


def test_sniff_when_shared_files_are_read_then_markers_decide(shared_data: Path) -> None:
    """All shared files that are PDF by their bytes are PDF, and the others are not."""
    for path in sorted((shared_data / "pdf").glob("*.pdf")):
        head = path.read_bytes()[:1024]
        expected = Verdict.OK if b"%PDF-" in head else Verdict.NOT_PDF if head else Verdict.EMPTY_FILE
        assert sniff(path).verdict is expected, path.name


def test_sniff_when_the_file_is_gone_then_it_is_a_source_error(tmp_path: Path) -> None:
    """A file that vanished is no verdict but an error."""
    with pytest.raises(SourceError):
        sniff(tmp_path / "weg.txt")
