"""Bring characters into one form and remember where each came from; lines stay as they are.

NFC; ligatures and Arabic presentation forms resolved; accents that were printed beside their
letter put on it; blanks of every width made one; soft hyphens, zero-width and control characters
left out. Dashes, quotes and symbols stay: they are the author's.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from fundstelle.domain.offsets import OffsetMap
from fundstelle.domain.text.hyphenation import HyphenJoin, decide_hyphen

_Piece: TypeAlias = tuple[str, int, int]
"""Normalised text and the half-open raw range that it stands for."""

_CONTROL = "\x00\x01\x03-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_INVISIBLE = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
)
_NO_CHARACTER = "\ufdd0-\ufdef\ufff0-\ufffb\uffff"
_PRIVATE = "\ue000-\uf8ff"
_HYPHENS = "\x02\ufffe\u00ad"
_JOINERS = "\u200c\u200d"
_LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"
_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_FORMS = (
    "\u2010\u2011\ufb00-\ufb06\ufb13-\ufb17\ufb50-\ufbb1\ufbd3-\ufd3d\ufd50-\ufdc7\ufdf0-\ufdfb\ufe70-\ufefc"
)
_ACCENTS = {
    "¨": "\u0308", "´": "\u0301", "¸": "\u0327", "˚": "\u030a", "ˇ": "\u030c", "˜": "\u0303", "˝": "\u030b",
    "ˆ": "\u0302", "˘": "\u0306", "˙": "\u0307", "ˋ": "\u0300", "ˊ": "\u0301", "¯": "\u0304",
}  # fmt: skip
_MARKS = frozenset(
    chr(code) for code in range(0x300, 0x3100) if unicodedata.category(chr(code)).startswith("M")
) - frozenset(_INVISIBLE)
_SYMBOL_FONT = {
    "\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0fb": "✗", "\uf0e0": "→", "\uf0e8": "→",
    "\uf0de": "⇒", "\uf0ae": "→", "\uf0be": "—", "\uf02d": "-", "\uf06c": "●", "\uf06e": "■", "\uf0a3": "≤",
    "\uf0b3": "≥", "\uf0b1": "±", "\uf0b4": "×", "\uf0b0": "°",
}  # fmt: skip
"""What the symbol fonts of word processors print for characters of private use."""

_UNUSUAL = re.compile(r"[^\x20-\x7e\n\tÄÖÜäöüß€§–—„“”‚‘’…»«°•éèáàêç]")
_KIND = re.compile(
    rf"(?P<hyphen>[{_HYPHENS}])|(?P<joiner>[{_JOINERS}])|(?P<accent>[{''.join(_ACCENTS)}])"
    rf"|(?P<line>\r\n|[{_LINE_ENDS}])|(?P<blank>[{_BLANKS}])|(?P<form>[{_FORMS}])|(?P<private>[{_PRIVATE}])"
    rf"|(?P<ignored>[{_CONTROL}{_INVISIBLE}{_NO_CHARACTER}]++)|(?P<other>.)"
)
_CLUSTER_END = re.compile(rf"[{''.join(sorted(_MARKS))}{_JOINERS}{_CONTROL}{_INVISIBLE}{_NO_CHARACTER}]*+")
_LEFT_OUT = re.compile(rf"[{_JOINERS}{_CONTROL}{_INVISIBLE}{_NO_CHARACTER}]")
_LINE_FOLLOWS = re.compile(r"[ \t]*+(?:[\r\n]|\Z)")
_CONTEXT = 40
_NON_LATIN = "\u0600"
_VOWELS = frozenset("aeiouyAEIOUY")


def normalise_characters(raw: str) -> tuple[str, OffsetMap]:
    """Normalise the characters of a raw text.

    Hyphens of unknown kind (U+0002, U+FFFE) inside a line are decided; those and soft hyphens at the
    end of a line become a plain hyphen, for whoever joins the lines to decide.

    Returns:
        The normalised text and the map from its offsets to those of `raw`. Runs of equal length
        correspond character by character, any other run as a whole.
    """
    if not _UNUSUAL.search(raw):
        return raw, OffsetMap.identity(len(raw))
    text, offsets = _assemble(raw, _pieces(raw))
    if unicodedata.is_normalized("NFC", text):
        return text, offsets
    return _assemble(raw, _composed_lines(raw))


def _assemble(raw: str, pieces: Iterable[_Piece]) -> tuple[str, OffsetMap]:
    out: list[str] = []
    runs: list[tuple[int, int, int, int]] = []
    at = 0
    for piece, start, end in pieces:
        size = len(piece)
        if size != end - start or size == 1 or piece == raw[start:end]:
            runs.append((at, at + size, start, end))
        else:  # as long as before, but not character by character
            runs.extend(((at, at + 1, start, end), (at + 1, at + size, start, end)))
        out.append(piece)
        at += size
    return "".join(out), OffsetMap.of(runs)


def _composed_lines(raw: str) -> Iterator[_Piece]:
    """Compose scripts whose letters join in other ways than letter and mark, line by line as a whole."""
    at = 0
    for line in raw.split("\n"):
        end = min(at + len(line) + 1, len(raw))
        pieces = list(_pieces(raw[at:end]))
        joined = "".join(piece for piece, _, _ in pieces)
        if unicodedata.is_normalized("NFC", joined):
            yield from ((piece, at + low, at + high) for piece, low, high in pieces)
        else:
            yield unicodedata.normalize("NFC", joined), at, end
        at = end


def _pieces(raw: str) -> Iterator[_Piece]:
    """Cut the raw text into what stays and what is replaced; what is left out is skipped."""
    done = position = 0
    while unusual := _UNUSUAL.search(raw, position):
        piece, start, end = _replace(raw, unusual.start(), done)
        position = end
        if piece == raw[start:end]:
            continue
        if done < start:
            yield raw[done:start], done, start
        if piece:
            yield piece, start, end
        done = end
    if done < len(raw):
        yield raw[done:], done, len(raw)


def _replace(raw: str, at: int, done: int) -> _Piece:
    """Say what stands for the unusual character at an offset; `done` is already given out."""
    sign = raw[at]
    match = _KIND.match(raw, at)
    kind, end = (
        ("other", at + 1) if match is None or match.lastgroup is None else (match.lastgroup, match.end())
    )
    if sign in _MARKS or (kind in {"ignored", "joiner"} and raw[end : end + 1] in _MARKS):
        return _cluster(raw, max(at - 1, done), at)
    if kind == "hyphen":
        return _hyphen(raw, at), at, at + 1
    if kind == "accent":
        return _accent(raw, at, done)
    if kind in {"line", "blank"}:
        return ("\n" if kind == "line" else " "), at, end
    if kind == "joiner":
        return (
            (sign if max(raw[at - 1 : at] or "", raw[at + 1 : at + 2] or "") >= _NON_LATIN else ""),
            at,
            end,
        )
    if kind == "form":
        return ("-" if sign in "\u2010\u2011" else unicodedata.normalize("NFKC", sign)), at, end
    if kind == "private":
        return _SYMBOL_FONT.get(sign, ""), at, end
    return ("" if kind == "ignored" else unicodedata.normalize("NFC", sign)), at, end


def _cluster(raw: str, start: int, at: int) -> _Piece:
    """Put marks on the letter before them."""
    match = _CLUSTER_END.match(raw, at)
    end = match.end() if match else at + 1
    return unicodedata.normalize("NFC", _LEFT_OUT.sub("", raw[start:end])), start, end


def _hyphen(raw: str, at: int) -> str:
    if _LINE_FOLLOWS.match(raw, at + 1):
        return "-" if raw[at - 1 : at].isalnum() else ""
    if raw[at] == "\u00ad" or not (raw[at - 1 : at].isalnum() and raw[at + 1 : at + 2].isalnum()):
        return ""
    join = decide_hyphen(raw[max(at - _CONTEXT, 0) : at], raw[at + 1 : at + 1 + _CONTEXT], soft=False)
    return "" if join is HyphenJoin.DROP else "-"


def _accent(raw: str, at: int, done: int) -> _Piece:
    """Put an accent that stands by itself on the letter behind it, as TeX writes, or before it."""
    before = raw[at - 1 : at] if at > done else ""
    after = raw[at + 1 : at + 2]
    mark = _ACCENTS[raw[at]]
    if raw[at] == "´" and not (after in _VOWELS and raw[max(at - 2, 0) : at].isalpha() and at > 1):
        return raw[at], at, at + 1  # an apostrophe
    on_after, on_before = _put_on(after, mark), _put_on(before, mark)
    if on_before and (not on_after or (before in "aA" and after == "u")):
        return on_before, at - 1, at + 1
    if on_after:
        return on_after, at, at + 2
    return raw[at], at, at + 1


def _put_on(letter: str, mark: str) -> str:
    """Compose letter and mark to one character; empty where there is none."""
    composed = unicodedata.normalize("NFC", letter + mark) if letter.isalpha() else ""
    return composed if len(composed) == 1 else ""
