"""Small pieces of SQL that several stores share and that hold on every engine."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, Insert, Table, exists, insert, update

from fundstelle.adapters.sql.tables import document_versions

BATCH = 500
"""Values that one statement is given in a list."""

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """Cut a sequence into lists of at most `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def insert_missing(table: Table) -> Insert:
    """Insert rows, leaving those alone whose key is there."""
    return (
        insert(table)
        .prefix_with("OR IGNORE", dialect="sqlite")
        .prefix_with("IGNORE", dialect="mysql")
        .prefix_with("IGNORE", dialect="mariadb")
    )


def save(
    connection: Connection, table: Table, key: str, values: Mapping[str, object], new: Mapping[str, object]
) -> None:
    """Replace the values of one row, or insert it with the `new` values too when it is not there."""
    found = connection.execute(update(table).where(table.c.id == key).values(values))
    if not found.rowcount:
        connection.execute(insert(table).values({"id": key, **values, **new}))


def insert_all(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert many rows with one prepared statement."""
    if rows:
        connection.execute(insert(table), rows)


def is_newest() -> ColumnElement[bool]:
    """Tell whether a row of `document_versions` is the newest version of its document."""
    later = document_versions.alias("later")
    return ~exists().where(
        later.c.document_id == document_versions.c.document_id,
        later.c.ordinal > document_versions.c.ordinal,
    )
