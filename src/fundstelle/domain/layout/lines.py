"""Printed lines: segments of one row put together, with sub- and superscripts where they belong.

A line keeps, for every piece of its text, the raw characters it stands for. Superscript numbers that
refer to footnotes become raised digits behind a blank (`Jahr ¹⁰`), so that they belong neither to the
word nor to a number.
"""

import re
from operator import attrgetter
from typing import NamedTuple
from unicodedata import is_normalized

from fundstelle.domain.layout.bidi import has_right_to_left, order_words
from fundstelle.domain.layout.page import RawPage
from fundstelle.domain.layout.rows import SMALLER, Row, across, group_rows
from fundstelle.domain.layout.segments import CELL_GAP, FORMULA_BLANK, Segment, is_glued
from fundstelle.domain.text.hyphenation import UNKNOWN_HYPHENS
from fundstelle.domain.text.normalise import normalise_characters

_CHARS = attrgetter("chars")
_BLANK = 0.16
_STACKED = 0.1
_SOFT = "\u00ad"
_CHANGES = re.compile(
    "[^ -~\xa1-\xa7\xa9-\xac\xae-\xb3\xb5-\xb7\xb9-\u01ff\u0391-\u03ff\u0410-\u044f\u2012-\u2015\u2018-\u201f"
    "\u2022\u2026\u2030-\u203a\u20ac\u2190-\u22ff\u25a0-\u25ff\u27e8-\u27e9]"
)
"""Characters that normalisation may change; all others stay as they are."""
_ELLIPSIS = re.compile(r"(?<!\. )\. \. \.(?! ?\.)")
_RAISED_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_RAISED_SIGNS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹*†‡")
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡]{1,3})[)]?\Z")
_WORD_BEFORE = re.compile(
    r"(?:[^\W\d_]{3}(?<!\bsin)(?<!\bcos)(?<!\btan)(?<!\bcot)(?<!\blog)(?<!\bexp)(?<!\bdet)(?<!\bmax)(?<!\bmin)"
    r"[.,;:!?)“”»\"]{0,2}|[^\W\d_][.,;:!?)“”»\"]{1,2})\Z"
)


class Piece(NamedTuple):
    """Hold a stretch of normalised text and the raw characters it stands for.

    Args:
        lead: What is put before it: nothing or a blank.
        runs: Offsets (normalised from, to, raw from, to) within the piece; None when one to one.
    """

    text: str
    raw_start: int
    raw_end: int
    lead: str = ""
    runs: tuple[tuple[int, int, int, int], ...] | None = None


class Cell(NamedTuple):
    """Hold the pieces of a line that stand together."""

    x0: float
    x1: float
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """Join the pieces."""
        return "".join([piece.lead + piece.text for piece in self.pieces])


class Line(NamedTuple):
    """Hold one printed line.

    Args:
        text: Normalised, without a hyphen at its end.
        cells: Its parts between wide gaps; one for running text.
        hyphen: `-` when the line ends within a word at a hyphen of unknown kind, a soft hyphen when it
            says so itself, else empty.
        hyphen_raw: Raw range of that hyphen.
        tag: Level of a tagged heading, -1 for an artefact, 0 for neither.
        region: Number of the region (column, band) that it stands in.
        parts: The texts that stood apart before they were joined to one cell; empty when none were.
    """

    text: str
    cells: tuple[Cell, ...]
    x0: float
    x1: float
    top: float
    bottom: float
    base: float
    size: float
    bold: bool
    italic: bool
    font: str
    angle: int
    hyphen: str
    hyphen_raw: tuple[int, int]
    tag: int
    region: int
    parts: tuple[str, ...] = ()


