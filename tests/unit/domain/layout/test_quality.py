"""Pages whose text cannot be used are told from those that have none and those that are pictures."""

import pytest
from page_kit import Printed, set_page

from fundstelle.domain.documents import MarkKind, PageQuality
from fundstelle.domain.layout.assembly import layout_page
from fundstelle.domain.layout.language import guess_language
from fundstelle.domain.layout.page import RawPage
from fundstelle.domain.layout.quality import judge_quality

GERMAN = "Die Kündigung ist schriftlich zu erklären und wird zum Monatsende wirksam."


@pytest.mark.parametrize(
    ("text", "quality"),
    [
        (GERMAN, PageQuality.GOOD),
        ("2024 17 4711 3,50 12.03.2024 100 %", PageQuality.GOOD),
        ('"7+%-', PageQuality.GARBLED),
        ("\ue001\ue002\ue003 \ue004\ue005 \ue006\ue007", PageQuality.GARBLED),
        ("\x01\x02\x03\x04 \x05\x06\x07", PageQuality.GARBLED),
        ("0LWJOLHG LP YHUHLQ ZHUGHQ XQG NHQQH GLH 9HUHLQVVWDWXWHQ GHU *HVHOOVFKDIW", PageQuality.GARBLED),
        ("bcdf ghjk lmnp qrst vwxz bcdf ghjk lmnp qrst vwxz bcdf ghjk lmnp", PageQuality.GARBLED),
    ],
)
def test_text_when_judged_then_garbled_only_without_meaning(text: str, quality: PageQuality) -> None:
    """Control characters, private characters and words without vowels are no text; numbers are."""
    judged, reason = judge_quality(set_page([Printed(60, 100, text)]))
    assert judged is quality
    assert bool(reason) is (quality is not PageQuality.GOOD)


@pytest.mark.parametrize(("cover", "quality"), [(0.0, PageQuality.EMPTY), (0.9, PageQuality.SCANNED)])
def test_page_without_text_when_judged_then_empty_or_scanned(cover: float, quality: PageQuality) -> None:
    """A page that an image covers needs OCR; one without anything is just empty."""
    assert judge_quality(RawPage(1, None, 595, 842, image_cover=cover))[0] is quality


def test_page_with_hidden_text_only_when_judged_then_empty() -> None:
    """Text that nobody can see does not make a page readable."""
    quality, reason = judge_quality(set_page([Printed(60, 100, GERMAN, hidden=4)]))
    assert quality is PageQuality.EMPTY
    assert "hidden" in reason


def test_hidden_words_when_laid_out_then_marked_and_left_out() -> None:
    """What a reader cannot see is in no line; the mark says why."""
    page = layout_page(set_page([Printed(60, 100, "sichtbar"), Printed(60, 120, "ganz weiß", hidden=4)]))
    assert [line.text for line in page.lines] == ["sichtbar"]
    (mark,) = page.hidden
    assert mark.kind is MarkKind.HIDDEN
    assert page.text[mark.raw_start : mark.raw_end] == "ganz weiß"
    assert mark.reason


@pytest.mark.parametrize(
    ("text", "language"),
    [(GERMAN * 2, "de"), ("The notice is to be given in writing and it is effective.", "en"), ("4711", None)],
)
def test_language_when_guessed_then_by_small_words(text: str, language: str | None) -> None:
    """German and English are told apart; numbers have no language."""
    assert guess_language(text) == language
