"""The connection to the canonical store; opens it, sets it up, brings its schema up to date.

SQLite runs in WAL mode with `synchronous=NORMAL`: a crash of the process loses nothing, a loss of
power can lose the last transactions but never leaves a half one or a damaged file, because the log
is synced before pages move from it into the database. That is enough for work that can be done
again, as every step of the import can. A *durable* transaction (`synchronous=FULL`: the log is synced
at its commit, and with it everything before) is wanted where something is removed or promised on its
strength: when a version becomes visible, before old points leave the index, on withdrawal, and
before the text of an old index is dropped.
"""

from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from fundstelle.adapters.sql.failures import storage_error, translate_errors
from fundstelle.adapters.sql.migrate import upgrade

DATABASE_FILE = "ki_content.sqlite3"
"""Name of the database in the data folder."""

READ_ONLY = "fundstelle_read_only"
DURABLE = "fundstelle_durable"

_BUSY_TIMEOUT_S = 30.0
_CACHE_KIB = 16_384
_MAPPED_BYTES = 1024**3
_LOG_LIMIT_BYTES = 64 * 1024 * 1024


def open_database(folder: Path, *, busy_timeout_s: float = _BUSY_TIMEOUT_S) -> Engine:
    """Open the SQLite database of a data folder, making or upgrading it as needed.

    Raises:
        StorageError: It cannot be opened, written, or comes from a newer version of the program.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, str(folder)) from error
    engine = sqlite_engine(folder / DATABASE_FILE, busy_timeout_s=busy_timeout_s)
    upgrade(engine)
    return engine


def sqlite_engine(file: Path, *, busy_timeout_s: float = _BUSY_TIMEOUT_S) -> Engine:
    """Make an engine for a SQLite file, set up but without looking at its schema."""
    engine = create_engine(URL.create("sqlite", database=str(file)), connect_args={"timeout": busy_timeout_s})
    translate_errors(engine)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Transactions are begun by `_begin`; the driver's own guesses would begin them too late.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        f"cache_size=-{_CACHE_KIB}",
        f"mmap_size={_MAPPED_BYTES}",
        f"journal_size_limit={_LOG_LIMIT_BYTES}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A transaction that writes takes the lock at once, so that it can never fail half way because
    # another one wrote in between.
    options = connection.get_execution_options()
    wanted = "FULL" if options.get(DURABLE) else "NORMAL"
    if connection.info.get("synchronous") != wanted:
        connection.exec_driver_sql(f"PRAGMA synchronous={wanted}")
        connection.info["synchronous"] = wanted
    connection.exec_driver_sql("BEGIN" if options.get(READ_ONLY) else "BEGIN IMMEDIATE")
