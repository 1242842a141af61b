"""Read Markdown: CommonMark with tables, definition lists, footnotes, front matter and HTML inside.

markdown-it decides the blocks; HTML between them goes through the same walker as HTML pages, so
that an element opened in one block hides the Markdown up to where it closes.
"""

import re
from collections.abc import Sequence

from markdown_it.token import Token

from fundstelle.adapters.readers.html_frames import ListState
from fundstelle.adapters.readers.html_walker import HtmlWalker
from fundstelle.adapters.readers.markdown_blocks import grid_rows, make_parser
from fundstelle.adapters.readers.markdown_inline import InlineRenderer, Parts
from fundstelle.adapters.readers.text_formats import BlockList, SourceMetadata, assemble, read_source
from fundstelle.domain.documents import DocumentText, Mark, MarkKind, MediaType, RecognisedBy
from fundstelle.domain.text.hyphenation import collect_words
from fundstelle.domain.text.mapped import MappedText
from fundstelle.ports.reading import PageProgress, ReadRequest

_FRONT_MATTER = re.compile(
    r"---[ \t]*\n((?:(?!(?:---|\.\.\.)[ \t]*$)[^\n]*\n)*+)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE
)
_FIELD = re.compile(r"^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_HEADING_ATTRIBUTES = re.compile(r"[ \t]*\{[#.:][^{}\n]*\}[ \t]*\Z")
_CALLOUT = re.compile(r"\[![A-Za-z]+\][-+]?[ \t]*(?:\n|\Z)")
_DEFINITION = re.compile(r"^:[ \t]+", re.MULTILINE)
_FENCED_DIV = re.compile(r"^:{3,}[^\n]*$", re.MULTILINE)
_ESCAPED_ITEM = re.compile(r"\s*\w{1,3}\\[.)]\s")
"""An indented item with an escaped number is prose that was indented too far, no code."""
_CUT_WORD = re.compile(r"\w-\n[ \t>]*\w")


class MarkdownReader:
    """Read Markdown as one page of text without markup."""

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read the whole file."""
        document = read_source(request.path, MediaType.MARKDOWN, _read)
        progress(1, 1)
        return document

    def close(self) -> None:
        """Do nothing: there are no workers."""


def _read(source: str) -> DocumentText:
    found = BlockList(words=collect_words(source) if _CUT_WORD.search(source) else frozenset())
    front = _FRONT_MATTER.match(source)
    start = front.end() if front else 0
    if front:
        found.marks.append(Mark(MarkKind.HEADER, 0, start, "front matter"))
    _MarkdownWalker(source, start, found).walk()
    about = _read_metadata(front[1] if front else "")
    return assemble(source, found, MediaType.MARKDOWN, RecognisedBy.MARKDOWN, about)


def _read_metadata(front: str) -> SourceMetadata:
    fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(front)}

    def first(*names: str) -> str | None:
        return next((fields[name] for name in names if fields.get(name)), None)

    title = first("title", "titel")
    if title:
        title = " ".join(re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title).split())
    author = first("author", "authors", "autor", "creator")
    return SourceMetadata(
        title, author, first("lang", "language", "sprache"), first("date", "datum", "created")
    )


class _MarkdownWalker:
    """Walk through the block tokens and collect their text."""

    def __init__(self, source: str, start: int, found: BlockList) -> None:
        self._source = source
        self._found = found
        self._html = HtmlWalker(source, found)
        self._parser = make_parser()
        env: dict[str, object] = {}
        self._inline = InlineRenderer(self._parser, env, found.marks)
        self._line_starts = _line_starts(source, start)
        self._tokens: list[Token] = []
        self._parser.block.parse(source[start:], self._parser, env, self._tokens)

    def walk(self) -> None:
        """Collect all blocks."""
        index = 0
        while index < len(self._tokens):
            token = self._tokens[index]
            if token.type == "table_open":
                index = self._table(index)
            else:
                self._token(token)
                index += 1
        self._html.finish(len(self._source))

    def _token(self, token: Token) -> None:
        frame = self._html.frame
        kind = token.type
        if kind == "inline":
            self._text(token)
        elif kind in {"paragraph_open", "paragraph_close", "blockquote_open", "blockquote_close", "hr"}:
            frame.soft_end()
        elif kind == "heading_open":
            frame.flush()
            frame.heading = int(token.tag[1])
        elif kind == "heading_close":
            frame.flush()
            frame.heading = 0
        elif kind in {"fence", "code_block"}:
            self._code(token)
        elif kind == "html_block":
            self._html_block(token)
        elif kind == "grid_table":
            self._grid_table(token)
        else:
            self._list_token(token)

    def _list_token(self, token: Token) -> None:
        frame = self._html.frame
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            frame.open_list(ListState())
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            frame.close_list()
        elif token.type == "list_item_open":
            frame.begin_item(f"{token.info}{token.markup} " if token.info else "- ")
        elif token.type == "list_item_close":
            frame.flush()

    def _text(self, token: Token) -> None:
        if self._html.keeps_out():
            return
        content = self._content(token)
        if ":::" in content.text:
            fences = _FENCED_DIV.finditer(content.text)
            content = content.edited((*match.span(), MappedText("")) for match in fences)
        frame = self._html.frame
        if frame.heading:
            attributes = _HEADING_ATTRIBUTES.search(content.text)
            content = content.slice(0, attributes.start()) if attributes else content
        elif callout := _CALLOUT.match(content.text):
            content = content.slice(callout.end(), len(content.text))
        elif content.text.startswith(":") or "\n:" in content.text:
            definitions = list(_DEFINITION.finditer(content.text))
            if definitions:
                self._definitions(content, [match.span() for match in definitions])
                return
        self._append(self._inline.render(content))

    def _append(self, parts: Parts) -> None:
        for part in parts:
            if part is None:
                self._html.frame.break_line()
            else:
                self._html.frame.append(part)

    def _definitions(self, content: MappedText, signs: Sequence[tuple[int, int]]) -> None:
        """Read `Term`, line break, `:   Definition`; the term may be the paragraph before."""
        frame = self._html.frame
        if signs[0][0] == 0:
            frame.take_back_as_term()
        else:
            frame.flush()
        frame.open_terms()
        if signs[0][0] > 0:
            frame.begin_item("")
            self._append(self._inline.render(content.slice(0, signs[0][0])))
        for index, (_, start) in enumerate(signs):
            end = signs[index + 1][0] if index + 1 < len(signs) else len(content.text)
            frame.begin_item("  ")
            self._append(self._inline.render(content.slice(start, end)))
        frame.close_list()

    def _content(self, token: Token) -> MappedText:
        """Place the content of an inline token, line by line, in the source."""
        first = token.map[0] if token.map else 0
        start = self._line_span(first)[0]
        if self._source.startswith(token.content, start):  # nothing was cut out between its lines
            return MappedText.of_raw(self._source, start, start + len(token.content))
        parts: list[MappedText] = []
        for number, line in enumerate(token.content.split("\n")):
            if number:
                parts.append(self._line_end(first + number - 1))
            parts.append(self._place(line, first + number))
        return MappedText.joined(parts)

    def _line_span(self, number: int) -> tuple[int, int]:
        starts = self._line_starts
        start = starts[number] if number < len(starts) else len(self._source)
        end = starts[number + 1] - 1 if number + 1 < len(starts) else len(self._source)
        return start, max(start, end)

    def _line_end(self, number: int) -> MappedText:
        end = self._line_span(number)[1]
        return MappedText.of_raw(self._source, end, end + 1) if end < len(self._source) else MappedText("\n")

    def _place(self, text: str, number: int, after: int = 0) -> MappedText:
        """Find a line's content in its source line; container marks stand before it."""
        start, end = self._line_span(number)
        at = (
            self._source.find(text, max(start, after), end) if after else self._source.rfind(text, start, end)
        )
        if at >= 0:
            return MappedText.of_raw(self._source, at, at + len(text))
        return MappedText.replacing(text, start, end)

    def _code(self, token: Token) -> None:
        if self._html.keeps_out() or not token.map:
            return
        frame = self._html.frame
        if token.type == "code_block" and _ESCAPED_ITEM.match(token.content):
            frame.soft_end()
            self._append(self._inline.render(self._content(token).stripped()))
            frame.soft_end()
            return
        frame.flush()
        frame.in_code = True
        first = token.map[0] + (token.type == "fence")
        for number, line in enumerate(token.content.removesuffix("\n").split("\n")):
            frame.append(self._place(line, first + number))
            frame.append(self._line_end(first + number))
        frame.flush()
        frame.in_code = False

    def _html_block(self, token: Token) -> None:
        if token.map and not token.level:
            self._html.feed(self._line_span(token.map[0])[0], self._line_span(token.map[1] - 1)[1])
            return
        for number, line in enumerate(token.content.removesuffix("\n").split("\n")):
            placed = self._place(line, (token.map or [0])[0] + number)
            if placed.runs:
                self._html.feed(placed.runs[0][2], placed.runs[-1][3])

    def _grid_table(self, token: Token) -> None:
        if self._html.keeps_out() or not token.map:
            return
        spans = [self._line_span(number) for number in range(*token.map)]
        lines = [MappedText.of_raw(self._source, start, end).stripped() for start, end in spans]
        group = self._found.new_group()
        for row in grid_rows(lines):
            self._html.frame.add_row([self._cell(cell) for cell in row], group)

    def _cell(self, content: MappedText) -> MappedText:
        parts = self._inline.render(content.stripped())
        return (
            MappedText.joined(part or MappedText(" ") for part in parts)
            .normalised()
            .reflowed(self._found.words)
        )

    def _table(self, index: int) -> int:
        """Read a pipe table, up to the token behind it."""
        group = self._found.new_group()
        keeps_out = self._html.keeps_out()
        cells: list[MappedText] = []
        number = after = 0
        while self._tokens[index].type != "table_close":
            token = self._tokens[index]
            if token.type == "tr_open":
                cells, number, after = [], (token.map or [0])[0], 0
            elif token.type == "inline":
                placed = self._place(token.content, number, after or self._line_span(number)[0])
                after = placed.runs[-1][3] if placed.runs else after
                cells.append(self._cell(placed))
            elif token.type == "tr_close" and not keeps_out:
                self._html.frame.add_row(cells, group)
            index += 1
        return index + 1


def _line_starts(source: str, start: int) -> list[int]:
    starts = [start]
    at = source.find("\n", start)
    while at >= 0:
        starts.append(at + 1)
        at = source.find("\n", at + 1)
    return starts
