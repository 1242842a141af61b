r"""Phase A5, context (Formalisierung): the chosen chunks become one block of numbered sources.

Form `context/1`: each source is the line `[Quelle N: Title]` and its text; sources are joined by a blank
line, `---`, and a blank line. A document must not be able to forge a source, so within titles and
texts what could be read as one of these two signs is escaped, by one backslash more than it had:

- `[Quelle 3` and `[Quellen 3`, in any case and spacing, become `[Quelle\ 3` (and `[Quelle\ 3` becomes
  `[Quelle\\ 3`);
- a line of nothing but three or more hyphens becomes `\---` (and `\---` becomes `\\---`).

Titles are folded to one line first. `parse_block` undoes it all: that each passage belongs to exactly
one source is checked by reading the block back.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fundstelle.domain.query_phases import Context
from fundstelle.domain.retrieval import ContextSource, SelectedChunk

FORM = "context/1"
SEPARATOR = "\n\n---\n\n"

_LINE_END = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_MARK = re.compile(r"(\[\s*quellen?)(\\*)(?=\s*\d)", re.IGNORECASE)
_ESCAPED_MARK = re.compile(r"(\[\s*quellen?)\\(\\*)(?=\s*\d)", re.IGNORECASE)
_RULE = re.compile(rf"(?:(?<=[{_LINE_END}])|\A)([ \t]*)(\\*)(-{{3,}}[ \t]*)(?=[{_LINE_END}]|\Z)")
_ESCAPED_RULE = re.compile(rf"(?:(?<=[{_LINE_END}])|\A)([ \t]*)\\(\\*)(-{{3,}}[ \t]*)(?=[{_LINE_END}]|\Z)")
_HEADER = re.compile(r"\[Quelle (\d+): (.*)\]\n")


@dataclass(frozen=True, slots=True)
class RenderedSource:
    """Hold one source as it stands in the block; its passage starts at `text_start`."""

    title: str
    text: str
    text_start: int


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """Hold one source read back from a block, unescaped."""

    number: int
    title: str
    text: str


def build_context(selected: Sequence[SelectedChunk], *, count_tokens: Callable[[str], int]) -> Context:
    """Write the chosen chunks as the context block, and list its sources.

    A source's `title` and `text` are those of the block, escaped, so that whoever quotes them cannot
    quote a forged citation.
    """
    sources: list[ContextSource] = []
    spans: list[tuple[int, int]] = []
    parts: list[str] = []
    position = 0
    for chunk in selected:
        rendered = render_source(chunk.number, chunk.record.document_title, chunk.record.content)
        parts.append(rendered.text)
        spans.append((position + rendered.text_start, position + len(rendered.text)))
        sources.append(_source(chunk, rendered))
        position += len(rendered.text) + len(SEPARATOR)
    block = SEPARATOR.join(parts)
    return Context(block, tuple(sources), tuple(spans), count_tokens(block), FORM)


def render_block(selected: Sequence[SelectedChunk]) -> str:
    """Write the block alone."""
    return SEPARATOR.join(
        render_source(chunk.number, chunk.record.document_title, chunk.record.content).text
        for chunk in selected
    )


def render_source(number: int, title: str, text: str) -> RenderedSource:
    """Write one source: its heading line and its escaped text."""
    sent_title = escape(" ".join(title.split()))
    header = f"[Quelle {number}: {sent_title}]\n"
    return RenderedSource(sent_title, header + escape(text), len(header))


def parse_block(block: str) -> list[ParsedSource]:
    """Read a block back into its sources, as a model would have to read it.

    Raises:
        ValueError: It is not of the form `context/1`.
    """
    if not block:
        return []
    sources = []
    for part in block.split(SEPARATOR):
        header = _HEADER.match(part)
        if header is None:
            raise ValueError(f"A part of the context does not begin with a source: {part[:40]!r}")
        text = unescape(part[header.end() :])
        sources.append(ParsedSource(int(header[1]), unescape(header[2]), text))
    return sources


def escape(text: str) -> str:
    """Add one backslash to everything that could be read as a source or as the line between two."""
    if "[" in text:
        text = _MARK.sub(r"\1\\\2", text)
    return _RULE.sub(r"\1\\\2\3", text) if "---" in text else text


def unescape(text: str) -> str:
    """Undo `escape`."""
    return _ESCAPED_MARK.sub(r"\1\2", _ESCAPED_RULE.sub(r"\1\2\3", text)) if "\\" in text else text


def _source(chunk: SelectedChunk, rendered: RenderedSource) -> ContextSource:
    record = chunk.record
    return ContextSource(
        number=chunk.number,
        title=rendered.title,
        text=rendered.text[rendered.text_start :],
        chunk_id=record.chunk_id,
        version_id=record.version_id,
        document_id=record.document_id,
        heading_path=record.heading_path,
        page_first=record.page_first,
        page_last=record.page_last,
        score=chunk.score,
    )
