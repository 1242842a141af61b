"""Find the list, table or enumeration that a sentence announces without a colon.

`Jedes Coaching durchläuft sechs Phasen.` does not answer `Welche Phasen …?`; the list below it does.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from fundstelle.adapters.generators.extractive_question import AnswerType, Question
from fundstelle.adapters.generators.extractive_units import Unit, UnitKind
from fundstelle.domain.text.matching import content_terms, found, key_of, keys_of

MOST_LISTED = 16
_FARTHEST = 5
"""Pieces between the sentence that announces and what it announces."""
_PER_ORDINAL = 4
"""Sentences that each thing of a counted enumeration may take."""
_SAME = 0.45
_NUMBERS = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf")
_COUNTED = re.compile(
    rf"\b(?P<number>(?i:{'|'.join(_NUMBERS)})|\d{{1,2}}|[Mm]ehrere[nr]?|[Ff]olgende[nr]?|[Vv]erschiedene[nr]?)\s"
    r"(?:[a-zäöüß]+\s){0,2}(?P<noun>[A-ZÄÖÜ]\w+)"
)
_COURSE = frozenset(key_of(word) for word in ("Schritt", "Phase", "Abschnitt", "Etappe", "Stufe", "Teil"))
"""What a course of things is divided into, whatever it is called."""
_SEPARATOR = re.compile(r",\s|\s(?:und|sowie|oder)\s")
_ORDINAL = re.compile(
    r"(?:\w+\s){0,2}(?:erste|zweite|dritte|vierte|fünfte|sechste|siebte|achte|neunte|zehnte|letzte)[nrsm]?\b"
    r"|(?:Ers|Zwei|Drit|Vier|Fünf|Sechs)tens\b",
    re.IGNORECASE,
)
_ITEM_START = re.compile(r"\s*(?:[-–•]\s|\(?(?:\d{1,3}|[a-z])[.)]\s)")


def find_listed(question: Question, unit: Unit, siblings: Sequence[Unit]) -> Iterator[Unit]:
    """Give what lists the things that the question asks for, if the piece announces or belongs to it.

    Args:
        siblings: All pieces of the same source, in order.
    """
    asked = _asked_kind(question)
    if asked is None:
        return
    block = next((block for block in _blocks(siblings) if _lists(asked, unit, block, siblings)), ())
    if block:
        yield from [other for other in siblings if other.place == block[0].lead]
        yield from block[: MOST_LISTED + (block[0].kind is UnitKind.HEADER)]
    elif unit.kind is UnitKind.SENTENCE and (number := _announced_number(asked[0], unit.text)) is not None:
        yield from _enumerated(number, unit, siblings)


def _asked_kind(question: Question) -> tuple[str, str] | None:
    """Give key and word of the things asked for: the first noun of a question for a list."""
    if question.expects is not AnswerType.LIST:
        return None
    first = question.text.split(maxsplit=1)[0]
    nouns = (term for term in content_terms(question.text) if term.capital and term.word != first)
    return next(((term.key, term.word) for term in nouns), None)


def _blocks(siblings: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Group the list items and table rows that follow each other."""
    run: list[Unit] = []
    for unit in siblings:
        goes_on = bool(run) and (
            unit.kind is UnitKind.ROW
            if run[0].kind is UnitKind.HEADER
            else unit.kind is run[0].kind is UnitKind.ITEM
        )
        if not goes_on:
            if len(run) > 1:
                yield tuple(run)
            run = []
        if goes_on or unit.kind in {UnitKind.HEADER, UnitKind.ITEM}:
            run.append(unit)
    if len(run) > 1:
        yield tuple(run)


def _lists(asked: tuple[str, str], unit: Unit, block: Sequence[Unit], siblings: Sequence[Unit]) -> bool:
    """Say whether a list or table names what is asked, and the piece stands in it or shortly before."""
    key, word = asked
    first, last = block[0].place, block[-1].place
    before = [other for other in siblings if first - _FARTHEST <= other.place < first]
    if not (unit in block or unit in before or any(o.kind is UnitKind.HEADING for o in before)):
        return False
    if block[0].kind is UnitKind.HEADER:
        cell = block[0].text.split(" | ", 1)[0].strip()
        if cell == word and unit in block:
            return False  # one of them is asked, not all
        captions = [other.text for other in before[-1:] if other.kind is UnitKind.HEADING]
        if _holds(key, (cell,)) or _holds(key, captions):
            return True
    elif unit in block and last > first and any(_holds(key, (o.text,)) for o in before[-1:]):
        return True
    size = sum(1 for o in block if o.kind is UnitKind.ROW or _ITEM_START.match(o.text))
    numbers = [_announced_number(key, other.text) for other in before if other.kind is UnitKind.SENTENCE]
    return any(number in (0, size) for number in numbers if number is not None)


def _holds(key: str, texts: Collection[str]) -> bool:
    return any(found(key, keys_of(content_terms(text))) >= _SAME for text in texts)


def _announced_number(key: str, text: str) -> int | None:
    """Give how many of the things asked for a sentence announces; 0 where it does not say, None for none."""
    for match in _COUNTED.finditer(text):
        noun = key_of(match["noun"])
        alike = found(key, (noun,)) >= _SAME or found(noun, (key,)) >= _SAME or {key, noun} <= _COURSE
        if alike or _holds(key, (text,)):
            return _value(match["number"].lower())
    return None


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    return _NUMBERS.index(number) + 2 if number in _NUMBERS else 0


def _enumerated(number: int, unit: Unit, siblings: Sequence[Unit]) -> Iterator[Unit]:
    """Give the sentences after it that count up, or the one that names them all."""
    following = [o for o in siblings if unit.place < o.place <= unit.place + _PER_ORDINAL * max(number, 2)]
    text = [o for o in following if o.kind is UnitKind.SENTENCE]
    ordinals = [other for other in text if _ORDINAL.match(other.text)]
    if ordinals:
        yield from ordinals[: number or None]
    elif text and len(_SEPARATOR.findall(text[0].text)) >= max(number - 1, 2):
        yield text[0]
