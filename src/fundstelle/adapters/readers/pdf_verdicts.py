"""Say in one verdict and one sentence how readable a PDF file was."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fundstelle.domain.documents import PageQuality, PageText, Verdict
from fundstelle.domain.layout.page import RawDocument

_HEADER_WITHIN = 1024
_ERROR_FORMAT, _ERROR_PASSWORD, _ERROR_SECURITY = 3, 4, 5
_SAMPLE = 8 << 20
_NO_PAGES = re.compile(rb"/Type\s*/Pages\b[^>]*/Count\s+0\b|/Count\s+0\b[^>]*/Type\s*/Pages\b")
_A_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_PLEASE_WAIT = re.compile(
    r"please wait|bitte warten|\bXFA\b|Adobe Reader \d|viewer may not be able", re.IGNORECASE
)
_PLACEHOLDER_CHARS = 1_500
_MAX_NAMED = 12


class Loss(NamedTuple):
    """Name a page that could not be read."""

    page_number: int
    problem: str
    slow: bool = False


def refuse_bytes(head: bytes) -> tuple[Verdict, str] | None:
    """Refuse what is no PDF by its first bytes."""
    if not head:
        return Verdict.EMPTY_FILE, "The file holds no bytes."
    if b"%PDF-" in head[:_HEADER_WITHIN] or re.search(rb"\d+ \d+ obj\b", head):
        return None
    return Verdict.NOT_PDF, "The file does not begin like a PDF."


def unopened(error: int, path: Path, *, has_password: bool) -> tuple[Verdict, str]:
    """Explain why the engine did not open a file."""
    if error == _ERROR_PASSWORD:
        problem = "The password is wrong." if has_password else "The file is encrypted and needs a password."
        return Verdict.NEEDS_PASSWORD, problem
    if error == _ERROR_SECURITY:
        return Verdict.NOT_PERMITTED, "The file is protected in a way that does not permit reading it."
    if error == _ERROR_FORMAT:
        return Verdict.DAMAGED, "The file is damaged: its structure cannot be read."
    with path.open("rb") as stream:
        data = stream.read(_SAMPLE)
    if _NO_PAGES.search(data) and not _A_PAGE.search(data):
        return Verdict.NO_PAGES, "The file has no pages."
    return Verdict.DAMAGED, "The file is damaged: its pages cannot be found."


def judge(document: RawDocument, pages: Sequence[PageText], losses: Sequence[Loss]) -> tuple[Verdict, str]:
    """Judge a file that was opened, by its pages."""
    if not pages:
        return Verdict.NO_PAGES, "The file has no pages."
    if document.dynamic_form and _is_placeholder(pages):
        return (
            Verdict.XFA_PLACEHOLDER,
            "The file is a dynamic form (XFA); its pages only ask for another viewer.",
        )
    lost = {loss.page_number for loss in losses}
    by_quality: dict[PageQuality, list[int]] = {quality: [] for quality in PageQuality}
    for page in pages:
        if page.page_number not in lost:
            by_quality[page.quality].append(page.page_number)
    if by_quality[PageQuality.GOOD]:
        return _partly(by_quality, losses)
    return _unreadable(by_quality, losses)


def _is_placeholder(pages: Sequence[PageText]) -> bool:
    text = "".join(page.raw_content for page in pages[:3])
    return len(pages) <= 2 and len(text) < _PLACEHOLDER_CHARS and _PLEASE_WAIT.search(text) is not None


def _partly(by_quality: dict[PageQuality, list[int]], losses: Sequence[Loss]) -> tuple[Verdict, str]:
    details = [
        f"{_pages([loss.page_number])} could not be read: {loss.problem}." for loss in losses[:_MAX_NAMED]
    ]
    scanned, garbled = by_quality[PageQuality.SCANNED], by_quality[PageQuality.GARBLED]
    if garbled:
        details.append(f"The text of {_pages(garbled).lower()} is garbled.")
    if scanned:
        details.append(_need_ocr(scanned))
        verdict = Verdict.PARTIAL if garbled or losses else Verdict.PARTIAL_NEEDS_OCR
        return verdict, " ".join(details)
    return (Verdict.PARTIAL if details else Verdict.OK), " ".join(details)


def _unreadable(by_quality: dict[PageQuality, list[int]], losses: Sequence[Loss]) -> tuple[Verdict, str]:
    if by_quality[PageQuality.SCANNED]:
        return Verdict.NEEDS_OCR, _need_ocr(by_quality[PageQuality.SCANNED])
    if by_quality[PageQuality.GARBLED]:
        named = _pages(by_quality[PageQuality.GARBLED]).lower()
        return (
            Verdict.GARBLED,
            f"The text of {named} cannot be used: the file's fonts do not say what their characters mean.",
        )
    if losses:
        verdict = Verdict.TOO_LARGE if losses[0].slow else Verdict.DAMAGED
        return verdict, f"{_pages([losses[0].page_number])} could not be read: {losses[0].problem}."
    return Verdict.NO_TEXT, "The pages hold no text and no images of text."


def _need_ocr(numbers: Sequence[int]) -> str:
    verbs = "holds only images and needs" if len(numbers) == 1 else "hold only images and need"
    return f"{_pages(numbers)} {verbs} OCR."


def _pages(numbers: Sequence[int]) -> str:
    """Name pages in words: `Page 3`, `Pages 1 to 4 and 7`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    named = [str(low) if low == high else f"{low} to {high}" for low, high in runs[:_MAX_NAMED]]
    more = len(runs) - len(named)
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    suffix = f" and {more} more" if more > 0 else ""
    return f"{'Page' if len(numbers) == 1 else 'Pages'} {listed}{suffix}"