def build_lines(
    page: RawPage,
    segments: list[Segment],
    place: tuple[int, int],
    cell_gap: float = CELL_GAP,
) -> list[Line]:
    """Build the lines of one region from top to bottom.

    Args:
        place: Number of the region and angle of its text.
        cell_gap: Gaps wider than this many type sizes part cells.
    """
    turned = has_right_to_left(page.text)
    lines = []
    for row in group_rows(page, segments):
        ordered = order_words(page, across(row)) if turned else across(row)
        line = _line(page, row, ordered, place, cell_gap)
        if line is not None:
            lines.append(line)
    return lines


def _line(
    page: RawPage, row: Row, segments: list[Segment], place: tuple[int, int], cell_gap: float
) -> Line | None:
    cells = _cells(page, row, segments, cell_gap)
    if not cells:
        return None
    text, cells, hyphen, hyphen_raw = _trim_hyphen(page, segments[-1], cells)
    main = segments[0]
    top, bottom, bold = main.top, main.bottom, main.bold
    if len(segments) > 1:
        main = max(segments, key=_CHARS)
        bold = main.bold and all(one.bold for one in segments if one.chars > 1)
        top, bottom = min([one.top for one in segments]), max([one.bottom for one in segments])
    style = page.styles[main.style]
    return Line(
        text,
        tuple(cells),
        row.x0,
        row.x1,
        top,
        bottom,
        row.base,
        row.size if main.size < SMALLER * row.size else main.size,
        bold,
        style.italic,
        style.font,
        place[1],
        hyphen,
        hyphen_raw,
        page.tags[main.first] if page.tags else 0,
        place[0],
    )


def _cells(page: RawPage, row: Row, segments: list[Segment], cell_gap: float) -> list[Cell]:
    if len(segments) == 1:
        only = segments[0]
        parts = tuple([piece for piece in _pieces(page, only, "", row, []) if piece.text])
        return [Cell(only.x0, only.x1, parts)] if parts else []
    cells: list[Cell] = []
    pieces: list[Piece] = []
    previous: Segment | None = None
    start = segments[0].x0
    for segment in segments:
        lead = ""
        if previous is not None:
            gap = segment.x0 - previous.x1
            if (
                gap > cell_gap * row.size
                and pieces
                and not row.stacked
                and not _is_bullet(page, previous, segments[0])
            ):
                cells.append(Cell(start, previous.x1, tuple(pieces)))
                pieces, start = [], segment.x0
            else:
                lead = _lead(page, previous, segment, gap, row.size)
        pieces.extend([piece for piece in _pieces(page, segment, lead, row, pieces) if piece.text])
        previous = segment
    if pieces:
        cells.append(Cell(start, segments[-1].x1, tuple(pieces)))
    return cells


def _is_bullet(page: RawPage, segment: Segment, first: Segment) -> bool:
    return segment is first and segment.chars == 1 and not page.text[page.starts[segment.first]].isalnum()


def _lead(page: RawPage, previous: Segment, segment: Segment, gap: float, size: float) -> str:
    if segment.first == previous.last + 1:
        between = page.text[page.ends[previous.last] : page.starts[segment.first]]
        if not between:
            return ""
        if segment.style in page.formula or previous.style in page.formula:
            if 0 <= gap < FORMULA_BLANK * size and is_glued(page, previous.last, gap / size):
                return ""
            if gap < 0 and _is_stack(page, previous, segment, size):
                return ""
        if between == " " and gap > _BLANK / 2 * size:
            return " "
    return " " if gap > _BLANK * size or gap < -2 * _BLANK * size else ""


def _is_stack(page: RawPage, above: Segment, below: Segment, size: float) -> bool:
    """Say whether two segments are the two scripts of one letter, or two pieces of a long bar."""
    if abs(above.x0 - below.x0) > _STACKED * size:
        return False
    first, second = page.text[page.starts[above.first]], page.text[page.starts[below.first]]
    small = max(above.size, below.size) <= SMALLER * size
    return (small and not (first.isdigit() and second.isdigit())) or first == second in "∣∥|"


