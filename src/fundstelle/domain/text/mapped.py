"""Text that knows where each of its characters came from while it is cut, folded and joined."""

import bisect
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fundstelle.domain.offsets import OffsetMap
from fundstelle.domain.text.hyphenation import decide_hyphen, hyphen_text
from fundstelle.domain.text.normalise import normalise_characters

_Run: TypeAlias = tuple[int, int, int, int]
_OTHER_BLANK = re.compile(r"[^\S ]")
_FOLDED = re.compile(r"\s+")
_CONTEXT = 80


@dataclass(frozen=True, slots=True)
class MappedText:
    """Hold a text and the runs that lead from it to the raw text.

    Args:
        runs: (start, end, raw_start, raw_end), sorted, disjoint in `text`; runs of equal length
            correspond character by character, others as a whole; what is in no run was inserted.
    """

    text: str
    runs: Sequence[_Run] = ()

    @classmethod
    def of_raw(cls, raw: str, start: int, end: int) -> "MappedText":
        """Take a stretch of the raw text as it is."""
        if start >= end:
            return cls("")
        return cls(raw[start:end], ((0, end - start, start, end),))

    @classmethod
    def replacing(cls, text: str, start: int, end: int) -> "MappedText":
        """Let a text stand for a stretch of the raw text as a whole (an entity, a decoded escape)."""
        size = len(text)
        if not size or start >= end:
            return cls(text)
        if size == end - start > 1:  # of the same length by chance only
            return cls(text, ((0, 1, start, end), (1, size, start, end)))
        return cls(text, ((0, size, start, end),))

    @classmethod
    def joined(cls, parts: Iterable["MappedText"]) -> "MappedText":
        """Join texts to one."""
        texts: list[str] = []
        runs: list[_Run] = []
        at = 0
        for part in parts:
            texts.append(part.text)
            runs.extend((start + at, end + at, low, high) for start, end, low, high in part.runs)
            at += len(part.text)
        return cls("".join(texts), runs)

    def slice(self, start: int, end: int) -> "MappedText":
        """Cut out a stretch."""
        if start >= end:
            return MappedText("")
        runs: list[_Run] = []
        first = max(bisect.bisect_right(self.runs, start, key=_start) - 1, 0)
        for index in range(first, len(self.runs)):
            low, high, raw_low, raw_high = self.runs[index]
            if low >= end:
                break
            if high <= start:
                continue
            if high - low == raw_high - raw_low:
                raw_low, raw_high = raw_low + max(start - low, 0), raw_high - max(high - end, 0)
            runs.append((max(low, start) - start, min(high, end) - start, raw_low, raw_high))
        return MappedText(self.text[start:end], runs)

    def edited(self, edits: Iterable[tuple[int, int, "MappedText"]]) -> "MappedText":
        """Replace stretches, given in order and without overlap, by other texts."""
        parts: list[MappedText] = []
        at = 0
        for start, end, replacement in edits:
            parts.extend((self.slice(at, start), replacement))
            at = end
        if not parts:
            return self
        parts.append(self.slice(at, len(self.text)))
        return MappedText.joined(parts)

    def stripped(self) -> "MappedText":
        """Cut off white space at both ends."""
        text = self.text
        start = len(text) - len(text.lstrip())
        return self if text == text.strip() else self.slice(start, max(start, len(text.rstrip())))

    def normalised(self) -> "MappedText":
        """Normalise the characters (`normalise_characters`)."""
        text, offsets = normalise_characters(self.text)
        return self if text == self.text else self._through(text, offsets)

    def _through(self, text: str, offsets: OffsetMap) -> "MappedText":
        parts: list[MappedText] = []
        at = 0
        for run in offsets.runs:
            parts.append(MappedText(text[at : run.norm_start]))
            piece = text[run.norm_start : run.norm_end]
            if len(piece) == run.raw_end - run.raw_start:
                parts.append(MappedText(piece, self.slice(run.raw_start, run.raw_end).runs))
            else:
                covered = self.slice(run.raw_start, run.raw_end).runs
                low = min((found[2] for found in covered), default=0)
                parts.append(
                    MappedText.replacing(piece, low, max((found[3] for found in covered), default=0))
                )
            at = run.norm_end
        parts.append(MappedText(text[at:]))
        return MappedText.joined(parts)

    def reflowed(self, words: Container[str] | None = None) -> "MappedText":
        """Fold white space to single blanks and strip.

        Args:
            words: Words of the document, in lower case: words cut by a hyphen at a line end are joined;
                None where line ends carry no such meaning (HTML).
        """
        spans = [match.span() for match in _FOLDED.finditer(self.text) if match.group() != " "]
        if all(end - start == 1 for start, end in spans) and (words is None or "-\n" not in self.text):
            return self._with_blanks([start for start, _ in spans]).stripped()
        edits: list[tuple[int, int, MappedText]] = []
        for start, end in spans:
            if words is not None and self.text[start - 1 : start] == "-" and "\n" in self.text[start:end]:
                before, after = (
                    self.text[max(start - 1 - _CONTEXT, 0) : start - 1],
                    self.text[end : end + _CONTEXT],
                )
                joint = hyphen_text(decide_hyphen(before, after, soft=False, words=words))
                hyphen = self.slice(start - 1, start) if joint else MappedText("")
                edits.append((start - 1, end, MappedText.joined((hyphen, MappedText(joint[1:])))))
            else:
                edits.append((start, end, self._blank(start, end)))
        return self.edited(edits).stripped()

    def _with_blanks(self, places: Sequence[int]) -> "MappedText":
        """Put an inserted blank in the place of single characters, given in order."""
        runs: list[_Run] = []
        index = 0
        for low, high, raw_low, raw_high in self.runs:
            at = low
            one_to_one = high - low == raw_high - raw_low
            while one_to_one and index < len(places) and places[index] < high:
                place = places[index]
                index += 1
                if place >= low:
                    runs.append((at, place, raw_low + at - low, raw_low + place - low))
                    at = place + 1
            runs.append((at, high, raw_low + at - low if one_to_one else raw_low, raw_high))
        return MappedText(_OTHER_BLANK.sub(" ", self.text), [run for run in runs if run[0] < run[1]])

    def _blank(self, start: int, end: int) -> "MappedText":
        """Give one blank for a stretch of white space: one of its own, else an inserted one."""
        at = self.text.find(" ", start, end)
        return MappedText(" ") if at < 0 else self.slice(at, at + 1)

    def offset_map(self) -> OffsetMap:
        """Give the map from this text to the raw text."""
        return OffsetMap.of(self.runs)


def _start(run: _Run) -> int:
    return run[0]
