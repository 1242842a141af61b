"""Find out what a file is, by its bytes and not by its name."""

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from fundstelle.adapters.readers.text_formats_encoding import decode_text
from fundstelle.domain.documents import MediaType, Verdict
from fundstelle.domain.errors import SourceError

HEAD_BYTES = 65_536
_PDF_REACH = 1024
_MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_HTML_NAMES = frozenset({".html", ".htm", ".xhtml"})

_SIGNATURES = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"BM", "a BMP image"),
    (b"RIFF", "a sound, film or WebP file"),
    (b"OggS", "a sound or film file"),
    (b"ID3", "an MP3 file"),
    (b"fLaC", "a FLAC file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (.doc, .xls, .ppt, .msg)"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript file"),
    (b"AT&TFORM", "a DjVu file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
)
_TEXT_LIKE_SIGNATURES = frozenset({b"BM", b"MZ", b"RIFF", b"ID3", b"BZh", b"OggS", b"fLaC", b"Rar!", b"GIF8"})
_ARCHIVE_PARTS = (
    ("word/", "a Word document"),
    ("xl/", "an Excel workbook"),
    ("ppt/", "a PowerPoint presentation"),
    ("META-INF/container.xml", "an EPUB book"),
    ("content.xml", "an OpenDocument file"),
)
_HTML_START = re.compile(
    r"(?:\s|<!--(?:(?!-->)[\s\S])*+-->|<\?xml[^>]*+>)*+<(?:!doctype\s+html|html|head|body|title|meta|h[1-6]|p|div|table|ul|ol"
    r"|article|section|main|header|nav|center|font|style|script|link|base)[\s>/]",
    re.IGNORECASE,
)
_HTML_PAGE = re.compile(r"\s*+(?:<\?xml[^>]*+>\s*+)?<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_HTML_TAG = re.compile(
    r"</?(?:html|head|body|p|div|h[1-6]|ul|ol|li|table|tr|td|br|span|a|b|i|strong|em)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_XML_START = re.compile(r"\s*+<\?xml\s|\s*+<!DOCTYPE\s+(?!html)\w+|\s*+<svg[\s>]", re.IGNORECASE)
_MARKDOWN_SIGNS = re.compile(
    r"^(?:#{1,6} +\S|```|~~~|[ \t]{0,3}>\s\S|\|?(?:\s*:?-{3,}:?\s*\|)+\s*:?-*:?\s*$|\[[^\]\n]{1,80}\]:\s)"
    r"|(?<!\*)\*\*[^\s*][^*\n]{0,200}\*\*(?!\*)|\]\([^()\s]{1,300}\)",
    re.MULTILINE,
)
_MARKDOWN_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n){0,60}?---[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Sniff:
    """Hold what a file is by its first bytes.

    Args:
        verdict: OK, EMPTY_FILE, NOT_PDF or UNSUPPORTED.
        detail: One sentence for people; empty where the verdict is OK.
    """

    media_type: MediaType | None
    verdict: Verdict
    detail: str = ""


def detect(head: bytes, name: str = "") -> MediaType | None:
    """Find the media type by content.

    Args:
        head: The first bytes of the file, best `HEAD_BYTES` of them.
        name: File name; it decides only between the kinds of text (`.md`).

    Returns:
        None for what no reader can read.
    """
    if b"%PDF-" in head[:_PDF_REACH]:
        return MediaType.PDF
    if not head or _binary_kind(head):
        return None
    text = decode_text(head, complete=False)
    return None if text is None else _text_kind(text, Path(name).suffix.lower())


def _text_kind(text: str, suffix: str) -> MediaType | None:
    if suffix in _MARKDOWN_NAMES and not _HTML_PAGE.match(text):
        return MediaType.MARKDOWN
    if _HTML_START.match(text) or (suffix in _HTML_NAMES and _HTML_TAG.search(text)):
        return MediaType.HTML
    if _XML_START.match(text):
        return None
    if suffix != ".txt" and (_FRONT_MATTER.match(text) or _looks_like_markdown(text)):
        return MediaType.MARKDOWN
    return MediaType.TEXT


def _looks_like_markdown(text: str) -> bool:
    """Demand clear signs: a heading and another sign, or several signs of different lines."""
    signs = {match.start() for match in _MARKDOWN_SIGNS.finditer(text)}
    return len(signs) >= (2 if _MARKDOWN_HEADING.search(text) else 3)


def _binary_kind(head: bytes) -> str:
    """Name the binary format; empty where no signature is known."""
    if head.startswith(b"PK\x03\x04"):
        return "a zip archive"
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            text_like = signature in _TEXT_LIKE_SIGNATURES and decode_text(head, complete=False) is not None
            return "" if text_like else kind
    return "a film file" if head[4:8] == b"ftyp" else ""


def sniff(path: Path, name: str | None = None) -> Sniff:
    """Find out what a file is and whether a reader can read it.

    Args:
        name: The name that people know the file by, where its bytes are kept under another one.

    Raises:
        SourceError: The file vanished or may not be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read: {error.strerror}.", "Check that it exists and is yours."
        ) from error
    if not head:
        return Sniff(None, Verdict.EMPTY_FILE, "The file is empty (0 bytes).")
    known_as = Path(path.name if name is None else name)
    found = detect(head, known_as.name)
    if known_as.suffix.lower() == ".pdf" and found is not MediaType.PDF:
        return Sniff(
            None, Verdict.NOT_PDF, f"The name ends in .pdf, but this is {_describe(path, head, found)}."
        )
    if found is None:
        detail = (
            f"This is {_describe(path, head, found)}; Fundstelle reads PDF, HTML, Markdown and plain text."
        )
        return Sniff(None, Verdict.UNSUPPORTED, detail)
    return Sniff(found, Verdict.OK)


def _describe(path: Path, head: bytes, found: MediaType | None) -> str:
    names = {
        MediaType.HTML: "an HTML page",
        MediaType.MARKDOWN: "a Markdown text",
        MediaType.TEXT: "a plain text",
    }
    if found in names:
        return names[found]
    if head.startswith(b"PK\x03\x04"):
        return _archive_kind(path)
    if kind := _binary_kind(head):
        return kind
    return "a binary file of unknown kind" if decode_text(head, complete=False) is None else "an XML file"


def _archive_kind(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return "a damaged zip archive"
    for part, kind in _ARCHIVE_PARTS:
        if any(name.startswith(part) for name in names):
            return kind
    return "a zip archive"
