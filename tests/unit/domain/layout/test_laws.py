"""Laws of the layout: nothing is lost, nothing is invented, every character leads back."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st
from page_kit import Printed, set_page

from fundstelle.domain.layout.assembly import assemble, layout_page

WORDS = st.text(alphabet="abcdeäöüABC", min_size=1, max_size=9)
LINES = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)


@st.composite
def pages(draw: st.DrawFn) -> list[list[Printed]]:
    """Make up to three pages of lines at any places, sizes and weights."""
    printed = st.builds(
        Printed,
        x=st.sampled_from([60.0, 75.0, 200.0, 320.0]),
        y=st.integers(3, 66).map(lambda k: 12.0 * k),
        text=LINES,
        size=st.sampled_from([6.0, 10.0, 14.0]),
        bold=st.booleans(),
    )
    return draw(st.lists(st.lists(printed, max_size=12), min_size=1, max_size=3))


def _letters(text: str) -> list[str]:
    return sorted(char for char in text if char.isalnum())


@given(pages())
@settings(max_examples=60, deadline=None)
def test_any_pages_when_assembled_then_every_letter_is_in_content_or_mark(made: list[list[Printed]]) -> None:
    """Each letter of the raw text is in the content or within a mark, exactly once."""
    raw = [set_page(printed, number) for number, printed in enumerate(made, 1)]
    for page in assemble([layout_page(one) for one in raw], ()).pages:
        marked = "".join(page.raw_content[mark.raw_start : mark.raw_end] for mark in page.marks)
        assert _letters(page.content + marked) == _letters(page.raw_content)


@given(pages())
@settings(max_examples=60, deadline=None)
def test_any_pages_when_assembled_then_offsets_lead_to_the_same_characters(made: list[list[Printed]]) -> None:
    """A letter of the content and the raw character that its offset leads to are the same."""
    raw = [set_page(printed, number) for number, printed in enumerate(made, 1)]
    for page in assemble([layout_page(one) for one in raw], ()).pages:
        for place, char in enumerate(page.content):
            span = page.offset_map.to_raw(place, place + 1)
            if char.isalpha():
                assert span is not None
                assert page.raw_content[span[0] : span[1]] == char


def test_many_empty_pages_when_assembled_then_the_work_grows_with_their_number_only() -> None:
    """Ten times the pages take far less than a hundred times the work."""

    def seconds(count: int) -> float:
        pages = [layout_page(set_page([], number)) for number in range(1, count + 1)]
        started = time.process_time()
        assemble(pages, ())
        return time.process_time() - started

    assert seconds(20_000) < 40 * max(seconds(2_000), 0.01)
