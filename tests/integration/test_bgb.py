"""The German civil code, 1.5 MB: structure, chunks and windows of a long real text."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from fundstelle.adapters.readers.markdown import MarkdownReader
from fundstelle.adapters.tokenizers import O200kTokenizer
from fundstelle.domain.documents import Chunk, ChunkParameters, Heading, MediaType, Section, VersionText
from fundstelle.domain.identity import ContentHash, VersionId
from fundstelle.domain.text.sentences import split_sentences
from fundstelle.ingest.criteria_i2 import check_sections
from fundstelle.ingest.criteria_i3 import check_chunks
from fundstelle.ingest.i2_structure import build_sections
from fundstelle.ingest.i3_chunks import CHUNKER_VERSION, chunk_document
from fundstelle.ports.reading import ReadRequest

PARAMETERS = ChunkParameters()
COUNT = O200kTokenizer().count


@pytest.fixture(scope="module")
def law(shared_data: Path) -> tuple[VersionText, tuple[Heading, ...]]:
    """Read the law as the import reads it."""
    request = ReadRequest(shared_data / "text" / "bgb.md", MediaType.MARKDOWN)
    document = MarkdownReader().read(request, lambda _done, _total: None)
    return VersionText(VersionId("ver_bgb"), ContentHash("b" * 64), document.text, [0]), document.headings


@pytest.fixture(scope="module")
def sections(law: tuple[VersionText, tuple[Heading, ...]]) -> tuple[Section, ...]:
    """Build the law's sections."""
    return build_sections(*law)


@pytest.fixture(scope="module")
def chunks(law: tuple[VersionText, tuple[Heading, ...]], sections: tuple[Section, ...]) -> tuple[Chunk, ...]:
    """Cut the law into chunks."""
    return chunk_document(law[0], sections, PARAMETERS, COUNT)


def test_sections_when_read_from_the_law_then_its_markdown_headings(
    shared_data: Path, sections: tuple[Section, ...]
) -> None:
    """Every heading of the file is a section, in order, on its level, and nothing else is."""
    source = (shared_data / "text" / "bgb.md").read_text("utf-8")
    written = re.findall(r"^(#{1,6}) +(.+?)\s*$", source, re.MULTILINE)
    assert [section.level for section in sections] == [len(marks) for marks, _ in written]
    assert [re.sub(r"\W", "", section.title) for section in sections] == [
        re.sub(r"\W", "", title) for _, title in written
    ]


def test_sections_when_built_from_the_law_then_all_criteria_hold(
    law: tuple[VersionText, tuple[Heading, ...]], sections: tuple[Section, ...]
) -> None:
    """The sections tile the law."""
    assert check_sections(law[0], sections) == []


def test_chunks_when_made_from_the_law_then_all_criteria_hold(
    law: tuple[VersionText, tuple[Heading, ...]], sections: tuple[Section, ...], chunks: tuple[Chunk, ...]
) -> None:
    """No chunk crosses a border, no sentence is split, no character is lost, every size has its reason."""
    signature = PARAMETERS.signature(CHUNKER_VERSION)
    assert check_chunks(law[0], sections, chunks, PARAMETERS, COUNT, signature) == []


def test_chunks_when_made_from_the_law_then_they_begin_and_end_at_sentences(
    law: tuple[VersionText, tuple[Heading, ...]], chunks: tuple[Chunk, ...]
) -> None:
    """Counted by the sentence splitter on the whole text at once, no chunk tears a sentence apart."""
    spans = split_sentences(law[0].text)
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    assert [chunk for chunk in chunks if chunk.char_start not in starts or chunk.char_end not in ends] == []


def test_chunks_when_made_from_the_law_twice_then_the_same_ids(
    law: tuple[VersionText, tuple[Heading, ...]], chunks: tuple[Chunk, ...]
) -> None:
    """A second run from the headings on gives the same chunks."""
    assert chunk_document(law[0], build_sections(*law), PARAMETERS, COUNT) == chunks


def test_chunks_when_made_from_the_law_then_every_visible_character_is_covered(
    law: tuple[VersionText, tuple[Heading, ...]], chunks: tuple[Chunk, ...]
) -> None:
    """Counted character by character, nothing visible is outside all chunks."""
    text = law[0].text
    covered = bytearray(len(text))
    for chunk in chunks:
        covered[chunk.char_start : chunk.char_end] = b"\x01" * (chunk.char_end - chunk.char_start)
    assert not "".join(sign for sign, inside in zip(text, covered, strict=True) if not inside).strip()


def test_chunks_when_not_last_of_their_section_then_within_the_limits(chunks: tuple[Chunk, ...]) -> None:
    """In a text of ordinary sentences no excuse is needed: 500 to 800 tokens."""
    inner = [a for a, b in pairwise(chunks) if a.section_id == b.section_id]
    assert inner
    assert all(PARAMETERS.min_tokens <= chunk.token_count <= PARAMETERS.max_tokens for chunk in inner)
