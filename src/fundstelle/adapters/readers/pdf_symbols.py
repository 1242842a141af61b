"""Repair the symbols of TeX's mathematical fonts, whose names PDFium does not know. Worker only.

Such a font gives `0` for a prime and `k` for a norm bar. Letters and digits that come out of these
fonts are never letters and digits, so a table says what they are.
"""

import ctypes
import re
from collections import Counter
from itertools import repeat

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.adapters.readers.pdf_words import Words, char_indices, origin_y

_SYMBOL_FONT = re.compile(r"(?:\+|\A)(?:(?:CM|LM)(?:SY|EX|MathSymbols|MathExtension)|MSAM)", re.IGNORECASE)
_EXTENSION_FONT = re.compile(r"EX\d|Extension", re.IGNORECASE)
_SYMBOLS = dict(zip("0hikpjbcde", "′⟨⟩‖√|⌊⌋⌈⌉", strict=True))
_BRACKETS = "()[]⌊⌋⌈⌉{}⟨⟩"
_EXTENSIONS = {
    **dict(zip(map(chr, range(0x0E)), f"{_BRACKETS}∣∥", strict=True)),
    **dict(zip(map(chr, range(0x10, 0x1E)), f"(){_BRACKETS}", strict=True)),
    **dict(zip(map(chr, range(0x20, 0x2E)), f"{_BRACKETS}/\\", strict=True)),
    **dict(zip("DEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`a", "⟨⟩⊔⊔∮∮⊙⊙⊕⊕⊗⊗∑∏∫⋃⋂⊎⋀⋁∑∏∫⋃⋂⊎⋀⋁∐∐", strict=True)),
    **dict(zip("bcdefghijklmnopqrs", "ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√", strict=True)),
    **dict.fromkeys("0123456789:;<=>?@ABCtuvwxyz{|}~\x7f", "\0"),
    **dict.fromkeys(map(chr, range(0xF8E6, 0xF8FF)), "\0"),
}
"""The big signs of CMEX10 in the order of its code (The TeXbook, p. 432); NUL for pieces of larger ones."""
_AMS_SIGNS = {"\x03": "□", "\x04": "■"}
_WANTED = frozenset(_SYMBOLS) | frozenset(_EXTENSIONS) | frozenset(_AMS_SIGNS)
_FORMULA_FONT = re.compile(r"(?:\+|\A)(?:CM|LM|MSAM|MSBM|EU|RSFS|WASY|LASY)", re.IGNORECASE)
_TEXT_FONT = re.compile(r"(?:\+|\A)(?:CMR|LMRoman)", re.IGNORECASE)
_MAX_WORD = 24
_AXIS = 0.25


def find_repairs(pdfium: Pdfium, text_page: Handle, words: Words) -> dict[int, str]:
    """Find the characters of a page that stand for others.

    Returns:
        Offsets in the raw text and the right characters; NUL for parts of large braces.
    """
    if not any(_SYMBOL_FONT.search(style.font) for style in words.styles):
        return {}
    repairs: dict[int, str] = {}
    inner: list[int] = []
    formula = _formula_tables(words)
    text = words.text
    for style, start, end in zip(words.style_of, words.starts, words.ends, strict=True):
        table = formula.get(style)
        if table is None or end - start > _MAX_WORD:
            continue
        if text[start] in table:
            repairs[start] = table[text[start]]
        if end - start > 1 and not _WANTED.isdisjoint(text[start + 1 : end]):
            inner.extend([k for k in range(start + 1, end) if text[k] in _WANTED])
    indices = inner
    if pdfium.FPDFText_CountChars(text_page) != len(text):
        indices = char_indices(pdfium, text_page, inner)
    handles = map(pdfium.FPDFText_GetTextObject, repeat(text_page), indices)
    fonts = list(map(pdfium.FPDFTextObj_GetFont, handles))
    tables = {font: _table(pdfium.font_name(font)) for font in set(fonts) if font}
    for place, font in zip(inner, fonts, strict=True):
        if font and text[place] in tables[font]:
            repairs[place] = tables[font][text[place]]
    return repairs


def _formula_tables(words: Words) -> dict[int, dict[str, str]]:
    """List the styles whose words may hold signs of a symbol font, with the table for the first of them."""
    counts = Counter(words.style_of)
    main = words.styles[counts.most_common(1)[0][0]].font
    return {
        k: _table(style.font)
        for k, style in enumerate(words.styles)
        if _FORMULA_FONT.search(style.font) and (style.font != main or not _TEXT_FONT.search(style.font))
    }


def place_signs(pdfium: Pdfium, text_page: Handle, words: Words, repairs: dict[int, str]) -> None:
    """Move big signs to the line that they belong to, and take out words of nothing but pieces.

    TeX draws big signs hanging down from their origin; half their height lies above the axis.
    """
    empty: set[int] = set()
    box = (ctypes.c_double * 4)()
    start = ctypes.addressof(box)
    for k, (low, high) in enumerate(zip(words.starts, words.ends, strict=True)):
        if low not in repairs:
            continue
        if all(repairs.get(place) == "\0" for place in range(low, high)):
            empty.add(k)
            continue
        style = words.styles[words.style_of[k]]
        if style.angle or not _EXTENSION_FONT.search(style.font):
            continue
        index = max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, low))
        own = origin_y(pdfium, text_page, index)
        plain = next((place for place in range(low, high) if place not in repairs), None)
        if plain is not None:
            other = max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, plain))
            words.columns.base[k] -= origin_y(pdfium, text_page, other) - own
        elif pdfium.FPDFText_GetCharBox(text_page, index, *range(start, start + 32, 8)):
            words.columns.base[k] -= (box[2] + box[3]) / 2 - _AXIS * style.size - own
    if empty:
        words.drop(empty)


def _table(name: str) -> dict[str, str]:
    if not _SYMBOL_FONT.search(name):
        return {}
    if _EXTENSION_FONT.search(name):
        return _EXTENSIONS
    return _AMS_SIGNS if "MSAM" in name.upper() else _SYMBOLS
