"""Measure sentence splitting: exact texts of the cases, speed on a law, growth on hostile text.

Times are processor time. Run from the project folder: `python bench/sentences.py [--failures]`.
"""

import json
import sys
import time
from pathlib import Path

from fundstelle.domain.text.sentences import split_sentences

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "text"


def fold(text: str) -> str:
    """Fold white space, as the truth of the cases does."""
    return " ".join(text.split())


def measure_cases(show: bool) -> None:
    """Count the texts whose sentences are exactly those of the truth."""
    cases = [json.loads(line) for line in (DATA / "sentences_de.jsonl").read_text("utf-8").splitlines()]
    exact = 0
    for case in cases:
        found = [fold(case["text"][start:end]) for start, end in split_sentences(case["text"])]
        exact += found == case["sentences"]
        if show and found != case["sentences"]:
            print("expected", case["sentences"], "\nfound   ", found)
    print(f"exact: {exact} of {len(cases)}")


def measure_speed() -> None:
    """Time a law of 1.5 MB."""
    text = (DATA / "bgb.md").read_text("utf-8")
    begin = time.process_time()
    spans = split_sentences(text)
    seconds = time.process_time() - begin
    size_mb = len(text.encode()) / 1e6
    print(f"law: {len(spans)} sentences, {size_mb:.2f} MB in {seconds:.2f} s, {size_mb / seconds:.1f} MB/s")


def measure_growth() -> None:
    """Time hostile texts of 100,000 and 200,000 characters; twice the text may cost twice the time."""
    for name, piece in HOSTILE.items():
        times = []
        for length in (100_000, 200_000):
            text = (piece * (length // len(piece) + 1))[:length]
            begin = time.process_time()
            split_sentences(text)
            times.append(time.process_time() - begin)
        print(f"{name:>14}: {times[0]:.3f} s, {times[1]:.3f} s")


HOSTILE = {
    "dots": ".",
    "spaced dots": ". ",
    "quotes": "„",
    "quoted words": "„Wort. ",
    "straight": '"a" "',
    "brackets": "(",
    "closers": "A.) ",
    "numbers": "1. ",
    "letters": "a",
    "initials": "A. B. ",
    "blanks": " ",
    "newlines": "\n",
    "list": "- a\n",
    "marks": "?! ",
    "openers": 'A. (((((((((((" ',
}

if __name__ == "__main__":
    measure_cases("--failures" in sys.argv)
    measure_speed()
    measure_growth()
