"""Make good what happened to an index between two runs: a folder deleted, damaged, or left half removed.

The index is a projection of SQL: what is missing is written again from the vectors kept in SQL, never
by embedding, and an event says so.
"""

from collections.abc import Iterator
from itertools import islice

from fundstelle.domain.documents import VersionStatus
from fundstelle.domain.errors import ModelMismatchError, ServiceError
from fundstelle.domain.identity import CollectionId, VersionId
from fundstelle.ingest.i5_index import POINTS_AT_ONCE, Target, target_of, write_points
from fundstelle.ingest.tools import IndexTools
from fundstelle.ports.records import CollectionRecord, Event, WorkStatus
from fundstelle.ports.storing import Database

VERSIONS_AT_ONCE = 5_000


def check_model(collection: CollectionRecord, indexing: IndexTools) -> None:
    """Demand that a collection's index was built with the model that embeds now.

    Raises:
        ModelMismatchError: It was built with another.
    """
    if collection.model_id not in (None, indexing.model_id):
        name = indexing.embedder.identity.name
        raise ModelMismatchError(
            f"The collection '{collection.name}' was indexed with another model than {name}.",
            "Run `fundstelle reindex` to index it anew, or set the embedder it was made with.",
        )


def recover_index(collection: CollectionRecord, database: Database, indexing: IndexTools) -> int:
    """Write the index of a collection again when it is gone or damaged.

    Returns:
        How many points were written; 0 when the index was all right.

    Raises:
        ServiceError: The index does not answer.
    """
    target = target_of(collection, indexing.model_id)
    reason = _what_is_wrong(target.index_name, indexing)
    with database.read() as unit:
        wanted = unit.projection.count(collection.collection_id, indexing.model_id) if reason else 0
    if not reason or not wanted:
        return 0
    indexing.index.drop(target.index_name)
    written = rewrite(target, database, indexing)
    with database.write() as unit:
        detail = f"{reason} {written} points were written again from the database."
        unit.events.record([Event("rebuilt", target.index_name, detail)])
        unit.commit()
    return written


def _what_is_wrong(index_name: str, indexing: IndexTools) -> str:
    try:
        first = next(iter(indexing.index.stamps(index_name)), None)
        return "" if first else "The index was missing."
    except ModelMismatchError:
        raise
    except ServiceError as error:
        return f"The index could not be read ({error.message})."


def rewrite(target: Target, database: Database, indexing: IndexTools) -> int:
    """Write all points into an index that SQL says it holds.

    Returns:
        How many points were written; a point that several versions share counts once for each.
    """
    indexing.index.ensure(target.index_name, indexing.embedder.identity.dimension)
    written = 0
    for version_id in versions_in_index(target.collection.collection_id, database):
        with database.read() as unit:
            version = unit.versions.find(version_id)
            chunker = (version.chunker if version else None) or ""
            windows = unit.windows.projected(version_id, indexing.model_id, chunker, (WorkStatus.INDEXED,))
            while batch := list(islice(windows, POINTS_AT_ONCE)):
                write_points(target, batch, database, indexing)
                written += len(batch)
    return written


def versions_in_index(collection_id: CollectionId, database: Database) -> Iterator[VersionId]:
    """Go through the versions that queries see, and those on their way there."""
    after: VersionId | None = None
    while True:
        with database.read() as unit:
            batch = unit.documents.live_versions(collection_id, after, VERSIONS_AT_ONCE)
        yield from batch
        if not batch:
            break
        after = batch[-1]
    after = None
    while True:
        with database.read() as unit:
            batch = unit.versions.with_status([VersionStatus.CHUNKED], collection_id, after, VERSIONS_AT_ONCE)
        yield from batch
        if not batch:
            return
        after = batch[-1]
