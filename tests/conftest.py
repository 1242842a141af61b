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


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a run of CI fail when it skipped something: there, everything must have been tested."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if "CI" not in os.environ or reporter is None:
        return
    skipped = reporter.stats.get("skipped", [])
    for report in skipped:
        reporter.write_line(f"skipped in CI, which counts as a failure: {report.nodeid}")
    if skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
