"""Phase A0, request (Anfrage-Eingang): a question becomes a fully parametrised query object.

Nothing is retrieved here. Everything that later phases need to know is decided and written down
now, so that the stored query object alone tells how the answer came about.
"""

from fundstelle.domain.errors import NotFoundError, UsageError
from fundstelle.domain.fusion import PREFETCH
from fundstelle.domain.identity import ModelId, QueryId
from fundstelle.domain.query_phases import AcceptedQuery, QueryRequest, SearchedCollection
from fundstelle.domain.retrieval import Application, QueryObject, RetrievalMode
from fundstelle.ports.querying import PassageReader
from fundstelle.query.a6_prompt import TEMPLATE_OF

MAX_QUESTION_CHARS = 4_000
"""A question or briefing longer than this is a document, and belongs into a collection."""

DEFAULT_TOP_K = 12
"""Chunks that go on to the selection: more than twice the four or five full chunks that a context of
3000 tokens holds, so that redundancy and diversity have something to choose from."""

WINDOWS_PER_CHUNK = 3
"""Windows that a leg fetches for each chunk wanted, where that is more than `PREFETCH`. When a leg finds
chunks with more of their windows than that, preselection asks again for more."""

CONTEXT_TOKENS = {Application.CHAT: 3_000, Application.STUDIO: 5_000}
ANSWER_TOKENS = {Application.CHAT: 1_000, Application.STUDIO: 2_500}

_LARGEST = {"top_k": 200, "prefetch": 2_000, "context_tokens": 200_000, "answer_tokens": 100_000}
_MAX_TEMPERATURE = 2.0


def accept_request(
    request: QueryRequest,
    *,
    query_id: QueryId,
    generator: str,
    model_id: ModelId | None,
    tokenizer: str,
    reader: PassageReader,
) -> AcceptedQuery:
    """Check a request, fill in every default and find the collections it searches.

    Args:
        generator: Name of the generator that will word the answer.
        model_id: The embedding model of the question; None in lexical mode.
        tokenizer: Name of the tokenizer that counts for the limits.

    Raises:
        UsageError: The question is empty or too long, or an option is out of range.
        NotFoundError: A collection does not exist.
    """
    _check_text(request.text)
    searched = _find_collections(request.collections, reader)
    top_k = _limit("top_k", request.top_k, DEFAULT_TOP_K)
    query = QueryObject(
        query_id=query_id,
        raw_text=request.text,
        application=request.application,
        collections=tuple(collection.collection_id for collection in searched),
        mode=request.mode,
        top_k=top_k,
        context_tokens=_limit("context_tokens", request.context_tokens, CONTEXT_TOKENS[request.application]),
        answer_tokens=_limit("answer_tokens", request.answer_tokens, ANSWER_TOKENS[request.application]),
        generator=generator,
        temperature=_temperature(request.temperature),
        seed=request.seed,
        model_id=None if request.mode is RetrievalMode.LEXICAL else model_id,
        template=TEMPLATE_OF[request.application],
        prefetch=max(top_k, _limit("prefetch", request.prefetch, max(PREFETCH, top_k * WINDOWS_PER_CHUNK))),
        without=tuple(sorted(set(request.without))),
    )
    return AcceptedQuery(query, searched, tokenizer)


def _check_text(text: str) -> None:
    if not any(character.isalnum() for character in text):
        raise UsageError("The question is empty.", "Ask with at least one word.")
    if len(text) > MAX_QUESTION_CHARS:
        raise UsageError(
            f"The question has {len(text)} characters; at most {MAX_QUESTION_CHARS} are allowed.",
            "Shorten it, or import the long text as a document and ask about it.",
        )
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError("The question is not valid Unicode (it holds half a character).", "Type it again.")


def _find_collections(names: tuple[str, ...], reader: PassageReader) -> tuple[SearchedCollection, ...]:
    found = tuple(reader.collections(names))
    missing = sorted(set(names) - {collection.name for collection in found})
    if missing:
        raise NotFoundError(
            f"There is no collection named {', '.join(repr(name) for name in missing)}.",
            "List the collections with: fundstelle documents list",
        )
    if not found:
        raise NotFoundError(
            "There is no collection yet, so there is nothing to ask about.",
            "Import a document first: fundstelle import FILE",
        )
    return found


def _limit(name: str, value: int | None, default: int) -> int:
    chosen = min(default, _LARGEST[name]) if value is None else value
    if not 1 <= chosen <= _LARGEST[name]:
        raise UsageError(f"{name} is {chosen}; it must lie between 1 and {_LARGEST[name]}.")
    return chosen


def _temperature(value: float) -> float:
    if not 0.0 <= value <= _MAX_TEMPERATURE:
        raise UsageError(f"temperature is {value}; it must lie between 0 and {_MAX_TEMPERATURE}.")
    return value
