"""Plain text: wrapped lines become paragraphs, lists and verse stay lines, headings are recognised."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_documents import check_document, read_bytes

from fundstelle.adapters.readers import text_formats_source
from fundstelle.adapters.readers.plain import PlainTextReader
from fundstelle.domain.documents import DocumentText, MediaType, RecognisedBy, Verdict

Read = Callable[[str], DocumentText]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Read a string as a plain text file."""
    folder = tmp_path_factory.mktemp("plain")

    def read_plain(source: str) -> DocumentText:
        data = source.encode("utf-8", "surrogatepass")
        document = read_bytes(PlainTextReader(), data, MediaType.TEXT, folder)
        check_document(document)
        return document

    return read_plain


VERSE = "Der Mond ist aufgegangen,\nDie goldnen Sternlein prangen\nAm Himmel hell und klar."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Dies ist ein Absatz, der hart umbro-\nchen ist, die E-\nMail sowie Ein-\nund Ausgang.",
            "Dies ist ein Absatz, der hart umbrochen ist, die E-Mail sowie Ein- und Ausgang.",
        ),
        ("Eins\r\n\r\nZwei\f\fDrei", "Eins\n\nZwei\n\nDrei"),
        (VERSE, VERSE),
        ("Firma Müller\nHauptstr. 5\n12345 Berlin", "Firma Müller\nHauptstr. 5\n12345 Berlin"),
        (
            "Liste:\n- Äpfel\n- Birnen,\n  reif\n  - klein\n• Nüsse",
            "Liste:\n\n- Äpfel\n- Birnen, reif\n  - klein\n- Nüsse",
        ),
        ("1. Apfel\n\n2. Birne\n\n3. Nuss", "1. Apfel\n2. Birne\n3. Nuss"),
        ("a) eins\nb) zwei", "a) eins\nb) zwei"),
        ("(1) Erster Absatz.\n(2) Zweiter Absatz.", "(1) Erster Absatz.\n\n(2) Zweiter Absatz."),
        ("Name    Alter\nMax     5", "Name | Alter\nMax | 5"),
        ("| A | B |\n|---|---|\n| 1 | 2 |", "A | B\n1 | 2"),
        ("U\u0308bersicht § 5\u00a0Abs. 2", "Übersicht § 5 Abs. 2"),
        ("Oben\n\n-----\n\nUnten", "Oben\n\nUnten"),
        ("Das geschah in dem langen Jahr vor dem großen Krieg am\n1. Januar und endete.", None),
    ],
)
def test_read_when_plain_text_is_given_then_the_text_follows_the_convention(
    read: Read, source: str, expected: str | None
) -> None:
    """Paragraphs are re-flowed; lists, tables, verse and addresses keep their lines."""
    assert read(source).text.removesuffix("\n\n") == (expected or " ".join(source.split()))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Titel\n=====\n\nText.\n\nUnter\n-----\nText.", [(1, "Titel"), (2, "Unter")]),
        (
            "Kapitel 4\n\nText.\n\n4.1 Zweck der Regel\n\nText.",
            [(1, "Kapitel 4"), (2, "4.1 Zweck der Regel")],
        ),
        (
            "1 Anfang\n\nText.\n\n1.1 Mitte\n\nText.\n\n2 Ende\n\nText.",
            [(1, "1 Anfang"), (2, "1.1 Mitte"), (1, "2 Ende")],
        ),
        (
            "Erster Abschnitt\n\n§ 5 Kündigung\nDer Vertrag endet.",
            [(1, "Erster Abschnitt"), (2, "§ 5 Kündigung")],
        ),
        (
            "ALLGEMEINE HINWEISE\n\nDas ist ein Text.\n\nNoch einer.\n\nUnd einer.",
            [(1, "ALLGEMEINE HINWEISE")],
        ),
        ("§ 433 Abs. 1 BGB verpflichtet\nDen Verkäufer.", []),
        ("§ 5 gilt entsprechend.", []),
        ("1. Januar 2024", []),
        ("1.1 Titel ........ 5\n\nText", []),
        ("ALLES IST GROSS\n\nAUCH DAS HIER\n\nUND DAS AUCH", []),
        ("Äpfel\n\n1. Sorte\n\n2. Sorte\n\nText", []),
        ("Das kostet 5 Euro\n\nText", []),
    ],
)
def test_read_when_lines_stand_out_then_headings_are_recognised(
    read: Read, source: str, expected: list[tuple[int, str]]
) -> None:
    """Underlines, numbers, keywords and lonely capitals make headings; sentences and items do not."""
    document = read(source)
    assert [(heading.level, heading.title) for heading in document.headings] == expected
    assert {heading.recognised_by for heading in document.headings} <= {RecognisedBy.NUMBERING}


@pytest.mark.parametrize(
    ("data", "verdict"),
    [(b"", Verdict.NO_TEXT), (b" \n\t\n", Verdict.NO_TEXT), (bytes(range(256)) * 9, Verdict.GARBLED)],
)
def test_read_when_there_is_nothing_to_read_then_the_verdict_says_so(
    tmp_path: Path, data: bytes, verdict: Verdict
) -> None:
    """Empty files and binary garbage end in a verdict, never in an exception."""
    document = read_bytes(PlainTextReader(), data, MediaType.TEXT, tmp_path)
    assert document.verdict is verdict
    assert document.verdict_detail


def test_read_when_the_text_is_over_the_limit_then_it_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text over the limit is refused with a verdict."""
    monkeypatch.setattr(text_formats_source, "MAX_BYTES", 10)
    document = read_bytes(PlainTextReader(), b"a" * 11, MediaType.TEXT, tmp_path)
    assert document.verdict is Verdict.TOO_LARGE


def test_read_when_umlauts_are_in_an_old_encoding_then_they_are_read(tmp_path: Path) -> None:
    """Windows-1252 is read as such."""
    document = read_bytes(PlainTextReader(), "Größe über „Maß“".encode("cp1252"), MediaType.TEXT, tmp_path)
    assert document.text == "Größe über „Maß“\n\n"


def test_read_when_a_word_is_cut_then_its_end_leads_to_the_second_line(read: Read) -> None:
    """The map leads from a joined word back to both lines."""
    page = read("Der Ver-\nsand ist teuer und auch langsam.").pages[0]
    assert page.offset_map.to_raw(4, 11) == (4, 13)


PIECES = [
    "a",
    "Wort ",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "  ",
    "====\n",
    "§ 5 ",
    "(1) ",
    "|",
    "   ",
    "\t",
    "-\n",
    "\u00ad\n",
    "\f",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=80))
def test_read_when_plain_text_is_anything_then_all_places_hold(read: Read, source: str) -> None:
    """No text breaks the map or the headings."""
    read(source)


@given(st.lists(st.sampled_from(["wort", "Größe", "x1", "Ende.", "\n", "\n\n"]), min_size=1, max_size=30))
def test_read_when_words_are_given_then_none_is_lost(read: Read, words: list[str]) -> None:
    """Whatever the layout, every word comes out in order."""
    assert read(" ".join(words)).text.split() == " ".join(words).split()
