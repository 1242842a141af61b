"""The import takes files and typed text to searchable chunks, once, whole, and in versions."""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.domain.documents import MediaType, Verdict, VersionStatus
from fundstelle.domain.errors import ModelMismatchError, NotFoundError, ServiceError, UsageError
from fundstelle.ingest.i5_index import POINTS_AT_ONCE
from fundstelle.ingest.library import find_document, list_documents, list_versions, read_chunks, read_page
from fundstelle.ingest.pipeline import (
    ImportRequest,
    ResumeRequest,
    TextRequest,
    import_paths,
    import_text,
    resume,
)
from fundstelle.ingest.results import ImportResult, Silent
from fundstelle.ingest.tools import ImportSettings
from fundstelle.ingest.verify import verify_import
from fundstelle.ingest.withdraw import withdraw
from fundstelle.ports.embedding import Vectors
from fundstelle.testing.embedding import FakeEmbedder
from import_kit import SMALL, Kit, a_text, write_documents


class FlakyEmbedder(FakeEmbedder):
    """Answer only while `is_up`."""

    is_up = True

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed, or fail."""
        if not self.is_up:
            raise ServiceError("Der Dienst antwortet nicht.", "Bitte starten.")
        return super().embed_passages(texts)


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[Kit]:
    """Give a data folder; what is in it must hold all criteria at the end."""
    kit = Kit(tmp_path / "home")
    yield kit
    report = verify_import(
        None, database=kit.database, blobs=kit.tools.blobs, count_tokens=kit.tools.count_tokens
    )
    assert report.problems == []
    assert report.checked > 0
    kit.database.close()


def _expected_points(kit: Kit) -> dict[str, dict[str, str]]:
    """Derive from the rows what the index must hold."""
    expected: dict[str, dict[str, str]] = {}
    with kit.database.read() as unit:
        for collection in unit.collections.all():
            if collection.index_name is None or collection.model_id is None:
                continue
            points = expected.setdefault(collection.index_name, {})
            for version_id in unit.documents.live_versions(collection.collection_id, None, 1000):
                version = unit.versions.find(version_id)
                assert version is not None
                windows = unit.windows.of_version(version_id, collection.model_id, version.chunker or "")
                points.update((window.point_id, window.text_hash) for window in windows)
    return expected


def test_import_when_folder_is_new_then_every_document_is_indexed(kit: Kit, tmp_path: Path) -> None:
    """Each file gives one result; pages, sections, chunks, windows and points are there."""
    results = kit.run(write_documents(tmp_path / "texte", 4))
    assert [result.filename for result in results] == [f"dokument-{number:02}.txt" for number in range(4)]
    for result in results:
        assert (result.status, result.verdict, result.error) == (VersionStatus.INDEXED, Verdict.OK, None)
        assert (result.pages, result.sections) == (2, 2)
        assert result.chunks > 2
        assert result.windows >= result.chunks
    assert sum(map(len, kit.stamps().values())) == sum(result.windows for result in results)
    assert kit.stamps() == _expected_points(kit)


def test_import_when_repeated_then_nothing_is_done_twice(kit: Kit, tmp_path: Path) -> None:
    """Unchanged documents are identical: no reading, no embedding, no changed row."""
    folder = write_documents(tmp_path / "texte", 3)
    first = kit.run(folder)
    rows, read, embedded = kit.rows(), kit.reader.files_read, kit.embedder.embedded_texts
    again = kit.run(folder)
    assert [result.identical_to for result in again] == [result.document_id for result in first]
    assert kit.rows() == rows
    assert (kit.reader.files_read, kit.embedder.embedded_texts) == (read, embedded)


def test_import_when_bytes_are_there_under_another_name_then_identical(kit: Kit, tmp_path: Path) -> None:
    """The same bytes in the same collection are one document, also within one run."""
    folder = write_documents(tmp_path / "texte", 1)
    (folder / "kopie.txt").write_text((folder / "dokument-00.txt").read_text())
    first, copy = kit.run(folder)
    assert first.identical_to is None
    assert copy.identical_to == copy.document_id == first.document_id
    assert copy.filename == "kopie.txt"
    assert copy.status is VersionStatus.INDEXED
    (other,) = kit.run(folder / "kopie.txt", collection="andere")
    assert other.identical_to is None
    assert other.document_id != first.document_id


def test_import_when_unfinished_or_unreadable_bytes_have_another_name_then_reported_under_it(
    kit: Kit, tmp_path: Path
) -> None:
    """Whoever matches results with files finds each file by the name it was given under."""
    folder = write_documents(tmp_path / "texte", 1)
    kit.run(folder, until=VersionStatus.CHUNKED)
    for name, content in {"kopie.txt": (folder / "dokument-00.txt").read_bytes(), "x": b"", "y": b""}.items():
        (folder / name).write_bytes(content)
        (result,) = kit.run(folder / name)
        assert result.filename == name


def test_import_when_file_changed_then_new_version_takes_the_place(kit: Kit, tmp_path: Path) -> None:
    """Queries see only the new version; the old one stays readable; its points are gone."""
    path = write_documents(tmp_path / "texte", 1) / "dokument-00.txt"
    (first,) = kit.run(path)
    path.write_text(a_text("Anderes", 8))
    (second,) = kit.run(path)
    assert second.document_id == first.document_id
    assert second.version_id != first.version_id
    assert kit.stamps() == _expected_points(kit)
    assert first.document_id is not None
    assert first.version_id is not None
    versions = list_versions(first.document_id, database=kit.database)
    assert [(v.version_id, v.ordinal) for v in versions] == [(second.version_id, 2), (first.version_id, 1)]
    assert list(read_chunks(first.version_id, database=kit.database))
    assert "Thema0" in read_page(first.version_id, 1, database=kit.database).content


def test_import_when_old_bytes_return_then_the_old_version_is_newest(kit: Kit, tmp_path: Path) -> None:
    """A file that is set back counts as it was, without reading or embedding anew."""
    path = write_documents(tmp_path / "texte", 1) / "dokument-00.txt"
    original = path.read_text()
    (first,) = kit.run(path)
    path.write_text(a_text("Anderes"))
    kit.run(path)
    read, embedded = kit.reader.files_read, kit.embedder.embedded_texts
    path.write_text(original)
    (third,) = kit.run(path)
    assert (third.version_id, third.status) == (first.version_id, VersionStatus.INDEXED)
    assert (kit.reader.files_read, kit.embedder.embedded_texts) == (read, embedded)
    assert kit.stamps() == _expected_points(kit)
    assert third.document_id is not None
    assert [v.ordinal for v in list_versions(third.document_id, database=kit.database)] == [3, 2]


def test_import_when_changed_file_equals_another_document_then_shared_points_survive(
    kit: Kit, tmp_path: Path
) -> None:
    """Points that two documents share stay as long as one of them needs them."""
    folder = write_documents(tmp_path / "texte", 2)
    first, second = folder / "dokument-00.txt", folder / "dokument-01.txt"
    kit.run(folder)
    first.write_text(second.read_text())
    (same,) = kit.run(first)
    assert same.identical_to is None
    assert kit.stamps() == _expected_points(kit)
    first.write_text(a_text("Neues"))
    kit.run(first)
    assert kit.stamps() == _expected_points(kit)


def test_import_when_new_version_is_unreadable_then_the_old_stays_visible(kit: Kit, tmp_path: Path) -> None:
    """A version that fails takes nothing away; the document says that its newest version failed."""
    path = write_documents(tmp_path / "texte", 1) / "dokument-00.txt"
    (first,) = kit.run(path)
    original = path.read_text()
    path.write_text("!needs_ocr\nBild")
    (second,) = kit.run(path)
    assert (second.status, second.verdict, second.chunks) == (VersionStatus.FAILED, Verdict.NEEDS_OCR, 0)
    assert second.error is not None
    summary = find_document(str(first.document_id), database=kit.database)
    assert summary.document.current_version_id == first.version_id
    assert summary.document.status is VersionStatus.FAILED
    assert kit.stamps() == _expected_points(kit)
    path.write_text(original)
    (third,) = kit.run(path)
    assert third.identical_to == first.document_id
    assert (
        find_document(str(first.document_id), database=kit.database).document.status is VersionStatus.INDEXED
    )


@pytest.mark.parametrize(
    ("content", "verdict"),
    [
        ("", Verdict.EMPTY_FILE),
        ("!garbled\nx", Verdict.GARBLED),
        ("!damaged\n", Verdict.DAMAGED),
        (" \n\f\n", Verdict.NO_TEXT),
        ("!needs_password geheim\nText", Verdict.NEEDS_PASSWORD),
    ],
)
def test_import_when_file_gives_no_text_then_stored_as_failed(
    kit: Kit, tmp_path: Path, content: str, verdict: Verdict
) -> None:
    """An unreadable file is stored with verdict, phase, cause and what to do, and has no chunk."""
    path = tmp_path / "datei.txt"
    path.write_text(content)
    (result,) = kit.run(path, write_documents(tmp_path / "texte", 1))[:1]
    assert (result.status, result.verdict, result.chunks) == (VersionStatus.FAILED, verdict, 0)
    assert result.error is not None
    assert result.error.endswith(".")
    summary = find_document(str(result.document_id), database=kit.database)
    assert summary.version is not None
    assert summary.version.failed_phase == "I1"
    assert summary.version.failure == result.error
    assert summary.document.current_version_id is None


def test_import_when_password_is_given_later_then_the_failed_version_is_carried_on(
    kit: Kit, tmp_path: Path
) -> None:
    """A version that needed a password is tried again, not called identical."""
    path = tmp_path / "geheim.txt"
    path.write_text("!needs_password geheim\n" + a_text("Geheimes"))
    (first,) = kit.run(path)
    (wrong,) = kit.run(path, password="falsch")
    (right,) = kit.run(path, password="geheim")
    assert [first.verdict, wrong.verdict, right.verdict] == [Verdict.NEEDS_PASSWORD] * 2 + [Verdict.OK]
    assert right.status is VersionStatus.INDEXED
    assert right.version_id == first.version_id
    assert right.identical_to is None


@pytest.mark.parametrize("verdict", [Verdict.PARTIAL, Verdict.PARTIAL_NEEDS_OCR])
def test_import_when_pages_are_lost_then_partial_and_says_so(
    kit: Kit, tmp_path: Path, verdict: Verdict
) -> None:
    """What can be read is indexed; the result names what was lost."""
    path = tmp_path / "teils.txt"
    path.write_text(f"!{verdict.value}\n" + a_text("Teile"))
    (result,) = kit.run(path)
    assert (result.status, result.verdict) == (VersionStatus.PARTIAL, verdict)
    assert result.error is not None
    assert kit.stamps() == _expected_points(kit)
    assert kit.run(path)[0].identical_to == result.document_id


def test_import_when_a_chunk_has_nothing_to_embed_then_skipped_with_a_record(
    kit: Kit, tmp_path: Path
) -> None:
    """A chunk of dots gives no vector; that is recorded once and the document is indexed."""
    path = tmp_path / "punkte.txt"
    path.write_text(a_text("Punkte") + "\n\n# . . .\n\n. . . . . . .")
    (result,) = kit.run(path)
    assert result.status is VersionStatus.INDEXED
    assert result.version_id is not None
    with kit.database.read() as unit:
        skipped = [c for c in unit.chunks.stored(result.version_id) if c.status == "skipped"]
        assert len(skipped) == 1
        assert [event.event for event in unit.events.of(skipped[0].chunk_id)] == ["skipped"]


def test_import_when_everything_is_skipped_then_indexed_without_points(kit: Kit, tmp_path: Path) -> None:
    """A text without a letter is stored, and each run says the same."""
    path = tmp_path / "striche.txt"
    path.write_text("- - - - - -")
    (result,) = kit.run(path)
    assert (result.status, result.windows) == (VersionStatus.INDEXED, 0)
    assert kit.run(path)[0].identical_to == result.document_id


@pytest.mark.parametrize("until", [VersionStatus.PENDING, VersionStatus.CHUNKED])
def test_import_when_until_is_given_then_stops_there_and_can_go_on(
    kit: Kit, tmp_path: Path, until: VersionStatus
) -> None:
    """An import stopped on the way, then carried on, ends with the rows of one that ran through."""
    folder = write_documents(tmp_path / "texte", 3)
    whole = Kit(tmp_path / "whole")
    whole.run(folder)
    stopped = kit.run(folder, until=until)
    assert {result.status for result in stopped} == {until}
    assert kit.embedder.embedded_texts == 0
    assert {r.identical_to is None for r in kit.run(folder, until=until)} == {False}
    assert {result.status for result in kit.run(folder)} == {VersionStatus.INDEXED}
    assert kit.rows() == whole.rows()
    assert kit.stamps() == whole.stamps()


def test_resume_when_versions_are_unfinished_then_all_are_indexed(kit: Kit, tmp_path: Path) -> None:
    """Resume carries on without the files."""
    folder = write_documents(tmp_path / "texte", 3)
    kit.run(folder / "dokument-00.txt", until=VersionStatus.PENDING)
    kit.run(folder / "dokument-01.txt", until=VersionStatus.CHUNKED)
    kit.run(folder / "dokument-02.txt")
    for path in folder.iterdir():
        path.unlink()
    results = kit.resume()
    assert sorted(result.filename for result in results) == ["dokument-00.txt", "dokument-01.txt"]
    assert {result.status for result in results} == {VersionStatus.INDEXED}
    assert kit.resume() == []
    with pytest.raises(NotFoundError):
        list(resume(ResumeRequest("unbekannt"), tools=kit.tools))


def test_import_when_embedder_is_down_then_chunks_wait_and_resume_finishes(tmp_path: Path) -> None:
    """Without the service everything is stored up to `chunked`, and every result says what to do."""
    embedder = FlakyEmbedder()
    kit = Kit(tmp_path / "home", embedder=embedder)
    folder = write_documents(tmp_path / "texte", 3)
    embedder.is_up = False
    results = kit.run(folder)
    assert {result.status for result in results} == {VersionStatus.CHUNKED}
    assert all("antwortet nicht" in (result.error or "") for result in results)
    assert kit.stamps() == {}
    embedder.is_up = True
    assert {result.status for result in kit.resume()} == {VersionStatus.INDEXED}
    whole = Kit(tmp_path / "whole")
    whole.run(folder)
    assert kit.rows() == whole.rows()


def test_import_when_points_are_many_then_visible_as_they_come(tmp_path: Path) -> None:
    """Results come while the import runs, because only so much may wait for the model."""
    kit = Kit(tmp_path / "home", settings=ImportSettings(chunks=SMALL, batch_size=1))
    folder = tmp_path / "texte"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(a_text(f"Thema{number}", 80))
    seen: list[tuple[str, int]] = []

    class Watch(Silent):
        def started(self, document: str) -> None:
            seen.append((document, len(kit.stamps())))

    results = list(import_paths(ImportRequest([folder], "standard"), tools=kit.tools, progress=Watch()))
    assert sum(result.windows for result in results) > POINTS_AT_ONCE
    assert seen[0][1] == 0
    assert seen[-1][1] == 1


def test_import_text_when_title_is_known_then_new_version(kit: Kit) -> None:
    """A typed text is known by its title, whatever its normal form."""
    first = import_text(TextRequest("Öffnungszeiten", a_text("Zeiten"), "standard"), tools=kit.tools)
    decomposed = unicodedata.normalize("NFD", "Öffnungszeiten")
    second = import_text(TextRequest(decomposed, a_text("Andere"), "standard"), tools=kit.tools)
    same = import_text(TextRequest("Öffnungszeiten", a_text("Andere"), "standard"), tools=kit.tools)
    assert first.document_id == second.document_id == same.identical_to
    assert first.version_id != second.version_id
    summary = find_document(str(first.document_id), database=kit.database)
    assert summary.document.title == summary.document.filename == "Öffnungszeiten"
    assert summary.version is not None
    assert summary.version.media_type == MediaType.TEXT
    with pytest.raises(UsageError):
        import_text(TextRequest("  ", "x", "standard"), tools=kit.tools)


def test_import_when_withdrawn_document_comes_again_then_restored(kit: Kit, tmp_path: Path) -> None:
    """Importing a withdrawn document again lets it count again, without embedding."""
    path = write_documents(tmp_path / "texte", 1) / "dokument-00.txt"
    (first,) = kit.run(path)
    assert first.document_id is not None
    tools = kit.tools
    withdraw(
        first.document_id,
        at=next(iter(list_documents(database=kit.database))).created_at,
        database=tools.database,
        indexing=tools.indexing,
    )
    assert kit.stamps() == {name: {} for name in kit.stamps()}
    embedded = kit.embedder.embedded_texts
    (again,) = kit.run(path)
    assert (again.version_id, again.status, again.identical_to) == (
        first.version_id,
        VersionStatus.INDEXED,
        None,
    )
    assert kit.embedder.embedded_texts == embedded
    assert kit.stamps() == _expected_points(kit)
    with kit.database.read() as unit:
        assert [e.event for e in unit.events.of(first.document_id)] == ["withdrawn", "restored"]


def test_import_when_model_is_another_then_refused_before_anything_is_done(kit: Kit, tmp_path: Path) -> None:
    """Vectors of two models never share an index."""
    folder = write_documents(tmp_path / "texte", 1)
    kit.run(folder)
    kit.embedder = FakeEmbedder(name="other")
    (folder / "neu.txt").write_text(a_text("Neues"))
    with pytest.raises(ModelMismatchError, match="reindex"):
        kit.run(folder)
    assert len(kit.rows()["documents"]) == 1


def test_import_when_chunk_sizes_change_then_waiting_versions_are_chunked_anew(
    kit: Kit, tmp_path: Path
) -> None:
    """A version that queries do not see yet gets the chunks of now; the others stay, superseded."""
    folder = write_documents(tmp_path / "texte", 1)
    kit.run(folder, until=VersionStatus.CHUNKED)
    before = len(kit.rows()["chunks"])
    kit.settings = replace(kit.settings, chunks=replace(SMALL, max_tokens=80))
    (result,) = kit.run(folder)
    assert result.status is VersionStatus.INDEXED
    assert result.chunks < before
    assert len(kit.rows()["chunks"]) == before + result.chunks
    assert kit.stamps() == _expected_points(kit)


def test_import_when_goal_is_no_goal_then_usage_error(kit: Kit, tmp_path: Path) -> None:
    """Only pending, chunked and indexed are goals."""
    kit.run(write_documents(tmp_path / "texte", 1))
    with pytest.raises(UsageError, match="pending, chunked, indexed"):
        kit.run(tmp_path, until=VersionStatus.FAILED)
    with pytest.raises(UsageError):
        kit.run(tmp_path, collection=" ")


def test_import_when_name_and_text_have_odd_characters_then_stored(kit: Kit, tmp_path: Path) -> None:
    """Broken names, lone surrogates and NUL characters neither stop the import nor get lost."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.txt"))
    path.write_bytes(b"# Titel \xff\n\nEin Satz mit \x00 und \xed\xa0\x80 darin.")
    (result,) = kit.run(path)
    assert result.status is VersionStatus.INDEXED
    result.filename.encode("utf-8")
    assert result.version_id is not None
    content = read_page(result.version_id, 1, database=kit.database).content
    assert "\ufffd" in content
    assert "\x00" in content


def test_progress_when_import_runs_then_hears_of_every_step(kit: Kit, tmp_path: Path) -> None:
    """Progress hears documents, pages, chunks, windows and results."""
    heard: list[str] = []

    class Watch:
        def started(self, document: str) -> None:
            heard.append(f"started {document}")

        def pages(self, done: int, total: int | None) -> None:
            heard.append(f"pages {done}/{total}")

        def chunks(self, count: int) -> None:
            heard.append(f"chunks {count}")

        def windows(self, done: int, total: int) -> None:
            heard.append(f"windows {done}/{total}")

        def finished(self, result: ImportResult) -> None:
            heard.append(f"finished {result.filename}")

    folder = write_documents(tmp_path / "texte", 1)
    (result,) = import_paths(ImportRequest([folder], "standard"), tools=kit.tools, progress=Watch())
    expected = ["started dokument-00.txt", "pages 1/2", "pages 2/2", f"chunks {result.chunks}"]
    assert heard[:4] == expected
    assert f"windows {result.windows}/{result.windows}" in heard
    assert heard[-1] == "finished dokument-00.txt"
