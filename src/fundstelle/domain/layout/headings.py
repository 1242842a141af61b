"""Recognise headings: by outline, by tags, by numbering, by type.

Where a file has an outline, the outline decides; finer headings are added below it. A heading
recognised by numbering or type stands on a line of its own and is no running header, no line of a
table of contents, no cell, no list item and no caption.
"""

import re
from collections.abc import Mapping, Sequence

from fundstelle.domain.documents import RecognisedBy
from fundstelle.domain.layout.heading_levels import (
    Candidate,
    FoundHeading,
    below_outline,
    by_style,
    place_of,
    styles_of,
    without_title_matter,
)
from fundstelle.domain.layout.lines import Line
from fundstelle.domain.layout.page import OutlineEntry
from fundstelle.domain.layout.paragraphs import ends_sentence

_MAX_CHARS = 160
_MAX_LINES = 4
_LARGER = 1.12
_SLIGHTLY_LARGER = 1.04
_MAX_BOLD_SHARE = 0.35
_GAP = 1.2
_POINTED = 2.5
_KEY = re.compile(r"[^\W_]+")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_CONTENTS_LINE = re.compile(r"\S\s+(?:\d{1,4}|[ivxlc]{1,7})\Z")
_CONTENTS = re.compile(
    r"(?:Inhalt|Inhaltsverzeichnis|Inhaltsübersicht|Contents|Table of Contents)\W*\Z", re.IGNORECASE
)
_CAPTION = re.compile(
    r"(?:Abbildung|Abb\.|Tabelle|Tab\.|Figure|Fig\.|Table|Quelle|Bild)\s*\d?", re.IGNORECASE
)
_NUMBERING = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+(?=\S*[^\W\d_])")
_STRUCTURE = re.compile(
    r"(?:(Buch|Teil|Part)|(Kapitel|Chapter)|(Abschnitt|Section)|(Titel|Unterabschnitt)|(§§?|Art\.|Artikel|Article)"
    r"|(Anlage|Anhang|Appendix|Annex))\s*(?:\d+[a-z]?|[IVXLC]+|[A-Z])(?=[\s.:–-]|\Z)"
)
_NO_TITLE = re.compile(
    r"(?:§|Art)\S*\s*\d+\w?\s+(?:Abs|Satz|Nr|Ziff|und|bis|sowie|oder|i\.)\b|.*\b(?:ist|sind|regelt|gilt|gelten)\b"
)
_NO_ITEM = re.compile(r"[•▪●■➢✓◦‣○□–—*-]\s|[a-z]\)\s|\([a-zivx\d]{1,4}\)\s|\d{1,3}\)\s")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_TOP = {"Anlage", "Anhang", "Appendix", "Annex"}


def find_headings(
    pages: Sequence[Sequence[Line]],
    skip: Sequence[Mapping[int, object]],
    outline: Sequence[OutlineEntry],
    body_size: float,
) -> list[FoundHeading]:
    """Find the headings of a document in reading order.

    Args:
        pages: Lines of each page.
        skip: Furniture of each page.
        outline: The file's outline; `top` measured from the top of the page.
        body_size: Type size of most of the document.
    """
    found = _from_outline(pages, skip, outline)
    taken = {(one.page, one.line + k) for one in found if one.line is not None for k in range(one.length)}
    tagged = [] if found else _from_tags(pages, skip)
    candidates = [] if tagged else _candidates(pages, skip, taken, body_size)
    if found:
        found, candidates = _adopt(found, candidates, pages)
        styles = styles_of(found, pages)
        found = sorted([*found, *below_outline(found, candidates, styles)], key=place_of)
    elif tagged:
        found = tagged
    else:
        found = by_style(without_title_matter(candidates, pages))
    return found


def title_key(text: str) -> str:
    """Reduce a title to its letters and digits, for comparing."""
    return "".join(_KEY.findall(text.lower()))


def _from_outline(
    pages: Sequence[Sequence[Line]], skip: Sequence[Mapping[int, object]], outline: Sequence[OutlineEntry]
) -> list[FoundHeading]:
    found: list[FoundHeading] = []
    taken: set[tuple[int, int]] = set()
    keys: dict[int, list[str]] = {}
    for entry in outline:
        if entry.page_number is None or not 1 <= entry.page_number <= len(pages):
            continue
        page = entry.page_number - 1
        if page not in keys:
            keys[page] = [title_key(line.text) for line in pages[page]]
        match = _match(entry, pages[page], keys[page], skip[page], {k for p, k in taken if p == page})
        if match is None:
            found.append(
                FoundHeading(page, None, 0, entry.level, RecognisedBy.OUTLINE, entry.title, entry.top)
            )
        else:
            taken.update((page, k) for k in range(match[0], match[0] + match[1]))
            found.append(FoundHeading(page, *match, entry.level, RecognisedBy.OUTLINE))
    return found


