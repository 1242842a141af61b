"""Find the names in a German sentence, where every noun has a capital letter.

There is no list of names: the place of a word says how sure it is that it is one.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from fundstelle.domain.text.matching import is_stop_word

_CAPITAL = re.compile(r"(?<![\w-])[A-ZÄÖÜ][\w’']*(?:-\w+)*")
_TITLE = re.compile(r"(?:\bHerrn?|\bFrau|\bDr\.|\bProf\.|\bFamilie|\bFirma)\s\Z")
_BEFORE_PLACE = re.compile(r"\b(?:in|aus|nach|bei|von|für|durch|gegen|laut|ist|heißt|war)\s\Z", re.IGNORECASE)
_DETERMINER = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|ein(?:e[mnrs]?)?|kein(?:e[mnrs]?)?|jede[rsnm]?|diese[rsnm]?"
    r"|alle[rnms]?|i[hn]re?[rsnm]?"
    r"|seine?[rsnm]?|unsere?[rsnm]?|zu[mr]|vom|ims?|ins|am|ans|beim|und|oder|\w{3,}e[nrsm]?|\d+)\s\Z",
    re.IGNORECASE,
)
_NOUN_ENDING = re.compile(
    r"(?:ung|heit|keit|schaft|tion|tät|ismus|nis|tum|ment|ling|chen|ur|enz|anz|age|ik|ie|form|zeit"
    r"|recht|frist"
    r"|pflicht|wesen|werk|zeug|stelle|leiter|gabe|plan|satz|buch|preis|kosten)(?:e?n|e?s|e|er)?\Z"
)
_ACRONYM = re.compile(r"[A-ZÄÖÜ]{2,}[\w-]*\Z|[A-ZÄÖÜ][\w]*\d[\w-]*\Z|[A-ZÄÖÜ][a-zäöü]+[A-ZÄÖÜ]\w*\Z")
_LOOK_BACK = 40
_FUNCTION_WORD_LIST = """
Daher Deshalb Dabei Damit Dazu Somit Außerdem Zudem Ferner Ebenso Sowohl Laut Gemäß Nach Bei Für Wegen
Trotz Demnach Danach Hierzu Hierbei Dadurch Insgesamt Beispielsweise Grundsätzlich Allerdings Zusätzlich
Anschließend Schließlich Zunächst Folglich Insbesondere Spätestens Mindestens Höchstens Folgende Weitere
Weiterhin Darüber Herr Herrn Frau Familie Firma Gegebenenfalls Ansonsten Andernfalls Zuerst Sie Ihr Ihre
Ihnen Ja Nein Hinweis Quelle Quellen
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LIST.split())


@dataclass(frozen=True, slots=True)
class Name:
    """Hold a capitalised word of a sentence that may be a name.

    Args:
        certain: Its place says that it is a name (title, first and last name, acronym), not a common noun.
    """

    word: str
    certain: bool


def find_names(sentence: str) -> tuple[Name, ...]:
    """List the capitalised words that can be names or nouns; German capitalises both.

    Certain are: acronyms and words with digits; a word after a title (`Frau`, `Dr.`); two capitalised words
    side by side without an article before them; a bare word after a preposition of place or at the start,
    unless it ends like a common noun.
    """
    matches = [match for match in _CAPITAL.finditer(sentence) if _is_candidate(match)]
    adjacent = {
        index
        for first, (left, right) in enumerate(pairwise(matches))
        if sentence[left.end() : right.start()] == " " and not _is_common(left[0])
        for index in (first, first + 1)
        if not _is_common(right[0])
    }
    return tuple(
        Name(match[0], _is_certain(match, sentence, beside=index in adjacent))
        for index, match in enumerate(matches)
    )


def _is_candidate(match: re.Match[str]) -> bool:
    return len(match[0]) > 1 and match[0] not in _FUNCTION_WORDS and not is_stop_word(match[0])


def _is_common(word: str) -> bool:
    return bool(_NOUN_ENDING.search(word)) and not _ACRONYM.match(word)


def _is_certain(match: re.Match[str], sentence: str, *, beside: bool) -> bool:
    before = sentence[max(0, match.start() - _LOOK_BACK) : match.start()]
    if _ACRONYM.match(match[0]) or _TITLE.search(before):
        return True
    if _is_common(match[0]):
        return False
    if beside:
        return True
    return bool(_BEFORE_PLACE.search(before)) and not _DETERMINER.search(before)
