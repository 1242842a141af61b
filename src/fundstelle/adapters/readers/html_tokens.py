"""Cut HTML into text, tags and comments with their places in the source.

Follows the tokenizer of the HTML standard where it matters for text: raw text elements, quoted
attributes, comments that never close, stray `<`. A tree builder would lose the places, so none is
used. Linear in the length of the source, whatever it holds.

Source:
    https://html.spec.whatwg.org/multipage/parsing.html#tokenization
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fundstelle.domain.text.mapped import MappedText


class TokenKind(StrEnum):
    """Name the kinds of tokens."""

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class HtmlToken:
    """Hold one token and its half-open place in the source.

    Args:
        name: Of a tag, in lower case.
        attributes: Place of the attributes of an opening tag.
    """

    kind: TokenKind
    start: int
    end: int
    name: str = ""
    attributes: tuple[int, int] = (0, 0)


_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)((?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>])*+)>")
_PLAIN_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)([^>]*+)>")
_ATTRIBUTE = re.compile(r"([^\s\"'>/=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?+")
_ENTITY = re.compile(r"&(?:#[0-9]{1,8};?|#[xX][0-9a-fA-F]{1,8};?|[A-Za-z][A-Za-z0-9]{0,31};?)")
_RAW_TEXT = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}


def tokenize_html(source: str, start: int = 0, end: int | None = None) -> Iterator[HtmlToken]:
    """Go through the tokens of a stretch of HTML, in order and without gap."""
    end = len(source) if end is None else end
    at = start
    last_close = source.rfind(">", start, end)
    while at < end:
        sign = _next_markup(source, at, end)
        if sign < 0 or sign > last_close:
            yield from _open_end(source, at, end)
            return
        if at < sign:
            yield HtmlToken(TokenKind.TEXT, at, sign)
        token = _markup(source, sign, end)
        yield token
        at = token.end
        if token.kind is TokenKind.OPEN and token.name in _RAW_TEXT:
            closing = _RAW_TEXT[token.name].search(source, at, end)
            raw_end = closing.start() if closing else end
            if at < raw_end:
                yield HtmlToken(TokenKind.TEXT, at, raw_end)
            at = raw_end


def _next_markup(source: str, at: int, end: int) -> int:
    """Find the next `<` that begins markup."""
    sign = source.find("<", at, end)
    while sign >= 0 and not (
        source[sign + 1 : sign + 2].isalpha() or source[sign + 1 : sign + 2] in {"/", "!", "?"}
    ):
        sign = source.find("<", sign + 1, end)
    return sign


def _open_end(source: str, at: int, end: int) -> Iterator[HtmlToken]:
    """Give the rest, in which no tag closes any more: text, or a comment that never ends."""
    comment = source.find("<!--", at, end)
    if comment < 0:
        comment = end
    if at < comment:
        yield HtmlToken(TokenKind.TEXT, at, comment)
    if comment < end:
        yield HtmlToken(TokenKind.COMMENT, comment, end)


def _markup(source: str, at: int, end: int) -> HtmlToken:
    if source.startswith("<!--", at):
        return HtmlToken(TokenKind.COMMENT, at, _comment_end(source, at, end))
    match = _TAG.match(source, at, end) or _PLAIN_TAG.match(source, at, end)
    if match is None:
        close = source.find(">", at, end)
        return HtmlToken(TokenKind.COMMENT, at, end if close < 0 else close + 1)
    kind = TokenKind.CLOSE if match[1] else TokenKind.OPEN
    return HtmlToken(kind, at, match.end(), match[2].lower(), match.span(3))


def _comment_end(source: str, at: int, end: int) -> int:
    for short in ("<!-->", "<!--->"):
        if source.startswith(short, at):
            return at + len(short)
    close = source.find("-->", at + 4, end)
    return end if close < 0 else close + 3


def read_attributes(source: str, token: HtmlToken) -> dict[str, tuple[str, int, int]]:
    """Read the attributes of an opening tag: name to decoded value and its place; the first one wins."""
    found: dict[str, tuple[str, int, int]] = {}
    for match in _ATTRIBUTE.finditer(source, *token.attributes):
        group = next((index for index in (2, 3, 4) if match[index] is not None), 0)
        value = html.unescape(match[group]) if group else ""
        start, end = match.span(group) if group else (match.end(), match.end())
        found.setdefault(match[1].lower(), (value, start, end))
    return found


def decode_text_at(source: str, start: int, end: int) -> MappedText:
    """Decode the entities of a stretch of text."""
    if source.find("&", start, end) < 0:
        return MappedText.of_raw(source, start, end)
    parts: list[MappedText] = []
    at = start
    for match in _ENTITY.finditer(source, start, end):
        decoded = html.unescape(match.group())
        if decoded == match.group():
            continue
        parts.append(MappedText.of_raw(source, at, match.start()))
        parts.append(MappedText.replacing(decoded, match.start(), match.end()))
        at = match.end()
    parts.append(MappedText.of_raw(source, at, end))
    return MappedText.joined(parts)
