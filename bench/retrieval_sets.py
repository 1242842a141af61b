"""Question sets for `retrieval.py`: passages, questions and which passage answers which question."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fundstelle.adapters.readers.pdf import PdfReader
from fundstelle.domain.documents import MediaType
from fundstelle.ingest.windows import cut_windows
from fundstelle.ports.reading import ReadRequest

MAX_CHARS = 800


@dataclass(frozen=True, slots=True)
class Passage:
    """Hold what a question looks for."""

    title: str
    heading_path: str
    text: str


@dataclass(slots=True)
class QuestionSet:
    """Hold passages, questions and the passages that answer them, cut to windows."""

    name: str
    passages: list[Passage]
    questions: list[str]
    gold: list[int]
    windows: list[str] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)

    def cut(self, count_pieces: Callable[[str], int], max_chars: int = MAX_CHARS) -> None:
        """Cut all passages to windows without header."""
        for number, passage in enumerate(self.passages):
            for window in cut_windows(passage.text, "", max_chars, 512, count_pieces):
                self.windows.append(window.text)
                self.owner.append(number)


def read_xquad(path: Path) -> QuestionSet:
    """Read a set in SQuAD form."""
    found = QuestionSet("xquad", [], [], [])
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                found.questions.append(asked["question"])
                found.gold.append(len(found.passages))
            title = article.get("title", "").replace("_", " ")
            found.passages.append(Passage(title, "", paragraph["context"]))
    return found


def read_civil_code(path: Path) -> QuestionSet:
    """Make a set from a law: titles ask for texts; titles that are not unique ask nothing."""
    found = QuestionSet("civil code", [], [], [])
    sections = list(_sections(path.read_text("utf-8")))[::2]
    names = Counter(name for name, _, _ in sections)
    for name, parents, body in sections:
        if names[name] == 1:
            found.questions.append(name)
            found.gold.append(len(found.passages))
        found.passages.append(Passage("", " > ".join(parents), body))
    return found


def _sections(text: str) -> Iterator[tuple[str, list[str], str]]:
    path: dict[int, str] = {}
    for heading, body in re.findall(r"^(#+ .*)\n((?:(?!#+ ).*\n)*)", text, re.MULTILINE):
        level, title = len(heading) - len(heading.lstrip("#")), heading.lstrip("# ")
        path = {depth: name for depth, name in path.items() if depth < level}
        parents = list(path.values())[1:]
        path[level] = title
        joined = " ".join(body.split())
        named = re.fullmatch(r"§ \d+[a-z]? (.+)", title)
        if named and len(joined) >= 120 and "weggefallen" not in joined[:40]:
            yield named[1], parents, joined


def read_examples(folder: Path) -> QuestionSet:
    """Make a set from the example documents: questions ask for pages."""
    found = QuestionSet("examples", [], [], [])
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    reader = PdfReader()
    for name in sorted({case["document"] for case in asked}):
        document = reader.read(ReadRequest(folder / name, MediaType.PDF), lambda *_: None)
        first = len(found.passages) - 1
        found.passages += [Passage(name.removesuffix(".pdf"), "", page.content) for page in document.pages]
        for case in asked:
            if case["document"] == name:
                found.questions.append(case["question"])
                found.gold.append(first + case["page"])
    reader.close()
    return found
