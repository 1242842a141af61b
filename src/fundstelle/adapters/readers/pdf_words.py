"""Take the words of one page out of PDFium, with places and styles, in few and cheap calls.

Runs in the worker process only. Per word: the origin of its first character and the loose box of
its last; per text object, not per character: font, size, colour and render mode.
"""

import ctypes
import math
import re
import struct
from collections import deque
from collections.abc import Container, Sequence
from itertools import accumulate, chain, repeat
from typing import NamedTuple, TypeAlias

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.domain.layout.page import Style

_BREAKS = str.maketrans("\ufffe\x02", "  ")
_WORD = re.compile(r"\S+")
_BLANK_CONTROLS = re.compile("[\t\x0b\x0c\x1c-\x1f]")
_MARK = "\x01"
_GLUED_NUMBER = re.compile(r"\d(?<=[^\W\d_]\d|[.,;:!?)“”»\"]\d)\d{0,2}(?=[\s.,;:!?)]|\Z)")
_LEADING_NUMBER = re.compile(r"\d{1,3}(?=[^\W\d_]{2})")
_BOLD_NAME = re.compile("bold|black|heavy|semibd|demi|cmb|cmssbx|-bd|sfbx|ecbx|ecssdc", re.IGNORECASE)
_ITALIC_NAME = re.compile("ital|obli|slant|cmti|cmmi|cmsl|sfti|ecti", re.IGNORECASE)
_COLOUR = struct.Struct("4I")
_RAISED_HEIGHT, _RAISED_LIFT, _RAISED_SIZE = 0.6, 0.2, 0.6
_BOLD_WEIGHT = 600
_FORCE_BOLD, _ITALIC_FLAG = 1 << 18, 1 << 6


FontFacts: TypeAlias = tuple[str, bool, bool]
"""Name of a font, and whether it is bold and italic."""


class Colour(NamedTuple):
    """Hold a fill colour with its opacity, each 0 to 255."""

    red: int
    green: int
    blue: int
    alpha: int


class TextObjects(NamedTuple):
    """Hold the text objects of a page in equally long columns."""

    handles: list[Handle]
    font: list[Handle | None]
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

    def drop(self, numbers: Container[int]) -> None:
        """Take words out of all columns."""
        kept = [k for k in range(len(self.starts)) if k not in numbers]
        for integers in (self.starts, self.ends, self.object_of, self.style_of):
            integers[:] = [integers[k] for k in kept]
        for floats in self.columns:
            floats[:] = [floats[k] for k in kept]


class PageFrame(NamedTuple):
    """Hold the visible box of a page in its own space, and its rotation in quarter turns."""

    left: float
    top: float
    right: float
    bottom: float
    turns: int


def extract_words(
    pdfium: Pdfium, text_page: Handle, frame: PageFrame, fonts: dict[Handle | None, FontFacts]
) -> Words:
    """Read all words of a page in the engine's order.

    Args:
        fonts: What is known of fonts that are alive since the page before; this page's replace them.
    """
    count = pdfium.FPDFText_CountChars(text_page)
    text = _page_text(pdfium, text_page, count)
    starts, ends, cuts = _word_spans(_with_glyphs(pdfium, text_page, text))
    first, last = starts, [end - 1 for end in ends]
    if len(text) != count:
        first = char_indices(pdfium, text_page, first)
        last = char_indices(pdfium, text_page, last)
    objects, object_of = _objects(pdfium, text_page, first)
    places = _places(pdfium, text_page, first, last)
    style_of, styles = _styles(pdfium, text_page, (objects, object_of), (first, places), frame, fonts)
    columns = _columns(places, frame, _turns(style_of, styles, frame))
    if cuts:
        numbers = [k for k, start in enumerate(starts) if start in cuts]
        _mark_raised(pdfium, text_page, [(k, first[k]) for k in numbers], (columns, style_of, styles))
    return Words(text, starts, ends, columns, objects, object_of, style_of, styles)


