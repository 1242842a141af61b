"""Supervision criteria of phase I3 that look at one section: borders, sizes and overlaps of its chunks.

The limits of size are hard; what falls below them must have a reason, and the reason is checked: the
next unit did not fit, no run of whole sentences had the size of an overlap.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fundstelle.domain.blocks import BlockKind, split_blocks
from fundstelle.domain.criteria import Problem
from fundstelle.domain.documents import Chunk, ChunkParameters, Section
from fundstelle.domain.text.sentences import split_sentences
from fundstelle.ingest.chunk_borders import split_units
from fundstelle.ingest.chunk_packing import slice_content
from fundstelle.ingest.chunk_units import CountTokens, TableHeader, Unit

_NON_SPACE = re.compile(r"\S")


def section_problems(
    text: str,
    section: Section,
    chunks: Sequence[Chunk],
    parameters: ChunkParameters,
    count_tokens: CountTokens,
) -> Iterator[Problem]:
    """Run the criteria on the chunks of one section, in reading order."""
    units = split_units(text, section, parameters, count_tokens) if len(chunks) > 1 else []
    judge = _Judge(text, section, chunks, units, parameters, count_tokens)
    yield from judge.maximum()
    if units:
        yield from judge.whole_sentences()
        yield from judge.whole_rows()
        yield from judge.minimum()
        yield from judge.balance()
        yield from judge.overlaps()


@dataclass(slots=True)
class _Judge:
    text: str
    section: Section
    chunks: Sequence[Chunk]
    units: Sequence[Unit]
    parameters: ChunkParameters
    count_tokens: CountTokens
    starts: list[int] = field(default_factory=list)
    counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.starts = [unit.char_start for unit in self.units]

    def maximum(self) -> Iterator[Problem]:
        """Demand that no chunk has more tokens than allowed, and that a section that fits is one chunk."""
        for chunk in self.chunks:
            if chunk.token_count > self.parameters.max_tokens and len(chunk.content) > 1:
                detail = f"{chunk.token_count} tokens are more than {self.parameters.max_tokens}."
                yield Problem("chunks_sizes", chunk.chunk_id, detail)
        whole = self.text[self.section.char_start : self.section.char_end].strip()
        if len(self.chunks) > 1 and self.count_tokens(whole) <= self.parameters.max_tokens:
            yield Problem("chunks_sizes", self.section.section_id, "It fits into one chunk and has several.")

    def whole_sentences(self) -> Iterator[Problem]:
        """Demand that no border lies within a sentence, unless that is too long and the chunk says so."""
        shift = self.section.body_start
        sentences = [start + shift for start, _ in split_sentences(self.text[shift : self.section.char_end])]
        rows = [start for span in self._rows() for start in span]
        spans = list(pairwise(sorted({*sentences, *rows, self.section.char_end})))
        for chunk in self.chunks:
            cut = self._torn(chunk, spans)
            short = [span for span in cut if self._count(*span) <= self._room(span[0])]
            if short or (cut and not chunk.split_sentence):
                detail = f"It tears a sentence apart: {self.text[slice(*cut[0])][:60]!r}."
                yield Problem("chunks_whole_sentences", chunk.chunk_id, detail)

    def whole_rows(self) -> Iterator[Problem]:
        """Demand that no border lies within an item or row that would have fitted as a whole."""
        rows = list(self._rows())
        for chunk in self.chunks:
            for start, end in self._torn(chunk, rows):
                if self._count(start, end) <= self._room(start):
                    detail = f"It tears an item or row apart: {self.text[start:end][:60]!r}."
                    yield Problem("chunks_whole_rows", chunk.chunk_id, detail)

    def _rows(self) -> Iterator[tuple[int, int]]:
        """Find the items of lists and the rows of tables."""
        for block in split_blocks(self.text, self.section.body_start, self.section.char_end):
            if block.kind in {BlockKind.LIST, BlockKind.TABLE}:
                yield from pairwise([*block.rows, block.char_end])

    def minimum(self) -> Iterator[Problem]:
        """Demand that each chunk but the last is large enough, unless the next unit did not fit."""
        for chunk in self.chunks[:-1]:
            if chunk.token_count < self.parameters.min_tokens:
                following = self.units[bisect_left(self.starts, chunk.char_end)]
                if self._size(chunk.char_start, following.char_end) <= self.parameters.max_tokens:
                    detail = f"{chunk.token_count} tokens are too few; the next unit would have fitted."
                    yield Problem("chunks_sizes", chunk.chunk_id, detail)

    def balance(self) -> Iterator[Problem]:
        """Demand that the last chunk is no crumb when the one before could have given it a unit."""
        before, last = self.chunks[-2:]
        crumb = (self.parameters.max_tokens - self.parameters.min_tokens) // 2
        given = self.units[bisect_left(self.starts, before.char_end) - 1]
        kept_end = len(self.text[: given.char_start].rstrip())
        if len(self.chunks) > 2 and kept_end <= self.chunks[-3].char_end:
            return  # the chunk before has but one unit that is new
        new = self._count(before.char_end, last.char_end)
        kept = self._size(before.char_start, kept_end)
        grown = self._size(given.char_start, last.char_end)
        if new < crumb and kept >= self.parameters.min_tokens and grown <= self.parameters.max_tokens:
            detail = f"Only {new} tokens are new; the chunk before could have given more."
            yield Problem("chunks_balance", last.chunk_id, detail)

    def overlaps(self) -> Iterator[Problem]:
        """Demand an overlap of the wanted size, unless no run of whole units has it or leaves room."""
        low, high = self.parameters.min_overlap, self.parameters.max_overlap
        for before, chunk in pairwise(self.chunks):
            tokens = self._count(chunk.char_start, before.char_end)
            if tokens > high:
                yield Problem(
                    "chunks_overlap", chunk.chunk_id, f"It repeats {tokens} tokens, more than {high}."
                )
            elif tokens < low and self._fitting_overlap(before, chunk):
                yield Problem(
                    "chunks_overlap", chunk.chunk_id, f"It repeats {tokens} tokens; {low} were possible."
                )

    def _fitting_overlap(self, before: Chunk, chunk: Chunk) -> bool:
        border = bisect_left(self.starts, before.char_end)
        if self.units[border].before.splits_sentence:
            return False
        for index in range(border - 1, -1, -1):
            unit = self.units[index]
            tokens = self._count(unit.char_start, before.char_end)
            if tokens > self.parameters.max_overlap or unit.char_start <= before.char_start:
                return False
            if tokens >= self.parameters.min_overlap and not unit.before.splits_sentence:
                return self._size(unit.char_start, chunk.char_end) <= self.parameters.max_tokens
        return False

    def _torn(self, chunk: Chunk, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Find the spans that hold a border of the chunk inside their visible text."""
        torn = []
        for border in (chunk.char_start, chunk.char_end):
            index = bisect_left(spans, (border,)) - 1
            if index >= 0 and _NON_SPACE.search(self.text, border, spans[index][1]):
                torn.append(spans[index])
        return torn

    def _header(self, position: int) -> TableHeader | None:
        """Find the table header that a chunk beginning at a place repeats."""
        index = bisect_right(self.starts, position) - 1
        return self.units[index].table_header if index >= 0 else None

    def _room(self, position: int) -> int:
        """Find how many tokens a sentence or row at a place may have: in a table, the header takes some."""
        header = self._header(position)
        return self.parameters.max_tokens - (header.tokens if header else 0)

    def _count(self, start: int, end: int) -> int:
        """Count a range, each only once: a sentence of megabytes is torn by many chunks."""
        if (start, end) not in self.counts:
            self.counts[start, end] = self.count_tokens(self.text[start:end].strip()) if start < end else 0
        return self.counts[start, end]

    def _size(self, start: int, end: int) -> int:
        """Count the content that a chunk would have with other borders, the repeated header included."""
        return self.count_tokens(slice_content(self.text, start, end, self._header(start)))
