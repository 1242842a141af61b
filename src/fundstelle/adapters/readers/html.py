"""Read HTML pages: the text that a reader sees, its headings, and what the page says of itself."""

import html
import re

from fundstelle.adapters.readers.html_tokens import HtmlToken, TokenKind, read_attributes, tokenize_html
from fundstelle.adapters.readers.html_walker import HtmlWalker
from fundstelle.adapters.readers.text_formats import (
    BlockKind,
    BlockList,
    SourceMetadata,
    assemble,
    read_source,
)
from fundstelle.domain.documents import DocumentText, MediaType, RecognisedBy
from fundstelle.ports.reading import PageProgress, ReadRequest

_AUTHOR = ("author", "dc.creator", "dcterms.creator", "article:author")
_DATE = ("date", "dcterms.date", "dc.date", "dcterms.created", "article:published_time", "last-modified")
_LANGUAGE = ("content-language", "language", "dc.language")
_SPACE = re.compile(r"\s+")


class HtmlReader:
    """Read HTML as one page of text; scripts, styles, hidden text and navigation are kept out."""

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read the whole file."""
        document = read_source(request.path, MediaType.HTML, _read)
        progress(1, 1)
        return document

    def close(self) -> None:
        """Do nothing: there are no workers."""


def _read(source: str) -> DocumentText:
    found = BlockList()
    walker = HtmlWalker(source, found)
    walker.feed(0, len(source))
    walker.finish(len(source))
    about = _read_metadata(source)
    if about.title is None:
        first = next((block.text.text for block in found.blocks if block.kind is BlockKind.HEADING), None)
        about = SourceMetadata(first, about.author, about.language, about.created_at)
    return assemble(source, found, MediaType.HTML, RecognisedBy.HTML, about)


def _read_metadata(source: str) -> SourceMetadata:
    """Read title, author, language and date from the head of the page."""
    said: dict[str, str] = {}
    in_title = False
    for token in tokenize_html(source):
        if token.kind is TokenKind.OPEN:
            if token.name == "body":
                break
            in_title = token.name == "title"
            _note(said, source, token)
        elif token.kind is TokenKind.TEXT and in_title:
            said.setdefault("title", html.unescape(source[token.start : token.end]))
        elif token.kind is TokenKind.CLOSE and token.name == "head":
            break
    return SourceMetadata(
        title=_first(said, ("title", "og:title")),
        author=_first(said, _AUTHOR),
        language=_first(said, ("lang", *_LANGUAGE)),
        created_at=_first(said, _DATE),
    )


def _note(said: dict[str, str], source: str, token: HtmlToken) -> None:
    if token.name not in {"html", "meta"}:
        return
    attributes = {name: value for name, (value, _, _) in read_attributes(source, token).items()}
    if token.name == "html":
        said.setdefault("lang", attributes.get("lang") or attributes.get("xml:lang", ""))
    for key in ("name", "property", "http-equiv"):
        if key in attributes and attributes.get("content"):
            said.setdefault(attributes[key].lower(), attributes["content"])


def _first(said: dict[str, str], names: tuple[str, ...]) -> str | None:
    values = (_SPACE.sub(" ", said.get(name, "")).strip() for name in names)
    return next((value for value in values if value), None)
