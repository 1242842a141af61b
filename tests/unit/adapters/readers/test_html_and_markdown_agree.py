"""One text in four files: HTML and Markdown must give the same section tree and nearly the same text."""

import re
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from text_documents import read_bytes

from fundstelle.adapters.readers.html import HtmlReader
from fundstelle.adapters.readers.markdown import MarkdownReader
from fundstelle.domain.documents import DocumentText, MediaType

NUMBER = re.compile(r"^\d+(?:\.\d+)*\. ")


def read_variant(folder: Path, name: str, scratch: Path) -> DocumentText:
    """Read one of the variants of the template."""
    path = next((folder / name).glob("arc42-template*"))
    if path.suffix == ".html":
        return read_bytes(HtmlReader(), path.read_bytes(), MediaType.HTML, scratch)
    return read_bytes(MarkdownReader(), path.read_bytes(), MediaType.MARKDOWN, scratch)


def section_tree(document: DocumentText) -> list[tuple[int, str]]:
    """List levels and titles; the page's own title heading and the numbers of HTML are left aside."""
    headings = [heading for heading in document.headings if not heading.title.endswith("Template")]
    top = min(heading.level for heading in headings)
    return [(heading.level - top, NUMBER.sub("", heading.title)) for heading in headings]


def words(document: DocumentText) -> list[str]:
    """List the words from the first common heading on, without the numbers of HTML."""
    text = document.text[document.text.index("Einführung und Ziele") :].replace("…", "...")
    return "\n".join(NUMBER.sub("", line) for line in text.split("\n")).split()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("plain-html", "plain-markdown"),
        ("withhelp-html", "withhelp-gitHubMarkdown"),
        ("plain-html", "withhelp-html"),
    ],
)
def test_read_when_formats_differ_then_the_section_tree_is_the_same(
    shared_data: Path, tmp_path: Path, left: str, right: str
) -> None:
    """Every variant has the same titles on the same levels in the same order."""
    folder = shared_data / "docs" / "arc42-de"
    found = section_tree(read_variant(folder, left, tmp_path))
    assert len(found) > 30
    assert found == section_tree(read_variant(folder, right, tmp_path))


@pytest.mark.parametrize(
    ("left", "right"), [("plain-html", "plain-markdown"), ("withhelp-html", "withhelp-gitHubMarkdown")]
)
def test_read_when_formats_differ_then_the_text_is_nearly_the_same(
    shared_data: Path, tmp_path: Path, left: str, right: str
) -> None:
    """At least 99 of 100 words agree between HTML and Markdown of the same text."""
    folder = shared_data / "docs" / "arc42-de"
    one, other = (words(read_variant(folder, name, tmp_path)) for name in (left, right))
    assert SequenceMatcher(None, one, other, autojunk=False).ratio() > 0.99
