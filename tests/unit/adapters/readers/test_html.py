"""HTML: the text that a reader sees, with headings, lists, tables and exact places."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from text_documents import check_document, read_bytes

from fundstelle.adapters.readers.html import HtmlReader
from fundstelle.domain.documents import DocumentText, MarkKind, MediaType, RecognisedBy, Verdict

Read = Callable[[str], DocumentText]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Read a string as an HTML file."""
    folder = tmp_path_factory.mktemp("html")

    def read_html(source: str) -> DocumentText:
        document = read_bytes(HtmlReader(), source.encode("utf-8", "surrogatepass"), MediaType.HTML, folder)
        check_document(document)
        return document

    return read_html


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Ein <b>fet</b>tes Wort</p><p>Zwei", "Ein fettes Wort\n\nZwei"),
        ("a &amp; b &lt;c&gt; &auml;&#246;&#xfc; &nbsp;d", "a & b <c> äöü d"),
        ("Wert&shy;papier<wbr>index", "Wertpapierindex"),
        ("<ul><li>Eins<li><p>Zwei</p><p>mehr</p><ul><li>Drei</ul></ul>", "- Eins\n- Zwei mehr\n  - Drei"),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c"),
        ("<ol type=a><li>x<li>y</ol><ol type=I><li>z</ol>", "a. x\nb. y\n\nI. z"),
        ("<dl><dt>Begriff<dd>Erklärung<dd>noch eine</dl>", "Begriff\n  Erklärung\n  noch eine"),
        ("<table><tr><th>A<th>B<tr><td>1<td><p>2</p></table>", "A | B\n1 | 2"),
        ("<table><tr><td>a<td><td>c</table>", "a |  | c"),
        ("<table><tr><td><h2>T</h2><p>x</p><td>y</table>", "T\n\nx\n\ny"),
        ("<pre>\n  def f():\n    pass\n</pre>Danach", "  def f():\n    pass\n\nDanach"),
        ("Straße 5<br>12345 Ort<br><br>Neu", "Straße 5\n12345 Ort\n\nNeu"),
        ("<blockquote><p>Zitat</p></blockquote>Text", "Zitat\n\nText"),
        ("<img alt='Ein Bild &amp; mehr'> und <img src=x>", "Ein Bild & mehr und"),
        ("<p>a<!-- weg -->b", "ab"),
        ("a < b und 3 <4", "a < b und 3 <4"),
        ("<p title='a > b'>x</p>", "x"),
        ("<div>eins<div>zwei</div>drei</div>", "eins\n\nzwei\n\ndrei"),
        ("<a href=x>Link</a>, <i>kursiv</i>.", "Link, kursiv."),
    ],
)
def test_read_when_html_is_given_then_the_text_follows_the_convention(
    read: Read, source: str, expected: str
) -> None:
    """Blocks, lists, tables, code and entities come out as the convention for normalised text says."""
    assert read(source).text.rstrip("\n") == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>weg()</script>",
        "<style>weg{}</style>",
        "<noscript>weg</noscript>",
        "<template><p>weg</template>",
        "<p hidden>weg</p>",
        "<div aria-hidden=true><p>weg</div>",
        "<span style='color:red; display : none'>weg</span>",
        "<div style='visibility:hidden'>weg<div>weg</div></div>",
        "<p style='font-size:0px'>weg",
        "<p style='position:absolute;left:-9999px'>weg</p>",
        "<!-- weg -->",
        "<textarea>weg</textarea>",
    ],
)
def test_read_when_something_is_hidden_then_it_is_kept_out_and_marked(read: Read, hidden: str) -> None:
    """What no reader sees is not in the text, and a mark leads to it."""
    document = read(f"<p>Davor</p>{hidden}<p>Danach</p>")
    page = document.pages[0]
    assert document.text == "Davor\n\nDanach\n\n"
    marked = [page.raw_content[mark.raw_start : mark.raw_end] for mark in page.marks]
    assert len(marked) == 1
    assert "weg" in marked[0]
    assert page.marks[0].kind is MarkKind.HIDDEN


def test_read_when_a_page_has_navigation_and_footer_then_they_are_marked(read: Read) -> None:
    """Navigation and the page's footer are no body text; an article's footer is."""
    document = read(
        "<nav><a>Start</a></nav><article>Text<footer>Autor</footer></article><footer>© X</footer>"
    )
    assert document.text == "Text\n\nAutor\n\n"
    assert [mark.kind for mark in document.pages[0].marks] == [MarkKind.HEADER, MarkKind.FOOTER]


