"""Hyphens at line ends: dropped, kept, or standing for a part left out."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.text.hyphenation import HyphenJoin, collect_words, decide_hyphen, dehyphenate


def test_dehyphenate_when_shared_cases_are_read_then_all_are_exact(shared_data: Path) -> None:
    """Every shared case of dehyphenation gives exactly what is expected."""
    cases = [
        json.loads(line) for line in (shared_data / "text" / "cases.jsonl").read_text("utf-8").splitlines()
    ]
    cases = [case for case in cases if case["kind"] == "dehyphenate"]
    assert cases
    assert [dehyphenate(case["input"]) for case in cases] == [case["expect"] for case in cases]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ver-\nsand", "Versand"),
        ("Ver-\r\n  sand", "Versand"),
        ("Ein-\nund Ausgang", "Ein- und Ausgang"),
        ("Haupt-\noder Nebenwohnung", "Haupt- oder Nebenwohnung"),
        ("Kosten-\nbzw. Nutzenseite", "Kosten- bzw. Nutzenseite"),
        ("Vor-\nals Nachteile", "Vor- als Nachteile"),
        ("zwei-\nbis dreimal", "zwei- bis dreimal"),
        ("Kür-\nbis", "Kürbis"),
        ("den-\nnoch", "dennoch"),
        ("Baden-\nWürttemberg", "Baden-Württemberg"),
        ("E-\nMail und E-\nmail", "E-Mail und E-mail"),
        ("EU-\nweit", "EU-weit"),
        ("2-\njährig", "2-jährig"),
        ("Nord-\nSüd-Achse", "Nord-Süd-Achse"),
        ("Know-\nhow", "Know-how"),
        ("Mund-\nzu-Mund", "Mund-zu-Mund"),
        ("deutsch-\nfranzösische", "deutsch-französische"),
        ("Poli\u00ad\ntik", "Politik"),
        ("Baden\u00ad\nWürttemberg", "Baden-Württemberg"),
        ("Ein\u00ad und Ausgang", "Ein- und Ausgang"),
        ("Wert\u00adpapier", "Wertpapier"),
        ("gefähr\x02lich", "gefährlich"),
        ("gefähr\ufffe\r\nlich", "gefährlich"),
        ("Ein\x02und Ausgang", "Ein- und Ausgang"),
        ("Wort -\nNächstes", "Wort - Nächstes"),
        ("Ver-\n\nsand", "Ver-\n\nsand"),
        ("erste Zeile\nzweite Zeile", "erste Zeile\nzweite Zeile"),
    ],
)
def test_dehyphenate_when_a_line_end_cuts_then_the_word_is_as_it_is_spelled(text: str, expected: str) -> None:
    """Cut words are joined, real and suspended hyphens stay, other line ends stay."""
    assert dehyphenate(text) == expected


def test_decide_when_the_document_knows_the_word_then_that_overrules_the_rules() -> None:
    """A joined word seen elsewhere drops the hyphen before a capital; a hyphenated one keeps it."""
    assert decide_hyphen("KÜNDI", "GUNG", soft=False, words={"kündigung"}) is HyphenJoin.DROP
    assert decide_hyphen("nicht", "ehelich", soft=False, words={"nicht-ehelich"}) is HyphenJoin.KEEP
    assert decide_hyphen("KÜNDI", "GUNG", soft=False) is HyphenJoin.KEEP


def test_collect_words_when_words_have_hyphens_then_they_are_kept_whole() -> None:
    """The words of a document are collected in lower case with their hyphens."""
    assert collect_words("Die E-Mail an Köln.") == {"die", "e-mail", "an", "köln"}


@given(st.text(alphabet=st.sampled_from(list("aB1-\u00ad\x02\ufffe \n\r.(")), max_size=60))
def test_dehyphenate_when_text_is_anything_then_no_sign_of_extraction_is_left(text: str) -> None:
    """Soft hyphens never remain, and no letter is lost or moved."""
    joined = dehyphenate(text)
    assert "\u00ad" not in joined
    assert [sign for sign in joined if sign.isalnum()] == [sign for sign in text if sign.isalnum()]
