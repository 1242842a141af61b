"""Keep the query log in SQL; implements `ports.querying.QueryLog`.

A record is its own unit of work: it is stored whole in one transaction, or not at all.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Engine, Row, Text, bindparam, insert, select, type_coerce

from fundstelle.adapters.sql.engine import READ_ONLY
from fundstelle.adapters.sql.query_codec import (
    StoredArtefact,
    decode_criteria,
    decode_trail,
    encode_artefact,
    encode_criteria,
    named_chunks,
)
from fundstelle.adapters.sql.query_tables import queries, query_phases, query_sources
from fundstelle.adapters.sql.statements import batches, insert_all
from fundstelle.adapters.sql.tables import chunks
from fundstelle.domain.identity import ChunkId, DocumentId, QueryId, TextHash, VersionId
from fundstelle.domain.query_phases import Integrity, Phase, QueryTrail
from fundstelle.domain.query_record import PhaseRecord, QueryRecord, QueryState
from fundstelle.domain.retrieval import AnswerVerdict, Application
from fundstelle.ports.querying import QuerySummary

_JSON = {
    "criteria": bindparam("criteria_json", type_=Text),
    "artefacts": bindparam("artefacts_json", type_=Text),
}
_PLAIN = {
    name: bindparam(f"{name}_value", type_=query_phases.c[name].type)
    for name in ("query_id", "phase", "duration_ms", "text", "vector", "artefact_hash")
}
_ADD_PHASES = insert(query_phases).values(_JSON | _PLAIN)
_PHASES = select(
    query_phases.c.phase,
    query_phases.c.duration_ms,
    type_coerce(query_phases.c.criteria, Text).label("criteria"),
    type_coerce(query_phases.c.artefacts, Text).label("artefacts"),
    query_phases.c.text,
    query_phases.c.vector,
    query_phases.c.artefact_hash,
).order_by(query_phases.c.phase)


class SqlQueryLog:
    """Keep queries in the tables `queries`, `query_phases` and `query_sources`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._read_only = engine.execution_options(**{READ_ONLY: True})

    def add(self, record: QueryRecord) -> None:
        """Store a record, whole or not at all, in one transaction."""
        phases = [_phase_row(record, phase) for phase in record.phases]
        with self._engine.begin() as connection:
            connection.execute(insert(queries), _query_row(record))
            connection.execute(_ADD_PHASES, phases)
            insert_all(connection, query_sources, _source_rows(record))

    def load(self, query_id: QueryId) -> QueryRecord | None:
        """Read a record; the texts of chunks come from the chunks as they are stored now."""
        with self._read_only.connect() as connection:
            query = connection.execute(select(queries).where(queries.c.id == query_id)).one_or_none()
            if query is None:
                return None
            rows = connection.execute(_PHASES.where(query_phases.c.query_id == query_id)).all()
            stored = {Phase(row.phase): StoredArtefact(row.artefacts, row.text, row.vector) for row in rows}
            contents = _contents(connection, stored)
        trail, unreadable = decode_trail(stored, contents)
        phases = (_phase(row, stored, unreadable) for row in rows)
        return _record(query, trail, tuple(phases))

    def ids(self, after: QueryId | None, limit: int) -> Sequence[QueryId]:
        """List ids in ascending order, those greater than `after`."""
        statement = select(queries.c.id).order_by(queries.c.id).limit(limit)
        if after is not None:
            statement = statement.where(queries.c.id > after)
        with self._read_only.connect() as connection:
            return [QueryId(found) for found in connection.scalars(statement)]

    def recent(self, limit: int, offset: int = 0) -> Sequence[QuerySummary]:
        """List queries, the newest first."""
        statement = (
            select(queries).order_by(queries.c.created_at.desc(), queries.c.id).limit(limit).offset(offset)
        )
        with self._read_only.connect() as connection:
            return [_summary(row) for row in connection.execute(statement)]

    def citing(self, document: DocumentId) -> Sequence[QueryId]:
        """List the queries whose answer had a document among its sources, in ascending order."""
        statement = select(query_sources.c.query_id).distinct().order_by(query_sources.c.query_id)
        with self._read_only.connect() as connection:
            found = connection.scalars(statement.where(query_sources.c.document_id == document))
            return [QueryId(one) for one in found]