def _pieces(page: RawPage, segment: Segment, lead: str, row: Row, before: list[Piece]) -> list[Piece]:
    start, end = page.starts[segment.first], page.ends[segment.last]
    raw = page.text[start:end]
    if segment.first != segment.last and ("  " in raw or not raw.isprintable()):
        return _word_pieces(page, segment, lead)
    if ". . ." in raw and _ELLIPSIS.search(raw):
        return _with_ellipses(page, (start, end), lead)
    piece = _piece(page, (start, end), lead)
    small = segment.size <= SMALLER * row.size and segment.base < row.base - 0.15 * row.size
    if small and _NOTE.match(raw) and (not before or _WORD_BEFORE.search(before[-1].text)):
        return [piece._replace(text=raw.translate(_RAISED_DIGITS), lead=" " if before else "")]
    if lead == "" and len(before) == 1 and before[0].text[:1] in _RAISED_SIGNS:
        return [piece._replace(lead=" ")]
    return [piece]


def _with_ellipses(page: RawPage, span: tuple[int, int], lead: str) -> list[Piece]:
    """Close up three spaced dots, as TeX sets an ellipsis; leaders are longer and stay."""
    start, end = span
    pieces = []
    at = start
    for match in _ELLIPSIS.finditer(page.text[start:end]):
        low, high = start + match.start(), start + match.end()
        if low > at:
            pieces.append(_piece(page, (at, low), lead))
            lead = ""
        pieces.append(Piece("...", low, high, lead, ((0, 3, 0, high - low),)))
        at, lead = high, ""
    return [*pieces, _piece(page, (at, end), lead)] if at < end else pieces


def _word_pieces(page: RawPage, segment: Segment, lead: str) -> list[Piece]:
    pieces = []
    for k in range(segment.first, segment.last + 1):
        start, end = page.starts[k], page.ends[k]
        glued = k > segment.first and page.ends[k - 1] == start
        pieces.append(_piece(page, (start, end), "" if glued else lead))
        lead = " "
    return pieces


def _piece(page: RawPage, span: tuple[int, int], lead: str) -> Piece:
    start, end = span
    raw = page.text[start:end]
    if not _CHANGES.search(raw) and (raw.isascii() or is_normalized("NFC", raw)):
        return Piece(raw, start, end, lead)
    text, offsets = normalise_characters(raw)
    if text == raw:
        return Piece(text, start, end, lead)
    runs = tuple((r.norm_start, r.norm_end, r.raw_start, r.raw_end) for r in offsets.runs)
    return Piece(text, start, end, lead, runs)


def _trim_hyphen(
    page: RawPage, last: Segment, cells: list[Cell]
) -> tuple[str, list[Cell], str, tuple[int, int]]:
    """Take the hyphen off the end of a line; whoever joins the lines decides about it."""
    end = page.ends[last.last]
    text = " ".join([cell.text for cell in cells]) if len(cells) > 1 else cells[0].text
    follows = page.text[end : end + 1]
    if follows and follows in UNKNOWN_HYPHENS:
        return text, cells, "-", (end, end + 1)
    sign = page.text[end - 1 : end]
    if sign not in {"-", "\u2010", _SOFT} or not page.text[end - 2 : end - 1].isalnum():
        return text, cells, "", (0, 0)
    cell = cells[-1]
    piece = cell.pieces[-1]
    if piece.raw_end != end or (not piece.text.endswith("-") and sign != _SOFT):
        return text, cells, "", (0, 0)
    cut = len(piece.text) - (1 if piece.text.endswith("-") else 0)
    runs = None if piece.runs is None else tuple(run for run in piece.runs if run[1] <= cut)
    shorter = piece._replace(text=piece.text[:cut], raw_end=piece.raw_end - 1, runs=runs)
    cells = [*cells[:-1], cell._replace(pieces=(*cell.pieces[:-1], shorter))]
    trimmed = " ".join([one.text for one in cells]) if len(cells) > 1 else cells[0].text
    return trimmed, cells, _SOFT if sign == _SOFT else "-", (end - 1, end)
