"""Compare one sentence of an answer with the passages that it cites, claim by claim.

Each rule gives findings: a grave one says that the sentence claims what the passages do not say, a
slight one that a person should look. Rules must not know how findings become a status.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from fundstelle.domain.claims import (
    OPPOSITES,
    Clause,
    find_quotes,
    read_clause,
    split_clauses,
)
from fundstelle.domain.names import find_names
from fundstelle.domain.opposites import flipped_bounds
from fundstelle.domain.quantities import CalendarDate, find_dates, find_quantities, is_number_or_unit
from fundstelle.domain.text.matching import Term, content_terms, found, key_of
from fundstelle.query.evidence_numbers import misplaced, number_stands
from fundstelle.query.evidence_passages import Alignment, Passage, folded

_NOUN_WEIGHT = 1.5
_CLOSE = 0.5
_PRESENT = 0.5
_FRAME_WORDS = """
Quelle Dokument Text Abschnitt Handbuch Regel Fall Rahmen Angabe Auszug Kapitel Frage Antwort
Zusammenhang  Grundlage Überblick Hinweis Beispiel Zusammenfassung Passage Fundstelle Unterlage folgend
laut gemäß somit  zusammenfassend außerdem zudem zusätzlich insgesamt insbesondere grundsätzlich
allerdings hierbei
"""
_FRAME = frozenset(key_of(word) for word in _FRAME_WORDS.split())


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold what does not hold, in a German sentence for people."""

    problem: str
    grave: bool


Rule = Callable[[str, Sequence[Passage]], Iterator[Finding]]


def claim_terms(sentence: str) -> tuple[Term, ...]:
    """List the content words that make up what a sentence says; words that only frame it are left out."""
    return tuple(
        term
        for term in content_terms(sentence)
        if term.key not in _FRAME and not is_number_or_unit(term.word)
    )


def coverage(terms: Sequence[Term], passage: Passage, numbers: Collection[str] = ()) -> Alignment:
    """Find the place of a passage that holds most of the words; nouns count more.

    Args:
        numbers: Of two places alike, the one that has these numbers is taken; they are no part of the share.
    """
    keys = [term.key for term in terms]
    sums = dict(passage.coverages(keys))
    for index in sums if numbers else ():
        sums[index] += sum(other.key in numbers for other in passage.sentence_quantities[index])
    if not sums:
        return Alignment(passage.source.number, 0, 0.0)
    best = max(sums, key=lambda index: (sums[index] - 0.01 * len(passage.keys[index]), -index))
    weights = [_NOUN_WEIGHT if term.capital else 1.0 for term in terms]
    held = sum(w * passage.window(best, key) for w, key in zip(weights, keys, strict=True))
    return Alignment(passage.source.number, best, held / sum(weights))


def overall_coverage(sentence: str, passages: Sequence[Passage]) -> float:
    """Measure how much of a sentence the passages hold, clause by clause, each at its own best place."""
    total = held = 0.0
    for clause in split_clauses(sentence):
        terms = claim_terms(clause.text)
        weight = sum(_NOUN_WEIGHT if term.capital else 1.0 for term in terms)
        best = max((coverage(terms, passage).coverage for passage in passages), default=0.0) if terms else 0.0
        total, held = total + weight, held + weight * best
    whole = claim_terms(sentence)
    single = max((coverage(whole, passage).coverage for passage in passages), default=0.0) if whole else 0.0
    return max(held / total if total else 0.0, single)


def check_numbers(sentence: str, passages: Sequence[Passage]) -> Iterator[Finding]:
    """Demand that every number stands in the passages, with its unit, and belongs to what it is said of."""
    for quantity in find_quantities(sentence):
        if not any(number_stands(quantity, passage) for passage in passages):
            what = f"{quantity.text} {quantity.counted or quantity.unit}".strip()
            yield Finding(f"Die Zahl »{what}« steht nicht in {_names(passages)}.", grave=True)
        elif all(misplaced(sentence, quantity, p) for p in passages if number_stands(quantity, p)):
            yield Finding(
                f"Die Zahl »{quantity.text}« gehört in {_names(passages)} zu etwas anderem.", grave=True
            )


def check_dates(sentence: str, passages: Sequence[Passage]) -> Iterator[Finding]:
    """Demand that every date stands in the passages, in whatever spelling."""
    for date in find_dates(sentence):
        if not any(_date_stands(date, passage) for passage in passages):
            yield Finding(f"Das Datum »{date.text}« steht nicht in {_names(passages)}.", grave=True)


def _date_stands(date: CalendarDate, passage: Passage) -> bool:
    if any(date.agrees_with(other) for other in passage.dates):
        return True
    return folded(date.text).lower() in passage.lowered


def check_quotes(sentence: str, passages: Sequence[Passage]) -> Iterator[Finding]:
    """Demand that what stands in quotation marks stands in the passages word for word."""
    for quote in find_quotes(sentence):
        wanted = folded(quote).lower().strip(" .,;:!?")
        if not any(wanted in passage.lowered for passage in passages):
            yield Finding(f"Das Zitat »{quote}« steht nicht wörtlich in {_names(passages)}.", grave=True)


