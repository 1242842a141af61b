"""Search terms: every spelling that a person may type meets every spelling in a text."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.text.terms import STOP_WORDS, fold, index_terms


def test_index_terms_when_shared_search_cases_then_every_query_hits(shared_data: Path) -> None:
    """All search cases of the shared data share a term with their document."""
    lines = (shared_data / "text" / "cases.jsonl").read_text("utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["kind"] == "search"]
    assert cases
    for case in cases:
        found = set(index_terms(" ".join(case["documents"])))
        for query in case["queries"]:
            assert found & set(index_terms(query)), query


@pytest.mark.parametrize(
    "spellings",
    [
        ("Kündigung", "Kuendigung", "KÜNDIGUNG", "kündigen", "gekündigt", "Kündigungen", "kuendigen"),
        ("Straße", "Strasse", "STRASSE", "Straßen", "STRAẞE"),
        ("Öl", "Oel", "öl", "ÖL"),
        ("Ärger", "Aerger"),
        ("Café", "Cafe"),
        ("Änderung", unicodedata.normalize("NFD", "Änderung"), "Aenderungen"),
        ("12.05.2021", "12. Mai 2021", "12.5.2021", "12. 5. 2021"),
        ("1.000.000", "1000000"),
        ("24,5", "24.5"),
        ("E-Mail", "Email", "e-mail"),
        ("ISO-9001", "ISO9001"),
    ],
)
def test_index_terms_when_spelled_differently_then_a_term_is_shared(spellings: tuple[str, ...]) -> None:
    """Spellings and forms of one thing have a term in common."""
    common = set(index_terms(spellings[0]))
    for spelling in spellings:
        common &= set(index_terms(spelling))
    assert common


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("§ 433 Abs. 1", {"§433", "433"}),
        ("§433", {"§433"}),
        ("Paragraph 433", {"§433"}),
        ("§ 312a", {"§312a"}),
        ("DIN EN ISO 9001:2015", {"iso", "9001", "2015"}),
        ("in den 1990er Jahren", {"1990"}),
        ("am 12.05.2021", {"2021-5-12", "2021"}),
        ("Vitamin B", {"b"}),
    ],
)
def test_index_terms_when_numbers_and_codes_then_kept(text: str, expected: set[str]) -> None:
    """Numbers, sections of a law and codes stay findable."""
    assert expected <= set(index_terms(text))


def test_index_terms_when_words_say_nothing_then_left_out() -> None:
    """Stop words and phrases such as `z. B.` give no terms, in whatever spelling."""
    assert index_terms("Wer hat das denn z. B. für über FÜR fuer ueber?") == []


def test_index_terms_when_word_repeats_then_repeats_in_order() -> None:
    """Order and repetition are kept: the weighing needs them."""
    assert index_terms("Hund Katze Hund") == ["hund", "katz", "hund"]


def test_stop_words_when_listed_then_folded() -> None:
    """The list is written the way `fold` writes."""
    assert {word for word in STOP_WORDS if fold(word) != word} == set()


@pytest.mark.parametrize("word", ["neue", "Steuer", "bauen", "Quelle", "Frauen"])
def test_fold_when_ue_is_no_umlaut_then_kept(word: str) -> None:
    """`ue` after a vowel or q is two sounds."""
    assert fold(word) == word.lower()


@pytest.mark.parametrize("unit", ["nese", "x", "12", "a-", "ä"])
def test_index_terms_when_word_is_endless_then_quick_and_whole(unit: str) -> None:
    """A text without a blank is one term, not a trap."""
    terms = index_terms(unit * 50_000)
    assert terms


@given(st.text(max_size=80))
def test_index_terms_when_any_text_then_terms_are_clean(text: str) -> None:
    """Whatever comes in, terms are not empty, hold no white space, and case does not matter to them."""
    terms = index_terms(text)
    assert all(term and not any(sign.isspace() for sign in term) for term in terms)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöüß ", max_size=60))
def test_index_terms_when_text_is_shouted_then_the_same_terms(text: str) -> None:
    """Upper and lower case give the same terms."""
    assert index_terms(text) == index_terms(text.upper())
