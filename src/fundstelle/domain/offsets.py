"""Maps from normalised text back to the raw text it was made of.

A map is a list of runs. Within a run of equal lengths the characters correspond one by one;
a run of unequal lengths (a ligature, a joined hyphen) corresponds as a whole. Characters of the
normalised text outside all runs were inserted (a blank in place of a line break).
"""

import bisect
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

_RUN = struct.Struct("<IIII")


@dataclass(frozen=True, slots=True)
class Run:
    """Relate a stretch of normalised text to a stretch of raw text (half-open offsets)."""

    norm_start: int
    norm_end: int
    raw_start: int
    raw_end: int


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Lead from normalised offsets to raw offsets; runs are sorted and disjoint in the normalised text."""

    runs: tuple[Run, ...]

    def to_raw(self, start: int, end: int) -> tuple[int, int] | None:
        """Find the smallest raw range that covers a normalised range.

        Returns:
            Half-open raw offsets, or None when the range holds only inserted characters.
        """
        first = max(bisect.bisect_right(self.runs, start, key=lambda run: run.norm_start) - 1, 0)
        spans = []
        for run in self.runs[first:]:
            if run.norm_start >= end:
                break
            if run.norm_end > start:
                spans.append(_project(run, start, end))
        if not spans:
            return None
        return min(low for low, _ in spans), max(high for _, high in spans)

    def encode(self) -> bytes:
        """Pack the map for storage (zlib over little-endian 32-bit integers)."""
        packed = b"".join(_RUN.pack(r.norm_start, r.norm_end, r.raw_start, r.raw_end) for r in self.runs)
        return zlib.compress(packed, 1)

    @classmethod
    def decode(cls, data: bytes) -> "OffsetMap":
        """Unpack a map that `encode` packed."""
        return cls(tuple(Run(*values) for values in _RUN.iter_unpack(zlib.decompress(data))))

    @classmethod
    def of(cls, runs: Iterable[tuple[int, int, int, int]]) -> "OffsetMap":
        """Build a map from plain tuples, merging runs that continue each other one to one."""
        merged: list[tuple[int, int, int, int]] = []
        for run in runs:
            if merged and _continues(merged[-1], run):
                merged[-1] = (merged[-1][0], run[1], merged[-1][2], run[3])
            else:
                merged.append(run)
        return cls(tuple(Run(*run) for run in merged))

    @classmethod
    def identity(cls, length: int) -> "OffsetMap":
        """Build the map of a text that normalisation left as it was."""
        return cls((Run(0, length, 0, length),) if length else ())


def _project(run: Run, start: int, end: int) -> tuple[int, int]:
    if run.norm_end - run.norm_start != run.raw_end - run.raw_start:
        return run.raw_start, run.raw_end
    low = run.raw_start + max(start - run.norm_start, 0)
    high = run.raw_end - max(run.norm_end - end, 0)
    return low, high


def _continues(left: tuple[int, int, int, int], right: tuple[int, int, int, int]) -> bool:
    touching = left[1] == right[0] and left[3] == right[2]
    return touching and left[1] - left[0] == left[3] - left[2] and right[1] - right[0] == right[3] - right[2]
