"""Walk through HTML and collect its blocks of visible text with headings, lists, tables and marks.

Keeps a stack of open elements instead of a tree, so that depth costs no recursion. Can be fed in
pieces, for HTML that stands inside Markdown.
"""

from collections import Counter
from dataclasses import dataclass

from fundstelle.adapters.readers.html_elements import (
    CLOSES,
    ENDS_PARAGRAPH,
    ROLES,
    SCOPES,
    VOID,
    Attributes,
    Role,
    format_marker,
    furniture,
    hidden_because,
)
from fundstelle.adapters.readers.html_frames import ListState, TableState, TextFrame
from fundstelle.adapters.readers.html_tokens import (
    HtmlToken,
    TokenKind,
    decode_text_at,
    read_attributes,
    tokenize_html,
)
from fundstelle.adapters.readers.text_formats import BlockList
from fundstelle.domain.documents import Mark, MarkKind

_IMPLIED_REACH = 64
_MAX_TABLES = 16
_UNRECORDED = frozenset({"head", "title"})


@dataclass(slots=True)
class _Element:
    name: str
    role: Role
    start: int


@dataclass(slots=True)
class _Skip:
    """Remember the outermost element that is kept out, and whether it held any text."""

    depth: int
    start: int
    kind: MarkKind
    reason: str
    seen: bool = False


