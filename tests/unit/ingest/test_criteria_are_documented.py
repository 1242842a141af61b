"""Every criterion that the import can name is explained in docs/criteria.md."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_NAMED_AT = {"Problem": 0, "CriterionError": 1}


def _named_criteria() -> set[str]:
    names = set()
    for module in (ROOT / "src" / "fundstelle" / "ingest").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMED_AT:
                argument = node.args[_NAMED_AT[node.func.id]]
                if isinstance(argument, ast.Constant):
                    names.add(str(argument.value))
    return names


def test_criteria_when_named_in_code_then_explained_in_docs() -> None:
    """No criterion stops an import without a word on what it demands."""
    named = _named_criteria()
    documented = (ROOT / "docs" / "criteria.md").read_text(encoding="utf-8")
    assert len(named) > 25
    assert sorted(name for name in named if f"| `{name}` |" not in documented) == []
