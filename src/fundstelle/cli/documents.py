"""The commands that look into documents: `documents …`, `sections`, `chunks`, `text`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from fundstelle.cli.exit_codes import EXIT_PROBLEMS
from fundstelle.cli.importing import json_result, print_result
from fundstelle.cli.output import in_one_line, print_json, print_note, print_raw, print_table, print_text
from fundstelle.cli.session import CollectionOption, DocumentArgument, JsonOption, session_of
from fundstelle.ingest.library import (
    find_document,
    find_version,
    is_paged,
    list_documents,
    list_versions,
    read_chunks,
    read_page,
    read_pages,
    read_sections,
)
from fundstelle.ingest.withdraw import restore, withdraw
from fundstelle.ports.records import DocumentSummary

group = typer.Typer(help="List, look at, withdraw and restore documents.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(group, name="documents")
    app.command("sections")(sections_command)
    app.command("chunks")(chunks_command)
    app.command("text")(text_command)


def _summary_object(summary: DocumentSummary) -> dict[str, object]:
    document, version, counts = summary.document, summary.version, summary.counts
    return {
        "document_id": document.document_id,
        "title": document.title,
        "filename": document.filename,
        "collection": summary.collection,
        "status": "withdrawn" if document.withdrawn_at else document.status.value,
        "verdict": version.verdict.value if version else None,
        "pages": counts.pages,
        "sections": counts.sections,
        "chunks": counts.chunks,
        "current_version_id": document.current_version_id,
        "newest_version_id": version.version_id if version else None,
        "withdrawn_at": document.withdrawn_at.isoformat() if document.withdrawn_at else None,
        "error": version.failure if version else None,
    }


@group.command("list")
def list_command(
    context: typer.Context, collection: CollectionOption = None, as_json: JsonOption = False
) -> None:
    """List all documents, withdrawn ones too."""
    with session_of(context).open() as app:
        found = map(_summary_object, list_documents(collection, database=app.database))
        if as_json:
            for one in found:
                print_json(one)
            return
        columns = ("document_id", "status", "pages", "sections", "chunks", "collection", "title")
        rows = [[one[name] for name in columns] for one in found]
    if rows:
        print_table(("document", "status", "#pages", "#sections", "#chunks", "collection", "title"), rows)
    else:
        print_note("No documents yet. Import some with: fundstelle import PATH")


@group.command("show")
def show_command(context: typer.Context, document: DocumentArgument, as_json: JsonOption = False) -> None:
    """Show one document with all its versions and what went wrong with them."""
    with session_of(context).open() as app:
        summary = find_document(document, database=app.database)
        versions = list_versions(summary.document.document_id, database=app.database)
    shown = _summary_object(summary)
    shown["versions"] = [
        {
            "version_id": one.version_id,
            "ordinal": one.ordinal,
            "status": one.status.value,
            "verdict": one.verdict.value,
            "detail": one.verdict_detail,
            "content_hash": one.content_hash,
            "media_type": one.media_type,
            "file_size": one.file_size,
            "error": one.failure,
        }
        for one in versions
    ]
    if as_json:
        print_json(shown)
        return
    for name, value in shown.items():
        if name != "versions" and value is not None:
            print_text(f"{name:20} {in_one_line(str(value))}")
    for one in versions:
        current = "  (queries see this one)" if one.version_id == summary.document.current_version_id else ""
        print_text(
            f"version {one.ordinal:3}  {one.version_id}  {one.status.value}, {one.verdict.value}{current}"
        )
        for line in filter(None, (one.failure or one.verdict_detail,)):
            print_text(f"             {in_one_line(line)}")


@group.command("remove")
def remove_command(context: typer.Context, document: DocumentArgument, as_json: JsonOption = False) -> int:
    """Withdraw a document from the answers; old answers still lead to it, and it can be restored."""
    with session_of(context).open(exclusive=True) as app:
        tools = app.import_tools(with_index=True)
        found = find_document(document, database=app.database).document
        done = withdraw(
            found.document_id, at=datetime.now(UTC), database=app.database, indexing=tools.indexing
        )
    if as_json:
        print_json(
            {"document_id": found.document_id, "points_removed": done.points_removed, "error": done.error}
        )
    else:
        print_text(
            f"Withdrawn: {in_one_line(found.title)} ({found.document_id}). "
            "To take it back: documents restore."
        )
        if done.error:
            print_note(f"The index still has to follow: {done.error}")
    return EXIT_PROBLEMS if done.error else 0


@group.command("restore")
def restore_command(context: typer.Context, document: DocumentArgument, as_json: JsonOption = False) -> int:
    """Let a withdrawn document count again, in its newest version."""
    with session_of(context).open(exclusive=True) as app:
        found = find_document(document, database=app.database).document
        result = restore(found.document_id, tools=app.import_tools(with_index=True))
    print_json(json_result(result)) if as_json else print_result(result)
    return EXIT_PROBLEMS if result.error else 0


def sections_command(context: typer.Context, document: DocumentArgument, as_json: JsonOption = False) -> None:
    """Show the sections of a document as a tree."""
    with session_of(context).open() as app:
        version = find_version(document, database=app.database)
        sections = read_sections(version, database=app.database)
        paged = is_paged(version, database=app.database)
    for one in sections:
        if as_json:
            print_json(
                {
                    "section_id": one.section_id,
                    "parent_id": one.parent_id,
                    "level": one.level,
                    "title": one.title,
                    "heading_path": one.heading_path,
                    "char_start": one.char_start,
                    "char_end": one.char_end,
                    "page_first": one.page_first,
                    "page_last": one.page_last,
                    "recognised_by": one.recognised_by.value,
                }
            )
        else:
            indent = "  " * max(one.level - 1, 0)
            title = in_one_line(one.title) or "(text before the first heading)"
            page = f" · page {one.page_first}" if paged else ""
            print_text(f"{indent}{title} {page} · {one.recognised_by.value}")


def chunks_command(context: typer.Context, document: DocumentArgument, as_json: JsonOption = False) -> None:
    """Show the chunks of a document in reading order."""
    with session_of(context).open() as app:
        version = find_version(document, database=app.database)
        paged = is_paged(version, database=app.database)
        for one in read_chunks(version, database=app.database):
            if as_json:
                print_json(
                    {
                        "chunk_id": one.chunk_id,
                        "section_id": one.section_id,
                        "chunk_index": one.chunk_index,
                        "content": one.content,
                        "token_count": one.token_count,
                        "heading_path": one.heading_path,
                        "semantic_role": one.semantic_role.value,
                        "char_start": one.char_start,
                        "char_end": one.char_end,
                        "page_first": one.page_first,
                        "page_last": one.page_last,
                    }
                )
            else:
                pages = f"pages {one.page_first}–{one.page_last} · " if paged else ""
                print_text(
                    f"── {one.chunk_index}  {in_one_line(one.heading_path) or '–'}  · "
                    f"{one.token_count} tokens · {one.semantic_role.value} · "
                    f"{pages}{one.chunk_id}"
                )
                print_text(one.content.strip() + "\n")


def text_command(
    context: typer.Context,
    document: DocumentArgument,
    page: Annotated[int | None, typer.Option(min=1, help="Only this physical page.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="As extracted, not normalised.")] = False,
) -> None:
    """Print the text of a document, normalised or as extracted."""
    with session_of(context).open() as app:
        version = find_version(document, database=app.database)
        pages = (
            [read_page(version, page, database=app.database)]
            if page is not None
            else read_pages(version, database=app.database)
        )
        for one in pages:
            print_raw(one.raw_content if raw else one.content)
    print_raw("\n")
