"""Judge whether the text of a page can be used."""

import re

from fundstelle.domain.documents import PageQuality
from fundstelle.domain.layout.page import RawPage

_SCAN_COVER = 0.3
_FEW_CHARS = 20
_MIN_CHARS = 4
_MIN_PLAUSIBLE = 0.5
_MAX_BROKEN = 0.2
_BROKEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\ufdd0-\ufdef]")
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")
_LATIN_WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{3,}")
_VOWEL = re.compile(r"[aeiouyäöüAEIOUYÄÖÜ]")
_SAMPLE, _MIN_LETTERS = 1_000, 40
_MIN_VOWELS = 0.21
"""German and English have two vowels in five letters; a text shifted by a font's own code one in seven."""


def judge_quality(page: RawPage) -> tuple[PageQuality, str]:
    """Judge one page.

    Returns:
        The quality and the reason, one clause for people; the reason of a good page is empty.
    """
    hidden = bool(page.starts) and len(page.hidden) == len(page.starts) and all(page.hidden)
    if not page.starts or hidden:
        if page.image_cover >= _SCAN_COVER:
            return PageQuality.SCANNED, f"an image covers {page.image_cover:.0%} of the page, without text"
        return PageQuality.EMPTY, "the page holds only hidden text" if hidden else "the page holds no text"
    visible = len("".join(page.text.split()))
    if page.image_cover >= 2 * _SCAN_COVER and visible < _FEW_CHARS and not page.ocr_layer:
        return PageQuality.SCANNED, f"an image covers {page.image_cover:.0%} of the page, with little text"
    reason = _garbled(page.text, visible)
    return (PageQuality.GARBLED, reason) if reason else (PageQuality.GOOD, "")


def _garbled(text: str, visible: int) -> str:
    broken = len(_BROKEN.findall(text)) if _BROKEN.search(text) else 0
    if broken > _MAX_BROKEN * visible and broken > 1:
        return f"{broken} of {visible} characters have no meaning outside the file's own fonts"
    plausible = sum(map(len, _LETTERS_OR_DIGITS.findall(text)))
    if visible >= _MIN_CHARS and plausible < _MIN_PLAUSIBLE * visible and plausible < _FEW_CHARS * 10:
        return f"only {plausible} of {visible} characters are letters or digits"
    letters = "".join(_LATIN_WORD.findall(text[:_SAMPLE]))
    vowels = len(_VOWEL.findall(letters))
    if len(letters) >= _MIN_LETTERS and vowels < _MIN_VOWELS * len(letters):
        return f"only {vowels} of {len(letters)} letters are vowels"
    return ""
