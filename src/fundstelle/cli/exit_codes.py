"""The one table from error codes to exit codes of the command line."""

EXIT_CODES: dict[str, int] = {
    "error": 1,
    "usage": 2,
    "not_found": 3,
    "source": 4,
    "unreadable": 4,
    "too_large": 4,
    "busy": 5,
    "storage": 6,
    "service": 7,
    "model_mismatch": 7,
    "criterion": 8,
}

EXIT_PROBLEMS = 1
"""A check found problems, or a document could not be imported."""

EXIT_INTERRUPTED = 130
"""Ctrl-C, as shells expect it."""
