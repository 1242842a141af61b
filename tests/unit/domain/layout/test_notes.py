"""Footnotes stand behind what refers to them."""

from page_kit import Printed, block, content

FIRST = ["Der erste Absatz nennt ein Jahr und", "verweist auf eine Anmerkung."]
SECOND = ["Der zweite Absatz verweist auf nichts", "und endet hier."]


def _note(y: float, mark: str, text: str) -> list[Printed]:
    return [Printed(60, y - 3, mark, 5), Printed(66, y, text, 7)]


def test_note_when_its_mark_stands_in_a_paragraph_then_follows_it() -> None:
    """A note at the foot of the page is read behind the paragraph with its mark, not in the last section."""
    page = [
        *block(60, 100, FIRST), Printed(200.5, 109, "1", 6),
        *block(60, 160, SECOND),
        *_note(700, "1", "Es war das Jahr 1990."),
    ]  # fmt: skip
    text = content(page)
    assert (
        text.index("verweist auf eine Anmerkung") < text.index("Jahr 1990") < text.index("Der zweite Absatz")
    )


def test_note_when_its_mark_is_not_found_then_stays_at_the_end() -> None:
    """Nothing is guessed: a note without a mark in the text is read last."""
    text = content([*block(60, 100, FIRST), *block(60, 160, SECOND), *_note(700, "7", "Ohne Bezug.")])
    assert text.endswith("Ohne Bezug.")


def test_paragraph_when_a_note_stands_between_its_columns_then_is_whole() -> None:
    """A paragraph that goes on in the next column is not parted by the notes under the first one."""
    left = [f"Links steht Zeile {k} mit genug Text" for k in range(7)]
    left[-1] = "Hier bricht der Satz in der Mitte"
    right = ["ab und geht in der Spalte weiter.", *[f"Rechts steht Zeile {k} mit Text" for k in range(7)]]
    page = [*block(50, 100, left), *_note(260, "1", "Eine Fußnote der Spalte."), *block(300, 100, right)]
    page[-len(right) - 2 : -len(right)] = [Printed(50, 257, "1", 5), Printed(56, 260, "Eine Fußnote.", 7)]
    assert "Hier bricht der Satz in der Mitte ab und geht in der Spalte weiter." in content(page)
