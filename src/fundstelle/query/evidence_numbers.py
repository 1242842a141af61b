"""Decide whether a number of an answer stands in a passage and belongs there to the same thing.

`Berlin hat 3 und Hamburg 2 Standorte` does not support `Berlin hat 2 Standorte`, although every word
and number of it is there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fundstelle.domain.quantities import Quantity, find_dates, find_quantities, units_agree
from fundstelle.domain.text.matching import content_terms, found, key_of
from fundstelle.query.evidence_passages import Passage

_MARGIN = 0.25
_SEGMENT = re.compile(
    r"[;,]\s+|\s(?:und|während|aber|sowie|sondern|jedoch|dagegen|hingegen)\s|\s\|\s", re.IGNORECASE
)


def number_stands(quantity: Quantity, passage: Passage) -> bool:
    """Say whether a number stands in a passage with a unit that agrees."""
    same = [other for other in passage.quantities if other.key == quantity.key]
    if any(units_agree(quantity.unit, other.unit) for other in same):
        return True
    return quantity.unit in {"", "jahr"} and any(str(date.year) == quantity.key for date in passage.dates)


def misplaced(sentence: str, quantity: Quantity, passage: Passage) -> bool:
    """Say whether a passage gives the number for something else than the sentence does."""
    keys = _subject_keys(sentence, quantity)
    if not keys:
        return False
    holders, rivals = _holders_and_rivals(quantity, passage)
    if not holders:
        return False
    sums = passage.coverages(keys)
    best_holder = max(sums.get(index, 0.0) for index in holders)
    best_rival = max((sums.get(index, 0.0) for index in rivals), default=0.0)
    if best_rival >= best_holder + max(_MARGIN * len(keys), 0.8):
        return True
    best = max(holders, key=lambda index: (sums.get(index, 0.0), -index))
    return _misplaced_within(keys, quantity, passage.sentences[best]) or _counts_other(quantity, passage)


def _subject_keys(sentence: str, quantity: Quantity) -> list[str]:
    """List the nouns of the sentence (else all words) besides the unit of the number and what it counts."""
    counted = (
        {key_of(quantity.counted), key_of(quantity.unit)} if quantity.counted or quantity.unit else set()
    )
    terms = [term for term in content_terms(sentence) if term.key not in counted]
    nouns = [term.key for term in terms if term.capital]
    return list(dict.fromkeys(nouns or [term.key for term in terms]))


def _holders_and_rivals(quantity: Quantity, passage: Passage) -> tuple[list[int], list[int]]:
    holders, rivals = [], []
    for index, others in enumerate(passage.sentence_quantities):
        agreeing = [other for other in others if _same_kind(quantity, other)]
        if any(other.key == quantity.key for other in agreeing):
            holders.append(index)
        elif agreeing:
            rivals.append(index)
    return holders, rivals


def _same_kind(quantity: Quantity, other: Quantity) -> bool:
    if quantity.unit and other.unit:
        return units_agree(quantity.unit, other.unit)
    return quantity.unit == other.unit or not (quantity.unit and other.counted)


def _counts_other(quantity: Quantity, passage: Passage) -> bool:
    """Say whether the passage counts other things with this number and the counted thing with another."""
    if not quantity.counted:
        return False
    noun = (key_of(quantity.counted),)
    same = [other for other in passage.quantities if other.key == quantity.key]
    if not all(other.counted and not _kin(other.counted, noun) for other in same):
        return False
    return any(_kin(other.counted, noun) for other in passage.quantities if other.key != quantity.key)


def _kin(word: str, keys: Sequence[str]) -> bool:
    return bool(word) and (found(key_of(word), keys) > 0 or found(keys[0], (key_of(word),)) > 0)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Hold a piece of a sentence around one number: words before and after it."""

    numbers: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]


def _misplaced_within(keys: Sequence[str], quantity: Quantity, sentence: str) -> bool:
    """Compare the pieces of one sentence that give several numbers of one kind."""
    segments = list(_segments(quantity, sentence))
    holders = [segment for segment in segments if quantity.key in segment.numbers]
    rivals = [segment for segment in segments if quantity.key not in segment.numbers]
    if len(holders) != 1 or not rivals:
        return False
    own = holders[0]
    with_lead = bool(own.before)
    own_words = own.before | own.after if with_lead else own.after
    if _distinct(keys, own_words, rivals, with_lead=with_lead):
        return False
    return any(
        any(found(key, _words(rival, with_lead=with_lead)) >= 1 and not found(key, own_words) for key in keys)
        for rival in rivals
    )


def _distinct(
    keys: Sequence[str], own: frozenset[str], rivals: Sequence[_Segment], *, with_lead: bool
) -> bool:
    others = frozenset().union(*(_words(rival, with_lead=with_lead) for rival in rivals))
    return any(found(key, own) and not found(key, others) for key in keys)


def _words(segment: _Segment, *, with_lead: bool) -> frozenset[str]:
    return segment.before | segment.after if with_lead else segment.after


def _segments(quantity: Quantity, sentence: str) -> Iterator[_Segment]:
    """Cut a sentence into pieces with numbers of the same kind; a piece without one joins the next."""
    cuts = [*((match.start(), match.end()) for match in _SEGMENT.finditer(sentence)), (len(sentence),) * 2]
    start = 0
    for end, following in cuts:
        piece = sentence[start:end]
        numbers = [other for other in find_quantities(piece) if _same_kind(quantity, other)]
        if numbers and not find_dates(piece):
            first = numbers[0]
            units = {key_of(word) for other in numbers for word in (other.unit, other.counted) if word}
            before = {term.key for term in content_terms(piece[: first.char_start])} - units
            after = {term.key for term in content_terms(piece[first.char_end :])} - units
            yield _Segment(frozenset(other.key for other in numbers), frozenset(before), frozenset(after))
        if numbers or end == len(sentence):
            start = following
