"""Repair the symbols of TeX's mathematical fonts, whose names PDFium does not know. Worker only.

Such a font gives `0` for a prime and `k` for a norm bar. Letters and digits that come out of these
fonts are never letters and digits, so a table says what they are.
"""

import re
from collections import Counter
from itertools import repeat

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.adapters.readers.pdf_words import Words

_SYMBOL_FONT = re.compile(r"(?:\+|\A)(?:CM|LM)(?:SY|EX|MathSymbols|MathExtension)", re.IGNORECASE)
_EXTENSION_FONT = re.compile(r"EX\d|Extension", re.IGNORECASE)
_SYMBOLS = dict(zip("0hikpjbcde", "′⟨⟩‖√|⌊⌋⌈⌉", strict=True))
_EXTENSIONS = dict(zip("PXQYRZS[T\\LMz{|}", "∑∑∏∏∫∫⋃⋃⋂⋂⨁⨁\0\0\0\0", strict=True))
_WANTED = frozenset(_SYMBOLS) | frozenset(_EXTENSIONS)
_FORMULA_FONT = re.compile(r"(?:\+|\A)(?:CM|LM|MSAM|MSBM|EU|RSFS|WASY|LASY)", re.IGNORECASE)
_MAX_WORD = 24


def find_repairs(pdfium: Pdfium, text_page: Handle, words: Words) -> dict[int, str]:
    """Find the characters of a page that stand for others.

    Returns:
        Offsets in the raw text and the right characters; NUL for parts of large braces.
    """
    if not any(_SYMBOL_FONT.search(style.font) for style in words.styles):
        return {}
    places = _suspects(words)
    handles = list(map(pdfium.FPDFText_GetTextObject, repeat(text_page), places))
    fonts = list(map(pdfium.FPDFTextObj_GetFont, [handle or 0 for handle in handles]))
    tables = {font: _table(pdfium.font_name(font)) for font in set(fonts) if font}
    repairs = {}
    for place, font in zip(places, fonts, strict=True):
        right = tables[font].get(words.text[place]) if font else None
        if right is not None:
            repairs[place] = right
    return repairs


def _suspects(words: Words) -> list[int]:
    """List the places of characters that may come from a symbol font: not in words of the text's own font."""
    counts = Counter(words.style_of)
    main = words.styles[counts.most_common(1)[0][0]].font
    formula = {
        k for k, style in enumerate(words.styles) if style.font != main and _FORMULA_FONT.search(style.font)
    }
    text = words.text
    places: list[int] = []
    for style, start, end in zip(words.style_of, words.starts, words.ends, strict=True):
        if style in formula and end - start <= _MAX_WORD:
            places.extend([k for k in range(start, end) if text[k] in _WANTED])
    return places


def _table(name: str) -> dict[str, str]:
    if not _SYMBOL_FONT.search(name):
        return {}
    return _EXTENSIONS if _EXTENSION_FONT.search(name) else _SYMBOLS