def _adopt(
    found: list[FoundHeading], candidates: list[Candidate], pages: Sequence[Sequence[Line]]
) -> tuple[list[FoundHeading], list[Candidate]]:
    """Let an outline entry whose title is not printed take the heading that its destination points at."""
    left = list(candidates)
    adopted = []
    for one in found:
        line = next((c for c in left if one.line is None and _is_pointed_at(one, c, pages)), None)
        if line is None:
            adopted.append(one)
            continue
        left.remove(line)
        adopted.append(FoundHeading(one.page, line.line, line.length, one.level, one.source))
    return adopted, left


def _is_pointed_at(one: FoundHeading, candidate: Candidate, pages: Sequence[Sequence[Line]]) -> bool:
    if candidate.page != one.page or one.top is None:
        return False
    line = pages[candidate.page][candidate.line]
    return -_POINTED * line.size <= line.base - line.size - one.top <= _POINTED * line.size


def _match(
    entry: OutlineEntry, lines: Sequence[Line], keys: list[str], skip: Mapping[int, object], taken: set[int]
) -> tuple[int, int] | None:
    """Find the lines that print the title of an outline entry, nearest to its destination."""
    title = title_key(entry.title)
    bare = title_key(re.sub(r"^[\s§\d.]+", "", entry.title)) or title
    best: tuple[float, int, int] | None = None
    for k, key in enumerate(keys):
        if k in skip or k in taken or not key:
            continue
        count = _matching_lines(keys, k, title, bare)
        if count:
            distance = abs(lines[k].top - entry.top) if entry.top is not None else float(k) - lines[k].size
            if best is None or distance < best[0]:
                best = (distance, k, count)
    return (best[1], best[2]) if best else None


def _matching_lines(keys: list[str], k: int, title: str, bare: str) -> int:
    joined = ""
    for count in range(1, _MAX_LINES + 1):
        if k + count > len(keys):
            return 0
        joined += keys[k + count - 1]
        if joined == title or (
            joined.endswith(bare) and joined[: -len(bare)].strip("0123456789") in _PREFIXES
        ):
            return count
        if len(joined) > len(title) + 12:
            return 0
    return 0


_PREFIXES = frozenset(
    {"", "kapitel", "chapter", "teil", "anhang", "anlage", "appendix", "abschnitt", "artikel"}
)


def _from_tags(pages: Sequence[Sequence[Line]], skip: Sequence[Mapping[int, object]]) -> list[FoundHeading]:
    found: list[FoundHeading] = []
    for page, lines in enumerate(pages):
        previous = 0
        for k, line in enumerate(lines):
            level = 0 if k in skip[page] or len(line.cells) > 1 else max(line.tag, 0)
            if level and level == previous and _same_block(lines[k - 1], line):
                found[-1] = found[-1]._replace(length=found[-1].length + 1)
            elif level:
                found.append(FoundHeading(page, k, 1, level, RecognisedBy.TAGGED))
            previous = level
    return found


def _same_block(above: Line, line: Line) -> bool:
    alike = abs(above.size - line.size) < 0.6 and above.bold == line.bold and above.region == line.region
    return alike and 0 < line.base - above.base < 1.6 * line.size and not _STRUCTURE.match(line.text)


def _candidates(
    pages: Sequence[Sequence[Line]],
    skip: Sequence[Mapping[int, object]],
    taken: set[tuple[int, int]],
    body_size: float,
) -> list[Candidate]:
    total = sum(len(lines) for lines in pages) or 1
    bold_counts = sum(line.bold for lines in pages for line in lines) <= _MAX_BOLD_SHARE * total
    found: list[Candidate] = []
    for page, lines in enumerate(pages):
        if not lines:
            continue
        scan = _PageScan(page, lines, skip[page], body_size, bold_counts=bold_counts)
        found.extend(one for one in scan.candidates() if (page, one.line) not in taken)
    return found


