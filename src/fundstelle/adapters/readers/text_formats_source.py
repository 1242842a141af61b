"""Read the source of a text format from its file, within the limits, as decoded text."""

import re
from pathlib import Path

from fundstelle.adapters.readers.text_formats_encoding import decode_text
from fundstelle.domain.errors import SourceError

MAX_BYTES = 50_000_000
"""Larger texts are refused: nobody writes fifty million characters in one file by hand."""
_LINE_END = re.compile(r"\r\n?")


class TooLargeTextError(Exception):
    """Report a text over `MAX_BYTES`; stays between loader and reader."""


class NoTextError(Exception):
    """Report bytes that are no text; stays between loader and reader."""


def load_source(path: Path) -> str:
    """Read and decode a text; every line ends with a line feed.

    Raises:
        SourceError: The file vanished or may not be read.
        TooLargeTextError: The file is over `MAX_BYTES`.
        NoTextError: The bytes are no text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read: {error.strerror}.", "Check that it exists and is yours."
        ) from error
    if len(data) > MAX_BYTES:
        raise TooLargeTextError(f"The text is over {MAX_BYTES // 1_000_000} MB.")
    text = decode_text(data)
    if text is None:
        raise NoTextError("The bytes are no text in any known encoding.")
    return _LINE_END.sub("\n", text)