def check_names(sentence: str, passages: Sequence[Passage]) -> Iterator[Finding]:
    """Demand that names stand in the passages; a noun that is not there is a slight finding."""
    texts = _texts(passages)
    for name in find_names(sentence):
        parts = [key_of(part) for part in name.word.split("-") if part] or [key_of(name.word)]
        if key_of(name.word) in _FRAME or is_number_or_unit(name.word) or name.word.lower() in texts:
            continue
        if all(_holds(part, name.word, passages, exact=name.certain) for part in parts):
            continue
        what = "Der Name" if name.certain else "Das Wort"
        yield Finding(f"{what} »{name.word}« steht nicht in {_names(passages)}.", grave=name.certain)


def _texts(passages: Sequence[Passage]) -> str:
    return "\n".join(passage.lowered for passage in passages)


def _holds(key: str, word: str, passages: Sequence[Passage], *, exact: bool) -> bool:
    least = 1.0 if exact else _PRESENT
    if max((passage.holds(key) for passage in passages), default=0.0) >= least:
        return True
    root = word.lower().rstrip("sn’'")
    return len(root) > 3 and root in _texts(passages)


def check_strength(sentence: str, passages: Sequence[Passage]) -> Iterator[Finding]:
    """Demand that no clause is more or less binding than the place it comes from, and none is denied."""
    for clause in split_clauses(sentence):
        original = _original(clause.text, passages)
        if original is not None:
            yield from _compare(clause, original, _names(passages))


def check_bounds(sentence: str, passages: Sequence[Passage]) -> Iterator[Finding]:
    """Demand that `mindestens` has not become `höchstens`, nor `mit` `ohne`, nor the like."""
    for clause in split_clauses(sentence):
        original = _original(clause.text, passages)
        for label in flipped_bounds(clause.text, original.text) if original else ():
            yield Finding(f"Ins Gegenteil verkehrt gegenüber {_names(passages)}: {label}.", grave=True)


def _original(clause: str, passages: Sequence[Passage]) -> Clause | None:
    """Find the clause of the passages from which a clause comes; None when none is close."""
    terms = claim_terms(clause)
    numbers = {quantity.key for quantity in find_quantities(clause)}
    aligned = [(coverage(terms, passage, numbers), passage) for passage in passages] if terms else []
    if not aligned:
        return None
    best, passage = max(aligned, key=lambda pair: pair[0].coverage)
    if best.coverage < _CLOSE or not passage.sentences:
        return None
    sentence = passage.sentences[best.sentence]
    keys = [term.key for term in terms]
    candidates = [
        (_closeness(keys, other.text), -place, other) for place, other in enumerate(split_clauses(sentence))
    ]
    close, _, clause_found = max(candidates, key=lambda triple: triple[:2])
    return clause_found if close >= _CLOSE else read_clause(sentence)


def _closeness(keys: Sequence[str], clause: str) -> float:
    others = {term.key for term in content_terms(clause)}
    held = sum(found(key, others) for key in keys) / len(keys)
    back = sum(found(other, set(keys)) for other in others) / len(others) if others else 0.0
    return 0.8 * held + 0.2 * back


def _compare(clause: Clause, original: Clause, where: str) -> Iterator[Finding]:
    mine, its = clause.core | clause.soft, original.core | original.soft
    denied = any(frozenset({one, other}) in OPPOSITES for one in mine - its for other in its - mine)
    changed = bool(original.core) and bool(clause.core - its or (clause.soft - its and not clause.core & its))
    if denied or changed:
        yield Finding(_strength_problem(clause, original, where), grave=True)
    elif clause.core - its or (original.core and not mine):
        yield Finding(_strength_problem(clause, original, where), grave=False)
    if clause.negated != original.negated and not (clause.core or original.core):
        said, unsaid = ("verneint", "bejaht") if clause.negated else ("bejaht", "verneint")
        yield Finding(f"Der Satz {said}, was in {where} {unsaid} wird.", grave=True)


def _strength_problem(clause: Clause, original: Clause, where: str) -> str:
    mine = (
        ", ".join(sorted(f"»{strength}«" for strength in clause.core | clause.soft))
        or "ohne »kann/soll/muss«"
    )
    its = (
        ", ".join(sorted(f"»{strength}«" for strength in original.core | original.soft))
        or "ohne »kann/soll/muss«"
    )
    return f"Verbindlichkeit geändert: im Satz {mine}, in {where} {its}."


def _names(passages: Sequence[Passage]) -> str:
    numbers = [str(passage.source.number) for passage in passages]
    if len(numbers) <= 1:
        return f"Quelle {''.join(numbers)}"
    return f"den Quellen {', '.join(numbers[:-1])} und {numbers[-1]}"


RULES: tuple[Rule, ...] = (
    check_numbers,
    check_dates,
    check_quotes,
    check_names,
    check_strength,
    check_bounds,
)
"""All rules, in the order in which their findings are told."""
