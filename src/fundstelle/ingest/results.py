"""What an import tells while it runs and when a document is done."""

from dataclasses import dataclass, field
from typing import Protocol

from fundstelle.domain.criteria import Problem
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


MAX_PROBLEMS = 1_000
"""Problems that a report keeps; more are only counted."""


@dataclass(slots=True)
class AuditReport:
    """Collect what a check of stored data found.

    Args:
        checked: Rows or points looked at.
        problems: The first `MAX_PROBLEMS` found.
        found: All that were found.
        repaired: How many of them were made good.
    """

    checked: int = 0
    problems: list[Problem] = field(default_factory=list)
    found: int = 0
    repaired: int = 0

    @property
    def ok(self) -> bool:
        """Tell whether nothing is wrong, or nothing is any more."""
        return self.found == self.repaired

    def add(self, problem: Problem, *, repaired: bool = False) -> None:
        """Take in a problem."""
        self.found += 1
        self.repaired += repaired
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


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
