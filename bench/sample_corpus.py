"""Ask the sample corpus its 40 questions and the 15 that it does not answer, and judge the answers.

    python -m bench.sample_corpus [--failures]

A passage is right when the text that the question's author named stands in one of the first three
passages found. A page is right when every sentence that the answer quotes stands, by another PDF
extraction than the import's, on the pages that its citation names.
"""

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pypdf

from fundstelle.bootstrap import App
from fundstelle.config import load_settings
from fundstelle.domain.answers import AnswerRecord, AnswerSource
from fundstelle.domain.identity import new_query_id
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.domain.retrieval import AnswerVerdict
from fundstelle.ingest.pipeline import ImportRequest, import_paths
from fundstelle.query.pipeline import ask, search

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
COLLECTION = "handbooks"
FIRST = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what became of one question that the corpus answers."""

    question_id: str
    passage_rank: int | None
    answered: bool
    quotes_passage: bool
    wrong_pages: tuple[str, ...]


def folded(text: str) -> str:
    """Reduce a text to its letters and digits, so that layouts can be compared."""
    return re.sub(r"[^0-9a-zäöüß]+", "", text.lower())


def read_lines(name: str) -> list[dict[str, str]]:
    """Read a file of the corpus with one JSON object per line."""
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@contextmanager
def imported_corpus() -> Iterator[App]:
    """Import the three handbooks into a new data folder."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(load_settings(Path(folder)))
        request = ImportRequest(sorted(EXAMPLES.glob("*.pdf")), COLLECTION)
        try:
            for result in import_paths(request, tools=app.import_tools(with_index=True)):
                assert result.error is None, result.error
            yield app
        finally:
            app.close()


class PageTexts:
    """Hold the folded text of every page, extracted by pypdf, independently of the import."""

    def __init__(self) -> None:
        self._pages: dict[str, list[str]] = {}
        for file in EXAMPLES.glob("*.pdf"):
            pages = pypdf.PdfReader(file).pages
            self._pages[file.name] = [folded(page.extract_text().replace("-\n", "")) for page in pages]

    def hold(self, sentence: str, source: AnswerSource) -> bool:
        """Say whether most of a quoted sentence stands on the pages that a source names."""
        pages = self._pages[source.filename][source.page_first - 1 : source.page_last]
        text = "".join(pages)
        words = [word for word in map(folded, re.sub(r"\[Quelle \d+\]", "", sentence).split()) if word]
        triples = ["".join(words[i : i + 3]) for i in range(max(len(words) - 2, 1))]
        return sum(triple in text for triple in triples) >= 0.7 * len(triples)


def judge(app: App, question: dict[str, str], pages: PageTexts) -> Outcome:
    """Search and ask one question, and compare with what its author named."""
    request = QueryRequest(question["question"], collections=(COLLECTION,))
    services = app.query_services()
    now = datetime.now(UTC)
    passages = search(request, services=services, query_id=new_query_id(), now=now)
    wanted = folded(question["passage"])
    ranks = [
        rank
        for rank, found in enumerate(passages, start=1)
        if found.record.filename == question["document"] and wanted in folded(found.record.content)
    ]
    answer = ask(request, services=services, query_id=new_query_id(), now=now)
    return Outcome(
        question_id=question["id"],
        passage_rank=ranks[0] if ranks else None,
        answered=answer.verdict is not AnswerVerdict.NO_PASSAGE,
        quotes_passage=all(folded(term) in folded(answer.answer) for term in question["answer_terms"]),
        wrong_pages=tuple(wrong_citations(answer, pages)),
    )


def wrong_citations(answer: AnswerRecord, pages: PageTexts) -> Iterator[str]:
    """Find quoted sentences that do not stand on the pages that their sources name."""
    sources = {source.number: source for source in answer.sources}
    for sentence in answer.sentences:
        for number in sentence.sources:
            if not pages.hold(sentence.text, sources[number]):
                yield f"page {sources[number].page_first}: {sentence.text}"


def measure(app: App) -> tuple[list[Outcome], list[str], float]:
    """Ask everything; gives the outcomes, the ids wrongly answered, and seconds per question."""
    pages = PageTexts()
    started = time.perf_counter()
    questions, unanswerable = read_lines("questions.jsonl"), read_lines("unanswerable.jsonl")
    outcomes = [judge(app, question, pages) for question in questions]
    answered = []
    for question in unanswerable:
        request = QueryRequest(question["question"], collections=(COLLECTION,))
        answer = ask(request, services=app.query_services(), query_id=new_query_id(), now=datetime.now(UTC))
        if answer.verdict is not AnswerVerdict.NO_PASSAGE:
            answered.append(question["id"])
    seconds = (time.perf_counter() - started) / (len(questions) + len(unanswerable))
    return outcomes, answered, seconds


def summary(outcomes: Sequence[Outcome], answered: Sequence[str], seconds: float) -> dict[str, object]:
    """Count, in the words of the promises."""
    found = [one for one in outcomes if one.passage_rank is not None and one.passage_rank <= FIRST]
    return {
        "questions": len(outcomes),
        "passage_among_first_three": len(found),
        "passage_first": sum(one.passage_rank == 1 for one in outcomes),
        "answered": sum(one.answered for one in outcomes),
        "answer_has_the_fact": sum(one.quotes_passage for one in outcomes),
        "citations_with_wrong_page": sum(len(one.wrong_pages) for one in outcomes),
        "refused_of_15": len(read_lines("unanswerable.jsonl")) - len(answered),
        "seconds_per_question": round(seconds, 2),
    }


def main() -> None:
    """Print the summary, and on request every question that went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--failures", action="store_true", help="name what went wrong")
    wanted = parser.parse_args()
    with imported_corpus() as app:
        outcomes, answered, seconds = measure(app)
    print(json.dumps(summary(outcomes, answered, seconds)))
    if wanted.failures:
        for one in outcomes:
            if one.passage_rank not in range(1, FIRST + 1) or not one.quotes_passage or one.wrong_pages:
                print(one)
        print("answered though unanswerable:", answered)


if __name__ == "__main__":
    main()
