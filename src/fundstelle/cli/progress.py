"""Shows how an import goes on: bars on standard error, nothing where that is no terminal."""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from fundstelle.cli.output import in_one_line
from fundstelle.ingest.results import ImportResult


class _RateColumn(ProgressColumn):
    """Show how many steps a second are done."""

    def render(self, task: Task) -> Text:
        """Word the rate of one bar."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:.0f}/s" if speed and speed >= 10 else f"{speed:.1f}/s" if speed else "")


class ProgressBars:
    """Implement `ingest.results.ImportProgress` with one bar for pages and one for windows.

    Used as a context; quiet when `console` is no terminal.

    Args:
        console: Where the bars are drawn; standard error.
    """

    def __init__(self, console: Console) -> None:
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            _RateColumn(),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            # Into a file or pipe the results must go past the bars, not through them to standard error.
            redirect_stdout=sys.stdout.isatty(),
            disable=not console.is_terminal,
        )
        self._pages: TaskID | None = None
        self._windows: TaskID | None = None
        self._document = ""

    def __enter__(self) -> "ProgressBars":
        """Begin to draw."""
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the bars away."""
        self._bars.stop()

    def started(self, document: str) -> None:
        """Show which document is read."""
        name = in_one_line(document)
        self._document = name if len(name) <= 40 else f"{name[:39]}…"
        if self._pages is not None:
            self._bars.remove_task(self._pages)
            self._pages = None

    def pages(self, done: int, total: int | None) -> None:
        """Show how many pages of it have been read."""
        if self._pages is None:
            self._pages = self._bars.add_task(f"Reading {self._document}: pages", total=total or done)
        self._bars.update(self._pages, completed=done, total=total or done)

    def chunks(self, count: int) -> None:
        """Show how many chunks the document has."""
        if self._pages is not None:
            self._bars.update(self._pages, description=f"Reading {self._document}: {count} chunks, pages")

    def windows(self, done: int, total: int) -> None:
        """Show how many windows have been embedded."""
        if self._windows is None:
            self._windows = self._bars.add_task("Embedding windows", total=total)
        self._bars.update(self._windows, completed=done, total=total)

    def finished(self, result: ImportResult) -> None:
        """Take no notice; the result is printed by the command."""


def question_bar(console: Console) -> Progress:
    """Give one bar for the questions of an evaluation; quiet when `console` is no terminal."""
    return Progress(console=console, disable=not console.is_terminal, redirect_stdout=sys.stdout.isatty())
