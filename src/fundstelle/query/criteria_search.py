"""The criteria of phases A0 to A4: from the question to the chosen chunks.

Each is a pure function of the trail and says, in sentences for people, what does not hold.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from fundstelle.domain.identity import content_hash, text_hash
from fundstelle.domain.query_phases import QueryTrail, WindowState, done
from fundstelle.domain.retrieval import RetrievalMode
from fundstelle.ports.querying import ChunkKey

_UNIT_LENGTH = 1e-3


def fully_parametrised(trail: QueryTrail) -> list[str]:
    """Find parameters of the query object that are not set."""
    accepted = done(trail.accepted)
    query = accepted.query
    needed: Mapping[str, object] = {
        "query_id": query.query_id,
        "raw_text": query.raw_text.strip(),
        "collections": query.collections,
        "top_k": query.top_k,
        "prefetch": query.prefetch,
        "context_tokens": query.context_tokens,
        "answer_tokens": query.answer_tokens,
        "generator": query.generator,
        "template": query.template,
        "tokenizer": accepted.tokenizer,
        "model_id": query.model_id or query.mode is RetrievalMode.LEXICAL,
    }
    missing = [f"{name} is not set" for name, value in needed.items() if not value]
    if query.collections != tuple(one.collection_id for one in accepted.searched):
        missing.append("the collections of the query are not those that are searched")
    return missing


def one_query_vector(trail: QueryTrail) -> list[str]:
    """Find what is wrong with the query vector."""
    embedding, mode = done(trail.embedding), done(trail.accepted).query.mode
    if mode is RetrievalMode.LEXICAL:
        return [] if embedding.vector is None else ["there is a vector in lexical mode"]
    if embedding.vector is None:
        return ["there is no query vector"]
    vector = np.frombuffer(embedding.vector, dtype="<f4")
    problems = []
    if vector.shape != (embedding.dimension,):
        problems.append(
            f"the vector has {vector.size} numbers, the model has {embedding.dimension} dimensions"
        )
    if not abs(float(np.linalg.norm(vector)) - 1.0) <= _UNIT_LENGTH:
        problems.append("the vector is not of length 1")
    if content_hash(embedding.vector) != embedding.vector_hash:
        problems.append("the vector does not have its stored hash")
    return problems


def same_model(trail: QueryTrail) -> list[str]:
    """Find indexes of another model than that of the question."""
    accepted, embedding = done(trail.accepted), done(trail.embedding)
    if accepted.query.mode is RetrievalMode.LEXICAL:
        return []
    problems = [
        f"collection '{one.name}' has model {one.model_id}, the question {embedding.model_id}"
        for one in accepted.searched
        if one.index_name is not None and one.model_id != embedding.model_id
    ]
    if embedding.model_id != accepted.query.model_id:
        problems.append(f"the query object asks for {accepted.query.model_id}, not {embedding.model_id}")
    return problems


def live_rows_only(trail: QueryTrail) -> list[str]:
    """Find candidates without a live row."""
    preselection = done(trail.preselection)
    live = {
        (window.version_id, window.chunk_id)
        for window in preselection.windows
        if window.state is WindowState.LIVE
    }
    return [
        f"candidate {one.chunk_id} has no live row"
        for one in preselection.candidates
        if (one.version_id, one.chunk_id) not in live
    ]


def every_hit_recorded(trail: QueryTrail) -> list[str]:
    """Find points that a leg found and nobody looked up."""
    preselection = done(trail.preselection)
    located = {window.point_id for window in preselection.windows}
    hits = {hit.point_id for leg in preselection.legs for hit in leg.hits}
    return [f"point {point} was found and not looked up" for point in sorted(hits - located)]


def ranked_by_score(trail: QueryTrail) -> list[str]:
    """Find candidates out of order."""
    candidates = done(trail.preselection).candidates
    problems = [
        f"rank {b.rank} scores above rank {a.rank}" for a, b in pairwise(candidates) if b.score > a.score
    ]
    if [one.rank for one in candidates] != list(range(1, len(candidates) + 1)):
        problems.append("the ranks are not 1, 2, 3, …")
    return problems


def every_candidate_loaded(trail: QueryTrail) -> list[str]:
    """Find candidates that were not loaded from SQL."""
    wanted = [ChunkKey(one.version_id, one.chunk_id) for one in done(trail.preselection).candidates]
    loaded = [ChunkKey(one.version_id, one.chunk_id) for one in done(trail.reload).records]
    if wanted == loaded:
        return []
    missing = [f"{key.chunk_id} is not in SQL" for key in wanted if key not in loaded]
    return missing or ["the records are not the candidates in their order"]


def text_has_its_hash(trail: QueryTrail) -> list[str]:
    """Find texts that are not those that were chunked."""
    return [
        f"the text of {record.chunk_id} does not have the hash {record.text_hash}"
        for record in done(trail.reload).records
        if text_hash(record.content) != record.text_hash
    ]


def every_candidate_decided(trail: QueryTrail) -> list[str]:
    """Find candidates that are neither chosen nor left out with a reason."""
    selection = done(trail.selection)
    chosen = [(one.record.version_id, one.record.chunk_id) for one in selection.selected]
    decided = Counter(chosen + [(one.version_id, one.chunk_id) for one in selection.omitted])
    candidates = Counter((one.version_id, one.chunk_id) for one in done(trail.preselection).candidates)
    problems = [
        f"{chunk} is neither chosen nor left out, or both"
        for _, chunk in (decided - candidates) + (candidates - decided)
    ]
    return problems + [
        f"{one.chunk_id} is left out without a reason" for one in selection.omitted if not one.reason
    ]


def ordered_by_score(trail: QueryTrail) -> list[str]:
    """Find chosen chunks out of order."""
    selected = done(trail.selection).selected
    problems = [
        f"source {b.number} scores above {a.number}" for a, b in pairwise(selected) if b.score > a.score
    ]
    if [one.number for one in selected] != list(range(1, len(selected) + 1)):
        problems.append("the numbers are not 1, 2, 3, …")
    return problems
