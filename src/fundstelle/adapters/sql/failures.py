"""The one place that turns errors of the database into `StorageError` with what to do.

Listens on the engine, so that no repository needs a try. Bugs (a wrong column, a broken rule) come
out as `StorageError` too, with the original error as their cause.
"""

import sqlite3

from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext

from fundstelle.domain.errors import FundstelleError, StorageError

_WHAT_TO_DO = (
    (
        ("SQLITE_FULL",),
        "The disk is full: the database {where} cannot grow.",
        "Free some space and run the command again; what was stored before is safe.",
    ),
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED"),
        "The database {where} is locked by another program.",
        "Wait until it has finished, or end it, and run the command again.",
    ),
    (
        ("SQLITE_READONLY", "SQLITE_PERM"),
        "The database {where} may only be read.",
        "Give your user the right to write to the data folder and all files in it.",
    ),
    (
        ("SQLITE_CANTOPEN", "SQLITE_AUTH"),
        "The database {where} cannot be opened.",
        "Check that the data folder exists and that your user may write to it.",
    ),
    (
        ("SQLITE_CORRUPT", "SQLITE_NOTADB"),
        "The database {where} is damaged or is no database.",
        "Put back a backup of the data folder, or import the documents into a new one (FUNDSTELLE_HOME).",
    ),
    (
        ("SQLITE_IOERR",),
        "The disk reports an error while the database {where} is used.",
        "Check disk and connection, then run the command again.",
    ),
    (
        ("SQLITE_CONSTRAINT",),
        "The database {where} refused a row that breaks a rule.",
        "Nothing of this step was kept. Run fundstelle verify and report what it says.",
    ),
)


def storage_error(error: BaseException, where: str) -> StorageError:
    """Word an error of the database for people.

    Args:
        where: The database, as people know it: its file or its address without password.
    """
    if isinstance(error, OSError):
        return _folder_error(error, where)
    name = _error_name(error)
    for prefixes, message, hint in _WHAT_TO_DO:
        if name.startswith(prefixes):
            return StorageError(message.format(where=where), hint)
    return StorageError(
        f"The database {where} reports: {error}", "Run fundstelle doctor and report what it says."
    )


def _folder_error(error: OSError, where: str) -> StorageError:
    if isinstance(error, NotADirectoryError | FileExistsError):
        return StorageError(
            f"The data folder {where} cannot be made: a file is in its way.",
            "Name another folder with --home or FUNDSTELLE_HOME.",
        )
    return StorageError(
        f"The data folder {where} cannot be made: {error.strerror}.",
        "Give your user the right to write there, or name another folder with --home or FUNDSTELLE_HOME.",
    )


def _error_name(error: BaseException) -> str:
    name = getattr(error, "sqlite_errorname", None)
    if name is None and isinstance(error, sqlite3.DatabaseError) and "unable to open" in str(error):
        return "SQLITE_CANTOPEN"
    return name or ""


def translate_errors(engine: Engine) -> None:
    """Make an engine raise `StorageError` in place of every error of its driver."""
    where = engine.url.database if engine.dialect.name == "sqlite" else engine.url.render_as_string()

    @event.listens_for(engine, "handle_error")
    def translate(context: ExceptionContext) -> None:
        error = context.original_exception
        if isinstance(error, Exception) and not isinstance(error, FundstelleError):
            raise storage_error(error, where or "") from error
