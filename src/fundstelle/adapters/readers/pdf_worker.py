"""The worker process that opens PDF files, so that no file can hurt the application.

Run as `python -m fundstelle.adapters.readers.pdf_worker MEMORY_BYTES PAGE_SECONDS`. Requests come on
standard input, answers leave on what was standard output; whatever the library prints goes nowhere.
The process limits its own memory, ends when its input closes, and is ended by an alarm of the system
when one page takes too long, even if the application is gone by then.
"""

import contextlib
import gc
import os
import signal
import sys
from array import array
from typing import IO

from fundstelle.adapters.readers.pdf_accents import merge_accents
from fundstelle.adapters.readers.pdf_document import heading_marks, page_frame, page_label, read_document
from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.adapters.readers.pdf_symbols import find_repairs, place_signs
from fundstelle.adapters.readers.pdf_visibility import judge_visibility
from fundstelle.adapters.readers.pdf_words import FontFacts, Words, extract_words
from fundstelle.adapters.readers.worker_frames import Column, Json, read_frame, write_frame
from fundstelle.domain.layout.page import RawDocument

_MAX_SIDE = 500_000.0
_FAREWELL_S = 5
_NO_DOCUMENT = 3


class Worker:
    """Serve requests: open a document, read its pages, one after the other."""

    def __init__(self, answers: IO[bytes], page_seconds: int) -> None:
        self._pdfium = Pdfium()
        self._answers = answers
        self._page_seconds = page_seconds
        self._document: Handle | None = None
        self._reads_tags = False
        self._previous: Handle | None = None
        self._fonts: dict[Handle | None, FontFacts] = {}

    def serve(self, requests: IO[bytes]) -> None:
        """Answer requests until the stream ends."""
        while (frame := read_frame(requests)) is not None:
            request = frame[0]
            self._alarm(self._page_seconds)
            if request["do"] == "open":
                self._open(str(request["path"]), str(request["password"] or ""))
            elif request["do"] == "pages":
                self._pages(int(str(request["first"])), int(str(request["end"])))
            self._alarm(0)

    def _alarm(self, seconds: int) -> None:
        if hasattr(signal, "alarm"):
            signal.alarm(seconds + _FAREWELL_S if seconds else 0)

    def _open(self, path: str, password: str) -> None:
        self._close()
        pdfium = self._pdfium
        for encoding in ("utf-8", "latin-1"):
            with contextlib.suppress(UnicodeEncodeError):
                secret = password.encode(encoding) if password else None
                self._document = pdfium.FPDF_LoadDocument(os.fsencode(path), secret)
            if self._document or not password:
                break
        if not self._document:
            write_frame(self._answers, {"error": int(pdfium.FPDF_GetLastError())}, {})
            return
        document = read_document(pdfium, self._document)
        tagged = bool(pdfium.FPDFCatalog_IsTagged(self._document))
        self._reads_tags = tagged and not document.outline  # where there is an outline, it decides
        write_frame(self._answers, _document_header(document), {})

    def _close(self) -> None:
        self._hold(None)
        self._fonts.clear()
        if self._document:
            self._pdfium.FPDF_CloseDocument(self._document)
            self._document = None

    def _pages(self, first: int, end: int) -> None:
        if not self._document:
            raise SystemExit(_NO_DOCUMENT)
        for index in range(first, end):
            self._alarm(self._page_seconds)
            self._page(index)

    def _page(self, index: int) -> None:
        pdfium = self._pdfium
        label = page_label(pdfium, self._document or 0, index)
        page = pdfium.FPDF_LoadPage(self._document, index)
        header: dict[str, Json] = {"page": index, "label": label}
        if not page:
            write_frame(self._answers, {**header, "problem": "its description is damaged"}, {})
            return
        size = (float(pdfium.FPDF_GetPageWidthF(page)), float(pdfium.FPDF_GetPageHeightF(page)))
        header |= {"width": size[0], "height": size[1]}
        if max(size) > _MAX_SIDE:
            write_frame(self._answers, {**header, "problem": "its size is impossible"}, {})
        else:
            self._send_words(page, header, size)
        self._hold(page)

    def _hold(self, page: Handle | None) -> None:
        """Keep a page open until the next one is read: fonts that both use are loaded only once."""
        if self._previous:
            self._pdfium.FPDF_ClosePage(self._previous)
        self._previous = page

    def _send_words(self, page: Handle, header: dict[str, Json], size: tuple[float, float]) -> None:
        pdfium = self._pdfium
        text_page = pdfium.FPDFText_LoadPage(page)
        if not text_page:
            write_frame(self._answers, {**header, "problem": "its text is damaged"}, {})
            return
        frame = page_frame(pdfium, page)
        words = extract_words(pdfium, text_page, frame, self._fonts)
        repairs = find_repairs(pdfium, text_page, words)
        if repairs:
            place_signs(pdfium, text_page, words, repairs)
        merge_accents(pdfium, text_page, words, repairs)
        seen = judge_visibility(pdfium, page, words, size, size[0] * size[1])
        header |= {"text": words.text, "styles": [list(style) for style in words.styles]}
        header |= {"cover": seen.image_cover, "ocr": seen.ocr_layer, "frame": list(frame)}
        if repairs:
            header["repairs"] = [[place, right] for place, right in repairs.items()]
        columns = _columns(words)
        if seen.hidden:
            columns["hidden"] = array("b", seen.hidden)
        tags = self._tags(page, words) if self._reads_tags else []
        if any(tags):
            columns["tags"] = array("b", tags)
        write_frame(self._answers, header, columns)
        pdfium.FPDFText_ClosePage(text_page)

    def _tags(self, page: Handle, words: Words) -> list[int]:
        levels = heading_marks(self._pdfium, page)
        if not levels:
            return []
        content = [self._pdfium.FPDFPageObj_GetMarkedContentID(handle) for handle in words.objects.handles]
        per_object = [levels.get(mark, -1 if mark < 0 else 0) for mark in content]
        return [per_object[k] for k in words.object_of]


def _columns(words: Words) -> dict[str, Column]:
    columns: dict[str, Column] = {
        "starts": array("i", words.starts),
        "ends": array("i", words.ends),
        "style_of": array("i", words.style_of),
    }
    for name, values in zip(words.columns._fields, words.columns, strict=True):
        columns[name] = array("f", values)
    return columns


def _document_header(document: RawDocument) -> dict[str, Json]:
    return {
        "page_count": document.page_count,
        "outline": [[e.title, e.level, e.page_number, e.top] for e in document.outline],
        "title": document.title,
        "author": document.author,
        "language": document.language,
        "created_at": document.created_at,
        "dynamic_form": document.dynamic_form,
    }


def limit_memory(size_bytes: int) -> None:
    """Limit the address space of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (size_bytes, size_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Set the process up and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # nothing here makes cycles, and the process is short-lived
    limit_memory(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    with contextlib.suppress(BrokenPipeError):
        Worker(answers, int(sys.argv[2])).serve(sys.stdin.buffer)
    os._exit(0)


if __name__ == "__main__":
    main()
