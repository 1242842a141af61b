"""Ids and hashes: everything that is stored is named by what it is, the same on every machine.

Ids are derived, never random, so that an import that was interrupted and run again ends with
the same rows as one that was not. Only queries, which happen in time, get random ids.
"""

import hashlib
import uuid
from typing import NewType

CollectionId = NewType("CollectionId", str)
DocumentId = NewType("DocumentId", str)
VersionId = NewType("VersionId", str)
PageId = NewType("PageId", str)
SectionId = NewType("SectionId", str)
ChunkId = NewType("ChunkId", str)
ModelId = NewType("ModelId", str)
PointId = NewType("PointId", str)
QueryId = NewType("QueryId", str)
ContentHash = NewType("ContentHash", str)
TextHash = NewType("TextHash", str)

_POINT_NAMESPACE = uuid.UUID("6f0b6a52-6d0e-5f4e-9d0a-66756e647374")
_SEPARATOR = "\x1f"


def content_hash(data: bytes) -> ContentHash:
    """Hash the bytes of a file (SHA-256, hex)."""
    return ContentHash(hashlib.sha256(data).hexdigest())


def text_hash(text: str) -> TextHash:
    """Hash a text (SHA-256 of its UTF-8 form, hex)."""
    return TextHash(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def _derive(prefix: str, *parts: str) -> str:
    digest = hashlib.sha256(_SEPARATOR.join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{prefix}_{digest[:24]}"


def collection_id(name: str) -> CollectionId:
    """Derive the id of a collection from its name."""
    return CollectionId(_derive("col", name))


def document_id(collection: CollectionId, source_key: str) -> DocumentId:
    """Derive the id of a document from its collection and where it comes from.

    Args:
        source_key: `path:` and the NFC absolute path, or `title:` and the NFC title of a typed text.
    """
    return DocumentId(_derive("doc", collection, source_key))


def version_id(document: DocumentId, content: ContentHash) -> VersionId:
    """Derive the id of a version from its document and its bytes."""
    return VersionId(_derive("ver", document, content))


def page_id(version: VersionId, page_number: int) -> PageId:
    """Derive the id of a page from its version and its physical number, from 1."""
    return PageId(_derive("pag", version, str(page_number)))


def section_id(version: VersionId, ordinal_path: str) -> SectionId:
    """Derive the id of a section from its version and its place, such as `2.1.3`."""
    return SectionId(_derive("sec", version, ordinal_path))


def chunk_id(
    content: ContentHash, ordinal_path: str, char_start: int, char_end: int, text: TextHash, chunker: str
) -> ChunkId:
    """Derive the id of a chunk; independent of collection, document and machine.

    Args:
        ordinal_path: Place of the section in the tree, such as `2.1.3`.
        char_start: First character in the version's text; half open with `char_end`.
        text: Hash of the chunk's content.
        chunker: Version and parameters of the chunker in one string.
    """
    return ChunkId(_derive("chk", content, ordinal_path, str(char_start), str(char_end), text, chunker))


def point_id(chunk: ChunkId, window_index: int, model: ModelId) -> PointId:
    """Derive the id of a point in the vector index (a UUID, version 5)."""
    name = _SEPARATOR.join((chunk, str(window_index), model))
    return PointId(str(uuid.uuid5(_POINT_NAMESPACE, name)))


def new_query_id() -> QueryId:
    """Make the id of a new query (random)."""
    return QueryId(f"q_{uuid.uuid4().hex[:20]}")
