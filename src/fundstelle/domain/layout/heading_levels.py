"""Give headings their levels: below an outline, or by numbering and type alone."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from fundstelle.domain.documents import RecognisedBy
from fundstelle.domain.layout.lines import Line

_MIN_SHARE = 0.03


class FoundHeading(NamedTuple):
    """Hold a recognised heading.

    Args:
        page: Index of its page.
        line: Index of its first line on that page, None where no line matches its outline entry.
        length: Number of its lines.
        title: From the outline where no line matches, else empty.
        top: Height of the destination, where no line matches and the outline says it.
    """

    page: int
    line: int | None
    length: int
    level: int
    source: RecognisedBy
    title: str = ""
    top: float | None = None


class Candidate(NamedTuple):
    """Hold a line that looks like a heading.

    Args:
        depth: Of its decimal number, where it has one.
        rank: Of its structural word (part, chapter, section, article), where it has one.
        style: Type size and weight.
    """

    page: int
    line: int
    length: int
    depth: int | None
    rank: int | None
    style: tuple[float, bool]
    source: RecognisedBy


def without_title_matter(candidates: list[Candidate], pages: Sequence[Sequence[Line]]) -> list[Candidate]:
    """Leave out what stands between a title and the text on the first page: authors, places, dates."""
    first = [one for one in candidates if one.page == 0]
    elsewhere = {one.style for one in candidates if one.page > 0}
    dropped: set[int] = set()
    for above, one in pairwise(first):
        follows = above.line + above.length == one.line
        smaller = one.style[0] < above.style[0] or above.line in dropped
        if follows and smaller and one.source is RecognisedBy.FONT and one.style not in elsewhere:
            after = one.line + one.length
            below = pages[0][after] if after < len(pages[0]) else None
            if not pages[0][one.line].bold or below is None:
                dropped.add(one.line)
    return [one for one in candidates if one.page > 0 or one.line not in dropped]


def styles_of(found: list[FoundHeading], pages: Sequence[Sequence[Line]]) -> dict[tuple[float, bool], int]:
    """Map the type of outline headings to their most common level."""
    counts: dict[tuple[float, bool], Counter[int]] = {}
    for one in found:
        if one.line is not None:
            line = pages[one.page][one.line]
            counts.setdefault((round(line.size * 2) / 2, line.bold), Counter())[one.level] += 1
    return {style: levels.most_common(1)[0][0] for style, levels in counts.items()}


def below_outline(
    found: list[FoundHeading], candidates: list[Candidate], styles: dict[tuple[float, bool], int]
) -> list[FoundHeading]:
    """Add finer headings below those of the outline."""
    finer = _frequent_styles([one for one in candidates if one.style not in styles])
    places = sorted((place_of(one), one.level) for one in found)
    result = []
    for one in candidates:
        before = bisect_right(places, ((one.page, one.line), 0))
        current = places[before - 1][1] if before else 0
        level = (
            styles[one.style]
            if one.style in styles
            else current + 1 + sum(style > one.style for style in finer)
        )
        result.append(FoundHeading(one.page, one.line, one.length, level, one.source))
    return result


def _frequent_styles(candidates: list[Candidate]) -> list[tuple[float, bool]]:
    """List the types that mark a level, not just a line here and there."""
    counts = Counter(one.style for one in candidates)
    return [style for style, count in counts.items() if count >= max(2, _MIN_SHARE * len(candidates))]


def by_style(candidates: list[Candidate]) -> list[FoundHeading]:
    """Give levels without an outline: numbering by depth, the rest by its type among the numbered."""
    ranks = sorted({one.rank for one in candidates if one.rank is not None and one.rank < 6})
    depths: dict[tuple[float, bool], Counter[int]] = {}
    for one in candidates:
        own = _own_level(one, ranks)
        if own is not None:
            depths.setdefault(one.style, Counter())[own] += 1
    levels: dict[tuple[float, bool], int] = {}
    above = 0
    for style in sorted({one.style for one in candidates}, reverse=True):
        known = depths[style].most_common(1)[0][0] if style in depths else None
        levels[style] = known if known is not None else above + 1
        above = max(above, levels[style])
    return [
        FoundHeading(one.page, one.line, one.length, _own_level(one, ranks) or levels[one.style], one.source)
        for one in candidates
    ]


def _own_level(one: Candidate, ranks: list[int]) -> int | None:
    if one.depth is not None:
        return one.depth + len(ranks)
    if one.rank is None:
        return None
    return ranks.index(one.rank) + 1 if one.rank in ranks else 1


def place_of(one: FoundHeading) -> tuple[int, int]:
    """Give page and line of a heading, for sorting."""
    return one.page, -1 if one.line is None else one.line
