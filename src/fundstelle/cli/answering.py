"""The commands `ask`, `trace` and `queries`: answers with their sources, and how they came about."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from fundstelle.cli.answer_text import answer_lines
from fundstelle.cli.jsonable import json_object
from fundstelle.cli.output import print_json, print_table, print_text
from fundstelle.cli.session import JsonOption, session_of
from fundstelle.cli.trace_text import trace_lines
from fundstelle.domain.identity import QueryId, new_query_id
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.query.pipeline import ask
from fundstelle.query.trace import trace

QueryArgument = Annotated[str, typer.Argument(metavar="QUERY", help="Id of a query, as `ask` shows it.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("ask")(ask_command)
    app.command("trace")(trace_command)
    app.command("queries")(queries_command)


def ask_command(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question, in quotes.")],
    collection: Annotated[
        list[str] | None,
        typer.Option("--collection", "-c", help="Search only this collection; may be repeated."),
    ] = None,
    mode: Annotated[
        RetrievalMode | None, typer.Option(help="Legs of the search.", show_default=False)
    ] = None,
    top_k: Annotated[int | None, typer.Option(help="Passages that come into question.")] = None,
    context_tokens: Annotated[int | None, typer.Option(help="Largest context.")] = None,
    answer_tokens: Annotated[int | None, typer.Option(help="Longest answer.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question from the documents; every sentence names its source."""
    options = {
        "mode": mode,
        "top_k": top_k,
        "chat_context_tokens": context_tokens,
        "answer_tokens": answer_tokens,
    }
    with session_of(context).open(exclusive=True, **options) as app:
        settings = app.settings
        request = QueryRequest(
            text=question,
            collections=tuple(collection or ()),
            mode=settings.mode,
            top_k=settings.top_k,
            context_tokens=settings.chat_context_tokens,
            answer_tokens=settings.answer_tokens,
            temperature=settings.temperature,
            seed=settings.seed,
        )
        answer = ask(request, services=app.query_services(), query_id=new_query_id(), now=datetime.now(UTC))
    if as_json:
        print_json(json_object(answer))
    else:
        print_text("\n".join(answer_lines(answer)))


def trace_command(context: typer.Context, query: QueryArgument, as_json: JsonOption = False) -> None:
    """Show the nine phases of a query: artefacts, criteria, durations."""
    with session_of(context).open() as app:
        found = trace(QueryId(query), log=app.query_log)
    if as_json:
        print_json(json_object(found))
    else:
        print_text("\n".join(trace_lines(found)))


def queries_command(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the queries, the newest first."""
    with session_of(context).open() as app:
        found = app.query_log.recent(limit)
    if as_json:
        for summary in found:
            print_json(json_object(summary))
        return
    print_table(
        ("query", "when", "state", "verdict", "question"),
        (
            (
                one.query_id,
                f"{one.created_at.astimezone():%Y-%m-%d %H:%M}",
                one.state.value,
                one.verdict.value if one.verdict else "",
                one.raw_text,
            )
            for one in found
        ),
    )
