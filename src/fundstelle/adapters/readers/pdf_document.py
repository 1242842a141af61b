"""Read what a PDF says about itself: outline, labels, information, tags. Worker process only.

Every walk over the file's own structures is bounded, because outlines and tag trees may loop.
"""

import ctypes
import re

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.adapters.readers.pdf_words import PageFrame
from fundstelle.domain.layout.page import OutlineEntry, RawDocument

_MAX_OUTLINE = 20_000
_MAX_OUTLINE_DEPTH = 12
_MAX_ELEMENTS = 20_000
_XFA_FORMS = frozenset({2, 3})
_HEADING_TAG = re.compile(r"H([1-6])?$")
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([-+Z])?(\d\d)?'?(\d\d)?")


def read_document(pdfium: Pdfium, document: Handle) -> RawDocument:
    """Read page count, outline and information of an open document."""
    language = pdfium.utf16("FPDFCatalog_GetLanguage", document)
    return RawDocument(
        page_count=pdfium.FPDF_GetPageCount(document),
        outline=tuple(_outline(pdfium, document)),
        title=_meta(pdfium, document, "Title"),
        author=_meta(pdfium, document, "Author"),
        language=(language or "").strip("\0 ").split("-")[0].lower()[:3] or None,
        created_at=_iso_date(_meta(pdfium, document, "CreationDate") or ""),
        dynamic_form=pdfium.FPDF_GetFormType(document) in _XFA_FORMS,
    )


def page_label(pdfium: Pdfium, document: Handle, index: int) -> str | None:
    """Read a page's label; None where the file has no labels."""
    return pdfium.utf16("FPDF_GetPageLabel", document, index)


def page_frame(pdfium: Pdfium, page: Handle) -> PageFrame:
    """Read the visible box and the rotation of a page."""
    box = pdfium.rectangle("FPDF_GetPageBoundingBox", page) or (0.0, 792.0, 612.0, 0.0)
    left, top, right, bottom = box
    return PageFrame(left, top, right, bottom, pdfium.FPDFPage_GetRotation(page) % 4)


def heading_marks(pdfium: Pdfium, page: Handle) -> dict[int, int]:
    """Map marked content to heading levels, from the page's tags; 0 for other tagged content."""
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    levels: dict[int, int] = {}
    roots = pdfium.FPDF_StructTree_CountChildren(tree)
    stack = [(pdfium.FPDF_StructTree_GetChildAtIndex(tree, k), 0) for k in range(min(roots, _MAX_ELEMENTS))]
    seen = 0
    while stack and seen < _MAX_ELEMENTS:
        element, inherited = stack.pop()
        seen += 1
        if element:
            stack.extend(_visit(pdfium, element, inherited, levels))
    pdfium.FPDF_StructTree_Close(tree)
    return levels


def _visit(
    pdfium: Pdfium, element: Handle, inherited: int, levels: dict[int, int]
) -> list[tuple[Handle, int]]:
    match = _HEADING_TAG.match(pdfium.utf16("FPDF_StructElement_GetType", element) or "")
    level = int(match[1] or 1) if match else inherited
    children = []
    for k in range(min(max(pdfium.FPDF_StructElement_CountChildren(element), 0), _MAX_ELEMENTS)):
        child = pdfium.FPDF_StructElement_GetChildAtIndex(element, k)
        if child:
            children.append((child, level))
            continue
        content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, k)
        if content >= 0:
            levels[content] = level
    return children


def _meta(pdfium: Pdfium, document: Handle, name: str) -> str | None:
    value = pdfium.utf16("FPDF_GetMetaText", document, name.encode("ascii"))
    return " ".join((value or "").replace("\0", "").split()) or None


def _iso_date(value: str) -> str | None:
    match = _DATE.match(value)
    if not match:
        return None
    year, month, day, hour, minute, second, sign, zone_hour, zone_minute = match.groups()
    date = f"{year}-{month or '01'}-{day or '01'}"
    if hour is None:
        return date
    zone = "" if sign is None else "Z" if sign == "Z" else f"{sign}{zone_hour or '00'}:{zone_minute or '00'}"
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{zone}"


def _outline(pdfium: Pdfium, document: Handle) -> list[OutlineEntry]:
    entries: list[OutlineEntry] = []
    seen: set[Handle] = set()
    stack = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while stack and len(entries) < _MAX_OUTLINE:
        bookmark, level = stack.pop()
        if not bookmark or bookmark in seen:
            continue
        seen.add(bookmark)
        entry = _entry(pdfium, document, bookmark, level)
        if entry.title:
            entries.append(entry)
        stack.append((pdfium.FPDFBookmark_GetNextSibling(document, bookmark), level))
        if level < _MAX_OUTLINE_DEPTH:
            stack.append((pdfium.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))
    return entries


def _entry(pdfium: Pdfium, document: Handle, bookmark: Handle, level: int) -> OutlineEntry:
    title = " ".join((pdfium.utf16("FPDFBookmark_GetTitle", bookmark) or "").replace("\0", "").split())
    destination = pdfium.FPDFBookmark_GetDest(document, bookmark)
    if not destination:
        action = pdfium.FPDFBookmark_GetAction(bookmark)
        destination = pdfium.FPDFAction_GetDest(document, action) if action else None
    index = pdfium.FPDFDest_GetDestPageIndex(document, destination) if destination else -1
    if index < 0 or index >= pdfium.FPDF_GetPageCount(document):
        return OutlineEntry(title, level, None)
    return OutlineEntry(title, level, index + 1, _destination_top(pdfium, destination))


def _destination_top(pdfium: Pdfium, destination: Handle) -> float | None:
    """Read the height of a destination in page space (from the bottom); the page turns it later."""
    flags, places = (ctypes.c_int * 3)(), (ctypes.c_float * 3)()
    flag, place = ctypes.addressof(flags), ctypes.addressof(places)
    pointers = (flag, flag + 4, flag + 8, place, place + 4, place + 8)
    found = pdfium.FPDFDest_GetLocationInPage(destination, *pointers)
    return float(places[1]) if found and flags[1] else None
