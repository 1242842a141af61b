"""Column types that behave alike on SQLite and MariaDB."""

from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, LargeBinary, String, Text
from sqlalchemy.dialects import mysql
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

LongText = Text().with_variant(mysql.LONGTEXT(collation="utf8mb4_bin"), "mysql", "mariadb")
LongBinary = LargeBinary().with_variant(mysql.LONGBLOB(), "mysql", "mariadb")
Json = JSON()


def identifier() -> String:
    """Make the type of ids, names and hashes: compared byte by byte on every engine."""
    return String(191).with_variant(mysql.VARCHAR(191, collation="utf8mb4_bin"), "mysql", "mariadb")


class UtcDateTime(TypeDecorator[datetime]):
    """Store a point in time as UTC without zone, and hand it back with the zone UTC."""

    impl = DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC before storing."""
        del dialect
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Mark what was read as UTC."""
        del dialect
        return None if value is None else value.replace(tzinfo=UTC)
