"""Headings: recognised by outline, numbering and type; never where they only look like one."""

import pytest
from page_kit import Printed, block, read_pages

from fundstelle.domain.documents import RecognisedBy
from fundstelle.domain.layout.page import OutlineEntry

BODY = ["Dieser Absatz ist lang genug, um der Text des", "Dokuments zu sein, und er endet mit Punkt."]


def headings(*pages: list[Printed], outline: tuple[OutlineEntry, ...] = ()) -> list[tuple[int, str, str]]:
    """Read pages and give level, title and sign of each heading."""
    found = read_pages(*pages, outline=outline).headings
    return [(heading.level, heading.title, heading.recognised_by.value) for heading in found]


def section(y: float, title: str, size: float = 10.0, *, bold: bool = True) -> list[Printed]:
    """Print a heading with a paragraph below it."""
    return [Printed(60, y, title, size, bold=bold), *block(60, y + 24, BODY)]


def test_numbered_titles_when_bold_then_levels_follow_the_numbers() -> None:
    """`1`, `1.1` and `1.1.1` are levels one to three."""
    page = [*section(80, "1 Anfang", 14), *section(160, "1.1 Näheres", 12), *section(240, "1.1.1 Genaueres")]
    numbering = RecognisedBy.NUMBERING.value
    assert headings(page) == [
        (1, "1 Anfang", numbering), (2, "1.1 Näheres", numbering), (3, "1.1.1 Genaueres", numbering),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "title", ["§ 5 Beiträge", "Artikel 4 Freiheit", "Kapitel 2 Recht", "Anlage 3 Formular"]
)
def test_structural_word_when_on_its_own_line_then_heading(title: str) -> None:
    """Sections of laws are headings even in the type of the text."""
    assert [found[1] for found in headings(section(120, title, bold=False))] == [title]


@pytest.mark.parametrize(
    "line",
    [
        "§ 5 Abs. 2 gilt auch hier", "Kapitel 3 regelt die Fristen", "Abbildung 3: Verlauf der Kosten",
        "• Ein Punkt der Liste", "1 Anfang . . . . . . . . . . . 17",
    ],
)  # fmt: skip
def test_line_when_it_only_begins_like_a_title_then_no_heading(line: str) -> None:
    """References, sentences, captions, list items and contents lines are no headings."""
    assert headings([*block(60, 80, BODY), Printed(60, 120, line), *block(60, 144, BODY)]) == []


def test_titles_when_told_by_type_alone_then_larger_is_higher() -> None:
    """Without numbers, type size gives the level."""
    page = [
        *section(80, "Großer Titel", 18),
        *section(180, "Kleiner Titel", 13),
        *section(280, "Noch einer", 13),
    ]
    assert [(level, title) for level, title, _ in headings(page)] == [
        (1, "Großer Titel"), (2, "Kleiner Titel"), (2, "Noch einer"),
    ]  # fmt: skip


def test_title_when_it_goes_over_two_lines_then_one_heading() -> None:
    """A long title is one heading and one paragraph."""
    page = [
        Printed(60, 80, "Ein langer Titel über", 18),
        Printed(60, 101, "zwei Zeilen hinweg", 18),
        *block(60, 140, BODY),
    ]
    assert [title for _, title, _ in headings(page)] == ["Ein langer Titel über zwei Zeilen hinweg"]


def test_outline_when_there_is_one_then_it_decides() -> None:
    """Titles of the outline are found in print, with its levels; finer ones go below."""
    page = [*section(80, "Anfang", 14), *section(180, "Begriffe", 10)]
    outline = (
        OutlineEntry("Anfang", 1, 1, 70.0),
        OutlineEntry("ohne Ziel", 1, None),
        OutlineEntry("fern", 1, 99),
    )
    assert headings(page, outline=outline) == [(1, "Anfang", "outline"), (2, "Begriffe", "font")]


def test_outline_entry_when_not_printed_then_marks_its_place_without_text() -> None:
    """A title that is nowhere printed begins a section of its own name at its destination."""
    found = read_pages(
        block(60, 80, BODY), block(60, 80, BODY), outline=(OutlineEntry("Teil zwei", 1, 2, 60.0),)
    )
    (heading,) = found.headings
    assert heading.title == "Teil zwei"
    assert heading.char_start == heading.char_end == len(found.pages[0].content)
