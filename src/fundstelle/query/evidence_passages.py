"""Prepare the passages that an answer cites, so that many sentences can be compared with them fast.

Each content word of the answer is looked up once per passage; after that a sentence is a sum over
its words. Nothing here judges.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fundstelle.domain.quantities import CalendarDate, Quantity, find_dates, find_quantities
from fundstelle.domain.retrieval import ContextSource
from fundstelle.domain.text.matching import PARTS, content_terms, found, keys_of
from fundstelle.domain.text.sentences import split_sentences

_NEIGHBOUR = 0.9
_CONTEXT = 0.85
_QUOTES = str.maketrans(dict.fromkeys("„“”»«‟", '"') | {"‚": "'", "‘": "'", "’": "'", "–": "-", "—": "-"})
_MARKER = re.compile(r"\A(?:[-–•*]\s|\(?(?:\d{1,3}|[a-z])[.)]\s)")


def folded(text: str) -> str:
    """Fold white space and the shapes of quotation marks and dashes."""
    return " ".join(text.translate(_QUOTES).split())


@dataclass(frozen=True, slots=True)
class Alignment:
    """Hold the place in a passage that comes closest to a statement.

    Args:
        coverage: Share of the statement's content words that the place and its surroundings hold, 0 to 1.
    """

    source: int
    sentence: int
    coverage: float


@dataclass(frozen=True)
class Passage:
    """Hold one source, split and looked up; build it once per check."""

    source: ContextSource
    _hits: dict[str, Mapping[int, float]] = field(default_factory=dict, repr=False)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """List the sentences, list items and table rows of the passage."""
        text = self.source.text
        return tuple(text[start:end] for start, end in split_sentences(text))

    @cached_property
    def heading(self) -> str:
        """Give title and heading path: what they say counts as said by the passage."""
        return f"{self.source.title}\n{self.source.heading_path}"

    @cached_property
    def folded(self) -> str:
        """Give title, headings and text in one form, for the search of verbatim words."""
        return folded(f"{self.heading}\n{self.source.text}")

    @cached_property
    def lowered(self) -> str:
        """Give the folded text in lower case."""
        return self.folded.lower()

    @cached_property
    def keys(self) -> tuple[frozenset[str], ...]:
        """Give the content words of each sentence."""
        return tuple(keys_of(content_terms(sentence)) for sentence in self.sentences)

    @cached_property
    def heading_keys(self) -> frozenset[str]:
        """Give the content words of title and headings."""
        return keys_of(content_terms(self.heading))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Find the numbers of title, headings and text."""
        return find_quantities(f"{self.heading}\n{self.source.text}")

    @cached_property
    def sentence_quantities(self) -> tuple[tuple[Quantity, ...], ...]:
        """Find the numbers of each sentence."""
        return tuple(find_quantities(sentence) for sentence in self.sentences)

    @cached_property
    def dates(self) -> tuple[CalendarDate, ...]:
        """Find the dates of title, headings and text."""
        return find_dates(f"{self.heading}\n{self.source.text}")

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, ...]]:
        places: dict[str, list[int]] = {}
        for index, keys in enumerate(self.keys):
            for key in sorted(keys):
                places.setdefault(key, []).append(index)
        return {key: tuple(indices) for key, indices in places.items()}

    def hits(self, key: str) -> Mapping[int, float]:
        """Tell how far each sentence holds a content word; sentences without it are left out."""
        known = self._hits.get(key)
        if known is None:
            known = self._hits[key] = self._look_up(key)
        return known

    def _look_up(self, key: str) -> Mapping[int, float]:
        scores: dict[int, float] = {}
        for other, indices in self._places.items():
            if score := found(key, (other,)):
                scores.update((index, max(score, scores.get(index, 0.0))) for index in indices)
        for index, score in scores.items():
            if score in PARTS:
                scores[index] = found(key, self.keys[index])
        return scores

    def holds(self, key: str) -> float:
        """Tell how far the passage, its title or its headings hold a content word."""
        return max(max(self.hits(key).values(), default=0.0), found(key, self.heading_keys))

    def coverages(self, keys: Sequence[str]) -> Mapping[int, float]:
        """Sum over words how far each sentence alone holds them (no share: a plain sum)."""
        sums: dict[int, float] = {}
        for key in keys:
            for index, score in self.hits(key).items():
                sums[index] = sums.get(index, 0.0) + score
        return sums

    def window(self, index: int, key: str) -> float:
        """Tell how far a sentence with its neighbours, title and headings holds a word."""
        hits = self.hits(key)
        near = max(hits.get(index - 1, 0.0), hits.get(index - 2, 0.0), hits.get(index + 1, 0.0))
        return max(hits.get(index, 0.0), _NEIGHBOUR * near, _CONTEXT * found(key, self.heading_keys))

    def is_verbatim(self, sentence: str) -> bool:
        """Say whether a sentence stands in the passage word for word, as a whole sentence, item or row."""
        return folded(sentence) in self._wholes

    @cached_property
    def _wholes(self) -> frozenset[str]:
        pieces = {folded(piece) for piece in (*self.sentences, *self.source.text.splitlines())}
        return frozenset(pieces | {_MARKER.sub("", piece) for piece in pieces})
