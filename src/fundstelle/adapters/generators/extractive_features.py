"""Measure how well each piece of the sources answers a question, in few numbers that a person can read.

Words first, over all pieces; the embedding model then sees only the best of them, which keeps an answer
within a fraction of a second. Weighing the numbers is done in `extractive_weights`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fundstelle.adapters.generators.extractive_conflicts import find_conflicts
from fundstelle.adapters.generators.extractive_question import TOLD_BY_FORM, Question
from fundstelle.adapters.generators.extractive_types import fits
from fundstelle.adapters.generators.extractive_units import Unit, UnitKind
from fundstelle.domain.quantities import find_dates, find_quantities
from fundstelle.domain.text.matching import Term, content_terms, found, keys_of
from fundstelle.ports.embedding import Embedder, Vectors

SHORT_LIST = 14
"""Pieces that the embedding model sees alone."""
FROM_FIRST_SOURCES = 5
FIRST_SOURCES = 4
"""So many of them come from the first sources, although their words are others than the question's."""
WITH_CONTEXT = 6
"""Pieces that it sees once more, with what surrounds them."""
_COSINE_GUESS = 5.0
_NEAR = 0.9
_HEADING = 0.85
_NOUN = 1.0
_OTHER_WORD = 0.6
_MODIFIER = 0.5
"""Weight of the first part of a compound with a hyphen (`Online-Sitzung`) and of scraps (`G-BA`)."""
_FEWEST_LETTERS = 3
SAME_START = 0.44
"""How far `Suizidgefahr` is found where the text says `Suizidgedanken`, if the question wants no form."""
_PASSAGE_CHARS = 300
_FIRST_PART, _LAST_PART = 5, 3
_PREFIXES = (
    "unter",
    "uber",
    "zusammen",
    "gegen",
    "wieder",
    "wider",
    "haupt",
    "gross",
    "selbst",
    "zuruck",
    "vorder",
    "hinter",
    "zwischen",
    "durch",
    "inter",
    "super",
    "hoch",
    "nieder",
    "einzel",
    "gesamt",
    "teil",
    "neben",
)
_CONTENTS_LINE = re.compile(
    r"\A\W*[\d.]*\W*\Z|(?:\s?\.){2,}\s*\d*\W*\Z|\s\.\s*\d*\Z"
    r"|\A(?:\d+\n)?\d+(?:\.\d+)+\s[^.!?\n]{0,80}\W*\d*\Z"
)
"""A line of a table of contents, a section title or a page number among sentences."""


@dataclass(frozen=True, slots=True)
class Features:
    """Hold what is known of one piece.

    Args:
        own: Weighted share of the question's words that the piece itself holds, 0 to 1.
        near: The same with its neighbours, list lead, table header, title and headings.
        heading: The same for title and headings alone.
        similarity: Cosine of question and piece (0 where it was not embedded).
        context: Cosine of question and piece with what surrounds it.
        fit: Form of the expected answer, 0 to 1.
        conflicts: What the piece says of something else than the question asks, in German words.
        rank: Position of the source in the context, from 0.
    """

    unit: Unit
    own: float
    near: float
    heading: float
    similarity: float
    context: float
    fit: float
    conflicts: tuple[str, ...]
    rank: int


