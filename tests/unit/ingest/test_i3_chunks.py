"""Chunks: whole sentences of one section, of the wanted size, with overlap."""

from dataclasses import replace
from itertools import pairwise

import pytest
from chunk_texts import count_tokens, documents, version_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fundstelle.domain.documents import Chunk, ChunkParameters, Heading, RecognisedBy, VersionText
from fundstelle.domain.identity import ContentHash, VersionId
from fundstelle.ingest.criteria_i3 import check_chunks
from fundstelle.ingest.i2_structure import build_sections
from fundstelle.ingest.i3_chunks import CHUNKER_VERSION, chunk_document

SMALL = ChunkParameters(min_tokens=20, max_tokens=32, min_overlap=4, max_overlap=8)
PARAMETERS = st.sampled_from([SMALL, ChunkParameters(50, 80, 5, 10), ChunkParameters()])
SIX_TOKENS = "Das Haus ist alt da."


def chunks_of(text: str, parameters: ChunkParameters = SMALL) -> tuple[Chunk, ...]:
    """Cut a text without headings."""
    version = version_of(text)
    return chunk_document(version, build_sections(version, []), parameters, count_tokens)


def problems_of(text: str, chunks: tuple[Chunk, ...], parameters: ChunkParameters = SMALL) -> set[str]:
    """Name the criteria that do not hold."""
    version = version_of(text)
    signature = parameters.signature(CHUNKER_VERSION)
    sections = build_sections(version, [])
    found = check_chunks(version, sections, chunks, parameters, count_tokens, signature)
    return {problem.criterion for problem in found}


@settings(deadline=None)
@given(documents(), PARAMETERS)
def test_chunks_when_made_from_any_text_then_all_criteria_hold(
    drawn: tuple[VersionText, tuple[Heading, ...]], parameters: ChunkParameters
) -> None:
    """Chunks of any text hold every criterion: cover, borders, sizes, overlaps, counts, ids, pages."""
    version, headings = drawn
    sections = build_sections(version, headings)
    chunks = chunk_document(version, sections, parameters, count_tokens)
    signature = parameters.signature(CHUNKER_VERSION)
    assert check_chunks(version, sections, chunks, parameters, count_tokens, signature) == []


@settings(deadline=None, max_examples=30)
@given(documents())
def test_chunks_when_made_twice_then_equal(drawn: tuple[VersionText, tuple[Heading, ...]]) -> None:
    """The same input gives the same chunks with the same ids."""
    version, headings = drawn
    sections = build_sections(version, headings)
    assert chunk_document(version, sections, SMALL, count_tokens) == chunk_document(
        version, list(sections), SMALL, count_tokens
    )


def test_chunk_ids_when_another_document_has_the_same_content_then_the_same() -> None:
    """Ids depend on content, place and chunker alone, not on collection, document or machine."""
    text = " ".join([SIX_TOKENS] * 20)
    other = VersionText(VersionId("ver_other"), ContentHash("c" * 64), text, [0])
    chunks = chunk_document(other, build_sections(other, []), SMALL, count_tokens)
    assert [chunk.chunk_id for chunk in chunks] == [chunk.chunk_id for chunk in chunks_of(text)]


def test_chunk_ids_when_parameters_differ_then_they_differ() -> None:
    """Parameters are part of the id, even where the chunk is the same text."""
    (left,) = chunks_of(SIX_TOKENS, SMALL)
    (right,) = chunks_of(SIX_TOKENS, ChunkParameters())
    assert left.content == right.content
    assert left.chunk_id != right.chunk_id


def test_chunk_document_when_a_section_is_short_then_one_chunk_with_its_heading() -> None:
    """A section shorter than the minimum is one chunk; the heading is part of it."""
    text = "Kapitel\n\nKurzer Text.\n\n"
    version = version_of(text)
    sections = build_sections(version, [Heading("Kapitel", 1, 0, 7, RecognisedBy.MARKDOWN)])
    (chunk,) = chunk_document(version, sections, SMALL, count_tokens)
    assert chunk.content == "Kapitel\n\nKurzer Text."
    assert chunk.heading_path == "Kapitel"


def test_chunk_document_when_the_text_is_blank_then_no_chunk() -> None:
    """A section without visible text gives no chunk."""
    assert chunks_of(" \n\n \n") == ()


def test_chunk_document_when_sentences_then_whole_ones_overlap() -> None:
    """Each further chunk begins with whole sentences of the one before."""
    chunks = chunks_of(" ".join([SIX_TOKENS] * 20))
    assert len(chunks) > 2
    for before, chunk in pairwise(chunks):
        overlap = " ".join(chunk.content.split())[: len(SIX_TOKENS)]
        assert overlap == SIX_TOKENS
        assert chunk.char_start < before.char_end < chunk.char_end


def test_chunk_document_when_a_little_too_much_text_then_no_crumb() -> None:
    """A section just over the maximum gives its last chunk as much as the first can spare."""
    chunks = chunks_of(" ".join([SIX_TOKENS] * 6))
    assert [chunk.token_count >= 12 for chunk in chunks] == [True, True]


