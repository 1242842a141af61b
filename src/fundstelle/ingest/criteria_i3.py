"""Supervision criteria of phase I3: what must hold of the chunks of a version.

Each check is pure and gives the problems that it found; `check_chunks` runs them all, during the
import and in `fundstelle verify`. The names are listed in docs/criteria.md. Sizes, borders and
overlaps of sections with several chunks are judged in `criteria_i3_sizes`.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from fundstelle.domain.criteria import Problem
from fundstelle.domain.documents import Chunk, ChunkParameters, Section, VersionText
from fundstelle.domain.identity import SectionId, chunk_id, text_hash
from fundstelle.ingest.chunk_units import CountTokens
from fundstelle.ingest.criteria_i3_sizes import section_problems


def check_chunks(
    version: VersionText,
    sections: Sequence[Section],
    chunks: Sequence[Chunk],
    parameters: ChunkParameters,
    count_tokens: CountTokens,
    chunker: str,
) -> list[Problem]:
    """Run all criteria of phase I3.

    Args:
        chunker: Version and parameters in one string, as they entered the ids.
    """
    problems = [
        *chunks_in_section(sections, chunks),
        *chunks_cover_text(version, sections, chunks),
        *chunks_content(version, chunks),
        *chunks_token_count(chunks, count_tokens),
        *chunks_ids(version, sections, chunks, chunker),
        *chunks_pages(version, chunks),
        *chunks_heading(sections, chunks),
    ]
    by_id = {section.section_id: section for section in sections}
    for section_id, group in _by_section(chunks):
        if section_id in by_id:
            section = by_id[section_id]
            problems.extend(section_problems(version.text, section, group, parameters, count_tokens))
    return problems


def chunks_in_section(sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[Problem]:
    """Demand that each chunk lies within its one section, and that chunks are numbered in reading order."""
    problems: list[Problem] = []
    by_id = {section.section_id: section for section in sections}
    position = 0
    for index, chunk in enumerate(chunks):
        section = by_id.get(chunk.section_id)
        if section is None:
            detail = f"Its section {chunk.section_id} does not exist."
            problems.append(Problem("chunks_in_section", chunk.chunk_id, detail))
        elif not section.char_start <= chunk.char_start < chunk.char_end <= section.char_end:
            detail = (
                f"It spans {chunk.char_start}-{chunk.char_end}, its section {section.char_start}-"
                f"{section.char_end}."
            )
            problems.append(Problem("chunks_in_section", chunk.chunk_id, detail))
        if chunk.chunk_index != index or chunk.char_end <= position:
            detail = (
                f"It is number {index} in the text and says {chunk.chunk_index}, or repeats what came before."
            )
            problems.append(Problem("chunks_in_section", chunk.chunk_id, detail))
        position = chunk.char_end
    return problems


def chunks_cover_text(
    version: VersionText, sections: Sequence[Section], chunks: Sequence[Chunk]
) -> list[Problem]:
    """Demand that every visible character of every section is in at least one of its chunks."""
    groups = dict(_by_section(chunks))
    problems: list[Problem] = []
    for section in sections:
        position = section.char_start
        borders = [(chunk.char_start, chunk.char_end) for chunk in groups.get(section.section_id, ())]
        for start, end in [*borders, (section.char_end, section.char_end)]:
            missing = version.text[position:start].strip()
            if missing:
                detail = f"{len(missing)} characters from {position} on are in no chunk: {missing[:60]!r}."
                problems.append(Problem("chunks_cover_text", section.section_id, detail))
            position = max(position, end)
    return problems


def chunks_content(version: VersionText, chunks: Sequence[Chunk]) -> list[Problem]:
    """Demand that the content is the slice of the version text that it names, and holds something."""
    problems: list[Problem] = []
    for chunk in chunks:
        expected = version.text[chunk.char_start : chunk.char_end]
        if chunk.repeated is not None:
            expected = f"{version.text[slice(*chunk.repeated)]}\n{expected}"
        if chunk.content != expected or not expected.strip():
            detail = f"The content is not the text at {chunk.char_start}-{chunk.char_end}."
            problems.append(Problem("chunks_content", chunk.chunk_id, detail))
    return problems


def chunks_token_count(chunks: Sequence[Chunk], count_tokens: CountTokens) -> list[Problem]:
    """Demand that the number of tokens is the exact count of the content."""
    return [
        Problem("chunks_token_count", chunk.chunk_id, f"It says {chunk.token_count} tokens and has {tokens}.")
        for chunk in chunks
        if (tokens := count_tokens(chunk.content)) != chunk.token_count
    ]


def chunks_ids(
    version: VersionText, sections: Sequence[Section], chunks: Sequence[Chunk], chunker: str
) -> list[Problem]:
    """Demand that ids are distinct and can be derived again from content, place and chunker."""
    paths = {section.section_id: section.ordinal_path for section in sections}
    problems: list[Problem] = []
    seen: set[str] = set()
    for chunk in chunks:
        derived = chunk_id(
            version.content_hash,
            paths.get(chunk.section_id, ""),
            chunk.char_start,
            chunk.char_end,
            text_hash(chunk.content),
            chunker,
        )
        if derived != chunk.chunk_id or derived in seen:
            problems.append(
                Problem("chunks_ids", chunk.chunk_id, f"The id derived is {derived}, or used twice.")
            )
        seen.add(derived)
    return problems


def chunks_pages(version: VersionText, chunks: Sequence[Chunk]) -> list[Problem]:
    """Demand that the pages named are those of the first and the last character."""
    problems: list[Problem] = []
    for chunk in chunks:
        pages = version.page_at(chunk.char_start), version.page_at(chunk.char_end - 1)
        if pages != (chunk.page_first, chunk.page_last):
            detail = (
                f"It names pages {chunk.page_first}-{chunk.page_last}; its text is on {pages[0]}-{pages[1]}."
            )
            problems.append(Problem("chunks_pages", chunk.chunk_id, detail))
    return problems


def chunks_heading(sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[Problem]:
    """Demand that each chunk names the headings of its section."""
    paths = {section.section_id: section.heading_path for section in sections}
    return [
        Problem(
            "chunks_heading",
            chunk.chunk_id,
            f"It stands under {paths[chunk.section_id]!r} and says {chunk.heading_path!r}.",
        )
        for chunk in chunks
        if paths.get(chunk.section_id, chunk.heading_path) != chunk.heading_path
    ]


def _by_section(chunks: Sequence[Chunk]) -> Iterator[tuple[SectionId, list[Chunk]]]:
    for section, group in groupby(chunks, key=lambda chunk: chunk.section_id):
        yield section, list(group)
