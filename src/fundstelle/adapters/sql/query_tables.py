"""The tables of the query log: every query with what each of its phases left behind.

Artefacts are JSON; what is long or must be kept to the byte (question, context, prompt, raw answer,
query vector) stands in a column of its own. Texts of chunks are not kept twice: the artefacts of A3
and A4 name chunk and hash, the text stands in `chunks`, which is never changed or deleted.
"""

from sqlalchemy import Boolean, Column, Float, ForeignKey, ForeignKeyConstraint, Index, Integer, Table

from fundstelle.adapters.sql.tables import chunks, metadata
from fundstelle.adapters.sql.types import Json, LongBinary, LongText, UtcDateTime, identifier

queries = Table(
    "queries",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("application", identifier(), nullable=True),
    Column("raw_text", LongText, nullable=False),
    Column("state", identifier(), nullable=False, comment="answered, refused, failed"),
    Column("verdict", identifier(), nullable=True),
    Column("reason", LongText, nullable=False, comment="why there is no answer"),
    Column("failed_phase", identifier(), nullable=True),
    Column("failure", LongText, nullable=False, comment="code and message of the error"),
    Index("ix_queries_created_at", "created_at"),
)

query_phases = Table(
    "query_phases",
    metadata,
    Column("query_id", identifier(), ForeignKey(queries.c.id), primary_key=True),
    Column("phase", identifier(), primary_key=True, comment="A0 to A8"),
    Column("duration_ms", Float, nullable=False),
    Column("criteria", Json, nullable=False, comment="names of the criteria checked, and what did not hold"),
    Column("artefacts", Json, nullable=True, comment="null where the phase failed before it left any"),
    Column("text", LongText, nullable=True, comment="A1 question, A5 context, A6 prompt, A7 raw answer"),
    Column("vector", LongBinary, nullable=True, comment="A1: float32, little endian"),
    Column("artefact_hash", identifier(), nullable=False, comment="SHA-256 over artefacts, text and vector"),
)

query_sources = Table(
    "query_sources",
    metadata,
    Column("query_id", identifier(), ForeignKey(queries.c.id), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("document_id", identifier(), nullable=False),
    Column("version_id", identifier(), nullable=False),
    Column("chunk_id", identifier(), nullable=False),
    Column("cited", Boolean, nullable=False),
    ForeignKeyConstraint(["version_id", "chunk_id"], [chunks.c.version_id, chunks.c.id]),
    Index("ix_query_sources_document_id", "document_id"),
)
