"""Every criterion that a phase can name is explained, and nothing is explained that no phase checks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_NAMED_AT = {"Problem": 0, "CriterionError": 1}
_QUERY_CRITERION = re.compile(r"\bA\d\.\w+")


def _code(package: str) -> Iterator[ast.AST]:
    for module in sorted((ROOT / "src" / "fundstelle" / package).glob("*.py")):
        yield from ast.walk(ast.parse(module.read_text(encoding="utf-8")))


def _import_criteria() -> set[str]:
    found = set()
    for node in _code("ingest"):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMED_AT:
            argument = node.args[_NAMED_AT[node.func.id]]
            if isinstance(argument, ast.Constant):
                found.add(str(argument.value))
    return found


def _query_criteria() -> set[str]:
    strings = (str(node.value) for node in _code("query") if isinstance(node, ast.Constant))
    return {text for text in strings if _QUERY_CRITERION.fullmatch(text)}


def test_criteria_of_the_import_when_compared_then_those_of_the_page() -> None:
    """docs/criteria.md lists exactly the names that the phases I0 to I5 and their audits report."""
    page = (ROOT / "docs" / "criteria.md").read_text(encoding="utf-8")
    named = _import_criteria()
    assert len(named) > 25
    assert set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) == named


def test_criteria_of_the_query_when_compared_then_those_of_the_page() -> None:
    """docs/phases.md names each criterion of the phases A0 to A8 in its table, and explains it below."""
    page = (ROOT / "docs" / "phases.md").read_text(encoding="utf-8")
    table, _, explained = page.partition("## What each criterion asks")
    named = _query_criteria()
    assert len(named) > 15
    assert set(_QUERY_CRITERION.findall(table)) == named
    assert set(re.findall(r"^- `(A\d\.\w+)`", explained, re.MULTILINE)) == named
