"""What an import tells while it runs and when a document is done."""

from dataclasses import dataclass
from typing import Protocol

from fundstelle.domain.documents import Verdict, VersionStatus
from fundstelle.domain.identity import DocumentId, VersionId


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Report how far one document has come.

    Args:
        document_id: None where nothing could be stored, because the file could not be read.
        status: What has been reached; `chunked` with an `error` when the index has to wait.
        identical_to: The document that has these bytes already; nothing was done then.
        error: What happened and what to do, in a sentence for people; None when all went well.
    """

    document_id: DocumentId | None
    version_id: VersionId | None
    filename: str
    status: VersionStatus
    verdict: Verdict
    pages: int
    sections: int
    chunks: int
    windows: int
    seconds: float
    identical_to: DocumentId | None = None
    error: str | None = None


class ImportProgress(Protocol):
    """Hear how an import goes on; called in the thread that imports."""

    def started(self, document: str) -> None:
        """Hear that a document (its file name) is next."""
        ...

    def pages(self, done: int, total: int | None) -> None:
        """Hear how many pages of this document have been read."""
        ...

    def chunks(self, count: int) -> None:
        """Hear how many chunks this document has."""
        ...

    def windows(self, done: int, total: int) -> None:
        """Hear how many texts of all documents so far have been embedded."""
        ...

    def finished(self, result: ImportResult) -> None:
        """Hear that a document is done; not always in the order of `started`."""
        ...


class Silent:
    """Take part in no conversation."""

    def started(self, document: str) -> None:
        """Say nothing."""

    def pages(self, done: int, total: int | None) -> None:
        """Say nothing."""

    def chunks(self, count: int) -> None:
        """Say nothing."""

    def windows(self, done: int, total: int) -> None:
        """Say nothing."""

    def finished(self, result: ImportResult) -> None:
        """Say nothing."""
