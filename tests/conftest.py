"""Fixtures for all tests: where the shared real files are."""

import os
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give the folder with real files and truths; missing there, CI fails and a desk skips."""
    if SHARED_DATA.is_dir():
        return SHARED_DATA
    reason = f"The shared test data is not at {SHARED_DATA}."
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
