"""A port is small, and a suite that is shipped states what its back ends must do."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

from fundstelle import ports, testing

CONTRACT_TESTS = Path(__file__).resolve().parents[1] / "contract"
MAX_METHODS = 5
HELD_BY_TEST_STORE = {
    "ChunkStore", "CollectionStore", "Database", "DocumentListing", "DocumentStore", "EmbeddingStore",
    "EventLog", "ProjectionStore", "RemovalQueue", "TextStore", "UnitOfWork", "VersionStore", "WindowStore",
}  # fmt: skip
"""The canonical store has one contract over all of it, test_store.py; its fixture `database` opens it."""


def _classes(package: object) -> list[type]:
    paths, name = package.__path__, package.__name__  # type: ignore[attr-defined]
    modules = [importlib.import_module(found.name) for found in pkgutil.iter_modules(paths, f"{name}.")]
    return [
        found
        for module in modules
        for _, found in inspect.getmembers(module, inspect.isclass)
        if found.__module__ == module.__name__
    ]


PORTS = {port.__name__: port for port in _classes(ports) if getattr(port, "_is_protocol", False)}
CONTRACTS = {found.__name__ for found in _classes(testing) if found.__name__.endswith("Contract")}


def _back_ends(contract: str) -> list[str]:
    trees = [ast.parse(module.read_text(encoding="utf-8")) for module in CONTRACT_TESTS.glob("test_*.py")]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return [one.name for one in classes if contract in {ast.unparse(base) for base in one.bases}]


@pytest.mark.parametrize("port", sorted(PORTS))
def test_port_when_counted_then_small(port: str) -> None:
    """A port has at most five methods, each with its docstring."""
    methods = [value for name, value in vars(PORTS[port]).items() if not name.startswith("_")]
    methods = [value for value in methods if callable(value) or isinstance(value, property)]
    assert len(methods) <= MAX_METHODS
    assert all(inspect.getdoc(method) for method in methods)


@pytest.mark.parametrize("port", sorted(set(PORTS) - HELD_BY_TEST_STORE))
def test_port_when_implemented_then_its_contract_runs_over_a_back_end(port: str) -> None:
    """`fundstelle.testing` ships the contract of each port, and a back end is put to it."""
    assert f"{port}Contract" in CONTRACTS
    assert [name for name in _back_ends(f"{port}Contract") if "Fake" not in name and "Memory" not in name]


def test_contracts_when_compared_then_each_belongs_to_a_port() -> None:
    """No suite is left over from a port that is gone, and no exception either."""
    assert {name.removesuffix("Contract") for name in CONTRACTS} == set(PORTS) - HELD_BY_TEST_STORE
    assert set(PORTS) >= HELD_BY_TEST_STORE
