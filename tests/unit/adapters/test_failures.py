"""Errors of the database come out as one kind, with what happened and what to do."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from fundstelle.adapters.sql.engine import open_database, sqlite_engine
from fundstelle.adapters.sql.failures import storage_error
from fundstelle.domain.errors import StorageError

OWN_WORDS = (
    "PERM", "BUSY", "LOCKED", "READONLY", "IOERR", "CORRUPT", "FULL", "CANTOPEN", "CONSTRAINT", "AUTH",
    "NOTADB",
)  # fmt: skip
"""Results of SQLite that a person can do something about, by their primary code."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Give a database with one small table."""
    made = sqlite_engine(tmp_path / "probe.sqlite3")
    with made.begin() as connection:
        connection.execute(text("CREATE TABLE words (word TEXT PRIMARY KEY)"))
        connection.execute(text("INSERT INTO words VALUES ('eins')"))
    yield made
    made.dispose()


@pytest.mark.parametrize(
    ("statements", "message", "hint"),
    [
        (["INSERT INTO words VALUES ('eins')"], "breaks a rule", "fundstelle verify"),
        (["PRAGMA query_only=ON", "INSERT INTO words VALUES ('zwei')"], "only be read", "right to write"),
        (
            ["PRAGMA max_page_count=1", "INSERT INTO words VALUES (hex(zeroblob(1000000)))"],
            "disk is full",
            "Free some space",
        ),
        (["SELECT * FROM fehlt"], "no such table: fehlt", "fundstelle doctor"),
        (["SELEKT"], "syntax error", "fundstelle doctor"),
    ],
    ids=["rule", "read-only", "full", "table", "syntax"],
)
def test_statement_when_the_database_refuses_then_storage_error_with_file_and_way_out(
    engine: Engine, statements: list[str], message: str, hint: str
) -> None:
    """Whatever the driver raises, callers see a `StorageError` that names the file; the cause is kept."""
    *before, refused = [text(statement) for statement in statements]
    with engine.connect() as connection:
        for statement in before:
            connection.execute(statement)
        with pytest.raises(StorageError, match=message) as caught:
            connection.execute(refused)
    assert "probe.sqlite3" in caught.value.message
    assert hint in caught.value.hint
    assert isinstance(caught.value.__cause__, sqlite3.Error)


@pytest.mark.parametrize(
    "name", [name for name in dir(sqlite3) if name.startswith(tuple(f"SQLITE_{word}" for word in OWN_WORDS))]
)
def test_storage_error_when_the_result_can_be_acted_upon_then_it_has_words_of_its_own(name: str) -> None:
    """No extended result of SQLite, of this version or the next, falls through to the general words."""
    error = sqlite3.OperationalError("vendor words")
    error.sqlite_errorname = name
    assert "vendor words" not in storage_error(error, "x.sqlite3").message


def test_open_database_when_the_folder_cannot_be_made_then_said_with_a_way_out(tmp_path: Path) -> None:
    """A folder that a file is in the way of, or that may not be made, is named with what to do."""
    (tmp_path / "datei").write_text("x")
    with pytest.raises(StorageError, match="a file is in its way") as caught:
        open_database(tmp_path / "datei")
    assert "FUNDSTELLE_HOME" in caught.value.hint
    denied = storage_error(PermissionError(13, "Permission denied"), "/x/y")
    assert denied.message == "The data folder /x/y cannot be made: Permission denied."
    assert "right to write" in denied.hint
