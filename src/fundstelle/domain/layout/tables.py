"""Tell table rows from other lines with wide gaps, and put wrapped cells back into their row.

Afterwards a line has several cells exactly when it is a row of a table.
"""

import re
from collections.abc import Callable
from itertools import pairwise

from fundstelle.domain.layout.lines import Cell, Line
from fundstelle.domain.layout.table_columns import keep_empty_cells

_ALIGNED = 3.5
_MAX_DISTANCE = 5.0
_MIN_CELLS_ALONE = 3
_LOOK_BACK = 3
_WIDE_GAP = 1.3
_MAX_WRAP, _TIGHT_WRAP = 0.95, 0.35
_ROW_JUMP = 0.25
_MIN_ROWS_APART = 2
_WORD = re.compile(r"[^\W\d_]{3}")
_MARKER = re.compile(
    r"(?:[•▪●■➢✓◦‣·*–—o-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlIVXL]{1,5})[.)]|\([^()\s]{1,4}\)|(?:§§?\s?)?\d{1,3}(?:\.\d{1,3})*\.?\w?"
    r"|(?:§|Art\.|Artikel|Kapitel|Anlage|Anhang|Teil|Abschnitt)\s*\S{1,6})\Z"
)
_CONTENTS = re.compile(
    r"(?:Inhalt|Inhaltsverzeichnis|Inhaltsübersicht|Contents|Table of Contents)\W*\Z", re.IGNORECASE
)
_PAGE_REFERENCE = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7})\Z")


def mark_tables(lines: list[Line], finer: Callable[[], list[Line]]) -> list[Line]:
    """Keep the cells of table rows, join those of all other lines, and merge wrapped cells.

    Args:
        lines: The lines of a page in reading order.
        finer: Gives the same lines with cells parted at narrower gaps; called only when there is a table.
    """
    if all(len(line.cells) == 1 for line in lines):
        return lines
    lines = [_join_marker(line) for line in lines]
    rows = set() if _is_contents(lines) else _table_rows(lines)
    if rows:
        lines = _refine(lines, finer(), rows)
    wrapped = _wrapped_rows(lines, sorted(rows))
    result: list[Line] = []
    in_table: list[bool] = []
    for k, line in enumerate(lines):
        if k in wrapped and in_table and in_table[-1] and _fits_under(result[-1], line):
            result[-1] = _merge(result[-1], line)
        elif k in rows:
            result.append(line)
            in_table.append(True)
        elif in_table and in_table[-1] and _wraps(result[-1], line, lines[k + 1] if k + 1 in rows else None):
            result[-1] = _merge(result[-1], line)
        else:
            result.append(join_cells(line))
            in_table.append(False)
    return keep_empty_cells(result, in_table)


def _wrapped_rows(lines: list[Line], rows: list[int]) -> set[int]:
    """Find lines of tables that only go on with the cells of the row above.

    Rows that are set apart by more than their own line spacing show it: the distances between lines
    then fall into two groups, and a line at a small distance begins no row. Where all distances are
    alike nothing can be told, and every line stays a row.
    """
    wrapped: set[int] = set()
    for block in _blocks(lines, rows):
        distances = {k: lines[k].top - lines[k - 1].bottom for k in block[1:]}
        size = lines[block[0]].size
        ordered = sorted(distances.values())
        jumps = [(upper - lower, upper) for lower, upper in pairwise(ordered)]
        widest, apart = max(jumps, default=(0.0, 0.0))
        if widest > _ROW_JUMP * size and sum(one >= apart for one in ordered) >= _MIN_ROWS_APART:
            wrapped.update(k for k, one in distances.items() if one < apart and one < _TIGHT_WRAP * size)
    return wrapped


def _blocks(lines: list[Line], rows: list[int]) -> list[range]:
    """Find the tables: from a first to a last row, with at most two other lines between rows."""
    blocks: list[range] = []
    for k in rows:
        last = blocks[-1][-1] if blocks else None
        if last is not None and k - last <= _LOOK_BACK and lines[k].region == lines[last].region:
            blocks[-1] = range(blocks[-1][0], k + 1)
        else:
            blocks.append(range(k, k + 1))
    return blocks


def _fits_under(row: Line, line: Line) -> bool:
    """Say whether every cell of a line stands under a cell of the row above it."""
    return all((target := _cell_for(row, cell)) is not None and target == int(target) for cell in line.cells)


def _refine(lines: list[Line], finer: list[Line], rows: set[int]) -> list[Line]:
    """Part cells at narrower gaps where other rows of the table have a cell there, and add such rows."""
    if len(finer) != len(lines):
        return lines
    refined = list(lines)
    for k in sorted(rows | {k - 1 for k in rows if k} | {k + 1 for k in rows if k + 1 < len(lines)}):
        candidate = finer[k]
        if len(candidate.cells) <= len(lines[k].cells):
            continue
        others = [finer[other] for other in range(k - 2, k + 3) if other != k and other in rows]
        near = [other for other in others if other.region == candidate.region]
        inner = candidate.cells[1:]
        if all(any(_aligned(cell, above) for other in near for above in other.cells[1:]) for cell in inner):
            refined[k] = candidate
            rows.add(k)
    return refined


