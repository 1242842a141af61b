"""Make the tables of the query log."""

from alembic import op
from sqlalchemy import Boolean, Column, Float, ForeignKeyConstraint, Integer, PrimaryKeyConstraint

from fundstelle.adapters.sql.types import Json, LongBinary, LongText, UtcDateTime, identifier

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables of the query log."""
    _queries()
    _query_phases()
    _query_sources()


def _queries() -> None:
    op.create_table(
        "queries",
        Column("id", identifier(), nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        Column("application", identifier(), nullable=True),
        Column("raw_text", LongText, nullable=False),
        Column("state", identifier(), nullable=False),
        Column("verdict", identifier(), nullable=True),
        Column("reason", LongText, nullable=False),
        Column("failed_phase", identifier(), nullable=True),
        Column("failure", LongText, nullable=False),
        PrimaryKeyConstraint("id", name="pk_queries"),
    )
    op.create_index("ix_queries_created_at", "queries", ["created_at"], unique=False)


def _query_phases() -> None:
    op.create_table(
        "query_phases",
        Column("query_id", identifier(), nullable=False),
        Column("phase", identifier(), nullable=False),
        Column("duration_ms", Float(), nullable=False),
        Column("criteria", Json, nullable=False),
        Column("artefacts", Json, nullable=True),
        Column("text", LongText, nullable=True),
        Column("vector", LongBinary, nullable=True),
        Column("artefact_hash", identifier(), nullable=False),
        ForeignKeyConstraint(["query_id"], ["queries.id"], name="fk_query_phases_query_id"),
        PrimaryKeyConstraint("query_id", "phase", name="pk_query_phases"),
    )


def _query_sources() -> None:
    op.create_table(
        "query_sources",
        Column("query_id", identifier(), nullable=False),
        Column("number", Integer(), nullable=False),
        Column("document_id", identifier(), nullable=False),
        Column("version_id", identifier(), nullable=False),
        Column("chunk_id", identifier(), nullable=False),
        Column("cited", Boolean(), nullable=False),
        ForeignKeyConstraint(["query_id"], ["queries.id"], name="fk_query_sources_query_id"),
        ForeignKeyConstraint(
            ["version_id", "chunk_id"],
            ["chunks.version_id", "chunks.id"],
            name="fk_query_sources_version_id_chunk_id",
        ),
        PrimaryKeyConstraint("query_id", "number", name="pk_query_sources"),
    )
    op.create_index("ix_query_sources_document_id", "query_sources", ["document_id"], unique=False)
