"""Sentences: German periods that end nothing, quotes, brackets, lists, and laws that always hold."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.text.sentences import split_sentences


def split(text: str) -> list[str]:
    """Split and fold white space, as the truth of the cases does."""
    return [" ".join(text[start:end].split()) for start, end in split_sentences(text)]


def test_split_when_shared_cases_are_read_then_nearly_all_are_exact(shared_data: Path) -> None:
    """At least 66 of the 67 shared texts are split exactly as their truth says."""
    lines = (shared_data / "text" / "sentences_de.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = [case["text"] for case in cases if split(case["text"]) != case["sentences"]]
    assert len(cases) - len(wrong) >= min(66, len(cases)), wrong


@pytest.mark.parametrize(
    "text",
    [
        "Die Firma zahlt i. d. R. am 3. Oktober, z. B. per Scheck.",
        "Nach § 5 Abs. 2 Nr. 3 BGB i. V. m. Art. 3 GG ist das so.",
        "Gem. § 12 Abs. 2 gilt das ggf. auch für Ihre Angehörigen.",
        "Prof. Dr. med. h. c. A. Meier wohnt in der Hauptstr. 5 in St. Gallen.",
        "Er lebte im 3. Jh. v. Chr. in Rom.",
        "Dipl.-Ing. Müller kam am Mo., 5. Dez. in den 2. Stock.",
        "Es gilt Version 2.1.3 von https://www.example.de/pfad.html?x=1 bis heute.",
        "Schreiben Sie an max.muster@example.de oder rufen Sie an.",
        "Karl der V. regierte lange und Ludwig XIV. ebenso.",
        "Das steht in Bd. 3, Kap. 4, S. 5 ff. BGB.",
        "Es waren 83 Mio. Einwohner und 2 Mrd. Euro.",
        "Er sagte ... nichts.",
        "Das gilt (vgl. S. 5 ff.) Anwendern als sicher.",
        "Der Text [...] Teil eins bleibt.",
        "Kapitel 1. Der Anfang.",
        "Der Film „Wer bin ich?“ lief gestern.",
        "Sie haben (endlich!) Erfolg.",
        "J. R. R. Tolkien schrieb es.",
    ],
)
def test_split_when_periods_end_nothing_then_it_is_one_sentence(text: str) -> None:
    """Abbreviations, ordinals, initials, numerals, addresses and omissions end no sentence."""
    assert split(text) == [text]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Er zahlt 5 Mio. Euro.", "Das ist viel."],
        ["Sie hat 3 Mio.", "Die Firma hat mehr."],
        ["Es gibt Äpfel usw.", "Birnen fehlen."],
        ["Das kostet 5 kg.", "Peter wiegt mehr."],
        ["Wir wählen Option B.", "Danach gehen wir."],
        ["Das war 1985.", "Peter kam später."],
        ["Ich bin 18.", "Peter ist 20."],
        ["Die Wahl fand am 26.9. statt.", "Am 3. nicht."],
        ["Siehe Anlage 3.", "Anlage 4 fehlt."],
        ["Der Satz endet.¹", "Der nächste beginnt.[2]", "Ende."],
        ["Der Satz endet hier.12", "Der nächste beginnt."],
        ["Es gibt drei: 1. Hunde.", "2. Katzen.", "3. Mäuse."],
        ["a) Erstens.", "b) Zweitens."],
        ["(1) Der Mieter zahlt.", "(2) Der Vermieter liefert."],
        ["§ 433 gilt.", "§ 434 Abs. 2 bleibt."],
        ["„Komm!“, rief er.", "„Ich komme.“", "Sie ging."],
        ["»Wer? Ich?«", "Er ging."],
        [",,Guten Tag!”", "Er ging weiter."],
        ['Er sagte: "Ich komme. Warte auf mich."', "Dann ging er."],
        ["(Siehe Kap. 2. Dort steht mehr.)", "Weiter geht es."],
        ["Was?!", "Wirklich??", "Ja!"],
        ["Mr. Smith met Dr. Jones at 5 p.m.", "It was raining."],
        ["The U.S. Army arrived.", "See Fig. 3 for details."],
    ],
)
def test_split_when_sentences_follow_each_other_then_each_stands_alone(sentences: list[str]) -> None:
    """Real ends of sentences are found, German first, English too."""
    assert split(" ".join(sentences)) == sentences


def test_split_when_lines_are_items_or_rows_then_none_runs_into_the_next() -> None:
    """List items and table rows are sentences of their own; a wrapped line is not."""
    text = "Einkauf:\n- Äpfel\n- Birnen\n  - reife\n\nName | Alter\nMax | 5\n\nEin langer\nSatz."
    expected = ["Einkauf:", "- Äpfel", "- Birnen", "- reife", "Name | Alter", "Max | 5", "Ein langer Satz."]
    assert split(text) == expected


def test_split_when_a_quote_never_closes_then_its_sentences_are_split_all_the_same() -> None:
    """An opening quote without end does not glue the rest of the text together."""
    assert split("„Er kam. Sie ging. Wir blieben.") == ["„Er kam.", "Sie ging.", "Wir blieben."]


def test_split_when_a_quote_is_very_long_then_it_is_split_inside() -> None:
    """A quote of many sentences does not become one sentence that no chunk can hold."""
    assert len(split("„" + "Das ist ein Satz. " * 100 + "Ende.“")) > 50


TEXTS = st.text(alphabet=st.sampled_from(list("aAzZ1.!?:;,…„“»«\"'()[]§-–|¹ \n\tÄß€")), max_size=120)


@given(TEXTS | st.text(max_size=80))
def test_split_when_text_is_anything_then_spans_cover_it_in_order(text: str) -> None:
    """Spans are ordered and disjoint, trimmed, cover all that is no white space, and cross no blank line."""
    spans = split_sentences(text)
    at = 0
    for start, end in spans:
        assert start >= at
        assert start < end
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert "\n\n" not in text[start:end]
        at = end
    assert not text[at:].strip()


@pytest.mark.parametrize(
    "piece", [".", ". ", "„", '"a" "', "(", "A.) ", "1. ", "A. B. ", "- a\n", "„Wort. ", "\n", "?! "]
)
def test_split_when_text_is_hostile_then_time_stays_linear(piece: str) -> None:
    """A hundred thousand characters of one kind take no more than seconds even on a slow machine."""
    begin = time.process_time()
    split_sentences(piece * (100_000 // len(piece)))
    assert time.process_time() - begin < 5


def test_split_sentences_when_a_cell_of_a_table_ends_with_a_stop_then_the_row_stays_whole() -> None:
    """A table row is one sentence: cut in two, it would lose what stands in its other cells."""
    text = "Werkzeug | Dauer | Material\nLebenslinie | 90 Min. | Seil. Steine\n\nEin Satz. Noch einer."
    found = [text[start:end] for start, end in split_sentences(text)]
    assert found == [
        "Werkzeug | Dauer | Material",
        "Lebenslinie | 90 Min. | Seil. Steine",
        "Ein Satz.",
        "Noch einer.",
    ]
