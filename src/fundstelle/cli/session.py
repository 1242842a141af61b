"""What the commands share: the data folder of this call, and the options that many of them have."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from fundstelle.bootstrap import App
from fundstelle.config import Settings, load_settings

AppFactory: TypeAlias = Callable[[Settings], App]
"""Wires the parts of a data folder; `App` itself, unless a test wants other parts."""

JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
CollectionOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--collection", "-c", help="Name of the collection.", show_default=False),
]
DocumentArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="DOC", help="Id of a document or of a version, or a unique beginning of it.")
]


@dataclass(frozen=True, slots=True)
class Session:
    """Hold what was said before the command.

    Args:
        home: The data folder; None means the usual one.
        make_app: Wires its parts.
    """

    home: Path | None
    make_app: AppFactory = App

    @contextmanager
    def open(self, *, exclusive: bool = False, **options: object) -> Iterator[App]:
        """Open the data folder for one command and close it afterwards.

        Args:
            exclusive: Hold it alone, as everything must that uses the embedded index.
            options: Settings that win over file and environment; None means "not given".
        """
        app = self.make_app(load_settings(self.home, **options))
        with ExitStack() as stack:
            if exclusive:
                stack.enter_context(app.exclusive())
            stack.callback(app.close)  # before the lock is let go: the next one opens the same index
            yield app


def session_of(context: typer.Context) -> Session:
    """Find the session that the program began with."""
    session = context.find_object(Session)
    assert session is not None, "the callback of the program sets it"
    return session
