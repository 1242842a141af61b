"""The canonical store keeps what it is given, in order, and takes back what was not committed."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.adapters.sql.engine import open_database
from fundstelle.adapters.sql.packing import pack_boxes, unpack_boxes
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.domain.documents import (
    Chunk,
    LineBox,
    Mark,
    MarkKind,
    PageQuality,
    PageText,
    RecognisedBy,
    Section,
    SemanticRole,
    Verdict,
    VersionStatus,
)
from fundstelle.domain.errors import NotFoundError
from fundstelle.domain.identity import (
    ChunkId,
    ModelId,
    PointId,
    SectionId,
    TextHash,
    VersionId,
    collection_id,
    content_hash,
    document_id,
    version_id,
)
from fundstelle.domain.offsets import OffsetMap, Run
from fundstelle.ports.embedding import ModelIdentity
from fundstelle.ports.records import (
    CollectionRecord,
    DocumentRecord,
    Event,
    VersionRecord,
    WindowRecord,
    WorkStatus,
)

COLLECTION = CollectionRecord(collection_id("standard"), "standard", "Standard", "Alles")
MODEL = ModelIdentity("testing", "fake", "", 4, True, "", "", 512)
CHUNKER = "1/o200k_base/500-800/50-100"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqlDatabase]:
    """Give an empty store whose clock goes on by a second at each look."""
    ticks = iter(range(1_000_000))
    start = datetime(2026, 1, 1, tzinfo=UTC)
    store = SqlDatabase(open_database(tmp_path), lambda: start + timedelta(seconds=next(ticks)))
    with store.write() as unit:
        unit.collections.add(COLLECTION)
        unit.embeddings.register(MODEL)
        unit.commit()
    yield store
    store.close()


def a_document(name: str = "a.pdf", status: VersionStatus = VersionStatus.PENDING) -> DocumentRecord:
    """Make a document of the collection."""
    key = f"path:/texte/{name}"
    return DocumentRecord(
        document_id(COLLECTION.collection_id, key),
        COLLECTION.collection_id,
        name,
        key,
        f"Titel von {name}",
        None,
        "de",
        None,
        status,
    )


def a_version(document: DocumentRecord, data: bytes = b"eins", ordinal: int = 1) -> VersionRecord:
    """Make a version of a document."""
    content = content_hash(data)
    return VersionRecord(
        version_id(document.document_id, content),
        document.document_id,
        content,
        ordinal,
        "application/pdf",
        len(data),
        2,
        VersionStatus.PENDING,
        Verdict.OK,
        title=document.title,
        metadata={"created_at": "2020"},
    )


PAGES = (
    PageText(
        1,
        "iv",
        "Erste Seite über ",
        "Erste Seite\r\nüber",
        OffsetMap((Run(0, 11, 0, 11), Run(12, 16, 13, 17))),
        (LineBox(0, 11, 72.5, 100.25, 300.07, 112.0), LineBox(12, 16, -3.5, 0.0, 1.0, 2.0)),
        PageQuality.GOOD,
        "",
        (Mark(MarkKind.HEADER, 0, 3, "kehrt wieder"),),
        595.28,
        841.89,
    ),
    PageText(
        2, None, "zwei.\n\n", "zwei.", OffsetMap.identity(5), quality=PageQuality.GARBLED, from_ocr=True
    ),
)


def sections_of(version: VersionRecord) -> tuple[Section, ...]:
    """Make two sections, the second a child of the first."""
    first, second = SectionId(f"sec_{version.version_id}_1"), SectionId(f"sec_{version.version_id}_2")
    return (
        Section(first, None, 0, "1", 1, "Eins", "Eins", 0, 5, 17, 1, 1, RecognisedBy.FONT),
        Section(second, first, 1, "1.1", 2, "Zwei", "Eins > Zwei", 17, 17, 24, 2, 2, RecognisedBy.OUTLINE),
    )


def chunks_of(version: VersionRecord, prefix: str = "chk") -> tuple[Chunk, ...]:
    """Make two chunks, one for each section."""
    first, second = sections_of(version)
    return (
        Chunk(
            ChunkId(f"{prefix}_1"),
            first.section_id,
            0,
            "Erste Seite über",
            4,
            "Eins",
            SemanticRole.PROSE,
            0,
            16,
            1,
            1,
        ),
        Chunk(
            ChunkId(f"{prefix}_2"),
            second.section_id,
            1,
            "Kopf\nzwei.",
            5,
            "Eins > Zwei",
            SemanticRole.OTHER,
            17,
            22,
            2,
            2,
            (0, 4),
            True,
        ),
    )


def windows_of(prefix: str = "chk", status: WorkStatus = WorkStatus.PENDING) -> tuple[WindowRecord, ...]:
    """Make three windows, two of the first chunk."""
    return tuple(
        WindowRecord(
            ChunkId(f"{prefix}_{chunk}"),
            index,
            start,
            end,
            TextHash(f"hash-{prefix}-{chunk}-{index}"),
            7,
            PointId(f"point-{prefix}-{chunk}-{index}"),
            status,
        )
        for chunk, index, start, end in ((1, 0, 0, 5), (1, 1, 5, 16), (2, 0, 0, 10))
    )


def store_version(
    database: SqlDatabase,
    document: DocumentRecord,
    version: VersionRecord,
    *,
    live: bool = False,
    window_status: WorkStatus = WorkStatus.PENDING,
    prefix: str = "chk",
) -> None:
    """Store a document with a version down to its windows."""
    if live:
        version = replace(version, status=VersionStatus.INDEXED, chunker=CHUNKER)
        document = replace(document, current_version_id=version.version_id, status=VersionStatus.INDEXED)
    with database.write() as unit:
        unit.documents.save(document)
        unit.versions.save(version)
        unit.texts.write(version, PAGES, sections_of(version))
        unit.chunks.write(version, chunks_of(version, prefix), CHUNKER)
        unit.windows.plan(version.version_id, MODEL.model_id, CHUNKER, windows_of(prefix, window_status))
        unit.commit()


def test_unit_when_left_without_commit_then_nothing_is_stored(database: SqlDatabase) -> None:
    """Leaving a unit of work without commit takes everything back."""
    with database.write() as unit:
        unit.documents.save(a_document())
    with database.read() as unit:
        assert unit.documents.find(a_document().document_id) is None


def test_unit_when_an_error_passes_then_nothing_is_stored(database: SqlDatabase) -> None:
    """An error takes everything back, and the store can be used afterwards."""

    def fail() -> None:
        with database.write() as unit:
            unit.documents.save(a_document())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    with database.write() as unit:
        assert unit.documents.find(a_document().document_id) is None
        unit.documents.save(a_document())
        unit.commit()


def test_read_when_a_writer_works_then_it_sees_the_state_before(database: SqlDatabase) -> None:
    """A reading unit waits for no writer and sees one consistent state."""
    with database.write() as writer:
        writer.documents.save(a_document())
        with database.read() as reader:
            assert reader.documents.find(a_document().document_id) is None
            writer.commit()
            assert reader.documents.find(a_document().document_id) is None
    with database.read() as reader:
        assert reader.documents.find(a_document().document_id) == a_document()


def test_collection_when_added_twice_then_the_first_stays(database: SqlDatabase) -> None:
    """Adding a collection is idempotent; its index is set on its own."""
    with database.write(durable=True) as unit:
        unit.collections.add(replace(COLLECTION, title="Anders"))
        unit.collections.use_index(COLLECTION.collection_id, "idx", MODEL.model_id)
        unit.commit()
    expected = replace(COLLECTION, index_name="idx", model_id=MODEL.model_id)
    with database.read() as unit:
        assert unit.collections.by_name("standard") == expected
        assert unit.collections.get(COLLECTION.collection_id) == expected
        assert unit.collections.all() == (expected,)
        assert unit.collections.by_name("andere") is None
        with pytest.raises(NotFoundError):
            unit.collections.get(collection_id("andere"))


def test_texts_when_written_then_read_back_as_they_were(database: SqlDatabase) -> None:
    """Pages with maps, boxes and marks, sections and chunks come back equal and in order."""
    document = a_document()
    version = a_version(document)
    store_version(database, document, version)
    with database.read() as unit:
        assert tuple(unit.texts.pages(version.version_id)) == PAGES
        assert tuple(unit.texts.pages(version.version_id, 2, 2)) == PAGES[1:]
        text = unit.texts.text(version.version_id, version.content_hash)
        assert text.text == "Erste Seite über zwei.\n\n"
        assert list(text.page_starts) == [0, 17]
        assert unit.texts.sections(version.version_id) == sections_of(version)
        assert tuple(unit.chunks.of_version(version.version_id)) == chunks_of(version)
        assert unit.windows.of_version(version.version_id, MODEL.model_id, CHUNKER) == windows_of()
        assert unit.versions.find(version.version_id) == version


def test_texts_when_written_again_then_replaced(database: SqlDatabase) -> None:
    """Writing a version again leaves no row of the first time."""
    document = a_document()
    version = a_version(document)
    store_version(database, document, version)
    with database.write() as unit:
        unit.texts.write(version, PAGES[:1], sections_of(version)[:1])
        unit.commit()
        counts = None
    with database.read() as unit:
        counts = unit.versions.counts(version.version_id)
    assert (counts.pages, counts.sections, counts.chunks, counts.windows) == (1, 1, 2, 3)


def test_chunks_when_another_chunker_writes_then_the_old_are_superseded(database: SqlDatabase) -> None:
    """Chunks are never deleted; those of an earlier chunker leave the index."""
    document = a_document()
    version = a_version(document)
    store_version(database, document, version, live=True, window_status=WorkStatus.INDEXED)
    with database.write() as unit:
        unit.chunks.write(version, chunks_of(version, "new"), "2", in_force=False)
        assert tuple(unit.chunks.of_version(version.version_id)) == chunks_of(version)
        assert tuple(unit.chunks.of_version(version.version_id, "2")) == chunks_of(version, "new")
        unit.chunks.put_in_force(version.version_id, "2")
        unit.commit()
    with database.read() as unit:
        assert tuple(unit.chunks.of_version(version.version_id)) == chunks_of(version, "new")
        stored = list(unit.chunks.stored(version.version_id))
        assert [(chunk.chunk_id, chunk.superseded) for chunk in stored] == [
            ("chk_1", True),
            ("chk_2", True),
            ("new_1", False),
            ("new_2", False),
        ]
        assert len(unit.removals.points(version.version_id)) == 3
        assert unit.removals.versions(10) == [(COLLECTION.collection_id, version.version_id)]


def test_settle_when_windows_are_indexed_then_chunks_follow(database: SqlDatabase) -> None:
    """A chunk is indexed when all its windows are, skipped when it has none."""
    document = a_document()
    version = a_version(document)
    store_version(database, document, version)
    key = version.version_id
    with database.write() as unit:
        unit.windows.plan(key, MODEL.model_id, CHUNKER, windows_of()[:2])
        unit.windows.mark(key, [windows_of()[0].point_id], WorkStatus.INDEXED)
        unit.chunks.settle(key, MODEL.model_id)
        assert [c.status for c in unit.chunks.stored(key)] == [WorkStatus.PENDING, WorkStatus.SKIPPED]
        unit.windows.mark(key, [windows_of()[1].point_id], WorkStatus.INDEXED)
        unit.chunks.settle(key, MODEL.model_id)
        assert [c.status for c in unit.chunks.stored(key)] == [WorkStatus.INDEXED, WorkStatus.SKIPPED]


def test_projected_when_read_then_content_is_the_windows_slice(database: SqlDatabase) -> None:
    """A projected window holds its slice of the chunk, its heading path and its title."""
    document = a_document()
    version = a_version(document)
    store_version(database, document, version)
    with database.read() as unit:
        found = list(
            unit.windows.projected(version.version_id, MODEL.model_id, CHUNKER, [WorkStatus.PENDING])
        )
        assert not list(
            unit.windows.projected(version.version_id, MODEL.model_id, CHUNKER, [WorkStatus.INDEXED])
        )
    assert [window.content for window in found] == ["Erste", " Seite über", "Kopf\nzwei."]
    assert found[2].heading_path == "Eins > Zwei"
    assert {window.document_title for window in found} == {document.title}


def test_embeddings_when_added_twice_then_the_first_stay(database: SqlDatabase) -> None:
    """Vectors come back bit for bit; what is known is not replaced."""
    texts = [TextHash(f"t{number}") for number in range(1200)]
    vectors = np.random.default_rng(1).normal(size=(1200, 4)).astype(np.float32)
    with database.write() as unit:
        unit.embeddings.add(MODEL.model_id, texts, vectors, [3] * 1200)
        unit.embeddings.add(MODEL.model_id, texts[:1], -vectors[:1], [3])
        unit.commit()
    with database.read() as unit:
        assert unit.embeddings.known(MODEL.model_id, [*texts, TextHash("fremd")]) == frozenset(texts)
        assert unit.embeddings.known(ModelId("mod_other"), texts) == frozenset()
        found = unit.embeddings.fetch(MODEL.model_id, texts)
    assert np.array_equal(np.array([found[text] for text in texts]), vectors)


def test_with_content_when_withdrawn_or_not_newest_then_not_found(database: SqlDatabase) -> None:
    """Only the newest version of a document that is not withdrawn counts as the same content."""
    document = a_document()
    version = a_version(document)
    store_version(database, document, version)
    key = COLLECTION.collection_id
    with database.write() as unit:
        assert unit.documents.with_content(key, version.content_hash) == document
        assert unit.documents.with_content(collection_id("andere"), version.content_hash) is None
        unit.versions.save(a_version(document, b"zwei", 2))
        assert unit.documents.with_content(key, version.content_hash) is None
        unit.versions.save(replace(version, ordinal=3))
        unit.documents.save(replace(document, withdrawn_at=datetime(2026, 1, 2, tzinfo=UTC)))
        assert unit.documents.with_content(key, version.content_hash) is None


def test_with_status_when_paged_then_newest_versions_by_id(database: SqlDatabase) -> None:
    """Unfinished versions are the newest of documents that are not withdrawn, once each, in order."""
    for number in range(7):
        document = a_document(f"{number}.pdf")
        store_version(database, document, a_version(document), prefix=f"c{number}")
    outdated, withdrawn = a_document("0.pdf"), a_document("1.pdf")
    newer = a_version(outdated, b"neu", 2)
    with database.write() as unit:
        unit.versions.save(newer)
        unit.documents.save(replace(withdrawn, withdrawn_at=datetime(2026, 1, 2, tzinfo=UTC)))
        unit.commit()
    found: list[VersionId] = []
    with database.read() as unit:
        while batch := unit.versions.with_status(
            [VersionStatus.PENDING], COLLECTION.collection_id, found[-1] if found else None, 2
        ):
            found.extend(batch)
    expected = [a_version(a_document(f"{number}.pdf")).version_id for number in range(2, 7)]
    assert found == sorted([*expected, newer.version_id])


def test_projection_when_documents_share_content_then_one_point_is_wanted(database: SqlDatabase) -> None:
    """A point is wanted while any live version needs it, and counts once."""
    first, second = a_document("a.pdf"), a_document("b.pdf")
    for document in (first, second):
        store_version(
            database,
            document,
            a_version(document),
            live=True,
            window_status=WorkStatus.INDEXED,
            prefix="same",
        )
    points = [window.point_id for window in windows_of("same")]
    key, model = COLLECTION.collection_id, MODEL.model_id
    stamps = {window.point_id: window.text_hash for window in windows_of("same")}
    with database.write() as unit:
        assert unit.projection.count(key, model) == 3
        withdrawn_at = datetime(2026, 1, 2, tzinfo=UTC)
        live = replace(first, current_version_id=a_version(first).version_id)
        unit.documents.save(replace(live, withdrawn_at=withdrawn_at))
        assert unit.projection.wanted(key, model, [*points, PointId("fremd")]) == stamps
        assert {v for _, _, v in unit.projection.wanted_range(key, model, "", "~", 9)} == {
            a_version(second).version_id
        }
        assert [p for p, _, _ in unit.projection.wanted_range(key, model, points[0], "~", 9)] == points[1:]
        other = replace(second, current_version_id=a_version(second).version_id)
        unit.documents.save(replace(other, withdrawn_at=withdrawn_at))
        assert unit.projection.wanted(key, model, points) == {}
        assert unit.projection.count(key, model) == 0


def test_projection_when_version_is_on_its_way_then_its_indexed_windows_are_wanted(
    database: SqlDatabase,
) -> None:
    """Points of a version that is being indexed belong into the index, pending ones not yet."""
    document = a_document()
    version = replace(a_version(document), status=VersionStatus.CHUNKED)
    store_version(database, document, version)
    points = [window.point_id for window in windows_of()]
    with database.write() as unit:
        unit.windows.mark(version.version_id, points[:1], WorkStatus.INDEXED)
        found = unit.projection.wanted(COLLECTION.collection_id, MODEL.model_id, points)
        assert set(found) == set(points[:1])
        unit.windows.mark_all([version.version_id], WorkStatus.INDEXED, WorkStatus.REMOVING)
        assert not unit.projection.wanted(COLLECTION.collection_id, MODEL.model_id, points)


def test_listing_when_paged_then_every_document_once_in_order_of_import(database: SqlDatabase) -> None:
    """Lists go page by page through all documents, with the counts of their newest version."""
    names = [f"{number}.pdf" for number in range(5)]
    for name in names:
        document = a_document(name)
        store_version(database, document, a_version(document), prefix=name)
    seen: list[str] = []
    last = None
    with database.read() as unit:
        assert unit.listing.count(COLLECTION.collection_id) == unit.listing.count(None) == 5
        while batch := unit.listing.page(COLLECTION.collection_id, last, 2):
            seen.extend(summary.document.filename for summary in batch)
            last = batch[-1].document.document_id
        one = unit.listing.of(a_document("3.pdf").document_id)
        assert unit.listing.page(collection_id("andere"), None, 9) == ()
        assert unit.listing.of(document_id(COLLECTION.collection_id, "path:nichts")) is None
    assert seen == names
    assert one is not None
    assert one.collection == "standard"
    assert one.version == a_version(a_document("3.pdf"))
    assert (one.counts.pages, one.counts.chunks, one.counts.windows) == (2, 2, 3)


def test_by_prefix_when_prefix_holds_wildcards_then_taken_literally(database: SqlDatabase) -> None:
    """A prefix finds ids that begin so; `_` and `%` stand for themselves."""
    document = a_document()
    store_version(database, document, a_version(document))
    with database.read() as unit:
        assert unit.documents.by_prefix(document.document_id[:9], 5) == (document.document_id,)
        assert unit.documents.by_prefix("%", 5) == ()
        assert unit.documents.by_prefix("docX", 5) == ()


def test_live_versions_when_paged_then_those_that_queries_see(database: SqlDatabase) -> None:
    """Only current versions of documents that are not withdrawn are live."""
    live, waiting = a_document("a.pdf"), a_document("b.pdf")
    store_version(database, live, a_version(live), live=True)
    store_version(database, waiting, a_version(waiting), prefix="b")
    with database.read() as unit:
        assert unit.documents.live_versions(None, None, 9) == (a_version(live).version_id,)
        assert unit.documents.live_versions(None, a_version(live).version_id, 9) == ()


def test_events_when_recorded_then_read_in_order(database: SqlDatabase) -> None:
    """Events of a subject come back in the order they happened."""
    events = [Event("skipped", "chk_1", "nichts"), Event("withdrawn", "doc_1", ""), Event("x", "chk_1", "y")]
    with database.write() as unit:
        unit.events.record(events)
        unit.commit()
    with database.read() as unit:
        assert unit.events.of("chk_1") == (events[0], events[2])


_HUNDREDTHS = st.integers(-200_000, 200_000).map(lambda value: value / 100)


@given(st.lists(st.builds(LineBox, *[st.integers(0, 10**6)] * 2, *[_HUNDREDTHS] * 4), max_size=20))
def test_boxes_when_packed_then_unpacked_exactly(boxes: list[LineBox]) -> None:
    """Packing keeps coordinates to the hundredth of a point."""
    assert unpack_boxes(pack_boxes(boxes)) == tuple(boxes)


@pytest.mark.parametrize("far", [1e9, -1e9, float("inf"), float("-inf"), float("nan")])
def test_boxes_when_a_damaged_file_gives_impossible_places_then_they_are_kept_as_far_as_can_be(
    far: float,
) -> None:
    """A box that lies on no page costs its place, and never the document."""
    (box,) = unpack_boxes(pack_boxes([LineBox(3, 9, far, 1.5, 2.5, far)]))
    assert (box.char_start, box.char_end, box.y0, box.x1) == (3, 9, 1.5, 2.5)
    assert abs(box.x0) == abs(box.y1) == (2**31 - 1) / 100
