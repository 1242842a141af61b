"""Documents are withdrawn and restored; index and criteria are checked, repaired and rebuilt from SQL."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.errors import ModelMismatchError, NotFoundError, ServiceError, UsageError
from fundstelle.domain.identity import DocumentId, PointId
from fundstelle.ingest.library import find_document, list_documents, read_chunks, read_page, shown_version
from fundstelle.ingest.pipeline import ResumeRequest, resume
from fundstelle.ingest.reconcile import reconcile
from fundstelle.ingest.reindex import reindex
from fundstelle.ingest.results import AuditReport
from fundstelle.ingest.verify import verify_import
from fundstelle.ingest.withdraw import Withdrawal, restore, withdraw
from fundstelle.ports.records import WorkStatus
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.vectors import InMemoryIndex
from import_kit import SMALL, Kit, a_text, write_documents

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)


class FlakyIndex(InMemoryIndex):
    """Write only while `is_up`."""

    is_up = True

    def write(self, *args: object, **kwargs: object) -> None:
        """Write, or fail."""
        if not self.is_up:
            raise ServiceError("Der Index antwortet nicht.", "Bitte starten.")
        super().write(*args, **kwargs)  # type: ignore[arg-type]


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[Kit]:
    """Give a data folder with three documents, one of them in two versions."""
    kit = Kit(tmp_path / "home", index=FlakyIndex())
    folder = write_documents(tmp_path / "texte", 3)
    kit.run(folder)
    (folder / "dokument-02.txt").write_text(a_text("Geändertes", 8))
    kit.run(folder)
    yield kit
    kit.database.close()


def _verify(kit: Kit) -> AuditReport:
    tools = kit.tools
    return verify_import(None, database=tools.database, blobs=tools.blobs, count_tokens=tools.count_tokens)


def _reconcile(kit: Kit, *, repair: bool) -> AuditReport:
    tools = kit.tools
    assert tools.indexing is not None
    return reconcile(None, repair=repair, database=tools.database, indexing=tools.indexing)


def _reindex(kit: Kit) -> AuditReport:
    tools = kit.tools
    assert tools.indexing is not None
    return reindex(None, tools=tools, indexing=tools.indexing)


def _document(kit: Kit, number: int) -> DocumentId:
    return list(list_documents(database=kit.database))[number].document.document_id


def _withdraw(kit: Kit, document_id: DocumentId) -> Withdrawal:
    return withdraw(document_id, at=AT, database=kit.database, indexing=kit.tools.indexing)


def _engine(kit: Kit) -> Engine:
    return kit.database._engine


def _index_name(kit: Kit) -> str:
    (name,) = kit.stamps()
    return name


def test_withdraw_when_done_then_points_are_gone_and_rows_stay(kit: Kit) -> None:
    """A withdrawn document leaves the index at once; its text and chunks stay readable."""
    before, document_id = len(kit.rows()["chunks"]), _document(kit, 0)
    result = _withdraw(kit, document_id)
    assert (result.points_removed, result.error) == (6, None)
    summary = find_document(document_id, database=kit.database)
    assert summary.document.withdrawn_at == AT
    assert len(kit.rows()["chunks"]) == before
    assert list(read_chunks(shown_version(summary), database=kit.database))
    assert _reconcile(kit, repair=False).problems == []
    assert _verify(kit).problems == []
    assert _withdraw(kit, document_id).points_removed == 0
    with kit.database.read() as unit:
        assert [event.event for event in unit.events.of(document_id)] == ["withdrawn"]


def test_withdraw_when_the_index_is_down_then_sql_has_withdrawn_and_resume_follows(kit: Kit) -> None:
    """Queries stop seeing the document at once; the index follows when it can."""
    assert isinstance(kit.index, FlakyIndex)
    document_id = _document(kit, 0)
    kit.index.is_up = False
    assert "antwortet nicht" in (_withdraw(kit, document_id).error or "")
    assert find_document(document_id, database=kit.database).document.withdrawn_at == AT
    kit.index.is_up = True
    assert list(resume(ResumeRequest(), tools=kit.tools)) == []
    assert _reconcile(kit, repair=False).problems == []


def test_withdraw_when_content_is_shared_then_the_other_document_keeps_its_points(
    kit: Kit, tmp_path: Path
) -> None:
    """Points that another document needs stay in the index."""
    folder = tmp_path / "texte"
    (folder / "dokument-00.txt").write_text((folder / "dokument-01.txt").read_text())
    kit.run(folder)
    points = {name: set(stamps) for name, stamps in kit.stamps().items()}
    assert _withdraw(kit, _document(kit, 0)).points_removed == 0
    assert {name: set(stamps) for name, stamps in kit.stamps().items()} == points
    assert _withdraw(kit, _document(kit, 1)).points_removed == 6
    assert _reconcile(kit, repair=False).problems == []


def test_restore_when_withdrawn_then_everything_is_as_before(kit: Kit) -> None:
    """Restoring brings back exactly the points, without embedding."""
    rows, stamps, embedded = kit.rows(), kit.stamps(), kit.embedder.embedded_texts
    document_id = _document(kit, 2)
    _withdraw(kit, document_id)
    result = restore(document_id, tools=kit.tools)
    assert result.status is VersionStatus.INDEXED
    assert kit.stamps() == stamps
    assert kit.embedder.embedded_texts == embedded
    assert {k: v for k, v in kit.rows().items() if k != "events"} == {
        k: v for k, v in rows.items() if k != "events"
    }
    with kit.database.read() as unit:
        assert [event.event for event in unit.events.of(document_id)] == ["withdrawn", "restored"]


def test_restore_when_the_index_is_down_then_not_visible_until_resumed(kit: Kit) -> None:
    """A restored document is seen only when its points are back."""
    assert isinstance(kit.index, FlakyIndex)
    document_id = _document(kit, 0)
    _withdraw(kit, document_id)
    kit.index.is_up = False
    result = restore(document_id, tools=kit.tools)
    assert result.status is VersionStatus.CHUNKED
    assert result.error is not None
    assert find_document(document_id, database=kit.database).document.current_version_id is None
    kit.index.is_up = True
    assert [r.status for r in resume(ResumeRequest(), tools=kit.tools)] == [VersionStatus.INDEXED]
    assert _reconcile(kit, repair=False).problems == []


def test_withdraw_when_document_is_unknown_then_not_found(kit: Kit) -> None:
    """An unknown id is said so."""
    for act in (
        lambda: _withdraw(kit, DocumentId("doc_x")),
        lambda: restore(DocumentId("x"), tools=kit.tools),
    ):
        with pytest.raises(NotFoundError):
            act()


def test_reconcile_when_nothing_is_wrong_then_every_point_was_checked(kit: Kit) -> None:
    """A sound index gives no problem and a count."""
    report = _reconcile(kit, repair=False)
    assert (report.ok, report.problems) == (True, [])
    assert report.checked == len(kit.stamps()[_index_name(kit)])


def test_reconcile_when_both_sides_differ_then_each_difference_is_named_and_repaired(kit: Kit) -> None:
    """Missing, foreign and outdated points are found by id and hash, and repaired from SQL."""
    name, stamps = _index_name(kit), kit.stamps()
    assert isinstance(kit.index, InMemoryIndex)
    points = kit.index._indexes[name]
    ids = sorted(points)
    missing, outdated, foreign = ids[0], ids[1], PointId("00000000-0000-0000-0000-000000000000")
    points[foreign] = replace(points[missing], point_id=foreign)
    points[outdated] = replace(points[outdated], text_hash="anders")  # type: ignore[arg-type]
    del points[missing]
    expected = {("points_present", missing), ("points_wanted", foreign), ("points_current", outdated)}
    found = _reconcile(kit, repair=False)
    assert not found.ok
    named = {(problem.criterion, problem.id) for problem in found.problems}
    assert named == expected
    repaired = _reconcile(kit, repair=True)
    assert repaired.ok
    assert repaired.found == found.found
    assert kit.stamps() == stamps
    assert _reconcile(kit, repair=False).problems == []
    with kit.database.read() as unit:
        assert [event.event for event in unit.events.of(name)] == ["reconciled"]


def test_reconcile_when_a_removal_was_interrupted_then_finished(kit: Kit) -> None:
    """What SQL had withdrawn and a crash left in the index is removed."""
    document_id = _document(kit, 0)
    withdraw(document_id, at=AT, database=kit.database, indexing=None)
    assert len(_reconcile(kit, repair=False).problems) == 6
    assert _reconcile(kit, repair=True).ok
    assert _reconcile(kit, repair=False).problems == []
    assert "removing" not in {row[-1] for row in kit.rows()["windows"]}


def test_reconcile_when_the_index_is_gone_then_all_of_it_is_written_again(kit: Kit) -> None:
    """A lost index is rebuilt without embedding."""
    stamps, embedded = kit.stamps(), kit.embedder.embedded_texts
    kit.index.drop(_index_name(kit))
    assert len(_reconcile(kit, repair=False).problems) == len(stamps[_index_name(kit)])
    assert _reconcile(kit, repair=True).ok
    assert kit.stamps() == stamps
    assert kit.embedder.embedded_texts == embedded


def test_reconcile_when_model_or_collection_is_wrong_then_refused(kit: Kit) -> None:
    """Another model cannot be compared; an unknown collection is said so."""
    tools = kit.tools
    assert tools.indexing is not None
    with pytest.raises(NotFoundError):
        reconcile("fremd", repair=False, database=tools.database, indexing=tools.indexing)
    kit.embedder = FakeEmbedder(name="other")
    with pytest.raises(ModelMismatchError):
        _reconcile(kit, repair=False)


def test_reindex_when_nothing_changed_then_same_points_under_a_new_name_without_embedding(kit: Kit) -> None:
    """The index is built from SQL alone, checked, and takes the place of the old one."""
    old, stamps, embedded = _index_name(kit), kit.stamps(), kit.embedder.embedded_texts
    report = _reindex(kit)
    assert report.ok
    assert report.checked == len(stamps[old])
    assert _index_name(kit) != old
    assert kit.stamps()[_index_name(kit)] == stamps[old]
    assert kit.embedder.embedded_texts == embedded
    assert not list(kit.index.stamps(old))
    assert _reconcile(kit, repair=False).problems == []


def test_reindex_when_model_changes_then_all_vectors_are_of_the_new_one(kit: Kit, tmp_path: Path) -> None:
    """Another model gives other points; afterwards the import goes on with it."""
    old = kit.stamps()
    kit.embedder = FakeEmbedder(name="other", dimension=16)
    report = _reindex(kit)
    assert report.checked == kit.embedder.embedded_texts
    assert not set(kit.stamps()[_index_name(kit)]) & set(old.popitem()[1])
    assert _reconcile(kit, repair=False).problems == []
    assert _verify(kit).problems == []
    (tmp_path / "texte" / "neu.txt").write_text(a_text("Neues"))
    assert kit.run(tmp_path / "texte")[-1].status is VersionStatus.INDEXED
    assert _reconcile(kit, repair=False).problems == []


def test_reindex_when_chunk_sizes_change_then_new_chunks_in_force_and_old_ones_kept(kit: Kit) -> None:
    """Old chunks stay, superseded; only visible versions are chunked anew; all criteria hold."""
    before = {row[1] for row in kit.rows()["chunks"]}
    kit.settings = replace(kit.settings, chunks=replace(SMALL, max_tokens=80))
    assert _reindex(kit).ok
    with kit.database.read() as unit:
        for version_id in unit.documents.live_versions(None, None, 100):
            for chunk in unit.chunks.stored(version_id):
                assert chunk.superseded == (chunk.chunker != kit.settings.chunker)
                assert chunk.superseded or chunk.status is WorkStatus.INDEXED
    assert before < {row[1] for row in kit.rows()["chunks"]}
    assert _reconcile(kit, repair=False).problems == []
    assert _verify(kit).problems == []


def test_reindex_when_window_size_changes_then_windows_are_cut_anew(kit: Kit) -> None:
    """Another size of windows gives other texts for the same chunks."""
    before = len(kit.stamps()[_index_name(kit)])
    kit.settings = replace(kit.settings, max_embed_chars=120)
    assert _reindex(kit).checked > before
    assert _reconcile(kit, repair=False).problems == []
    assert _verify(kit).problems == []


def test_reindex_when_the_index_fails_then_the_old_one_stays_and_a_retry_succeeds(kit: Kit) -> None:
    """A rebuild that breaks off changes nothing for queries and leaves nothing after `reconcile`."""
    assert isinstance(kit.index, FlakyIndex)
    stamps = kit.stamps()
    kit.settings = replace(kit.settings, chunks=replace(SMALL, max_tokens=80))
    kit.index.is_up = False
    with pytest.raises(ServiceError):
        _reindex(kit)
    kit.index.is_up = True
    assert kit.stamps() == stamps
    assert _reconcile(kit, repair=False).problems == []
    assert _verify(kit).problems == []
    assert _reconcile(kit, repair=True).ok
    assert set(kit.index._indexes) == set(stamps)
    assert _reindex(kit).ok
    assert set(kit.index._indexes) == set(kit.stamps())


def test_reindex_when_a_version_is_unfinished_then_resume_puts_it_into_the_new_index(
    kit: Kit, tmp_path: Path
) -> None:
    """A version that waits while the index is rebuilt is indexed afterwards like any other."""
    (tmp_path / "texte" / "neu.txt").write_text(a_text("Neues"))
    kit.run(tmp_path / "texte" / "neu.txt", until=VersionStatus.CHUNKED)
    kit.settings = replace(kit.settings, chunks=replace(SMALL, max_tokens=80))
    _reindex(kit)
    assert [r.status for r in resume(ResumeRequest(), tools=kit.tools)] == [VersionStatus.INDEXED]
    assert _reconcile(kit, repair=False).problems == []
    assert _verify(kit).problems == []


@pytest.mark.parametrize(
    ("damage", "criterion"),
    [
        ("UPDATE document_pages SET content = content || 'x' WHERE page_number = 1", "pages_join_to_text"),
        ("UPDATE document_pages SET char_start = char_start + 1 WHERE page_number = 2", "pages_in_order"),
        ("DELETE FROM document_pages WHERE page_number = 1", "pages_in_order"),
        ("UPDATE document_pages SET raw_content = ''", "pages_offset_map"),
        ("UPDATE sections SET char_end = char_end - 1 WHERE ordinal = 0", "sections_tile"),
        ("UPDATE sections SET parent_id = NULL", "sections_tree"),
        ("UPDATE chunks SET content = replace(content, 'Frist', 'Fritz')", "chunks_content"),
        ("UPDATE chunks SET text_hash = 'x'", "chunks_text_hash"),
        ("UPDATE chunks SET token_count = token_count + 1", "chunks_token_count"),
        ("UPDATE chunks SET page_last = page_last + 1", "chunks_pages"),
        ("UPDATE chunks SET status = 'pending'", "statuses_agree"),
        ("UPDATE chunks SET superseded = 1", "versions_have_chunks"),
        ("UPDATE windows SET char_end = char_start + 1", "windows_cover_chunk"),
        ("UPDATE windows SET status = 'pending'", "statuses_agree"),
        ("UPDATE windows SET qdrant_id = 'x' || qdrant_id", "points_ids"),
        ("DELETE FROM windows WHERE window_index = 0", "windows_cover_chunk"),
        ("DELETE FROM embeddings", "points_have_vectors"),
        ("UPDATE documents SET status = 'pending'", "statuses_agree"),
        ("UPDATE documents SET current_version_id = 'ver_x'", "current_version_indexed"),
        ("UPDATE document_versions SET ordinal = 1", "versions_in_order"),
        ("UPDATE document_versions SET status = 'failed', failure = NULL", "failures_explained"),
        ("UPDATE document_versions SET content_hash = 'x' || content_hash", "bytes_kept"),
    ],
)
def test_verify_when_stored_rows_were_damaged_then_the_criterion_is_named(
    kit: Kit, damage: str, criterion: str
) -> None:
    """Each kind of damage is found by the criterion that guards against it."""
    assert _verify(kit).problems == []
    with _engine(kit).begin() as connection:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        assert connection.execute(text(damage)).rowcount > 0
    report = _verify(kit)
    assert not report.ok
    assert criterion in {problem.criterion for problem in report.problems}


def test_verify_when_original_bytes_changed_then_named(kit: Kit, tmp_path: Path) -> None:
    """A changed or missing original is found."""
    first, second = sorted(p for p in (tmp_path / "home" / "blobs").rglob("*") if p.is_file())[:2]
    first.write_bytes(b"anders")
    second.unlink()
    found = [problem.criterion for problem in _verify(kit).problems]
    assert found == ["bytes_kept", "bytes_kept"]


def test_find_document_when_prefix_is_given_then_unique_or_refused(kit: Kit) -> None:
    """The beginning of an id is enough where it is unique, with or without `doc_`."""
    ids = [s.document.document_id for s in list_documents(database=kit.database)]
    for given in (ids[0], ids[0][:16], ids[0][4:16]):
        assert find_document(given, database=kit.database).document.document_id == ids[0]
    with pytest.raises(NotFoundError):
        find_document("doc_zzz", database=kit.database)
    for given in ("", "doc_"):
        with pytest.raises(NotFoundError):
            find_document(given, database=kit.database)
    common = {document_id[4] for document_id in ids}
    if len(common) < len(ids):
        twice = next(c for c in common if sum(d[4] == c for d in ids) > 1)
        with pytest.raises(UsageError, match="several"):
            find_document(twice, database=kit.database)


def test_list_documents_when_limited_then_pages_join(kit: Kit) -> None:
    """A list can be read in parts, and in all."""
    whole = [s.document.document_id for s in list_documents(database=kit.database)]
    first = [s.document.document_id for s in list_documents("standard", database=kit.database, limit=2)]
    rest = [s.document.document_id for s in list_documents(database=kit.database, after=first[-1])]
    assert first + rest == whole
    with pytest.raises(NotFoundError):
        list(list_documents("fremd", database=kit.database))


def test_read_page_when_page_is_missing_then_not_found(kit: Kit) -> None:
    """A page number beyond the text is said so."""
    version_id = shown_version(find_document(_document(kit, 0), database=kit.database))
    assert read_page(version_id, 2, database=kit.database).page_number == 2
    with pytest.raises(NotFoundError):
        read_page(version_id, 3, database=kit.database)


def test_restore_when_the_newest_version_was_unreadable_then_the_one_that_counted_is_back(kit: Kit) -> None:
    """Withdrawing and restoring a document changes nothing for queries, whatever failed after it."""
    document_id = _document(kit, 2)
    with kit.database.read() as unit:
        stored = unit.documents.find(document_id)
    assert stored is not None
    file = Path(stored.source_path.removeprefix("path:"))
    file.write_bytes(b"")
    kit.run(file)
    _withdraw(kit, document_id)
    result = restore(document_id, tools=kit.tools)
    assert (result.status, result.error) == (VersionStatus.INDEXED, None)
    with kit.database.read() as unit:
        restored = unit.documents.find(document_id)
    assert restored is not None
    assert restored.current_version_id == stored.current_version_id
    assert _verify(kit).ok
    assert _reconcile(kit, repair=False).ok
