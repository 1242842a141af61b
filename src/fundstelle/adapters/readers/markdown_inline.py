"""Turn the inline markup of Markdown into plain text that knows where it came from.

The parser of markdown-it decides what is markup; it is made to say where in its source each token
begins.
"""

import re
from collections.abc import Sequence
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from fundstelle.adapters.readers.html_elements import hidden_because
from fundstelle.adapters.readers.html_tokens import HtmlToken, TokenKind, read_attributes, tokenize_html
from fundstelle.domain.documents import Mark, MarkKind
from fundstelle.domain.text.mapped import MappedText

Parts: TypeAlias = list[MappedText | None]
"""Pieces of text; None where a line is broken on purpose."""

_AT = "at"
_MARKUP = re.compile(r"[\\`*_\[\]<&!~]|  \n")
"""Without one of these there is no inline markup."""
_MAX_BRACKETS = 5000
"""More brackets in one paragraph are no links; it stays as it is written."""
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,60})\](:[ \t]+)?")


class PlacedInline(ParserInline):
    """Parse inline markup as markdown-it does, and note with each token where it begins."""

    def tokenize(self, state: StateInline) -> None:
        """Generate the tokens of the state's range, none of them merged."""
        rules = self.ruler.getRules("")
        end = state.posMax
        deepest = state.md.options["maxNesting"]
        while state.pos < end:
            at, known = state.pos, len(state.tokens)
            if state.level >= deepest or not any(rule(state, False) for rule in rules):
                state.append_pending(state.src[at])
                state.pos += 1
            if state.pending:
                state.pushPending()
            for index, token in enumerate(state.tokens[known:]):
                token.meta.setdefault(_AT, at + index if token.type == "text" else at)


class InlineRenderer:
    """Render the inline content of one document, noting what is hidden in it."""

    def __init__(self, parser: MarkdownIt, env: dict[str, object], marks: list[Mark]) -> None:
        self._parser = parser
        self._env = env
        self._marks = marks

    def render(self, content: MappedText) -> Parts:
        """Parse and render one inline content."""
        text = content.text
        if not _MARKUP.search(text) or text.count("[") > _MAX_BRACKETS:
            return [content]
        tokens = self._parser.inline.parse(text, self._parser, self._env, [])
        return _plain_footnotes(self._render(tokens, content))

    def _render(self, tokens: Sequence[Token], content: MappedText) -> Parts:
        parts: Parts = []
        hidden: tuple[str, int, str] | None = None
        for token in tokens:
            at = int(token.meta.get(_AT, 0))
            if token.type == "html_inline":
                tag = next(tokenize_html(token.content))
                if hidden is None:
                    hidden = self._open_tag(token.content, tag, at, content, parts)
                elif tag.kind is TokenKind.CLOSE and tag.name == hidden[0]:
                    self._mark(content, hidden[1], at + len(token.content), hidden[2])
                    hidden = None
            elif hidden is None:
                self._token(token, at, content, parts)
        if hidden is not None:
            self._mark(content, hidden[1], len(content.text), hidden[2])
        return parts

    def _token(self, token: Token, at: int, content: MappedText, parts: Parts) -> None:
        if token.type == "text":
            parts.append(_place(token.content, content, at))
        elif token.type == "text_special":
            parts.append(_place_special(token, content, at))
        elif token.type == "softbreak":
            before = parts[-1].text if parts and parts[-1] is not None else ""
            parts.append(None if before.endswith("  ") else content.slice(at, at + 1))
        elif token.type == "hardbreak":
            parts.append(None)
        elif token.type == "code_inline":
            parts.append(_place_code(token, content, at))
        elif token.type == "image":
            start = at + 2
            parts.extend(self._render(token.children or (), content.slice(start, start + len(token.content))))

    def _open_tag(
        self, source: str, tag: HtmlToken, at: int, content: MappedText, parts: Parts
    ) -> tuple[str, int, str] | None:
        """Handle an inline tag: break, image, comment, or the start of something hidden."""
        if tag.kind is TokenKind.COMMENT:
            self._mark(content, at, at + len(source), "comment")
        if tag.kind is not TokenKind.OPEN:
            return None
        attributes = read_attributes(source, tag)
        reason = hidden_because(attributes)
        if tag.name == "br":
            parts.append(None)
        elif tag.name == "img" and "alt" in attributes and not reason:
            _, start, end = attributes["alt"]
            parts.append(content.slice(at + start, at + end))
        elif tag.name in {"script", "style", "template"} or (reason and not source.endswith("/>")):
            return tag.name, at, reason or f"<{tag.name}>"
        return None

    def _mark(self, content: MappedText, start: int, end: int, reason: str) -> None:
        runs = content.slice(start, end).runs
        if runs:
            self._marks.append(Mark(MarkKind.HIDDEN, runs[0][2], runs[-1][3], reason))


def _replace(text: str, content: MappedText, start: int, end: int) -> MappedText:
    runs = content.slice(start, end).runs
    if not runs:
        return MappedText(text)
    return MappedText.replacing(text, runs[0][2], runs[-1][3])


def _place(text: str, content: MappedText, at: int) -> MappedText:
    end = at + len(text)
    return content.slice(at, end) if content.text[at:end] == text else _replace(text, content, at, at + 1)


def _place_special(token: Token, content: MappedText, at: int) -> MappedText:
    """Place an escaped sign or an entity (`&amp;`)."""
    if token.markup.startswith("\\") and content.text[at + 1 : at + 2] == token.content:
        return content.slice(at + 1, at + 2)
    return _replace(token.content, content, at, at + max(len(token.markup), 1))


def _place_code(token: Token, content: MappedText, at: int) -> MappedText:
    """Place code: without its backticks and the one blank that may stand inside them."""
    for pad in (0, 1):
        start = at + len(token.markup) + pad
        end = start + len(token.content)
        if content.text[start:end].replace("\n", " ") == token.content:
            return content.slice(start, end)
    return _replace(token.content, content, at, at + 1)


def _plain_footnotes(parts: Parts) -> Parts:
    """Write `[^1]` as `[1]`, and `[^1]: ` before the text of the note as `[1] `."""
    lines: list[Parts] = [[]]
    if not any(part is not None and "^" in part.text for part in parts):
        return parts
    for part in parts:
        if part is None:
            lines.append([])
        else:
            lines[-1].append(part)
    plain: Parts = []
    for line in lines:
        joined = MappedText.joined(part for part in line if part is not None)
        edits = []
        for match in _FOOTNOTE.finditer(joined.text):
            edits.append((match.start() + 1, match.start() + 2, MappedText("")))
            if match[2]:
                edits.append((match.start(2), match.start(2) + 1, MappedText("")))
        plain.extend((joined.edited(edits), None))
    return plain[:-1]
