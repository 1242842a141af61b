"""Choose what to quote and put it in readable order, each piece with its source.

The best piece comes with what it needs to be understood: the sentence before when it points back to
it, the header of its table, the lead of its list. Nothing is reworded.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from fundstelle.adapters.generators.extractive_decision import Measured
from fundstelle.adapters.generators.extractive_features import Lookup
from fundstelle.adapters.generators.extractive_lists import find_listed
from fundstelle.adapters.generators.extractive_question import AnswerType
from fundstelle.adapters.generators.extractive_units import Unit, UnitKind

MOST_BEST = 3
MOST_ITEMS = 12
_CLOSE = 1.5
_CLOSE_BESIDE = 3.0
"""How far below the best score another piece may lie to be quoted, anywhere and right beside the best."""
_BESIDE = 3
_RELATED = 0.5
"""From this likeness on a piece belongs to the question without sharing a word."""
_FARTHEST_ANNOUNCED = 4
_FOOTNOTE = re.compile(r"[¹²³⁰⁴-⁹]")


def select(lookup: Lookup, measured: Sequence[Measured], *, fits: Callable[[str], bool]) -> tuple[Unit, ...]:
    """Choose the pieces to quote, in readable order, as long as the answer fits."""
    ranked = sorted(measured, key=lambda one: (-one.score, one.features.rank, one.features.unit.place))
    chosen: list[Unit] = []
    for one in _best(ranked):
        for unit in _with_needed(lookup, one.features.unit):
            if unit not in chosen and fits(word_answer([*chosen, unit])):
                chosen.append(unit)
    return _in_order(chosen)


def _best(ranked: Sequence[Measured]) -> Iterator[Measured]:
    """Take the best piece and those that come close and say something else."""
    taken: list[Measured] = []
    for one in ranked:
        if len(taken) == MOST_BEST:
            return
        if one.score < ranked[0].score - _margin(ranked[0].features.unit, one.features.unit):
            continue
        if taken and not one.features.own and one.similarity < _RELATED:
            continue  # close only by what stands around it
        if any(one.features.unit.text == other.features.unit.text for other in taken):
            continue
        taken.append(one)
        yield one


def _margin(best: Unit, other: Unit) -> float:
    """Give a neighbour of the best piece more room: they are read together."""
    beside = best.source.number == other.source.number and abs(best.place - other.place) <= _BESIDE
    return _CLOSE_BESIDE if beside and other.kind is UnitKind.SENTENCE else _CLOSE


def _with_needed(lookup: Lookup, unit: Unit) -> Iterator[Unit]:
    """Give a piece first, then what it needs: lead or header, sentence before, items of its list."""
    yield unit
    siblings = [other for other in lookup.units if other.source.number == unit.source.number]
    by_place = {other.place: other for other in siblings}
    if unit.lead is not None and unit.lead in by_place:
        yield by_place[unit.lead]
    if unit.points_back:
        before = by_place.get(unit.place - 1)
        if before and before.kind is UnitKind.SENTENCE:
            yield before
    if unit.text.endswith(":"):
        items = [other for other in siblings if other.lead == unit.place][:MOST_ITEMS]
        yield from items or _announced(unit, siblings)
    elif unit.kind is UnitKind.ITEM and lookup.question.expects is AnswerType.LIST:
        yield from [other for other in siblings if other.lead == unit.lead is not None][:MOST_ITEMS]
    yield from find_listed(lookup.question, unit, siblings)


def _announced(unit: Unit, siblings: Sequence[Unit]) -> list[Unit]:
    """Find the sentence that a colon announces; footnotes of a page may stand between."""
    following = (other for other in siblings if unit.place < other.place <= unit.place + _FARTHEST_ANNOUNCED)
    text = [other for other in following if not _FOOTNOTE.match(other.text)]
    return text[:1] if text and text[0].kind is UnitKind.SENTENCE else []


def _in_order(units: Sequence[Unit]) -> tuple[Unit, ...]:
    return tuple(sorted(units, key=lambda unit: (unit.source.number, unit.place)))


def word_answer(units: Sequence[Unit]) -> str:
    """Write the chosen pieces, each followed by its source."""
    parts: list[str] = []
    previous: Unit | None = None
    for unit in _in_order(units):
        if previous is not None:
            parts.append(_between(previous, unit))
        parts.append(f"{unit.text} [Quelle {unit.source.number}]")
        previous = unit
    return "".join(parts)


def _between(left: Unit, right: Unit) -> str:
    if left.source.number != right.source.number:
        return "\n\n"
    if UnitKind.SENTENCE is not right.kind:
        return "\n"
    return " " if left.paragraph == right.paragraph and left.kind is UnitKind.SENTENCE else "\n\n"
