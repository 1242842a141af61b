"""Repair the symbols of TeX's mathematical fonts, whose names PDFium does not know. Worker only.

Such a font gives `0` for a prime and `k` for a norm bar. Letters and digits that come out of these
fonts are never letters and digits, so a table says what they are.
"""

import re
from itertools import repeat

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.adapters.readers.pdf_words import Words

_SYMBOL_FONT = re.compile(r"(?:\+|\A)(?:CM|LM)(?:SY|EX|MathSymbols|MathExtension)", re.IGNORECASE)
_EXTENSION_FONT = re.compile(r"EX\d|Extension", re.IGNORECASE)
_SYMBOLS = dict(zip("0hikpjbcde", "′⟨⟩‖√|⌊⌋⌈⌉", strict=True))
_EXTENSIONS = dict(zip("PXQYRZS[T\\LMz{|}", "∑∑∏∏∫∫⋃⋃⋂⋂⨁⨁\0\0\0\0", strict=True))
_PROSE = re.compile(r"[^\W\d_]{3}")
_MAX_WORD = 24


def find_repairs(pdfium: Pdfium, text_page: Handle, words: Words) -> dict[int, str]:
    """Find the characters of a page that stand for others.

    Returns:
        Offsets in the raw text and the right characters; NUL for parts of large braces.
    """
    if not any(_SYMBOL_FONT.search(style.font) for style in words.styles):
        return {}
    places = _suspects(words)
    fonts = map(pdfium.FPDFText_GetTextObject, repeat(text_page), places)
    tables: dict[Handle | None, dict[str, str]] = {}
    repairs = {}
    for place, handle in zip(places, fonts, strict=True):
        if handle not in tables:
            tables[handle] = _table(pdfium, handle)
        right = tables[handle].get(words.text[place])
        if right is not None:
            repairs[place] = right
    return repairs


def _suspects(words: Words) -> list[int]:
    wanted = frozenset(_SYMBOLS) | frozenset(_EXTENSIONS)
    places: list[int] = []
    text = words.text
    for start, end in zip(words.starts, words.ends, strict=True):
        word = text[start:end]
        if len(word) <= _MAX_WORD and not wanted.isdisjoint(word) and not _PROSE.search(word):
            places.extend(k for k in range(start, end) if text[k] in wanted)
    return places


def _table(pdfium: Pdfium, handle: Handle | None) -> dict[str, str]:
    name = pdfium.font_name(pdfium.FPDFTextObj_GetFont(handle)) if handle else ""
    if not _SYMBOL_FONT.search(name):
        return {}
    return _EXTENSIONS if _EXTENSION_FONT.search(name) else _SYMBOLS
