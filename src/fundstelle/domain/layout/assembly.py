"""From words to the pages and headings of a document: the two steps that readers call.

`layout_page` needs one page only and can run while others are still being extracted;
`assemble` needs them all, because furniture, hyphens and headings are known only then.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fundstelle.domain.documents import Heading, Mark, MarkKind, PageQuality, PageText
from fundstelle.domain.layout.bidi import in_logical_order
from fundstelle.domain.layout.columns import reading_regions
from fundstelle.domain.layout.formulas import with_formulas
from fundstelle.domain.layout.furniture import find_furniture
from fundstelle.domain.layout.heading_levels import FoundHeading
from fundstelle.domain.layout.headings import find_headings
from fundstelle.domain.layout.lines import Line, build_lines
from fundstelle.domain.layout.notes import last_before_its_notes, place_notes
from fundstelle.domain.layout.page import Hidden, OutlineEntry, RawPage, repaired
from fundstelle.domain.layout.paragraphs import Block, BlockKind, build_blocks, continues
from fundstelle.domain.layout.quality import judge_quality
from fundstelle.domain.layout.segments import CELL_GAP, FINE_GAP, build_segments, split_finer
from fundstelle.domain.layout.tables import mark_tables
from fundstelle.domain.layout.writing import PageWriter, joint, separator
from fundstelle.domain.offsets import OffsetMap

_LONG_LINE = 45
_NO_WORD = dict.fromkeys(map(ord, ".,;:!?()[]{}„“”‚‘’»«\"'/\ufffe\x02\u00ad…•"), " ")
_HIDDEN_REASON = {
    Hidden.INVISIBLE: "drawn without ink",
    Hidden.TINY: "smaller than two points",
    Hidden.OFF_PAGE: "outside the page",
    Hidden.BACKGROUND: "in the colour of its background",
    Hidden.COVERED: "covered by a filled area",
    Hidden.TRANSPARENT: "transparent",
}
_FURNITURE_REASON = {
    MarkKind.HEADER: "running header",
    MarkKind.FOOTER: "running footer",
    MarkKind.PAGE_NUMBER: "page number",
}


@dataclass(frozen=True, slots=True)
class PageLines:
    """Hold one page between the two steps: its lines in reading order."""

    page_number: int
    page_label: str | None
    width: float
    height: float
    text: str
    lines: list[Line]
    quality: PageQuality
    reason: str
    hidden: tuple[Mark, ...] = ()
    from_ocr: bool = False
    problem: str = ""


class Assembled(NamedTuple):
    """Hold the finished pages and headings."""

    pages: tuple[PageText, ...]
    headings: tuple[Heading, ...]


def layout_page(raw: RawPage) -> PageLines:
    """Find the lines of one page in reading order and judge its text."""
    quality, reason = judge_quality(raw)
    lines = (
        _read_lines(in_logical_order(with_formulas(repaired(raw))))
        if quality is not PageQuality.GARBLED
        else []
    )
    return PageLines(
        raw.page_number,
        raw.page_label,
        raw.width,
        raw.height,
        raw.text,
        lines,
        quality,
        reason,
        _hidden_marks(raw),
        raw.ocr_layer,
        raw.problem,
    )


def _read_lines(page: RawPage) -> list[Line]:
    regions = [
        (angle, one) for angle in _angles(page) for one in reading_regions(build_segments(page, angle))
    ]

    def lines(*, fine: bool) -> list[Line]:
        found: list[Line] = []
        for number, (angle, segments) in enumerate(regions):
            parts = split_finer(page, segments) if fine else segments
            found.extend(build_lines(page, parts, (number, angle), FINE_GAP if fine else CELL_GAP))
        return found

    return mark_tables(lines(fine=False), lambda: lines(fine=True))


def _angles(raw: RawPage) -> list[int]:
    """List the directions of text on a page, the most frequent first."""
    angles = {style.angle for style in raw.styles}
    if len(angles) <= 1:
        return list(angles)
    counts = Counter(raw.styles[k].angle for k in raw.style_of)
    return sorted(counts, key=lambda angle: (-counts[angle], angle))


def _hidden_marks(raw: RawPage) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for k, kind in enumerate(raw.hidden):
        if not kind:
            continue
        reason = _HIDDEN_REASON[Hidden(kind)]
        start, end = raw.starts[k], raw.ends[k]
        if marks and marks[-1].reason == reason and not raw.text[marks[-1].raw_end : start].strip():
            marks[-1] = Mark(MarkKind.HIDDEN, marks[-1].raw_start, end, reason)
        else:
            marks.append(Mark(MarkKind.HIDDEN, start, end, reason))
    return tuple(marks)


def assemble(pages: Sequence[PageLines], outline: Sequence[OutlineEntry]) -> Assembled:
    """Put the pages of a document together."""
    lines = [page.lines for page in pages]
    skip = find_furniture(lines, [page.height for page in pages], [page.page_label for page in pages])
    body_size = _body_size(lines, skip)
    found = find_headings(lines, skip, outline, body_size)
    starts: list[dict[int, int]] = [{} for _ in pages]
    for one in found:
        if one.line is not None:
            starts[one.page][one.line] = one.length
    area = _text_area(lines)
    blocks = [
        place_notes(build_blocks(lines[k], skip[k], starts[k], body_size, area)) for k in range(len(pages))
    ]
    words = _words(pages)
    return _Writing(pages, blocks, skip, words).write(found)


def _words(pages: Sequence[PageLines]) -> frozenset[str]:
    """Collect the words of all lines in lower case, for hyphens at line ends."""
    found: set[str] = set()
    for page in pages:
        found.update(page.text.lower().translate(_NO_WORD).split())
    return frozenset(found)


def _text_area(pages: Sequence[Sequence[Line]]) -> tuple[float, float] | None:
    """Find the left and right edge that most longer lines share."""
    edges = Counter(
        (round(line.x0), round(line.x1))
        for lines in pages
        for line in lines
        if len(line.text) > _LONG_LINE and not line.angle
    )
    if not edges:
        return None
    left = Counter({edge[0]: count for edge, count in edges.items()}).most_common(1)[0][0]
    return float(left), float(max(right for (start, right) in edges if abs(start - left) <= 1))


def _body_size(pages: Sequence[Sequence[Line]], skip: Sequence[dict[int, MarkKind]]) -> float:
    counts: Counter[float] = Counter()
    for lines, left_out in zip(pages, skip, strict=True):
        for k, line in enumerate(lines):
            if k not in left_out:
                counts[line.size] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 10.0


class _Writing:
    """Write all pages, knowing what goes on from one to the next."""

    def __init__(
        self,
        pages: Sequence[PageLines],
        blocks: list[list[Block]],
        skip: Sequence[dict[int, MarkKind]],
        words: frozenset[str],
    ) -> None:
        self._pages, self._blocks, self._skip, self._words = pages, blocks, skip, words
        self._spans: list[dict[int, tuple[int, int]]] = []

    def write(self, found: list[FoundHeading]) -> Assembled:
        """Write the pages and place the headings in the version text."""
        texts: list[PageText] = []
        starts: list[int] = []
        at = 0
        carried: list[bool] = []
        going_on = False
        for k, following in enumerate(self._find_following()):
            next_on = following is not None and self._runs_on(k, following)
            carried.append(going_on and bool(self._blocks[k]))
            text = self._page(k, following, runs_on=next_on)
            starts.append(at)
            at += len(text.content)
            texts.append(text)
            going_on = next_on or (going_on and not self._blocks[k])
        return Assembled(tuple(texts), tuple(self._headings(found, starts, carried, texts)))

    def _find_following(self) -> list[int | None]:
        """Find for each page the next one with text; none behind a page that could not be read."""
        following: list[int | None] = [None] * len(self._pages)
        for k in range(len(self._pages) - 2, -1, -1):
            after = self._pages[k + 1]
            if self._blocks[k + 1]:
                following[k] = k + 1
            elif not after.problem and after.quality is PageQuality.EMPTY:
                following[k] = following[k + 1]
        return following

    def _body(self, k: int) -> list[Block]:
        return [block for block in self._blocks[k] if block.kind is not BlockKind.NOTE]

    def _runs_on(self, k: int, following: int) -> bool:
        body, after = self._body(k), self._body(following)
        if not body or not after or after[0].kind is not BlockKind.PARAGRAPH:
            return False
        if body[-1].kind not in {BlockKind.PARAGRAPH, BlockKind.ITEM}:
            return False
        return continues(body[-1].lines[-1], after[0].lines[0])

    def _page(self, k: int, following: int | None, *, runs_on: bool) -> PageText:
        page = self._pages[k]
        blocks = self._blocks[k]
        if runs_on and blocks[-1].kind is BlockKind.NOTE:
            blocks = last_before_its_notes(blocks)
        writer = PageWriter(self._words, page.width, page.height)
        spans: dict[int, tuple[int, int]] = {}
        for position, block in enumerate(blocks):
            spans[block.first] = writer.block(block)
            if position + 1 < len(blocks):
                writer.close_hyphen(block.lines[-1])
                writer.put(separator(block.kind, blocks[position + 1].kind))
        if blocks:
            self._close(writer, blocks[-1], following, runs_on=runs_on)
        self._spans.append(spans)
        return PageText(
            page.page_number,
            page.page_label,
            writer.text,
            page.text,
            OffsetMap.of(writer.runs),
            tuple(writer.boxes),
            page.quality,
            page.problem or page.reason,
            self._marks(k),
            page.width,
            page.height,
            page.from_ocr,
        )

    def _close(self, writer: PageWriter, last: Block, following: int | None, *, runs_on: bool) -> None:
        if following is not None and runs_on:
            line = last.lines[-1]
            writer.put_joint(joint(line, self._body(following)[0].lines[0], self._words), line)
            return
        writer.close_hyphen(last.lines[-1])
        after = self._blocks[following][0].kind if following is not None else BlockKind.PARAGRAPH
        writer.put(separator(last.kind, after))

    def _marks(self, k: int) -> tuple[Mark, ...]:
        page = self._pages[k]
        marks = list(page.hidden)
        for index, kind in self._skip[k].items():
            for start, end in _stretches(page.lines[index], page.text):
                marks.append(Mark(kind, start, end, _FURNITURE_REASON[kind]))
        return tuple(sorted(marks, key=lambda mark: (mark.raw_start, mark.raw_end)))

    def _headings(
        self, found: list[FoundHeading], starts: list[int], carried: list[bool], texts: list[PageText]
    ) -> list[Heading]:
        placed: dict[int, Heading] = {}
        for one in found:
            if one.line is None:
                page, place = self._anchor(one, carried)
                title = one.title
                low = high = starts[page] + place
            else:
                begin, end = self._spans[one.page][one.line]
                title = texts[one.page].content[begin:end]
                low, high = starts[one.page] + begin, starts[one.page] + end
            if low not in placed or placed[low].char_end == low < high:
                placed[low] = Heading(title, one.level, low, high, one.source)
        return [placed[low] for low in sorted(placed)]

    def _anchor(self, one: FoundHeading, carried: list[bool]) -> tuple[int, int]:
        """Find where a section begins whose title is not printed: at the first block from there on."""
        for k in range(one.page, len(self._pages)):
            body = self._body(k)[1:] if carried[k] else self._body(k)
            if k == one.page and one.top is not None:
                body = [block for block in body if block.lines[0].bottom >= one.top]
            if body:
                return k, min(self._spans[k][block.first][0] for block in body)
        return len(self._pages) - 1, 0


def _stretches(line: Line, raw: str) -> list[tuple[int, int]]:
    """Give the stretches of raw text that a line was made of, joined where only blanks lie between."""
    pieces = sorted((piece.raw_start, piece.raw_end) for cell in line.cells for piece in cell.pieces)
    found = [pieces[0]]
    for start, end in pieces[1:]:
        if raw[found[-1][1] : start].strip():
            found.append((start, end))
        else:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
    return found