def char_indices(pdfium: Pdfium, text_page: Handle, places: list[int]) -> list[int]:
    """Turn ascending offsets of the text into the engine's character indices.

    They differ by the characters without text so far, so places with the same difference at both ends
    of a stretch have it within; few places need to be asked for.
    """
    ask = pdfium.FPDFText_GetCharIndexFromTextIndex
    found = list(places)
    stretches = (
        [(0, ask(text_page, places[0]), len(places) - 1, ask(text_page, places[-1]))] if places else []
    )
    while stretches:
        low, first, high, last = stretches.pop()
        shift = first - places[low]
        if last - places[high] == shift:
            found[low : high + 1] = [max(0, place + shift) for place in places[low : high + 1]]
        elif high - low == 1:
            found[low], found[high] = max(0, first), max(0, last)
        else:
            middle = (low + high) // 2
            between = ask(text_page, places[middle])
            stretches += [(low, first, middle, between), (middle, between, high, last)]
    return found


def _page_text(pdfium: Pdfium, text_page: Handle, count: int) -> str:
    if count <= 0:
        return ""
    buffer = ctypes.create_string_buffer(4 * count + 4)
    written = pdfium.FPDFText_GetText(text_page, 0, count, ctypes.addressof(buffer))
    return buffer.raw[: 2 * max(written - 1, 0)].decode("utf-16-le", "replace")


def _with_glyphs(pdfium: Pdfium, text_page: Handle, text: str) -> str:
    """Put a mark in the place of each control character that is drawn: a sign without a name, no blank."""
    if not _BLANK_CONTROLS.search(text):
        return text
    characters = list(text)
    for match in _BLANK_CONTROLS.finditer(text):
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, match.start())
        if index >= 0 and pdfium.FPDFText_GetTextObject(text_page, index):
            characters[match.start()] = _MARK
    return "".join(characters)


def _word_spans(text: str) -> tuple[list[int], list[int], set[int]]:
    """Find the words; numbers glued to a word stand alone, and their first characters are named."""
    plain = text.translate(_BREAKS) if "\ufffe" in text or "\x02" in text else text
    words = plain.split()
    if not words:
        return [], [], set()
    gaps = _WORD.split(plain)
    bounds = list(accumulate(chain.from_iterable(zip(map(len, gaps), map(len, words), strict=False))))
    starts, ends = bounds[::2], bounds[1::2]
    cuts = {match.start(): match.start() for match in _GLUED_NUMBER.finditer(plain)}
    for match in _LEADING_NUMBER.finditer(plain):
        if not plain[match.start() - 1 : match.start()].strip():
            cuts[match.end()] = match.start()
    if cuts:
        known = set(starts)
        inner = [cut for cut in cuts if cut not in known]
        starts, ends = sorted(starts + inner), sorted(ends + inner)
    return starts, ends, set(cuts.values())


def _mark_raised(
    pdfium: Pdfium,
    text_page: Handle,
    numbers: list[tuple[int, int]],
    words: tuple[Columns, list[int], list[Style]],
) -> None:
    """Find numbers drawn with raised glyphs, and describe them like numbers set small and high."""
    columns, style_of, styles = words
    box = (ctypes.c_double * 4)()
    start = ctypes.addressof(box)
    for k, index in numbers:
        style = styles[style_of[k]]
        if style.angle or not pdfium.FPDFText_GetCharBox(text_page, index, *range(start, start + 32, 8)):
            continue
        height = box[3] - box[2]
        lift = origin_y(pdfium, text_page, index)
        if height < _RAISED_HEIGHT * style.size and box[2] - lift > _RAISED_LIFT * style.size:
            small = style._replace(size=round(_RAISED_SIZE * style.size, 1))
            if small not in styles:
                styles.append(small)
            style_of[k] = styles.index(small)
            columns.base[k] -= box[2] - lift


def origin_y(pdfium: Pdfium, text_page: Handle, index: int) -> float:
    """Give the height of a character's origin, in page space."""
    origin = (ctypes.c_double * 2)()
    start = ctypes.addressof(origin)
    pdfium.FPDFText_GetCharOrigin(text_page, index, start, start + 8)
    return origin[1]


def _objects(pdfium: Pdfium, text_page: Handle, first: list[int]) -> tuple[TextObjects, list[int]]:
    found = list(map(pdfium.FPDFText_GetTextObject, repeat(text_page), first))
    handles = list(dict.fromkeys(found))
    where = dict(zip(handles, range(len(handles)), strict=True))
    fonts = list(map(pdfium.FPDFTextObj_GetFont, handles))
    modes = list(map(pdfium.FPDFTextObj_GetTextRenderMode, handles))
    objects = TextObjects(handles, fonts, _colours(pdfium, handles), modes)
    return objects, list(map(where.__getitem__, found))


