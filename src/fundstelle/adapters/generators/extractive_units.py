"""Cut the sources into pieces that can be quoted: sentences, list items, table rows.

A piece is quoted exactly as it stands in its source. Headings are no sentences; a list item knows the
sentence that introduces its list, a table row knows the header of its table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fundstelle.domain.retrieval import ContextSource
from fundstelle.domain.text.sentences import split_sentences

_ITEM = re.compile(r"\s*(?:[-–•]\s|\(?(?:\d{1,3}|[a-z])[.)]\s)")
_ENDS = (".", "!", "?", ":", ";", "…", "“", '"', "»", "«", ")")
_HEADING_WORDS = 14
_POINTS_BACK = re.compile(
    r"(?:Er|Sie|Es|Das|Dies(?:e[rsmn]?)?|Dabei|Dadurch|Damit|Dazu|Daher|Deshalb|Darin|Davon|Danach|Ihr[e]?"
    r"|Sein[e]?|Jene[rs]?"
    r"|Beide|Letztere[rs]?|Erstere[rs]?|Dort|Hierzu|Hierbei|Solche|Außerdem|Allerdings|Jedoch)\b"
)
_ARTICLE = re.compile(r"Das\s+(?:\w+\s+)?[A-ZÄÖÜ]")


class UnitKind(StrEnum):
    """Name what a piece of a source is."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEADER = "header"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Unit:
    """Hold one piece of a source.

    Args:
        place: Position among the pieces of its source, from 0.
        lead: Place of the sentence that introduces the list, or of the header of the table.
        paragraph: Number of the paragraph in its source, from 0.
    """

    source: ContextSource
    place: int
    text: str
    kind: UnitKind
    lead: int | None
    paragraph: int

    @property
    def points_back(self) -> bool:
        """Say whether it is a sentence that the one before is needed to understand."""
        if self.kind is not UnitKind.SENTENCE or not self.place or _ARTICLE.match(self.text):
            return False
        return _POINTS_BACK.match(self.text) is not None


def split_units(source: ContextSource) -> tuple[Unit, ...]:
    """Cut one source into its pieces, in order."""
    units: list[Unit] = []
    paragraph, last_end = 0, 0
    for start, end in _spans(source.text):
        if "\n\n" in source.text[last_end:start]:
            paragraph += 1
        last_end = end
        kind = _kind(source.text, start, end, units)
        units.append(
            Unit(source, len(units), source.text[start:end], kind, _lead(kind, units, paragraph), paragraph)
        )
    return tuple(units)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Give the sentences; a table row is one piece, whatever full stops stand in its cells."""
    row_end = 0
    for start, end in split_sentences(text):
        if start < row_end:
            continue
        line_start, line_end = _line(text, start, end)
        if " | " in text[line_start:line_end]:
            row_end = line_end
            yield start, line_start + len(text[line_start:line_end].rstrip())
        else:
            yield start, end


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    line_end = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, line_end if line_end >= 0 else len(text)


def _kind(text: str, start: int, end: int, before: Sequence[Unit]) -> UnitKind:
    line_start, line_end = _line(text, start, end)
    line = text[line_start:line_end]
    if " | " in line:
        in_table = bool(before) and before[-1].kind in {UnitKind.ROW, UnitKind.HEADER}
        continues = in_table and text[max(0, line_start - 2) : line_start] != "\n\n"
        return UnitKind.ROW if continues else UnitKind.HEADER
    if _ITEM.match(line):
        return UnitKind.ITEM
    return UnitKind.HEADING if _is_heading(text, start, end) else UnitKind.SENTENCE


def _is_heading(text: str, start: int, end: int) -> bool:
    """Say whether a piece is a paragraph of its own, short and without a stop."""
    alone = (start == 0 or text[:start].endswith("\n\n")) and (
        text[end:].startswith("\n\n") or end == len(text)
    )
    piece = text[start:end]
    return alone and not piece.endswith(_ENDS) and len(piece.split()) <= _HEADING_WORDS and "\n" not in piece


def _lead(kind: UnitKind, before: Sequence[Unit], paragraph: int) -> int | None:
    """Find what introduces a list item or heads a table row."""
    wanted = {UnitKind.ITEM: UnitKind.SENTENCE, UnitKind.ROW: UnitKind.HEADER}.get(kind)
    for unit in reversed(before):
        if unit.kind is wanted:
            near = paragraph - unit.paragraph <= 1 if kind is UnitKind.ITEM else paragraph == unit.paragraph
            return unit.place if near and (kind is UnitKind.ROW or unit.text.endswith(":")) else None
        if unit.kind is not kind:
            return None
    return None


def all_units(sources: Sequence[ContextSource]) -> Iterator[Unit]:
    """Cut all sources into their pieces; the same piece in two sources (overlap of chunks) comes once."""
    seen: set[tuple[str, str]] = set()
    for source in sources:
        for unit in split_units(source):
            key = (source.version_id, unit.text)
            if unit.kind is UnitKind.SENTENCE and len(unit.text) > 20 and key in seen:
                continue
            seen.add(key)
            yield unit