@dataclass(frozen=True)
class Lookup:
    """Hold the pieces of all sources and where the words of the question stand in them."""

    question: Question
    units: tuple[Unit, ...]

    @cached_property
    def keys(self) -> tuple[frozenset[str], ...]:
        """Give the content words and numbers of each piece."""
        return tuple(keys_of(content_terms(unit.text)) | _numbers(unit.text) for unit in self.units)

    @cached_property
    def heading_keys(self) -> Mapping[int, frozenset[str]]:
        """Give the content words of title and headings for each source number."""
        return {
            unit.source.number: keys_of(content_terms(f"{unit.source.title} {unit.source.heading_path}"))
            for unit in self.units
        }

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """List the words and numbers of the question."""
        return (*(term.key for term in self.question.terms), *self.question.numbers)

    @cached_property
    def hits(self) -> tuple[tuple[float, ...], ...]:
        """Tell for each word of the question how far each piece holds it."""
        return tuple(tuple(self._held(word, keys) for keys in self.keys) for word in range(len(self.asked)))

    def _held(self, word: int, keys: frozenset[str]) -> float:
        """Tell how far some words hold a word of the question, or a compound that starts like it."""
        key = self.asked[word]
        value = found(key, keys)
        if value >= SAME_START or self.question.expects in TOLD_BY_FORM or word == self.question.head:
            return value
        return SAME_START if any(_starts_alike(key, other) for other in keys) else value

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """Weigh the words of the question: rare ones more, nouns and numbers more."""
        kinds: list[Term | None] = [*self.question.terms, *(None for _ in self.question.numbers)]
        return tuple(
            _rarity(row, len(self.units)) * self._kind_weight(kind)
            for row, kind in zip(self.hits, kinds, strict=True)
        )

    def _kind_weight(self, term: Term | None) -> float:
        if term is None:
            return _NOUN
        if self.question.text[term.char_end : term.char_end + 1] == "-" or len(term.word) < _FEWEST_LETTERS:
            return _MODIFIER
        return _NOUN if term.capital else _OTHER_WORD

    @cached_property
    def _places(self) -> Mapping[tuple[int, int], int]:
        return {(unit.source.number, unit.place): index for index, unit in enumerate(self.units)}

    @cached_property
    def index(self) -> Mapping[Unit, int]:
        """Give the position of each piece among all."""
        return {unit: index for index, unit in enumerate(self.units)}

    def at(self, source: int, place: int) -> Unit | None:
        """Give the piece at a place of a source."""
        index = self._places.get((source, place))
        return None if index is None else self.units[index]

    def around(self, index: int) -> tuple[int, ...]:
        """List the pieces that belong to a piece: two before, one after, the lead of its list or table."""
        unit = self.units[index]
        places = [unit.place - 2, unit.place - 1, unit.place + 1, unit.lead]
        wanted = ((unit.source.number, place) for place in places if place is not None)
        return tuple(self._places[key] for key in wanted if key in self._places)

    def before(self, index: int) -> int | None:
        """Give the sentence that a piece points back to, where the question asks for a form."""
        unit = self.units[index]
        if not unit.points_back or self.question.expects not in TOLD_BY_FORM:
            return None
        before = self._places.get((unit.source.number, unit.place - 1))
        return None if before is None or self.units[before].kind is not UnitKind.SENTENCE else before

    def said(self, index: int) -> str:
        """Give a piece as it is understood: with the sentence that it points back to."""
        before = self.before(index)
        text = self.units[index].text
        return text if before is None else f"{self.units[before].text} {text}"

    def held(self, word: int, index: int) -> float:
        """Tell how far a piece holds a word of the question, counting what it points back to."""
        before = self.before(index)
        row = self.hits[word]
        return row[index] if before is None else max(row[index], row[before])

    def text_near(self, index: int) -> str:
        """Join a piece with its surroundings, title and headings."""
        unit = self.units[index]
        pieces = (self.units[place].text for place in (*self.around(index), index))
        return "\n".join((unit.source.title, unit.source.heading_path, *pieces))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Give all content words of the sources."""
        return frozenset().union(*self.keys)

    def held_near(self, word: int, index: int) -> float:
        """Tell how far a piece with its surroundings holds a word of the question."""
        row = self.hits[word]
        near = max((row[other] for other in self.around(index)), default=0.0)
        heading = found(self.asked[word], self.heading_keys[self.units[index].source.number])
        return max(row[index], _NEAR * near, _HEADING * heading)

    @cached_property
    def nouns(self) -> tuple[int, ...]:
        """List which words of the question are nouns, names or numbers."""
        terms = self.question.terms
        return tuple(word for word in range(len(self.asked)) if word >= len(terms) or terms[word].capital)

    def share(self, values: Sequence[float], words: Sequence[int] | None = None) -> float:
        """Weigh one value per word of the question (or per word of `words`) into a share."""
        weights = self.weights if words is None else [self.weights[word] for word in words]
        total = sum(weights)
        return sum(w * value for w, value in zip(weights, values, strict=True)) / total if total else 0.0


def _with_header(lookup: Lookup, index: int) -> str:
    """Give a table row with its header, where the unit of a number often stands."""
    unit = lookup.units[index]
    if unit.kind is not UnitKind.ROW or unit.lead is None:
        return unit.text
    header = lookup.at(unit.source.number, unit.lead)
    return f"{header.text}\n{unit.text}" if header else unit.text


def _starts_alike(key: str, other: str) -> bool:
    """Say whether two compounds share their first part."""
    length = next((at for at, (a, b) in enumerate(zip(key, other, strict=False)) if a != b), 0)
    rest = min(len(key), len(other)) - length
    return length >= _FIRST_PART and rest >= _LAST_PART and not key.startswith(_PREFIXES)


def _numbers(text: str) -> frozenset[str]:
    years = {str(date.year) for date in find_dates(text) if date.year}
    return frozenset(years | {quantity.key for quantity in find_quantities(text)})


def _rarity(row: Sequence[float], count: int) -> float:
    frequency = sum(1 for value in row if value >= 1)
    return math.log(1 + (count + 0.5) / (frequency + 0.5))


def measure(lookup: Lookup, embedder: Embedder) -> tuple[Features, ...]:
    """Measure the pieces that can be quoted, best words first, and embed the best of them."""
    plain = [_by_words(lookup, index) for index, unit in enumerate(lookup.units) if _is_quotable(unit)]
    short = _short_list(plain)
    if not short:
        return ()
    query = embedder.embed_query(lookup.question.text)
    cosines = _cosines(
        query, [_embeddable(lookup.said(lookup.index[features.unit])) for features in short], embedder
    )
    alone = [
        replace(features, similarity=cosine, context=cosine)
        for features, cosine in zip(short, cosines, strict=True)
    ]
    ranked = sorted(
        alone, key=lambda features: -(_first_guess(features) + _COSINE_GUESS * features.similarity)
    )
    closest, rest = ranked[:WITH_CONTEXT], ranked[WITH_CONTEXT:]
    cosines = _cosines(query, [_in_context(lookup, features) for features in closest], embedder)
    return (
        *(replace(features, context=cosine) for features, cosine in zip(closest, cosines, strict=True)),
        *rest,
    )


def _short_list(plain: Sequence[Features]) -> list[Features]:
    """Take the pieces with the best words, and those of the first sources whatever their words."""
    ranked = sorted(enumerate(plain), key=lambda pair: (-_first_guess(pair[1]), pair[0]))
    by_words = ranked[: SHORT_LIST - FROM_FIRST_SOURCES]
    taken = {place for place, _ in by_words}
    first = [pair for pair in ranked if pair[1].rank < FIRST_SOURCES and pair[0] not in taken]
    return [features for _, features in (*by_words, *first[:FROM_FIRST_SOURCES])]


def _cosines(query: Vectors, texts: Sequence[str], embedder: Embedder) -> list[float]:
    return [float(cosine) for cosine in np.asarray(embedder.embed_passages(texts) @ query, dtype=np.float64)]


def _is_quotable(unit: Unit) -> bool:
    if unit.kind is UnitKind.ROW:
        return True
    if unit.kind in {UnitKind.HEADING, UnitKind.HEADER} or unit.text.endswith("?"):
        return False
    return unit.kind is not UnitKind.SENTENCE or not _CONTENTS_LINE.search(unit.text)


def _first_guess(features: Features) -> float:
    return 0.5 * features.own + 0.5 * features.near + 0.2 * features.fit - 0.01 * features.rank


def _by_words(lookup: Lookup, index: int) -> Features:
    unit = lookup.units[index]
    words = range(len(lookup.asked))
    heading_keys = lookup.heading_keys[unit.source.number]
    return Features(
        unit=unit,
        own=lookup.share([lookup.held(word, index) for word in words]),
        near=lookup.share([lookup.held_near(word, index) for word in words]),
        heading=lookup.share([found(key, heading_keys) for key in lookup.asked]),
        similarity=0.0,
        context=0.0,
        fit=fits(lookup.question, _with_header(lookup, index)),
        conflicts=find_conflicts(lookup.question, unit.text, lookup.text_near(index), lookup.vocabulary),
        rank=list(lookup.heading_keys).index(unit.source.number),
    )


def _in_context(lookup: Lookup, features: Features) -> str:
    """Give a piece with its headings and the piece that leads to it, as the embedding model shall see it."""
    unit = features.unit
    heading = unit.source.heading_path.rsplit(" > ", 1)[-1] or unit.source.title
    lead = lookup.at(unit.source.number, unit.lead if unit.lead is not None else unit.place - 1)
    before = lead.text if lead and lead.kind is not UnitKind.HEADING else ""
    room = max(_PASSAGE_CHARS // 3, _PASSAGE_CHARS - len(heading) - len(unit.text) - 3)
    before = before if len(before) <= room else before[-room:]
    return _embeddable(f"{heading}: {before} {unit.text}")


def _embeddable(text: str) -> str:
    return " ".join(text.split())[:_PASSAGE_CHARS] or "-"
