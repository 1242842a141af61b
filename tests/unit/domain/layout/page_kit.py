"""Set pages of words as an engine would report them: fixed width, half the type size a character."""

from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.domain.layout.assembly import Assembled, assemble, layout_page
from fundstelle.domain.layout.page import OutlineEntry, RawPage, Style

ADVANCE = 0.5


@dataclass(frozen=True)
class Printed:
    """Print one stretch of text with its baseline at (x, y) from the top left."""

    x: float
    y: float
    text: str
    size: float = 10.0
    bold: bool = False
    hidden: int = 0
    font: str = ""


def set_page(printed: Sequence[Printed], number: int = 1, label: str | None = None) -> RawPage:
    """Make the page of all stretches; a line break stands between them in the raw text."""
    text, styles = "", []
    columns: dict[str, list[float]] = {name: [] for name in ("x0", "x1", "top", "bottom", "base")}
    starts, ends, style_of, hidden = [], [], [], []
    for one in printed:
        font = one.font or ("Serif-Bold" if one.bold else "Serif")
        style = Style(font, one.size, one.bold, "CMMI" in font, 0)
        if style not in styles:
            styles.append(style)
        x = one.x
        for word in one.text.split(" "):
            starts.append(len(text))
            text += word
            ends.append(len(text))
            text += " "
            width = len(word) * ADVANCE * one.size
            values = (x, x + width, one.y - 0.8 * one.size, one.y + 0.2 * one.size, one.y)
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
            style_of.append(styles.index(style))
            hidden.append(one.hidden)
            x += width + ADVANCE * one.size
        text = text[:-1] + "\r\n"
    seen = hidden if any(hidden) else []
    return RawPage(
        number, label, 595.0, 842.0, text, starts, ends, **columns,
        style_of=style_of, styles=tuple(styles), hidden=seen,
    )  # fmt: skip


def block(
    x: float, y: float, lines: Sequence[str], size: float = 10.0, leading: float = 12.0
) -> list[Printed]:
    """Print lines one under the other."""
    return [Printed(x, y + k * leading, line, size) for k, line in enumerate(lines)]


def read_pages(*pages: Sequence[Printed], outline: Sequence[OutlineEntry] = ()) -> Assembled:
    """Lay out and assemble pages."""
    raw = [set_page(printed, number) for number, printed in enumerate(pages, 1)]
    return assemble([layout_page(page) for page in raw], outline)


def content(*pages: Sequence[Printed]) -> str:
    """Give the version text of pages, without the separator at its end."""
    return "".join(page.content for page in read_pages(*pages).pages).rstrip("\n")
