"""Blocks of normalised text: paragraphs, lists, tables, kept lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.blocks import BlockKind, is_table_row, split_blocks


@pytest.mark.parametrize(
    ("text", "kind", "rows"),
    [
        ("Ein Absatz. Noch ein Satz.", BlockKind.PARAGRAPH, 1),
        ("(1) Ein Absatz eines Gesetzes. Satz 2.", BlockKind.PARAGRAPH, 1),
        ("- eins\n- zwei", BlockKind.LIST, 2),
        ("1. eins\n2. zwei\n  a) drei", BlockKind.LIST, 3),
        ("Es gilt:\n- eins\n- zwei", BlockKind.LIST, 3),
        ("- eins\n  geht weiter\n- zwei", BlockKind.LIST, 2),
        ("A | B\n1 | 2", BlockKind.TABLE, 2),
        ("A | B\n1 |\n | 2", BlockKind.TABLE, 3),
        ("A | B", BlockKind.PARAGRAPH, 1),
        ("def f():\n    return 1", BlockKind.LINES, 2),
        ("Am 3. Mai\nkam er.", BlockKind.LINES, 2),
    ],
)
def test_split_blocks_when_one_block_then_its_kind_and_rows(text: str, kind: BlockKind, rows: int) -> None:
    """A block's kind follows from its lines alone."""
    (block,) = split_blocks(text)
    assert (block.kind, len(block.rows)) == (kind, rows)


def test_split_blocks_when_items_are_nested_then_rows_at_visible_text() -> None:
    """A nested item begins at its marker, not at its indentation."""
    text = "- eins\n  - zwei"
    (block,) = split_blocks(text)
    assert [text[row:] for row in block.rows] == [text, "- zwei"]


def test_split_blocks_when_a_table_then_its_header_row_is_known() -> None:
    """The first row ends before its line end."""
    text = "Vorher.\n\nA | B\n1 | 2"
    _, table = split_blocks(text)
    assert text[table.char_start : table.first_row_end] == "A | B"


def test_split_blocks_when_a_range_then_offsets_of_the_whole_text() -> None:
    """Offsets count from the beginning of the text, not of the range."""
    (block,) = split_blocks("eins\n\nzwei\n\ndrei", 6, 12)
    assert (block.char_start, block.char_end) == (6, 10)


@given(st.text(alphabet="ab-1.| \n\t", max_size=80))
def test_split_blocks_when_any_text_then_every_visible_character_is_held(text: str) -> None:
    """Blocks are in order, do not overlap, and leave out white space only."""
    position = 0
    for block in split_blocks(text):
        assert not text[position : block.char_start].strip()
        assert block.char_start == block.rows[0] < block.char_end
        assert list(block.rows) == sorted(set(block.rows))
        position = block.char_end
    assert not text[position:].strip()


@pytest.mark.parametrize(
    ("line", "expected"), [("a | b", True), ("a |", True), ("| a", True), ("a|b", False), ("a || b", False)]
)
def test_is_table_row_when_asked_then_a_bar_between_blanks_decides(line: str, expected: bool) -> None:
    """Only cells joined as the reader joins them make a row."""
    assert is_table_row(line) is expected
