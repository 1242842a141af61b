"""Stems meet where words are forms of one word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.text.stem import stem


@pytest.mark.parametrize(
    ("word", "sensitive", "insensitive"),
    [
        ("Speicherbehältern", "speicherbehalt", "speicherbehal"),
        ("Grenzpostens", "grenzpost", "grenzpo"),
        ("Ausgefeiltere", "ausgefeilt", "ausgefeil"),
    ],
)
def test_stem_when_given_published_examples_then_as_published(
    word: str, sensitive: str, insensitive: str
) -> None:
    """The examples that the published reference gives come out the same."""
    assert stem(word) == sensitive
    assert stem(word, ignore_case=True) == insensitive


@pytest.mark.parametrize(
    "forms",
    [
        ("Haus", "Hause", "Häuser", "Häusern"),
        ("Straße", "Straßen", "Strasse", "STRASSE"),
        ("kündigen", "gekündigt", "kündigte"),
        ("Verträge", "Vertrag", "Vertrages"),
        ("Schüler", "Schülern", "Schülers"),
    ],
)
def test_stem_when_words_are_forms_of_one_then_equal(forms: tuple[str, ...]) -> None:
    """Cases, plurals and participles of one word share a stem."""
    assert len({stem(form, ignore_case=True) for form in forms}) == 1


@pytest.mark.parametrize(
    ("word", "expected"), [("Tanne", "tann"), ("Schiff", "schiff"), ("Kaffee", "kaffee")]
)
def test_stem_when_letters_are_doubled_then_the_pair_stays(word: str, expected: str) -> None:
    """Doubled letters are not cut apart."""
    assert stem(word) == expected


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöüß", max_size=20))
def test_stem_when_any_word_then_short_words_live_and_nothing_grows(word: str) -> None:
    """A stem is never empty for a word, nor longer than its folded word."""
    result = stem(word)
    assert bool(result) == bool(word)
    assert len(result) <= len(word.replace("ß", "ss"))
