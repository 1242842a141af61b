"""The commands that check and repair, and how the program ends when something is wrong."""

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import pytest
from cli_kit import QUESTION, AppWithoutModel, CommandLine

from fundstelle.cli.main import run
from fundstelle.config import Settings
from fundstelle.domain.errors import BusyError
from fundstelle.ports.embedding import Embedder
from fundstelle.testing.embedding import FakeEmbedder

CHECK_KEYS = {"ok", "checked", "problems"}
PROBLEM_KEYS = {"criterion", "id", "detail"}
INTERRUPTED = "Interrupted. What was finished is kept; run the command again to carry on."


class AppWithOtherModel(AppWithoutModel):
    """Wire another embedding model than the one the index was built with."""

    @cached_property
    def embedder(self) -> Embedder:
        """Make a fake with other vectors."""
        return FakeEmbedder(name="other")


@pytest.mark.parametrize("command", ["verify", "reconcile", "reindex"])
def test_checks_when_all_is_well_then_ok_and_zero(command_line: CommandLine, command: str) -> None:
    """A sound data folder gives ok, a count, no problems, and code 0."""
    command_line.import_holiday()
    found = command_line(command, "--json")
    assert found.code == 0
    assert set(found.object) >= CHECK_KEYS
    assert (found.object["ok"], found.object["problems"]) == (True, [])
    assert int(str(found.object["checked"])) > 0
    assert "0 problems" in command_line(command).out


def test_reconcile_when_points_are_missing_then_named_and_repaired(command_line: CommandLine) -> None:
    """What differs is a problem with criterion, id and detail and code 1, until it is repaired."""
    command_line.import_holiday()
    app = command_line.make_app(Settings(home=command_line.folder / "home"))
    with app.database.read() as unit:
        (name,) = [one.index_name for one in unit.collections.all()]
    assert name is not None
    points = [point for batch in app.index.stamps(name) for point in batch]
    app.index.write(name, [], points[:1])
    app.close()
    found = command_line("reconcile", "--json")
    assert (found.code, found.object["ok"]) == (1, False)
    assert [set(problem) for problem in found.object["problems"]] == [PROBLEM_KEYS]
    assert [problem["id"] for problem in found.object["problems"]] == points[:1]
    assert command_line("reconcile", "--repair", "--json").object["repaired"] == 1
    assert command_line("reconcile", "--json").code == 0


def test_ask_when_the_model_was_changed_then_reindex_is_the_way_out(command_line: CommandLine) -> None:
    """A question under another model ends with code 7; doctor and reindex say and do what is needed."""
    command_line.import_holiday()
    command_line.make_app = AppWithOtherModel
    found = command_line("ask", QUESTION)
    assert (found.code, found.err.count("\n")) == (7, 1)
    assert "reindex" in found.err
    assert command_line("doctor").code == 1
    assert command_line("reindex").code == 0
    assert command_line("ask", QUESTION).code == 0
    assert command_line("doctor").code == 0


def test_doctor_when_all_is_there_then_every_part_is_named(command_line: CommandLine) -> None:
    """Each part of the installation is looked at; the result is one object."""
    found = command_line("doctor", "--json")
    assert (found.code, found.object["ok"]) == (0, True)
    parts = [finding["part"] for finding in found.object["findings"]]
    assert parts == [
        "program", "data folder", "database", "reader", "limits", "tokenizer", "embedder", "index",
    ]  # fmt: skip


def test_doctor_when_the_settings_are_wrong_then_it_says_so_and_looks_no_further(
    command_line: CommandLine,
) -> None:
    """A setting that does not exist is a finding with the names that do."""
    (command_line.folder / "home").mkdir()
    command_line.write("home/fundstelle.toml", "topk = 3\n")
    found = command_line("doctor", "--json")
    assert (found.code, found.object["ok"]) == (1, False)
    assert "top_k" in str(found.object["findings"])
    assert command_line("documents", "list").code == 2


class AppThatLooksWhileClosing(AppWithoutModel):
    """Note at its end whether the data folder is still held."""

    held: ClassVar[list[bool]] = []

    def close(self) -> None:
        """Close, and look at the note that the holder of the lock keeps."""
        self.held.append((self.settings.home / "fundstelle.lock.json").exists())
        super().close()


def test_import_when_it_ends_then_the_index_is_closed_before_the_folder_is_let_go(
    command_line: CommandLine,
) -> None:
    """Whoever waits for the data folder can open the index as soon as it holds the folder."""
    AppThatLooksWhileClosing.held.clear()
    command_line.make_app = AppThatLooksWhileClosing
    command_line.import_holiday()
    command_line("documents", "list")
    assert AppThatLooksWhileClosing.held == [True, False]


def _raises(error: BaseException) -> Callable[[Settings], AppWithoutModel]:
    def make_app(_settings: Settings) -> AppWithoutModel:
        raise error

    return make_app


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (BusyError("Another process\nholds it.", "Wait."), 5, ["Error: Another process holds it. Wait."]),
        (KeyboardInterrupt(), 130, [INTERRUPTED]),
        (BrokenPipeError(32, "Broken pipe"), 1, []),
        (ZeroDivisionError("a\nb"), 1, [
            "Error: the program has a fault: ZeroDivisionError: a b",
            "Nothing that was finished is lost. Please report it with the command you ran.",
        ]),
    ],
)  # fmt: skip
def test_run_when_something_is_raised_then_code_and_words_but_no_stack_trace(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, lines: list[str]
) -> None:
    """Every way to end has its exit code; an error of ours is exactly one line on standard error."""
    assert run(["documents", "list"], _raises(error)) == code
    shown = capsys.readouterr()
    assert (shown.out, shown.err.splitlines()) == ("", lines)


@pytest.mark.parametrize(
    ("arguments", "code", "out"),
    [(["--version"], 0, "fundstelle "), (["gibtsnicht"], 2, ""), (["ask"], 2, "")],
)
def test_run_when_the_parser_answers_then_its_code(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, out: str
) -> None:
    """The version, an unknown command and a missing argument end without any data folder."""
    assert run(arguments) == code
    assert capsys.readouterr().out.startswith(out)
