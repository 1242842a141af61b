"""Phase I3: pack the units of a section into chunks of the wanted size, with overlap.

Sizes are exact counts; sums of units only narrow the choice. What is weighed, in this order: the
limits of size; the last chunk must not be a crumb; then, as a sum in tokens, the distance from an
even distribution, a border at a paragraph rather than inside one, an overlap that fits.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fundstelle.domain.documents import ChunkParameters
from fundstelle.ingest.chunk_units import CountTokens, TableHeader, Unit

_LOW, _HIGH = 0.95, 1.1
_SLACK = 2
"""How far the exact count may lie from the sum of the units' counts: as a part, and in tokens."""

_COST_WITHOUT_OVERLAP = 60
"""A border that allows no overlap of the wanted size costs as much as this many tokens of distance."""

_WEIGHT_OF_SHORT_END = 2
"""A token that the last chunk lacks costs more than one of distance."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Place a chunk in the version text, with the units that it was packed from.

    Args:
        overlap_from: First unit, those repeated from the chunk before included.
        new_from: First unit that no earlier chunk holds.
        until: The unit after the last.
    """

    overlap_from: int
    new_from: int
    until: int
    tokens: int


def pack_units(
    text: str, units: Sequence[Unit], parameters: ChunkParameters, count_tokens: CountTokens
) -> Iterator[Pack]:
    """Distribute all units over chunks, in order."""
    packer = _Packer(text, units, parameters, count_tokens)
    previous, start = 0, 0
    while start < len(units):
        pack = packer.next_pack(previous, start)
        yield pack
        previous, start = pack.overlap_from, pack.until


def slice_content(text: str, char_start: int, char_end: int, header: TableHeader | None) -> str:
    """Take a chunk's content from the version text, headed by the table header that it repeats."""
    content = text[char_start:char_end]
    return content if header is None else f"{text[header.char_start : header.char_end]}\n{content}"


@dataclass(slots=True)
class _Packer:
    text: str
    units: Sequence[Unit]
    parameters: ChunkParameters
    count_tokens: CountTokens
    sums: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sums = [0]
        for unit in self.units:
            self.sums.append(self.sums[-1] + unit.tokens)

    def next_pack(self, previous: int, start: int) -> Pack:
        """Choose overlap and end of the chunk whose first new unit is `start`."""
        overlaps = self._overlaps(previous, start) if start else [start]
        for overlap in overlaps:
            pack = self._rest(overlap, start) or self._sized(overlap, start)
            if pack is not None:
                return pack
        for overlap in overlaps:
            pack = self._longest(overlap, start)
            if pack is not None:
                return pack
        return Pack(start, start, start + 1, self._exact(start, start + 1))

    def _rest(self, overlap: int, start: int) -> Pack | None:
        """Take all that is left, where it fits."""
        end = len(self.units)
        if self._estimate(overlap, end) > self.parameters.max_tokens * _HIGH + _SLACK:
            return None
        tokens = self._exact(overlap, end)
        return Pack(overlap, start, end, tokens) if tokens <= self.parameters.max_tokens else None

    def _sized(self, overlap: int, start: int) -> Pack | None:
        """Take the best end that gives a size within the limits."""
        low = self._reach(overlap, self.parameters.min_tokens * _LOW)
        high = self._reach(overlap, self.parameters.max_tokens * _HIGH + _SLACK)
        wanted = self._even_size(overlap)
        ends = range(max(low, start + 1), min(high + 1, len(self.units)))
        for end in sorted(ends, key=lambda end: self._cost(overlap, end, wanted)):
            tokens = self._exact(overlap, end)
            if self.parameters.min_tokens <= tokens <= self.parameters.max_tokens:
                return Pack(overlap, start, end, tokens)
        return None

    def _longest(self, overlap: int, start: int) -> Pack | None:
        """Take as much as fits: the way out where units are so long that no end is within the limits."""
        end = self._reach(overlap, self.parameters.max_tokens)
        end = min(max(end, start + 1), len(self.units))
        while end < len(self.units) and self._exact(overlap, end + 1) <= self.parameters.max_tokens:
            end += 1
        while end > start:
            tokens = self._exact(overlap, end)
            if tokens <= self.parameters.max_tokens:
                return Pack(overlap, start, end, tokens)
            end -= 1
        return None

    def _even_size(self, overlap: int) -> float:
        """Find the size with which the rest divides evenly, as near to the middle of the limits as can be."""
        low, high = self.parameters.min_tokens, self.parameters.max_tokens
        shared = (self.parameters.min_overlap + self.parameters.max_overlap) / 2
        rest = self._estimate(overlap, len(self.units))
        middle = (low + high) / 2
        about = max(int((rest - shared) / max(middle - shared, 1)), 2)
        sizes = [(rest + (count - 1) * shared) / count for count in (about, about + 1)]
        return max(low, min((min(size, high) for size in sizes), key=lambda size: abs(size - middle)))

    def _cost(self, overlap: int, end: int, wanted: float) -> tuple[float, float]:
        """Weigh an end: first that the last chunk is no crumb, then everything else."""
        low, high = self.parameters.min_tokens, self.parameters.max_tokens
        cost = abs(self._estimate(overlap, end) - wanted) + self.units[end].before.value
        repeated = self._best_overlap(end)
        if not self.parameters.min_overlap <= repeated <= self.parameters.max_overlap:
            cost += _COST_WITHOUT_OVERLAP
        rest = self._sum(end, len(self.units))
        if rest + repeated <= high:
            cost += _WEIGHT_OF_SHORT_END * max(0, low - rest - repeated)
        return max(0, high - low - rest), cost

    def _best_overlap(self, end: int) -> int:
        """Estimate the longest overlap that the chunk after this end can have."""
        if self.units[end].before.splits_sentence:
            return 0
        first = bisect_left(self.sums, self.sums[end] - self.parameters.max_overlap)
        while first < end and self.units[first].before.splits_sentence:
            first += 1
        return self._sum(min(first, end), end)

    def _overlaps(self, previous: int, start: int) -> list[int]:
        """List where the chunk may begin, best first: longest overlap in range, nearest below, none."""
        if self.units[start].before.splits_sentence:
            return [start]
        fitting: list[int] = []
        below: list[int] = []
        first = bisect_left(self.sums, self.sums[start] - self.parameters.max_overlap * _HIGH - _SLACK)
        for unit in range(max(first, previous + 1), start):
            if self.units[unit].before.splits_sentence:
                continue
            tokens = self._exact(unit, start, with_header=False)
            if tokens <= self.parameters.max_overlap:
                (fitting if tokens >= self.parameters.min_overlap else below).append(unit)
        return [*fitting, *below[:1], start]

    def _reach(self, overlap: int, tokens: float) -> int:
        """Find the last unit border at which the estimated size is not above `tokens`."""
        return bisect_right(self.sums, self.sums[overlap] + tokens - self._header_tokens(overlap)) - 1

    def _estimate(self, overlap: int, end: int) -> int:
        return self._sum(overlap, end) + self._header_tokens(overlap)

    def _sum(self, first: int, end: int) -> int:
        return self.sums[end] - self.sums[first]

    def _header_tokens(self, unit: int) -> int:
        header = self.units[unit].table_header
        return header.tokens if header else 0

    def _exact(self, first: int, end: int, *, with_header: bool = True) -> int:
        header = self.units[first].table_header if with_header else None
        start, stop = self.units[first].char_start, self.units[end - 1].char_end
        return self.count_tokens(slice_content(self.text, start, stop, header))
