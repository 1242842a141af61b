"""Find what is to be imported: files, folders walked in stable order, typed text.

Nothing found here stops an import: what cannot be read is handed on as a `Refusal`, which becomes a
result of its own.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fundstelle.domain.documents import MediaType, Verdict


@dataclass(frozen=True, slots=True)
class FileSource:
    """Name a file to import.

    Args:
        path: As the system knows it, absolute; symbolic links are kept.
    """

    path: Path

    @property
    def filename(self) -> str:
        """Give the name in Unicode NFC."""
        return readable(self.path.name)

    @property
    def key(self) -> str:
        """Give what the document is known by."""
        return f"path:{readable(str(self.path))}"


@dataclass(frozen=True, slots=True)
class TextSource:
    """Hold a typed text to import."""

    title: str
    text: str
    media_type: MediaType = MediaType.TEXT

    @property
    def filename(self) -> str:
        """Give the title in Unicode NFC."""
        return readable(self.title)

    @property
    def key(self) -> str:
        """Give what the document is known by."""
        return f"title:{readable(self.title)}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Report something that was found and cannot be imported."""

    filename: str
    key: str
    verdict: Verdict
    error: str


Source = FileSource | TextSource


def readable(text: str) -> str:
    """Bring a name into the form that is stored: NFC, with bytes that are no Unicode written out.

    Names that differ by more than their normal form stay different.
    """
    return unicodedata.normalize("NFC", text.encode("utf-8", "backslashreplace").decode("utf-8"))


def walk(paths: Sequence[Path], *, own_folder: Path | None = None) -> Iterator[FileSource | Refusal]:
    """Go through files and folders in the order given, each folder in order of names.

    Hidden entries of folders are passed over; a file named by itself is taken whatever its name is.

    Args:
        own_folder: The data folder; what lies in it is no document of the user's.
    """
    seen: set[tuple[int, int]] = set()
    if own_folder is not None and own_folder.is_dir():
        state = own_folder.stat()
        seen.add((state.st_dev, state.st_ino))
    for path in paths:
        yield from _visit(Path(os.path.abspath(path)), seen)  # noqa: PTH100 - resolve() would follow links


def _visit(path: Path, seen: set[tuple[int, int]]) -> Iterator[FileSource | Refusal]:
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        yield refuse(path, error)
        return
    if stat.S_ISREG(state.st_mode):
        yield FileSource(path)
    elif stat.S_ISDIR(state.st_mode):
        # A folder reached twice (by a link, or named twice) is walked once, so that loops end.
        if (state.st_dev, state.st_ino) not in seen:
            seen.add((state.st_dev, state.st_ino))
            yield from _visit_folder(path, seen)
    else:
        yield Refusal(
            readable(path.name),
            f"path:{readable(str(path))}",
            Verdict.UNSUPPORTED,
            f"'{readable(str(path))}' is neither a file nor a folder. Please name a file.",
        )


def _visit_folder(folder: Path, seen: set[tuple[int, int]]) -> Iterator[FileSource | Refusal]:
    try:
        names = sorted((entry.name for entry in folder.iterdir()), key=lambda name: (readable(name), name))
    except OSError as error:
        yield refuse(folder, error)
        return
    for name in names:
        if not name.startswith("."):
            yield from _visit(folder / name, seen)


def refuse(path: Path, error: OSError | ValueError) -> Refusal:
    """Word why a path cannot be read."""
    shown = readable(str(path))
    if isinstance(error, PermissionError):
        verdict, reason = Verdict.NOT_PERMITTED, "may not be read. Give your user the right to read it."
    elif isinstance(error, FileNotFoundError):
        verdict, reason = Verdict.NOT_FOUND, "does not exist. Check the path."
    else:
        detail = error.strerror if isinstance(error, OSError) else str(error)
        verdict, reason = Verdict.NOT_FOUND, f"cannot be reached: {detail}. Check path and disk."
    return Refusal(readable(path.name), f"path:{shown}", verdict, f"'{shown}' {reason}")
