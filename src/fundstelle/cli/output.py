"""What every command prints: results on standard output, everything else on standard error.

With `--json` a result is one JSON object on one line; without it, it is text for people. File names,
titles and texts come from strangers: what could command a terminal (escape sequences, line ends in a
name, marks that turn the reading order) is written out, so that it is seen and not obeyed.
"""

import codecs
import contextlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table

from fundstelle.domain.errors import StorageError

_WIDE = 400
"""Columns of a table that goes into a file or pipe, where nothing should be wrapped."""

_TURNING = "\u202a-\u202e\u2066-\u2069"
_COMMANDING = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{_TURNING}\ud800-\udfff]")
_LINE_ENDS = str.maketrans({"\n": "\\n", "\t": " "})

error_console = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def visible(text: str) -> str:
    """Write out what could command a terminal; line ends and tabs stay."""
    return _COMMANDING.sub(_written_out, text)


def in_one_line(text: str) -> str:
    """Write out line ends too: for names and titles, which must not look like lines of their own."""
    return visible(text).translate(_LINE_ENDS)


def print_json(value: Mapping[str, object]) -> None:
    """Print one object as one line of JSON: UTF-8 without escapes for umlauts, where the output takes it."""
    line = json.dumps(value, ensure_ascii=not _is_unicode(sys.stdout.encoding))
    _write(_COMMANDING.sub(_json_escape, line) + "\n")


def print_text(text: str = "") -> None:
    """Print a text for people."""
    _write(f"{visible(text)}\n")


def print_raw(text: str) -> None:
    """Print a stored text: unchanged into a file or pipe, visible on a terminal."""
    _write(visible(text) if sys.stdout.isatty() else text)


def print_note(text: str) -> None:
    """Print a remark beside the result, on standard error."""
    error_console.print(visible(text))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people; columns named with `#` to the right, only the last one is wrapped."""
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        is_last = name == columns[-1]
        justify: Literal["left", "right"] = "right" if name.startswith("#") else "left"
        table.add_column(name.lstrip("#"), justify=justify, no_wrap=not is_last, overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else in_one_line(str(cell)) for cell in row))
    width = None if sys.stdout.isatty() else _WIDE
    with _output_errors():
        Console(highlight=False, markup=False, emoji=False, width=width).print(table)


def _write(text: str) -> None:
    with _output_errors():
        sys.stdout.write(text)
        sys.stdout.flush()


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _json_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _is_unicode(encoding: str | None) -> bool:
    return encoding is None or codecs.lookup(encoding).name.startswith("utf")


@contextlib.contextmanager
def _output_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # nobody reads on: the parser ends the program without a word
        raise
    except OSError as error:
        raise StorageError(
            f"The output cannot be written: {error.strerror}.", "Check where it goes, and run it again."
        ) from error
