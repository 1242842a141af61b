"""The error tree of the whole system.

Every error that a person may see is a `FundstelleError` with a stable `code`. Its message
says what happened, with which file or setting; its hint says what to do about it.

FundstelleError
├── UsageError              (usage)           an option, argument or setting is wrong
│   └── NotFoundError       (not_found)       no such collection, document, query
├── SourceError             (source)          a file or folder cannot be read
│   ├── UnreadableError     (unreadable)      the content gives no usable text; carries a verdict
│   └── SourceTooLargeError (too_large)       a limit on size, time or memory was reached
├── BusyError               (busy)            another process holds the data folder
├── StorageError            (storage)         the database or the disk refuses
├── ServiceError            (service)         a back end (index, embedder, generator) does not answer
│   └── ModelMismatchError  (model_mismatch)  the index was built with another model
└── CriterionError          (criterion)       a supervision criterion does not hold
"""

from typing import ClassVar


class FundstelleError(Exception):
    """Carry a message for people, a hint what to do, and a stable code for programs."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(FundstelleError):
    """Report an option, argument or setting that cannot be used."""

    code = "usage"


class NotFoundError(UsageError):
    """Report an id or name that nothing is stored under."""

    code = "not_found"


class SourceError(FundstelleError):
    """Report a file or folder that cannot be read."""

    code = "source"


class UnreadableError(SourceError):
    """Report content that gives no usable text.

    Args:
        verdict: One of the values of `domain.documents.Verdict`.
    """

    code = "unreadable"

    def __init__(self, message: str, hint: str = "", *, verdict: str) -> None:
        super().__init__(message, hint)
        self.verdict = verdict


class SourceTooLargeError(SourceError):
    """Report a file that reached a limit on size, time or memory."""

    code = "too_large"


class BusyError(FundstelleError):
    """Report that another process holds the data folder."""

    code = "busy"


class StorageError(FundstelleError):
    """Report that the database or the disk refuses."""

    code = "storage"


class ServiceError(FundstelleError):
    """Report a back end that does not answer or answers nonsense."""

    code = "service"


class ModelMismatchError(ServiceError):
    """Report an index that was built with another model than the one that asks."""

    code = "model_mismatch"


class CriterionError(FundstelleError):
    """Report a supervision criterion that does not hold."""

    code = "criterion"

    def __init__(self, phase: str, criterion: str, detail: str) -> None:
        super().__init__(
            f"Criterion '{criterion}' of phase {phase} does not hold: {detail}",
            "Nothing of this step was kept. Please report it with the document or query id.",
        )
        self.phase = phase
        self.criterion = criterion
        self.detail = detail
