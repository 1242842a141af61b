"""Markdown: text without markup, headings as they are marked, exact places in the source."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_documents import check_document, read_bytes

from fundstelle.adapters.readers.markdown import MarkdownReader
from fundstelle.domain.documents import DocumentText, MarkKind, MediaType, RecognisedBy, Verdict

Read = Callable[[str], DocumentText]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Read a string as a Markdown file."""
    folder = tmp_path_factory.mktemp("markdown")

    def read_markdown(source: str) -> DocumentText:
        data = source.encode("utf-8", "surrogatepass")
        document = read_bytes(MarkdownReader(), data, MediaType.MARKDOWN, folder)
        check_document(document)
        return document

    return read_markdown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Ein *kursives* und **fettes** `wort` hier.", "Ein kursives und fettes wort hier."),
        ("Zeile eins\nZeile zwei", "Zeile eins Zeile zwei"),
        ("Die Soft- und\nHardware, die Ver-\nsandkosten, die EU-\nKommission", None),
        ("13\\. Punkt \\* und &auml;", "13. Punkt * und ä"),
        (
            "[Text](http://x.y 'T') und ![Bild](b.png) und <https://arc42.org>",
            "Text und Bild und https://arc42.org",
        ),
        ("[Text][1] hier\n\n[1]: http://x.y", "Text hier"),
        ("- a\n- b\n  - c\n\n  mehr\n- d", "- a\n- b\n  - c\n  mehr\n- d"),
        ("3. drei\n4. vier\n\n1) a\n2) b", "3. drei\n4. vier\n\n1) a\n2) b"),
        ("| A | B |\n|---|:-:|\n| 1 | *2* |\n| x \\| y | |", "A | B\n1 | 2\nx | y | "),
        ("+---+---+\n| A | B |\n+===+===+\n| 1 | 2 |\n|   | b |\n+---+---+", "A | B\n1 | 2 b"),
        (
            "Begriff\n:   Erklärung\n    weiter\n\nZwei\n\n:   Noch\n",
            "Begriff\n  Erklärung weiter\nZwei\n  Noch",
        ),
        ("```python\nx = 1\n\ny = *2*\n```\nDanach", "x = 1\n\ny = *2*\n\nDanach"),
        ("Text\n\n    1\\.     der Rat\n    und *mehr*\n", "Text\n\n1. der Rat und mehr"),
        ("> Zitat\n> weiter\n\nText", "Zitat weiter\n\nText"),
        ("> [!NOTE]\n> Hinweis", "Hinweis"),
        ("Satz.[^1]\n\n[^1]: Note", "Satz.[1]\n\n[1] Note"),
        ("a<br>b  \nc\\\nd", "a\nb\nc\nd"),
        ("<div class='x'>\n\n**Inhalt**\n\n</div>\n\nText", "Inhalt\n\nText"),
        ("<figure>\n<img src=a\nalt='Ein Bild' />\n</figure>", "Ein Bild"),
        ("***\n\nText\n\n---", "Text"),
        ("1\\) kein *offener Stern", "1) kein *offener Stern"),
        ("~~weg~~ da", "weg da"),
        ("::: {.hinweis}\nText\n:::", "Text"),
    ],
)
def test_read_when_markdown_is_given_then_no_markup_remains(
    read: Read, source: str, expected: str | None
) -> None:
    """Inline and block markup become plain text by the convention."""
    if expected is None:
        expected = "Die Soft- und Hardware, die Versandkosten, die EU-Kommission"
    assert read(source).text.removesuffix("\n\n") == expected


def test_read_when_headings_are_given_then_both_styles_count(read: Read) -> None:
    """ATX and setext headings count, with attributes and closing signs cut off; empty ones do not."""
    source = "# Eins ##\n\nZwei\n----\n\n### *Drei* {#drei .x}\n\n#\n\n    # Code\n\n```\n# Code\n```\n"
    document = read(source)
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Eins"),
        (2, "Zwei"),
        (3, "Drei"),
    ]
    assert {heading.recognised_by for heading in document.headings} == {RecognisedBy.MARKDOWN}


