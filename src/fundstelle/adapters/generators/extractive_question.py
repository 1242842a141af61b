"""Read a German question: what it is about and what kind of answer it expects.

Only the words of the question decide; nothing here knows the sources.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from fundstelle.domain.quantities import Quantity, find_dates, find_quantities
from fundstelle.domain.text.matching import Term, content_terms, key_of


class AnswerType(StrEnum):
    """Name what an answer must hold to answer."""

    YEAR = "year"
    DATE = "date"
    CLOCK = "clock"
    TIME = "time"
    FREQUENCY = "frequency"
    DURATION = "duration"
    MONEY = "money"
    NUMBER = "number"
    NAME = "name"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    DEFINITION = "definition"
    LIST = "list"
    YES_NO = "yes_no"
    MANNER = "manner"
    OTHER = "other"


STRICT = frozenset({AnswerType.YEAR, AnswerType.DATE, AnswerType.CLOCK, AnswerType.MONEY, AnswerType.NAME})
"""Types of answer whose form is told for sure."""
TOLD_BY_FORM = STRICT | {AnswerType.DURATION, AnswerType.FREQUENCY, AnswerType.NUMBER}
"""Types of answer that can be told by their form."""

_WHICH = r"\bwelche[mnrs]?\s(?:\w+e[nrsm]?\s)?"
_TIMES = r"(?:\w*tage|\w*wochen|\w*monate|\w*jahre|\w*stunden|\w*minuten|\w*sekunden|\w*zeit)\b"
_PATTERNS_BY_TYPE: tuple[tuple[AnswerType, tuple[str, ...]], ...] = (
    (AnswerType.CLOCK, (r"\bum wie ?viel uhr", r"\bwelche uhrzeit", rf"\bum {_WHICH}uhrzeit")),
    (AnswerType.YEAR, (rf"{_WHICH}(?:\w*jahr|\w*jahres|\w*jahre)\b", r"\bin welchem jahrhundert")),
    (AnswerType.DATE, (rf"{_WHICH}(?:\w*datum|\w*tag|\w*termin|\w*stichtag|\w*monat|\w*quartal)\b",)),
    (AnswerType.TIME, (r"\bwann\b", rf"{_WHICH}(?:\w*zeitpunkt|zeiten)\b")),
    (AnswerType.FREQUENCY, (r"\bwie ?(?:oft|häufig)\b", r"\bin welche[mn] (?:abstand|abständen|turnus)")),
    (
        AnswerType.DURATION,
        (
            r"\bwie ?lang\w*",
            r"\bwie alt\b",
            rf"\bwie ?viele? {_TIMES}",
            rf"{_WHICH}(?:\w*frist|\w*dauer|\w*zeitraum|\w*laufzeit)\b",
        ),
    ),
    (
        AnswerType.MONEY,
        (
            r"\bwas koste[tn]",
            r"\bwie teuer",
            r"\bwie ?viel\w* (?:geld|euro|koste[tn]|zahl\w*|verdien\w*)",
            r"\bwie hoch\b.{0,30}\b\w*(?:preis|kosten|gebühr|honorar|entgelt|betrag|umsatz)\w{0,2}\b",
            rf"{_WHICH}(?:\w*preis|\w*betrag|\w*kosten|\w*gebühr|\w*honorar)\b",
        ),
    ),
    (
        AnswerType.NUMBER,
        (
            r"\bwie ?viele?[nr]?\b",
            r"\bwie (?:hoch|gross|weit|schnell|schwer|tief|breit|stark|niedrig|klein)\b",
            rf"{_WHICH}(?:\w*anteil|\w*zahl|\w*prozent\w*|\w*quote|\w*grösse|\w*höhe|\w*menge)\b",
        ),
    ),
    (
        AnswerType.REASON,
        (
            r"\b(?:warum|weshalb|wieso|weswegen|wozu)\b",
            rf"{_WHICH}(?:\w*grund|\w*gründe|\w*gründen|\w*zweck)\b",
        ),
    ),
    (
        AnswerType.NAME,
        (r"\bwie heisst (?:die|der) (?:person|mensch|frau|mann|\w+(?:in|er|or|ent|ist)\b)", r"\bwessen name"),
    ),
    (AnswerType.PERSON, (r"\b(?:wer|wen|wem|wessen)\b",)),
    (
        AnswerType.PLACE,
        (r"\b(?:wo|wohin|woher)\b", rf"\b(?:in|an|aus|auf) {_WHICH}(?:\w*ort|\w*stadt|\w*land|\w*raum)\b"),
    ),
    (
        AnswerType.DEFINITION,
        (
            r"^was (?:ist|sind|war|waren) (?:eine? |die |der |das )?[\w\s-]{2,60}\?*$",
            r"\bwas (?:bedeute[tn]|bezeichne[tn]|heisst|meint)\b",
            r"\bwas (?:ist|wird) (?:\w+ ){0,4}gemeint",
            r"\bwas versteht (?:man|\w+) unter",
            r"\bwie (?:ist|wird) .{2,60} definiert",
        ),
    ),
    (
        AnswerType.LIST,
        (
            r"^welche (?:\w+ )?\w+(?:en|n|er|e|s)\b",
            r"^\w+ welchen (?:\w+ )?\w+n\b",
            r"^(?:wie|was) (?:lauten|heissen|sind) die\b",
            r"\bnenne\b",
            r"\bzähle\b",
        ),
    ),
    (AnswerType.MANNER, (r"^(?:wie|womit|wodurch|wobei|woran|worauf|worin|wonach|wofür|wovon)\b",)),
    (AnswerType.YES_NO, (r"^(?!was\b|welche|bei\b|bis\b|mit\b)\w+(?:st|nd|en|t|at|f|l|ss|nn)\b",)),
)
_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_SPELLED_OUT = re.compile(r"([aou])e")


def _folded(text: str) -> str:
    """Fold umlauts, spelled out or not; patterns and questions are folded alike."""
    return _SPELLED_OUT.sub(r"\1", text.lower().translate(_FOLD))


_PATTERNS = tuple(
    (kind, re.compile("|".join(map(_folded, patterns)))) for kind, patterns in _PATTERNS_BY_TYPE
)
_ASKING_WORDS = """
gibt geben heißt heißen lautet lauten bedeutet versteht nennt genannt bezeichnet gemeint genau eigentlich
bitte mache macht machen tue tut tun hoch lange oft viel viele definiert Datum Uhr Jahr Tag kostet Kosten
teuer Geld Betrag
"""
_ASKING = frozenset(key_of(word) for word in _ASKING_WORDS.split())


_HEAD = re.compile(r"\b[Ww](?:elche[mnrs]?|ie laute[tn] \w+)\s(?:[a-zäöüß]+\s){0,2}([A-ZÄÖÜ]\w+)")


@dataclass(frozen=True, slots=True)
class Question:
    """Hold what a question asks.

    Args:
        terms: Content words without repetition and without words that only ask.
        quantities: Numbers that the question names, in digits or words.
        years: Years that the question names.
    """

    text: str
    expects: AnswerType
    terms: tuple[Term, ...]
    quantities: tuple[Quantity, ...]
    years: tuple[str, ...]

    @property
    def head(self) -> int | None:
        """Give the place among the terms of the noun that `welche` or `wie lautet` asks for."""
        match = _HEAD.search(self.text)
        return next((n for n, term in enumerate(self.terms) if match and term.word == match[1]), None)

    @property
    def numbers(self) -> tuple[str, ...]:
        """List the numbers and years as keys."""
        return tuple(dict.fromkeys([*self.years, *(quantity.key for quantity in self.quantities)]))


def read_question(text: str) -> Question:
    """Read a question."""
    plain = _folded(" ".join(text.split()))
    expects = next((kind for kind, pattern in _PATTERNS if pattern.search(plain)), AnswerType.OTHER)
    terms = {term.key: term for term in reversed(content_terms(text)) if term.key not in _ASKING}
    quantities = find_quantities(text)
    years = [str(date.year) for date in find_dates(text) if date.year]
    years += [quantity.key for quantity in quantities if is_year(quantity)]
    return Question(text, expects, tuple(reversed(terms.values())), quantities, tuple(dict.fromkeys(years)))


def is_year(quantity: Quantity) -> bool:
    """Say whether a number is written like a year of our era."""
    return len(quantity.text) == 4 and quantity.text.isdigit() and 1000 <= int(quantity.text) <= 2200
