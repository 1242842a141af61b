"""A setting, dependency or word of the domain that is not documented fails the build."""

import re
import tomllib
from pathlib import Path

import pytest

from fundstelle.config import Settings

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _name(requirement: str) -> str:
    return re.split(r"[<>=;\s\[]", requirement, maxsplit=1)[0]


REQUIREMENTS = [_name(r) for r in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]]


@pytest.mark.parametrize("package", REQUIREMENTS)
def test_dependency_when_required_then_justified_and_locked(package: str) -> None:
    """Each dependency has its line in docs/dependencies.md and its pin in the lock file."""
    reasons = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert f"| {package} |" in reasons
    assert re.search(rf"^{re.escape(package)}==", lock, re.MULTILINE | re.IGNORECASE)


@pytest.mark.parametrize("setting", sorted(Settings.model_fields))
def test_setting_when_defined_then_documented(setting: str) -> None:
    """Each setting has a description and stands in docs/settings.md with its default."""
    assert Settings.model_fields[setting].description
    assert f"| `{setting}` |" in (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("setting", sorted(Settings.model_fields))
def test_setting_when_defined_then_something_reads_it(setting: str) -> None:
    """Whoever sets it sees a difference: a setting without effect would be silence."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert re.search(rf"\b(?:settings|self)\.{setting}\b", code)


def test_glossary_when_read_then_sorted_and_each_word_once() -> None:
    """A word is found where it is looked for, has one meaning and its German word."""
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    words = [row[0].casefold() for row in rows[1:]]
    assert words == sorted(set(words))
    assert len(words) > 40
    assert all(len(row) == 3 and all(row) for row in rows)


@pytest.mark.parametrize(
    "word", ["chunk", "window", "point", "passage", "leg", "criterion", "artefact", "trail"]
)
def test_word_of_the_design_when_looked_up_then_explained(word: str) -> None:
    """The words that phases and tables are named with are in the glossary."""
    assert f"\n| {word} |" in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
