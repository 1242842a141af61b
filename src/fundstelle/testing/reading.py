"""A reader that needs no engine: plain text in a tiny notation, for tests of what comes after reading."""

import re
from pathlib import Path

from fundstelle.domain.documents import (
    DocumentText,
    Heading,
    MediaType,
    PageText,
    RecognisedBy,
    Verdict,
)
from fundstelle.domain.offsets import OffsetMap
from fundstelle.ports.reading import PageProgress, ReadRequest

_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_VERDICT = re.compile(r"^!(\w+)(?: (.*))?$", re.MULTILINE)


class FakeReader:
    """Read UTF-8 text; implements `ports.reading.DocumentReader`.

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
        text = request.path.read_text(encoding="utf-8", errors="surrogateescape")
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
        return Verdict.OK, text
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
