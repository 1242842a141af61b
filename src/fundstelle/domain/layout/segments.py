"""Runs of words that stand side by side on one baseline: the smallest thing that has a place.

A segment ends at a gap that may be a column or a cell border, at a jump of the baseline (sub- and
superscripts), and where a word cannot be seen.
"""

from collections.abc import Sequence
from typing import NamedTuple

from fundstelle.domain.layout.page import RawPage

CELL_GAP = 1.3
"""Gap in units of the type size from which on two words may stand in different cells."""

FINE_GAP = 0.75
"""The same within a table that wider gaps have shown."""

FORMULA_BLANK = 0.24
"""Narrower gaps are no blanks in a formula, but thin spaces and the slant of letters."""

_SLANT = 0.13
_BASE_SHIFT = 0.12
_OVERLAP = 0.6


class Segment(NamedTuple):
    """Hold words `first` to `last` (inclusive) of the page, in the engine's order.

    Args:
        style: The style of most of its characters.
        bold: True when all of it is bold.
    """

    first: int
    last: int
    x0: float
    x1: float
    top: float
    bottom: float
    base: float
    size: float
    style: int
    bold: bool
    chars: int


def build_segments(page: RawPage, angle: int) -> list[Segment]:
    """Join the visible words of one direction to segments, in the engine's order."""
    mine = [style.angle == angle for style in page.styles]
    single = all(mine) and not page.hidden
    segments: list[Segment] = []
    start, previous, px1, pbase, pstyle = -1, -2, 0.0, 0.0, -1
    sizes = [max(style.size, 0.1) for style in page.styles]
    least, most, shift, settled = 0.0, 0.0, 0.0, False
    hidden, formula = page.hidden, page.formula
    words = zip(page.x0, page.x1, page.base, page.style_of, strict=True)
    for k, (left, right, low, style) in enumerate(words):
        if not single and ((hidden and hidden[k]) or not mine[style]):
            continue
        if style != pstyle or not settled:
            settled = style == pstyle
            unit = sizes[style] if settled or start < 0 else min(sizes[pstyle], sizes[style])
            least, most, shift = -_OVERLAP * unit, CELL_GAP * unit, _BASE_SHIFT * unit
            pstyle = style
        if (
            not least <= left - px1 <= most
            or previous != k - 1
            or not -shift <= low - pbase <= shift
            or (style in formula and _is_apart(page, k, (left - px1) / sizes[style]))
        ):
            if start >= 0:
                segments.append(_segment(page, start, previous))
            start = k
        previous, px1, pbase = k, right, low
    if start >= 0:
        segments.append(_segment(page, start, previous))
    return segments


def _is_apart(page: RawPage, k: int, gap: float) -> bool:
    """Say whether a blank before word `k` of a formula must be judged by whoever builds the line."""
    return 0 < gap <= FORMULA_BLANK and is_glued(page, k - 1, gap)


def is_glued(page: RawPage, k: int, gap: float) -> bool:
    """Say whether words `k` and `k + 1` of a formula are held apart by the slant of a letter only.

    Args:
        gap: Their distance in type sizes, below `FORMULA_BLANK`.
    """
    last, following = page.text[page.ends[k] - 1], page.text[page.starts[k + 1]]
    if gap < _SLANT:
        return last not in ",;."
    if not last.isalpha():
        return False
    return following == "/" or (following.isalpha() and page.styles[page.style_of[k]].italic)


def split_finer(page: RawPage, segments: list[Segment]) -> list[Segment]:
    """Cut segments at narrower gaps too, as the cells of a table may need."""
    finer: list[Segment] = []
    for segment in segments:
        start = segment.first
        for k in range(segment.first + 1, segment.last + 1):
            if page.x0[k] - page.x1[k - 1] > FINE_GAP * segment.size:
                finer.append(_segment(page, start, k - 1))
                start = k
        finer.append(_segment(page, start, segment.last) if start > segment.first else segment)
    return finer


def single_words(page: RawPage, segments: list[Segment]) -> list[Segment]:
    """Cut segments into their words."""
    return [_segment(page, k, k) for one in segments for k in range(one.first, one.last + 1)]


def _segment(page: RawPage, first: int, last: int) -> Segment:
    style = page.style_of[first]
    stop = last + 1
    chars = page.ends[last] - page.starts[first]
    bold = page.styles[style].bold
    if first == last:
        left, right = sorted((page.x0[first], page.x1[first]))
        top, bottom = page.top[first], page.bottom[first]
        size = page.styles[style].size
        return Segment(first, last, left, right, top, bottom, page.base[first], size, style, bold, chars)
    used = page.style_of[first:stop]
    if used.count(style) != len(used):
        style, bold = _main_style(page, first, used)
    left, right = page.x0[first], page.x1[last]
    if right <= left:
        left, right = min(page.x0[first:stop]), max(page.x1[first:stop])
    top, bottom, size = page.top[first], page.bottom[first], page.styles[style].size
    return Segment(first, last, left, right, top, bottom, page.base[first], size, style, bold, chars)


def _main_style(page: RawPage, first: int, used: Sequence[int]) -> tuple[int, bool]:
    """Find the style of most characters, and whether all of them are bold."""
    weight: dict[int, int] = {}
    for k, one in enumerate(used, first):
        weight[one] = weight.get(one, 0) + page.ends[k] - page.starts[k]
    style = max(weight, key=lambda one: (weight[one], -one))
    return style, all(page.styles[one].bold for one in weight)
