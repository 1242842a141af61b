"""Every reader keeps the contract, whatever its format."""

from fundstelle.adapters.readers.by_type import ReaderByType
from fundstelle.adapters.readers.html import HtmlReader
from fundstelle.adapters.readers.markdown import MarkdownReader
from fundstelle.adapters.readers.pdf import PdfReader
from fundstelle.adapters.readers.plain import PlainTextReader
from fundstelle.domain.documents import MediaType
from fundstelle.ports.reading import DocumentReader
from fundstelle.testing.reading import DocumentReaderContract, FakeReader


class TestFakeReader(DocumentReaderContract):
    """The fake keeps the contract."""

    def make_reader(self) -> DocumentReader:
        """Make a fake."""
        return FakeReader()

    def sample(self) -> bytes:
        """Write the notation of the fake."""
        return f"# {self.title}\n\n{self.sentence}\n\n".encode()


class TestPlainTextReader(DocumentReaderContract):
    """Plain text keeps the contract."""

    def make_reader(self) -> DocumentReader:
        """Make the reader."""
        return PlainTextReader()

    def sample(self) -> bytes:
        """Underline the heading."""
        return f"{self.title}\n{'=' * len(self.title)}\n\n{self.sentence}\n".encode()


class TestMarkdownReader(DocumentReaderContract):
    """Markdown keeps the contract."""

    media_type = MediaType.MARKDOWN

    def make_reader(self) -> DocumentReader:
        """Make the reader."""
        return MarkdownReader()

    def sample(self) -> bytes:
        """Write a heading and a paragraph."""
        return f"# {self.title}\n\n{self.sentence}\n".encode()


class TestHtmlReader(DocumentReaderContract):
    """HTML keeps the contract."""

    media_type = MediaType.HTML

    def make_reader(self) -> DocumentReader:
        """Make the reader."""
        return HtmlReader()

    def sample(self) -> bytes:
        """Write a heading and a paragraph."""
        return f"<!doctype html><body><h1>{self.title}</h1><p>{self.sentence}</p></body>".encode()


class TestPdfReader(DocumentReaderContract):
    """PDF keeps the contract, worker process included."""

    media_type = MediaType.PDF

    def make_reader(self) -> DocumentReader:
        """Make the reader."""
        return PdfReader()

    def sample(self) -> bytes:
        """Draw a large bold line and a small one, named by an outline; no cross-reference table."""
        drawing = (
            f"BT /B 20 Tf 1 0 0 1 60 700 Tm ({self.title}) Tj ET\n"
            f"BT /F 10 Tf 1 0 0 1 60 660 Tm ({self.sentence}) Tj ET\n"
        )
        fonts = "".join(
            f"/{name}<</Type/Font/Subtype/Type1/BaseFont/{font}>>"
            for name, font in (("F", "Helvetica"), ("B", "Helvetica-Bold"))
        )
        return (
            "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R>>endobj\n"
            "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
            "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
            f"/Resources<</Font<<{fonts}>>>>>>endobj\n"
            f"4 0 obj<</Length {len(drawing)}>>stream\n{drawing}endstream endobj\n"
            "5 0 obj<</Type/Outlines/First 6 0 R/Last 6 0 R/Count 1>>endobj\n"
            f"6 0 obj<</Title({self.title})/Parent 5 0 R/Dest[3 0 R/XYZ 0 725 0]>>endobj\n"
            "trailer<</Root 1 0 R>>\n%%EOF\n"
        ).encode()


class TestReaderByType(TestMarkdownReader):
    """The reader for all formats is a reader like any other."""

    def make_reader(self) -> DocumentReader:
        """Make the reader for all formats."""
        return ReaderByType({MediaType.MARKDOWN: MarkdownReader(), MediaType.HTML: HtmlReader()})
