"""Keep the empty cells of table rows, so that a number stays under its heading.

The columns of a table are those of its fullest rows. A row with fewer cells gets an empty one for each
column that it leaves out, up to its last cell. Where a cell reaches over two columns, or columns
overlap, nothing is guessed and the row stays as it is.
"""

from collections.abc import Sequence
from itertools import pairwise

from fundstelle.domain.layout.lines import Cell, Line

_MIN_COLUMNS = 3
_TOLERANCE = 1.0

Column = tuple[float, float]


def keep_empty_cells(lines: Sequence[Line], is_row: Sequence[bool]) -> list[Line]:
    """Give the lines of a page with the rows of its tables filled up by empty cells.

    Args:
        is_row: For each line, whether it is a row of a table.
    """
    result = list(lines)
    start = 0
    for k in range(1, len(lines) + 1):
        inside = k < len(lines) and is_row[k] and is_row[k - 1] and lines[k].region == lines[k - 1].region
        if inside:
            continue
        if is_row[start]:
            result[start:k] = _filled(lines[start:k])
        start = k
    return result


def _filled(rows: Sequence[Line]) -> list[Line]:
    columns = _columns(rows)
    if len(columns) < _MIN_COLUMNS:
        return list(rows)
    return [row if len(row.cells) == len(columns) else _fill(row, columns) for row in rows]


def _columns(rows: Sequence[Line]) -> list[Column]:
    """Find the extents of the columns in the fullest rows; none where they overlap."""
    count = max(len(row.cells) for row in rows)
    full = [row for row in rows if len(row.cells) == count]
    columns = [
        (min(row.cells[k].x0 for row in full), max(row.cells[k].x1 for row in full)) for k in range(count)
    ]
    apart = all(left[1] < right[0] for left, right in pairwise(columns))
    return columns if apart else []


def _fill(row: Line, columns: Sequence[Column]) -> Line:
    places = [_place(cell, columns) for cell in row.cells]
    if any(place is None for place in places):
        return row
    found = [place for place in places if place is not None]
    if any(right <= left for left, right in pairwise(found)):
        return row
    by_place = dict(zip(found, row.cells, strict=True))
    cells = [by_place.get(k) or Cell(*columns[k], ()) for k in range(found[-1] + 1)]
    return row._replace(cells=tuple(cells))


def _place(cell: Cell, columns: Sequence[Column]) -> int | None:
    """Find the one column that a cell stands in, or else the nearest; None where it reaches over several."""
    touched = [
        k
        for k, (left, right) in enumerate(columns)
        if cell.x0 < right + _TOLERANCE and cell.x1 > left - _TOLERANCE
    ]
    if len(touched) > 1:
        return None
    if touched:
        return touched[0]
    return min(range(len(columns)), key=lambda k: max(columns[k][0] - cell.x1, cell.x0 - columns[k][1]))
