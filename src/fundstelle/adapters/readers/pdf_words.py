"""Take the words of one page out of PDFium, with places and styles, in few and cheap calls.

Runs in the worker process only. Per word: the origin of its first character and the loose box of
its last; per text object, not per character: font, size, colour and render mode.
"""

import ctypes
import math
import re
import struct
from collections import deque
from itertools import repeat
from typing import NamedTuple

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.domain.layout.page import Style

_BREAKS = str.maketrans("\ufffe\x02", "  ")
_WORD = re.compile(r"\S+")
_GLUED_NUMBER = re.compile(r"(?<=[^\W\d_])\d{1,3}(?=[\s.,;:!?)]|$)|(?<=[.,;:!?)“”»\"])\d{1,3}(?=\s|$)")
_BOLD_NAME = re.compile("bold|black|heavy|semibd|demi|cmb|cmssbx|-bd|sfbx|ecbx|ecssdc", re.IGNORECASE)
_ITALIC_NAME = re.compile("ital|obli|slant|cmti|cmmi|cmsl|sfti|ecti", re.IGNORECASE)
_MATRIX, _COLOUR = struct.Struct("4f"), struct.Struct("4I")
_BOLD_WEIGHT = 600
_FORCE_BOLD, _ITALIC_FLAG = 1 << 18, 1 << 6


class Colour(NamedTuple):
    """Hold a fill colour with its opacity, each 0 to 255."""

    red: int
    green: int
    blue: int
    alpha: int


class TextObjects(NamedTuple):
    """Hold the text objects of a page in equally long columns; `style` is an index."""

    handles: list[Handle]
    style: list[int]
    colour: list[Colour]
    mode: list[int]


class Columns(NamedTuple):
    """Hold the coordinates of words: left, right, top, bottom and baseline."""

    x0: list[float]
    x1: list[float]
    top: list[float]
    bottom: list[float]
    base: list[float]


class Words(NamedTuple):
    """Hold all words of a page; `objects` and `object_of` lead from word to text object."""

    text: str
    starts: list[int]
    ends: list[int]
    columns: Columns
    objects: TextObjects
    object_of: list[int]
    style_of: list[int]
    styles: list[Style]


class PageFrame(NamedTuple):
    """Hold the visible box of a page in its own space, and its rotation in quarter turns."""

    left: float
    top: float
    right: float
    bottom: float
    turns: int