def join_cells(line: Line) -> Line:
    """Make one cell of all cells of a line."""
    if len(line.cells) == 1:
        return line
    pieces = list(line.cells[0].pieces)
    for cell in line.cells[1:]:
        pieces.append(cell.pieces[0]._replace(lead=" "))
        pieces.extend(cell.pieces[1:])
    whole = Cell(line.x0, line.x1, tuple(pieces))
    parts = tuple(cell.text for cell in line.cells)
    return line._replace(cells=(whole,), text=whole.text, parts=parts)


def _join_marker(line: Line) -> Line:
    if len(line.cells) == 2 and _MARKER.match(line.cells[0].text):
        return join_cells(line)
    return line


def _is_contents(lines: list[Line]) -> bool:
    if any(_CONTENTS.match(line.text) for line in lines[:4]):
        return True
    wide = [line for line in lines if len(line.cells) > 1]
    pages = sum(
        _PAGE_REFERENCE.match(line.cells[-1].text) is not None and ". ." in line.text for line in wide
    )
    return pages * 2 > len(wide)


def _table_rows(lines: list[Line]) -> set[int]:
    rows: set[int] = set()
    run: list[int] = []
    for k, line in enumerate(lines):
        if len(line.cells) < 2:
            continue
        if run and not _continues(lines, run, k):
            rows.update(_accept(lines, run))
            run = []
        run.append(k)
    rows.update(_accept(lines, run))
    return rows


def _continues(lines: list[Line], run: list[int], k: int) -> bool:
    line, last = lines[k], lines[run[-1]]
    if line.region != last.region or line.base - last.base > _MAX_DISTANCE * 1.3 * line.size:
        return False
    return any(_alignments(lines[one], line) for one in run[-_LOOK_BACK:])


def _alignments(upper: Line, lower: Line) -> int:
    """Count the cells behind the first that stand under such a cell; margins align in any text."""
    return sum(any(_aligned(above, below) for above in upper.cells[1:]) for below in lower.cells[1:])


def _aligned(above: Cell, below: Cell) -> bool:
    middle = abs(above.x0 + above.x1 - below.x0 - below.x1) / 2
    return abs(above.x0 - below.x0) < _ALIGNED or abs(above.x1 - below.x1) < _ALIGNED or middle < _ALIGNED


def _accept(lines: list[Line], run: list[int]) -> list[int]:
    worded = [sum(_WORD.search(cell.text) is not None for cell in lines[k].cells) for k in run]
    if len(run) > 1:
        return run if sum(count > 0 for count in worded) * 2 > len(run) else []
    cells = len(lines[run[0]].cells) if run else 0
    if cells and not _far_apart(lines[run[0]]):
        return []
    all_worded = cells >= _MIN_CELLS_ALONE and worded[0] == cells
    return run if all_worded or (cells > _MIN_CELLS_ALONE and worded[0] > 0) else []


def _far_apart(line: Line) -> bool:
    """Say whether all gaps are wider than the widest blank of justified text."""
    return all(right.x0 - left.x1 > _WIDE_GAP * line.size for left, right in pairwise(line.cells))


def _wraps(row: Line, line: Line, following: Line | None) -> bool:
    """Say whether a line is the second line of cells of the row above it."""
    distance = line.top - row.bottom
    if line.region != row.region or not -0.5 * row.size < distance < _MAX_WRAP * row.size:
        return False
    if following is not None and following.top - line.bottom < distance - 0.1 * line.size:
        return False
    targets = [_cell_for(row, cell) for cell in line.cells]
    if len(targets) > 1:
        return distance < _TIGHT_WRAP * row.size and all(target is not None for target in targets)
    target = targets[0]
    if target is None or target != int(target):
        return False
    return target > 0 or (distance < _TIGHT_WRAP * row.size and _fits_first(row, line))


def _fits_first(row: Line, line: Line) -> bool:
    """Take a line under the first cell for its second line only when it does not begin a new thing."""
    starts = line.text[:1]
    return line.x1 <= row.cells[1].x0 and (starts.islower() or starts in "(/&" or bool(row.hyphen))


def _cell_for(row: Line, cell: Cell) -> float | None:
    """Find the cell of a row that a cell below it goes on; a half number is a place between two cells."""
    for k, above in enumerate(row.cells):
        limit = row.cells[k + 1].x0 if k + 1 < len(row.cells) else float("inf")
        if (abs(cell.x0 - above.x0) < _ALIGNED or abs(cell.x1 - above.x1) < _ALIGNED) and cell.x1 < limit:
            return k
    before = sum(above.x1 < cell.x0 for above in row.cells)
    free = before == len(row.cells) or cell.x1 < row.cells[before].x0
    return before - 0.5 if free and before else None


def _merge(row: Line, line: Line) -> Line:
    added = [(_cell_for(row, cell), cell) for cell in line.cells]
    cells = list(row.cells)
    for target, extra in reversed(added):
        if target is not None and target != int(target):
            cells.insert(int(target + 0.5), extra)
            continue
        place = int(target or 0)
        first = extra.pieces[0]._replace(lead=" ")
        pieces = (*cells[place].pieces, first, *extra.pieces[1:])
        cells[place] = Cell(cells[place].x0, max(cells[place].x1, extra.x1), pieces)
    text = " ".join(cell.text for cell in cells)
    return row._replace(cells=tuple(cells), text=text, bottom=max(row.bottom, line.bottom))
