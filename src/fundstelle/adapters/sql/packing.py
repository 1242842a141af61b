"""Compact forms of what is stored as bytes or JSON within a row."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np

from fundstelle.domain.documents import LineBox, Mark, MarkKind, PageText
from fundstelle.ports.embedding import Vectors

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

_HUNDREDTHS = 100
_FARTHEST = 2**31 - 1
_BOX = struct.Struct("<6i")


def pack_boxes(boxes: Sequence[LineBox]) -> bytes:
    """Pack line boxes: two offsets and four coordinates in hundredths of a point each.

    Coordinates that no page can have, as damaged files give them, are kept as the largest that fit.
    """
    flat = chain.from_iterable(
        (
            box.char_start,
            box.char_end,
            *map(_hundredths, (box.x0, box.y0, box.x1, box.y1)),
        )
        for box in boxes
    )
    return zlib.compress(struct.pack(f"<{6 * len(boxes)}i", *flat), 1) if boxes else b""


def _hundredths(points: float) -> int:
    return round(max(-_FARTHEST, min(_FARTHEST, points * _HUNDREDTHS)))  # also where it is no number


def unpack_boxes(data: bytes) -> tuple[LineBox, ...]:
    """Unpack what `pack_boxes` packed; coordinates are exact to a hundredth of a point."""
    if not data:
        return ()
    return tuple(
        LineBox(start, end, *(value / _HUNDREDTHS for value in coordinates))
        for start, end, *coordinates in _BOX.iter_unpack(zlib.decompress(data))
    )


def page_metadata(page: PageText) -> dict[str, JsonValue]:
    """Collect what a page's row keeps as JSON."""
    return {
        "quality_reason": page.quality_reason,
        "marks": [[mark.kind.value, mark.raw_start, mark.raw_end, mark.reason] for mark in page.marks],
        "width": page.width,
        "height": page.height,
        "from_ocr": page.from_ocr,
    }


def unpack_marks(marks: Iterable[tuple[str, int, int, str]]) -> tuple[Mark, ...]:
    """Rebuild marks from their form in JSON."""
    return tuple(Mark(MarkKind(kind), start, end, reason) for kind, start, end, reason in marks)


def pack_vector(vector: Vectors) -> bytes:
    """Pack a vector as float32, little endian."""
    return vector.astype("<f4", copy=False).tobytes()


def unpack_vector(data: bytes) -> Vectors:
    """Unpack what `pack_vector` packed."""
    return np.frombuffer(data, dtype="<f4").astype(np.float32, copy=False)
