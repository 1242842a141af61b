"""Phase I3, first step: find the units of a section.

Sentences come from `domain.text.sentences`, lists and tables from `domain.blocks`; the heading is one
unit. Which of the borders become borders of chunks is decided by `chunk_packing`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from fundstelle.domain.blocks import Block, BlockKind, split_blocks
from fundstelle.domain.documents import ChunkParameters, Section
from fundstelle.domain.text.sentences import split_sentences
from fundstelle.ingest.chunk_units import Border, Break, CountTokens, Cutter, TableHeader, Unit

_NON_SPACE = re.compile(r"\S")
_SPARE = 1
"""Tokens kept free for header and row to be one more together than apart."""


def split_units(
    text: str, section: Section, parameters: ChunkParameters, count_tokens: CountTokens
) -> list[Unit]:
    """Cut the visible text of a section into units, in order; together they hold all of it."""
    borders = _section_borders(text, section, parameters, count_tokens)
    most = parameters.max_tokens
    cutter = Cutter(text, most, max(most - parameters.min_tokens, most // 8, 1), count_tokens)
    units: list[Unit] = []
    index, position = 0, section.char_start
    while index < len(borders):
        after = next((i for i in range(index + 1, len(borders)) if not borders[i].inner), len(borders))
        limit = borders[after].start if after < len(borders) else section.char_end
        units.extend(cutter.cut(borders[index:after], position, limit))
        index, position = after, cutter.counted_to(units[-1])
    return units


def _section_borders(
    text: str, section: Section, parameters: ChunkParameters, count_tokens: CountTokens
) -> list[Border]:
    """Find all places where a sentence, item, row or block begins, the heading first."""
    borders: list[Border] = []
    heading = _NON_SPACE.search(text, section.char_start, section.body_start)
    if heading is not None:
        borders.append(Border(heading.start(), Break.BLOCK))
    body = text[section.body_start : section.char_end]
    starts = [section.body_start + start for start, _ in split_sentences(body)]
    position = 0
    for block in split_blocks(text, section.body_start, section.char_end):
        header = _table_header(text, block, parameters, count_tokens)
        first = bisect_left(starts, block.char_start, position)
        position = bisect_left(starts, block.char_end, first)
        borders.extend(_block_borders(block, starts[first:position], header))
    if heading is not None and len(borders) > 1:
        borders[1] = replace(borders[1], kind=Break.HEADING)
    return borders


def _table_header(
    text: str, block: Block, parameters: ChunkParameters, count_tokens: CountTokens
) -> TableHeader | None:
    """Find the header to repeat; one that would fill half a chunk is not repeated."""
    if block.kind is not BlockKind.TABLE:
        return None
    tokens = count_tokens(text[block.char_start : block.first_row_end] + "\n") + _SPARE
    return (
        TableHeader(block.char_start, block.first_row_end, tokens)
        if tokens * 2 <= parameters.max_tokens
        else None
    )


def _block_borders(block: Block, starts: list[int], header: TableHeader | None) -> Iterator[Border]:
    yield Border(block.char_start, Break.BLOCK)
    row_kind = {BlockKind.LIST: Break.ITEM, BlockKind.TABLE: Break.ROW}.get(block.kind)
    rows = frozenset(block.rows) if row_kind is not None else frozenset()
    for start in sorted(rows.union(starts)):
        if start <= block.char_start:
            continue
        table_header = header if header is not None and start > header.char_end else None
        if row_kind is None:
            yield Border(start, Break.SENTENCE)
        elif start in rows:
            yield Border(start, row_kind, False, table_header)
        else:
            yield Border(start, Break.ITEM_SENTENCE, True, table_header)
