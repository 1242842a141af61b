"""What every command prints: results on standard output, everything else on standard error.

With `--json` a result is one JSON object on one line; without it, it is text for people.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table

_WIDE = 400
"""Columns of a table that goes into a file or pipe, where nothing should be wrapped."""

console = Console(highlight=False, soft_wrap=True, markup=False)
error_console = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)


def print_json(value: Mapping[str, object]) -> None:
    """Print one object as one line of JSON (UTF-8, no escapes for umlauts)."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def print_text(text: str = "") -> None:
    """Print a text for people."""
    console.print(text)


def print_note(text: str) -> None:
    """Print a remark beside the result, on standard error."""
    error_console.print(text)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people; columns named with `#` to the right, only the last one is wrapped."""
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        is_last = name == columns[-1]
        justify: Literal["left", "right"] = "right" if name.startswith("#") else "left"
        table.add_column(name.lstrip("#"), justify=justify, no_wrap=not is_last, overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    width = None if sys.stdout.isatty() else _WIDE
    Console(highlight=False, markup=False, width=width).print(table)