def _query_row(record: QueryRecord) -> Mapping[str, object]:
    accepted = record.trail.accepted
    return {
        "id": record.query_id,
        "created_at": record.created_at,
        "application": accepted.query.application.value if accepted else None,
        "raw_text": record.raw_text,
        "state": record.state.value,
        "verdict": record.verdict.value if record.verdict else None,
        "reason": record.reason,
        "failed_phase": record.failed_phase.value if record.failed_phase else None,
        "failure": record.failure,
    }


def _phase_row(record: QueryRecord, phase: PhaseRecord) -> Mapping[str, object]:
    artefact = encode_artefact(phase.phase, record.trail)
    return {
        "query_id_value": record.query_id,
        "phase_value": phase.phase.value,
        "duration_ms_value": phase.duration_ms,
        "criteria_json": encode_criteria(phase.criteria),
        "artefacts_json": artefact.artefacts,
        "text_value": artefact.text,
        "vector_value": artefact.vector,
        "artefact_hash_value": artefact.hash(),
    }


def _source_rows(record: QueryRecord) -> Sequence[Mapping[str, object]]:
    output = record.trail.output
    return [
        {
            "query_id": record.query_id,
            "number": source.number,
            "document_id": source.document_id,
            "version_id": source.version_id,
            "chunk_id": source.chunk_id,
            "cited": source.cited,
        }
        for source in (output.sources if output else ())
    ]


def _contents(
    connection: Connection, stored: Mapping[Phase, StoredArtefact]
) -> Mapping[tuple[VersionId, ChunkId], str]:
    try:
        keys = named_chunks(stored)
    except (ValueError, TypeError):
        return {}  # decode_trail says why they cannot be read
    wanted = select(chunks.c.version_id, chunks.c.id, chunks.c.content)
    found: dict[tuple[VersionId, ChunkId], str] = {}
    for batch in batches(keys):
        versions, ids = sorted({version for version, _ in batch}), sorted({chunk for _, chunk in batch})
        rows = connection.execute(wanted.where(chunks.c.id.in_(ids), chunks.c.version_id.in_(versions)))
        found.update({(VersionId(row.version_id), ChunkId(row.id)): row.content for row in rows})
    return found


def _phase(
    row: Row[tuple[str, ...]], stored: Mapping[Phase, StoredArtefact], unreadable: Mapping[Phase, str]
) -> PhaseRecord:
    phase = Phase(row.phase)
    why = unreadable.get(phase, "")
    try:
        criteria = decode_criteria(row.criteria)
    except ValueError as error:
        criteria, why = (), f"{why} the criteria: {error}".strip()
    integrity = Integrity(TextHash(row.artefact_hash), stored[phase].hash(), why)
    return PhaseRecord(phase, row.duration_ms, criteria, integrity)


def _record(row: Row[tuple[str, ...]], trail: QueryTrail, phases: tuple[PhaseRecord, ...]) -> QueryRecord:
    return QueryRecord(
        query_id=QueryId(row.id),
        created_at=row.created_at,
        raw_text=row.raw_text,
        state=QueryState(row.state),
        verdict=AnswerVerdict(row.verdict) if row.verdict else None,
        reason=row.reason,
        failed_phase=Phase(row.failed_phase) if row.failed_phase else None,
        failure=row.failure,
        trail=trail,
        phases=phases,
    )


def _summary(row: Row[tuple[str, ...]]) -> QuerySummary:
    return QuerySummary(
        query_id=QueryId(row.id),
        created_at=row.created_at,
        application=Application(row.application) if row.application else None,
        raw_text=row.raw_text,
        state=QueryState(row.state),
        verdict=AnswerVerdict(row.verdict) if row.verdict else None,
    )
