"""Helpers for the tests of the text readers: read a string, check what must always hold."""

from pathlib import Path

from fundstelle.domain.documents import DocumentText, MediaType
from fundstelle.domain.text.normalise import normalise_characters
from fundstelle.ports.reading import DocumentReader, ReadRequest


def read_bytes(reader: DocumentReader, data: bytes, media_type: MediaType, folder: Path) -> DocumentText:
    """Write bytes to a file and read it."""
    path = folder / "source"
    path.write_bytes(data)
    steps: list[tuple[int, int | None]] = []
    document = reader.read(ReadRequest(path, media_type), lambda done, of: steps.append((done, of)))
    assert steps == [(1, 1)]
    return document


def check_document(document: DocumentText) -> None:
    """Demand what holds for every document of one page of text."""
    assert len(document.pages) <= 1
    for page in document.pages:
        text, raw = page.content, page.raw_content
        assert not text or text.endswith("\n\n")
        at = 0
        for run in page.offset_map.runs:
            assert at <= run.norm_start < run.norm_end <= len(text)
            assert 0 <= run.raw_start < run.raw_end <= len(raw)
            at = run.norm_end
            if run.norm_end - run.norm_start == run.raw_end - run.raw_start > 1:
                copied = raw[run.raw_start : run.raw_end]
                assert normalise_characters(copied)[0] == text[run.norm_start : run.norm_end]
        for mark in page.marks:
            assert 0 <= mark.raw_start < mark.raw_end <= len(raw)
    at = 0
    for heading in document.headings:
        assert at <= heading.char_start < heading.char_end
        assert document.text[heading.char_start : heading.char_end] == heading.title
        assert document.text[heading.char_end : heading.char_end + 2] == "\n\n"
        at = heading.char_end
