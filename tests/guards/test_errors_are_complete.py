"""Each error has its own code, stands in the tree of its module's docstring, and has an exit code."""

from collections.abc import Iterator

import pytest

from fundstelle.cli.exit_codes import EXIT_CODES
from fundstelle.domain import errors


def _all_errors(root: type[errors.FundstelleError]) -> Iterator[type[errors.FundstelleError]]:
    yield root
    for child in root.__subclasses__():
        yield from _all_errors(child)


ERRORS = list(_all_errors(errors.FundstelleError))


def test_error_codes_when_compared_then_all_differ() -> None:
    """A code names exactly one kind of error."""
    assert len({error.code for error in ERRORS}) == len(ERRORS) >= 10


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_error_when_raised_then_every_face_knows_it(error: type[errors.FundstelleError]) -> None:
    """The tree in the docstring and the table of exit codes are complete."""
    assert error.__name__ in (errors.__doc__ or "")
    assert EXIT_CODES[error.code] > 0


def test_exit_codes_when_compared_then_none_is_left_over() -> None:
    """The table holds no code that no error has."""
    assert set(EXIT_CODES) == {error.code for error in ERRORS}
