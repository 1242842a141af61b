"""The schema of collections, documents and everything the import derives from them.

Column names follow the process description. Constraints and indexes have names made by one
convention, so that migrations can speak of them on every engine.
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
)

from fundstelle.adapters.sql.types import Json, LongBinary, LongText, UtcDateTime, identifier

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

collections = Table(
    "collections",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("name", identifier(), nullable=False, unique=True),
    Column("title", LongText, nullable=False),
    Column("description", LongText, nullable=False),
    Column("index_name", identifier(), nullable=True, comment="alias: the index that queries use"),
    Column("model_id", identifier(), nullable=True, comment="model identity of that index"),
    Column("created_at", UtcDateTime, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("collection_id", identifier(), ForeignKey(collections.c.id), nullable=False),
    Column("filename", LongText, nullable=False),
    Column("source_path", LongText, nullable=False),
    Column("title", LongText, nullable=False),
    Column("author", LongText, nullable=True),
    Column("language", identifier(), nullable=True),
    Column("current_version_id", identifier(), nullable=True, comment="the version that queries see"),
    Column("status", identifier(), nullable=False, comment="status of the newest version"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("withdrawn_at", UtcDateTime, nullable=True),
    Index("ix_documents_created_at_id", "created_at", "id"),
    Index("ix_documents_collection_id_created_at_id", "collection_id", "created_at", "id"),
)

document_versions = Table(
    "document_versions",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("document_id", identifier(), ForeignKey(documents.c.id), nullable=False, index=True),
    Column("content_hash", identifier(), nullable=False, index=True),
    Column("ordinal", Integer, nullable=False, comment="1 for the first version of the document"),
    Column("media_type", identifier(), nullable=False),
    Column("file_size", Integer, nullable=False),
    Column("page_count", Integer, nullable=True),
    Column("status", identifier(), nullable=False, index=True),
    Column("verdict", identifier(), nullable=False),
    Column("verdict_detail", LongText, nullable=False),
    Column("failed_phase", identifier(), nullable=True),
    Column("failure", LongText, nullable=True),
    Column("text_hash", identifier(), nullable=True, comment="hash of the version text"),
    Column("chunker", identifier(), nullable=True, comment="version and parameters of the chunker in use"),
    Column("title", LongText, nullable=True),
    Column("author", LongText, nullable=True),
    Column("language", identifier(), nullable=True),
    Column("metadata", Json, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("document_id", "content_hash"),
)

document_pages = Table(
    "document_pages",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("document_id", identifier(), nullable=False),
    Column("version_id", identifier(), ForeignKey(document_versions.c.id), nullable=False),
    Column("page_number", Integer, nullable=False),
    Column("page_label", LongText, nullable=True),
    Column("char_start", Integer, nullable=False, comment="place in the version text"),
    Column("content", LongText, nullable=False),
    Column("raw_content", LongText, nullable=False),
    Column("offset_map", LongBinary, nullable=False),
    Column("line_boxes", LongBinary, nullable=False),
    Column("quality", identifier(), nullable=False),
    Column("metadata", Json, nullable=False, comment="quality reason, marks, width, height, ocr"),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("version_id", "page_number"),
)

sections = Table(
    "sections",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("document_id", identifier(), nullable=False),
    Column("version_id", identifier(), ForeignKey(document_versions.c.id), nullable=False),
    Column("parent_id", identifier(), nullable=True),
    Column("ordinal", Integer, nullable=False),
    Column("ordinal_path", identifier(), nullable=False),
    Column("level", Integer, nullable=False),
    Column("title", LongText, nullable=False),
    Column("heading_path", LongText, nullable=False),
    Column("char_start", Integer, nullable=False),
    Column("body_start", Integer, nullable=False),
    Column("char_end", Integer, nullable=False),
    Column("page_first", Integer, nullable=False),
    Column("page_last", Integer, nullable=False),
    Column("recognised_by", identifier(), nullable=False),
    UniqueConstraint("version_id", "ordinal"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("version_id", identifier(), ForeignKey(document_versions.c.id), primary_key=True),
    Column(
        "id", identifier(), primary_key=True, comment="the same content gives the same id in every document"
    ),
    Column("document_id", identifier(), nullable=False, index=True),
    Column("section_id", identifier(), nullable=False),
    Column("chunk_index", Integer, nullable=False),
    Column("content", LongText, nullable=False),
    Column("text_hash", identifier(), nullable=False),
    Column("token_count", Integer, nullable=False),
    Column("heading_path", LongText, nullable=False),
    Column("semantic_role", identifier(), nullable=False),
    Column("char_start", Integer, nullable=False),
    Column("char_end", Integer, nullable=False),
    Column("page_first", Integer, nullable=False),
    Column("page_last", Integer, nullable=False),
    Column("chunker", identifier(), nullable=False),
    Column(
        "superseded", Boolean, nullable=False, comment="kept for old answers; a later chunker made others"
    ),
    Column("metadata", Json, nullable=False, comment="repeated table header, split sentence"),
    Column("qdrant_id", identifier(), nullable=True, comment="point of the first window"),
    Column("status", identifier(), nullable=False, comment="pending, indexed, skipped"),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_chunks_id", "id"),
)

embedding_models = Table(
    "embedding_models",
    metadata,
    Column("id", identifier(), primary_key=True),
    Column("provider", identifier(), nullable=False),
    Column("name", identifier(), nullable=False),
    Column("digest", identifier(), nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("normalised", Boolean, nullable=False),
    Column("query_prefix", LongText, nullable=False),
    Column("passage_prefix", LongText, nullable=False),
    Column("max_pieces", Integer, nullable=False),
)

windows = Table(
    "windows",
    metadata,
    Column("version_id", identifier(), primary_key=True),
    Column("chunk_id", identifier(), primary_key=True),
    Column("model_id", identifier(), ForeignKey(embedding_models.c.id), primary_key=True),
    Column("window_index", Integer, primary_key=True),
    Column("char_start", Integer, nullable=False),
    Column("char_end", Integer, nullable=False),
    Column("text_hash", identifier(), nullable=False, comment="hash of exactly what was embedded"),
    Column("pieces", Integer, nullable=False),
    Column("qdrant_id", identifier(), nullable=False),
    Column("status", identifier(), nullable=False, comment="pending, indexed, skipped, removing"),
    ForeignKeyConstraint(["version_id", "chunk_id"], [chunks.c.version_id, chunks.c.id]),
    Index("ix_windows_qdrant_id", "qdrant_id"),
    Index("ix_windows_status", "status"),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("model_id", identifier(), ForeignKey(embedding_models.c.id), primary_key=True),
    Column("text_hash", identifier(), primary_key=True),
    Column("vector", LongBinary, nullable=False, comment="float32, little endian"),
    Column("pieces", Integer, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column(
        "event", identifier(), nullable=False, comment="what happened: withdrawn, restored, skipped, rebuilt"
    ),
    Column("subject", identifier(), nullable=False, comment="id of the document, version, chunk or index"),
    Column("detail", LongText, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_events_subject", "subject"),
)
