"""The criteria of phases I2 to I4 are documented, and nothing else is."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_criteria_in_the_document_are_those_in_the_code() -> None:
    """docs/criteria.md lists exactly the names that the checks report."""
    code = "".join(
        path.read_text("utf-8") for path in (ROOT / "src/fundstelle/ingest").glob("criteria_i*.py")
    )
    document = (ROOT / "docs" / "criteria.md").read_text("utf-8")
    phases = re.search(r"^## I2 .*?(?=^## (?!I[234] )|\Z)", document, re.MULTILINE | re.DOTALL)
    assert phases is not None
    listed = set(re.findall(r"^\| `(\w+)`", phases.group(), re.MULTILINE))
    assert listed == set(re.findall(r"Problem\(\s*\"(\w+)\"", code))
