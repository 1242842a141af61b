"""What every command prints: results on standard output, everything else on standard error.

With `--json` a result is one JSON object on one line; without it, it is text for people.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table

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
    """Print a table for people; numbers to the right."""
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, justify="right" if name.startswith("#") else "left", overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    Console(highlight=False, markup=False).print(table)
