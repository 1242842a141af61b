"""Events in SQL; implements `ports.storing.EventLog`."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from fundstelle.adapters.sql.statements import insert_all
from fundstelle.adapters.sql.tables import events as events_table
from fundstelle.ports.records import Event
from fundstelle.ports.storing import Clock


class SqlEvents:
    """Keep what happened beside the plain course."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def record(self, events: Sequence[Event]) -> None:
        """Add events."""
        now = self._clock()
        rows = [
            {"event": event.event, "subject": event.subject, "detail": event.detail, "created_at": now}
            for event in events
        ]
        insert_all(self._connection, events_table, rows)

    def of(self, subject: str) -> tuple[Event, ...]:
        """Read the events of a subject, the oldest first."""
        columns = events_table.c
        query = (
            select(columns.event, columns.subject, columns.detail)
            .where(columns.subject == subject)
            .order_by(columns.id)
        )
        return tuple(Event(row.event, row.subject, row.detail) for row in self._connection.execute(query))
