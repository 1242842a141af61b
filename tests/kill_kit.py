"""Kill an import at random moments, carry it on, and compare with one that was left alone.

The import runs in a process of its own with the real database and the real vector index; only reader
and model are fakes, to be quick. Run as a program, this module is that process.
"""

import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from fundstelle.adapters.vectors.qdrant_edge import QdrantEdgeIndex
from fundstelle.ingest.pipeline import ImportRequest, import_paths
from fundstelle.ingest.results import ImportProgress, Silent
from import_kit import Kit, Row, a_text, write_documents

_MAX_KILLS_IN_A_ROW = 3
_MAX_DELAY_S = 0.05


@dataclass(frozen=True)
class State:
    """Hold what an import leaves: all rows without times, all points."""

    rows: dict[str, list[Row]]
    stamps: dict[str, dict[str, str]]


@dataclass(frozen=True)
class Course:
    """Hold a folder to import, a data folder that knows an earlier state of it, and the right end.

    Args:
        steps: How often the undisturbed import tells of its progress.
    """

    source: Path
    earlier: Path
    steps: int
    expected: State


class SayEveryStep(Silent):
    """Write a line for whatever an import tells, so that another process knows how far it is."""

    def __getattribute__(self, name: str) -> object:
        """Tell that something is told."""
        sys.stdout.write("step\n")
        sys.stdout.flush()
        return super().__getattribute__(name)


def open_kit(home: Path) -> tuple[Kit, QdrantEdgeIndex]:
    """Open a data folder with the real index."""
    index = QdrantEdgeIndex(home / "index")
    return Kit(home, index=index), index


def import_folder(home: Path, source: Path, progress: ImportProgress | None = None) -> None:
    """Import a folder into a data folder, within this process."""
    kit, index = open_kit(home)
    request = ImportRequest([source], "standard")
    list(import_paths(request, tools=kit.tools, progress=progress or Silent()))
    index.close()
    kit.database.close()


def state_of(home: Path) -> State:
    """Read what an import has left."""
    kit, index = open_kit(home)
    state = State(kit.rows(), kit.stamps())
    index.close()
    kit.database.close()
    return state


def prepare(folder: Path, documents: int) -> Course:
    """Make a course: some documents are there in an earlier version, some twice, some unreadable."""
    source, earlier = write_documents(folder / "source", documents), folder / "earlier"
    (source / "leer.txt").write_text("")
    (source / "scan.txt").write_text("!needs_ocr\nBild")
    (source / "punkte.txt").write_text(a_text("Punkte") + "\n\n# Leiste\n\n. . . . . . .")
    import_folder(earlier, source)
    for path in sorted(source.glob("dokument-*.txt"))[::3]:
        path.write_text(path.read_text().replace("Absatz", "Paragraf"))
    for number in range(documents // 3):
        (source / f"neu-{number}.txt").write_text(a_text(f"Neues{number}", 9))
    shutil.copy(source / "neu-0.txt", source / "zweimal.txt")
    undisturbed = folder / "undisturbed"
    shutil.copytree(earlier, undisturbed)
    out, errors = start(undisturbed, source).communicate()
    if b"end" not in out:
        raise AssertionError(f"The undisturbed import failed: {errors.decode()}")
    return Course(source, earlier, out.count(b"step"), state_of(undisturbed))


def disturb(course: Course, home: Path, chance: random.Random) -> list[int]:
    """Import into a fresh data folder, killed up to three times on the way, and carry it on to the end.

    The moment is a step of the import and some milliseconds more, so that it does not depend on how
    quick the machine is.

    Returns:
        After how many steps it was killed; runs that ended before are left out.
    """
    shutil.copytree(course.earlier, home)
    killed_after: list[int] = []
    for _ in range(chance.randint(1, _MAX_KILLS_IN_A_ROW)):
        process = start(home, course.source)
        steps = chance.randrange(course.steps)
        wait_for_step(process, steps)
        time.sleep(chance.uniform(0, _MAX_DELAY_S))
        process.kill()
        out, _ = process.communicate()
        if b"end" not in out:
            killed_after.append(steps)
    out, errors = start(home, course.source).communicate()
    if b"end" not in out:
        raise AssertionError(f"The import could not be carried on: {errors.decode()}")
    return killed_after


def wait_for_step(process: subprocess.Popen[bytes], steps: int) -> None:
    """Wait until an import has told so many steps, or has ended."""
    assert process.stdout is not None
    for _ in range(steps + 1):
        if not process.stdout.readline():
            return


def differences(found: State, expected: State) -> list[str]:
    """Name the tables and indexes that differ."""
    tables = [name for name in expected.rows if found.rows[name] != expected.rows[name]]
    return tables + ([] if found.stamps == expected.stamps else ["index"])


def start(home: Path, source: Path) -> subprocess.Popen[bytes]:
    """Begin an import in a process of its own."""
    return subprocess.Popen(
        [sys.executable, __file__, str(home), str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import_folder(Path(sys.argv[1]), Path(sys.argv[2]), SayEveryStep())
    sys.stdout.write("end\n")
