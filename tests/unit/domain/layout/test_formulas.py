"""Formulas and labels of figures: read as the file writes them, never as text or tables."""

from page_kit import Printed, block, content

LETTERS, SIGNS = "ABCDEF+CMMI10", "ABCDEF+CMSY10"
TEXT = ["Es sei eine Folge von Zahlen gegeben, deren Summe", "hier als Beispiel berechnet wird, und zwar so:"]


def letter(x: float, y: float, text: str, size: float = 10.0) -> Printed:
    """Print letters of a formula."""
    return Printed(x, y, text, size, font=LETTERS)


def test_sum_when_it_has_limits_then_all_of_it_is_one_line() -> None:
    """Limits above and below a sign stay with it, in the order of the file."""
    formula = [
        letter(100, 150, "S"), Printed(109, 150, "=", font=SIGNS), letter(122, 139, "n", 7),
        Printed(120, 150, "∑", font=SIGNS), letter(118, 161, "k=0", 7), letter(132, 150, "x"),
    ]  # fmt: skip
    assert "S = n ∑ k=0 x" in content([*block(50, 100, TEXT), *formula])


def test_matrix_when_read_then_its_rows_follow_each_other_between_brackets() -> None:
    """Rows of a matrix are read one after the other, without bars."""
    matrix = [
        letter(100, 150, "M ="), Printed(125, 150, "(", font=SIGNS), letter(132, 144, "a"),
        letter(150, 144, "b"), letter(132, 157, "c"), letter(150, 157, "d"),
        Printed(157, 150, ")", font=SIGNS),
    ]  # fmt: skip
    assert "a b c d" in content([*block(50, 100, TEXT), *matrix])


def test_letters_when_only_their_slant_parts_them_then_no_blank() -> None:
    """The slant of a letter makes a gap that is no blank; the thin space behind a comma is one."""
    page = [*block(50, 100, TEXT), letter(100, 150, "PQ,"), letter(116.7, 150, "R"), letter(123.2, 150, "S")]
    assert "PQ, RS" in content(page)


def test_figures_side_by_side_when_read_then_each_is_whole() -> None:
    """Labels of two figures at the same heights are read figure by figure, each with its caption."""
    left = [
        letter(100, 150, "a"),
        letter(130, 170, "b"),
        letter(110, 190, "c"),
        Printed(100, 210, "(a) Links", 8),
    ]
    right = [
        letter(300, 150, "x"),
        letter(330, 170, "y"),
        letter(310, 190, "z"),
        Printed(300, 210, "(b) Rechts", 8),
    ]
    words = content([*block(50, 100, TEXT), *left, *right]).split()
    assert words[-10:] == ["a", "b", "c", "(a)", "Links", "x", "y", "z", "(b)", "Rechts"]


def test_stars_when_nothing_but_stars_follows_then_no_list() -> None:
    """A row of stars or minus signs is no list item."""
    assert content([*block(50, 100, TEXT), Printed(50, 150, "* * * * *")]).endswith("\n\n* * * * *")