def test_read_when_headings_are_given_then_levels_and_places_are_right(read: Read) -> None:
    """h1 to h6 are headings; empty ones are not."""
    document = read("<h1>Eins <em>a</em></h1><h2></h2><p>x<h3>Drei<br>b</h3>")
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "Eins a"), (3, "Drei b")]
    assert {heading.recognised_by for heading in document.headings} == {RecognisedBy.HTML}


def test_read_when_the_head_says_something_then_it_is_metadata(read: Read) -> None:
    """Title, author, language and date are read from the head and are not in the text."""
    document = read(
        "<html lang=de><head><title>Ein &amp; Titel</title><meta name=Author content='A. B.'>"
        "<meta name=date content=2024-01-02></head><body>Text</body></html>"
    )
    found = (document.title, document.author, document.language, document.created_at, document.text)
    assert found == ("Ein & Titel", "A. B.", "de", "2024-01-02", "Text\n\n")


def test_read_when_there_is_no_text_then_the_verdict_says_so(read: Read) -> None:
    """A page of scripts only has no text."""
    assert read("<script>x</script>  ").verdict is Verdict.NO_TEXT


TAGS = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
]
TAGS += [
    "<h2>",
    "</h2>",
    "<br>",
    "<pre>",
    "</pre>",
    "<!-- c -->",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<p hidden>",
    "</x>",
]
TAGS += ["<", ">", "&amp;", "&", "<a href='", "\n", " ", "wort", "x\u0308", "<img alt=bild>"]


@given(st.lists(st.sampled_from(TAGS), max_size=30).map("".join) | st.text(max_size=60))
def test_read_when_html_is_anything_then_all_places_hold(read: Read, source: str) -> None:
    """No page, however broken, breaks the map, the headings or the marks."""
    read(source)


SIMPLE = [tag for tag in TAGS if tag.startswith("<") and len(tag) > 2 and "td" not in tag and "tr" not in tag]
SIMPLE = [
    tag for tag in SIMPLE if tag not in {"<table>", "</table>", "<a href='", "<img alt=bild>", "<p hidden>"}
]


@given(st.lists(st.sampled_from([*SIMPLE, "wort ", "&amp; ", "noch "]), max_size=30).map("".join))
def test_read_when_a_tree_builder_reads_the_same_then_the_words_agree(read: Read, source: str) -> None:
    """A parser that follows the standard finds the same words in the same order."""
    tree = LexborHTMLParser(f"<body>{source}")
    expected = tree.body.text(separator=" ").split() if tree.body else []
    markers = {"-", "a.", "1."}
    assert [word for word in read(source).text.split() if word not in markers] == expected


@pytest.mark.parametrize("name", ["plain-html", "withhelp-html"])
def test_read_when_a_real_page_is_read_then_no_word_is_lost(shared_data: Path, read: Read, name: str) -> None:
    """Of a real page all words are there that a tree builder finds outside navigation and footer."""
    source = (shared_data / "docs" / "arc42-de" / name / "arc42-template.html").read_text("utf-8")
    tree = LexborHTMLParser(source)
    tree.strip_tags(["script", "style", "title"])
    for node in tree.css("#toc, #footer"):
        node.decompose()
    for image in tree.css("img[alt]"):
        image.replace_with(image.attributes["alt"] or "")
    expected = tree.body.text(separator=" ").replace("\u200b", "").split() if tree.body else []
    found = read(source).text.replace(" | ", " ").split()
    assert len(expected) > 300
    marker = re.compile(r"-|\d+\.")  # a tree has no markers of lists
    left, right = (marker.sub("", "".join(text)) for text in (expected, found))
    assert left == right


@pytest.mark.parametrize(
    "piece", ["<div>", "<ul><li>", "<b>", "<table><tr><td>", '<a ="', "<!--", "<p>x", "<blockquote>"]
)
def test_read_when_nesting_is_hostile_then_it_ends_in_seconds(read: Read, piece: str) -> None:
    """A hundred thousand open tags overflow no stack and take no more than seconds."""
    begin = time.process_time()
    read(piece * (300_000 // len(piece)) + "Ende")
    assert time.process_time() - begin < 20
