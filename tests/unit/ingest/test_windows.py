"""Windows: what of a chunk the embedding model sees at once."""

from dataclasses import replace

import pytest
from chunk_texts import count_tokens, documents, version_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fundstelle.domain.documents import Chunk, ChunkParameters, Heading, VersionText
from fundstelle.domain.errors import CriterionError
from fundstelle.ingest.criteria_i4 import check_windows
from fundstelle.ingest.i2_structure import build_sections
from fundstelle.ingest.i3_chunks import chunk_document
from fundstelle.ingest.windows import clean_for_embedding, cut_windows, fit_header

SENTENCE = "Der Verein hat ein Haus am See."


def pieces(text: str) -> int:
    """Count as a model does that adds two special tokens."""
    return count_tokens(text) + 2


def chunk_of(text: str) -> Chunk:
    """Make one chunk of a text."""
    version = version_of(text)
    (chunk,) = chunk_document(version, build_sections(version, []), ChunkParameters(1, 10**6), count_tokens)
    return chunk


@settings(deadline=None)
@given(documents(), st.sampled_from([(800, 512), (60, 40), (100, 20), (10, 8)]))
def test_windows_when_cut_from_any_chunk_then_all_criteria_hold(
    drawn: tuple[VersionText, tuple[Heading, ...]], limits: tuple[int, int]
) -> None:
    """Windows of any chunk cover it in order, within both limits, and hold its cleaned text."""
    version, headings = drawn
    for chunk in chunk_document(version, build_sections(version, headings), ChunkParameters(), count_tokens):
        windows = cut_windows(chunk.content, chunk.heading_path, *limits, pieces)
        assert check_windows(chunk, windows, *limits) == []


def test_cut_windows_when_the_text_fits_then_one_window_with_the_header() -> None:
    """A short chunk is one window: the heading line, then the text."""
    (window,) = cut_windows(SENTENCE, "Satzung > § 1", 800, 512, pieces)
    assert window.text == f"Satzung > § 1\n{SENTENCE}"
    assert window.pieces == pieces(window.text)


def test_cut_windows_when_many_sentences_then_each_ends_at_one_and_no_crumb_is_left() -> None:
    """Windows hold whole sentences and are of like length."""
    windows = cut_windows(" ".join([SENTENCE] * 9), "", 260, 512, pieces)
    assert [window.text.count(SENTENCE) for window in windows] == [5, 4]
    assert all(window.text.endswith("See.") for window in windows)


def test_cut_windows_when_each_fits_then_counted_once() -> None:
    """The costly count is asked for once per window."""
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return 10

    windows = cut_windows(" ".join([SENTENCE] * 50), "Satzung", 800, 512, count)
    assert asked == [window.text for window in windows]


def test_cut_windows_when_too_many_pieces_then_cut_shorter() -> None:
    """Where the model's limit on pieces is reached before that on characters, windows get shorter."""
    windows = cut_windows(" ".join([SENTENCE] * 20), "", 800, 40, pieces)
    assert max(window.pieces for window in windows) <= 40
    assert " ".join(window.text for window in windows) == " ".join([SENTENCE] * 20)


@pytest.mark.parametrize(("sign", "text"), [(",", "viele Worte, " * 40), ("e", "Worte " * 80)])
def test_cut_windows_when_a_sentence_is_overlong_then_cut_at_clause_or_word(sign: str, text: str) -> None:
    """A sentence that does not fit alone is cut after a comma, else between words."""
    windows = cut_windows(text.strip(), "", 100, 512, pieces)
    assert len(windows) > 3
    assert all(window.text.endswith(sign) for window in windows)


def test_cut_windows_when_dots_only_then_none() -> None:
    """A chunk that cleans to nothing gives no window."""
    assert cut_windows("..... .....", "Inhalt", 800, 512, pieces) == ()


def test_cut_windows_when_dots_stand_beside_text_then_the_neighbour_covers_them() -> None:
    """Dots between sentences belong to the window beside them."""
    text = f"{SENTENCE}\n\n{'.' * 500}\n\n{SENTENCE}"
    (window,) = cut_windows(text, "", 100, 512, pieces)
    assert (window.char_start, window.char_end) == (0, len(text))


def test_cut_windows_when_signs_fill_windows_then_the_text_alone_is_embedded() -> None:
    """A long stretch of signs is no obstacle for the text after it."""
    text = f"{'★ ☆ ' * 300}\n\n{SENTENCE}"
    windows = cut_windows(text, "", 100, 60, pieces)
    assert windows[-1].text.endswith(SENTENCE)
    assert check_windows(chunk_of(text), windows, 100, 60) == []


def test_cut_windows_when_nothing_fits_then_refused() -> None:
    """A model that takes fewer pieces than one character needs is an error, not a loss."""
    with pytest.raises(CriterionError, match="windows_fit"):
        cut_windows("Haus", "", 800, 1, pieces)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("Einleitung ............ 3", "Einleitung … 3"),
        ("Einleitung . . . . . 3", "Einleitung … 3"),
        ("Name: ________", "Name: …"),
        ("viel  \n\n Raum", "viel Raum"),
        ("Und so weiter...", "Und so weiter..."),
        ("* * *", ""),
        ("", ""),
    ],
)
def test_clean_for_embedding_when_leaders_and_white_space_then_reduced(raw: str, cleaned: str) -> None:
    """Leaders become one sign, white space one blank; words and their signs stay."""
    assert clean_for_embedding(raw) == cleaned


@pytest.mark.parametrize(
    ("header", "limit", "fitted"),
    [
        ("Gesetz > Buch 1 > § 1", 40, "Gesetz > Buch 1 > § 1"),
        ("Gesetz > Buch 1 > § 1", 18, "… > Buch 1 > § 1"),
        ("Gesetz > Buch 1 > § 1", 8, "… > § 1"),
        ("Ein sehr langer Titel", 8, ""),
    ],
)
def test_fit_header_when_too_long_then_shortened_from_the_left(header: str, limit: int, fitted: str) -> None:
    """The nearest title stays longest; a header that cannot fit is dropped."""
    assert fit_header(header, limit) == fitted


@pytest.mark.parametrize(
    ("change", "criterion"),
    [
        ({"char_end": 5}, "windows_cover_chunk"),
        ({"char_end": 999}, "windows_in_range"),
        ({"window_index": 3}, "windows_in_range"),
        ({"pieces": 600}, "windows_fit"),
        ({"text": "Anderes."}, "windows_text"),
    ],
)
def test_check_windows_when_one_field_is_wrong_then_its_criterion_is_reported(
    change: dict[str, object], criterion: str
) -> None:
    """Each criterion fails when what it guards is wrong."""
    chunk = chunk_of(SENTENCE)
    (window,) = cut_windows(chunk.content, "", 800, 512, pieces)
    problems = check_windows(chunk, [replace(window, **change)], 800, 512)  # type: ignore[arg-type]
    assert criterion in {problem.criterion for problem in problems}
