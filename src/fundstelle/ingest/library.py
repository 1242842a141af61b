"""Look into what the import has stored: documents, versions, text, sections, chunks. Changes nothing."""

from collections.abc import Iterator

from fundstelle.domain.documents import Chunk, PageText, Section
from fundstelle.domain.errors import NotFoundError, UsageError
from fundstelle.domain.identity import DocumentId, VersionId
from fundstelle.ports.records import DocumentSummary, VersionRecord
from fundstelle.ports.storing import Database

_DOCUMENTS_AT_ONCE = 500
_PREFIX = "doc_"
_VERSION_PREFIX = "ver_"
_SHOWN = 5


def find_document(given: str, *, database: Database) -> DocumentSummary:
    """Find a document by its id, or by the beginning of its id where that is unique.

    Args:
        given: With or without the leading `doc_`.

    Raises:
        NotFoundError: No id begins so.
        UsageError: Several ids begin so; names some.
    """
    prefix = given.strip()
    if prefix in ("", _PREFIX):
        raise NotFoundError(f"'{given}' names no document.", "Give its id, or a unique beginning of it.")
    prefix = prefix if prefix.startswith(_PREFIX) else _PREFIX + prefix
    with database.read() as unit:
        found = unit.documents.by_prefix(prefix, _SHOWN + 1)
        summary = unit.listing.of(found[0]) if found else None
    if summary is None:
        raise NotFoundError(f"There is no document '{given}'.", "`fundstelle documents list` names all.")
    if len(found) > 1:
        names = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise UsageError(f"'{given}' is the beginning of several ids: {names}.", "Give more of it.")
    return summary


def list_documents(
    collection: str | None = None,
    *,
    database: Database,
    after: DocumentId | None = None,
    limit: int | None = None,
) -> Iterator[DocumentSummary]:
    """Go through documents in order of first import, withdrawn ones too, in bounded memory.

    Args:
        after: Begin behind this document.

    Raises:
        NotFoundError: There is no such collection.
    """
    with database.read() as unit:
        found = unit.collections.by_name(collection) if collection is not None else None
    if collection is not None and found is None:
        raise NotFoundError(f"There is no collection '{collection}'.")
    collection_id = found.collection_id if found else None
    left = limit
    while left is None or left > 0:
        at_once = _DOCUMENTS_AT_ONCE if left is None else min(left, _DOCUMENTS_AT_ONCE)
        with database.read() as unit:
            page = unit.listing.page(collection_id, after, at_once)
        yield from page
        if len(page) < at_once:
            return
        after = page[-1].document.document_id
        left = None if left is None else left - len(page)


def list_versions(document_id: DocumentId, *, database: Database) -> tuple[VersionRecord, ...]:
    """Read all versions of a document, the newest first."""
    with database.read() as unit:
        return unit.versions.of_document(document_id)


def shown_version(summary: DocumentSummary) -> VersionId:
    """Name the version to show of a document: the one that queries see, else the newest.

    Raises:
        NotFoundError: Nothing is stored of it.
    """
    version_id = summary.document.current_version_id
    if version_id is None and summary.version is not None:
        version_id = summary.version.version_id
    if version_id is None:
        raise NotFoundError(f"Nothing is stored of the document {summary.document.document_id}.")
    return version_id


def is_paged(version_id: VersionId, *, database: Database) -> bool:
    """Say whether a version has pages; text, Markdown and HTML have none, and "page 1" would mean nothing."""
    with database.read() as unit:
        version = unit.versions.find(version_id)
    return version is not None and version.page_count is not None


def read_pages(
    version_id: VersionId, *, database: Database, first: int = 1, last: int | None = None
) -> Iterator[PageText]:
    """Go through the pages of a version."""
    with database.read() as unit:
        yield from unit.texts.pages(version_id, first, last)


def read_page(version_id: VersionId, page_number: int, *, database: Database) -> PageText:
    """Read one page.

    Raises:
        NotFoundError: The version has no such page.
    """
    for page in read_pages(version_id, database=database, first=page_number, last=page_number):
        return page
    raise NotFoundError(f"There is no page {page_number} in the version {version_id}.")


def read_sections(version_id: VersionId, *, database: Database) -> tuple[Section, ...]:
    """Read the sections of a version in reading order."""
    with database.read() as unit:
        return unit.texts.sections(version_id)


def read_chunks(version_id: VersionId, *, database: Database) -> Iterator[Chunk]:
    """Go through the chunks of a version that are in force, in reading order."""
    with database.read() as unit:
        yield from unit.chunks.of_version(version_id)


def find_version(given: str, *, database: Database) -> VersionId:
    """Find the version to show: by its own id, or the shown one of a document.

    Args:
        given: The id of a version, or the id of a document or a unique beginning of it.

    Raises:
        NotFoundError: No id begins so.
        UsageError: Several ids begin so.
    """
    if given.startswith(_VERSION_PREFIX):
        with database.read() as unit:
            found = unit.versions.find(VersionId(given.strip()))
        if found is None:
            raise NotFoundError(f"There is no version '{given}'.", "`fundstelle documents show` names them.")
        return found.version_id
    return shown_version(find_document(given, database=database))
