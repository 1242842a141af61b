"""Find text that a reader of the page cannot see, and pages that are pictures. Worker process only.

Hidden is: drawn in no ink (render mode 3 or 7), transparent, smaller than two points, outside the page,
in the colour of what lies behind it, or under a filled rectangle drawn later. Text in no ink over
or under a picture of the whole page is no hidden text: it is what OCR recognised there.
"""

import ctypes
from itertools import repeat
from typing import NamedTuple

from fundstelle.adapters.readers.pdf_native import (
    OBJECT_FORM,
    OBJECT_IMAGE,
    OBJECT_PATH,
    OBJECT_TEXT,
    Handle,
    Pdfium,
    integers,
)
from fundstelle.adapters.readers.pdf_words import Colour, Words
from fundstelle.domain.layout.page import Hidden

_NO_INK = frozenset({3, 7})
_DRAWN = frozenset({OBJECT_PATH, OBJECT_IMAGE})
_MIN_SIZE = 2.0
_MAX_OBJECTS = 50_000
_NEAR = 14
_SCAN_COVER = 0.4
_FEW_CHARACTERS = 60
_MAX_SEGMENTS = 8
_MIN_AREA, _MIN_SIDE = 60.0, 4.0
_MAX_FORM_DEPTH = 3
_WHITE = Colour(255, 255, 255, 255)
_OPAQUE = 250

_Box = tuple[float, float, float, float]


class Visibility(NamedTuple):
    """Hold `Hidden` per word (empty when all can be seen) and what images do on the page."""

    hidden: list[int]
    image_cover: float
    ocr_layer: bool


class _Fill(NamedTuple):
    """Hold a filled rectangle: its place in drawing order, its box and its colour (None: a picture)."""

    order: int
    box: _Box
    colour: Colour | None


def judge_visibility(
    pdfium: Pdfium, page: Handle, words: Words, size: tuple[float, float], page_area: float
) -> Visibility:
    """Judge each word of a page."""
    handles, kinds = _objects(pdfium, page, words)
    invisible = _count_invisible(words)
    little = len(words.text) < _FEW_CHARACTERS
    images = _image_boxes(pdfium, handles, kinds) if OBJECT_IMAGE in kinds or OBJECT_FORM in kinds else []
    cover = min(1.0, sum(_area(box) for box in images) / page_area) if page_area > 0 else 0.0
    ocr = cover >= _SCAN_COVER and invisible * 2 > len(words.starts)
    fills = [] if ocr else _fills(pdfium, handles, kinds)
    per_object = _judge_objects(pdfium, words, (handles, kinds), fills, ocr=ocr)
    hidden = list(map(per_object.__getitem__, words.object_of))
    _add_off_page(hidden, words, size)
    return Visibility(hidden if any(hidden) else [], cover if little or ocr else 0.0, ocr)


def _count_invisible(words: Words) -> int:
    if _NO_INK.isdisjoint(words.objects.mode):
        return 0
    return sum(words.objects.mode[k] in _NO_INK for k in words.object_of)


def _objects(pdfium: Pdfium, page: Handle, words: Words) -> tuple[list[Handle], list[int]]:
    count = min(pdfium.FPDFPage_CountObjects(page), _MAX_OBJECTS)
    handles = list(map(pdfium.FPDFPage_GetObject, repeat(page), range(count)))
    known = dict.fromkeys(words.objects.handles, OBJECT_TEXT)
    others = [handle for handle in handles if handle not in known]
    known.update(zip(others, map(pdfium.FPDFPageObj_GetType, others), strict=True))
    return handles, list(map(known.__getitem__, handles))


