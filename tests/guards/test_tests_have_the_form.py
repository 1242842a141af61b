"""Tests read as a specification: names of one form, each with a sentence that says what must hold."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEST_MODULES = sorted(
    [*ROOT.joinpath("tests").rglob("test_*.py"), *ROOT.joinpath("src", "fundstelle", "testing").glob("*.py")]
)


def _tests(module: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def test_modules_when_searched_then_there_are_many_tests() -> None:
    """The guard must not pass because it looked at nothing."""
    assert sum(len(list(_tests(module))) for module in TEST_MODULES) > 500


@pytest.mark.parametrize("module", TEST_MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_tests_when_read_then_named_and_said(module: Path) -> None:
    """A test is named `test_<what>_when_<this>_then_<that>` and its docstring is one sentence."""
    wrong = []
    for test in _tests(module):
        what, _, rest = test.name.removeprefix("test_").partition("_when_")
        sentence = " ".join((ast.get_docstring(test) or "").split())
        if not what or "_then_" not in rest or not sentence.endswith("."):
            wrong.append(test.name)
    assert wrong == []
