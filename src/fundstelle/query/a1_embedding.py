"""Phase A1, embedding (Anfrage-Einbettung): the question becomes exactly one query vector.

The question is normalised technically and never reworded. It must be embedded with the model that
the searched indexes were built with: vectors of two models cannot be compared, and a search with
the wrong one would answer nonsense without saying so.
"""

import re
import unicodedata

import numpy as np

from fundstelle.domain.errors import ModelMismatchError, UsageError
from fundstelle.domain.identity import content_hash
from fundstelle.domain.query_phases import AcceptedQuery, QuestionEmbedding, SearchedCollection
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.ports.embedding import Embedder, ModelIdentity

_NO_VECTOR = "lexical mode: no vector is needed"
_INVISIBLE = frozenset({"Cf", "Co", "Cn"})


def normalise_question(text: str) -> str:
    """Compose characters (NFC), drop invisible ones, fold white space; change no word."""
    composed = unicodedata.normalize("NFC", text)
    visible = (" " if unicodedata.category(c) == "Cc" else c for c in composed if not _is_invisible(c))
    return re.sub(r"\s+", " ", "".join(visible)).strip()


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE


def embed_question(accepted: AcceptedQuery, embedder: Embedder) -> QuestionEmbedding:
    """Normalise and embed the question with the model of the searched indexes.

    Args:
        embedder: Not touched in lexical mode.

    Raises:
        ModelMismatchError: An index was built with another model.
        UsageError: The question is longer than the model sees at once.
        ServiceError: The model does not answer.
    """
    text = normalise_question(accepted.query.raw_text)
    if accepted.query.mode is RetrievalMode.LEXICAL:
        return QuestionEmbedding(text, None, 0, None, None, _NO_VECTOR)
    identity = embedder.identity
    for collection in accepted.searched:
        _check_model(collection, identity)
    _check_length(text, embedder)
    vector = np.ascontiguousarray(embedder.embed_query(text), dtype="<f4").tobytes()
    return QuestionEmbedding(text, identity.model_id, identity.dimension, vector, content_hash(vector))


def _check_model(collection: SearchedCollection, identity: ModelIdentity) -> None:
    if collection.index_name is None or collection.model_id == identity.model_id:
        return
    built_with = collection.model_name or collection.model_id or "an unknown model"
    raise ModelMismatchError(
        f"The index of collection '{collection.name}' was built with {built_with} ({collection.model_id}), "
        f"the question would be embedded with {identity.provider}/{identity.name} ({identity.model_id}).",
        f"Set the embedder back to {built_with}, or rebuild the index with the new one: "
        f"fundstelle reindex {collection.name}. Until then a lexical search works: --mode lexical",
    )


def _check_length(text: str, embedder: Embedder) -> None:
    pieces, limit = embedder.count_pieces(text), embedder.identity.max_pieces
    if pieces > limit:
        raise UsageError(
            f"The question has {pieces} word pieces; the embedding model sees {limit} at once.",
            "Shorten the question, or search with --mode lexical, which has no such limit.",
        )
