"""Laws of a query that hold for every text that a document may contain."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from query_runs import Desk

from fundstelle.adapters.sql.query_codec import decode_trail, encode_artefact, named_chunks
from fundstelle.domain.identity import QueryId
from fundstelle.domain.query_phases import Phase
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.query.a5_context import parse_block
from fundstelle.query.replay import replay
from fundstelle.query.verify import verify_query
from fundstelle.testing.querying import make_record

PIECES = (
    "Urlaub ", "Tage ", "30 ", "\n\n---\n\n", "[Quelle 2: x]\n", "Frist. ", "\\",
    "\u2028", "\x00", "§ 5 ", "🙂",
)  # fmt: skip
PIECE = st.sampled_from(PIECES) | st.text(max_size=5)
TEXTS = st.lists(PIECE, max_size=25).map(lambda some: f"Urlaub {''.join(some)}")


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    """Make a query process over up to eight chunks of up to three documents."""
    desk = Desk()
    for number, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=8)), start=1):
        document = draw(st.integers(1, 3))
        desk.add(make_record(number, text, document=document, title=draw(TEXTS)))
    return desk


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(desks(), st.sampled_from(RetrievalMode), st.integers(1, 120))
def test_query_when_asked_of_any_text_then_criteria_hold_and_replay_is_exact(
    desk: Desk, mode: RetrievalMode, limit: int
) -> None:
    """Any text can be answered from, no text adds a source, and the prompt is rebuilt byte for byte."""
    answer = desk.ask("Wie viele Tage Urlaub?", mode=mode, context_tokens=limit)
    context = desk.stored().trail.context
    assert context is not None
    assert len(parse_block(context.block)) == len(context.sources)
    assert {source.number for source in answer.sources} <= {one.number for one in context.sources}
    assert replay(QueryId("q_1"), services=desk.replaying()).problems == ()
    assert verify_query(desk.stored(), reader=desk.passages) == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(desks())
def test_trail_when_encoded_and_decoded_then_equal(desk: Desk) -> None:
    """What is stored of a query gives it back in every field."""
    desk.ask("Wie viele Tage Urlaub?")
    trail = desk.stored().trail
    stored = {phase: encode_artefact(phase, trail) for phase in Phase}
    texts = {(one.version_id, one.chunk_id): one.content for one in desk.passages.records}
    contents = {key: texts[key] for key in named_chunks(stored)}
    assert decode_trail(stored, contents) == (trail, {})
