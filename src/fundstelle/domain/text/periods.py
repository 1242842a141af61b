"""Decide whether a period, followed by a capital, digit or sign, ends its sentence.

The word before the period decides first (abbreviation of which class, number, numeral, initial),
then the word behind it (usual sentence starter, month, numeral).
"""

import re

from fundstelle.domain.text import abbreviations as known

_OPENERS = "([{\"'„“”»«›‹‚‘’,`¿¡*_"
_SPLIT_ABBREVIATION = 4
"""Parts that an abbreviation may be written in (`i. d. R. v.`)."""
_LONGEST_PART = 6
"""Characters of such a part, with its period."""
_WITH_DOTS = known.NEVER_ENDS | known.MAY_END | known.USUALLY_ENDS
_REACH = 48
"""Characters before a period that are looked at."""
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d{1,3}")
_DOTTED_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})+")
_FULL_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.\d{2,4}")
_RANGE = re.compile(r"^(?:\d{1,3}\.)?[-–/](?=\d)")
"""What stands before the last number of `1.-3.`, `1./2.` or, after a blank, `-3.`."""
_ROMAN = re.compile(r"[IVXLCDM]+")
_NUMERAL_AFTER = re.compile(r"(?:\d|[IVXLCDM]+\b|[A-Z]\b(?!\.)|§)")
_LETTERS_AND_DOTS = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}")
_NO_VOWEL = re.compile(r"[A-ZÄÖÜ]?[bcdfghj-np-tvwxzß]{1,4}")


def ends_sentence(text: str, begin: int, at: int, after: int) -> bool:
    """Decide for one period whose following word does not begin in lower case.

    Args:
        begin: Where the current sentence begins.
        at: Offset of the period.
        after: First character of the following word, behind quotes and brackets.
    """
    tokens = text[max(begin, at - _REACH) : at].rsplit(None, _SPLIT_ABBREVIATION)
    if not tokens:
        return False
    word = _RANGE.sub("", tokens[-1].lstrip(_OPENERS))
    before = tokens[-2] if len(tokens) > 1 else ""
    opens_sentence = at - begin <= len(tokens[-1])
    if word[:1].isdigit() and word[-1:].isdigit():
        if opens_sentence or before.endswith((":", ";")) or _is_label_only(text, begin, at, word):
            return False
        if word != tokens[-1]:
            return _after_number(text, word, "", True, after)
        return _after_number(text, word, before.strip(_OPENERS), before.endswith(","), after)
    if word in known.UNITS and before[-1:].isdigit():
        return True
    if _ROMAN.fullmatch(word) or (len(word) == 1 and word.isalpha()):
        if opens_sentence or before.endswith(":") or _is_label_only(text, begin, at, word):
            return False
        return _after_letter(text, word, before, after)
    key = _longest_abbreviation(tokens)
    if opens_sentence and key in known.ATTRIBUTES:
        return False
    return _after_word(text, word, key, after)


def _is_label_only(text: str, begin: int, at: int, word: str) -> bool:
    """Say whether the sentence so far is `Kapitel 1` or the like."""
    head = text[begin : at - len(word)].strip() if at - begin <= _REACH else ""
    return head.lstrip(_OPENERS) in known.DIVISIONS


def _next_word(text: str, after: int) -> str:
    match = _WORD.match(text, after)
    return match.group() if match else ""


def _after_number(text: str, word: str, before: str, in_row: bool, after: int) -> bool:
    following = text[after]
    if following.isdigit() or following in "-–":
        return len(word) > 3 and _FULL_DATE.fullmatch(word) is not None
    if not following.isalpha() or _FULL_DATE.fullmatch(word):
        return True
    return _ends_after_ordinal(word, before, in_row, _next_word(text, after))


def _ends_after_ordinal(word: str, before: str, in_row: bool, following: str) -> bool:
    if following in known.MONTHS:
        return False
    if following in known.STARTERS or before in known.LABELS or before.endswith("."):
        return True
    if not (_NUMBER.fullmatch(word) or _DOTTED_NUMBER.fullmatch(word)):
        return True
    return not (in_row or following in known.ORDINAL_NOUNS or before in known.ORDINAL_CONTEXT)


def _after_letter(text: str, word: str, before: str, after: int) -> bool:
    """Decide after an initial, a letter that counts, a Roman numeral, or the end of `u. a.`."""
    key = _longest_abbreviation([before, word])
    if "." in key or (key in known.USUALLY_ENDS and word.islower()):
        return _after_word(text, word, key, after)
    return before.strip(_OPENERS) in known.LABELS or _starts_sentence(_next_word(text, after), word)


def _longest_abbreviation(tokens: list[str]) -> str:
    """Join the last tokens to the longest known abbreviation; without one, the last token alone."""
    best = key = tokens[-1].lstrip(_OPENERS).lower()
    for token in reversed(tokens[:-1]):
        if not token.endswith(".") or len(token) > _LONGEST_PART:
            break
        key = token.lstrip(_OPENERS).lower() + key
        if key in _WITH_DOTS:
            best = key
    return best


def _after_word(text: str, word: str, key: str, after: int) -> bool:
    following = _next_word(text, after)
    if ".-" in key:
        key = key.rpartition("-")[2]
    if key in known.USUALLY_ENDS:
        return bool(following) and not _refers_on(text, following, after)
    if key in known.NEVER_ENDS or (key in known.ATTRIBUTES and word.islower()):
        return False
    if key in known.NUMBER_FOLLOWS:
        return _NUMERAL_AFTER.match(text, after) is None
    if key in known.MAY_END or word in known.CALENDAR or _looks_abbreviated(word, key):
        return _starts_sentence(following, word)
    return True


def _starts_sentence(following: str, word: str) -> bool:
    """Say whether a word opens a sentence; after an adverb (`ggf.`) the polite form does not show it."""
    return following in known.STARTERS and not (word.islower() and following in known.POLITE)


def _refers_on(text: str, following: str, after: int) -> bool:
    """Recognise what continues a reference after `ff.`: a law (`BGB`) or another abbreviation (`Rn.`)."""
    if following.isupper() and len(following) > 1:
        return True
    end = after + len(following)
    return text[end : end + 1] == "." and following.lower() in known.MAY_END


def _looks_abbreviated(word: str, key: str) -> bool:
    """Recognise abbreviations that are in no list: single letters with dots, no vowel, streets."""
    if len(word) > 1 and (_LETTERS_AND_DOTS.fullmatch(word) or _NO_VOWEL.fullmatch(word)):
        return True
    return key.endswith("str") and len(key) > len("str")
