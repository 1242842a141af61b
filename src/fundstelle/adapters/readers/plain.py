"""Read plain text: wrapped lines become paragraphs again, lists and verse stay lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fundstelle.adapters.readers.plain_headings import (
    HeadingSign,
    are_capitals_usual,
    capitals_sign,
    is_rule,
    levels_of,
    numbered_sign,
    underline_sign,
)
from fundstelle.adapters.readers.plain_paragraphs import (
    ItemSign,
    Line,
    begins_law_paragraph,
    item_sign,
    keeps_lines,
    split_lines,
    table_columns,
)
from fundstelle.adapters.readers.text_formats import (
    LIST_INDENT,
    Block,
    BlockKind,
    BlockList,
    SourceMetadata,
    assemble,
    join_row,
    read_source,
)
from fundstelle.domain.documents import DocumentText, MediaType, RecognisedBy
from fundstelle.domain.text.hyphenation import collect_words
from fundstelle.domain.text.mapped import MappedText
from fundstelle.ports.reading import PageProgress, ReadRequest

_CUT_WORD = re.compile(r"\w[-\u00ad\u2010]\s*\n\s*\w")
_TITLE_RANK = 5
_MAX_DEPTH = 12


class PlainTextReader:
    """Read plain text as one page; headings are recognised by underline, number or capitals."""

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read the whole file."""
        document = read_source(request.path, MediaType.TEXT, _read)
        progress(1, 1)
        return document

    def close(self) -> None:
        """Do nothing: there are no workers."""


@dataclass(frozen=True, slots=True)
class _Title:
    """Hold a line recognised as a heading and the lines of its paragraph that belong to it."""

    line: Line
    sign: HeadingSign
    used: int


def _read(source: str) -> DocumentText:
    words = collect_words(source) if _CUT_WORD.search(source) else frozenset[str]()
    reader = _PlainWalker(source, BlockList(words=words))
    found = reader.walk()
    first = found.blocks[0] if found.blocks else None
    is_title = first is not None and first.kind is BlockKind.HEADING and reader.signs[0].rank <= _TITLE_RANK
    about = SourceMetadata(title=first.text.text if first and is_title else None)
    return assemble(source, found, MediaType.TEXT, RecognisedBy.NUMBERING, about)


class _PlainWalker:
    """Go through the paragraphs and collect their blocks."""

    def __init__(self, source: str, found: BlockList) -> None:
        self._source = source
        self._found = found
        self._list_group = 0
        self._indents: list[int] = []
        self.signs: list[HeadingSign] = []
        lines = split_lines(source)
        self._capitals_mark = not are_capitals_usual([line.text for line in lines])
        self._paragraphs = list(_paragraphs(lines))

    def walk(self) -> BlockList:
        """Collect all blocks."""
        for index, lines in enumerate(self._paragraphs):
            self._paragraph(index, lines)
        levels = iter(levels_of(self.signs))
        self._found.blocks = [
            Block(block.kind, block.text, 0, next(levels)) if block.kind is BlockKind.HEADING else block
            for block in self._found.blocks
        ]
        return self._found

    def _paragraph(self, index: int, lines: Sequence[Line]) -> None:
        while lines and is_rule(lines[0].text):
            lines = lines[1:]
        title = self._title(index, lines) if lines else None
        if title is not None:
            text = self._reflowed(title.line.start, title.line.end)
            if text.text:
                self.signs.append(title.sign)
                self._found.add(BlockKind.HEADING, text, level=1)
            lines = lines[title.used :]
            self._list_group = 0
        if lines:
            self._body(lines)

    def _title(self, index: int, lines: Sequence[Line]) -> _Title | None:
        first = lines[0]
        if len(lines) > 1 and (sign := underline_sign(first.text, lines[1].text)):
            return _Title(first, sign, 2)
        sign = numbered_sign(first.text)
        if sign and (len(lines) == 1 or (sign.strong and _stands_alone(lines))):
            return None if self._is_item_of_list(index, sign) else _Title(first, sign, 1)
        if len(lines) == 1 and self._capitals_mark and (sign := capitals_sign(first.text)):
            return _Title(first, sign, 1)
        return None

    def _is_item_of_list(self, index: int, sign: HeadingSign) -> bool:
        """Say whether a line such as `1. Äpfel` stands beside others of its kind, as items do."""
        if sign.depth != 1:
            return False
        return any(
            len(self._paragraphs[other]) == 1 and numbered_sign(self._paragraphs[other][0].text) == sign
            for other in (index - 1, index + 1)
            if 0 <= other < len(self._paragraphs)
        )

    def _body(self, lines: Sequence[Line]) -> None:
        cells = table_columns(lines)
        if cells is not None and item_sign(lines[0], None, in_list=False) is None:
            group = self._found.new_group()
            for row in cells:
                self._found.add(BlockKind.ROW, join_row([self._reflowed(*cell) for cell in row]), group=group)
            self._list_group = 0
            return
        prose: list[Line] = []
        item: tuple[ItemSign, list[Line]] | None = None
        for number, line in enumerate(lines):
            sign = item_sign(line, lines[number - 1] if number else None, in_list=item is not None)
            if sign is None and not begins_law_paragraph(line):
                (item[1] if item else prose).append(line)
                continue
            self._end(item, prose)
            item, prose = ((sign, [line]), []) if sign else (None, [line])
        self._end(item, prose)

    def _end(self, item: tuple[ItemSign, list[Line]] | None, prose: list[Line]) -> None:
        if item:
            self._item(*item)
        elif prose:
            self._prose(prose)

    def _item(self, sign: ItemSign, lines: Sequence[Line]) -> None:
        if not self._list_group:
            self._list_group, self._indents = self._found.new_group(), []
        indent = lines[0].indent
        while self._indents and self._indents[-1] >= indent:
            self._indents.pop()
        self._indents.append(indent)
        depth = min(len(self._indents) - 1, _MAX_DEPTH)
        text = self._reflowed(lines[0].start + sign.text_start, lines[-1].end)
        marker = MappedText(LIST_INDENT * depth + sign.marker)
        self._found.add(BlockKind.LINE, MappedText.joined((marker, text)), group=self._list_group)

    def _prose(self, lines: Sequence[Line]) -> None:
        self._list_group = 0
        if keeps_lines(lines):
            group = self._found.new_group()
            for line in lines:
                self._found.add(BlockKind.LINE, self._reflowed(line.start, line.end), group=group)
        else:
            self._found.add(BlockKind.PARAGRAPH, self._reflowed(lines[0].start, lines[-1].end))

    def _reflowed(self, start: int, end: int) -> MappedText:
        return MappedText.of_raw(self._source, start, end).normalised().reflowed(self._found.words)


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    paragraph: list[Line] = []
    for line in lines:
        if line.text.strip():
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _stands_alone(lines: Sequence[Line]) -> bool:
    """Say whether the first line ends by choice: the next word had room, and begins a sentence."""
    following = lines[1].text.strip()
    width = max(len(line.text.rstrip()) for line in lines)
    begins = following[:1].isupper() or following[:1] in '(„"»-•'
    return begins and len(lines[0].text.rstrip()) + 1 + len(following.split()[0]) <= max(width, 60)
