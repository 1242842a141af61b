"""Pair quotes and brackets of all German and English styles, so that what is inside stays together.

Linear in the length of the text, whatever it holds: quotes that never close, closers without opener.
"""

import re

_SIGN = re.compile(r"[()\[\]{}\"„“”‟«»‹›‚‘’]|,,|``|''")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_CLOSED_BY = {
    "„": '“”"‟',
    ",,": "“”\"''",
    "“": "”",
    "”": "”",
    '"': '"',
    "«": "»",
    "»": "«»",
    "‹": "›",
    "›": "‹›",
    "‚": "‘’",
    "‘": "’",
    "``": "''",
}
_BEFORE_TEXT = '([{„‚»›«‹“‘"§$€…-–—,.'
_AFTER_TEXT = '([{„“»«›‹‚‘"/–—-:'
_DEPTH = 8
"""How deep an opener is looked for; deeper nesting is a hostile or broken text."""


def pair_signs(text: str, start: int, end: int) -> dict[int, int]:
    """Find which opener each closing quote or bracket belongs to.

    Returns:
        Offset of each closing sign (its first character) to the offset of its opener, in the order of
        the closers; signs without partner are left out.
    """
    stack: list[tuple[str, int]] = []
    pairs: dict[int, int] = {}
    for match in _SIGN.finditer(text, start, end):
        sign, at = match.group(), match.start()
        if sign in "([{" or (sign in _CLOSED_BY and _opens(text, at, match.end(), start)):
            stack.append((sign, at))
            continue
        if sign in _BRACKETS:
            depth = _find_bracket(stack, _BRACKETS[sign])
        else:
            depth = _find_quote(stack, sign, at, text)
        if depth:
            pairs[at] = stack[-depth][1]
            del stack[-depth:]
    return pairs


def _find_bracket(stack: list[tuple[str, int]], opener: str) -> int:
    for depth in range(1, min(len(stack), _DEPTH) + 1):
        if stack[-depth][0] == opener:
            return depth
    return 0


def _find_quote(stack: list[tuple[str, int]], sign: str, at: int, text: str) -> int:
    """Look for the opener down the stack, but not out of a bracket and not for an apostrophe."""
    if sign == "’" and at + 1 < len(text) and text[at + 1].isalpha():
        return 0
    for depth in range(1, min(len(stack), _DEPTH) + 1):
        opener = stack[-depth][0]
        if opener in "([{":
            return 0
        if sign in _CLOSED_BY[opener]:
            return depth
    return 0


def _opens(text: str, at: int, after: int, start: int) -> bool:
    """Say whether a quote stands where one opens: after a blank, bracket or quote, before a word."""
    if after >= len(text) or not (text[after].isalnum() or text[after] in _BEFORE_TEXT):
        return False
    return at == start or text[at - 1].isspace() or text[at - 1] in _AFTER_TEXT
