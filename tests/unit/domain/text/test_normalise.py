"""Characters in one form, each leading back to where it stood."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.text.normalise import normalise_characters


def normalised(raw: str) -> str:
    """Normalise and leave the map aside."""
    return normalise_characters(raw)[0]


def test_normalise_when_shared_cases_are_read_then_all_are_exact(shared_data: Path) -> None:
    """Every shared case of normalisation gives exactly what is expected."""
    cases = [
        json.loads(line) for line in (shared_data / "text" / "cases.jsonl").read_text("utf-8").splitlines()
    ]
    cases = [case for case in cases if case["kind"] == "normalise"]
    assert cases
    assert [normalised(case["input"]) for case in cases] == [case["expect"] for case in cases]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Auﬂage ﬁnanziell Stoﬀe Geﬃ ﬄ ﬆ", "Auflage finanziell Stoffe Geffi ffl st"),
        ("U\u0308bersicht Gro\u0308ße", "Übersicht Größe"),
        ("a\u200b\u0308", "ä"),
        ("f¨ur H¨auser", "für Häuser"),
        ("fu¨r Ha¨user", "für Häuser"),
        ("caf´e und geht´s", "café und geht´s"),
        ("Wert\u00adpapier", "Wertpapier"),
        ("null\u200bbreit \ufeffBOM \u2060x", "nullbreit BOM x"),
        ("§\u00a05 und 10\u202f000", "§ 5 und 10 000"),
        ("SdT\x02Community gefähr\x02lich", "SdT-Community gefährlich"),
        ("gefähr\ufffelich", "gefährlich"),
        ("Poli\u00ad\ntik", "Poli-\ntik"),
        ("\uf0b7 Punkt \uf0fc \ue123", "• Punkt ✓ "),
        ("a\r\nb\rc\x0bd\u2028e", "a\nb\nc\nd\ne"),
        ("null\x00 und \x07 weg", "null und  weg"),
        ("5–6 — −7 … „x“ ‚y‘", "5–6 — −7 … „x“ ‚y‘"),
        ("Nicht\u2011trennen \u2010", "Nicht-trennen -"),
        ("ﻻ", "لا"),
        ("\u2126 \u212b", "Ω Å"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_normalise_when_a_character_is_unusual_then_it_takes_its_usual_form(raw: str, expected: str) -> None:
    """Ligatures, accents, blanks, invisible and private characters are brought into one form."""
    assert normalised(raw) == expected


SIGNS = (
    "aAuoe ¨´\u0308\u0323\u0301ﬁﬄ\u00ad\u200b\u200d\u00a0\r\n\x02\ufffe\x00"
    "\ue000\uf0b7\u1100\u1161\u11a8ß…ﻻ\u0627\u0653"
)


@given(st.text(alphabet=st.sampled_from(list(SIGNS)), max_size=40) | st.text(max_size=40))
def test_normalise_when_text_is_anything_then_the_map_is_exact(raw: str) -> None:
    """Runs are sorted and inside both texts; runs of equal length hold the same characters."""
    text, offsets = normalise_characters(raw)
    assert unicodedata.is_normalized("NFC", text)
    at = 0
    for run in offsets.runs:
        assert at <= run.norm_start < run.norm_end <= len(text)
        assert 0 <= run.raw_start < run.raw_end <= len(raw)
        at = run.norm_end
        if run.norm_end - run.norm_start == run.raw_end - run.raw_start:
            for offset in range(run.norm_end - run.norm_start):
                source = raw[run.raw_start + offset]
                if source not in "\x02\ufffe\u00ad\u200c\u200d":  # decided by what stands around them
                    assert normalised(source) == text[run.norm_start + offset]


@given(st.text(alphabet=st.sampled_from(list(SIGNS)), max_size=30))
def test_normalise_when_all_is_mapped_then_raw_starts_never_go_back(raw: str) -> None:
    """The map keeps the order of the raw text."""
    _, offsets = normalise_characters(raw)
    starts = [run.raw_start for run in offsets.runs]
    assert starts == sorted(starts)
