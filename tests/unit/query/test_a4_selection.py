"""Phase A4 chooses by score, without repetition, across documents, within the limit, and says why not."""

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.query_phases import Selection
from fundstelle.domain.retrieval import ChunkRecord
from fundstelle.query.a4_selection import MAX_PER_DOCUMENT, select_chunks
from fundstelle.query.a5_context import render_block
from fundstelle.testing.querying import make_candidates, make_record


def count_words(text: str) -> int:
    """Count tokens as words."""
    return len(text.split())


def words(number: int, count: int = 30) -> str:
    """Make a text of words that no other number has."""
    return " ".join(f"wort{number}x{n}" for n in range(count))


def select(records: Sequence[ChunkRecord], limit: int = 3_000) -> Selection:
    """Select from records that are ranked in their order."""
    return select_chunks(make_candidates(records), records, context_tokens=limit, count_tokens=count_words)


def chosen(selection: Selection) -> list[str]:
    """List the chosen chunks."""
    return [one.record.chunk_id for one in selection.selected]


def reasons(selection: Selection) -> dict[str, str]:
    """Give the reason of each chunk left out."""
    return {one.chunk_id: one.reason for one in selection.omitted}


def test_select_chunks_when_all_fit_then_all_by_score_with_numbers() -> None:
    """With room for all, all are chosen, numbered from 1 by score."""
    selection = select([make_record(n, words(n), document=n) for n in range(1, 6)])
    assert chosen(selection) == ["chk_1", "chk_2", "chk_3", "chk_4", "chk_5"]
    assert [one.number for one in selection.selected] == [1, 2, 3, 4, 5]
    assert selection.omitted == ()


def test_select_chunks_when_the_limit_is_reached_then_a_smaller_one_may_still_fit() -> None:
    """What is too large is left out with its reason, and what follows may use the room."""
    records = [make_record(1, words(1)), make_record(2, words(2, 100)), make_record(3, words(3, 10))]
    selection = select(records, limit=60)
    assert chosen(selection) == ["chk_1", "chk_3"]
    assert reasons(selection)["chk_2"].startswith("token_limit: with it the context would have")


def test_select_chunks_when_chosen_then_tokens_are_those_of_the_real_block() -> None:
    """Headings and separators count."""
    selection = select([make_record(n, words(n), document=n) for n in range(1, 4)])
    assert selection.tokens == count_words(render_block(selection.selected)) == 3 * 33 + 2


def test_select_chunks_when_the_stored_count_is_too_small_then_the_real_block_decides() -> None:
    """A chunk whose own count is wrong cannot break the limit."""
    records = [replace(make_record(n, words(n), document=n), token_count=1) for n in range(1, 4)]
    selection = select(records, limit=70)
    assert chosen(selection) == ["chk_1", "chk_2"]
    assert selection.tokens <= 70
    assert reasons(selection)["chk_3"].startswith("token_limit")


def test_select_chunks_when_a_text_is_there_already_then_redundant() -> None:
    """A copy in another document adds nothing."""
    selection = select([make_record(1, words(1)), make_record(2, words(1), document=2)])
    assert chosen(selection) == ["chk_1"]
    assert reasons(selection)["chk_2"] == "redundant: 100% of it stands in chk_1"


def test_select_chunks_when_neighbours_overlap_then_both_stay() -> None:
    """The overlap of neighbouring chunks is no redundancy."""
    first, second = words(1, 100), words(1, 100).split()[-20:] + words(2, 80).split()
    assert chosen(select([make_record(1, first), make_record(2, " ".join(second))])) == ["chk_1", "chk_2"]


def test_select_chunks_when_the_longer_one_holds_the_chosen_one_then_it_stays() -> None:
    """A text is redundant when it stands in a chosen one, not when a chosen one stands in it."""
    records = [make_record(1, words(1, 20)), make_record(2, f"{words(1, 20)} {words(2, 60)}", document=2)]
    assert chosen(select(records)) == ["chk_1", "chk_2"]


def test_select_chunks_when_only_numbers_differ_then_both_stay() -> None:
    """Two price lists with the same words and other numbers are two passages."""
    text = f"{words(1, 60)}. Der Tagessatz beträgt {{}} Euro zuzüglich der Umsatzsteuer. {words(2, 60)}"
    records = [make_record(1, text.format("1.200")), make_record(2, text.format("1.400"), document=2)]
    assert chosen(select(records)) == ["chk_1", "chk_2"]
    same = [records[0], make_record(3, text.format("etwa 1.200"), document=2)]
    assert chosen(select(same)) == ["chk_1"], "with the same number it is redundant"


def test_select_chunks_when_one_document_leads_then_others_come_before_its_fourth() -> None:
    """With little room, a fourth chunk of one document waits for other documents."""
    records = [make_record(n, words(n)) for n in range(1, 7)] + [make_record(9, words(9), document=2)]
    selection = select(records, limit=4 * 34)
    assert chosen(selection) == ["chk_1", "chk_2", "chk_3", "chk_9"]
    assert f"after {MAX_PER_DOCUMENT} better chunks of its document" in reasons(selection)["chk_4"]


def test_select_chunks_when_there_is_one_document_then_no_diversity_is_forced() -> None:
    """A single book may fill the whole context."""
    assert len(chosen(select([make_record(n, words(n)) for n in range(1, 8)]))) == 7


def test_select_chunks_when_room_is_left_then_those_that_waited_are_chosen_by_score() -> None:
    """Diversity changes who is chosen when room is short, never the order."""
    records = [make_record(n, words(n)) for n in range(1, 6)] + [make_record(9, words(9), document=2)]
    assert chosen(select(records)) == ["chk_1", "chk_2", "chk_3", "chk_4", "chk_5", "chk_9"]


def test_select_chunks_when_nothing_fits_then_empty_with_reasons() -> None:
    """A limit below the smallest chunk leaves an empty context and a reason for each."""
    selection = select([make_record(1, words(1)), make_record(2, words(2))], limit=5)
    assert selection.selected == ()
    assert selection.tokens == 0
    assert set(reasons(selection)) == {"chk_1", "chk_2"}


TEXTS = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 60), st.integers(1, 3)),
    max_size=14,
    unique_by=lambda one: one,
)


@given(TEXTS, st.integers(1, 300), st.randoms())
def test_select_chunks_when_input_is_shuffled_then_the_same_list(
    shapes: list[tuple[int, int, int]], limit: int, dice: random.Random
) -> None:
    """The order of the input changes nothing, each candidate is decided once, the limit holds."""
    records = [
        make_record(n, words(kind, length), document=document)
        for n, (kind, length, document) in enumerate(shapes, start=1)
    ]
    candidates = list(make_candidates(records))
    first = select_chunks(candidates, records, context_tokens=limit, count_tokens=count_words)
    dice.shuffle(candidates)
    dice.shuffle(records)
    again = select_chunks(candidates, records, context_tokens=limit, count_tokens=count_words)
    assert again == first
    assert first.tokens <= limit
    assert sorted([*chosen(first), *reasons(first)]) == sorted(one.chunk_id for one in records)