def _styles(
    pdfium: Pdfium,
    text_page: Handle,
    objects: tuple[TextObjects, list[int]],
    words: tuple[list[int], "_Places"],
    frame: PageFrame,
    fonts: dict[Handle | None, FontFacts],
) -> tuple[list[int], list[Style]]:
    """Describe how each word is set; words of one font and one height of their box are set alike."""
    (items, object_of), (first, places) = objects, words
    font_of = map(items.font.__getitem__, object_of)
    heights = [round(8 * (top - bottom)) for top, bottom in zip(places.top, places.bottom, strict=True)]
    keys = list(zip(font_of, heights, strict=True))
    sample = dict(zip(keys, first, strict=True))
    described = {font: fonts.get(font) or _font(pdfium, font) for font in set(items.font)}
    fonts.clear()
    fonts.update(described)
    styles: dict[Style, int] = {}
    index_of = {}
    matrix = (ctypes.c_float * 6)()
    for key, index in sample.items():
        pdfium.FPDFText_GetMatrix(text_page, index, ctypes.addressof(matrix))
        size = pdfium.FPDFText_GetFontSize(text_page, index)
        one = _style(described[key[0]], size, matrix[:4], frame.turns)
        index_of[key] = styles.setdefault(one, len(styles))
    return list(map(index_of.__getitem__, keys)), list(styles)


def _turns(style_of: list[int], styles: list[Style], frame: PageFrame) -> list[int]:
    """Say how many quarter turns make each word upright."""
    if not any(style.angle for style in styles):
        return [frame.turns] * len(style_of)
    turns = [(style.angle // 90 + frame.turns) % 4 for style in styles]
    return list(map(turns.__getitem__, style_of))


def _style(font: FontFacts, size: float, matrix: Sequence[float], turns: int) -> Style:
    a, b, c, d = matrix
    scaled = size * (math.hypot(c, d) or 1.0)
    angle = round(math.degrees(math.atan2(b, a)) / 90) if b else (0 if a >= 0 else 2)
    return Style(font[0], round(abs(scaled), 1), font[1], font[2], (angle - turns) % 4 * 90)


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


def _font(pdfium: Pdfium, font: Handle | None) -> FontFacts:
    if not font:
        return "", False, False
    name = pdfium.font_name(font)
    flags = max(pdfium.FPDFFont_GetFlags(font), 0)
    bold = bool(_BOLD_NAME.search(name) or flags & _FORCE_BOLD)
    bold = bold or pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT
    return name, bold, bool(_ITALIC_NAME.search(name) or flags & _ITALIC_FLAG)


class _Places(NamedTuple):
    """Hold what the engine says of places, in page space: origin of the first character, box of the last."""

    x: list[float]
    y: list[float]
    left: list[float]
    top: list[float]
    right: list[float]
    bottom: list[float]


def _places(pdfium: Pdfium, text_page: Handle, first: list[int], last: list[int]) -> _Places:
    count = len(first)
    origins = (ctypes.c_double * (2 * count))()
    boxes = (ctypes.c_float * (4 * count))()
    start, box = ctypes.addressof(origins), ctypes.addressof(boxes)
    xs, ys = range(start, start + 16 * count, 16), range(start + 8, start + 8 + 16 * count, 16)
    deque(map(pdfium.FPDFText_GetCharOrigin, repeat(text_page), first, xs, ys), 0)
    deque(map(pdfium.FPDFText_GetLooseCharBox, repeat(text_page), last, range(box, box + 16 * count, 16)), 0)
    flat = boxes[:]
    return _Places(origins[::2], origins[1::2], flat[::4], flat[1::4], flat[2::4], flat[3::4])


def _columns(places: _Places, frame: PageFrame, turns: list[int]) -> Columns:
    common = max(set(turns), key=turns.count) if turns else 0
    columns = _turned(common, frame, places)
    if turns.count(common) == len(turns):
        return columns
    for k, turn in enumerate(turns):
        if turn != common:
            one = _turned(turn, frame, _Places(*([values[k]] for values in places)))
            for column, value in zip(columns, one, strict=True):
                column[k] = value[0]
    return columns


def _turned(turns: int, frame: PageFrame, places: _Places) -> Columns:
    """Turn page space into the frame in which the text is upright, origin at the top left."""
    x, y, left, top, right, bottom = places
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
