"""The port through which files become text (phase I1)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from fundstelle.domain.documents import DocumentText, MediaType

PageProgress: TypeAlias = Callable[[int, int | None], None]
"""Called with pages done and pages in all (None when unknown)."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Ask for the text of one file.

    Args:
        path: The file to read; its bytes are those that were hashed.
        media_type: Detected from the bytes, never from the name.
        password: Opens an encrypted file.
    """

    path: Path
    media_type: MediaType
    password: str | None = None


class DocumentReader(Protocol):
    """Read a file into pages of normalised text with headings.

    Deterministic: the same bytes give the same result. Never raises for what is in the file:
    that is a `Verdict` in the result (with no pages where nothing could be read). A hostile file
    ends as `Verdict.TOO_LARGE` or `Verdict.DAMAGED` within the limits on time and memory, and
    never takes the calling process down. Not safe to call from two threads at once.
    """

    def read(self, request: ReadRequest, progress: PageProgress) -> DocumentText:
        """Read the whole file.

        Raises:
            SourceError: The file vanished or may not be read.
        """
        ...

    def close(self) -> None:
        """End worker processes; the reader can be used again afterwards."""
        ...
