"""A reader that needs no engine, and the contract that every reader must keep.

A back end proves itself by a subclass of `DocumentReaderContract` that overrides `make_reader` and `sample`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.domain.documents import (
    DocumentText,
    Heading,
    MediaType,
    PageText,
    RecognisedBy,
    Verdict,
)
from fundstelle.domain.errors import SourceError
from fundstelle.domain.offsets import OffsetMap
from fundstelle.ports.reading import DocumentReader, PageProgress, ReadRequest

_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_VERDICT = re.compile(r"^!(\w+)(?: (.*))?$", re.MULTILINE)


class FakeReader:
    """Read UTF-8 text in a tiny notation; implements `ports.reading.DocumentReader`.

    - A form feed ends a page.
    - A line `# Title` is a heading of level 1, `## Title` of level 2.
    - A first line `!needs_ocr` gives that verdict; `!needs_password geheim` gives it unless the password
      is `geheim`.
    """

    def __init__(self) -> None:
        self.files_read = 0
        """Files read so far, for tests that count."""

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read the whole file."""
        self.files_read += 1
        try:
            text = request.path.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise SourceError(f"{request.path} cannot be read: {error.strerror}.") from error
        verdict, text = _verdict(text, request.password)
        pages = _pages(text) if text else ()
        for page in pages:
            progress(page.page_number, len(pages))
        return DocumentText(
            media_type=request.media_type,
            pages=pages,
            headings=tuple(_headings("".join(page.content for page in pages))),
            verdict=verdict,
            verdict_detail="" if verdict is Verdict.OK else f"The file says {verdict.value}.",
            page_count=len(pages),
            language="de",
        )

    def close(self) -> None:
        """End nothing; there are no workers."""


class FakeSniff:
    """Say that everything but an empty file is plain text."""

    def __init__(self, path: Path, name: str) -> None:
        del name
        self._size = path.stat().st_size

    @property
    def media_type(self) -> MediaType | None:
        """Name the kind of content."""
        return MediaType.TEXT if self._size else None

    @property
    def verdict(self) -> Verdict:
        """Say how readable the bytes look."""
        return Verdict.OK if self._size else Verdict.EMPTY_FILE

    @property
    def detail(self) -> str:
        """Explain the verdict to people."""
        return "" if self._size else "The file is empty."


def _verdict(text: str, password: str | None) -> tuple[Verdict, str]:
    found = _VERDICT.match(text)
    if found is None:
        return (Verdict.OK if text.strip() else Verdict.NO_TEXT), text
    verdict, argument = Verdict(found.group(1)), found.group(2)
    rest = text[found.end() :].lstrip("\n")
    if verdict is Verdict.NEEDS_PASSWORD:
        return (Verdict.OK, rest) if password == argument else (verdict, "")
    return verdict, rest


def _pages(text: str) -> tuple[PageText, ...]:
    parts = text.split("\f")
    return tuple(
        PageText(number, None, part, part, OffsetMap.identity(len(part)), width=595.0, height=842.0)
        for number, part in enumerate(parts, start=1)
    )


def _headings(text: str) -> list[Heading]:
    return [
        Heading(found.group(2), len(found.group(1)), found.start(), found.end(), RecognisedBy.MARKDOWN)
        for found in _HEADING.finditer(text)
    ]


class DocumentReaderContract:
    """State what every reader must do; subclasses override `make_reader` and `sample`."""

    media_type = MediaType.TEXT
    title = "Himmel"
    """The heading of the sample."""
    sentence = "Der Mond ist rund."
    """What the sample says below it."""

    def make_reader(self) -> DocumentReader:
        """Make the reader."""
        raise NotImplementedError

    def sample(self) -> bytes:
        """Give a file of the format with `title` as a heading and `sentence` below."""
        raise NotImplementedError

    @pytest.fixture
    def reader(self) -> Iterator[DocumentReader]:
        """Give the reader."""
        made = self.make_reader()
        yield made
        made.close()

    def request(self, folder: Path, data: bytes) -> ReadRequest:
        """Write a file and ask for its text."""
        path = folder / "datei"
        path.write_bytes(data)
        return ReadRequest(path, self.media_type)

    def test_read_when_sound_then_text_headings_and_pages_fit(
        self, reader: DocumentReader, tmp_path: Path
    ) -> None:
        """Pages are numbered from 1, headings stand where they say, the text is normalised."""
        found = reader.read(self.request(tmp_path, self.sample()), lambda _done, _total: None)
        assert (found.verdict, found.media_type) == (Verdict.OK, self.media_type)
        assert [page.page_number for page in found.pages] == list(range(1, len(found.pages) + 1))
        assert self.sentence in found.text
        assert [heading.title for heading in found.headings] == [self.title]
        for heading in found.headings:
            assert self.title in found.text[heading.char_start : heading.char_end]

    def test_read_when_repeated_then_the_same(self, reader: DocumentReader, tmp_path: Path) -> None:
        """The same bytes give the same result, from another reader and after `close` too."""
        request = self.request(tmp_path, self.sample())
        first = reader.read(request, lambda _done, _total: None)
        reader.close()
        assert reader.read(request, lambda _done, _total: None) == first
        other = self.make_reader()
        assert other.read(request, lambda _done, _total: None) == first
        other.close()

    def test_read_when_it_goes_on_then_progress_counts_up_to_the_end(
        self, reader: DocumentReader, tmp_path: Path
    ) -> None:
        """Progress counts pages upwards, and never more than there are."""
        seen: list[tuple[int, int | None]] = []
        found = reader.read(
            self.request(tmp_path, self.sample()), lambda done, total: seen.append((done, total))
        )
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)
        assert seen[-1][0] == len(found.pages)
        assert all(total is None or done <= total for done, total in seen)

    @pytest.mark.parametrize("damage", ["empty", "cut", "zeros", "noise"])
    def test_read_when_damaged_then_a_verdict_and_no_exception(
        self, reader: DocumentReader, tmp_path: Path, damage: str
    ) -> None:
        """Nothing that is in a file raises; where nothing can be read the verdict says why."""
        data = {
            "empty": b"",
            "cut": self.sample()[: len(self.sample()) // 2],
            "zeros": bytes(4_000),
            "noise": bytes(n * n * 31 % 251 for n in range(4_000)),
        }[damage]
        found = reader.read(self.request(tmp_path, data), lambda _done, _total: None)
        if not found.text.strip():
            assert found.verdict is not Verdict.OK
            assert found.verdict_detail

    def test_read_when_the_file_is_gone_then_source_error(
        self, reader: DocumentReader, tmp_path: Path
    ) -> None:
        """A file that vanished is no verdict on a file."""
        with pytest.raises(SourceError):
            reader.read(ReadRequest(tmp_path / "weg", self.media_type), lambda _done, _total: None)
