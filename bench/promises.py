"""Hold the promises about quality that can be kept on any machine, however busy.

    python -m bench.promises [--check]

Prints one line per promise; with `--check` the exit code is 1 when one is broken. Times are not
checked here: they are measured by the other benchmarks and written down.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.sample_corpus import imported_corpus, measure, summary

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Promise:
    """Hold one number and the bound that it must keep (`at_least`, or at most where that is False)."""

    name: str
    value: float
    bound: float
    at_least: bool = True

    @property
    def kept(self) -> bool:
        """Say whether the number keeps its bound."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def retrieval() -> Iterator[Promise]:
    """Evaluate XQuAD-de through the command, as a user would."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "fundstelle", "eval", str(DATA / "text" / "xquad.de.json")]
        environment = os.environ | {"FUNDSTELLE_HOME": home}
        done = subprocess.run(
            [*command, "--json"], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
    found = json.loads(done.stdout)
    yield Promise("XQuAD-de recall@1", found["recall_at_1"], 0.95)
    yield Promise("XQuAD-de MRR@10", found["mrr_at_10"], 0.97)


def handbooks() -> Iterator[Promise]:
    """Ask the sample corpus all its questions."""
    with imported_corpus() as app:
        found = summary(*measure(app))
    yield Promise("handbooks: right passage among the first three of 40", _number(found, FIRST_THREE), 38)
    yield Promise("handbooks: refused of 15", _number(found, "refused_of_15"), 13)
    yield Promise("handbooks: wrong pages", _number(found, "citations_with_wrong_page"), 0, at_least=False)


FIRST_THREE = "passage_among_first_three"


def _number(found: dict[str, object], name: str) -> float:
    value = found[name]
    assert isinstance(value, int | float)
    return value


def kills() -> Iterator[Promise]:
    """Kill an import ten times and compare what it ends with."""
    command = [sys.executable, "bench/import_kills.py", "--kills", "10", "--documents", "12"]
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=sys.stderr)
    yield Promise("imports that ended differently after kills", done.returncode, 0, at_least=False)


def main() -> int:
    """Print every promise; the exit code is 1 when `--check` is given and one is broken."""
    measures = [handbooks, kills] + ([retrieval] if DATA.is_dir() else [])
    broken = 0
    for promise in (one for take in measures for one in take()):
        broken += not promise.kept
        sign = "≥" if promise.at_least else "≤"
        print(f"{'✓' if promise.kept else '✗'} {promise.name}: {promise.value:g} ({sign} {promise.bound:g})")
    if not DATA.is_dir():
        print(f"XQuAD-de was not measured: {DATA} is not there.")
    skipped = not DATA.is_dir() and "CI" in os.environ
    return 1 if "--check" in sys.argv and (broken or skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
