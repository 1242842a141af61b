"""Check again, from what is stored, every supervision criterion of the import.

Version by version, so that memory holds one version at a time. Nothing is changed. The index has a
check of its own, `reconcile`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from fundstelle.domain.criteria import Problem
from fundstelle.domain.documents import Chunk, ChunkParameters, PageText, VersionStatus, VersionText, Window
from fundstelle.domain.errors import NotFoundError
from fundstelle.domain.identity import ChunkId, content_hash, point_id, text_hash
from fundstelle.ingest.criteria_i2 import check_sections
from fundstelle.ingest.criteria_i3 import (
    check_chunks,
    chunks_content,
    chunks_ids,
    chunks_in_section,
    chunks_pages,
)
from fundstelle.ingest.criteria_i4 import windows_cover_chunk, windows_in_range
from fundstelle.ingest.i0_intake import FINISHED
from fundstelle.ingest.i3_chunks import CHUNKER_VERSION
from fundstelle.ingest.results import AuditReport
from fundstelle.ports.records import (
    CollectionRecord,
    DocumentRecord,
    StoredChunk,
    VersionRecord,
    WindowRecord,
    WorkStatus,
)
from fundstelle.ports.storing import BlobStore, Database, UnitOfWork

_DOCUMENTS_AT_ONCE = 200
_PARAMETERS = re.compile(r"([^/]*)/([^/]*)/(\d+)-(\d+)/(\d+)-(\d+)")
_TEXT_STORED = frozenset({VersionStatus.PENDING, VersionStatus.CHUNKED}) | FINISHED


@dataclass(frozen=True, slots=True)
class _Subject:
    """Hold one version with everything that hangs on it."""

    collection: CollectionRecord
    document: DocumentRecord
    version: VersionRecord
    text: VersionText
    stored: tuple[StoredChunk, ...]


def verify_import(
    collection: str | None,
    *,
    database: Database,
    blobs: BlobStore,
    count_tokens: Callable[[str], int],
) -> AuditReport:
    """Check all versions of one collection, or of all.

    Returns:
        Pages, sections, chunks and windows looked at, and what was wrong with them.

    Raises:
        NotFoundError: There is no such collection.
    """
    report = AuditReport()
    for document, record in _documents(collection, database):
        with database.read() as unit:
            versions = unit.versions.of_document(document.document_id)
        for problem in _check_document(document, versions):
            report.add(problem)
        for version in versions:
            for problem in _check_version(record, document, version, report, database, blobs, count_tokens):
                report.add(problem)
    return report


def _documents(
    collection: str | None, database: Database
) -> Iterator[tuple[DocumentRecord, CollectionRecord]]:
    with database.read() as unit:
        collections = [c for c in unit.collections.all() if collection in (None, c.name)]
    if collection is not None and not collections:
        raise NotFoundError(f"There is no collection '{collection}'.")
    for record in collections:
        after = None
        while True:
            with database.read() as unit:
                page = unit.listing.page(record.collection_id, after, _DOCUMENTS_AT_ONCE)
            if not page:
                break
            yield from ((summary.document, record) for summary in page)
            after = page[-1].document.document_id


def _check_document(document: DocumentRecord, versions: Sequence[VersionRecord]) -> Iterator[Problem]:
    key = document.document_id
    if not versions:
        yield Problem("documents_have_versions", key, "Nothing is stored of it.")
        return
    if document.status is not versions[0].status:
        detail = f"It says {document.status}, its newest version {versions[0].status}."
        yield Problem("statuses_agree", key, detail)
    ordinals = [version.ordinal for version in versions]
    if len(set(ordinals)) != len(ordinals):
        yield Problem("versions_in_order", key, "Two versions have the same ordinal.")
    if document.current_version_id is not None:
        current = [v for v in versions if v.version_id == document.current_version_id]
        if not current or current[0].status not in FINISHED:
            detail = f"Queries see {document.current_version_id}, which is not completely indexed."
            yield Problem("current_version_indexed", key, detail)


def _check_version(
    collection: CollectionRecord,
    document: DocumentRecord,
    version: VersionRecord,
    report: AuditReport,
    database: Database,
    blobs: BlobStore,
    count_tokens: Callable[[str], int],
) -> Iterator[Problem]:
    yield from _check_blob(version, blobs)
    if version.status not in _TEXT_STORED:
        if not version.failure:
            yield Problem("failures_explained", version.version_id, "It failed and does not say why.")
        return
    with database.read() as unit:
        text = unit.texts.text(version.version_id, version.content_hash)
        stored = tuple(unit.chunks.stored(version.version_id))
        subject = _Subject(collection, document, version, text, stored)
        yield from _check_text(subject, unit, report, count_tokens)
        yield from _check_statuses(subject)
        yield from _check_windows(subject, unit, report)


def _check_text(
    subject: _Subject, unit: UnitOfWork, report: AuditReport, count_tokens: Callable[[str], int]
) -> Iterator[Problem]:
    """Check pages, then sections, then chunks; what builds on something damaged is not judged."""
    key = subject.version.version_id
    problems = list(_check_pages(subject, unit.texts.pages(key), report))
    sections = unit.texts.sections(key)
    report.checked += len(sections)
    problems = problems or check_sections(subject.text, sections)
    yield from problems
    if problems:
        return
    for chunker in sorted({chunk.chunker for chunk in subject.stored}):
        chunks = tuple(unit.chunks.of_version(key, chunker))
        report.checked += len(chunks)
        yield from _check_stored_chunks(subject, chunks)
        problems = [*chunks_in_section(sections, chunks), *chunks_content(subject.text, chunks)]
        parameters = _parameters(chunker)
        if problems:
            yield from problems
        elif parameters is not None:
            yield from check_chunks(subject.text, sections, chunks, parameters, count_tokens, chunker)
        else:
            yield from chunks_ids(subject.text, sections, chunks, chunker)
            yield from chunks_pages(subject.text, chunks)


def _check_blob(version: VersionRecord, blobs: BlobStore) -> Iterator[Problem]:
    blob = blobs.find(version.content_hash)
    if blob is None:
        yield Problem("bytes_kept", version.version_id, "Its original bytes are not there.")
    elif content_hash(blob.path.read_bytes()) != version.content_hash:
        yield Problem("bytes_kept", version.version_id, "Its original bytes have changed.")


def _check_pages(subject: _Subject, pages: Iterable[PageText], report: AuditReport) -> Iterator[Problem]:
    """Demand that pages are whole and in order, and that their maps stay within their texts."""
    version, position = subject.version, 0
    for number, page in enumerate(pages, start=1):
        report.checked += 1
        name = f"{version.version_id} page {page.page_number}"
        starts = subject.text.page_starts
        if page.page_number != number or len(starts) < number or starts[number - 1] != position:
            detail = f"It is page {number} in order and should begin at {position}."
            yield Problem("pages_in_order", name, detail)
        runs = page.offset_map.runs
        if runs and (runs[-1].norm_end > len(page.content) or runs[-1].raw_end > len(page.raw_content)):
            yield Problem("pages_offset_map", name, "The map leads out of the text.")
        position += len(page.content)
    if text_hash(subject.text.text) != version.text_hash:
        yield Problem(
            "pages_join_to_text", version.version_id, "The pages do not join to the text as it was."
        )


def _check_stored_chunks(subject: _Subject, chunks: Sequence[Chunk]) -> Iterator[Problem]:
    hashes = {chunk.chunk_id: chunk.text_hash for chunk in subject.stored}
    for chunk in chunks:
        if hashes[chunk.chunk_id] != text_hash(chunk.content):
            yield Problem("chunks_text_hash", chunk.chunk_id, "Its content has not the hash that is stored.")


def _check_statuses(subject: _Subject) -> Iterator[Problem]:
    version = subject.version
    in_force = [chunk for chunk in subject.stored if not chunk.superseded]
    if version.status is not VersionStatus.PENDING and not in_force:
        yield Problem("versions_have_chunks", version.version_id, f"It is {version.status} without a chunk.")
    for chunk in in_force:
        if chunk.chunker != version.chunker:
            detail = f"It comes from {chunk.chunker}; in force is {version.chunker}."
            yield Problem("chunks_in_force", chunk.chunk_id, detail)
        if _is_visible(subject) and chunk.status not in (WorkStatus.INDEXED, WorkStatus.SKIPPED):
            detail = f"Queries see it, and it is {chunk.status}."
            yield Problem("statuses_agree", chunk.chunk_id, detail)


def _check_windows(subject: _Subject, unit: UnitOfWork, report: AuditReport) -> Iterator[Problem]:
    """Demand that the windows of the model in use cover each chunk, are indexed and have vectors."""
    version, model_id = subject.version, subject.collection.model_id
    if model_id is None or version.status not in FINISHED or version.chunker is None:
        return
    chunks = {c.chunk_id: c for c in unit.chunks.of_version(version.version_id, version.chunker)}
    windows = unit.windows.of_version(version.version_id, model_id, version.chunker)
    known = unit.embeddings.known(model_id, {window.text_hash for window in windows})
    if _is_visible(subject):
        yield from _check_covered(chunks, windows)
    for window in windows:
        report.checked += 1
        if window.point_id != point_id(window.chunk_id, window.window_index, model_id):
            yield Problem("points_ids", window.point_id, f"It cannot be derived from {window.chunk_id}.")
        if _is_visible(subject) and window.status is not WorkStatus.INDEXED:
            yield Problem("statuses_agree", window.point_id, f"Queries see it, and it is {window.status}.")
        if window.status is WorkStatus.INDEXED and window.text_hash not in known:
            yield Problem("points_have_vectors", window.point_id, "Its vector is not there.")


def _check_covered(chunks: Mapping[ChunkId, Chunk], windows: Sequence[WindowRecord]) -> Iterator[Problem]:
    grouped = {key: list(group) for key, group in groupby(windows, key=lambda window: window.chunk_id)}
    for chunk_id, chunk in chunks.items():
        placed = [
            Window(w.window_index, w.char_start, w.char_end, "", w.pieces) for w in grouped.get(chunk_id, [])
        ]
        yield from windows_in_range(chunk, placed)
        yield from windows_cover_chunk(chunk, placed)


def _is_visible(subject: _Subject) -> bool:
    document = subject.document
    return document.withdrawn_at is None and document.current_version_id == subject.version.version_id


def _parameters(chunker: str) -> ChunkParameters | None:
    """Read the parameters from a signature; None when another version of the chunker made it."""
    found = _PARAMETERS.fullmatch(chunker)
    if found is None or found.group(1) != CHUNKER_VERSION:
        return None
    min_tokens, max_tokens, min_overlap, max_overlap = map(int, found.groups()[2:])
    return ChunkParameters(min_tokens, max_tokens, min_overlap, max_overlap, found.group(2))
