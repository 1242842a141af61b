"""The limits of the style guide, held by measurement."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
MODULES = sorted(SOURCE.rglob("*.py"))
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 40
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "misc"}

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.AST) -> Iterator[FunctionNode]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _body_lines(function: FunctionNode) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_modules_when_searched_then_there_are_some_to_measure() -> None:
    """The guard must not pass because it looked at nothing."""
    assert len(MODULES) > 20


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_module_when_measured_then_within_the_limits(module: Path) -> None:
    """No module over 400 lines, no function over 40 lines without its docstring, no vague names."""
    source = module.read_text(encoding="utf-8")
    tree = ast.parse(source)
    long = {f.name: _body_lines(f) for f in _functions(tree) if _body_lines(f) > MAX_FUNCTION_LINES}
    assert source.count("\n") <= MAX_MODULE_LINES
    assert not long
    assert module.stem not in FORBIDDEN_NAMES
    assert ast.get_docstring(tree), "every module says why it exists"


@pytest.mark.parametrize("module", [m for m in MODULES if m.name == "__init__.py"], ids=str)
def test_init_module_when_read_then_holds_no_logic(module: Path) -> None:
    """A package's `__init__` holds a docstring and at most its version."""
    body = ast.parse(module.read_text(encoding="utf-8")).body[1:]
    assigned = [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)]
    assert len(assigned) == len(body)
    assert set(assigned) <= {"__version__"}


def _public(tree: ast.AST, *, within: str = "") -> Iterator[tuple[str, FunctionNode]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(node, within=f"{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield f"{within}{node.name}", node


def _annotations(function: FunctionNode) -> Iterator[str]:
    arguments = function.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    found = [one.annotation for one in every if one is not None] + [function.returns]
    yield from (ast.unparse(one) for one in found if one is not None)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_public_function_when_read_then_documented_and_fully_typed(module: Path) -> None:
    """Each public function has a docstring and a return type; its types name no Any and no bare dict."""
    wrong = []
    for name, function in _public(ast.parse(module.read_text(encoding="utf-8"))):
        loose = [one for one in _annotations(function) if re.search(r"\bAny\b|\bdict\b(?!\[)", one)]
        if loose or function.returns is None or not ast.get_docstring(function):
            wrong.append(name)
    assert wrong == []
