"""Measure the evidence check on sentences of XQuAD-de, left alone and falsified by rule.

    python bench/evidence.py [--data FOLDER] [--sentences N]

A sentence of a paragraph, with a citation of it, is supported. Falsified - another number, another
year, a negation more, a name exchanged, the paragraph beside it cited - it must not be. Reordered with
its clauses swapped, it is still true. Prints the share of each status. Nothing is embedded.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from fundstelle.domain.identity import ChunkId, DocumentId, VersionId
from fundstelle.domain.names import find_names
from fundstelle.domain.retrieval import ContextSource
from fundstelle.domain.text.sentences import split_sentences
from fundstelle.query.evidence import check_evidence

Change = Callable[[str, random.Random], str | None]


def read_paragraphs(data: Path) -> list[list[str]]:
    """Read the paragraphs, article by article."""
    root = json.loads((data / "text" / "xquad.de.json").read_text(encoding="utf-8"))
    return [[paragraph["context"] for paragraph in article["paragraphs"]] for article in root["data"]]


def as_it_is(sentence: str, _: random.Random) -> str | None:
    """Leave it alone."""
    return sentence


def other_number(sentence: str, chance: random.Random) -> str | None:
    """Add a little to one of its numbers."""
    numbers = list(re.finditer(r"(?<![\w.,-])\d{1,4}(?![\w.,-])", sentence))
    if not numbers:
        return None
    match = chance.choice(numbers)
    return sentence[: match.start()] + str(int(match[0]) + chance.choice([1, 3, 7])) + sentence[match.end() :]


def denied(sentence: str, _: random.Random) -> str | None:
    """Put a `nicht` after its first auxiliary verb."""
    if re.search(r"\b(?:nicht|kein\w*|nie\w*)\b", sentence, re.IGNORECASE):
        return None
    match = re.search(r"\b(?:ist|sind|war|waren|wurde|wurden|wird|werden|hat|haben)\b", sentence)
    return None if match is None else f"{sentence[: match.end()]} nicht{sentence[match.end() :]}"


def other_name(sentence: str, chance: random.Random) -> str | None:
    """Exchange a name."""
    names = [name.word for name in find_names(sentence) if name.certain and name.word.isalpha()]
    return sentence.replace(chance.choice(names), "Brunnhuber", 1) if names else None


def stronger(sentence: str, _: random.Random) -> str | None:
    """Turn `kann` into `muss`."""
    changed = re.sub(r"\bkann\b", "muss", re.sub(r"\bkönnen\b", "müssen", sentence))
    return changed if changed != sentence else None


def clauses_swapped(sentence: str, _: random.Random) -> str | None:
    """Swap the halves at its only comma: other order, same claims."""
    parts = sentence.rstrip(".").split(", ")
    return f"{parts[1]}, {parts[0]}." if len(parts) == 2 else None


CHANGES: dict[str, Change] = {
    "as it is": as_it_is,
    "clauses swapped": clauses_swapped,
    "other number": other_number,
    "other name": other_name,
    "denied": denied,
    "kann -> muss": stronger,
}


def falsified(data: Path, count: int) -> Iterator[tuple[str, str]]:
    """Give (kind of change, status) for every sentence that the change applies to."""
    chance = random.Random(3)
    articles = read_paragraphs(data)
    places = [
        (a, p, span)
        for a, texts in enumerate(articles)
        for p, t in enumerate(texts)
        for span in split_sentences(t)
    ]
    for article, place, (start, end) in chance.sample(places, count):
        text = articles[article][place]
        for name, change in CHANGES.items():
            changed = change(text[start:end], chance)
            if changed is not None:
                yield name, status_of(changed, text)
        beside = articles[article][(place + 1) % len(articles[article])]
        yield "wrong paragraph", status_of(text[start:end], beside)


def status_of(sentence: str, passage: str) -> str:
    """Check one sentence against one passage: its worst status."""
    source = ContextSource(1, "Text", passage, ChunkId("c"), VersionId("v"), DocumentId("d"), "", 1, 1, 1.0)
    statuses = {str(found.status) for found in check_evidence(f"{sentence} [Quelle 1]", [source]).sentences}
    return next((name for name in ("unsupported", "weak", "supported") if name in statuses), "no claim")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sentences", type=int, default=400)
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for name, status in falsified(given.data, given.sentences):
        counts.setdefault(name, Counter())[status] += 1
    for name, statuses in counts.items():
        shares = "  ".join(
            f"{status} {number / statuses.total():.3f}" for status, number in sorted(statuses.items())
        )
        print(f"{name:16} n={statuses.total():4}  {shares}")


if __name__ == "__main__":
    main()
