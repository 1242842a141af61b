"""Phase A3, reload (Kanonisches Nachladen): the text of each candidate comes from SQL and nowhere else.

What the index holds of a text serves people who browse it; the query process never reads it.
"""

from collections.abc import Sequence

from fundstelle.domain.query_phases import Reload
from fundstelle.domain.retrieval import Candidate
from fundstelle.ports.querying import ChunkKey, PassageReader


def reload_candidates(candidates: Sequence[Candidate], *, reader: PassageReader) -> Reload:
    """Load each candidate's text, section and provenance from SQL, in the order of the candidates.

    A candidate without a row is missing in the result; the criterion of this phase finds it, and any
    text whose hash is no longer that of its row.
    """
    keys = [ChunkKey(candidate.version_id, candidate.chunk_id) for candidate in candidates]
    return Reload(tuple(reader.reload(keys)))
