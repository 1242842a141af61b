"""Tell formulas and the labels of figures from running text, by the fonts that are made for them.

What stands above, below and beside each other in a formula is read in the order in which the file
writes it; no order by place alone would give `n k=0` or the rows of a matrix back.
"""

import re
from collections import Counter

from fundstelle.domain.layout.page import RawPage
from fundstelle.domain.layout.segments import Segment

_FORMULA_FONT = re.compile(
    r"(?:\+|\A)(?:(?:CM|LM|TX|PX)(?:MI|B?SY|EX|BM)|MSAM|MSBM|EU[FRSMX]|RSFS|WASY|LASY|STMARY)|Math",
    re.IGNORECASE,
)
_FIGURES_FONT = re.compile(r"(?:\+|\A)(?:CMR|LMRoman)\d", re.IGNORECASE)
_REACH, _FAR_REACH = 1.3, 2.2
_SMALL = 0.87
_SAMPLE = 3
_MAX_CHARS = 24
_MAX_GAP = 2.0
_ADJACENT = 0.6


def with_formulas(page: RawPage) -> RawPage:
    """Name the styles of a page whose font is made for formulas and is not that of the text."""
    found = {k for k, style in enumerate(page.styles) if _FORMULA_FONT.search(style.font)}
    if not found:
        return page
    figures = {k for k, style in enumerate(page.styles) if _FIGURES_FONT.search(style.font)}
    if figures:
        main = _main_font(page, found)
        found |= {k for k in figures if page.styles[k].font != main}
    return page._replace(formula=frozenset(found))


def _main_font(page: RawPage, formula: set[int]) -> str:
    """Find the font of most characters outside of formulas, by every third word."""
    weight: Counter[str] = Counter()
    fonts = [style.font for style in page.styles]
    for k, start, end in zip(
        *(one[::_SAMPLE] for one in (page.style_of, page.starts, page.ends)), strict=True
    ):
        if k not in formula:
            weight[fonts[k]] += end - start
    return weight.most_common(1)[0][0] if weight else ""


def goes_on(page: RawPage, segment: Segment, row: list[Segment], base: float, size: float) -> bool:
    """Say whether a segment is the next part of the formula that a row ends with.

    Args:
        row: The segments of the row so far, in the file's order; `base` and `size` are the row's.
    """
    last, formula = row[-1], page.formula
    if segment.first != last.last + 1 or segment.chars > _MAX_CHARS:
        return False
    if segment.style not in formula and last.style not in formula:
        return False
    shift = abs(segment.base - base)
    centred = abs(segment.x0 + segment.x1 - last.x0 - last.x1) < size
    if shift > (_FAR_REACH if centred and segment.size < _SMALL * size else _REACH) * size:
        return False
    if segment.x0 - last.x1 > _MAX_GAP * size:
        return False
    if segment.x0 >= last.x1 - _ADJACENT * size:
        return True
    beside = [one for one in row if one.x1 > segment.x0]
    if any(one.chars > _MAX_CHARS for one in beside):
        return False
    return centred or len(beside) < len(row)
