"""Read an evaluation set: SQuAD-style JSON, paragraphs with the questions that they answer.

A file that does not have this form is refused with the place where it departs from it; nothing is
skipped in silence.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fundstelle.domain.errors import UsageError

_FORM = (
    'Expected SQuAD form: {"data": [{"title": …, "paragraphs": [{"context": …, "qas": [{"question": …}]}]}]}.'
)


@dataclass(frozen=True, slots=True)
class EvalParagraph:
    """Hold one paragraph; it is imported as its own document.

    Args:
        key: Unique in its set and the same at every reading, such as `a003-p002`.
    """

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """Hold one question.

    Args:
        paragraph: Position of the paragraph that answers it; None where the set says that none does.
        answers: Accepted answers, as they stand in the paragraph; may be empty.
    """

    text: str
    paragraph: int | None
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvalSet:
    """Hold an evaluation set."""

    paragraphs: tuple[EvalParagraph, ...]
    questions: tuple[EvalQuestion, ...]


def read_squad(content: str, name: str) -> EvalSet:
    """Read an evaluation set.

    Args:
        name: Name of the file, for messages.

    Raises:
        UsageError: The content is no JSON, not of SQuAD form, or holds no question.
    """
    try:
        root: object = json.loads(content)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"{name} is no valid JSON: {error.msg} at {where}.", _FORM) from error
    except RecursionError as error:
        raise UsageError(f"{name} is nested too deeply.", _FORM) from error
    reader = _Reader(name)
    paragraphs: list[EvalParagraph] = []
    questions: list[EvalQuestion] = []
    for key, title, where, paragraph in reader.paragraphs(root):
        text = reader.as_string(paragraph, "context", where)
        paragraphs.append(EvalParagraph(key, title or key, text))
        questions += reader.questions(paragraph, where, len(paragraphs) - 1)
    if not questions:
        raise UsageError(f"{name} holds no question.", _FORM)
    return EvalSet(tuple(paragraphs), tuple(questions))


class _Reader:
    """Walk the JSON and name the place of what is wrong."""

    def __init__(self, name: str) -> None:
        self._name = name

    def paragraphs(self, root: object) -> Iterator[tuple[str, str, str, Mapping[str, object]]]:
        """Give key, title, place and content of each paragraph."""
        for number, article in enumerate(self.as_list(self.as_object(root, "the file"), "data", "the file")):
            where = f"data[{number}]"
            entry = self.as_object(article, where)
            title = entry.get("title", "")
            if not isinstance(title, str):
                raise self._wrong(f"{where}.title", "a string", title)
            for place, paragraph in enumerate(self.as_list(entry, "paragraphs", where)):
                inner = f"{where}.paragraphs[{place}]"
                yield f"a{number:03}-p{place:03}", title, inner, self.as_object(paragraph, inner)

    def questions(self, paragraph: Mapping[str, object], where: str, index: int) -> Iterator[EvalQuestion]:
        """Give the questions of one paragraph."""
        for number, item in enumerate(self.as_list(paragraph, "qas", where)):
            inner = f"{where}.qas[{number}]"
            entry = self.as_object(item, inner)
            impossible = entry.get("is_impossible", False)
            if not isinstance(impossible, bool):
                raise self._wrong(f"{inner}.is_impossible", "true or false", impossible)
            answers = tuple(self._answers(entry, inner))
            yield EvalQuestion(
                self.as_string(entry, "question", inner), None if impossible else index, answers
            )

    def _answers(self, entry: Mapping[str, object], where: str) -> Iterator[str]:
        if "answers" not in entry:
            return
        for number, answer in enumerate(self.as_list(entry, "answers", where)):
            inner = f"{where}.answers[{number}]"
            yield self.as_string(self.as_object(answer, inner), "text", inner)

    def as_object(self, value: object, where: str) -> Mapping[str, object]:
        """Demand an object."""
        if not isinstance(value, dict):
            raise self._wrong(where, "an object", value)
        return value

    def as_list(self, entry: Mapping[str, object], key: str, where: str) -> Sequence[object]:
        """Demand a list under a key."""
        value = entry.get(key)
        if not isinstance(value, list):
            raise self._wrong(f"{where}.{key}", "a list", value)
        return value

    def as_string(self, entry: Mapping[str, object], key: str, where: str) -> str:
        """Demand a string with content under a key."""
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(f"{where}.{key}", "a string with content", value)
        return value

    def _wrong(self, where: str, expected: str, value: object) -> UsageError:
        found = "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
        return UsageError(f"{self._name}: {where} must be {expected}, but is {found}.", _FORM)
