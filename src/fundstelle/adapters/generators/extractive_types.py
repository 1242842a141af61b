"""Say whether a piece of text can be an answer of the type that a question expects.

Rules of form only: a number with a unit for `wie viele`, a date for `wann`, a reason for `warum`.
"""

import re
from collections.abc import Callable, Mapping

from fundstelle.adapters.generators.extractive_question import AnswerType, Question, is_year
from fundstelle.domain.names import Name, find_names
from fundstelle.domain.quantities import Quantity, find_dates, find_quantities
from fundstelle.domain.text.matching import found, key_of

_TIME_UNITS = ("tag", "woche", "monat", "jahr", "stunde", "minute", "sekunde", "uhr", "mal")
_TIME_WORDS = re.compile(
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai"
    r"|juni|juli|august"
    r"|september|oktober|november|dezember|frühling|sommer|herbst|winter|morgens?|mittags?|abends?"
    r"|nachts?|heute|gestern"
    r"|jahrhunderts?|sobald|sofort|unverzüglich|jederzeit|spätestens|frühestens|zu beginn|am ende"
    r"|nach ablauf"
    r"|quartals?|jährlich|monatlich|wöchentlich|täglich|ende|anfang|mitte|während|bevor|nachdem|vor"
    r"|nach|bei)\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?:(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?)\b", re.IGNORECASE)
