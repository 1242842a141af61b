"""Make, open, tend and remove single Qdrant Edge shards; translate the engine's failures.

The engine raises bare `Exception` and, on damaged files, Rust panics. `translated` is the one place
where they become errors of this system.
"""

import contextlib
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import qdrant_edge as edge

from fundstelle.domain.errors import BusyError, ServiceError, StorageError

DENSE = "dense"
SPARSE = "bm25"
SEARCH_EF = 128

_HNSW_LINKS = 16
_HNSW_BUILD_EF = 100
_FULL_SCAN_KB = 10_000
_SEGMENTS = 4
_CONFIG_FILE = "edge_config.json"
_REBUILD = "Run `fundstelle reindex` to build the index again from the database; nothing is lost."


def path_of(folder: Path, index: str) -> Path:
    """Name the folder of an index: readable, safe on every file system, different for different names."""
    readable = re.sub(r"[^a-z0-9_-]+", "-", index.lower())[:60]
    return folder / f"{readable}-{hashlib.sha256(index.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def create(path: Path, index: str, dimension: int, graph_from_kb: int) -> None:
    """Make an empty shard; a crash on the way leaves no half shard under its name."""
    unfinished = path.with_name(f".new-{path.name}")
    with translated(index):
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        edge.EdgeShard.create(str(unfinished), _config(dimension, graph_from_kb)).close()
        unfinished.rename(path)


def load(path: Path, index: str) -> edge.EdgeShard:
    """Open a shard.

    Raises:
        BusyError: Another process holds it.
        ServiceError: It is damaged.
    """
    with translated(index):
        return edge.EdgeShard.load(str(path))


def dimension_of(path: Path, index: str) -> int:
    """Read the dimension of the dense vectors from the shard's own configuration."""
    try:
        config = json.loads((path / _CONFIG_FILE).read_text("utf-8"))
        return int(config["vectors"][DENSE]["size"])
    except (OSError, ValueError, KeyError, TypeError) as failure:
        raise ServiceError(f"The configuration of the index '{index}' is damaged.", _REBUILD) from failure


def remove(path: Path, index: str) -> None:
    """Remove a shard, damaged or not, unless another process holds it."""
    with contextlib.suppress(ServiceError):
        load(path, index).close()
    with translated(index):
        doomed = path.with_name(f".dropped-{path.name}")
        shutil.rmtree(doomed, ignore_errors=True)
        path.rename(doomed)
        shutil.rmtree(doomed, ignore_errors=True)


@contextlib.contextmanager
def translated(index: str) -> Iterator[None]:
    """Turn whatever the engine raises into an error that says what to do."""
    try:
        yield
    except (BusyError, ServiceError):
        raise
    except OSError as failure:
        raise StorageError(f"The folder of the index '{index}' cannot be used: {failure}.") from failure
    except BaseException as failure:
        if not isinstance(failure, Exception) and type(failure).__name__ != "PanicException":
            raise
        raise _error_for(index, str(failure)) from failure


def _error_for(index: str, message: str) -> BusyError | ServiceError:
    if "WouldBlock" in message:
        return BusyError(
            f"Another process holds the vector index '{index}'.",
            "Stop it, or keep the index on a Qdrant server, which several processes can share.",
        )
    if "dimension" in message.lower():
        return ServiceError(f"The vector index '{index}' refuses a vector: {message}", _REBUILD)
    return ServiceError(f"The vector index '{index}' is damaged or does not answer: {message}", _REBUILD)


def _config(dimension: int, graph_from_kb: int) -> edge.EdgeConfig:
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Cosine)},
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        hnsw_config=edge.HnswIndexConfig(_HNSW_LINKS, _HNSW_BUILD_EF, min(graph_from_kb, _FULL_SCAN_KB)),
        optimizers=edge.EdgeOptimizersConfig(
            indexing_threshold=graph_from_kb, default_segment_number=_SEGMENTS
        ),
    )