class HtmlWalker:
    """Turn HTML into blocks; feed it once or in pieces, then `finish`."""

    def __init__(self, source: str, found: BlockList) -> None:
        self._source = source
        self._found = found
        self._stack: list[_Element] = []
        self._open: Counter[str] = Counter()
        self._frames = [TextFrame(found, found.blocks)]
        self._tables: list[TableState] = []
        self._skip: _Skip | None = None

    def feed(self, start: int, end: int) -> None:
        """Walk through a stretch of the source."""
        for token in tokenize_html(self._source, start, end):
            if token.kind is TokenKind.TEXT:
                self._text(token)
            elif token.kind is TokenKind.OPEN:
                self._opened(token)
            elif token.kind is TokenKind.CLOSE:
                self._closed(token)
            elif self._source.startswith("<!--", token.start):
                self._found.marks.append(Mark(MarkKind.HIDDEN, token.start, token.end, "comment"))

    @property
    def frame(self) -> TextFrame:
        """Give the frame in which text is being collected, for text read by other means (Markdown)."""
        return self._frames[-1]

    def keeps_out(self) -> bool:
        """Say whether what comes now stands inside an element that is kept out, and note that it is text."""
        if self._skip is not None:
            self._skip.seen = True
        return self._skip is not None

    def finish(self, end: int) -> None:
        """Close all that is still open."""
        while self._stack:
            self._leave(end)
        self._frames[-1].flush()

    def _text(self, token: HtmlToken) -> None:
        if self._skip is None:
            self._frames[-1].append(decode_text_at(self._source, token.start, token.end))
        elif not self._skip.seen:
            self._skip.seen = not self._source[token.start : token.end].isspace()

    def _opened(self, token: HtmlToken) -> None:
        role = ROLES.get(token.name, Role.INLINE)
        attributes = read_attributes(self._source, token)
        self._imply_ends(token.name, role, token.start)
        if token.name in VOID:
            if self._skip is None:
                self._void(role, attributes)
            return
        if role is Role.TABLE and len(self._tables) >= _MAX_TABLES:
            role = Role.BLOCK
        element = _Element(token.name, role, token.start)
        self._stack.append(element)
        self._open[element.name] += 1
        if self._skip is None:
            self._skip = self._keep_out(element, attributes)
        if self._skip is None:
            self._enter(element, attributes)

    def _keep_out(self, element: _Element, attributes: Attributes) -> _Skip | None:
        """Decide whether an element is kept out of the text."""
        reason, kind = hidden_because(attributes), MarkKind.HIDDEN
        if not reason and element.role is Role.SKIPPED:
            reason = f"<{element.name}>"
        in_article = self._open["article"] + self._open["blockquote"] > 0
        if not reason and (found := furniture(element.name, attributes, in_article=in_article)):
            kind, reason = found
        if not reason:
            return None
        if element.role not in (Role.INLINE, Role.SKIPPED):
            self._frames[-1].soft_end()
        return _Skip(len(self._stack), element.start, kind, reason)

    def _void(self, role: Role, attributes: Attributes) -> None:
        frame = self._frames[-1]
        if role is Role.BREAK:
            frame.break_line()
        elif role is Role.RULE:
            frame.soft_end()
        elif role is Role.IMAGE and "alt" in attributes and not hidden_because(attributes):
            _, start, end = attributes["alt"]
            frame.append(decode_text_at(self._source, start, end))

    def _imply_ends(self, name: str, role: Role, at: int) -> None:
        """Close what the opening tag closes: an open paragraph, the item or cell before."""
        if role in ENDS_PARAGRAPH and self._stack and self._stack[-1].name == "p":
            self._leave(at)
        ends = CLOSES.get(name, frozenset())
        if not any(self._open[ended] for ended in ends):
            return
        depth = 0
        for position, element in enumerate(reversed(self._stack[-_IMPLIED_REACH:]), start=1):
            if element.name in ends:
                depth = position
            elif element.name in SCOPES:
                break
        for _ in range(depth):
            self._leave(at)

    def _closed(self, token: HtmlToken) -> None:
        if not self._open[token.name]:
            return
        while self._leave(token.end) != token.name:
            pass

    def _enter(self, element: _Element, attributes: Attributes) -> None:
        role, frame = element.role, self._frames[-1]
        if role is Role.BLOCK:
            frame.soft_end()
        elif role in (Role.LIST, Role.TERMS):
            frame.open_list(_list_state(element.name, attributes))
        elif role in (Role.ITEM, Role.TERM, Role.DETAIL):
            frame.begin_item(_marker(frame, role, attributes))
        elif role is Role.HEADING:
            frame.flush()
            frame.heading = int(element.name[1])
        elif role is Role.CODE:
            frame.flush()
            frame.in_code = True
        elif role is Role.TABLE:
            frame.flush()
            self._tables.append(TableState(self._found.new_group()))
        elif role is Role.CELL and self._tables:
            self._frames.append(TextFrame(self._found, []))

    def _leave(self, end: int) -> str:
        """Close the innermost element and say its name."""
        element = self._stack[-1]
        if self._skip is None:
            self._exit(element)
        elif self._skip.depth == len(self._stack):
            if self._skip.seen and element.name not in _UNRECORDED:
                self._found.marks.append(Mark(self._skip.kind, self._skip.start, end, self._skip.reason))
            self._skip = None
        self._stack.pop()
        self._open[element.name] -= 1
        return element.name

    def _exit(self, element: _Element) -> None:
        role, frame = element.role, self._frames[-1]
        if role is Role.BLOCK:
            frame.soft_end()
        elif role in (Role.LIST, Role.TERMS):
            frame.close_list()
        elif role in (Role.ITEM, Role.TERM, Role.DETAIL):
            frame.flush()
        elif role is Role.HEADING:
            frame.flush()
            frame.heading = 0
        elif role is Role.CODE:
            frame.flush()
            frame.in_code = False
        elif role is Role.CELL and self._tables and len(self._frames) > 1:
            frame.flush()
            self._tables[-1].add_cell(self._frames.pop().blocks)
        elif role in (Role.ROW, Role.TABLE) and self._tables:
            self._end_row(whole_table=role is Role.TABLE)

    def _end_row(self, *, whole_table: bool) -> None:
        frame = self._frames[-1]
        frame.flush()
        frame.blocks.extend(self._tables[-1].end_row())
        if whole_table:
            self._tables.pop()


def _list_state(name: str, attributes: Attributes) -> ListState:
    if name != "ol":
        return ListState()
    start = attributes.get("start", ("1",))[0].strip()
    style = attributes.get("type", ("1",))[0]
    counter = (
        int(start) if start.lstrip("-").isascii() and start.lstrip("-").isdigit() and len(start) < 7 else 1
    )
    return ListState(
        style if style in {"a", "A", "i", "I"} else "1", counter, -1 if "reversed" in attributes else 1
    )


def _marker(frame: TextFrame, role: Role, attributes: Attributes) -> str:
    if role is Role.TERM:
        return ""
    if role is Role.DETAIL:
        return "  "
    if not frame.lists or not frame.lists[-1].style:
        return "- "
    state = frame.lists[-1]
    value = attributes.get("value", ("",))[0].strip()
    if value.isascii() and value.isdigit() and len(value) < 7:
        state.counter = int(value)
    marker = format_marker(state.counter, state.style)
    state.counter += state.step
    return marker
