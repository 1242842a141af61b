"""Supervision criteria of phase I4: what must hold of the windows of a chunk.

Pure, as those of the other phases; the names are listed in docs/criteria.md.
"""

from collections.abc import Sequence
from itertools import pairwise

from fundstelle.domain.criteria import Problem
from fundstelle.domain.documents import Chunk, Window
from fundstelle.ingest.windows import clean_for_embedding


def check_windows(chunk: Chunk, windows: Sequence[Window], max_chars: int, max_pieces: int) -> list[Problem]:
    """Run all criteria of phase I4 that need no model."""
    return [
        *windows_in_range(chunk, windows),
        *windows_cover_chunk(chunk, windows),
        *windows_fit(chunk, windows, max_chars, max_pieces),
        *windows_text(chunk, windows),
    ]


def windows_in_range(chunk: Chunk, windows: Sequence[Window]) -> list[Problem]:
    """Demand that windows are numbered in order, lie within the chunk and do not overlap."""
    problems: list[Problem] = []
    for index, window in enumerate(windows):
        inside = 0 <= window.char_start < window.char_end <= len(chunk.content)
        if window.window_index != index or not inside:
            detail = f"Window {window.window_index} spans {window.char_start}-{window.char_end}."
            problems.append(Problem("windows_in_range", chunk.chunk_id, detail))
    for left, right in pairwise(windows):
        if left.char_end > right.char_start:
            detail = f"Windows {left.window_index} and {right.window_index} overlap."
            problems.append(Problem("windows_in_range", chunk.chunk_id, detail))
    return problems


def windows_cover_chunk(chunk: Chunk, windows: Sequence[Window]) -> list[Problem]:
    """Demand that every visible character is in a window; a chunk that cleans to nothing needs none."""
    if not windows and not clean_for_embedding(chunk.content):
        return []
    problems: list[Problem] = []
    position = 0
    for start, end in [*((w.char_start, w.char_end) for w in windows), (len(chunk.content),) * 2]:
        missing = chunk.content[position:start].strip()
        if missing:
            detail = f"{len(missing)} characters from {position} on are in no window: {missing[:60]!r}."
            problems.append(Problem("windows_cover_chunk", chunk.chunk_id, detail))
        position = max(position, end)
    return problems


def windows_fit(chunk: Chunk, windows: Sequence[Window], max_chars: int, max_pieces: int) -> list[Problem]:
    """Demand that the model sees each window as a whole."""
    return [
        Problem(
            "windows_fit",
            chunk.chunk_id,
            f"Window {window.window_index} has {len(window.text)} characters and {window.pieces} pieces.",
        )
        for window in windows
        if len(window.text) > max_chars or window.pieces > max_pieces
    ]


def windows_text(chunk: Chunk, windows: Sequence[Window]) -> list[Problem]:
    """Demand that what is embedded is the cleaned piece, with at most one heading line above it.

    Signs other than letters and digits may be left out at its ends.
    """
    problems: list[Problem] = []
    for window in windows:
        cleaned = clean_for_embedding(chunk.content[window.char_start : window.char_end])
        header, _, piece = window.text.rpartition("\n")
        if not piece or _letters(piece) != _letters(cleaned) or "\n" in header:
            detail = f"Window {window.window_index} does not hold the text that it names."
            problems.append(Problem("windows_text", chunk.chunk_id, detail))
    return problems


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
