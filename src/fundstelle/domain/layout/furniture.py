"""Find running headers, running footers and page numbers over the whole document.

A line at the edge of a page is furniture when the same line, but for its digits, stands at the same
height on other pages, or when it stands in a place that other pages prove to be a header's and looks
like one. Lines are peeled from the edge inwards: nothing behind body text is ever taken.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from fundstelle.domain.documents import MarkKind
from fundstelle.domain.layout.lines import Line

_EDGE_LINES = 6
_HEIGHT_GRID = 4.0
_MAX_DIGITS, _MAX_VARIED = 5, 3
_SAME_ROW = 0.3
_ROW_HEIGHT = 2.0
_PART_LETTERS = 6
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:(?:Seite|Page|S\.|p\.|Blatt)\s*)?[-–—|\[(]*\s*(\d{1,4}|[ivxlcdm]{1,8}|[A-Z]?-?\d{1,4})\s*[-–—|\])]*"
    r"(?:\s*(?:von|of|/)\s*\d{1,4})?\Z",
    re.IGNORECASE,
)
_MARGIN_SHARE, _WIDE_MARGIN_SHARE = 0.15, 0.28
_EVERYWHERE, _MOST = 0.8, 0.6
_NUMBER_MARGIN_SHARE = 0.19
_SHORT_DOCUMENT = 3
_MIN_REPEATS = 3
_WIDE_GAP = 1.6


class EdgeLine(NamedTuple):
    """Hold a line near the top or bottom of a page."""

    page: int
    position: int
    key: str
    variants: tuple[str, ...]
    height: int
    line: Line
    gap: float


def find_furniture(
    pages: Sequence[Sequence[Line]], heights: Sequence[float], labels: Sequence[str | None]
) -> list[dict[int, MarkKind]]:
    """Name the furniture of each page.

    Args:
        pages: Lines of each page.
        heights: Height of each page.
        labels: Printed label of each page, where the file gives one.

    Returns:
        For each page, which of its lines is what.
    """
    found: list[dict[int, MarkKind]] = [{} for _ in pages]
    for top in (True, False):
        edges = [_edge_lines(page, lines, heights[page], top=top) for page, lines in enumerate(pages)]
        judge = _Judge(edges, len(pages), heights, labels, top=top)
        for page, lines in enumerate(edges):
            found[page].update(judge.peel(lines))
    return _spare_bodies(found, pages)


def _spare_bodies(
    found: list[dict[int, MarkKind]], pages: Sequence[Sequence[Line]]
) -> list[dict[int, MarkKind]]:
    """Leave no page empty for lines that only some pages share: then they are its text."""
    shared = Counter(_key(pages[k][index].text) for k, kinds in enumerate(found) for index in kinds)
    filled = [k for k, lines in enumerate(pages) if lines]
    enough = _MOST * len(filled)
    for k in filled:
        if len(found[k]) == len(pages[k]):
            found[k] = {
                index: kind
                for index, kind in found[k].items()
                if kind is MarkKind.PAGE_NUMBER or shared[_key(pages[k][index].text)] >= enough
            }
    emptied = sum(len(found[k]) == len(pages[k]) for k in filled)
    if emptied * 2 < max(len(filled), 1):
        return found
    return [kinds if len(kinds) < len(pages[k]) else {} for k, kinds in enumerate(found)]


def _edge_lines(page: int, lines: Sequence[Line], height: float, *, top: bool) -> list[EdgeLine]:
    upright = [(k, line) for k, line in enumerate(lines) if line.angle == 0]
    upright.sort(key=lambda item: item[1].base, reverse=not top)
    edges = []
    for position, (k, line) in enumerate(upright[:_EDGE_LINES]):
        following = upright[position + 1][1] if position + 1 < len(upright) else None
        gap = abs(following.base - line.base) / max(line.size, 1.0) if following else 99.0
        from_edge = line.base if top else height - line.base
        key = _key(line.text)
        variants = _variants(line.text, page) + _part_variants(line, page)
        edges.append(EdgeLine(page, k, key, variants, round(from_edge / _HEIGHT_GRID), line, gap))
    return _same_gap_in_row(edges)


def _same_gap_in_row(edges: list[EdgeLine]) -> list[EdgeLine]:
    """Give the parts of one printed row the gap behind the row."""
    for k in range(len(edges) - 2, -1, -1):
        if edges[k].gap < _SAME_ROW:
            edges[k] = edges[k]._replace(gap=edges[k + 1].gap)
    return edges


def _variants(text: str, page: int) -> tuple[str, ...]:
    """Write a line with each of its numbers either as it is or counted from the page.

    Lines of two pages are the same furniture when they share a variant: `Seite 3 von 8` and `Seite 4
    von 8` do, `§ 3` and `§ 4` of neighbouring headings may, of others do not.
    """
    plain = " ".join(text.lower().split())
    numbers = [match for match in _NUMBER.finditer(plain) if len(match[0]) <= _MAX_DIGITS]
    found = {plain}
    for match in numbers[:_MAX_VARIED]:
        behind = len(plain) - match.end()
        counted = f"<{int(match[0]) - page}>"
        size = len(match[0])
        found |= {f"{one[: len(one) - behind - size]}{counted}{one[len(one) - behind :]}" for one in found}
    return tuple(found)


def _part_variants(line: Line, page: int) -> tuple[str, ...]:
    """Let the longer parts of a row speak for it: the title of the book beside that of each chapter."""
    worded = [part for part in line.parts if sum(map(str.isalpha, part)) >= _PART_LETTERS]
    return tuple(f"|{one}|" for part in worded for one in _variants(part, page))


def _key(text: str) -> str:
    return _NUMBER.sub("#", " ".join(text.lower().split()))


class _Judge:
    """Decide about the lines at one edge, knowing those of all pages."""

    def __init__(
        self,
        edges: list[list[EdgeLine]],
        page_count: int,
        heights: Sequence[float],
        labels: Sequence[str | None],
        *,
        top: bool,
    ) -> None:
        self._count = page_count
        self._heights, self._labels, self._top = heights, labels, top
        self._repeats: Counter[tuple[str, int]] = Counter()
        for lines in edges:
            self._repeats.update({(one, line.height) for line in lines for one in line.variants})
        self._places = {(one, line.page) for lines in edges for line in lines for one in line.variants}
        self._slots = self._find_slots(edges)
        self._shift = self._number_shift(edges)

    def peel(self, lines: list[EdgeLine]) -> dict[int, MarkKind]:
        """Take furniture from the edge inwards, as far as it goes without a gap."""
        found: dict[int, MarkKind] = {}
        for line in lines:
            kind = self._kind(line)
            if kind is None:
                break
            found[line.position] = kind
        return found

    def _kind(self, edge: EdgeLine) -> MarkKind | None:
        if self._is_page_number(edge):
            return MarkKind.PAGE_NUMBER
        kind = MarkKind.HEADER if self._top else MarkKind.FOOTER
        if not self._in_margin(edge):
            return None
        if self._repeats_enough(edge):
            return kind
        style = (edge.height, round(edge.line.size), edge.line.font)
        if style in self._slots and (edge.gap > _WIDE_GAP or edge.line.size < self._slots[style]):
            return kind
        return None

    def _repeat_count(self, edge: EdgeLine) -> int:
        return max(self._repeats[one, edge.height + step] for one in edge.variants for step in (-1, 0, 1))

    def _repeats_enough(self, edge: EdgeLine) -> bool:
        """Ask for other pages with this line, one of them near: a title may return now and then."""
        count = self._repeat_count(edge)
        pages = [edge.page + step for step in (-2, -1, 1, 2)]
        if not any((one, page) in self._places for one in edge.variants for page in pages):
            return False
        if edge.key.lower() == edge.key.upper():
            return count >= _MIN_REPEATS and self._in_margin(edge) and edge.gap > _WIDE_GAP
        if self._count > _SHORT_DOCUMENT:
            return count >= _MIN_REPEATS or (count == _MIN_REPEATS - 1 and self._in_margin(edge))
        return count == self._count > 1 and self._in_margin(edge)

    def _in_margin(self, edge: EdgeLine, share: float = _MARGIN_SHARE) -> bool:
        height = self._heights[edge.page] or 842.0
        from_edge = edge.line.bottom if self._top else height - edge.line.top
        everywhere = self._repeat_count(edge) > _EVERYWHERE * self._count and self._count > _SHORT_DOCUMENT
        return from_edge <= (_WIDE_MARGIN_SHARE if everywhere else share) * height

    def _find_slots(self, edges: list[list[EdgeLine]]) -> dict[tuple[int, int, str], float]:
        """Find places (height and type) where most of the lines of the outermost row are repeated ones.

        A line counts as repeated when a line beside it is: a chapter's title may stand on one page
        alone, next to the title of the book that stands on all.
        """
        places: Counter[tuple[int, int, str]] = Counter()
        proven: Counter[tuple[int, int, str]] = Counter()
        for lines in edges:
            row = [line for line in lines if abs(line.line.base - lines[0].line.base) < _ROW_HEIGHT]
            repeated = any(self._repeat_count(line) > 1 for line in row)
            for line in row:
                place = (line.height, round(line.line.size), line.line.font)
                places[place] += 1
                proven[place] += repeated
        return {
            place: place[1] - 0.5
            for place, count in places.items()
            if count >= _MIN_REPEATS and proven[place] * 2 >= count
        }

    def _is_page_number(self, edge: EdgeLine) -> bool:
        match = _PAGE_NUMBER.match(edge.line.text.strip())
        if not match or not self._in_margin(edge, _NUMBER_MARGIN_SHARE):
            return False
        if match[1] == self._labels[edge.page] or (edge.gap > _WIDE_GAP and self._count == 1):
            return match[1] in {self._labels[edge.page], str(edge.page + 1)}
        return match[1].isdigit() and int(match[1]) - edge.page == self._shift

    @staticmethod
    def _number_shift(edges: list[list[EdgeLine]]) -> int | None:
        shifts: Counter[int] = Counter()
        for lines in edges:
            for line in lines[:2]:
                match = _PAGE_NUMBER.match(line.line.text.strip())
                if match and match[1].isdigit():
                    shifts[int(match[1]) - line.page] += 1
        best = shifts.most_common(1)
        return best[0][0] if best and best[0][1] > 1 else None