def test_read_when_there_is_front_matter_then_it_is_metadata(read: Read) -> None:
    """Front matter is kept out of the text, marked, and read."""
    document = read("---\nTitle: 'Mein Titel'\nautor: A. B.\nlang: de\ndate: 2024\n---\n\nText\n")
    found = (document.title, document.author, document.language, document.created_at, document.text)
    assert found == ("Mein Titel", "A. B.", "de", "2024", "Text\n\n")
    assert document.pages[0].marks[0].kind is MarkKind.HEADER


def test_read_when_html_hides_markdown_then_it_is_kept_out(read: Read) -> None:
    """A hidden element hides what stands between its tags, inside and across blocks; comments too."""
    across = "<div style='display:none'>\n\n# weg\n\n- weg\n\n</div>"
    source = f"Da <span hidden>weg</span>bei\n\n{across}\n\n<!-- weg -->\n\nEnde"
    document = read(source)
    assert document.text == "Da bei\n\nEnde\n\n"
    assert len(document.pages[0].marks) == 3
    assert not document.headings


def test_read_when_lists_are_nested_too_deeply_then_nothing_is_lost(read: Read) -> None:
    """Beyond the limit on nesting the text stays, as it is written."""
    assert "Ende" in read("> " * 5000 + "Ende").text


def test_read_when_a_law_is_read_then_its_headings_are_those_of_the_source(shared_data: Path) -> None:
    """Of the civil code every Markdown heading is found, in order, and nothing of its front matter."""
    path = shared_data / "text" / "bgb.md"
    source = path.read_text("utf-8")
    begin = time.process_time()
    document = read_bytes(MarkdownReader(), source.encode(), MediaType.MARKDOWN, Path("/tmp"))
    assert time.process_time() - begin < 5
    lines = re.findall(r"^(#{1,6}) +(.*\S)", source, re.MULTILINE)
    assert len(document.headings) == len(lines)
    assert [heading.level for heading in document.headings] == [len(signs) for signs, _ in lines]
    assert "layout: default" not in document.text
    assert "\\" not in document.text
    assert document.title == "Bürgerliches Gesetzbuch"
    check_document(document)


def test_read_when_the_file_is_empty_of_text_then_the_verdict_says_so(read: Read) -> None:
    """White space and comments alone are no text."""
    assert read(" \n\n<!-- x -->\n").verdict is Verdict.NO_TEXT


PIECES = [
    "# ",
    "\n",
    "\n\n",
    "- ",
    "  ",
    "    ",
    "1. ",
    "> ",
    "*",
    "**",
    "`",
    "```\n",
    "[a]",
    "(b)",
    "![",
    "]",
    "<b>",
    "|",
]
PIECES += [
    "</b>",
    "<div hidden>\n\n",
    "</div>\n\n",
    "a",
    "wort ",
    "|---|\n",
    "&amp;",
    "\\",
    ": ",
    "+--+\n",
    "[^1]",
    "---\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60))
def test_read_when_markdown_is_anything_then_all_places_hold(read: Read, source: str) -> None:
    """No Markdown, however broken, breaks the map, the headings or the marks."""
    read(source)


@given(st.lists(st.sampled_from(["wort", "Größe", "x1", "Ende."]), min_size=1, max_size=20))
def test_read_when_text_has_no_markup_then_every_word_is_kept(read: Read, words: list[str]) -> None:
    """Plain words come out as they went in."""
    assert read("\n".join(words)).text.split() == words


@pytest.mark.parametrize("piece", ["> ", "[", "![", "*a ", "<a ", "`a ", "+--+\n|a|\n", "- ", "[^1]: x\n"])
def test_read_when_markdown_is_hostile_then_it_ends_in_seconds(read: Read, piece: str) -> None:
    """A hundred thousand characters of one kind take no more than seconds."""
    begin = time.process_time()
    read(piece * (100_000 // len(piece)) + "Ende")
    assert time.process_time() - begin < 15
