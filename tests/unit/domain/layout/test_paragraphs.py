"""Re-flow: which lines belong together, and what stands between them."""

import pytest
from page_kit import Printed, block, content, read_pages

FULL = "Die Satzung regelt die Rechte und Pflichten der Mitglieder und des"


def test_lines_when_they_fill_the_measure_then_one_paragraph() -> None:
    """Full lines of one paragraph are joined by blanks."""
    assert content(block(60, 100, [FULL, FULL, "Vorstands."])) == f"{FULL} {FULL} Vorstands."


def test_line_when_the_one_before_ended_early_then_new_paragraph() -> None:
    """A short last line ends its paragraph, where the next word would have fitted."""
    assert content(block(60, 100, [FULL, "endet hier.", FULL])) == f"{FULL} endet hier.\n\n{FULL}"


def test_line_when_the_gap_is_wide_then_new_paragraph() -> None:
    """Space between lines parts paragraphs even where both lines are full."""
    page = [*block(60, 100, [FULL, FULL]), *block(60, 136, [FULL, FULL])]
    assert content(page) == f"{FULL} {FULL}\n\n{FULL} {FULL}"


def test_line_when_indented_after_a_sentence_then_new_paragraph() -> None:
    """A first-line indent begins a paragraph; the line after it is no new one."""
    first = FULL[:-3] + "." + "x."
    page = [*block(60, 100, [FULL, first]), Printed(75, 124, FULL[:60]), *block(60, 136, [FULL])]
    assert content(page).count("\n\n") == 1


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("Die Kündi-", "gung gilt.", "Die Kündigung gilt."),
        ("Die Reise-", "und Nebenkosten.", "Die Reise- und Nebenkosten."),
        ("In Baden-", "Württemberg gilt.", "In Baden-Württemberg gilt."),
    ],
)
def test_hyphen_at_a_line_end_when_joined_then_dropped_kept_or_suspended(
    above: str, below: str, joined: str
) -> None:
    """A line-end hyphen is decided by rule, and the text comes out as it was meant."""
    assert content(block(60, 100, [FULL, above.rjust(4), below])).endswith(joined)


def test_list_when_read_then_one_item_a_line_with_nesting() -> None:
    """Bullets become `- `, numbers stay as printed, a deeper item is indented by two blanks."""
    page = [
        Printed(60, 100, "• Erster Punkt"),
        Printed(80, 112, "• Unterpunkt"),
        Printed(60, 124, "• Zweiter Punkt"),
        Printed(60, 150, "1. Eins"),
        Printed(60, 162, "2. Zwei"),
    ]
    assert content(page).splitlines()[:3] == ["- Erster Punkt", "  - Unterpunkt", "- Zweiter Punkt"]
    assert content(page).endswith("1. Eins\n2. Zwei")


def test_item_when_it_goes_over_two_lines_then_on_one_line() -> None:
    """The second line of an item belongs to it."""
    page = [Printed(60, 100, "• " + FULL), Printed(70, 112, "genannten Organe."), Printed(60, 124, "• Ende")]
    assert content(page) == f"- {FULL} genannten Organe.\n- Ende"


def test_paragraph_when_it_runs_over_the_page_border_then_whole() -> None:
    """A page ends with a blank where its paragraph goes on, with a blank line where it is finished."""
    pages = read_pages(
        block(60, 100, [FULL, FULL]), block(60, 100, ["weiter bis hier.", "Neu beginnt es."])
    ).pages
    assert pages[0].content == f"{FULL} {FULL} "
    assert pages[1].content == "weiter bis hier.\n\nNeu beginnt es.\n\n"


def test_word_when_it_runs_over_the_page_border_then_whole() -> None:
    """A word that the page border cuts is whole in the version text."""
    first = [*block(60, 100, [FULL]), Printed(60, 112, "Der Vertrag über die Mitgliedschaft und die Kündi-")]
    assert "die Kündigung endet" in content(first, block(60, 100, ["gung endet hier."]))


def test_footnote_when_the_paragraph_goes_on_then_stands_before_it() -> None:
    """Footnotes are paragraphs of their own, put before the unfinished last paragraph of their page."""
    first = [
        *block(60, 100, ["Erster Absatz ist zu Ende."]),
        *block(60, 130, [FULL, FULL]),
        Printed(60, 760, "1 Siehe Satzung, Seite vier.", 8),
    ]
    parts = content(first, block(60, 100, ["weiter bis hier."])).split("\n\n")
    assert parts == [
        "Erster Absatz ist zu Ende.",
        "1 Siehe Satzung, Seite vier.",
        f"{FULL} {FULL} weiter bis hier.",
    ]


def test_note_number_when_raised_behind_a_word_then_set_apart() -> None:
    """A raised number does not become part of the word before it."""
    page = [
        Printed(60, 100, "siebzig Euro pro Jahr"),
        Printed(165, 96.5, "10", 6),
        Printed(176, 100, "im Voraus"),
    ]
    assert content(page) == "siebzig Euro pro Jahr ¹⁰ im Voraus"


def test_superscript_when_in_a_formula_then_stays_with_its_letter() -> None:
    """An exponent is no note."""
    page = [Printed(60, 100, "im Raum R"), Printed(105, 96.5, "2", 6), Printed(113, 100, "gilt es")]
    assert content(page) == "im Raum R2 gilt es"


def test_contents_when_read_then_each_entry_keeps_its_line() -> None:
    """The lines of a table of contents are not run together."""
    page = [
        Printed(60, 80, "Inhaltsverzeichnis", 16, bold=True),
        Printed(60, 120, "1 Anfang . . . . . . . . . . . . . . . . 3"),
        Printed(60, 132, "1.1 Mitte . . . . . . . . . . . . . . . 7"),
    ]
    assert [line[:8] for line in content(page).splitlines()[2:]] == ["1 Anfang", "1.1 Mitt"]


def test_spaced_dots_when_three_then_closed_up() -> None:
    """An ellipsis set with blanks is one sign, so that no sentence ends at each of its dots."""
    assert content([Printed(60, 100, "für x1, . . . , xn gilt es")]) == "für x1, ... , xn gilt es"
