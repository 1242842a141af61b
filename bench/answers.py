"""Measure when the extractive generator answers, when it refuses, and with which passage.

    python bench/answers.py sample [--home FOLDER]
    python bench/answers.py xquad [--home FOLDER] [--questions N] [--data FOLDER]

Everything goes through the nine phases as the product runs them. `sample` asks the questions of
`examples/`; `xquad` asks each question with its paragraph in the collection and once more without it.
The table shows, for each threshold, the share answered where an answer is there and the share refused
where none is. The folder is kept: a second run imports nothing.
Docs: docs/decisions/0004-extractive-answers.md.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from fundstelle.adapters.generators.extractive import ExtractiveGenerator
from fundstelle.bootstrap import App
from fundstelle.config import load_settings
from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.identity import DocumentId, new_query_id
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.ports.generating import GeneratedAnswer, GenerationRequest
from fundstelle.query.pipeline import ask

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
THRESHOLDS = (0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold one question asked: whether an answer is there, what came, how sure the generator was."""

    question: str
    answerable: bool
    chance: float
    record: AnswerRecord
    right: bool
    passage: bool
    seconds: float


class Recorder(ExtractiveGenerator):
    """Keep the chance of the last answer."""

    chance = 0.0

    def generate(self, request: GenerationRequest, on_text: Callable[[str], None]) -> GeneratedAnswer:
        """Answer as the generator does."""
        answer = super().generate(request, on_text)
        self.chance = float(answer.details["chance"])
        return answer


class Asker:
    """Ask through all phases of one data folder."""

    def __init__(self, home: Path) -> None:
        self._app = App(load_settings(home))
        self._generator = Recorder(self._app.embedder)
        self._services = replace(self._app.query_services(), generator=self._generator)

    def __call__(
        self, question: str, without: Sequence[DocumentId] = ()
    ) -> tuple[AnswerRecord, float, float]:
        """Give the answer, the chance and the seconds that it took."""
        started = time.perf_counter()
        self._generator.chance = 0.0
        request = QueryRequest(question, without=tuple(without))
        record = ask(request, services=self._services, query_id=new_query_id(), now=datetime.now(UTC))
        return record, self._generator.chance, time.perf_counter() - started


def import_all(home: Path, paths: Sequence[Path]) -> dict[str, DocumentId]:
    """Import files with the command and give their document ids by file name."""
    tool = Path(sys.executable).with_name("fundstelle")
    command = [str(tool), "--home", str(home), "import", "--json", *map(str, paths)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    return {row["filename"]: DocumentId(row["document_id"]) for row in rows}


def run_sample(home: Path) -> list[Outcome]:
    """Ask the questions of the sample corpus; right is an answer that cites the page."""
    import_all(home, sorted(EXAMPLES.glob("*.pdf")))
    asker, outcomes = Asker(home), []
    for name, answerable in (("questions", True), ("unanswerable", False)):
        for line in (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            record, chance, seconds = asker(entry["question"])
            answer = " ".join(record.answer.split()).lower()
            terms = [" ".join(term.split()).lower() for term in entry.get("answer_terms", [])]
            right = bool(terms) and all(term in answer for term in terms)
            passage = answerable and _cites(record, entry["document"], entry["page"])
            outcomes.append(Outcome(entry["question"], answerable, chance, record, right, passage, seconds))
    return outcomes


def _cites(record: AnswerRecord, filename: str, page: int) -> bool:
    return any(
        source.cited and source.filename == filename and source.page_first <= page <= source.page_last
        for source in record.sources
    )


def run_xquad(home: Path, data: Path, count: int) -> list[Outcome]:
    """Ask questions of XQuAD-de with their paragraph and without it; right is an answer with the span."""
    entries = list(_xquad(data))
    folder = home / "paragraphs"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {name: text for _, name, text, _ in entries}.items():
        (folder / name).write_text(text, encoding="utf-8")
    documents = import_all(home, [folder])
    asker, outcomes = Asker(home), []
    for question, name, _, answer in random.Random(7).sample(entries, count):
        for without in ((), (documents[name],)):
            record, chance, seconds = asker(question, without)
            right = not without and answer in record.answer
            passage = not without and any(
                s.cited and s.document_id == documents[name] for s in record.sources
            )
            outcomes.append(Outcome(question, not without, chance, record, right, passage, seconds))
    return outcomes


def _xquad(data: Path) -> Iterator[tuple[str, str, str, str]]:
    root = json.loads((data / "text" / "xquad.de.json").read_text(encoding="utf-8"))
    for number, article in enumerate(root["data"]):
        for place, paragraph in enumerate(article["paragraphs"]):
            for entry in paragraph["qas"]:
                yield (
                    entry["question"],
                    f"{number:02}-{place:02}.txt",
                    paragraph["context"],
                    entry["answers"][0]["text"],
                )


def report(outcomes: Sequence[Outcome]) -> None:
    """Print what happened, and what other thresholds would have done."""
    there = [outcome for outcome in outcomes if outcome.answerable]
    absent = [outcome for outcome in outcomes if not outcome.answerable]
    print(f"{'threshold':>9} {'answered':>9} {'refused':>9}   ({len(there)} answerable, {len(absent)} not)")
    for threshold in THRESHOLDS:
        answered = statistics.mean(outcome.chance >= threshold for outcome in there)
        refused = statistics.mean(outcome.chance < threshold for outcome in absent)
        print(f"{threshold:9.2f} {answered:9.3f} {refused:9.3f}")
    answered = [outcome for outcome in there if outcome.record.verdict != "no_passage"]
    passages = sum(outcome.passage for outcome in answered)
    words = sum(outcome.right for outcome in answered)
    print(f"answered {len(answered)} of {len(there)}; right passage cited {passages}, answer quoted {words}")
    print(f"refused {sum(outcome.record.verdict == 'no_passage' for outcome in absent)} of {len(absent)}")
    verdicts = [str(outcome.record.verdict) for outcome in answered]
    print("verdicts of the evidence check:", {name: verdicts.count(name) for name in sorted(set(verdicts))})
    milliseconds = sorted(1000 * outcome.seconds for outcome in outcomes)
    print(f"ms per question: median {statistics.median(milliseconds):.0f}, longest {milliseconds[-1]:.0f}")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=("sample", "xquad"))
    parser.add_argument("--home", type=Path, default=Path("bench-data/answers"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    home = given.home / given.set
    run = run_sample if given.set == "sample" else partial(run_xquad, data=given.data, count=given.questions)
    outcomes = run(home)
    for outcome in outcomes if given.verbose else ():
        kind = "answerable" if outcome.answerable else "absent"
        print(f"{kind} {outcome.chance:.2f} {outcome.passage} {outcome.right} {outcome.question}")
        print(f"    {outcome.record.answer[:300]!r}")
    report(outcomes)


if __name__ == "__main__":
    main()
