"""Reduce German words to stems, so that forms of one word meet in the index.

The algorithm is CISTEM: it strips a few endings again and again and knows no word list. It must
not depend on anything but the word: the index is searched with stems made years after it was built.

Source:
    Weissweiler and Fraser, "Developing a Stemmer for German Based on a Comparative Analysis of
    Publicly Available Stemmers", GSCL 2017. Own implementation after the paper's description.
"""

import re

_SHORTEST = 3
_LONG = 5
_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_GE_PREFIX = re.compile(r"^ge(?=.{4})")
_DOUBLED = re.compile(r"(.)\1")
_REPEAT = "\ue000"
_REPEATED = re.compile(rf"(.){_REPEAT}")
_SHIELD = (("sch", "\ue001"), ("ei", "\ue002"), ("ie", "\ue003"))


def stem(word: str, *, ignore_case: bool = False) -> str:
    """Reduce one word to its stem: lower case, without umlauts and endings.

    Args:
        ignore_case: Strip `-t` from capitalised words too; without it, a capitalised word is taken for a
            noun and keeps its `-t`.
    """
    keeps_t = word[:1].isupper() and not ignore_case
    shielded = _shield(_GE_PREFIX.sub("", word.lower().translate(_FOLD)))
    end = len(shielded)
    while end > _SHORTEST:
        cut = _ending(shielded, end, keeps_t=keeps_t)
        if not cut:
            break
        end -= cut
    return _unshield(shielded[:end])


def _ending(word: str, end: int, *, keeps_t: bool) -> int:
    """Measure the ending that one round strips from the first `end` letters; 0 when there is none."""
    if end > _LONG and word.endswith(("em", "er", "nd"), 0, end):
        return 2
    if word[end - 1] == "t":
        return 0 if keeps_t else 1
    return 1 if word[end - 1] in "esn" else 0


def _shield(word: str) -> str:
    """Write letter groups that belong together as one sign, so that no round cuts through them."""
    for group, sign in _SHIELD:
        word = word.replace(group, sign)
    return _DOUBLED.sub(rf"\1{_REPEAT}", word)


def _unshield(word: str) -> str:
    word = _REPEATED.sub(r"\1\1", word)
    for group, sign in _SHIELD:
        word = word.replace(sign, group)
    return word