class _PageScan:
    """Look for headings among the lines of one page."""

    def __init__(
        self,
        page: int,
        lines: Sequence[Line],
        skip: Mapping[int, object],
        body_size: float,
        *,
        bold_counts: bool,
    ) -> None:
        self._page, self._body, self._bold_counts = page, body_size, bold_counts
        self._kept = [(k, line) for k, line in enumerate(lines) if k not in skip]
        self._contents = any(_CONTENTS.match(line.text) for _, line in self._kept[:4])
        self._right: dict[int, float] = {}
        for _, line in self._kept:
            self._right[line.region] = max(self._right.get(line.region, 0.0), line.x1)

    def candidates(self) -> list[Candidate]:
        """List the headings of the page."""
        found: list[Candidate] = []
        position = 0
        while position < len(self._kept):
            candidate = self._judge(position)
            if candidate is None:
                position += 1
                continue
            count = self._extend(position)
            if count:
                found.append(candidate._replace(length=count))
            position += max(count, 1) if count else self._block_length(position)
        return found

    def _judge(self, position: int) -> Candidate | None:
        k, line = self._kept[position]
        large = line.size >= _LARGER * self._body
        bold = line.bold and self._bold_counts
        structure = _STRUCTURE.match(line.text)
        numbered = _NUMBERING.match(line.text)
        if not (large or bold or structure or numbered) or not self._may_be_title(line):
            return None
        style = (round(line.size * 2) / 2, line.bold)
        depth = numbered[1].count(".") + 1 if numbered else None
        rank = next((g for g in range(1, 7) if structure[g]), None) if structure else None
        if structure and (large or bold or self._stands_alone(position)) and not _NO_TITLE.match(line.text):
            return Candidate(self._page, k, 1, None, rank, style, RecognisedBy.NUMBERING)
        if numbered and (large or bold or self._is_deep(position, depth or 1)):
            return Candidate(self._page, k, 1, depth, None, style, RecognisedBy.NUMBERING)
        if (large or (bold and line.size >= 0.95 * self._body)) and self._begins_block(position):
            return Candidate(self._page, k, 1, None, None, style, RecognisedBy.FONT)
        return None

    def _may_be_title(self, line: Line) -> bool:
        text = line.text
        if len(line.cells) > 1 or line.angle or len(text) > _MAX_CHARS or not _LETTERS.search(text):
            return False
        if text[-1] in ".,;:" and not re.search(r"\d\.\Z", text):
            return False
        if _LEADERS.search(text) or _NO_ITEM.match(text) or _CAPTION.match(text):
            return False
        return not (self._contents and _CONTENTS_LINE.search(text))

    def _begins_block(self, position: int) -> bool:
        if position == 0:
            return True
        above, line = self._kept[position - 1][1], self._kept[position][1]
        if above.region != line.region or line.base <= above.base:
            return True
        step = line.base - above.base
        return step > _GAP * 1.15 * line.size or (above.bold != line.bold and ends_sentence(above.text))

    def _stands_alone(self, position: int) -> bool:
        """Say whether a line is a block of its own: begins one, ends early, and nothing goes on."""
        line = self._kept[position][1]
        if not (self._begins_block(position) or ends_sentence(self._kept[position - 1][1].text)):
            return False
        if line.hyphen or len(line.text) > 90 or ". " in re.sub(r"^\S+\s*\S+", "", line.text):
            return False
        following = self._kept[position + 1][1] if position + 1 < len(self._kept) else None
        if following is None or following.region != line.region:
            return True
        return not following.text[:1].islower() and line.x1 < self._right[line.region] - 2 * line.size

    def _is_deep(self, position: int, depth: int) -> bool:
        line = self._kept[position][1]
        title = line.text.split(None, 1)[-1]
        return (
            depth > 1 and title[:1].isupper() and self._stands_alone(position) and self._gap_below(position)
        )

    def _gap_below(self, position: int) -> bool:
        if position + 1 >= len(self._kept):
            return True
        line, below = self._kept[position][1], self._kept[position + 1][1]
        return below.region != line.region or below.base - line.base > 1.3 * line.size

    def _block_length(self, position: int) -> int:
        count = 1
        while position + count < len(self._kept) and _same_block(
            self._kept[position + count - 1][1], self._kept[position + count][1]
        ):
            count += 1
        return count

    def _extend(self, position: int) -> int:
        """Count the lines of a heading; 0 when so many follow in its type that it is a paragraph."""
        first = self._kept[position][1]
        if first.size < _LARGER * self._body and not first.bold:
            return 1
        count = 1
        while position + count < len(self._kept):
            k, line = self._kept[position + count]
            above = self._kept[position + count - 1][1]
            if k != self._kept[position + count - 1][0] + 1 or not _same_block(above, line):
                break
            if _NUMBERING.match(line.text) or not self._goes_on(above, line):
                break
            count += 1
        if count > _MAX_LINES:
            return 0
        text = " ".join(self._kept[position + k][1].text for k in range(count))
        return 0 if len(text) > 2 * _MAX_CHARS or (count > 1 and text.endswith((".", ";", ","))) else count

    def _goes_on(self, above: Line, line: Line) -> bool:
        """Say whether the second line of a heading belongs to the first."""
        if above.hyphen or line.text[:1].islower() or line.size >= _LARGER * self._body:
            return True
        return above.x1 > self._right[above.region] - 0.25 * (self._right[above.region] - above.x0)
