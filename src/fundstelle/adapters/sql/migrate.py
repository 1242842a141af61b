"""Bring a database up to the schema of this program.

Revisions are numbered `0001`, `0002`, …; the files `migrations/versions/vNNNN_*.py` bear the number
in their name, so that a database that is up to date is recognised without loading Alembic.
"""

import re
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from fundstelle.domain.errors import StorageError

_MIGRATIONS = Path(__file__).with_name("migrations")


def head_revision() -> str:
    """Name the newest revision that this program knows."""
    names = (re.match(r"v(\d{4})_", path.name) for path in (_MIGRATIONS / "versions").glob("v*.py"))
    return max(name.group(1) for name in names if name)


def current_revision(connection: Connection) -> str | None:
    """Read the revision of a database; None when it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def upgrade(engine: Engine, revision: str | None = None) -> None:
    """Run the migrations that are missing, all in one transaction.

    Args:
        revision: Stop there; None goes to the newest.

    Raises:
        StorageError: The database was written by a newer version of the program.
    """
    target = revision or head_revision()
    read_only = engine.execution_options(fundstelle_read_only=True)
    with read_only.connect() as connection:
        if not _is_older(current_revision(connection), target):
            return
    with engine.begin() as connection:
        if _is_older(current_revision(connection), target):
            _run(connection, target)


def _is_older(current: str | None, target: str) -> bool:
    if current is not None and current > head_revision():
        raise StorageError(
            f"The database was written by a newer Fundstelle (schema {current}, known is {head_revision()}).",
            "Install the newer version; an older one must not write to it.",
        )
    return current is None or current < target


def _run(connection: Connection, target: str) -> None:
    # Loaded here because it takes a tenth of a second that only the first start should pay.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, target)
