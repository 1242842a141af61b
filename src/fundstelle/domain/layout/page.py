"""What an engine saw on a page: words with their places and styles, before any judgement.

Nothing here knows which engine it was. All coordinates are PDF points from the top left of the
page as it is displayed. Text that runs upwards, downwards or upside down has coordinates in a frame
of its own in which it is upright; `Style.angle` leads back to the page. Named tuples throughout: a
process that only reads starts a quarter faster without the machinery of data classes.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import NamedTuple


class Hidden(IntEnum):
    """Name why a reader cannot see a word."""

    NO = 0
    INVISIBLE = 1
    TINY = 2
    OFF_PAGE = 3
    BACKGROUND = 4
    COVERED = 5
    TRANSPARENT = 6


class Style(NamedTuple):
    """Describe how a word is set.

    Args:
        angle: Direction of the text on the displayed page in degrees, counter-clockwise: 0, 90, 180, 270.
    """

    font: str
    size: float
    bold: bool
    italic: bool
    angle: int


class RawPage(NamedTuple):
    """Hold the words of one page in the order in which the engine read them.

    Args:
        text: Raw text; words are slices of it.
        starts: First character of each word; `ends` is half open. All word columns are equally long.
        base: Baseline of each word.
        style_of: Index into `styles` for each word.
        hidden: `Hidden` for each word; empty when all words can be seen.
        tags: For each word 1 to 6 for a tagged heading, -1 for a tagged artefact; empty without tags.
        image_cover: Part of the page that images cover, 0 to 1.
        ocr_layer: True when the words were recognised from an image.
        repairs: Characters that stand for others, by their offset in `text`; NUL for none at all.
        formula: Indices of the styles in which formulas are set; layout finds them.
        problem: Why the page could not be read; empty when it could.
    """

    page_number: int
    page_label: str | None
    width: float
    height: float
    text: str = ""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    x0: Sequence[float] = ()
    x1: Sequence[float] = ()
    top: Sequence[float] = ()
    bottom: Sequence[float] = ()
    base: Sequence[float] = ()
    style_of: Sequence[int] = ()
    styles: tuple[Style, ...] = ()
    hidden: Sequence[int] = ()
    tags: Sequence[int] = ()
    image_cover: float = 0.0
    ocr_layer: bool = False
    repairs: Mapping[int, str] = MappingProxyType({})
    formula: frozenset[int] = frozenset()
    problem: str = ""


class OutlineEntry(NamedTuple):
    """Hold one entry of a document's outline.

    Args:
        level: Depth, from 1.
        page_number: Physical page from 1; None for a missing or broken destination.
        top: Height of the destination on its page; None when it does not say.
    """

    title: str
    level: int
    page_number: int | None
    top: float | None = None


def repaired(page: RawPage) -> RawPage:
    """Put the right characters into the text of a page; all offsets stay."""
    if not page.repairs:
        return page
    characters = list(page.text)
    for place, right in page.repairs.items():
        characters[place] = right
    return page._replace(text="".join(characters), repairs=MappingProxyType({}))


class RawDocument(NamedTuple):
    """Hold what a file says about itself."""

    page_count: int
    outline: tuple[OutlineEntry, ...] = ()
    title: str | None = None
    author: str | None = None
    language: str | None = None
    created_at: str | None = None
    dynamic_form: bool = False