_CENTURY = re.compile(r"\bjahrhunderts?|jahrzehnts?|er[- ]jahren?\b", re.IGNORECASE)
_OFTEN = re.compile(
    r"\b(?:(?:halb|viertel)?jährlich|monatlich|wöchentlich|täglich|stündlich|einmal|mehrmals|niemals"
    r"|immer|stets|ständig"
    r"|jede[nrsm]? (?:\w+ )?(?:tag|woche|monat|jahr|quartal)|alle \w+ (?:tage|wochen|monate|jahre)"
    r"|regelmäßig|selten)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:unbefristet|unbegrenzt|dauerhaft|lebenslang|bis (?:zu[rm]?|\w+)|sofort|unverzüglich|lange?"
    r"|so lange|solange)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"€|\$|\b(?:euro|eur|dollar|cent|pfund|franken|kostenlos|kostenfrei|gebührenfrei"
    r"|unentgeltlich)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:weil|da|denn|damit|wegen|aufgrund|daher|deshalb|deswegen|darum|somit|folglich|dadurch|durch"
    r"|um|infolge|dank"
    r"|grund|gründe|ursache|zweck|soll\w*|verhinder\w*|ermöglich\w*|führt\w*|dient|dienen|schütz\w*"
    r"|wenn|sonst)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|im|an|am|auf|bei|beim|unter|über|neben|vor|hinter|zwischen|aus|nach|von|vom|zum|zur"
    r"|nördlich|südlich|östlich"
    r"|westlich|entlang)\s(?:\w+\s){0,3}?[A-ZÄÖÜ]"
)
_NOBODY = re.compile(
    r"\b(?:in|aus)\s[A-ZÄÖÜ][\w-]+(?:\s[A-ZÄÖÜ][\w-]+)?"
    r"|\b(?:Anfang|Mitte|Ende|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November"
    r"|Dezember)\b"
)
"""Names of places and times."""
_SUBJECT = re.compile(r"([A-ZÄÖÜ]\w+)\s[a-zäöüß]+")
_ROLE = re.compile(
    r"(?:er|ern|ers|erin|erinnen|in|innen|or|oren|ent|enten|ant|anten|ist|isten|eur|eure"
    r"|oge|ogen|loge|ege|egen"
    r"|leitung|führung|verwaltung|regierung|abteilung|haltung|vertretung|versammlung"
    r"|stiftung|schaft|amt|stelle|rat|rats|ausschuss|gremium|behörde|gericht|kammer|kasse|verband"
    r"|verein|bund|institut"
    r"|zentrum|ministerium|firma|unternehmen|gruppe|team|partei|kirche|staat|volk|armee|truppe[n]?"
    r"|person|personen"
    r"|leute|mensch|menschen|frau|frauen|mann|männer|kind|kinder|eltern|mitglied\w*|vorstand\w*"
    r"|chef\w*|coach\w*"
    r"|könig\w*|kaiser\w*|papst|fürst\w*|herzog\w*|graf\w*|vorgesetzte\w*|beschäftigte\w*|beteiligte\w*"
    r"|beauftragte\w*|angestellte\w*|beamte\w*|vorsitzende\w*|leitende\w*|teilnehmende\w*|studierende\w*"
    r"|angehörige\w*|kund\w+|patient\w*|kolleg\w+|gast|gäste)\Z",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"\b(?:ist|sind|war|waren|bezeichnet|bedeutet|heißt|heißen|nennt|nennen|genannt|versteht"
    r"|definier\w*|meint|kennzeichnet"
    r"|steht für|handelt es sich|umfasst|beschreibt|gilt als)\b|^definition|: |\| ",
    re.IGNORECASE,
)
_ALREADY_SAID = re.compile(r"[A-ZÄÖÜ]\w+")


def fits(question: Question, text: str) -> float:
    """Measure how well a piece of text has the form of the expected answer: 0, 0.5 or 1."""
    check = _CHECKS.get(question.expects)
    return 0.5 if check is None else check(question, text)


def _new_quantities(question: Question, text: str) -> list[Quantity]:
    return [quantity for quantity in find_quantities(text) if quantity.key not in question.numbers]


def _year(question: Question, text: str) -> float:
    years = {str(date.year) for date in find_dates(text) if date.year}
    years |= {quantity.key for quantity in find_quantities(text) if is_year(quantity)}
    if years - set(question.years):
        return 1.0
    return 0.5 if _CENTURY.search(text) else 0.0


def _date(_: Question, text: str) -> float:
    return 1.0 if any(date.month for date in find_dates(text)) or _DAY.search(text) else 0.0


def _clock(_: Question, text: str) -> float:
    return 1.0 if any(quantity.unit == "uhr" for quantity in find_quantities(text)) else 0.0


def _time(question: Question, text: str) -> float:
    if _year(question, text) == 1 or _date(question, text) or _clock(question, text):
        return 1.0
    if any(quantity.unit.endswith(_TIME_UNITS) for quantity in _new_quantities(question, text)):
        return 1.0
    return 0.5 if _TIME_WORDS.search(text) else 0.0


def _frequency(question: Question, text: str) -> float:
    if _OFTEN.search(text) or any(quantity.unit == "mal" for quantity in find_quantities(text)):
        return 1.0
    return 0.5 if _duration(question, text) else 0.0


def _duration(question: Question, text: str) -> float:
    quantities = _new_quantities(question, text)
    if any(quantity.unit.endswith(_TIME_UNITS) or quantity.unit in {"std", "min"} for quantity in quantities):
        return 1.0
    return 0.5 if _LASTING.search(text) or sum(map(is_year, quantities)) > 1 else 0.0


def _money(question: Question, text: str) -> float:
    """Look for money; in a table the currency may stand elsewhere."""
    if _MONEY.search(text):
        return 1.0
    if " | " not in text:
        return 0.0
    bare = (quantity for quantity in _new_quantities(question, text) if not quantity.unit)
    return 0.5 if any(not quantity.counted for quantity in bare) else 0.0


def _number(question: Question, text: str) -> float:
    quantities = _new_quantities(question, text)
    if not quantities:
        return 0.0
    wanted = _counted_in(question.text)
    if wanted is None:
        return 1.0
    near = (key_of(word) for quantity in quantities for word in (quantity.counted, quantity.unit) if word)
    return 1.0 if any(found(wanted, (key,)) or found(key, (wanted,)) for key in near) else 0.5


_COUNTED = re.compile(r"\bwie ?viele?[nr]?\s(?:\w+[en]\s)?([A-ZÄÖÜ]\w+)", re.IGNORECASE)


def _counted_in(question: str) -> str | None:
    match = _COUNTED.search(question)
    return key_of(match[1]) if match else None


def _name(question: Question, text: str) -> float:
    return 1.0 if any(name.certain for name in _new_names(question, text)) else 0.0


def _person(question: Question, text: str) -> float:
    """Look for a person or body that the question does not name; `in Palo Alto` is none, nor `Ende Mai`."""
    new = _new_names(question, _NOBODY.sub(" ", text))
    if any(name.certain for name in new):
        return 1.0
    subject = _SUBJECT.match(text)
    return 0.5 if any(_ROLE.search(n.word) or (subject and n.word == subject[1]) for n in new) else 0.0


def _new_names(question: Question, text: str) -> list[Name]:
    asked = {term.key for term in question.terms}
    return [name for name in find_names(text) if key_of(name.word) not in asked]


def _place(_: Question, text: str) -> float:
    return 1.0 if _PLACE.search(text) else 0.0


def _reason(_: Question, text: str) -> float:
    return 1.0 if _REASON.search(text) else 0.0


def _definition(question: Question, text: str) -> float:
    """Look for the asked term near the start and a verb that defines."""
    if not _DEFINITION.search(text):
        return 0.0
    starts = {key_of(word) for word in _ALREADY_SAID.findall(text[:80])}
    nouns = [term.key for term in question.terms if term.capital]
    return 1.0 if nouns and any(found(noun, starts) >= 1 for noun in nouns) else 0.5


_CHECKS: Mapping[AnswerType, Callable[[Question, str], float]] = {
    AnswerType.YEAR: _year,
    AnswerType.DATE: _date,
    AnswerType.CLOCK: _clock,
    AnswerType.TIME: _time,
    AnswerType.FREQUENCY: _frequency,
    AnswerType.NAME: _name,
    AnswerType.DURATION: _duration,
    AnswerType.MONEY: _money,
    AnswerType.NUMBER: _number,
    AnswerType.PERSON: _person,
    AnswerType.PLACE: _place,
    AnswerType.REASON: _reason,
    AnswerType.DEFINITION: _definition,
}
