"""Reading order: columns one after the other, tables row by row."""

from itertools import chain

import pytest
from page_kit import Printed, block, content

LEFT = [f"Links steht Zeile {k} mit genug Text" for k in range(6)]
MIDDLE = [f"Mitte steht Zeile {k} mit genug Text" for k in range(6)]
RIGHT = [f"Rechts steht Zeile {k} mit viel Text" for k in range(6)]


def test_two_columns_when_written_column_by_column_then_left_first() -> None:
    """The left column is read to its end, then the right one."""
    text = content([*block(50, 100, LEFT), *block(300, 100, RIGHT)])
    assert text.index("Links steht Zeile 5") < text.index("Rechts steht Zeile 0")


def test_three_columns_when_read_then_from_left_to_right() -> None:
    """Three columns are read one after the other."""
    text = content([*block(20, 100, LEFT), *block(215, 100, MIDDLE), *block(410, 100, RIGHT)])
    assert text.index("Links steht Zeile 5") < text.index("Mitte steht Zeile 0")
    assert text.index("Mitte steht Zeile 5") < text.index("Rechts steht Zeile 0")


def test_full_width_line_when_between_columns_then_parts_the_bands() -> None:
    """A heading over the whole width is read between the columns above and below it."""
    wide = "Eine Überschrift, die über die ganze Breite beider Spalten der Seite hinweg reicht"
    page = [
        *block(50, 100, LEFT), *block(300, 100, RIGHT), Printed(50, 200, wide),
        *block(50, 230, LEFT), *block(300, 230, RIGHT),
    ]  # fmt: skip
    text = content(page)
    assert text.count("Rechts steht Zeile 5") == 2
    assert (
        text.index("Rechts steht Zeile 5")
        < text.index("Eine Überschrift")
        < text.rindex("Links steht Zeile 0")
    )


ROWS = [("Artikel", "Menge", "Preis"), ("Papier", "10", "25,00"), ("Stifte", "5", "7,50")]


@pytest.mark.parametrize("by_column", [False, True], ids=["row by row", "column by column"])
def test_table_when_read_then_rows_stand_on_lines_with_bars(by_column: bool) -> None:
    """Cells of a row are joined by bars, whichever way the file writes them."""
    cells = [
        [Printed(60 + 150 * column, 100 + 14 * row, ROWS[row][column]) for column in range(3)]
        for row in range(3)
    ]
    ordered = zip(*cells, strict=True) if by_column else cells
    text = content(list(chain.from_iterable(ordered)))
    assert text == "Artikel | Menge | Preis\nPapier | 10 | 25,00\nStifte | 5 | 7,50"


def test_cell_when_wrapped_then_stays_in_its_row() -> None:
    """The second line of a cell belongs to the cell."""
    page = [
        Printed(60, 100, "Papier"), Printed(160, 100, "weiß, holzfrei"), Printed(400, 100, "25,00"),
        Printed(160, 110, "und schwer"),
        Printed(60, 130, "Stifte"), Printed(160, 130, "blau"), Printed(400, 130, "7,50"),
    ]  # fmt: skip
    assert content(page) == "Papier | weiß, holzfrei und schwer | 25,00\nStifte | blau | 7,50"


def test_table_when_it_goes_over_the_page_border_then_rows_follow_each_other() -> None:
    """Rows before and behind a page border are rows of one table."""
    first = [
        Printed(60, 700, "Papier"),
        Printed(300, 700, "25,00"),
        Printed(60, 714, "Stifte"),
        Printed(300, 714, "7,50"),
    ]
    second = [
        Printed(60, 100, "Mappen"),
        Printed(300, 100, "3,00"),
        Printed(60, 114, "Ordner"),
        Printed(300, 114, "4,00"),
    ]
    assert content(first, second) == "Papier | 25,00\nStifte | 7,50\nMappen | 3,00\nOrdner | 4,00"


def test_cells_when_several_wrap_in_one_line_then_all_stay_in_their_row() -> None:
    """Lines nearer to the row above than rows are to each other go on with its cells."""
    page = []
    for row, y in enumerate((100, 134, 168)):
        page += [
            Printed(60, y, f"Werkzeug {row}"), Printed(200, y, "zwei Farben,"),
            Printed(400, y, "Verdacht auf"), Printed(200, y + 11, "Kreisvordruck"),
            Printed(400, y + 11, "Depression"),
        ]  # fmt: skip
    rows = [f"Werkzeug {row} | zwei Farben, Kreisvordruck | Verdacht auf Depression" for row in range(3)]
    assert content(page) == "\n".join(rows)


def test_rows_when_all_equally_far_apart_then_none_is_taken_for_a_wrap() -> None:
    """A row whose first cell is empty stays a row where the distances tell nothing."""
    page = [
        Printed(60, 100, "Gruppe eins"), Printed(200, 100, "alpha"), Printed(400, 100, "1,00"),
        Printed(200, 114, "beta"), Printed(400, 114, "2,00"),
        Printed(60, 128, "Gruppe zwei"), Printed(200, 128, "gamma"), Printed(400, 128, "3,00"),
        Printed(200, 142, "delta"), Printed(400, 142, "4,00"),
    ]  # fmt: skip
    assert content(page).splitlines() == [
        "Gruppe eins | alpha | 1,00",
        "| beta | 2,00",
        "Gruppe zwei | gamma | 3,00",
        "| delta | 4,00",
    ]


def test_raised_number_when_in_a_column_then_stays_with_its_word() -> None:
    """A footnote mark in a column is no line of its own before the line that it stands in."""
    left = [f"Links steht Zeile {k} mit viel Text" for k in range(6)]
    page = [*block(50, 100, left[:3]), Printed(50, 136, "Das Wort"), Printed(90.5, 133, "2", 6)]
    page += [Printed(98.5, 136, "steht hier in der Zeile"), *block(50, 148, left[3:])]
    text = content([*page, *block(300, 100, RIGHT)])
    assert "Das Wort ² steht hier in der Zeile" in text


def test_cell_when_empty_then_its_place_is_kept() -> None:
    """A number stands under its heading, also where the cells before it are empty."""
    names = [(60, "Steuerart"), (160, "Warenwert"), (260, "Zuschlag"), (360, "Betrag")]
    page = [Printed(x, 100, name) for x, name in names]
    page += [Printed(60, 114, "Umsatzsteuer"), Printed(160, 114, "64,46"), Printed(360, 114, "12,25")]
    page += [Printed(60, 128, "Gewerbesteuer"), Printed(260, 128, "3,00")]
    assert content(page).splitlines() == [
        "Steuerart | Warenwert | Zuschlag | Betrag",
        "Umsatzsteuer | 64,46 |  | 12,25",
        "Gewerbesteuer |  | 3,00",
    ]


def test_cell_when_it_reaches_over_two_columns_then_nothing_is_guessed() -> None:
    """A cell over several columns leaves its row as it is."""
    page = [Printed(60, 100, "Artikel"), Printed(160, 100, "Menge"), Printed(260, 100, "Preis")]
    page += [Printed(60, 114, "Papier"), Printed(160, 114, "zehn Blatt und noch mehr")]
    assert content(page).splitlines()[1] == "Papier | zehn Blatt und noch mehr"
