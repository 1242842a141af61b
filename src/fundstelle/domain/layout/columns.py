"""Bring the segments of a page into reading order: columns one after the other, tables row by row.

A column border is a left edge that several lines share and that no line of the band crosses. The band
is read column by column when both sides look like prose (lines fill their column) or when the file
itself writes one side after the other; a table does neither.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from fundstelle.domain.layout.segments import Segment

_MIN_LINES = 3
_MIN_LINES_ORDERED = 2
_MIN_WIDTH = 70.0
_MIN_FILL, _FULL = 0.45, 0.65
_MIN_CHARS, _MIN_WORDS = 12.0, 2.0
_MIN_EDGE_CHARS = 8
_EDGE_GRID = 3.0
_NEIGHBOURS = 4
_SMALL_PAGE = 30
_GUTTER = 3.0
_MAX_DEPTH = 4
_SAME_ROW = 2.5
_INDEX_ROWS = 5
_HEADER_CHANGES, _MANY_ROWS = 3, 8


class _Side(NamedTuple):
    segments: list[Segment]
    x0: float
    x1: float
    rows: list[tuple[float, float, int, int]]


def reading_regions(segments: list[Segment], depth: int = 0) -> list[list[Segment]]:
    """Cut segments into regions in reading order; within a region, rows go from top to bottom."""
    if depth >= _MAX_DEPTH or len(segments) < 2 * _MIN_LINES_ORDERED:
        return [segments] if segments else []
    for edge in _edges(segments):
        regions = _cut_at(segments, edge, depth)
        if regions is not None:
            return regions
    return [segments]


def _edges(segments: list[Segment]) -> list[float]:
    """List left edges that several longer segments share, best supported first; not the leftmost."""
    counts: dict[int, int] = {}
    longer = sorted([one for one in segments if one.chars >= _MIN_EDGE_CHARS], key=lambda one: one.base)
    for k, segment in enumerate(longer):
        if _has_left_neighbour(longer, k):
            key = round(segment.x0 / _EDGE_GRID)
            counts[key] = counts.get(key, 0) + 1
    if not counts:
        return []
    leftmost = min([segment.x0 for segment in longer])
    needed = _MIN_LINES_ORDERED if len(segments) < _SMALL_PAGE else _MIN_LINES
    found = []
    for key, count in counts.items():
        support = count + counts.get(key + 1, 0)
        low = key * _EDGE_GRID - _EDGE_GRID / 2
        if support >= needed and low > leftmost + _MIN_WIDTH / 2:
            found.append((-support, low))
    return [low for _, low in sorted(found)[:6]]


def _has_left_neighbour(longer: list[Segment], k: int) -> bool:
    """Say whether another longer segment stands left of this one, at about its height."""
    segment = longer[k]
    limit, reach = segment.x0 - _GUTTER, segment.size
    for other in longer[max(0, k - _NEIGHBOURS) : k + _NEIGHBOURS + 1]:
        if other.x1 <= limit and -reach <= other.base - segment.base <= reach:
            return True
    return False


def _cut_at(segments: list[Segment], edge: float, depth: int) -> list[list[Segment]] | None:
    regions: list[list[Segment]] = []
    loose: list[Segment] = []
    cut = False
    for band in _bands(segments, edge):
        sides = _sides(band, edge)
        if sides is None or not _are_columns(band, *sides, depth):
            loose.extend(band)
            continue
        cut = True
        if loose:
            regions.extend(reading_regions(_in_file_order(loose), depth + 1))
            loose = []
        regions.extend(reading_regions(sides[0].segments, depth + 1))
        regions.extend(reading_regions(sides[1].segments, depth + 1))
    if not cut:
        return None
    if loose:
        regions.extend(reading_regions(_in_file_order(loose), depth + 1))
    return regions


def _in_file_order(segments: list[Segment]) -> list[Segment]:
    """Put segments back as the file wrote them: a raised number then follows its word."""
    return sorted(segments, key=lambda one: one.first)


def _bands(segments: list[Segment], edge: float) -> list[list[Segment]]:
    """Cut the page into bands from top to bottom: runs without a crossing segment, and crossing ones."""
    bands: list[list[Segment]] = []
    was_crossing: bool | None = None
    for segment in sorted(segments, key=lambda one: one.base):
        crossing = segment.x0 < edge and segment.x1 > edge - _GUTTER
        if not bands or crossing != was_crossing:
            bands.append([])
        bands[-1].append(segment)
        was_crossing = crossing
    return bands


def _sides(band: list[Segment], edge: float) -> tuple[_Side, _Side] | None:
    in_file_order = _in_file_order(band)
    left = [segment for segment in in_file_order if segment.x1 <= edge - _GUTTER]
    right = [segment for segment in in_file_order if segment.x0 >= edge]
    if not left or not right or len(left) + len(right) < len(band):
        return None
    return _side(left), _side(right)


def _side(segments: list[Segment]) -> _Side:
    rows: list[list[float]] = []
    for segment in sorted(segments, key=lambda one: one.base):
        words = segment.last - segment.first + 1
        if rows and segment.base - rows[-1][4] <= _SAME_ROW:
            row = rows[-1]
            row[0], row[1] = min(row[0], segment.x0), max(row[1], segment.x1)
            row[2] += segment.chars
            row[3] += words
        else:
            rows.append([segment.x0, segment.x1, segment.chars, words, segment.base])
    plain = [(row[0], row[1], int(row[2]), int(row[3])) for row in rows]
    return _Side(segments, min(row[0] for row in plain), max(row[1] for row in plain), plain)


def _are_columns(band: list[Segment], left: _Side, right: _Side, depth: int) -> bool:
    if not _overlap(left, right):
        return False
    shorter = min(len(left.rows), len(right.rows))
    changes = _changes(band, left, right)
    in_order = changes <= 1 or (changes <= _HEADER_CHANGES and shorter >= _MANY_ROWS)
    if in_order:
        if shorter >= _INDEX_ROWS and _worded(left) and _worded(right):
            return True
    elif changes > shorter * 0.8:
        return False
    if shorter < (_MIN_LINES_ORDERED if in_order else _MIN_LINES):
        return False
    return _is_prose(left, depth) and _is_prose(right, depth)


def _overlap(left: _Side, right: _Side) -> bool:
    low = max(_top(left.segments), _top(right.segments))
    high = min(_bottom(left.segments), _bottom(right.segments))
    heights = [_bottom(side.segments) - _top(side.segments) for side in (left, right)]
    return high - low >= 0.5 * min(heights)


def _top(segments: Sequence[Segment]) -> float:
    return min(segment.top for segment in segments)


def _bottom(segments: Sequence[Segment]) -> float:
    return max(segment.bottom for segment in segments)


def _changes(band: list[Segment], left: _Side, right: _Side) -> int:
    """Count how often the file's own order goes from one side to the other and back."""
    edge = (left.x1 + right.x0) / 2
    order = [one.x0 < edge for one in sorted(band, key=lambda one: one.first)]
    return sum(a != b for a, b in pairwise(order))


def _worded(side: _Side) -> bool:
    chars = sum(row[2] for row in side.rows)
    return chars / len(side.rows) >= _MIN_EDGE_CHARS


def _is_prose(side: _Side, depth: int) -> bool:
    width = side.x1 - side.x0
    if width < _MIN_WIDTH:
        return False
    count = len(side.rows)
    full = sum(row[1] - row[0] >= _FULL * width for row in side.rows)
    worded = sum(row[2] for row in side.rows) >= _MIN_CHARS * count
    spaced = sum(row[3] for row in side.rows) >= _MIN_WORDS * count
    if worded and spaced and full >= _MIN_FILL * count and not _is_split(side):
        return True
    return len(reading_regions(side.segments, depth + 1)) > 1


def _is_split(side: _Side) -> bool:
    """Say whether most rows of a side are made of several segments, as in a table."""
    return len(side.segments) > 1.8 * len(side.rows)
