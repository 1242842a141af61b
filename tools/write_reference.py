"""Write the reference pages that are made from the code: settings, errors and exit codes, schema, commands.

`python tools/write_reference.py` writes them; with `--check` it only compares and fails on a difference.
"""

import sys
from pathlib import Path

from sqlalchemy import Column

from fundstelle.adapters.sql import query_tables, tables
from fundstelle.cli.exit_codes import EXIT_CODES
from fundstelle.cli.reference import describe_commands
from fundstelle.config import Settings
from fundstelle.domain import errors

DOCS = Path(__file__).resolve().parents[1] / "docs"


def settings_page() -> str:
    """List every setting with default and meaning."""
    rows = [
        f"| `{name}` | `{'' if field.is_required() else field.get_default()}` | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]
    head = (
        "# Settings\n\nIn `fundstelle.toml` in the data folder, as `FUNDSTELLE_NAME` in the environment, or"
        " as an option of a command where one exists.\n\n| setting | default | meaning |\n|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def errors_page() -> str:
    """List every error with code, exit code and meaning."""
    rows = []
    pending: list[type[errors.FundstelleError]] = [errors.FundstelleError]
    while pending:
        error = pending.pop(0)
        pending.extend(error.__subclasses__())
        first_line = (error.__doc__ or "").splitlines()[0]
        rows.append(f"| `{error.code}` | {EXIT_CODES[error.code]} | {first_line} |")
    return "# Errors\n\n| code | exit code | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def _column_row(column: Column[object]) -> str:
    marks = ["key"] if column.primary_key else []
    marks += [] if column.nullable else ["required"]
    target = ", ".join(f"→ {key.target_fullname}" for key in column.foreign_keys)
    return f"| `{column.name}` | {', '.join(marks)} | {' '.join(filter(None, (column.comment, target)))} |"


def schema_page() -> str:
    """List every table with its columns."""
    assert query_tables  # importing it adds its tables to the same metadata
    parts = ["# Schema\n"]
    for table in sorted(tables.metadata.tables.values(), key=lambda table: table.name):
        rows = "\n".join(_column_row(column) for column in table.columns)
        parts.append(f"## {table.name}\n\n| column | | |\n|---|---|---|\n{rows}\n")
    return "\n".join(parts)


PAGES = {
    "settings.md": settings_page,
    "errors.md": errors_page,
    "schema.md": schema_page,
    "commands.md": describe_commands,
}


def main(check: bool) -> int:
    """Write or compare all pages; give the number of pages that differ."""
    differing = 0
    for name, make in PAGES.items():
        path = DOCS / name
        fresh = make()
        if path.exists() and path.read_text(encoding="utf-8") == fresh:
            continue
        differing += 1
        if check:
            sys.stderr.write(f"docs/{name} is not what the code says; run: make reference\n")
        else:
            path.write_text(fresh, encoding="utf-8")
    return differing if check else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
