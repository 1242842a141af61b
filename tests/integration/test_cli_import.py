"""The commands `import`, `documents`, `sections`, `chunks` and `text`: shapes and exit codes."""

import io
from types import SimpleNamespace

import pytest
from cli_kit import HOLIDAY, CommandLine

IMPORT_KEYS = [
    "document_id", "version_id", "filename", "status", "verdict", "pages", "sections", "chunks", "windows",
    "seconds", "identical_to", "error",
]  # fmt: skip
SECTION_KEYS = [
    "section_id", "parent_id", "level", "title", "heading_path", "char_start", "char_end", "page_first",
    "page_last", "recognised_by",
]  # fmt: skip
CHUNK_KEYS = [
    "chunk_id", "section_id", "chunk_index", "content", "token_count", "heading_path", "semantic_role",
    "char_start", "char_end", "page_first", "page_last",
]  # fmt: skip


def test_import_when_json_then_one_line_a_document_in_the_promised_shape(command_line: CommandLine) -> None:
    """Other programs find exactly the promised names, with the counts of what was stored."""
    found = command_line("import", command_line.write("urlaub.md", HOLIDAY), "--json")
    assert (found.code, found.err) == (0, "")
    assert list(found.object) == IMPORT_KEYS
    assert (found.object["status"], found.object["verdict"]) == ("indexed", "ok")
    assert [found.object[name] for name in ("pages", "sections", "chunks", "windows")] == [1, 2, 2, 2]


def test_import_when_repeated_then_identical_and_still_zero(command_line: CommandLine) -> None:
    """The same bytes are named as identical, which is no failure."""
    document = command_line.import_holiday()
    again = command_line("import", command_line.folder / "urlaub.md", "--json")
    assert (again.code, again.object["identical_to"]) == (0, document)


def test_import_when_one_of_several_fails_then_all_are_reported_and_the_code_says_so(
    command_line: CommandLine,
) -> None:
    """A file that cannot be read gets its line with verdict and cause; the others are imported."""
    good = command_line.write("urlaub.md", HOLIDAY)
    found = command_line("import", command_line.folder / "fehlt.pdf", good, "--json")
    assert found.code == 1
    statuses = {line["filename"]: (line["status"], line["verdict"]) for line in found.lines}
    assert statuses == {"fehlt.pdf": ("failed", "not_found"), "urlaub.md": ("indexed", "ok")}
    failed = next(line for line in found.lines if line["error"])
    assert list(failed) == IMPORT_KEYS
    assert "fehlt.pdf" in str(failed["error"])


@pytest.mark.parametrize(("goal", "status"), [("pending", "pending"), ("chunked", "chunked")])
def test_import_when_stopped_early_then_a_later_one_carries_on(
    command_line: CommandLine, goal: str, status: str
) -> None:
    """`--until` stops there; without paths, the next import finishes the document."""
    path = command_line.write("urlaub.md", HOLIDAY)
    first = command_line("import", path, "--until", goal, "--json")
    assert (first.code, first.object["status"]) == (0, status)
    then = command_line("import", "--json")
    assert (then.code, then.object["status"]) == (0, "indexed")
    assert then.object["version_id"] == first.object["version_id"]


def test_import_when_text_is_typed_then_its_title_names_it(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text on standard input becomes a document; bytes that are no UTF-8 are refused."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"Der Mond ist rund.")))
    found = command_line("import", "--text", "Notiz", "--json")
    assert (found.code, found.object["status"]) == (0, "indexed")
    assert command_line("documents", "list", "--json").object["title"] == "Notiz"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\xff\xfe")))
    assert command_line("import", "--text", "Notiz").code == 2


@pytest.mark.parametrize(
    "arguments", [("--until", "failed"), ("--text", "Titel", "datei.md"), ("--until", "nirgends")]
)
def test_import_when_options_make_no_sense_then_refused_before_anything_is_made(
    command_line: CommandLine, arguments: tuple[str, ...]
) -> None:
    """A wrong option ends with code 2, and no data folder appears."""
    found = command_line("import", *arguments)
    assert (found.code, found.out) == (2, "")
    assert "Error: " in found.err
    assert not (command_line.folder / "home").exists()


def test_documents_when_listed_then_each_has_its_counts_and_version(command_line: CommandLine) -> None:
    """A list line says what a document is, where it stands and what queries see of it."""
    document = command_line.import_holiday()
    line = command_line("documents", "list", "--json").object
    promised = {"document_id", "title", "collection", "status", "pages", "sections", "chunks"}
    assert promised | {"current_version_id"} <= set(line)
    assert (line["document_id"], line["status"], line["chunks"]) == (document, "indexed", 2)
    shown = command_line("documents", "show", document, "--json").object
    assert [one["version_id"] for one in shown.pop("versions")] == [line["current_version_id"]]
    assert shown == line


def test_documents_when_removed_and_restored_then_the_list_says_so(command_line: CommandLine) -> None:
    """Withdrawing takes the points away and can be taken back."""
    document = command_line.import_holiday()
    removed = command_line("documents", "remove", document, "--json")
    assert (removed.code, removed.object) == (
        0,
        {"document_id": document, "points_removed": 2, "error": None},
    )
    assert command_line("documents", "list", "--json").object["status"] == "withdrawn"
    restored = command_line("documents", "restore", document, "--json")
    assert (restored.code, list(restored.object)) == (0, IMPORT_KEYS)
    assert command_line("documents", "list", "--json").object["status"] == "indexed"


def test_sections_when_json_then_the_promised_shape_in_reading_order(command_line: CommandLine) -> None:
    """Sections come with parent, path, range and how they were recognised."""
    first, second = command_line("sections", command_line.import_holiday(), "--json").lines
    assert list(first) == list(second) == SECTION_KEYS
    assert (first["title"], second["title"], second["parent_id"]) == (
        "Urlaub",
        "Probezeit",
        first["section_id"],
    )
    assert second["heading_path"] == "Urlaub > Probezeit"
    assert first["char_end"] == second["char_start"]


def test_chunks_when_json_then_each_is_the_text_at_its_range(command_line: CommandLine) -> None:
    """A chunk's content is what `text` prints at its character range."""
    document = command_line.import_holiday()
    text = command_line("text", document).out
    chunks = command_line("chunks", document, "--json").lines
    assert [list(one) for one in chunks] == [CHUNK_KEYS, CHUNK_KEYS]
    assert [text[int(one["char_start"]) : int(one["char_end"])] for one in chunks] == [
        one["content"] for one in chunks
    ]
    assert [one["chunk_index"] for one in chunks] == [0, 1]


def test_documents_when_shown_to_people_then_words_and_ids_stand_in_the_output(
    command_line: CommandLine,
) -> None:
    """Without --json every command words its result."""
    assert "No documents yet" in command_line("documents", "list").err
    document = command_line.import_holiday()
    for arguments, words in {
        ("documents", "list"): "indexed",
        ("documents", "show", document): "queries see this one",
        ("sections", document): "  Probezeit",
        ("chunks", document): "Die Probezeit dauert sechs Monate.",
        ("import", str(command_line.folder / "urlaub.md")): "identical to document",
    }.items():
        found = command_line(*arguments)
        assert found.code == 0
        assert words in found.out


@pytest.mark.parametrize("command", ["sections", "chunks", "text"])
def test_document_when_unknown_then_not_found_on_one_line(command_line: CommandLine, command: str) -> None:
    """An id that nothing is stored under ends with code 3 and one line that says what to do."""
    found = command_line(command, "doc_zz")
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith("Error: ")
    assert found.err.count("\n") == 1
    assert "documents list" in found.err
