"""Call PDFium quickly: the library of `pypdfium2` with prototypes made for whole columns of calls.

The generated bindings of pypdfium2 cost about a microsecond a call, because each call converts
pointers and releases the interpreter lock. The prototypes here take plain addresses and keep the
lock, so that `map` can fill a whole buffer from C. Only the worker process may use this module:
it is single-threaded, and a crash in the library must not reach the application.
"""

import ctypes
import importlib
import os
import sys
from collections.abc import Callable
from ctypes import c_double, c_float, c_int, c_size_t, c_uint, c_ulong, c_void_p
from typing import Any, TypeAlias

Handle: TypeAlias = int

_P = c_void_p
_I = c_int
_PROTOTYPES: dict[str, tuple[type, tuple[type, ...]]] = {
    "FPDF_LoadDocument": (_P, (ctypes.c_char_p, ctypes.c_char_p)),
    "FPDF_CloseDocument": (None, (_P,)),  # type: ignore[dict-item]
    "FPDF_GetLastError": (c_ulong, ()),
    "FPDF_GetPageCount": (_I, (_P,)),
    "FPDF_GetPageLabel": (c_ulong, (_P, _I, _P, c_ulong)),
    "FPDF_GetMetaText": (c_ulong, (_P, ctypes.c_char_p, _P, c_ulong)),
    "FPDFCatalog_GetLanguage": (c_ulong, (_P, _P, c_ulong)),
    "FPDFCatalog_IsTagged": (_I, (_P,)),
    "FPDF_GetFormType": (_I, (_P,)),
    "FPDF_GetDocPermissions": (c_ulong, (_P,)),
    "FPDF_LoadPage": (_P, (_P, _I)),
    "FPDF_ClosePage": (None, (_P,)),  # type: ignore[dict-item]
    "FPDF_GetPageWidthF": (c_float, (_P,)),
    "FPDF_GetPageHeightF": (c_float, (_P,)),
    "FPDF_GetPageBoundingBox": (_I, (_P, _P)),
    "FPDFPage_GetRotation": (_I, (_P,)),
    "FPDFText_LoadPage": (_P, (_P,)),
    "FPDFText_ClosePage": (None, (_P,)),  # type: ignore[dict-item]
    "FPDFText_CountChars": (_I, (_P,)),
    "FPDFText_GetText": (_I, (_P, _I, _I, _P)),
    "FPDFText_GetCharIndexFromTextIndex": (_I, (_P, _I)),
    "FPDFText_GetCharOrigin": (_I, (_P, _I, _P, _P)),
    "FPDFText_GetLooseCharBox": (_I, (_P, _I, _P)),
    "FPDFText_GetCharBox": (_I, (_P, _I, _P, _P, _P, _P)),
    "FPDFText_GetFontSize": (c_double, (_P, _I)),
    "FPDFText_GetMatrix": (_I, (_P, _I, _P)),
    "FPDFText_GetTextObject": (c_size_t, (_P, _I)),
    "FPDFTextObj_GetTextRenderMode": (_I, (_P,)),
    "FPDFTextObj_GetFont": (_P, (_P,)),
    "FPDFFont_GetBaseFontName": (c_size_t, (_P, _P, c_size_t)),
    "FPDFFont_GetFlags": (_I, (_P,)),
    "FPDFFont_GetWeight": (_I, (_P,)),
    "FPDFPage_CountObjects": (_I, (_P,)),
    "FPDFPage_GetObject": (_P, (_P, _I)),
    "FPDFPageObj_GetType": (_I, (_P,)),
    "FPDFPageObj_GetBounds": (_I, (_P, _P, _P, _P, _P)),
    "FPDFPageObj_GetFillColor": (_I, (_P, _P, _P, _P, _P)),
    "FPDFPageObj_GetMarkedContentID": (_I, (_P,)),
    "FPDFPath_GetDrawMode": (_I, (_P, _P, _P)),
    "FPDFPath_CountSegments": (_I, (_P,)),
    "FPDFFormObj_CountObjects": (_I, (_P,)),
    "FPDFFormObj_GetObject": (_P, (_P, c_ulong)),
    "FPDFBookmark_GetFirstChild": (_P, (_P, _P)),
    "FPDFBookmark_GetNextSibling": (_P, (_P, _P)),
    "FPDFBookmark_GetTitle": (c_ulong, (_P, _P, c_ulong)),
    "FPDFBookmark_GetDest": (_P, (_P, _P)),
    "FPDFBookmark_GetAction": (_P, (_P,)),
    "FPDFAction_GetDest": (_P, (_P, _P)),
    "FPDFDest_GetDestPageIndex": (_I, (_P, _P)),
    "FPDFDest_GetLocationInPage": (_I, (_P, _P, _P, _P, _P, _P, _P)),
    "FPDF_StructTree_GetForPage": (_P, (_P,)),
    "FPDF_StructTree_Close": (None, (_P,)),  # type: ignore[dict-item]
    "FPDF_StructTree_CountChildren": (_I, (_P,)),
    "FPDF_StructTree_GetChildAtIndex": (_P, (_P, _I)),
    "FPDF_StructElement_CountChildren": (_I, (_P,)),
    "FPDF_StructElement_GetChildAtIndex": (_P, (_P, _I)),
    "FPDF_StructElement_GetChildMarkedContentID": (_I, (_P, _I)),
    "FPDF_StructElement_GetType": (c_ulong, (_P, _P, c_ulong)),
    "FPDF_InitLibrary": (None, ()),  # type: ignore[dict-item]
}

