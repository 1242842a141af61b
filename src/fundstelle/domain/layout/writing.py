"""Write blocks as the normalised text of a page, with offsets, line boxes and headings."""

from collections.abc import Container
from dataclasses import dataclass, field

from fundstelle.domain.documents import LineBox
from fundstelle.domain.layout.lines import Line, Piece
from fundstelle.domain.layout.paragraphs import Block, BlockKind
from fundstelle.domain.text.hyphenation import decide_hyphen, hyphen_text

_BULLETS = frozenset("•▪●■➢✓◦‣·○□–—*-")
_TOGETHER = frozenset(
    {(BlockKind.ITEM, BlockKind.ITEM), (BlockKind.ROW, BlockKind.ROW), (BlockKind.ENTRY, BlockKind.ENTRY)}
)
_SOFT = "\u00ad"


def separator(before: BlockKind, after: BlockKind) -> str:
    """Give what stands between two finished blocks."""
    return "\n" if (before, after) in _TOGETHER else "\n\n"


def joint(above: Line, line: Line, words: Container[str]) -> str:
    """Give what stands between two lines of one paragraph."""
    if not above.hyphen:
        return " "
    soft = above.hyphen == _SOFT
    return hyphen_text(decide_hyphen(above.text, line.text, soft=soft, words=words))


@dataclass(slots=True)
class PageWriter:
    """Collect the text of one page while it is written.

    Args:
        words: Words seen in the document, for hyphens at line ends.
        width: Width of the page, to turn boxes of turned text; likewise `height`.
    """

    words: Container[str]
    width: float
    height: float
    runs: list[tuple[int, int, int, int]] = field(default_factory=list)
    boxes: list[LineBox] = field(default_factory=list)
    _out: list[str] = field(default_factory=list)
    _at: int = 0

    @property
    def length(self) -> int:
        """Characters written so far."""
        return self._at

    @property
    def text(self) -> str:
        """The text written so far."""
        return "".join(self._out)

    def put(self, text: str) -> None:
        """Write characters that no raw character stands behind."""
        if text:
            self._out.append(text)
            self._at += len(text)

    def put_joint(self, text: str, above: Line) -> None:
        """Write what joins two lines; a hyphen in it is the printed one."""
        if text.startswith("-"):
            self.runs.append((self._at, self._at + 1, *above.hyphen_raw))
        self.put(text)

    def block(self, block: Block) -> tuple[int, int]:
        """Write one block.

        Returns:
            Its half-open range in the page's text.
        """
        if block.kind is BlockKind.ITEM and block.indent:
            self.put("  " * block.indent)
        start = self._at
        above: Line | None = None
        for line in block.lines:
            if above is not None:
                self.put_joint(joint(above, line, self.words), above)
            self._line(line, is_item=block.kind is BlockKind.ITEM and above is None)
            above = line
        return start, self._at

    def close_hyphen(self, line: Line) -> None:
        """Write the hyphen of a finished block whose last line ends with one."""
        if line.hyphen and line.hyphen != _SOFT:
            self.put_joint("-", line)

    def _line(self, line: Line, *, is_item: bool) -> None:
        start = self._at
        for number, cell in enumerate(line.cells):
            if number:
                self.put(" | " if self._at > start else "| ")
            for piece in cell.pieces:
                self._piece(piece, is_bullet=is_item and self._at == start)
        x0, y0, x1, y1 = _box(line, self.width, self.height)
        self.boxes.append(LineBox(start, self._at, x0, y0, x1, y1))

    def _piece(self, piece: Piece, *, is_bullet: bool) -> None:
        text = piece.text
        if piece.lead:
            self.put(piece.lead)
        if is_bullet and text[:1] in _BULLETS:
            text = "-" + text[1:]
        at = self._at
        if piece.runs is None:
            self.runs.append((at, at + len(text), piece.raw_start, piece.raw_end))
        else:
            base = piece.raw_start
            self.runs.extend([(at + a, at + b, base + c, base + d) for a, b, c, d in piece.runs])
        self._out.append(text)
        self._at = at + len(text)


def _box(line: Line, width: float, height: float) -> tuple[float, float, float, float]:
    """Turn a line's box from the frame in which it is upright to the displayed page."""
    if line.angle == 90:
        return line.top, height - line.x1, line.bottom, height - line.x0
    if line.angle == 180:
        return width - line.x1, height - line.bottom, width - line.x0, height - line.top
    if line.angle == 270:
        return width - line.bottom, line.x0, width - line.top, line.x1
    return line.x0, line.top, line.x1, line.bottom