def extract_words(pdfium: Pdfium, text_page: Handle, frame: PageFrame) -> Words:
    """Read all words of a page in the engine's order."""
    count = pdfium.FPDFText_CountChars(text_page)
    text = _page_text(pdfium, text_page, count)
    starts, ends = _word_spans(text)
    first, last = starts, [end - 1 for end in ends]
    if len(text) != count:
        index = pdfium.FPDFText_GetCharIndexFromTextIndex
        first = [max(0, index(text_page, k)) for k in first]
        last = [max(0, index(text_page, k)) for k in last]
    objects, object_of, styles = _objects(pdfium, text_page, first, frame)
    turns = [frame.turns] * len(styles)
    if any(style.angle for style in styles):
        turns = [(style.angle // 90 + frame.turns) % 4 for style in styles]
    style_of = list(map(objects.style.__getitem__, object_of))
    columns = _columns(pdfium, text_page, (first, last), frame, list(map(turns.__getitem__, style_of)))
    return Words(text, starts, ends, columns, objects, object_of, style_of, styles)


def _page_text(pdfium: Pdfium, text_page: Handle, count: int) -> str:
    if count <= 0:
        return ""
    buffer = ctypes.create_string_buffer(4 * count + 4)
    written = pdfium.FPDFText_GetText(text_page, 0, count, ctypes.addressof(buffer))
    return buffer.raw[: 2 * max(written - 1, 0)].decode("utf-16-le", "replace")


def _word_spans(text: str) -> tuple[list[int], list[int]]:
    plain = text.translate(_BREAKS) if "\ufffe" in text or "\x02" in text else text
    spans = [match.span() for match in _WORD.finditer(plain)]
    cuts = [match.start() for match in _GLUED_NUMBER.finditer(plain)]
    if not spans:
        return [], []
    starts, ends = map(list, zip(*spans, strict=True))
    if cuts:
        known = set(starts)
        inner = [cut for cut in cuts if cut not in known]
        starts, ends = sorted(starts + inner), sorted(ends + inner)
    return starts, ends


def _objects(
    pdfium: Pdfium, text_page: Handle, first: list[int], frame: PageFrame
) -> tuple[TextObjects, list[int], list[Style]]:
    found = [handle or 0 for handle in map(pdfium.FPDFText_GetTextObject, repeat(text_page), first)]
    sample = dict(zip(reversed(found), reversed(first), strict=True))
    handles, indexes = list(sample), list(sample.values())
    where = {handle: k for k, handle in enumerate(handles)}
    fonts = list(map(pdfium.FPDFTextObj_GetFont, handles))
    sizes = map(pdfium.FPDFText_GetFontSize, repeat(text_page), indexes)
    keys = list(zip(fonts, sizes, _matrices(pdfium, text_page, indexes), strict=True))
    described = {font: _font(pdfium, font) for font in set(fonts)}
    styles: dict[Style, int] = {}
    index_of = {}
    for key in set(keys):
        one = _style(described[key[0]], key[1], _MATRIX.unpack(key[2]), frame.turns)
        index_of[key] = styles.setdefault(one, len(styles))
    style = list(map(index_of.__getitem__, keys))
    modes = list(map(pdfium.FPDFTextObj_GetTextRenderMode, handles))
    objects = TextObjects(handles, style, _colours(pdfium, handles), modes)
    return objects, list(map(where.__getitem__, found)), list(styles)


def _style(
    font: tuple[str, bool, bool], size: float, matrix: tuple[float, float, float, float], turns: int
) -> Style:
    a, b, c, d = matrix
    scaled = size * (math.hypot(c, d) or 1.0)
    angle = round(math.degrees(math.atan2(b, a)) / 90) if b else (0 if a >= 0 else 2)
    return Style(font[0], round(abs(scaled), 1), font[1], font[2], (angle - turns) % 4 * 90)


def _matrices(pdfium: Pdfium, text_page: Handle, indexes: list[int]) -> list[bytes]:
    """Read the four scaling numbers of each text matrix, packed, so that they can be a key."""
    count = len(indexes)
    buffer = ctypes.create_string_buffer(24 * count + 1)
    start = ctypes.addressof(buffer)
    targets = range(start, start + 24 * count, 24)
    deque(map(pdfium.FPDFText_GetMatrix, repeat(text_page), indexes, targets), 0)
    packed = buffer.raw
    return [packed[k : k + _MATRIX.size] for k in range(0, 24 * count, 24)]


def _colours(pdfium: Pdfium, handles: list[Handle]) -> list[Colour]:
    count = len(handles)
    buffer = ctypes.create_string_buffer(_COLOUR.pack(0, 0, 0, 255) * count, 16 * count + 1)
    start = ctypes.addressof(buffer)
    channels = [range(start + k, start + k + 16 * count, 16) for k in range(0, 16, 4)]
    deque(map(pdfium.FPDFPageObj_GetFillColor, handles, *channels), 0)
    packed = buffer.raw
    keys = [packed[k : k + 16] for k in range(0, 16 * count, 16)]
    known = {key: Colour(*_COLOUR.unpack(key)) for key in set(keys)}
    return list(map(known.__getitem__, keys))


def _font(pdfium: Pdfium, font: Handle | None) -> tuple[str, bool, bool]:
    if not font:
        return "", False, False
    name = pdfium.font_name(font)
    flags = max(pdfium.FPDFFont_GetFlags(font), 0)
    bold = bool(_BOLD_NAME.search(name) or flags & _FORCE_BOLD)
    bold = bold or pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT
    return name, bold, bool(_ITALIC_NAME.search(name) or flags & _ITALIC_FLAG)


def _columns(
    pdfium: Pdfium,
    text_page: Handle,
    characters: tuple[list[int], list[int]],
    frame: PageFrame,
    turns: list[int],
) -> Columns:
    first, last = characters
    count = len(first)
    origins = (ctypes.c_double * (2 * count))()
    boxes = (ctypes.c_float * (4 * count))()
    start, box = ctypes.addressof(origins), ctypes.addressof(boxes)
    xs, ys = range(start, start + 16 * count, 16), range(start + 8, start + 8 + 16 * count, 16)
    deque(map(pdfium.FPDFText_GetCharOrigin, repeat(text_page), first, xs, ys), 0)
    deque(map(pdfium.FPDFText_GetLooseCharBox, repeat(text_page), last, range(box, box + 16 * count, 16)), 0)
    x, y, flat = origins[::2], origins[1::2], boxes[:]
    sides = (flat[::4], flat[1::4], flat[2::4], flat[3::4])
    common = max(set(turns), key=turns.count) if turns else 0
    columns = _turned(common, frame, (x, y), sides)
    if turns.count(common) == count:
        return columns
    for k, turn in enumerate(turns):
        if turn != common:
            one = _turned(turn, frame, ([x[k]], [y[k]]), tuple([side[k]] for side in sides))
            for column, value in zip(columns, one, strict=True):
                column[k] = value[0]
    return columns


def _turned(
    turns: int,
    frame: PageFrame,
    origins: tuple[list[float], list[float]],
    sides: tuple[list[float], ...],
) -> Columns:
    """Turn page space into the frame in which the text is upright, origin at the top left."""
    (x, y), (left, top, right, bottom) = origins, sides
    if turns == 0:
        low, high = frame.left, frame.top
        values = ([v - low for v in x], [v - low for v in right], [high - v for v in top])
        return Columns(*values, [high - v for v in bottom], [high - v for v in y])
    if turns == 1:
        low, high = frame.left, frame.bottom
        values = ([v - high for v in y], [v - high for v in top], [v - low for v in left])
        return Columns(*values, [v - low for v in right], [v - low for v in x])
    if turns == 2:
        low, high = frame.right, frame.bottom
        values = ([low - v for v in x], [low - v for v in left], [v - high for v in bottom])
        return Columns(*values, [v - high for v in top], [v - high for v in y])
    low, high = frame.right, frame.top
    values = ([high - v for v in y], [high - v for v in bottom], [low - v for v in right])
    return Columns(*values, [low - v for v in left], [low - v for v in x])
