"""Kill an import of many documents again and again and show that it always ends with the same rows.

python bench/import_kills.py [--documents 30] [--kills 50] [--seed 1]
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kill_kit import differences, disturb, prepare, state_of


def main() -> int:
    """Run the kills; the exit code is 0 when every import ended as it should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kills = courses = wrong = 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        course = prepare(Path(folder), options.documents)
        print(f"undisturbed: {course.steps} steps, {len(course.expected.rows['chunks'])} chunks")
        while kills < options.kills:
            home = Path(folder) / "home"
            killed_after = disturb(course, home, chance)
            kills, courses = kills + len(killed_after), courses + 1
            found = differences(state_of(home), course.expected)
            wrong += bool(found)
            moments = ", ".join(map(str, killed_after))
            print(f"killed after {moments or 'no'} steps: {', '.join(found) or 'equal'}", flush=True)
            shutil.rmtree(home)
    seconds = time.monotonic() - begun
    print(f"{kills} kills in {courses} imports, {wrong} ended differently ({seconds:.0f} s)")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
