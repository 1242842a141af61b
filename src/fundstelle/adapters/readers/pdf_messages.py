"""Turn the worker's messages into the types of the domain."""

from collections.abc import Mapping, Sequence
from typing import cast

from fundstelle.adapters.readers.worker_frames import Json
from fundstelle.domain.layout.page import OutlineEntry, RawDocument, RawPage, Style


def document_from(header: Mapping[str, Json]) -> RawDocument:
    """Read the answer to `open`."""
    outline = cast("list[tuple[str, int, int | None, float | None]]", header["outline"])
    return RawDocument(
        page_count=cast("int", header["page_count"]),
        outline=tuple(OutlineEntry(*entry) for entry in outline),
        title=cast("str | None", header["title"]),
        author=cast("str | None", header["author"]),
        language=cast("str | None", header["language"]),
        created_at=cast("str | None", header["created_at"]),
        dynamic_form=bool(header["dynamic_form"]),
    )


def page_from(index: int, header: Mapping[str, Json], columns: Mapping[str, Sequence[float]]) -> RawPage:
    """Read the answer for one page."""
    label = cast("str | None", header.get("label"))
    width, height = cast("float", header.get("width", 0.0)), cast("float", header.get("height", 0.0))
    problem = header.get("problem")
    if problem is not None:
        return RawPage(index + 1, label, width, height, problem=str(problem))
    styles = cast("list[tuple[str, float, bool, bool, int]]", header["styles"])
    return RawPage(
        index + 1,
        label,
        width,
        height,
        cast("str", header["text"]),
        starts=_integers(columns, "starts"),
        ends=_integers(columns, "ends"),
        x0=columns["x0"],
        x1=columns["x1"],
        top=columns["top"],
        bottom=columns["bottom"],
        base=columns["base"],
        style_of=_integers(columns, "style_of"),
        styles=tuple(Style(*style) for style in styles),
        hidden=_integers(columns, "hidden"),
        tags=_integers(columns, "tags"),
        image_cover=cast("float", header["cover"]),
        ocr_layer=bool(header["ocr"]),
        repairs=dict(cast("list[tuple[int, str]]", header.get("repairs", []))),
    )


def _integers(columns: Mapping[str, Sequence[float]], name: str) -> Sequence[int]:
    return cast("Sequence[int]", columns.get(name, ()))
