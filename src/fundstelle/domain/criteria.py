"""What a supervision criterion reports when it does not hold.

The checks themselves live beside what they check; they are pure and return a list of problems,
empty when the criterion holds. The same check runs during the import and in `fundstelle verify`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Report one place where a supervision criterion does not hold.

    Args:
        criterion: Stable name of the criterion, as listed in docs/criteria.md.
        id: Id of the section, chunk, window or query concerned.
        detail: What was found there, in one sentence for people.
    """

    criterion: str
    id: str
    detail: str
