"""Join words that a line end has cut, without losing a hyphen that belongs to the word.

German writes a hyphen for three reasons: the line was full (`Ver-|sand`), the word has one
(`Baden-|Württemberg`), or a part of the word is left out (`Ein-|und Ausgang`). Rules decide; words
seen elsewhere in the document overrule them.
"""

import re
from collections.abc import Container
from enum import StrEnum

SOFT_HYPHEN = "\u00ad"
UNKNOWN_HYPHENS = "\x02\ufffe"
"""What extractors write for a hyphen at a line end, soft or hard."""


class HyphenJoin(StrEnum):
    """Say what becomes of a hyphen at a line end."""

    DROP = "drop"
    """The word goes on without hyphen."""
    KEEP = "keep"
    """The word goes on behind its own hyphen."""
    SPACE = "space"
    """The hyphen stands for a part left out; a blank follows."""


_LEFT = re.compile(r"\w+\Z")
_RIGHT = re.compile(r"\w+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ALWAYS_SUSPENDED = _words("und oder bzw beziehungsweise sowie resp respektive and")
_SUSPENDED_AFTER_NOUN = _words("als noch wie")
_NUMBER_WORDS = _words(
    "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert mehr"
)
_LINKS = _words("zu auf an in und für mit bei von to of by the up de la du am im ins à")
"""Small words in the middle of a chain: `Mund-zu-Mund`, `up-to-date`."""
_ENGLISH_ENDS = _words("how up out off down")
_ADJECTIVE_LEFT = ("isch", "deutsch")
_ADJECTIVE_RIGHT = re.compile(r"[^\W\d_]+(?:isch|deutsch)(?:e[mnrs]?)?\Z")
_REACH = 80

_LINE_END = re.compile(
    r"(?P<sign>[-\u2010\u00ad])[ \t]*+\r?\n[ \t]*+(?=\S)"
    r"|(?P<unknown>[\x02\ufffe])[ \t]*+(?:\r?\n[ \t]*+)?+(?=\S)"
)
_INNER_SOFT = re.compile(r"\u00ad(?P<suspended>(?= (?:und|oder|bzw\.|sowie) ))?")
_KNOWN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def decide_hyphen(before: str, after: str, *, soft: bool, words: Container[str] = frozenset()) -> HyphenJoin:
    """Decide what becomes of a hyphen at a line end.

    Args:
        before: Text of the line up to the hyphen, without it.
        after: Start of the next line.
        soft: The hyphen was a soft one (U+00AD), put there by whoever broke the line.
        words: Words seen elsewhere in the document, in lower case.
    """
    left_match = _LEFT.search(before[-_REACH:])
    if left_match is None:
        return HyphenJoin.SPACE if not before or before[-1].isspace() else HyphenJoin.KEEP
    right_match = _RIGHT.match(after)
    if right_match is None:
        return HyphenJoin.SPACE if after.startswith(("&", "+", "(")) else HyphenJoin.KEEP
    left, right = left_match.group(), right_match.group()
    joined = f"{left}{right}".lower()
    if _is_suspended(left, right, known=joined in words):
        return HyphenJoin.SPACE
    if joined in words:
        return HyphenJoin.DROP
    if soft:
        real = right[0].isupper() and left[-1].islower()
        return HyphenJoin.KEEP if real else HyphenJoin.DROP
    chain = before[: len(before) - len(left)].endswith("-"), after[len(right) :].startswith("-")
    real = f"{left}-{right}".lower() in words or _is_real(left, right, *chain)
    return HyphenJoin.KEEP if real else HyphenJoin.DROP


def _is_suspended(left: str, right: str, *, known: bool) -> bool:
    if right in _ALWAYS_SUSPENDED:
        return True
    if right == "bis":
        return left.lower() in _NUMBER_WORDS or left.isdigit()
    return right in _SUSPENDED_AFTER_NOUN and left[0].isupper() and not known


def _is_real(left: str, right: str, in_chain: bool, chain_follows: bool) -> bool:
    """Say whether the hyphen belongs to the word, by what stands around it."""
    if not right[0].islower() or left[-1].isdigit():
        return True
    if len(left) == 1 or (left.isupper() and left.isalpha()):
        return True
    if (in_chain and left.lower() in _LINKS) or (chain_follows and right in _LINKS):
        return True
    if right in _ENGLISH_ENDS:
        return True
    return left.endswith(_ADJECTIVE_LEFT) and _ADJECTIVE_RIGHT.match(right) is not None


def dehyphenate(text: str) -> str:
    """Join all words that line ends have cut in a raw text; other line ends stay.

    Soft hyphens (U+00AD) inside lines go; U+0002 and U+FFFE, which extractors write for a hyphen at
    a line end, are decided like one.
    """
    words = collect_words(text)

    def join(match: re.Match[str]) -> str:
        line = text.rfind("\n", 0, match.start()) + 1
        before = text[max(line, match.start() - _REACH) : match.start()]
        after = text[match.end() : match.end() + _REACH]
        soft = match["sign"] == SOFT_HYPHEN
        return hyphen_text(decide_hyphen(before, after, soft=soft, words=words))

    joined = _LINE_END.sub(join, text)
    return _INNER_SOFT.sub(lambda match: "" if match["suspended"] is None else "-", joined)


def hyphen_text(join: HyphenJoin) -> str:
    """Give what stands in the joined text in place of hyphen and line end."""
    return {HyphenJoin.DROP: "", HyphenJoin.KEEP: "-", HyphenJoin.SPACE: "- "}[join]


def collect_words(text: str) -> frozenset[str]:
    """Collect the words of a text, in lower case, whole and with their hyphens, for `decide_hyphen`."""
    return frozenset(word.lower() for word in _KNOWN.findall(text))
