"""Text that knows where it came from: cutting, editing and folding keep the places."""

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.text.mapped import MappedText
from fundstelle.domain.text.normalise import normalise_characters

RAW = st.text(alphabet=st.sampled_from(list("aBäu \n\t-\u0308\u00adﬁ\u00a0.")), max_size=60)


def check(text: MappedText, raw: str) -> None:
    """Demand that all runs are sorted, inside both texts, and hold the same characters."""
    at = 0
    for start, end, low, high in text.runs:
        assert at <= start < end <= len(text.text)
        assert 0 <= low < high <= len(raw)
        if end - start == high - low and "\u00ad" not in raw[low:high]:  # decided by what stands around it
            assert text.text[start:end] in normalise_characters(raw[low:high])[0]  # a cut ligature: a part
        at = end


@given(RAW)
def test_reflowed_when_text_is_anything_then_places_stay_exact(raw: str) -> None:
    """After normalising and folding, runs of equal length still hold the same characters."""
    text = MappedText.of_raw(raw, 0, len(raw)).normalised().reflowed(frozenset())
    check(text, raw)
    assert text.text == " ".join(text.text.split())


@given(RAW, st.data())
def test_slice_when_parts_are_joined_again_then_nothing_has_changed(raw: str, data: st.DataObject) -> None:
    """Cutting a text anywhere and joining the parts gives the same text and places."""
    text = MappedText.of_raw(raw, 0, len(raw)).normalised()
    at = data.draw(st.integers(0, len(text.text)))
    joined = MappedText.joined((text.slice(0, at), text.slice(at, len(text.text))))
    assert joined.text == text.text
    check(joined, raw)


def test_slice_when_nothing_is_cut_out_then_there_is_no_run() -> None:
    """An empty stretch leads nowhere."""
    assert MappedText.of_raw("abc", 0, 3).slice(1, 1) == MappedText("")


def test_reflowed_when_a_word_is_cut_then_it_is_joined_and_leads_back() -> None:
    """A word cut by a hyphen is joined; its second half leads to the second line."""
    raw = "Der Ver-\nsand und  Ein-\nund Ausgang"
    text = MappedText.of_raw(raw, 0, len(raw)).reflowed(frozenset())
    assert text.text == "Der Versand und Ein- und Ausgang"
    assert text.offset_map().to_raw(7, 11) == (9, 13)


def test_replacing_when_lengths_are_equal_by_chance_then_the_run_counts_as_a_whole() -> None:
    """A replacement as long as what it replaces is not taken for a copy."""
    text = MappedText.replacing("ab", 5, 7)
    assert text.offset_map().to_raw(1, 2) == (5, 7)
