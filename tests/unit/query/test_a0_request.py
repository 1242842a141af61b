"""Phase A0 lets only complete query objects through."""

import pytest

from fundstelle.domain.errors import NotFoundError, UsageError
from fundstelle.domain.identity import ModelId, QueryId
from fundstelle.domain.query_phases import AcceptedQuery, QueryRequest
from fundstelle.domain.retrieval import Application, RetrievalMode
from fundstelle.query.a0_request import MAX_QUESTION_CHARS, accept_request
from fundstelle.testing.querying import STANDARD, MemoryPassages


def accept(request: QueryRequest, reader: MemoryPassages | None = None) -> AcceptedQuery:
    """Accept a request with fixed surroundings."""
    return accept_request(
        request,
        query_id=QueryId("q_1"),
        generator="extractive",
        model_id=ModelId("mod_1"),
        tokenizer="words",
        reader=reader or MemoryPassages(),
    )


@pytest.mark.parametrize(("application", "limit"), [(Application.CHAT, 3_000), (Application.STUDIO, 5_000)])
def test_accept_request_when_nothing_is_set_then_defaults_are_written_down(
    application: Application, limit: int
) -> None:
    """The query object names every parameter, and the context limit follows the application."""
    query = accept(QueryRequest("Was gilt?", application)).query
    assert query.context_tokens == limit
    assert query.mode is RetrievalMode.HYBRID
    assert (query.top_k, query.prefetch) == (12, 40)
    assert query.collections == (STANDARD.collection_id,)
    assert query.template == f"{application.value}/1"
    assert query.raw_text == "Was gilt?"


def test_accept_request_when_lexical_then_no_model_is_named() -> None:
    """A search without vectors has no model."""
    assert accept(QueryRequest("Was gilt?", mode=RetrievalMode.LEXICAL)).query.model_id is None


@pytest.mark.parametrize("text", ["", "  \n\t", "?!…", "\u200b\u00ad"])
def test_accept_request_when_there_is_no_word_then_usage_error(text: str) -> None:
    """A question without a word is refused."""
    with pytest.raises(UsageError, match="empty"):
        accept(QueryRequest(text))


def test_accept_request_when_too_long_then_usage_error_names_the_limit() -> None:
    """A question is never cut; one that is too long is refused."""
    with pytest.raises(UsageError, match=str(MAX_QUESTION_CHARS)):
        accept(QueryRequest("a" * (MAX_QUESTION_CHARS + 1)))
    assert accept(QueryRequest("a" * MAX_QUESTION_CHARS)).query.raw_text == "a" * MAX_QUESTION_CHARS


def test_accept_request_when_half_a_character_is_in_it_then_usage_error() -> None:
    """What no database could store is refused at the door."""
    with pytest.raises(UsageError, match="Unicode"):
        accept(QueryRequest("Was\ud800?"))


def test_accept_request_when_a_collection_is_missing_then_not_found_names_it() -> None:
    """A collection that is not there is an error, not an empty search."""
    with pytest.raises(NotFoundError, match="'fehlt'"):
        accept(QueryRequest("Was gilt?", collections=("standard", "fehlt")))


def test_accept_request_when_there_is_no_collection_at_all_then_not_found() -> None:
    """Asking before the first import says what to do."""
    with pytest.raises(NotFoundError, match="Import a document"):
        accept(QueryRequest("Was gilt?"), MemoryPassages(known=[]))


@pytest.mark.parametrize(
    "options",
    [
        {"top_k": 0},
        {"top_k": 10_000},
        {"context_tokens": -1},
        {"answer_tokens": 0},
        {"prefetch": 0},
        {"temperature": -0.1},
        {"temperature": float("nan")},
    ],
)
def test_accept_request_when_an_option_is_out_of_range_then_usage_error(options: dict[str, float]) -> None:
    """Limits that make no sense are refused."""
    with pytest.raises(UsageError):
        accept(QueryRequest("Was gilt?", **options))  # type: ignore[arg-type]


def test_accept_request_when_prefetch_is_below_top_k_then_raised_to_it() -> None:
    """Each leg fetches at least as many windows as chunks are wanted."""
    assert accept(QueryRequest("Was gilt?", top_k=30, prefetch=5)).query.prefetch == 30
