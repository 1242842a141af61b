"""Phase A1 makes one vector with the right model, or says why not."""

from dataclasses import replace

import numpy as np
import pytest

from fundstelle.domain.errors import ModelMismatchError, UsageError
from fundstelle.domain.identity import ModelId, content_hash
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.query.a1_embedding import embed_question, normalise_question
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.querying import STANDARD, make_accepted

EMBEDDER = FakeEmbedder()
INDEXED = replace(STANDARD, model_id=EMBEDDER.identity.model_id)


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("  Was\r\n gilt\tjetzt? ", "Was gilt jetzt?"),
        ("U\u0308bung", "Übung"),
        ("Arbeits\u00adzeit", "Arbeitszeit"),
        ("Was\x00gilt\x07?", "Was gilt ?"),
        ("a\u00a0b\u202fc", "a b c"),
        ("Straße § 5 Abs. 2 – „so“", "Straße § 5 Abs. 2 – „so“"),
    ],
)
def test_normalise_question_when_raw_then_technical_only(raw: str, normal: str) -> None:
    """White space, invisible characters and composition change; words and signs do not."""
    assert normalise_question(raw) == normal
    assert normalise_question(normal) == normal


def test_embed_question_when_models_agree_then_the_vector_is_stored_as_float32() -> None:
    """The bytes are those of the vector that the embedder gave for the normalised text."""
    found = embed_question(make_accepted(" Was  gilt? ", searched=(INDEXED,)), EMBEDDER)
    assert found.vector is not None
    assert np.array_equal(np.frombuffer(found.vector, "<f4"), EMBEDDER.embed_query("Was gilt?"))
    assert found.vector_hash == content_hash(found.vector)
    assert (found.model_id, found.dimension) == (EMBEDDER.identity.model_id, EMBEDDER.identity.dimension)


def test_embed_question_when_one_index_has_another_model_then_mismatch_says_what_to_do() -> None:
    """One collection built with another model is enough to stop."""
    other = replace(STANDARD, name="alt", model_id=ModelId("mod_other"), model_name="ollama/bge-m3")
    with pytest.raises(ModelMismatchError, match=r"'alt' was built with ollama/bge-m3.*reindex alt"):
        embed_question(make_accepted(searched=(INDEXED, other)), EMBEDDER)


def test_embed_question_when_a_collection_has_no_index_then_it_cannot_mismatch() -> None:
    """A collection in which nothing is indexed yet does not stop the others."""
    empty = replace(STANDARD, name="leer", index_name=None, model_id=None)
    assert embed_question(make_accepted(searched=(INDEXED, empty)), EMBEDDER).vector


def test_embed_question_when_lexical_then_no_vector_and_a_note() -> None:
    """Lexical mode needs no embedder, whatever model the index has."""
    found = embed_question(make_accepted(mode=RetrievalMode.LEXICAL), None)  # type: ignore[arg-type]
    assert found.vector is None
    assert "lexical" in found.note


def test_embed_question_when_longer_than_the_model_sees_then_refused_not_cut() -> None:
    """A question over the model's limit is refused with both numbers."""
    small = FakeEmbedder(max_pieces=5)
    searched = (replace(STANDARD, model_id=small.identity.model_id),)
    with pytest.raises(UsageError, match="sees 5 at once"):
        embed_question(make_accepted("Wie viele Tage Urlaub gibt es im Jahr?", searched=searched), small)
