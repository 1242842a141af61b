"""Running headers, footers and page numbers are kept out; body text never is."""

from page_kit import Printed, block, content, read_pages

from fundstelle.domain.documents import MarkKind

BODY = ["Dieser Absatz steht auf der Seite und hat", "nichts mit ihrem Rand zu tun."]
WORDS = ["eins", "zwei", "drei", "vier", "fünf", "sechs"]


def page(number: int, header: str, *, footer: str = "") -> list[Printed]:
    """Print a page with header, body and page number."""
    body = [f"{line} {WORDS[number % 6]}" for line in BODY]
    lines = [Printed(60, 40, header, 9), *block(60, 120, body), Printed(290, 810, str(number + 1))]
    return [*lines, Printed(60, 825, footer)] if footer else lines


def test_header_and_number_when_repeated_then_marked_and_left_out() -> None:
    """The same line at the same height on all pages is a header; a number that counts is a page number."""
    pages = read_pages(*(page(k, "Handbuch der Muster GmbH") for k in range(5))).pages
    assert not any("Handbuch" in one.content for one in pages)
    assert [mark.kind for mark in pages[2].marks] == [MarkKind.HEADER, MarkKind.PAGE_NUMBER]
    mark = pages[2].marks[0]
    assert pages[2].raw_content[mark.raw_start : mark.raw_end] == "Handbuch der Muster GmbH"


def test_header_when_it_follows_the_chapter_then_left_out() -> None:
    """A header that changes with the chapter is a header all the same."""
    text = content(*(page(k, f"{k + 1} Kapitel {'Alpha' if k < 3 else 'Beta'}") for k in range(6)))
    assert "Kapitel" not in text


def test_header_when_only_two_pages_then_left_out() -> None:
    """Two pages are enough for a header in the margin."""
    assert "Vertrag" not in content(page(0, "Vertrag Nummer 17"), page(1, "Vertrag Nummer 17"))


def test_first_lines_when_they_only_look_alike_then_stay() -> None:
    """Headings that differ in their number are no running header, even in the margin."""
    pages = [[Printed(60, 60, f"§ {k} Titel", 10, bold=True), *block(60, 90, BODY)] for k in (1, 7)]
    text = content(*pages)
    assert "§ 1 Titel" in text
    assert "§ 7 Titel" in text


def test_title_when_it_returns_now_and_then_then_stays() -> None:
    """A heading at the top of a page here and there is no running header."""
    pages = [page(k, "Übungen" if k in {1, 5, 9} else f"Seite {WORDS[k % 6]} {k * k}") for k in range(11)]
    assert content(*pages).count("Übungen") == 3


def test_pages_when_each_has_one_line_only_then_the_line_is_the_text() -> None:
    """What would leave every page empty is no furniture."""
    text = content(*([Printed(60, 60, f"Folie {k}")] for k in range(8)))
    assert text.count("Folie") == 8


def test_header_when_each_page_has_another_beside_the_title_of_the_book_then_both_are_left_out() -> None:
    """A chapter's title beside a repeated title is a header, though it stands on one page alone."""
    names = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"]
    left = [f"Links steht Zeile {k} mit genug Text" for k in range(6)]
    pages = [
        [
            *[Printed(50, 40, "Handbuch der GmbH", 9), Printed(420, 40, f"{k + 1} {name}", 8)],
            *[*block(50, 100, left), *block(300, 100, left)],
        ]
        for k, name in enumerate(names)
    ]
    assert not any(name in content(*pages) for name in names)


def test_header_when_each_page_has_another_beside_the_title_over_one_column_then_left_out() -> None:
    """The same holds where the row is read as one line."""
    names = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"]
    pages = [
        [Printed(60, 40, "Handbuch der GmbH", 9), Printed(420, 40, f"{k + 1} {name}", 9), *page(k, "")[1:]]
        for k, name in enumerate(names)
    ]
    text = content(*pages)
    assert not any(name in text for name in names)
    assert text.count("Dieser Absatz") == len(names)
