"""Fixtures of the tests with real files and processes."""

from pathlib import Path

import pytest
from cli_kit import CommandLine


@pytest.fixture
def command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Give the command line on an empty data folder."""
    return CommandLine(tmp_path, capsys)
