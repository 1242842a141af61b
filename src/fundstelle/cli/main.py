"""The program `fundstelle`: puts the command groups together and words errors for people."""

from pathlib import Path
from typing import Annotated

import typer

from fundstelle import __version__
from fundstelle.bootstrap import App
from fundstelle.cli import answering, checking, documents, evaluation, importing
from fundstelle.cli.exit_codes import EXIT_CODES, EXIT_INTERRUPTED
from fundstelle.cli.output import print_note, print_text
from fundstelle.cli.session import AppFactory, Session
from fundstelle.domain.errors import FundstelleError

app = typer.Typer(
    name="fundstelle",
    help="Answers from your own documents, every sentence with the passage it came from.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=True,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print_text(f"fundstelle {__version__}")
        raise typer.Exit


@app.callback()
def prepare(
    context: typer.Context,
    home: Annotated[
        Path | None, typer.Option(help="Data folder; also FUNDSTELLE_HOME.", show_default=False)
    ] = None,
    version: Annotated[  # noqa: ARG001 - handled by its callback
        bool,
        typer.Option("--version", help="Show the version and end.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Remember the data folder for the command that follows."""
    context.obj = Session(home, context.obj or App)


importing.register(app)
documents.register(app)
answering.register(app)
checking.register(app)
evaluation.register(app)


def run(arguments: list[str], make_app: AppFactory = App) -> int:
    """Run one command and give its exit code.

    Args:
        arguments: Without the name of the program.
        make_app: Wires the parts of the data folder.
    """
    command = typer.main.get_command(app)
    try:
        result = command.main(args=arguments, prog_name="fundstelle", standalone_mode=False, obj=make_app)
    except FundstelleError as error:
        print_note(f"Error: {' '.join(str(error).split())}")
        return EXIT_CODES[error.code]
    except SystemExit as ended:  # how the parser ends when nobody reads the output any more
        return int(ended.code or 0)
    except Exception as error:  # noqa: BLE001 - the outermost face: a person must not see a stack trace
        return _report_otherwise(error)
    if result == EXIT_INTERRUPTED:  # what the parser makes of Ctrl-C
        print_note("Interrupted. What was finished is kept; run the command again to carry on.")
    return result if isinstance(result, int) else 0


def _report_otherwise(error: Exception) -> int:
    show = getattr(error, "show", None)
    if callable(show):  # errors of the option parser word themselves
        show()
        return int(getattr(error, "exit_code", EXIT_CODES["usage"]))
    fault = " ".join(f"{type(error).__name__}: {error}".split())
    print_note(f"Error: the program has a fault: {fault}")
    print_note("Nothing that was finished is lost. Please report it with the command you ran.")
    return EXIT_CODES["error"]
