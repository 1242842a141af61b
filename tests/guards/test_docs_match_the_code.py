"""What the pages say of paths, commands, links and decisions is so."""

import ast
import importlib.util
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from fundstelle.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *DECISIONS]
PLACES = (ROOT, ROOT / "src" / "fundstelle", ROOT / "docs", ROOT / "tests")
OF_USERS = {"demo-data/", "fundstelle.toml"}
MAX_DECISION_LINES = 90
_PATH = re.compile(r"`((?:[\w.*-]+/)+(?:[\w.*-]+\.\w+)?|[\w*-]+\.(?:py|md|toml))`")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def _reference_pages() -> dict[str, Callable[[], str]]:
    spec = importlib.util.spec_from_file_location("write_reference", ROOT / "tools" / "write_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages: dict[str, Callable[[], str]] = module.PAGES
    return pages


REFERENCE_PAGES = _reference_pages()


@pytest.mark.parametrize("page", sorted(REFERENCE_PAGES))
def test_reference_page_when_made_again_then_the_same(page: str) -> None:
    """Settings, errors, schema and commands are documented as the code has them; else: make reference."""
    assert (ROOT / "docs" / page).read_text(encoding="utf-8") == REFERENCE_PAGES[page]()


def _exists(named: str) -> bool:
    if "/" not in named:  # a page that is about one folder names its files alone
        return any(next((ROOT / part).rglob(named), None) is not None for part in ("src", "tests", "docs"))
    return any(next(place.glob(named.rstrip("/")), None) is not None for place in PLACES)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page_when_it_names_files_then_they_exist(page: Path) -> None:
    """No page leads to a file or folder that is not there."""
    text = page.read_text(encoding="utf-8")
    named = set(_PATH.findall(text)) - OF_USERS
    if page.name == "CONTRIBUTING.md":
        assert len(named) > 10, "the pattern finds nothing any more"
    missing = [one for one in named if not _exists(one) and not (page.parent / one).exists()]
    links = [page.parent / link for link in _LINK.findall(text)]
    broken = [link for link in links if not link.exists()]
    assert missing == []
    assert broken == []


def _commands() -> list[list[str]]:
    shown = re.findall(
        r"^(?:\.venv/bin/)?fundstelle (.+)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    return [shlex.split(line, comments=True) for line in shown]


@pytest.mark.parametrize("words", _commands(), ids=" ".join)
def test_command_in_the_readme_when_looked_up_then_it_exists_with_its_options(words: list[str]) -> None:
    """Whoever copies a line of the README meets no unknown command or option."""
    command = typer.main.get_command(app)
    rest = list(words)
    while isinstance(command, TyperGroup):
        command = command.commands[rest.pop(0)]
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in rest if word.startswith("-")} <= known


def test_readme_when_read_then_it_shows_every_command() -> None:
    """A command that the README does not name is found by nobody."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    shown = {words[0] for words in _commands()}
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {name for name in group.commands if name not in shown and f"`{name}`" not in text} == set()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/benchmarks.md"])
def test_page_when_it_names_a_make_target_then_the_makefile_has_it(page: str) -> None:
    """Whoever types what a page says meets no unknown target."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"(?:`|^)make ([a-z]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= targets
    assert named


def _advice() -> list[tuple[str, str]]:
    found = []
    for module in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = re.findall(r"\bfundstelle ([a-z]+)\b", node.value)
                found += [(command, module.stem) for command in named]
    return sorted(set(found))


@pytest.mark.parametrize(("command", "module"), _advice())
def test_command_in_a_message_when_looked_up_then_it_exists(command: str, module: str) -> None:
    """No hint sends anybody to a command that is not there."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    assert command in group.commands, f"named in {module}.py"


def test_decisions_when_listed_then_numbered_without_a_gap() -> None:
    """Decisions are numbered in the order in which they were made."""
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    assert len(DECISIONS) >= 4


@pytest.mark.parametrize("page", DECISIONS, ids=lambda path: path.stem)
def test_decision_when_read_then_it_has_status_evidence_and_a_test_that_holds_it(page: Path) -> None:
    """One page: number, status, what enforces it, the decision and what speaks for it."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(page.name[:4])}. ")
    assert text.count("\n") <= MAX_DECISION_LINES
    status = re.search(r"^Status: .+? Enforced by(.+?)\n\n", text, re.MULTILINE | re.DOTALL)
    assert status is not None
    assert re.findall(r"`(?:tests/[\w/]+/)?test_\w+\.py`", status.group(1))
    assert "## Decision" in text
    assert "## Evidence" in text
