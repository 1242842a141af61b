"""Phase I3, chunks: cut the sections of a version into pieces of whole sentences.

Technique, not interpretation: the same text, sections and parameters give the same chunks with the
same ids, on every machine. Nothing here reads a file, a database or a clock.

Rules:
- A chunk comes from exactly one section; the chunks of a section hold all its visible text, the
  heading in the first. A section without visible text gives no chunk.
- A section of at most `max_tokens` is one chunk. Others are divided evenly into chunks of at least
  `min_tokens` and at most `max_tokens`; only the last may be smaller.
- Chunks begin and end at sentences, items of lists, rows of tables. A chunk that begins within a table
  repeats the table's header. Only a sentence, item or row longer than the maximum is cut.
- A chunk begins with whole sentences of the one before: the longest run within `min_overlap` and
  `max_overlap` tokens, else the longest below, else none. Overlap gives way to the limits of size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fundstelle.domain.documents import Chunk, ChunkParameters, Section, SemanticRole, VersionText
from fundstelle.domain.identity import chunk_id, text_hash
from fundstelle.domain.roles import semantic_role
from fundstelle.ingest.chunk_borders import split_units
from fundstelle.ingest.chunk_packing import Pack, pack_units, slice_content
from fundstelle.ingest.chunk_units import CountTokens, TableHeader, Unit

CHUNKER_VERSION = "1"
"""Changes whenever the same text may give other chunks; it enters the chunk ids."""

_MAX_CHARS_PER_TOKEN = 128
"""No token of o200k_base is longer; a section beyond it needs no count to be known as long."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Place a chunk in the version text before it gets its id."""

    char_start: int
    char_end: int
    tokens: int
    header: TableHeader | None = None
    split_sentence: bool = False


def chunk_document(
    version: VersionText, sections: Sequence[Section], parameters: ChunkParameters, count_tokens: CountTokens
) -> tuple[Chunk, ...]:
    """Cut all sections of a version into chunks, in reading order."""
    chunks: list[Chunk] = []
    for section in sections:
        for piece in _section_pieces(version.text, section, parameters, count_tokens):
            chunks.append(_chunk(version, section, parameters, piece, len(chunks)))
    return tuple(chunks)


def _section_pieces(
    text: str, section: Section, parameters: ChunkParameters, count_tokens: CountTokens
) -> Iterator[_Piece]:
    content = text[section.char_start : section.char_end]
    visible = content.strip()
    if not visible:
        return
    if len(visible) <= parameters.max_tokens * _MAX_CHARS_PER_TOKEN:
        tokens = count_tokens(visible)
        if tokens <= parameters.max_tokens:
            start = section.char_start + len(content) - len(content.lstrip())
            yield _Piece(start, start + len(visible), tokens)
            return
    units = split_units(text, section, parameters, count_tokens)
    for pack in pack_units(text, units, parameters, count_tokens):
        yield _piece(units, pack)


def _piece(units: Sequence[Unit], pack: Pack) -> _Piece:
    first = units[pack.overlap_from]
    following = units[pack.until] if pack.until < len(units) else None
    return _Piece(
        char_start=first.char_start,
        char_end=units[pack.until - 1].char_end,
        tokens=pack.tokens,
        header=first.table_header,
        split_sentence=first.before.splits_sentence
        or (following is not None and following.before.splits_sentence),
    )


def _chunk(
    version: VersionText, section: Section, parameters: ChunkParameters, piece: _Piece, index: int
) -> Chunk:
    content = slice_content(version.text, piece.char_start, piece.char_end, piece.header)
    return Chunk(
        chunk_id=chunk_id(
            version.content_hash,
            section.ordinal_path,
            piece.char_start,
            piece.char_end,
            text_hash(content),
            parameters.signature(CHUNKER_VERSION),
        ),
        section_id=section.section_id,
        chunk_index=index,
        content=content,
        token_count=piece.tokens,
        heading_path=section.heading_path,
        semantic_role=_role(version.text, section, piece),
        char_start=piece.char_start,
        char_end=piece.char_end,
        page_first=version.page_at(piece.char_start),
        page_last=version.page_at(piece.char_end - 1),
        repeated=(piece.header.char_start, piece.header.char_end) if piece.header else None,
        split_sentence=piece.split_sentence,
    )


def _role(text: str, section: Section, piece: _Piece) -> SemanticRole:
    """Judge the body alone; the heading's title is a sign of its own."""
    return semantic_role(text[max(piece.char_start, section.body_start) : piece.char_end], section.title)
