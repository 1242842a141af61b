"""The command `import`: files, folders, typed text, and whatever is unfinished."""

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fundstelle.cli.exit_codes import EXIT_PROBLEMS
from fundstelle.cli.output import error_console, in_one_line, print_json, print_note, print_text
from fundstelle.cli.progress import ProgressBars
from fundstelle.cli.session import CollectionOption, JsonOption, session_of
from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.errors import UsageError
from fundstelle.ingest.pipeline import (
    ImportRequest,
    ResumeRequest,
    TextRequest,
    import_paths,
    import_text,
    resume,
)
from fundstelle.ingest.results import ImportProgress, ImportResult
from fundstelle.ingest.tools import ImportTools


class Goal(StrEnum):
    """Name the statuses that an import may stop at."""

    PENDING = "pending"
    CHUNKED = "chunked"
    INDEXED = "indexed"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("import")(import_command)


def import_command(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]…", help="Files and folders; none: carry on what is unfinished."),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="TITLE", help="Import a text from standard input.")
    ] = None,
    collection: CollectionOption = None,
    password: Annotated[str | None, typer.Option(help="Opens encrypted files.")] = None,
    goal: Annotated[
        Goal, typer.Option("--until", help="Stop after this status.", case_sensitive=False)
    ] = Goal.INDEXED,
    as_json: JsonOption = False,
) -> int:
    """Import files, folders or a typed text; run again, it carries on with whatever is unfinished."""
    until = VersionStatus(goal.value)
    if text is not None and paths:
        raise UsageError("--text imports from standard input; files cannot be named beside it.")
    typed = _read_typed_text() if text is not None else ""
    indexes = until is VersionStatus.INDEXED
    failures = seen = 0
    with (
        session_of(context).open(exclusive=indexes, collection=collection) as app,
        ProgressBars(error_console) as bars,
    ):
        tools = app.import_tools(with_index=indexes)
        name = app.settings.collection
        requests = TextRequest(text, typed, name, until=until) if text is not None else None
        found = ImportRequest(tuple(paths or ()), name, until, password, app.settings.home)
        for result in _results(requests or found, tools, bars):
            seen += 1
            failures += result.error is not None
            print_json(json_result(result)) if as_json else print_result(result)
    if not as_json:
        _print_summary(seen, failures)
    return EXIT_PROBLEMS if failures else 0


def _read_typed_text() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The text on standard input is not UTF-8 (at byte {error.start}).",
            "Convert it, or save it as a file and import the file: encodings of files are recognised.",
        ) from error


def _results(
    request: ImportRequest | TextRequest, tools: ImportTools, progress: ImportProgress
) -> Iterator[ImportResult]:
    """Give the results of what was asked for, then of what earlier imports left unfinished."""
    reported = set()
    asked = (
        iter([import_text(request, tools=tools, progress=progress)])
        if isinstance(request, TextRequest)
        else import_paths(request, tools=tools, progress=progress)
    )
    for result in asked:
        reported.add(result.version_id)
        yield result
    if reported == {None}:  # nothing of what was named could be read: a slip, not a wish to go on with others
        return
    for result in resume(ResumeRequest(None, request.until), tools=tools, progress=progress):
        if result.version_id not in reported:
            yield result


def json_result(result: ImportResult) -> dict[str, object]:
    """Give an import result in the shape that other programs rely on."""
    return {
        "document_id": result.document_id,
        "version_id": result.version_id,
        "filename": result.filename,
        "status": result.status.value,
        "verdict": result.verdict.value,
        "pages": result.pages,
        "sections": result.sections,
        "chunks": result.chunks,
        "windows": result.windows,
        "seconds": round(result.seconds, 3),
        "identical_to": result.identical_to,
        "error": result.error,
    }


def print_result(result: ImportResult) -> None:
    """Word an import result for people."""
    name, error = in_one_line(result.filename), in_one_line(result.error or "")
    if result.identical_to is not None:
        print_text(f"=  {name}: identical to document {result.identical_to}; nothing to do.")
    elif result.status is VersionStatus.FAILED:
        print_text(f"✗  {name}: {error}")
    else:
        found = {"page": result.pages, "section": result.sections, "chunk": result.chunks}
        counts = ", ".join(_counted(number, noun) for noun, number in found.items())
        windows = f", {_counted(result.windows, 'window')}" if result.windows else ""
        print_text(
            f"✓  {name}: {result.status.value}; {counts}{windows} ({result.seconds:.1f} s)  "
            f"{result.document_id}"
        )
        if error:
            print_text(f"   ! {error}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _print_summary(seen: int, failures: int) -> None:
    if not seen:
        print_note("Nothing to import, and nothing unfinished.")
    elif failures and seen > 1:
        print_note(f"{seen} documents, {failures} of them with problems; see above.")
