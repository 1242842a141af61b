"""The command line in this process, on a data folder of the test, with an embedder that needs no model."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from fundstelle.bootstrap import App
from fundstelle.cli.main import run
from fundstelle.ports.embedding import Embedder
from fundstelle.testing.embedding import FakeEmbedder

HOLIDAY = """# Urlaub

Der Urlaub beträgt 30 Tage im Jahr. Er wird schriftlich beantragt.

## Probezeit

Die Probezeit dauert sechs Monate.
"""
QUESTION = "Wie viele Tage Urlaub gibt es im Jahr?"
UNANSWERABLE = "Wie hoch ist die Maklerprovision?"


class AppWithoutModel(App):
    """Wire everything as the program does, but for the embedder."""

    @cached_property
    def embedder(self) -> Embedder:
        """Make a fake."""
        return FakeEmbedder()


@dataclass
class Outcome:
    """Hold what one command did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        """Read the output as one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def object(self) -> dict[str, object]:
        """Read the output as exactly one JSON object on one line."""
        (found,) = self.lines
        return found


@dataclass
class CommandLine:
    """Run commands on one data folder."""

    folder: Path
    capture: pytest.CaptureFixture[str]
    make_app: type[App] = AppWithoutModel

    def __call__(self, *arguments: str | Path) -> Outcome:
        """Run one command."""
        self.capture.readouterr()
        code = run(["--home", str(self.folder / "home"), *map(str, arguments)], self.make_app)
        return Outcome(code, *self.capture.readouterr())

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file to import."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def import_holiday(self) -> str:
        """Import the sample and give its document id."""
        return str(self("import", self.write("urlaub.md", HOLIDAY), "--json").object["document_id"])
