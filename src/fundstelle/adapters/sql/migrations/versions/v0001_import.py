"""Make the tables of collections, documents and everything the import derives from them."""

from alembic import op
from sqlalchemy import (
    Boolean,
    Column,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    UniqueConstraint,
)

from fundstelle.adapters.sql.types import Json, LongBinary, LongText, UtcDateTime, identifier

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables of the import."""
    _collections()
    _embedding_models()
    _events()
    _documents()
    _embeddings()
    _document_versions()
    _chunks()
    _document_pages()
    _sections()
    _windows()


def _collections() -> None:
    op.create_table(
        "collections",
        Column("id", identifier(), nullable=False),
        Column("name", identifier(), nullable=False),
        Column("title", LongText, nullable=False),
        Column("description", LongText, nullable=False),
        Column("index_name", identifier(), nullable=True),
        Column("model_id", identifier(), nullable=True),
        Column("created_at", UtcDateTime, nullable=False),
        PrimaryKeyConstraint("id", name="pk_collections"),
        UniqueConstraint("name", name="uq_collections_name"),
    )


def _embedding_models() -> None:
    op.create_table(
        "embedding_models",
        Column("id", identifier(), nullable=False),
        Column("provider", identifier(), nullable=False),
        Column("name", identifier(), nullable=False),
        Column("digest", identifier(), nullable=False),
        Column("dimension", Integer(), nullable=False),
        Column("normalised", Boolean(), nullable=False),
        Column("query_prefix", LongText, nullable=False),
        Column("passage_prefix", LongText, nullable=False),
        Column("max_pieces", Integer(), nullable=False),
        PrimaryKeyConstraint("id", name="pk_embedding_models"),
    )


def _events() -> None:
    op.create_table(
        "events",
        Column("id", Integer(), autoincrement=True, nullable=False),
        Column("event", identifier(), nullable=False),
        Column("subject", identifier(), nullable=False),
        Column("detail", LongText, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        PrimaryKeyConstraint("id", name="pk_events"),
    )
    op.create_index("ix_events_subject", "events", ["subject"], unique=False)


def _documents() -> None:
    op.create_table(
        "documents",
        Column("id", identifier(), nullable=False),
        Column("collection_id", identifier(), nullable=False),
        Column("filename", LongText, nullable=False),
        Column("source_path", LongText, nullable=False),
        Column("title", LongText, nullable=False),
        Column("author", LongText, nullable=True),
        Column("language", identifier(), nullable=True),
        Column("current_version_id", identifier(), nullable=True),
        Column("status", identifier(), nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        Column("withdrawn_at", UtcDateTime, nullable=True),
        ForeignKeyConstraint(["collection_id"], ["collections.id"], name="fk_documents_collection_id"),
        PrimaryKeyConstraint("id", name="pk_documents"),
    )
    op.create_index(
        "ix_documents_collection_id_created_at_id",
        "documents",
        ["collection_id", "created_at", "id"],
        unique=False,
    )
    op.create_index("ix_documents_created_at_id", "documents", ["created_at", "id"], unique=False)


def _embeddings() -> None:
    op.create_table(
        "embeddings",
        Column("model_id", identifier(), nullable=False),
        Column("text_hash", identifier(), nullable=False),
        Column("vector", LongBinary, nullable=False),
        Column("pieces", Integer(), nullable=False),
        ForeignKeyConstraint(["model_id"], ["embedding_models.id"], name="fk_embeddings_model_id"),
        PrimaryKeyConstraint("model_id", "text_hash", name="pk_embeddings"),
    )


def _document_versions() -> None:
    op.create_table(
        "document_versions",
        Column("id", identifier(), nullable=False),
        Column("document_id", identifier(), nullable=False),
        Column("content_hash", identifier(), nullable=False),
        Column("ordinal", Integer(), nullable=False),
        Column("media_type", identifier(), nullable=False),
        Column("file_size", Integer(), nullable=False),
        Column("page_count", Integer(), nullable=True),
        Column("status", identifier(), nullable=False),
        Column("verdict", identifier(), nullable=False),
        Column("verdict_detail", LongText, nullable=False),
        Column("failed_phase", identifier(), nullable=True),
        Column("failure", LongText, nullable=True),
        Column("text_hash", identifier(), nullable=True),
        Column("chunker", identifier(), nullable=True),
        Column("title", LongText, nullable=True),
        Column("author", LongText, nullable=True),
        Column("language", identifier(), nullable=True),
        Column("metadata", Json, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_document_versions_document_id"),
        PrimaryKeyConstraint("id", name="pk_document_versions"),
        UniqueConstraint("document_id", "content_hash", name="uq_document_versions_document_id_content_hash"),
    )
    op.create_index("ix_document_versions_content_hash", "document_versions", ["content_hash"], unique=False)
    op.create_index("ix_document_versions_document_id", "document_versions", ["document_id"], unique=False)
    op.create_index("ix_document_versions_status", "document_versions", ["status"], unique=False)


def _chunks() -> None:
    op.create_table(
        "chunks",
        Column("version_id", identifier(), nullable=False),
        Column("id", identifier(), nullable=False),
        Column("document_id", identifier(), nullable=False),
        Column("section_id", identifier(), nullable=False),
        Column("chunk_index", Integer(), nullable=False),
        Column("content", LongText, nullable=False),
        Column("text_hash", identifier(), nullable=False),
        Column("token_count", Integer(), nullable=False),
        Column("heading_path", LongText, nullable=False),
        Column("semantic_role", identifier(), nullable=False),
        Column("char_start", Integer(), nullable=False),
        Column("char_end", Integer(), nullable=False),
        Column("page_first", Integer(), nullable=False),
        Column("page_last", Integer(), nullable=False),
        Column("chunker", identifier(), nullable=False),
        Column("superseded", Boolean(), nullable=False),
        Column("metadata", Json, nullable=False),
        Column("qdrant_id", identifier(), nullable=True),
        Column("status", identifier(), nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        ForeignKeyConstraint(["version_id"], ["document_versions.id"], name="fk_chunks_version_id"),
        PrimaryKeyConstraint("version_id", "id", name="pk_chunks"),
    )
    op.create_index("ix_chunks_document_id", "chunks", ["document_id"], unique=False)
    op.create_index("ix_chunks_id", "chunks", ["id"], unique=False)


def _document_pages() -> None:
    op.create_table(
        "document_pages",
        Column("id", identifier(), nullable=False),
        Column("document_id", identifier(), nullable=False),
        Column("version_id", identifier(), nullable=False),
        Column("page_number", Integer(), nullable=False),
        Column("page_label", LongText, nullable=True),
        Column("char_start", Integer(), nullable=False),
        Column("content", LongText, nullable=False),
        Column("raw_content", LongText, nullable=False),
        Column("offset_map", LongBinary, nullable=False),
        Column("line_boxes", LongBinary, nullable=False),
        Column("quality", identifier(), nullable=False),
        Column("metadata", Json, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        ForeignKeyConstraint(["version_id"], ["document_versions.id"], name="fk_document_pages_version_id"),
        PrimaryKeyConstraint("id", name="pk_document_pages"),
        UniqueConstraint("version_id", "page_number", name="uq_document_pages_version_id_page_number"),
    )


def _sections() -> None:
    op.create_table(
        "sections",
        Column("id", identifier(), nullable=False),
        Column("document_id", identifier(), nullable=False),
        Column("version_id", identifier(), nullable=False),
        Column("parent_id", identifier(), nullable=True),
        Column("ordinal", Integer(), nullable=False),
        Column("ordinal_path", identifier(), nullable=False),
        Column("level", Integer(), nullable=False),
        Column("title", LongText, nullable=False),
        Column("heading_path", LongText, nullable=False),
        Column("char_start", Integer(), nullable=False),
        Column("body_start", Integer(), nullable=False),
        Column("char_end", Integer(), nullable=False),
        Column("page_first", Integer(), nullable=False),
        Column("page_last", Integer(), nullable=False),
        Column("recognised_by", identifier(), nullable=False),
        ForeignKeyConstraint(["version_id"], ["document_versions.id"], name="fk_sections_version_id"),
        PrimaryKeyConstraint("id", name="pk_sections"),
        UniqueConstraint("version_id", "ordinal", name="uq_sections_version_id_ordinal"),
    )


def _windows() -> None:
    op.create_table(
        "windows",
        Column("version_id", identifier(), nullable=False),
        Column("chunk_id", identifier(), nullable=False),
        Column("model_id", identifier(), nullable=False),
        Column("window_index", Integer(), nullable=False),
        Column("char_start", Integer(), nullable=False),
        Column("char_end", Integer(), nullable=False),
        Column("text_hash", identifier(), nullable=False),
        Column("pieces", Integer(), nullable=False),
        Column("qdrant_id", identifier(), nullable=False),
        Column("status", identifier(), nullable=False),
        ForeignKeyConstraint(["model_id"], ["embedding_models.id"], name="fk_windows_model_id"),
        ForeignKeyConstraint(
            ["version_id", "chunk_id"],
            ["chunks.version_id", "chunks.id"],
            name="fk_windows_version_id_chunk_id",
        ),
        PrimaryKeyConstraint("version_id", "chunk_id", "model_id", "window_index", name="pk_windows"),
    )
    op.create_index("ix_windows_qdrant_id", "windows", ["qdrant_id"], unique=False)
    op.create_index("ix_windows_status", "windows", ["status"], unique=False)
