"""Embedding models and cached vectors in SQL; implements `ports.projecting.EmbeddingStore`."""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, select

from fundstelle.adapters.sql.packing import pack_vector, unpack_vector
from fundstelle.adapters.sql.statements import batches, insert_missing
from fundstelle.adapters.sql.tables import embedding_models, embeddings
from fundstelle.domain.identity import ModelId, TextHash
from fundstelle.ports.embedding import ModelIdentity, Vectors


class SqlEmbeddings:
    """Keep vectors by model and text."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def register(self, identity: ModelIdentity) -> None:
        """Store a model; nothing happens when it is there."""
        values = {
            "id": identity.model_id,
            "provider": identity.provider,
            "name": identity.name,
            "digest": identity.digest,
            "dimension": identity.dimension,
            "normalised": identity.normalised,
            "query_prefix": identity.query_prefix,
            "passage_prefix": identity.passage_prefix,
            "max_pieces": identity.max_pieces,
        }
        self._connection.execute(insert_missing(embedding_models).values(values))

    def known(self, model_id: ModelId, texts: Collection[TextHash]) -> frozenset[TextHash]:
        """Say which texts have a vector."""
        found: set[TextHash] = set()
        for batch in batches(texts):
            query = select(embeddings.c.text_hash).where(
                embeddings.c.model_id == model_id, embeddings.c.text_hash.in_(batch)
            )
            found.update(self._connection.scalars(query))
        return frozenset(found)

    def add(
        self, model_id: ModelId, texts: Sequence[TextHash], vectors: Vectors, pieces: Sequence[int]
    ) -> None:
        """Store vectors; those that are there stay."""
        rows = [
            {"model_id": model_id, "text_hash": text, "vector": pack_vector(vector), "pieces": count}
            for text, vector, count in zip(texts, vectors, pieces, strict=True)
        ]
        if rows:
            self._connection.execute(insert_missing(embeddings), rows)

    def fetch(self, model_id: ModelId, texts: Collection[TextHash]) -> dict[TextHash, Vectors]:
        """Read vectors, each of shape (d,); texts without one are left out."""
        found: dict[TextHash, Vectors] = {}
        for batch in batches(texts):
            query = select(embeddings.c.text_hash, embeddings.c.vector).where(
                embeddings.c.model_id == model_id, embeddings.c.text_hash.in_(batch)
            )
            found.update(
                (row.text_hash, unpack_vector(row.vector)) for row in self._connection.execute(query)
            )
        return found
