"""Read a German question: what it is about and what kind of answer it expects.

Only the words of the question decide; nothing here knows the sources.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from fundstelle.domain.quantities import find_dates, find_quantities
from fundstelle.domain.text.matching import Term, content_terms, key_of


class AnswerType(StrEnum):
    """Name what an answer must hold to answer."""

    TIME = "time"
    DURATION = "duration"
    MONEY = "money"
    NUMBER = "number"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    DEFINITION = "definition"
    LIST = "list"
    YES_NO = "yes_no"
    MANNER = "manner"
    OTHER = "other"


_TYPES = (
    (
        AnswerType.DURATION,
        (r"\bwie lang\w*|\binnerhalb welcher|\bin welcher frist|\bwelche\w* (?:\w*frist|dauer|zeitraum"
            r"|laufzeit)"
        r"|\bwie viele? (?:\w*tage|\w*wochen|\w*monate|\w*jahre|\w*stunden|\w*minuten|\w*sekunden|zeit"
        r"|\w*zeit)\b"
        r"|\bwie (?:oft|häufig)|\bwie alt|\bwieviele? (?:\w*tage|wochen|monate|jahre|stunden|minuten"
        r"|zeit)"),
    ),
    (
        AnswerType.TIME,
        (r"\bwann\b|\b(?:in|an|zu|seit|ab|bis|vor|nach) welche[mnrs] (?:\w*jahr\w*|\w*tag\w*|\w*datum"
            r"|\w*monat\w*|zeit\w*"
        r"|\w*termin\w*|stichtag\w*|uhrzeit)|\bwelche[srn]? (?:jahr|datum|tag|uhrzeit|stichtag"
        r"|termin)\b|\bum wie viel uhr"),
    ),
    (
        AnswerType.MONEY,
        (r"\bwas kostet|\bwie teuer|\bwie viel\w* (?:geld|euro|kostet|kosten|zahl\w*|verdien\w*)"
        r"|\bwie hoch\b.{0,30}\b(?:preis|kosten|gebühr\w*|honorar\w*|entgelt\w*|betrag|strafe"
        r"|vergütung\w*|umsatz)"
        r"|\bwelche[nrs]? (?:preis|betrag|kosten|gebühr\w*|honorar)|\bwas (?:muss|müssen"
        r"|soll)\b.{0,30}\b(?:be)?zahl"),
    ),
    (
        AnswerType.NUMBER,
        (r"\bwie ?viele?[nr]?\b|\bwie (?:hoch|groß|gross|weit|schnell|schwer|tief|breit|stark|niedrig"
            r"|klein)\b"
        r"|\bwelche[rsn]? (?:\w*anteil|\w*zahl|anzahl|prozent\w*|\w*quote|größe|wert|höhe|menge)\b"
        r"|\bum wie viel"),
    ),
    (AnswerType.REASON, (r"\b(?:warum|weshalb|wieso|weswegen|wozu)\b|\baus welche[mn] gr(?:u|ü)nd"
        r"|\bwelche[rn]? gr(?:u|ü)nd")),
    (AnswerType.PLACE, (r"\b(?:wo|wohin|woher)\b|\b(?:in|an|aus|auf) welche[mnrs] (?:\w*ort|\w*stadt"
        r"|\w*land|staat|raum|\w*stelle)")),
    (
        AnswerType.DEFINITION,
        (r"^was (?:ist|sind|war|waren)(?: eine?| die| der| das)? [^,]{2,60}\?*$|\bwas (?:bedeute[tn]"
            r"|bezeichne[tn]|heißt|meint)\b"
        r"|\bwas (?:ist|wird) (?:\w+ ){0,4}gemeint|\bwas versteht (?:man|\w+) unter|\bwie (?:ist"
        r"|wird) .{2,60} definiert"),
    ),
    (AnswerType.PERSON, (r"\b(?:wer|wen|wem|wessen)\b|\bvon wem\b|\bwie heiß(?:t|en) (?:die"
        r"|der) (?:person|\w+(?:in|er)\b)")),
    (AnswerType.LIST, r"^welche (?:\w+ )?\w+(?:en|n|er|e|s)\b|\bnenne\b|\bzähle"),
    (AnswerType.MANNER, r"^(?:wie|womit|wodurch|wobei|woran|worauf|worin|wonach|wofür|wovon)\b"),
    (
        AnswerType.YES_NO,
        (r"^(?:ist|sind|war|waren|hat|haben|kann|können|darf|dürfen|muss|müssen|soll|sollen|wird"
            r"|werden|gibt|gilt|gelten"
        r"|braucht|brauche|besteht|bekommt|zahlt|lässt|\w+e?(?:n|t)) "),
    ),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _TYPES)
_ASKING = frozenset(
    map(
        key_of,
        ("gibt", "geben", "heißt", "heißen", "lautet", "lauten", "bedeutet", "versteht", "nennt", "genannt",
         "bezeichnet", "gemeint", "genau", "eigentlich", "bitte", "viel", "hoch", "lange", "oft", "Art"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """Hold what a question asks.

    Args:
        terms: Content words without repetition and without words that only ask.
        numbers: Numbers and years that the question names.
    """

    text: str
    expects: AnswerType
    terms: tuple[Term, ...]
    numbers: tuple[str, ...]


def read_question(text: str) -> Question:
    """Read a question."""
    expects = next((kind for kind, pattern in _PATTERNS if pattern.search(text.strip())), AnswerType.OTHER)
    terms = {term.key: term for term in reversed(content_terms(text)) if term.key not in _ASKING}
    dates = [str(date.year) for date in find_dates(text) if date.year]
    digits = [quantity.key for quantity in find_quantities(text) if quantity.text[0].isdigit()]
    numbers = dict.fromkeys([*dates, *digits])
    return Question(text, expects, tuple(reversed(terms.values())), tuple(numbers))
