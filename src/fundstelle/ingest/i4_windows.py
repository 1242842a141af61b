"""Phase I4, first step: plan the windows of a version's chunks for the model that embeds.

One transaction. The texts to embed are not stored, because they follow from the chunks; planning
again gives the same windows, and those that stand already keep their status.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fundstelle.domain.documents import Chunk, Window
from fundstelle.domain.errors import CriterionError
from fundstelle.domain.identity import PointId, TextHash, VersionId, point_id, text_hash
from fundstelle.ingest.criteria_i4 import check_windows
from fundstelle.ingest.tools import ImportSettings, ImportTools, IndexTools
from fundstelle.ingest.windows import cut_windows
from fundstelle.ports.records import Event, WindowRecord, WorkStatus
from fundstelle.ports.storing import UnitOfWork


@dataclass(frozen=True, slots=True)
class PendingText:
    """Hold a text that has no vector yet."""

    text_hash: TextHash
    text: str
    pieces: int


@dataclass(frozen=True, slots=True)
class WindowPlan:
    """Hold what a version still needs.

    Args:
        texts: Distinct texts without a vector, in order.
        vanished: Points that an earlier plan had put into the index and this one has not.
    """

    version_id: VersionId
    windows: int
    texts: tuple[PendingText, ...]
    vanished: tuple[PointId, ...] = ()


def plan_windows(
    version_id: VersionId, tools: ImportTools, indexing: IndexTools, chunker: str | None = None
) -> WindowPlan:
    """Cut the chunks of a version into windows and store them, unless they stand already.

    Args:
        chunker: The chunks to take; those in force when None.

    Raises:
        CriterionError: The windows do not hold what they must; nothing is stored.
    """
    chunker = chunker or tools.settings.chunker
    model_id = indexing.model_id
    with tools.database.read() as unit:
        chunks = tuple(unit.chunks.of_version(version_id, chunker))
        stored = unit.windows.of_version(version_id, model_id, chunker)
    planned: list[WindowRecord] = []
    texts: dict[TextHash, PendingText] = {}
    for chunk, window in _cut(chunks, tools.settings, indexing):
        record = _record(chunk, window, indexing)
        planned.append(record)
        texts.setdefault(record.text_hash, PendingText(record.text_hash, window.text, window.pieces))
    if list(map(_without_status, stored)) != planned or not planned:
        _store(version_id, chunker, chunks, planned, tools, indexing)
    with tools.database.read() as unit:
        known = unit.embeddings.known(model_id, list(texts))
    return WindowPlan(
        version_id=version_id,
        windows=len(planned),
        texts=tuple(text for key, text in texts.items() if key not in known),
        vanished=_vanished(stored, planned),
    )


def _cut(
    chunks: Sequence[Chunk], settings: ImportSettings, indexing: IndexTools
) -> Iterator[tuple[Chunk, Window]]:
    embedder = indexing.embedder
    max_pieces = embedder.identity.max_pieces
    for chunk in chunks:
        header = chunk.heading_path if settings.headed else ""
        windows = cut_windows(
            chunk.content, header, settings.max_embed_chars, max_pieces, embedder.count_pieces
        )
        problems = check_windows(chunk, windows, settings.max_embed_chars, max_pieces)
        if problems:
            raise CriterionError("I4", problems[0].criterion, f"{problems[0].id}: {problems[0].detail}")
        for window in windows:
            yield chunk, window


def _record(chunk: Chunk, window: Window, indexing: IndexTools) -> WindowRecord:
    return WindowRecord(
        chunk_id=chunk.chunk_id,
        window_index=window.window_index,
        char_start=window.char_start,
        char_end=window.char_end,
        text_hash=text_hash(window.text),
        pieces=window.pieces,
        point_id=point_id(chunk.chunk_id, window.window_index, indexing.model_id),
        status=WorkStatus.PENDING,
    )


def _store(
    version_id: VersionId,
    chunker: str,
    chunks: Sequence[Chunk],
    planned: Sequence[WindowRecord],
    tools: ImportTools,
    indexing: IndexTools,
) -> None:
    with tools.database.write() as unit:
        unit.embeddings.register(indexing.embedder.identity)
        unit.windows.plan(version_id, indexing.model_id, chunker, planned)
        _record_skipped(unit, chunks, planned)
        unit.commit()


def _record_skipped(unit: UnitOfWork, chunks: Sequence[Chunk], planned: Sequence[WindowRecord]) -> None:
    """Record once that a chunk has no vector, because it holds neither letter nor digit."""
    embedded = {window.chunk_id for window in planned}
    for chunk in chunks:
        if chunk.chunk_id not in embedded and not unit.events.of(chunk.chunk_id):
            detail = f"Nothing to embed: the chunk holds no letter and no digit ({chunk.content[:40]!r})."
            unit.events.record([Event("skipped", chunk.chunk_id, detail)])


def _without_status(window: WindowRecord) -> WindowRecord:
    return replace(window, status=WorkStatus.PENDING)


def _vanished(stored: Sequence[WindowRecord], planned: Sequence[WindowRecord]) -> tuple[PointId, ...]:
    kept = {window.point_id for window in planned}
    in_index = (WorkStatus.INDEXED, WorkStatus.REMOVING)
    return tuple(w.point_id for w in stored if w.status in in_index and w.point_id not in kept)