def test_chunk_document_when_a_table_then_rows_are_split_and_the_header_repeated() -> None:
    """Later chunks of a table are headed by its header row, outside their own range."""
    text = "Name | Ort\n" + "\n".join(f"Verein {i} | Haus {i}" for i in range(30))
    first, *others = chunks_of(text)
    assert first.repeated is None
    assert others
    for chunk in others:
        assert chunk.repeated == (0, 10)
        assert chunk.content == "Name | Ort\n" + text[chunk.char_start : chunk.char_end]
        assert text[chunk.char_start - 1] == "\n"
        assert chunk.token_count <= SMALL.max_tokens


def test_chunk_document_when_a_table_header_is_wide_then_not_repeated() -> None:
    """A header that would fill half a chunk is not repeated."""
    text = " | ".join(["Spalte"] * 12) + "\n" + "\n".join(f"Verein {i} | Haus {i}" for i in range(30))
    assert all(chunk.repeated is None for chunk in chunks_of(text))


def test_chunk_document_when_a_list_then_split_between_items() -> None:
    """An item of several sentences stays whole."""
    text = "\n".join(["- Das ist so. Und das ist anders."] * 12)
    chunks = chunks_of(text)
    assert len(chunks) > 1
    assert all(chunk.content.startswith("- Das") and chunk.content.endswith("anders.") for chunk in chunks)


def test_chunk_document_when_a_sentence_is_overlong_then_split_at_clauses_and_said() -> None:
    """A sentence longer than the maximum is cut after commas, and its chunks are flagged."""
    chunks = chunks_of("Das ist so, " * 30 + "Ende.")
    assert len(chunks) > 1
    assert all(chunk.split_sentence for chunk in chunks)
    assert all(chunk.content.endswith((",", "Ende.")) for chunk in chunks)


@pytest.mark.parametrize("text", ["wort " * 400, "a" * 2000, "." * 2000, "a\u0301" * 900])
def test_chunk_document_when_no_sentence_ends_then_the_limit_is_kept(text: str) -> None:
    """Text without sentences is cut at words, else anywhere, never above the maximum and never lost."""
    chunks = chunks_of(text)
    assert all(chunk.token_count <= SMALL.max_tokens for chunk in chunks)
    assert problems_of(text, chunks) == set()


def test_chunk_document_when_cut_anywhere_then_combining_characters_stay_together() -> None:
    """A letter and its accent are never torn apart."""
    assert not any(chunk.content.startswith("\u0301") for chunk in chunks_of("a\u0301" * 900))


def test_chunk_document_when_a_sentence_is_near_the_maximum_then_no_overlap() -> None:
    """Overlap never pushes a chunk above the maximum."""
    long = "Und " + "dann " * 29 + "Schluss."
    chunks = chunks_of(f"{SIX_TOKENS} {SIX_TOKENS} {SIX_TOKENS} {SIX_TOKENS} {long}")
    assert all(chunk.token_count <= SMALL.max_tokens for chunk in chunks)


@pytest.mark.parametrize(
    ("change", "criterion"),
    [
        ({"section_id": "sec_other"}, "chunks_in_section"),
        ({"chunk_index": 9}, "chunks_in_section"),
        ({"char_end": 25, "content": "Das Haus ist alt da. Das "}, "chunks_cover_text"),
        ({"char_end": 25, "content": "Das Haus ist alt da. Das "}, "chunks_whole_sentences"),
        ({"content": "Etwas anderes."}, "chunks_content"),
        ({"token_count": 21}, "chunks_token_count"),
        ({"token_count": 33}, "chunks_sizes"),
        ({"char_end": 20, "content": SIX_TOKENS, "token_count": 6}, "chunks_sizes"),
        ({"chunk_id": "chk_other"}, "chunks_ids"),
        ({"page_last": 4}, "chunks_pages"),
        ({"heading_path": "Anderswo"}, "chunks_heading"),
    ],
)
def test_check_chunks_when_one_field_is_wrong_then_its_criterion_is_reported(
    change: dict[str, object], criterion: str
) -> None:
    """Each criterion fails when what it guards is wrong."""
    text = " ".join([SIX_TOKENS] * 9)
    first, *others = chunks_of(text)
    found = problems_of(text, (replace(first, **change), *others))  # type: ignore[arg-type]
    assert criterion in found


def test_check_chunks_when_a_possible_overlap_is_missing_then_reported() -> None:
    """A chunk that repeats nothing although a sentence would have fitted breaks the criterion."""
    text = " ".join([SIX_TOKENS] * 9)
    chunks = chunks_of(text)
    start = chunks[0].char_end + 1
    bare = replace(chunks[1], char_start=start, content=text[start : chunks[1].char_end], token_count=20)
    assert "chunks_overlap" in problems_of(text, (chunks[0], bare, *chunks[2:]))


def test_check_chunks_when_a_row_is_torn_then_reported() -> None:
    """A chunk border within a row that fits breaks the criterion."""
    text = "Name | Ort\n" + "\n".join(f"Verein {i} | Haus {i}" for i in range(30))
    first, *others = chunks_of(text)
    torn = replace(first, char_end=first.char_end - 3, content=first.content[:-3])
    assert "chunks_whole_rows" in problems_of(text, (torn, *others))
