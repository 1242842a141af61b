"""The migrations build exactly the schema that the code describes, and carry old databases over."""

import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from fundstelle.adapters.sql import migrate
from fundstelle.adapters.sql.engine import DATABASE_FILE, open_database, sqlite_engine
from fundstelle.adapters.sql.schema import metadata
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.domain.errors import StorageError
from fundstelle.ingest.library import list_documents, read_chunks, shown_version
from import_kit import all_rows

FROZEN = sorted(Path(__file__).parent.glob("schema_*.sqlite3"))
VERSIONS = Path(migrate.__file__).with_name("migrations") / "versions"


def test_metadata_when_compared_with_migrated_database_then_equal(tmp_path: Path) -> None:
    """Tables, columns, keys and indexes of the code are those that the migrations make."""
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_constraints_when_compared_with_migrated_database_then_equal(tmp_path: Path) -> None:
    """Primary keys too, which Alembic does not compare, are those of the code."""
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            rows = connection.execute(text(f"PRAGMA table_info({table.name})")).all()
            migrated = {row.name: (bool(row.notnull), row.pk > 0) for row in rows}
            described = {column.name: (not column.nullable, bool(column.primary_key)) for column in table.c}
            assert migrated == described, table.name


def test_revisions_when_listed_then_numbered_without_gap() -> None:
    """File names bear the revision, because the newest one is read from them."""
    numbers = []
    for path in sorted(VERSIONS.glob("v*.py")):
        source = path.read_text(encoding="utf-8")
        number = path.name[1:5]
        assert re.search(rf'^revision\b.*= "{number}"$', source, re.MULTILINE), path.name
        numbers.append(int(number))
    assert numbers == list(range(1, len(numbers) + 1))
    assert migrate.head_revision() == f"{numbers[-1]:04}"


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda path: path.stem)
def test_old_database_when_opened_then_upgraded_with_all_rows(frozen: Path, tmp_path: Path) -> None:
    """A database of an earlier schema is brought up to date and loses nothing."""
    shutil.copy(frozen, tmp_path / DATABASE_FILE)
    with sqlite3.connect(tmp_path / DATABASE_FILE) as before:
        counts = {
            name: before.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for (name,) in before.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name != "alembic_version"
        }
    before.close()
    assert counts["chunks"] > 0
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        assert migrate.current_revision(connection) == migrate.head_revision()
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        for name, count in counts.items():
            assert connection.scalar(text(f"SELECT count(*) FROM {name}")) == count, name
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
    database = SqlDatabase(engine)
    indexed = [s for s in list_documents(database=database) if s.document.current_version_id]
    assert indexed
    for summary in indexed:
        assert list(read_chunks(shown_version(summary), database=database))
    assert all_rows(database)["windows"]


def test_frozen_databases_when_listed_then_the_first_schema_is_among_them() -> None:
    """The test above must not pass because it looked at nothing."""
    assert "schema_0001" in {path.stem for path in FROZEN}


def test_database_of_a_newer_program_when_opened_then_refused_untouched(tmp_path: Path) -> None:
    """An older program never writes to a newer database; the message says so."""
    engine = open_database(tmp_path)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StorageError, match="newer Fundstelle"):
        open_database(tmp_path)


def test_upgrade_when_a_revision_fails_then_nothing_of_it_stays(tmp_path: Path) -> None:
    """All missing revisions run in one transaction: after a failure the database is as it was."""
    engine = sqlite_engine(tmp_path / DATABASE_FILE)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE windows (id INTEGER)"))  # in the way of the first revision
    with pytest.raises(StorageError):
        migrate.upgrade(engine)
    with engine.connect() as connection:
        names = connection.scalars(text("SELECT name FROM sqlite_master WHERE type = 'table'")).all()
    assert names == ["windows"]


def test_first_start_when_many_processes_start_at_once_then_all_see_the_schema(tmp_path: Path) -> None:
    """Processes that open a new data folder at the same time do not get into each other's way."""
    program = (
        "import sys; from pathlib import Path; from fundstelle.adapters.sql.engine import open_database; "
        "engine = open_database(Path(sys.argv[1])); "
        "print(engine.connect().exec_driver_sql('SELECT count(*) FROM documents').scalar())"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(6)
    ]
    for process in started:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out.strip()) == (0, b"0"), err.decode()
