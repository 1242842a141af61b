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