def _area(box: _Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _bounds(pdfium: Pdfium, handle: Handle) -> _Box | None:
    return pdfium.rectangle("FPDFPageObj_GetBounds", handle)


def _image_boxes(pdfium: Pdfium, handles: list[Handle], kinds: list[int], depth: int = 0) -> list[_Box]:
    boxes = []
    for handle, kind in zip(handles, kinds, strict=True):
        if kind == OBJECT_IMAGE or (
            kind == OBJECT_FORM and depth < _MAX_FORM_DEPTH and _has_image(pdfium, handle)
        ):
            box = _bounds(pdfium, handle)
            boxes.extend([box] if box else [])
    return boxes


def _has_image(pdfium: Pdfium, form: Handle, depth: int = 0) -> bool:
    for k in range(min(pdfium.FPDFFormObj_CountObjects(form), 200)):
        child = pdfium.FPDFFormObj_GetObject(form, k)
        kind = pdfium.FPDFPageObj_GetType(child)
        if kind == OBJECT_IMAGE:
            return True
        if kind == OBJECT_FORM and depth < _MAX_FORM_DEPTH and _has_image(pdfium, child, depth + 1):
            return True
    return False


def _fills(pdfium: Pdfium, handles: list[Handle], kinds: list[int]) -> list[_Fill]:
    """List the larger filled rectangles and pictures in drawing order."""
    drawn = [k for k, kind in enumerate(kinds) if kind in _DRAWN]
    fills: list[_Fill] = []
    for order, box in zip(drawn, _all_bounds(pdfium, [handles[k] for k in drawn]), strict=True):
        if box is None:
            continue
        left, bottom, right, top = box
        if right - left < _MIN_SIDE or top - bottom < _MIN_SIDE or _area(box) < _MIN_AREA:
            continue
        picture = kinds[order] == OBJECT_IMAGE
        colour = None if picture else _path_colour(pdfium, handles[order])
        if picture or colour is not None:
            fills.append(_Fill(order, box, colour))
    return fills


def _all_bounds(pdfium: Pdfium, handles: list[Handle]) -> list[_Box | None]:
    if not handles:
        return []
    count = len(handles)
    buffer = (ctypes.c_float * (4 * count))()
    start = ctypes.addressof(buffer)
    sides = [range(start + k, start + k + 16 * count, 16) for k in range(0, 16, 4)]
    known = list(map(pdfium.FPDFPageObj_GetBounds, handles, *sides))
    flat = buffer[:]
    boxes: list[_Box | None] = list(zip(flat[::4], flat[1::4], flat[2::4], flat[3::4], strict=True))
    return boxes if all(known) else [box if one else None for box, one in zip(boxes, known, strict=True)]


def _path_colour(pdfium: Pdfium, handle: Handle) -> Colour | None:
    numbers = integers(4)
    start = ctypes.addressof(numbers)
    pdfium.FPDFPath_GetDrawMode(handle, start, start + 4)
    if not numbers[0] or pdfium.FPDFPath_CountSegments(handle) > _MAX_SEGMENTS:
        return None
    if not pdfium.FPDFPageObj_GetFillColor(handle, *range(start, start + 16, 4)):
        return None
    return Colour(*numbers) if numbers[3] >= _OPAQUE else None


def _judge_objects(
    pdfium: Pdfium,
    words: Words,
    drawn: tuple[list[Handle], list[int]],
    fills: list[_Fill],
    *,
    ocr: bool,
) -> list[int]:
    verdicts = _ink(words, ocr=ocr)
    suspects = _suspect_colours(words, fills)
    covering = [fill for fill in fills if fill.colour is not None]
    if ocr or not (suspects or covering):
        return verdicts
    order_of = {h: k for k, (h, kind) in enumerate(zip(*drawn, strict=True)) if kind == OBJECT_TEXT}
    last_fill = covering[-1].order if covering else -1
    judged = []
    for k, (handle, colour) in enumerate(zip(words.objects.handles, words.objects.colour, strict=True)):
        order = order_of.get(handle)
        if order is not None and not verdicts[k] and (order < last_fill or colour in suspects):
            judged.append((k, order))
    boxes = _all_bounds(pdfium, [words.objects.handles[k] for k, _ in judged])
    for (k, order), box in zip(judged, boxes, strict=True):
        if box is None:
            continue
        if _is_covered(order, box, covering):
            verdicts[k] = Hidden.COVERED
        elif words.objects.colour[k] in suspects:
            verdicts[k] = _against_background(words.objects.colour[k], order, box, fills)
    return verdicts


def _ink(words: Words, *, ocr: bool) -> list[int]:
    """Judge each text object by its own size and ink."""
    items = words.objects
    verdicts = [0] * len(items.handles)
    tiny = _tiny_objects(words)
    glassy = {colour for colour in set(items.colour) if colour.alpha < _NEAR}
    if not tiny and not glassy and _NO_INK.isdisjoint(items.mode):
        return verdicts
    for k, (colour, mode) in enumerate(zip(items.colour, items.mode, strict=True)):
        if k in tiny:
            verdicts[k] = Hidden.TINY
        elif not ocr and mode in _NO_INK:
            verdicts[k] = Hidden.INVISIBLE
        elif not ocr and colour in glassy:
            verdicts[k] = Hidden.TRANSPARENT
    return verdicts


def _tiny_objects(words: Words) -> set[int]:
    styles = {k for k, style in enumerate(words.styles) if style.size < _MIN_SIZE}
    if not styles:
        return set()
    return {item for item, style in zip(words.object_of, words.style_of, strict=True) if style in styles}


def _suspect_colours(words: Words, fills: list[_Fill]) -> set[Colour]:
    backgrounds = {fill.colour for fill in fills if fill.colour is not None} | {_WHITE}
    return {
        colour for colour in set(words.objects.colour) if any(_alike(colour, back) for back in backgrounds)
    }


def _alike(left: Colour, right: Colour) -> bool:
    return all(abs(a - b) <= _NEAR for a, b in zip(left[:3], right[:3], strict=True))


def _contains(outer: _Box, inner: _Box) -> bool:
    left, bottom, right, top = outer
    inside = left <= inner[0] + 1 and right >= inner[2] - 1
    return inside and bottom <= inner[1] + 1 and top >= inner[3] - 1


def _is_covered(order: int, box: _Box, covering: list[_Fill]) -> bool:
    """Say whether a filled rectangle was drawn over a box later; `covering` is in drawing order."""
    for fill in reversed(covering):
        if fill.order < order:
            return False
        if _contains(fill.box, box):
            return True
    return False


def _against_background(colour: Colour, order: int, box: _Box, fills: list[_Fill]) -> int:
    middle_x, middle_y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    behind: Colour | None = _WHITE
    for fill in fills:
        left, bottom, right, top = fill.box
        if fill.order < order and left <= middle_x <= right and bottom <= middle_y <= top:
            behind = fill.colour
    return Hidden.BACKGROUND if behind is not None and _alike(colour, behind) else Hidden.NO


def _add_off_page(hidden: list[int], words: Words, size: tuple[float, float]) -> None:
    columns = words.columns
    if not hidden:
        return
    width, height = size
    upright = not any(style.angle for style in words.styles)
    right, low = (width, height) if upright else (max(size), max(size))
    if (
        min(columns.x1) >= 0
        and min(columns.bottom) >= 0
        and max(columns.x0) <= right
        and max(columns.top) <= low
    ):
        return
    for k, (x0, x1, top, bottom) in enumerate(zip(*columns[:4], strict=True)):
        if x1 < 0 or bottom < 0 or x0 > right or top > low:
            hidden[k] = hidden[k] or Hidden.OFF_PAGE
