"""Rows: segments that stand on one printed line, with sub- and superscripts where they belong."""

import re
from itertools import groupby, pairwise

from fundstelle.domain.layout.formulas import goes_on
from fundstelle.domain.layout.page import RawPage
from fundstelle.domain.layout.segments import Segment

SMALLER = 0.87
"""A type size below this part of another is small beside it."""

_SAME_BASE = 0.2
_RAISED, _LOWERED = 0.8, 0.45
_ADJACENT = 0.6
_JUMP = 2.0
_OVER = 0.1
_STACKED, _MAX_STACKED, _TIGHT, _FEW = 0.95, 24, 0.35, 3
_TOUCHING, _FAR_RAISED = 0.15, 1.1
_MAX_LABEL = 45
_CELL_TEXT = re.compile(r"[^\W\d_]{3}|\d\d")


class Row:
    """Gather the segments of one row; base and size are those of its largest type."""

    __slots__ = ("base", "segments", "size", "stacked", "x0", "x1")

    def __init__(self, segment: Segment) -> None:
        self.segments = [segment]
        self.base, self.size = segment.base, segment.size
        self.x0, self.x1 = segment.x0, segment.x1
        self.stacked = False

    def add(self, segment: Segment) -> None:
        """Take a segment in."""
        if segment.size > self.size / SMALLER:
            self.base, self.size = segment.base, segment.size
        self.segments.append(segment)
        self.x0, self.x1 = min(self.x0, segment.x0), max(self.x1, segment.x1)


def group_rows(page: RawPage, segments: list[Segment]) -> list[Row]:
    """Put the segments of one region together to rows, from top to bottom."""
    rows: list[Row] = []
    for segment in segments:
        row: Row | None = rows[-1] if rows else None
        if row is not None and not _belongs(segment, row):
            if page.formula and goes_on(page, segment, row.segments, row.base, row.size):
                row.stacked = True
            else:
                row = _earlier_row(page, segment, rows)
        if row is None:
            rows.append(Row(segment))
        else:
            row.add(segment)
    return _in_order(rows, page.formula)


def across(row: Row) -> list[Segment]:
    """Give the segments of a row from left to right; parts of a fraction keep the file's order."""
    segments = row.segments
    if len(segments) == 1 or row.stacked:
        return segments
    if any(right.x1 <= left.x0 + _OVER * row.size for left, right in pairwise(segments)):
        return sorted(segments, key=lambda one: (one.x0, one.first))
    return segments


def _in_order(rows: list[Row], formula: frozenset[int]) -> list[Row]:
    """Order rows from top to bottom, but keep the file's order where it runs down the page by itself.

    Formulas and figures go a little up and down; sorting them by height would tear them apart. Only
    runs of rows that lie side by side, such as table cells written column by column, are sorted.
    """
    runs: list[list[Row]] = []
    for row in rows:
        if runs and row.base >= runs[-1][-1].base - _JUMP * max(row.size, runs[-1][-1].size):
            runs[-1].append(row)
        else:
            runs.append([row])
    if len(runs) == 1:
        return _merge(rows)
    extents = sorted((min(r.base - r.size for r in run), k) for k, run in enumerate(runs))
    ordered: list[Row] = []
    group: list[Row] = []
    bottom, several = 0.0, False
    for top, k in extents:
        if group and top > bottom - _JUMP * 0.1 * runs[k][0].size:
            ordered.extend(_sorted_group(group, formula, several=several))
            group, several = [], False
        several = bool(group)
        group = [*group, *runs[k]]
        bottom = max([bottom, *(row.base for row in runs[k])])
    return [*ordered, *_sorted_group(group, formula, several=several)]


def _sorted_group(group: list[Row], formula: frozenset[int], *, several: bool) -> list[Row]:
    if not several:
        return _merge(group)
    rows = sorted(group, key=lambda one: (one.base, one.x0))
    if not formula:
        return _merge(rows)
    ordered: list[Row] = []
    for short, run in groupby(rows, key=_is_short):
        stretch = list(run)
        if short and _are_labels(stretch, formula):
            ordered.extend(sorted(stretch, key=lambda one: one.segments[0].first))
        else:
            ordered.extend(_merge(stretch))
    return ordered


def _is_short(row: Row) -> bool:
    return all(one.chars <= _MAX_LABEL for one in row.segments)


def _are_labels(rows: list[Row], formula: frozenset[int]) -> bool:
    """Say whether rows side by side are labels of a figure or parts of a formula, and no text."""
    return 2 * sum(row.segments[0].style in formula for row in rows) >= len(rows)


def _earlier_row(page: RawPage, segment: Segment, rows: list[Row]) -> Row | None:
    """Find a row before the last that a segment completes: a cell of a table, never part of a formula."""
    for row in rows[-2:-4:-1]:
        if _belongs(segment, row) and row.x1 <= segment.x0:
            text = page.text[page.starts[segment.first] : page.ends[segment.last]]
            return row if _CELL_TEXT.search(text) else None
    return None


def _belongs(segment: Segment, row: Row) -> bool:
    shift = segment.base - row.base
    size = max(segment.size, row.size)
    if -_SAME_BASE * size <= shift <= _SAME_BASE * size:
        return segment.x0 >= row.x1 - _ADJACENT * size or segment.x1 <= row.x0 + _ADJACENT * size
    last = row.segments[-1]
    if segment.first == last.last + 1 and _is_stacked(segment, last, row, shift):
        return True
    if segment.size <= SMALLER * row.size:
        near = -_RAISED * size <= shift <= _LOWERED * size
    elif row.size <= SMALLER * segment.size:
        near = -_LOWERED * size <= shift <= _RAISED * size
    else:
        return False
    return near and any(abs(segment.x0 - one.x1) <= _ADJACENT * size for one in row.segments[-3:])


def _is_stacked(segment: Segment, last: Segment, row: Row, shift: float) -> bool:
    """Say whether a segment is raised or lowered text of the row: text rise, or part of a fraction."""
    size = row.size
    if (
        segment.chars <= _FEW
        and abs(segment.x0 - last.x1) <= _TOUCHING * size
        and -_FAR_RAISED * size <= shift < 0
    ):
        return True
    if not -_STACKED * size <= shift <= _STACKED * size or segment.chars > _MAX_STACKED:
        return False
    gap = segment.x0 - last.x1
    if -_ADJACENT * size <= gap <= _TIGHT * size:
        return segment.chars <= _FEW or segment.size <= row.size
    below = segment.base - last.base > _SAME_BASE * size and last.base < row.base
    return below and abs(segment.x0 + segment.x1 - last.x0 - last.x1) < size


def _merge(rows: list[Row]) -> list[Row]:
    """Join rows of the same baseline that the file wrote apart, such as the cells of a table."""
    merged: list[Row] = []
    for row in rows:
        target = merged[-1] if merged else None
        unit = _SAME_BASE * max(row.size, target.size) if target else 0.0
        if target and abs(row.base - target.base) <= unit and not _collide(row, target):
            for segment in row.segments:
                target.add(segment)
        else:
            merged.append(row)
    return merged


def _collide(left: Row, right: Row) -> bool:
    if left.x0 >= right.x1 - 1 or right.x0 >= left.x1 - 1:
        return False
    return any(a.x0 < b.x1 - 1 and b.x0 < a.x1 - 1 for a in left.segments for b in right.segments)