OBJECT_TEXT, OBJECT_PATH, OBJECT_IMAGE, OBJECT_FORM = 1, 2, 3, 5


def _library_path() -> str:
    for folder in sys.path:
        for name in ("libpdfium.so", "libpdfium.dylib", "pdfium.dll"):
            path = os.path.join(folder, "pypdfium2_raw", name)  # noqa: PTH118 - pathlib is slow to import
            if os.path.isfile(path):  # noqa: PTH113 - likewise
                return path
    bindings = importlib.import_module("pypdfium2_raw.bindings")  # slow; where the library lies elsewhere
    return str(bindings._libs["pdfium"]._name)  # noqa: SLF001 - the bindings offer no public way


class Pdfium:
    """Hold the library's functions under their own names, each with a fast prototype."""

    def __init__(self) -> None:
        library = ctypes.PyDLL(_library_path())
        self._functions = {}
        for name, (result, arguments) in _PROTOTYPES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
            self._functions[name] = function
        self.__dict__.update(self._functions)
        self._functions["FPDF_InitLibrary"]()

    def __getattr__(self, name: str) -> "Callable[..., Any]":
        raise AttributeError(name)

    def utf16(self, name: str, *arguments: object) -> str | None:
        """Call a function that writes UTF-16 into a buffer after being asked for its size.

        Returns:
            The text, or None when the library knows of none.
        """
        function = self._functions[name]
        size = function(*arguments, None, 0)
        if size < 2 or size > 1 << 20:
            return None
        buffer = ctypes.create_string_buffer(size)
        function(*arguments, ctypes.addressof(buffer), size)
        return buffer.raw[: size - 2].decode("utf-16-le", "replace")

    def font_name(self, font: Handle) -> str:
        """Read a font's name as the file gives it, with its subset prefix."""
        function = self._functions["FPDFFont_GetBaseFontName"]
        size = function(font, None, 0)
        buffer = ctypes.create_string_buffer(max(size, 1))
        function(font, ctypes.addressof(buffer), size)
        return buffer.value.decode("utf-8", "replace")

    def rectangle(self, name: str, *arguments: object) -> tuple[float, float, float, float] | None:
        """Call a function that fills four floats behind four pointers, or one structure of four."""
        box = (c_float * 4)()
        address = ctypes.addressof(box)
        pointers = (address,) if name == "FPDF_GetPageBoundingBox" else tuple(range(address, address + 16, 4))
        return (box[0], box[1], box[2], box[3]) if self._functions[name](*arguments, *pointers) else None


def integers(count: int) -> "ctypes.Array[c_uint]":
    """Make a buffer of unsigned integers for a function to fill."""
    return (c_uint * count)()
