"""The command `eval`: measures retrieval and refusal on a SQuAD-form file, in a data folder of its own."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from fundstelle.bootstrap import App
from fundstelle.cli.jsonable import json_object
from fundstelle.cli.output import error_console, print_json, print_text
from fundstelle.cli.progress import ProgressBars, question_bar
from fundstelle.cli.session import JsonOption, session_of
from fundstelle.config import Settings
from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.errors import ServiceError, SourceError, UsageError
from fundstelle.domain.identity import DocumentId, content_hash, new_query_id
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.domain.retrieval import AnswerVerdict, RetrievalMode
from fundstelle.ingest.pipeline import ResumeRequest, TextRequest, import_text, resume
from fundstelle.query.evaluate import Evaluation, evaluate
from fundstelle.query.evaluate_squad import EvalParagraph, EvalSet, read_squad
from fundstelle.query.pipeline import QueryServices, ask, search

COLLECTION = "evaluation"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("eval")(eval_command)


def eval_command(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions in SQuAD form (JSON).")],
    hold_out_gold: Annotated[
        bool,
        typer.Option("--hold-out-gold", help="Also ask without the right paragraph, and count refusals."),
    ] = False,
    mode: Annotated[
        RetrievalMode | None, typer.Option(help="Legs of the search.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure the search on questions with known paragraphs; your own documents are not touched."""
    data = _read(file)
    questions = read_squad(_decode(data, file), file.name)
    session = session_of(context)
    with session.open(mode=mode) as outer:
        home = outer.settings.home / "evaluations" / content_hash(data)[:12]
        settings = outer.settings.model_copy(update={"home": home})
    measured = _evaluate(session.make_app(settings), settings, questions, hold_out_gold=hold_out_gold)
    result = json_object(measured.retrieval) | (json_object(measured.refusal) if measured.refusal else {})
    if as_json:
        print_json(result)
    else:
        for name, value in result.items():
            print_text(f"{name:14} {value:.4f}" if isinstance(value, float) else f"{name:14} {value}")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SourceError(
            f"{file} cannot be read: {error.strerror}.", "Name a file in SQuAD form."
        ) from error


def _decode(data: bytes, file: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 (at byte {error.start}).") from error


def _evaluate(app: App, settings: Settings, questions: EvalSet, *, hold_out_gold: bool) -> Evaluation:
    with app.exclusive(), question_bar(error_console) as bar:
        try:
            asking = _Asking(app.query_services(), settings.mode)
            task = bar.add_task("Asking", total=None)
            return evaluate(
                questions,
                import_paragraphs=lambda paragraphs: _import(app, paragraphs),
                search=asking.search,
                clock=time.perf_counter,
                ask=asking.ask if hold_out_gold else None,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        finally:
            app.close()


def _import(app: App, paragraphs: Sequence[EvalParagraph]) -> Sequence[DocumentId]:
    """Store every paragraph, then embed all of them in full batches."""
    tools = app.import_tools(with_index=True)
    requests = (
        TextRequest(f"{one.title} ({one.key})", one.text, COLLECTION, until=VersionStatus.CHUNKED)
        for one in paragraphs
    )
    with ProgressBars(error_console) as bars:
        stored = [import_text(request, tools=tools) for request in requests]
        for result in resume(ResumeRequest(COLLECTION), tools=tools, progress=bars):
            if result.error is not None:
                raise ServiceError(f"{result.filename} could not be indexed: {result.error}")
    found = [result.identical_to or result.document_id for result in stored]
    return [document for document in found if document is not None]


class _Asking:
    """Ask the questions of an evaluation as the chat would."""

    def __init__(self, services: QueryServices, mode: RetrievalMode) -> None:
        self._services = services
        self._mode = mode

    def search(self, question: str, limit: int) -> Sequence[DocumentId]:
        """Search; gives documents, best first."""
        request = QueryRequest(question, collections=(COLLECTION,), mode=self._mode, top_k=limit)
        found = search(request, services=self._services, query_id=new_query_id(), now=datetime.now(UTC))
        return [passage.record.document_id for passage in found]

    def ask(self, question: str, *, without: DocumentId | None) -> bool:
        """Ask through all phases, with a document left out; says whether there was an answer."""
        left_out = () if without is None else (without,)
        request = QueryRequest(question, collections=(COLLECTION,), mode=self._mode, without=left_out)
        answer = ask(request, services=self._services, query_id=new_query_id(), now=datetime.now(UTC))
        return answer.verdict is not AnswerVerdict.NO_PASSAGE
