"""Unit tests touch no network: every attempt to open a socket fails the test."""

from collections.abc import Iterator

import pytest
import pytest_socket


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Block sockets (those within one machine's file system are allowed for worker pipes)."""
    pytest_socket.disable_socket(allow_unix_socket=True)
    yield
    pytest_socket.enable_socket()
