"""The commands that check and repair: `replay`, `verify`, `reconcile`, `reindex`, `doctor`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from fundstelle.cli.diagnosis import diagnose
from fundstelle.cli.exit_codes import EXIT_PROBLEMS
from fundstelle.cli.jsonable import jsonable
from fundstelle.cli.output import error_console, print_json, print_text
from fundstelle.cli.progress import ProgressBars
from fundstelle.cli.session import CollectionOption, JsonOption, session_of
from fundstelle.domain.criteria import Problem
from fundstelle.domain.errors import UsageError
from fundstelle.domain.identity import QueryId
from fundstelle.ingest.reconcile import reconcile
from fundstelle.ingest.reindex import reindex
from fundstelle.ingest.verify import verify_import
from fundstelle.query.replay import replay, replay_all
from fundstelle.query.verify import verify_queries


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("replay")(replay_command)
    app.command("verify")(verify_command)
    app.command("reconcile")(reconcile_command)
    app.command("reindex")(reindex_command)
    app.command("doctor")(doctor_command)


def report(
    ok: bool,
    checked: int,
    problems: Sequence[Problem],
    *,
    subject: str,
    as_json: bool,
    notes: Sequence[str] = (),
    **more: int,
) -> int:
    """Print the result of a check and give the exit code.

    Args:
        subject: What was checked, in the plural.
        more: Further counts, printed where they are not 0.
    """
    if as_json:
        print_json(
            {"ok": ok, "checked": checked, "problems": jsonable(problems), "notes": list(notes), **more}
        )
        return 0 if ok else EXIT_PROBLEMS
    for problem in problems:
        print_text(f"✗ {problem.criterion}  {problem.id}: {problem.detail}")
    for note in notes:
        print_text(f"· {note}")
    counts = "".join(f", {value} {name}" for name, value in more.items() if value)
    print_text(f"{'✓' if ok else '✗'} {checked} {subject} checked, {len(problems)} problems{counts}.")
    return 0 if ok else EXIT_PROBLEMS


def replay_command(
    context: typer.Context,
    query: Annotated[str | None, typer.Argument(metavar="[QUERY]", help="Id of a query.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All stored queries.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Rebuild context and prompt of an answer from SQL and prove that they are byte for byte the same."""
    if (query is None) == (not every):
        raise UsageError("Name one query, or all of them with --all.")
    with session_of(context).open() as app:
        services = app.replay_services()
        found = replay_all(services=services) if query is None else replay(QueryId(query), services=services)
    return report(
        found.ok, found.checked, found.problems, subject="phases", as_json=as_json, notes=found.notes
    )


def verify_command(
    context: typer.Context, collection: CollectionOption = None, as_json: JsonOption = False
) -> int:
    """Check every criterion again on what is stored: pages, sections, chunks, windows, queries."""
    with session_of(context).open() as app:
        imported = verify_import(
            collection, database=app.database, blobs=app.blobs, count_tokens=app.tokenizer.count
        )
        asked = verify_queries(log=app.query_log, reader=app.passages)
    return report(
        imported.ok and asked.ok,
        imported.checked + asked.checked,
        [*imported.problems, *asked.problems],
        subject="pages, sections, chunks, windows and queries",
        as_json=as_json,
    )


def reconcile_command(
    context: typer.Context,
    collection: CollectionOption = None,
    repair: Annotated[bool, typer.Option("--repair", help="Make good what differs.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Compare the index with SQL, both ways, by id and content hash."""
    with session_of(context).open(exclusive=True) as app:
        tools = app.import_tools(with_index=True)
        assert tools.indexing is not None, "asked for above"
        found = reconcile(collection, repair=repair, database=app.database, indexing=tools.indexing)
    return report(
        found.ok, found.checked, found.problems, subject="points", as_json=as_json, repaired=found.repaired
    )


def reindex_command(
    context: typer.Context, collection: CollectionOption = None, as_json: JsonOption = False
) -> int:
    """Build the index anew from SQL, beside the old one, and switch when it is complete."""
    with session_of(context).open(exclusive=True) as app, ProgressBars(error_console) as bars:
        tools = app.import_tools(with_index=True)
        assert tools.indexing is not None, "asked for above"
        found = reindex(collection, tools=tools, indexing=tools.indexing, progress=bars)
    return report(found.ok, found.checked, found.problems, subject="points", as_json=as_json)


def doctor_command(context: typer.Context, as_json: JsonOption = False) -> int:
    """Look whether everything that is needed is there and works; says what to do where it does not."""
    findings = diagnose(session_of(context))
    failed = [finding for finding in findings if not finding.ok]
    if as_json:
        print_json({"ok": not failed, "findings": jsonable(findings)})
    else:
        for finding in findings:
            print_text(f"{'✓' if finding.ok else '✗'} {finding.part:12} {finding.detail}")
            if finding.advice:
                print_text(f"{'':15}→ {finding.advice}")
    return EXIT_PROBLEMS if failed else 0
