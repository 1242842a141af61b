"""Phase A3 takes every text from SQL, in the order of the candidates."""

from query_runs import URLAUB, make_desk

from fundstelle.domain.query_phases import done
from fundstelle.query.a3_reload import reload_candidates
from fundstelle.testing.querying import MemoryPassages, make_candidates, make_record


def test_reload_candidates_when_loaded_then_in_their_order_with_provenance() -> None:
    """Each candidate gets its full record."""
    records = [make_record(n, f"Text {n}", document=n) for n in (3, 1, 2)]
    reader = MemoryPassages(records=sorted(records, key=lambda one: one.chunk_id))
    assert reload_candidates(make_candidates(records), reader=reader).records == tuple(records)


def test_reload_candidates_when_a_row_is_missing_then_left_out_for_the_criterion_to_find() -> None:
    """Nothing is made up for a candidate without a row."""
    records = [make_record(1, "Eins"), make_record(2, "Zwei")]
    found = reload_candidates(make_candidates(records), reader=MemoryPassages(records=records[1:]))
    assert [one.content for one in found.records] == ["Zwei"]


def test_ask_when_the_index_holds_another_text_then_the_text_of_sql_is_used() -> None:
    """What the payload of the index says is never read."""
    desk = make_desk()
    desk.ask()
    assert done(desk.stored().trail.reload).records[0].content == URLAUB
    assert "other text" not in done(desk.stored().trail.prompt).user
