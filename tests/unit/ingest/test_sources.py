"""Files and folders are found in stable order, and nothing found stops the walk."""

import os
import unicodedata
from pathlib import Path

from fundstelle.domain.documents import Verdict
from fundstelle.ingest.sources import FileSource, Refusal, TextSource, readable, walk


def _names(*paths: Path) -> list[str]:
    return [found.filename for found in walk(paths)]


def test_walk_when_folder_is_deep_then_names_in_order_without_hidden_ones(tmp_path: Path) -> None:
    """Folders are walked in order of names; hidden entries are passed over."""
    for name in ("b.txt", "a.txt", "c/z.txt", "c/y.txt", ".git/config", "c/.versteckt", "ä.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    assert _names(tmp_path) == ["a.txt", "b.txt", "y.txt", "z.txt", "ä.txt"]


def test_walk_when_a_hidden_file_is_named_then_taken(tmp_path: Path) -> None:
    """What a person names is meant."""
    (tmp_path / ".notiz").write_text("x")
    assert _names(tmp_path / ".notiz") == [".notiz"]


def test_walk_when_links_form_a_loop_then_it_ends(tmp_path: Path) -> None:
    """Each folder is walked once, however many links lead to it."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_text("x")
    (tmp_path / "a" / "zurück").symlink_to(tmp_path)
    (tmp_path / "selbst").symlink_to(tmp_path / "selbst")
    found = list(walk([tmp_path, tmp_path]))
    assert [f.filename for f in found if isinstance(f, FileSource)] == ["x.txt"]
    assert [f.filename for f in found if isinstance(f, Refusal)] == ["selbst"]


def test_walk_when_something_cannot_be_read_then_refused_and_walk_goes_on(tmp_path: Path) -> None:
    """A missing file, a broken link and a pipe are reported; the rest is found."""
    (tmp_path / "gut.txt").write_text("x")
    (tmp_path / "bruch").symlink_to(tmp_path / "nirgends")
    os.mkfifo(tmp_path / "rohr")
    found = {f.filename: f for f in walk([tmp_path / "fehlt.pdf", tmp_path])}
    assert isinstance(found["gut.txt"], FileSource)
    verdicts = {name: f.verdict for name, f in found.items() if isinstance(f, Refusal)}
    assert verdicts == {
        "fehlt.pdf": Verdict.NOT_FOUND,
        "bruch": Verdict.NOT_FOUND,
        "rohr": Verdict.UNSUPPORTED,
    }
    assert all(f.error.endswith(".") for f in found.values() if isinstance(f, Refusal))


def test_key_when_name_is_decomposed_then_composed(tmp_path: Path) -> None:
    """The same name in NFC and NFD is the same document."""
    decomposed = FileSource(tmp_path / unicodedata.normalize("NFD", "Prüfung.pdf"))
    assert decomposed.filename == "Prüfung.pdf"
    assert decomposed.key == f"path:{tmp_path}/Prüfung.pdf"
    assert TextSource(unicodedata.normalize("NFD", "Öl"), "x").key == "title:Öl"


def test_readable_when_bytes_are_no_unicode_then_storable_and_different() -> None:
    """Names that are no Unicode can be stored and stay apart."""
    first, second = os.fsdecode(b"a\xff.pdf"), os.fsdecode(b"a\xfe.pdf")
    assert readable(first) != readable(second)
    readable(first).encode("utf-8")


def test_walk_when_name_is_no_unicode_then_found(tmp_path: Path) -> None:
    """A file with a broken name is imported like any other."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.txt")).write_text("x")
    (found,) = walk([tmp_path])
    assert isinstance(found, FileSource)
    assert found.path.read_text() == "x"


def test_walk_when_the_folder_contains_the_data_folder_then_that_is_passed_over(tmp_path: Path) -> None:
    """What the program keeps for itself is no document of the user's."""
    (tmp_path / "notiz.txt").write_text("Notiz", encoding="utf-8")
    own = tmp_path / "daten"
    own.mkdir()
    (own / "original.txt").write_text("Original", encoding="utf-8")
    assert [found.filename for found in walk([tmp_path], own_folder=own)] == ["notiz.txt"]
