"""Match the content words of two German texts: forms of a word, compounds, parts of compounds.

Search terms (`terms.py`) decide what the index finds; these terms decide whether two sentences say
the same. They must not weigh or judge: callers do.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from fundstelle.domain.text.stem import stem
from fundstelle.domain.text.stop_words import STOP_WORDS

_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’](?=\w))*")
_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss", "’": "'"})
_SPELLED_OUT = re.compile(r"([aou])e")
"""An umlaut spelled out; folded everywhere, also in `neue`, since both sides of a comparison are."""
_SHORTEST_PART = 4
_LINKING = 5
"""Letters between the parts: a linking `-s-` and a noun ending that the key of the part has lost."""
_SAME_ROOT_SHARE = 0.7

PART_OF_COMPOUND = 0.9
"""How far `Frist` is found where the text says `Kündigungsfrist`."""
ONE_PART = 0.5
"""How far `Kündigungsfrist` is found where the text says only `Frist`."""
FIRST_PART = 0.3
"""How far `Vertragsstrafe` is found where the text says only `Vertrag`: the last part says what it is."""
SAME_ROOT = 0.7
"""How far words of one root are the same: `Beantragung` and `beantragt`."""


PARTS = (ONE_PART, FIRST_PART)


@dataclass(frozen=True, slots=True)
class Term:
    """Hold one content word of a text.

    Args:
        key: Folded stem, by which terms are compared.
        word: As written.
        capital: Written with a capital letter.
    """

    key: str
    word: str
    char_start: int
    char_end: int
    capital: bool


@lru_cache(maxsize=65536)
def key_of(word: str) -> str:
    """Reduce a word to the key by which terms are compared.

    Stems as a noun (the stemmer then keeps `-t`), strips one `-t` and the noun ending `-ung` after that:
    so `Frist` and `frist`, `Kündigung` and `gekündigt` meet, and `Frist` does not shrink to `fri`.
    """
    key = _SPELLED_OUT.sub(r"\1", stem(word.lower().translate(_FOLD).capitalize()))
    if len(key) > _SHORTEST_PART and key.endswith("t"):
        key = key[:-1]
    if len(key) > _SHORTEST_PART + 2 and key.endswith("ung"):
        key = key[:-3]
    return key


@lru_cache(maxsize=65536)
def is_stop_word(word: str) -> bool:
    """Say whether a word says nothing about what a text is about."""
    plain = word.lower().translate(_FOLD)
    return plain in STOP_WORDS or _SPELLED_OUT.sub(r"\1", plain) in STOP_WORDS


def content_terms(text: str) -> tuple[Term, ...]:
    """List the content words of a text in order, with repetition."""
    return tuple(
        Term(key_of(match[0]), match[0], match.start(), match.end(), match[0][0].isupper())
        for match in _WORD.finditer(text)
        if len(match[0]) > 1 and not is_stop_word(match[0])
    )


def keys_of(terms: Iterable[Term]) -> frozenset[str]:
    """Collect the keys of terms."""
    return frozenset(term.key for term in terms)


def found(key: str, among: Collection[str]) -> float:
    """Measure how far a term is found among the terms of a text.

    Returns:
        1 for a form of the word itself, less for compounds and words of one root, 0 for none.
    """
    if key in among:
        return 1.0
    if len(key) < _SHORTEST_PART:
        return 0.0
    kin = max((_kinship(key, other) for other in among), default=0.0)
    return PART_OF_COMPOUND if kin in PARTS and _is_composed(key, among) else kin


@lru_cache(maxsize=1 << 18)
def _kinship(key: str, other: str) -> float:
    """Compare two different keys by prefix and suffix."""
    if len(other) < _SHORTEST_PART:
        return 0.0
    if other.endswith(key) or (other.startswith(key) and len(key) > _SHORTEST_PART):
        return PART_OF_COMPOUND
    shared = _shared_prefix(key, other)
    if shared > _SHORTEST_PART and shared >= _SAME_ROOT_SHARE * max(len(key), len(other)):
        return SAME_ROOT
    if key.endswith(other):
        return ONE_PART
    return FIRST_PART if key.startswith(other) and len(other) > _SHORTEST_PART else 0.0


def _is_composed(key: str, among: Collection[str]) -> bool:
    """Say whether two terms make up a compound, with at most a linking `-s-` or `-en-` between them."""
    heads = [len(other) for other in among if len(other) >= _SHORTEST_PART and key.startswith(other)]
    tails = [len(other) for other in among if len(other) >= _SHORTEST_PART and key.endswith(other)]
    return bool(heads and tails) and max(heads) + max(tails) + _LINKING >= len(key)


def _shared_prefix(left: str, right: str) -> int:
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length
