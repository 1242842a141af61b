"""The command `fundstelle`: puts the command groups together and words errors for people."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from fundstelle import __version__
from fundstelle.cli import answering, checking, documents, evaluation, importing
from fundstelle.cli.exit_codes import EXIT_CODES, EXIT_INTERRUPTED
from fundstelle.cli.output import print_note, print_text
from fundstelle.cli.session import Session
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
    context.obj = Session(home)


importing.register(app)
documents.register(app)
answering.register(app)
checking.register(app)
evaluation.register(app)


def main() -> None:
    """Run the command line; every error ends as one clear line and an exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and give its exit code.

    Args:
        arguments: Without the name of the program.
    """
    command = typer.main.get_command(app)
    try:
        result = command.main(args=arguments, prog_name="fundstelle", standalone_mode=False)
    except FundstelleError as error:
        return _report(error)
    except KeyboardInterrupt:
        print_note("Interrupted. What was finished is kept; run the command again to carry on.")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as error:  # noqa: BLE001 - the outermost face: a person must not see a stack trace
        return _report_otherwise(error)
    return result if isinstance(result, int) else 0


def _report(error: FundstelleError) -> int:
    print_note(f"Error: {error.message}")
    if error.hint:
        print_note(error.hint)
    return EXIT_CODES[error.code]


def _report_otherwise(error: Exception) -> int:
    show = getattr(error, "show", None)
    if callable(show):  # errors of the option parser word themselves
        show()
        return int(getattr(error, "exit_code", EXIT_CODES["usage"]))
    if type(error).__name__ in {"Abort", "Exit"}:
        return int(getattr(error, "exit_code", EXIT_INTERRUPTED))
    print_note(f"Error: the program has a fault: {type(error).__name__}: {error}")
    print_note("Nothing that was finished is lost. Please report it with the command you ran.")
    return EXIT_CODES["error"]
