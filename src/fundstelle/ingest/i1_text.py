"""Phases I1 and I2 as one step: read the text of kept bytes, find its sections, store both.

One transaction: afterwards the version is `pending` with all pages and sections, or `failed` with
verdict, cause and what to do. Criteria are checked before anything is stored.
"""

import re
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import PurePath

from fundstelle.domain.documents import (
    READABLE,
    DocumentText,
    Heading,
    MediaType,
    PageText,
    Section,
    Verdict,
    VersionStatus,
    VersionText,
)
from fundstelle.domain.errors import CriterionError
from fundstelle.domain.identity import text_hash
from fundstelle.domain.text.normalise import normalise_characters
from fundstelle.ingest.criteria_i2 import check_sections
from fundstelle.ingest.i0_intake import Intake
from fundstelle.ingest.i2_structure import build_sections
from fundstelle.ingest.jobs import UNKNOWN_MEDIA_TYPE, new_version, save_version
from fundstelle.ingest.sources import FileSource, TextSource
from fundstelle.ingest.tools import ImportTools
from fundstelle.ports.reading import PageProgress, ReadRequest
from fundstelle.ports.records import DocumentRecord, VersionRecord

_SURROGATE = re.compile("[\ud800-\udfff]")

_WHAT_TO_DO = {
    Verdict.NEEDS_PASSWORD: "Import it again with --password.",
    Verdict.NEEDS_OCR: "Run text recognition (OCR) on it, then import it again.",
    Verdict.NO_TEXT: "There is nothing to find in it; check the file.",
    Verdict.NO_PAGES: "Check the file; it holds no page.",
    Verdict.GARBLED: "Its fonts do not say which letters they show: run text recognition (OCR) on it.",
    Verdict.DAMAGED: "Get an undamaged copy, or print it to a new PDF.",
    Verdict.NOT_PDF: "It is no PDF, whatever its name says; save it in the right format.",
    Verdict.EMPTY_FILE: "Copy it again.",
    Verdict.XFA_PLACEHOLDER: "It is a form for Adobe Reader; print it to a PDF there and import that.",
    Verdict.NOT_PERMITTED: "Ask its author for a version whose text may be copied.",
    Verdict.TOO_LARGE: "Split it, or raise the limits on size, time and memory in the settings.",
    Verdict.UNSUPPORTED: "Save it as PDF, HTML, Markdown or plain text.",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what a reader said of a version, before it is stored."""

    media_type: str
    verdict: Verdict
    detail: str
    text: DocumentText | None = None


def read_text(intake: Intake, tools: ImportTools, password: str | None, progress: PageProgress) -> Reading:
    """Read the kept bytes of a source.

    Raises:
        SourceError: The kept bytes may not be read.
    """
    media_type: MediaType | None
    if isinstance(intake.source, TextSource):
        media_type = intake.source.media_type
    else:
        sniffed = tools.sniff(intake.blob.path, intake.source.filename)
        media_type = sniffed.media_type
        if media_type is None:
            return Reading(UNKNOWN_MEDIA_TYPE, sniffed.verdict, sniffed.detail)
    text = tools.reader.read(ReadRequest(intake.blob.path, media_type, password), progress)
    text = _storable(text)
    verdict = text.verdict
    if verdict in READABLE and not text.text.strip():
        verdict = Verdict.NO_TEXT
    # Readers know the file by the name of the blob; people know it by its own.
    detail = text.verdict_detail.replace(intake.blob.path.name, intake.source.filename)
    return Reading(text.media_type, verdict, detail, text)


def store_text(intake: Intake, reading: Reading, tools: ImportTools) -> tuple[DocumentRecord, VersionRecord]:
    """Store pages and sections, or the failure, in one transaction.

    Raises:
        CriterionError: The sections do not hold what they must; nothing is stored.
    """
    version = _version(intake, reading)
    pages = reading.text.pages if reading.text else ()
    sections: tuple[Section, ...] = ()
    if version.status is VersionStatus.PENDING and reading.text is not None:
        sections = _sections(intake, reading.text)
    with tools.database.write() as unit:
        stored = unit.versions.find(intake.version_id)
        document = unit.documents.find(intake.document_id)
        if stored is not None and document is not None and stored.status is not VersionStatus.FAILED:
            return document, stored  # somebody else was quicker
        document = save_version(unit, intake, version)
        unit.texts.write(version, pages, sections)
        unit.commit()
    return document, version


def _sections(intake: Intake, text: DocumentText) -> tuple[Section, ...]:
    starts = list(accumulate((len(page.content) for page in text.pages), initial=0))[:-1]
    version = VersionText(intake.version_id, intake.blob.content_hash, text.text, starts)
    sections = build_sections(version, text.headings)
    problems = check_sections(version, sections)
    if problems:
        raise CriterionError("I2", problems[0].criterion, f"{problems[0].id}: {problems[0].detail}")
    return sections


def _version(intake: Intake, reading: Reading) -> VersionRecord:
    version = new_version(intake, reading.media_type, reading.verdict, reading.detail)
    text = reading.text
    if text is not None:
        version = replace(
            version,
            page_count=text.page_count,
            text_hash=text_hash(text.text),
            author=text.author or None,
            language=text.language or None,
            metadata={"created_at": text.created_at} if text.created_at else {},
        )
    version = replace(version, title=_title(intake, text))
    if reading.verdict in READABLE:
        return version
    what_to_do = _WHAT_TO_DO.get(reading.verdict, "Check the file.")
    detail = reading.detail or f"'{intake.source.filename}' gives no text ({reading.verdict.value})."
    failure = detail if what_to_do in detail else f"{detail} {what_to_do}"
    return replace(version, status=VersionStatus.FAILED, failed_phase="I1", failure=failure)


def _title(intake: Intake, text: DocumentText | None) -> str:
    if isinstance(intake.source, FileSource):
        own = _title_line(text.title or "") if text else ""
        return own or _title_line(PurePath(intake.source.filename).stem) or intake.source.filename
    return _title_line(intake.source.filename)


def _title_line(text: str) -> str:
    """Make one line without control characters: titles stand in prompts, citations and lists."""
    return " ".join(normalise_characters(text)[0].split())


def _storable(text: DocumentText) -> DocumentText:
    """Replace lone surrogates, which no database takes, one by one; offsets stay as they are."""
    return replace(
        text,
        pages=tuple(map(_storable_page, text.pages)),
        headings=tuple(map(_storable_heading, text.headings)),
        title=_clean_optional(text.title),
        author=_clean_optional(text.author),
        language=_clean_optional(text.language),
        created_at=_clean_optional(text.created_at),
        verdict_detail=_clean(text.verdict_detail),
    )


def _storable_page(page: PageText) -> PageText:
    content, raw = _clean(page.content), _clean(page.raw_content)
    label = _clean_optional(page.page_label)
    if (content, raw, label) == (page.content, page.raw_content, page.page_label):
        return page
    return replace(page, content=content, raw_content=raw, page_label=label)


def _storable_heading(heading: Heading) -> Heading:
    title = _clean(heading.title)
    return heading if title == heading.title else replace(heading, title=title)


def _clean(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _clean_optional(text: str | None) -> str | None:
    return None if text is None else _clean(text)
