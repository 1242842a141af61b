"""Search without an answer: phases A0 to A3 alone, nothing stored. Made for evaluation and for faces."""

from collections.abc import Sequence

from fundstelle.domain.identity import QueryId
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.domain.retrieval import ChunkRecord, RetrievalMode
from fundstelle.query.a0_request import accept_request
from fundstelle.query.a1_embedding import embed_question
from fundstelle.query.a2_preselection import preselect
from fundstelle.query.a3_reload import reload_candidates
from fundstelle.query.pipeline import QueryServices


def search(request: QueryRequest, *, services: QueryServices, query_id: QueryId) -> Sequence[ChunkRecord]:
    """Find the chunks that a question would work with, best first.

    Raises:
        UsageError: The request cannot be used.
        ModelMismatchError: The index was built with another model.
    """
    lexical = request.mode is RetrievalMode.LEXICAL
    accepted = accept_request(
        request,
        query_id=query_id,
        generator=services.generator.name,
        model_id=None if lexical else services.embedder.identity.model_id,
        tokenizer=services.tokenizer,
        reader=services.reader,
    )
    found = preselect(
        accepted,
        embed_question(accepted, services.embedder),
        index=services.index,
        reader=services.reader,
        encode_query=services.encode_query,
    )
    return reload_candidates(found.candidates, reader=services.reader).records
