"""BM25 weights: what a text knows of itself, without the index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.bm25 import (
    PART_WEIGHT,
    Bm25Parameters,
    encode_document,
    encode_query,
    searchable_text,
    term_number,
    word_parts,
)

PLAIN = Bm25Parameters(saturation=1.2, length_weight=0.75, average_length=4.0)


def test_encode_document_when_length_is_average_then_single_term_weighs_one() -> None:
    """A term that occurs once in a text of average length weighs exactly one."""
    weights = encode_document("Hund Katze Maus Pferd", PLAIN)
    assert weights.values == pytest.approx([1.0] * len(weights.values))


def test_encode_document_when_term_repeats_then_more_but_saturated() -> None:
    """Repetition helps, each time less, and never beyond k + 1."""
    one, two, many = (
        dict(zip(w.indices, w.values, strict=True))[term_number("hund")]
        for w in (encode_document("Hund " * n, PLAIN) for n in (1, 2, 500))
    )
    assert one > two * 0.5
    assert many < PLAIN.saturation + 1


def test_encode_document_when_text_is_long_then_terms_weigh_less() -> None:
    """The same single term counts less in a longer text."""
    number = term_number("hund")
    short = encode_document("Hund Katze", PLAIN)
    long = encode_document("Hund " + "Katze " * 30, PLAIN)
    assert short.values[short.indices.index(number)] > long.values[long.indices.index(number)]


def test_encode_query_when_term_repeats_then_counted_once() -> None:
    """Saying a word twice asks no louder."""
    weights = encode_query("Hund Hunde Katze")
    asked = dict(zip(weights.indices, weights.values, strict=True))
    assert (asked[term_number("hund")], asked[term_number("katz")]) == (1.0, 1.0)
    assert sorted(set(asked.values())) == [PART_WEIGHT, 1.0]


@pytest.mark.parametrize(
    ("asked", "stored"),
    [("Vertrag", "Vertragsdauer"), ("Vertrag", "Mietvertrag"), ("verteidigen", "Verteidigungsfall")],
)
def test_encode_query_when_word_is_part_of_a_compound_then_weak_match(asked: str, stored: str) -> None:
    """Compounds and derived words are found by beginning or end, but weigh less than the word itself."""
    assert 0 < _score(asked, stored) < _score(asked, asked)


@pytest.mark.parametrize("term", ["öl", "2021", "24,5", "§433", "iso9001", "abc"])
def test_word_parts_when_term_is_short_or_no_word_then_none(term: str) -> None:
    """Numbers, codes and short words are matched whole or not at all."""
    assert word_parts(term) == ()


def test_searchable_text_when_path_is_deep_then_title_and_last_two_headings() -> None:
    """Title and the nearest headings are searched with the text, empty ones leave no line."""
    assert searchable_text("BGB", "Buch 2 > Titel 1 > § 433", "Text") == "BGB\nTitel 1\n§ 433\nText"
    assert searchable_text("", "", "Text") == "Text"


@pytest.mark.parametrize("text", ["", "   ", "wer und was", "?!"])
def test_encode_when_nothing_remains_then_empty(text: str) -> None:
    """Texts without search terms give empty vectors, not errors."""
    assert encode_document(text).indices == ()
    assert encode_query(text).indices == ()


def test_term_number_when_asked_on_any_machine_then_this_one() -> None:
    """Numbers are part of stored indexes and may never change."""
    assert term_number("kundig") == 364993697
    assert term_number("hund") == 537448393


@given(st.text(max_size=200))
def test_encode_document_when_any_text_then_a_valid_sparse_vector(text: str) -> None:
    """Indices ascend, are distinct and fit 32 bits; weights are positive."""
    weights = encode_document(text)
    assert list(weights.indices) == sorted(set(weights.indices))
    assert all(0 <= index < 2**32 for index in weights.indices)
    assert all(value > 0 for value in weights.values)
    assert len(weights.indices) == len(weights.values)


def _score(question: str, text: str) -> float:
    asked, stored = encode_query(question), encode_document(text)
    weights = dict(zip(stored.indices, stored.values, strict=True))
    return sum(
        weight * weights.get(index, 0.0) for index, weight in zip(asked.indices, asked.values, strict=True)
    )
