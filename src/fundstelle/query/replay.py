"""Replay: rebuild phases A1 to A6 of a stored query from SQL, and prove that the result is the stored one.

Nothing is read from the index and nothing from the present state of documents: legs and live rows
are those of the time of the query, texts come from the chunks in SQL, live or not. So replay holds
after re-indexing, after a new version of a document and after its withdrawal.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace

import numpy as np

from fundstelle.domain.criteria import Problem
from fundstelle.domain.fusion import METHOD
from fundstelle.domain.identity import QueryId, content_hash, point_id, text_hash
from fundstelle.domain.query_phases import Phase, QueryTrail, QuestionEmbedding, done
from fundstelle.domain.query_record import QueryRecord
from fundstelle.domain.retrieval import ChunkRecord
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.querying import ChunkKey, PassageReader, QueryLog
from fundstelle.query.a1_embedding import normalise_question
from fundstelle.query.a2_preselection import fuse_legs
from fundstelle.query.a4_selection import RULES, select_chunks
from fundstelle.query.a5_context import FORM, build_context
from fundstelle.query.a6_prompt import compose_prompt
from fundstelle.query.trace import load_query

VECTOR_TOLERANCE = 1e-4
"""Largest difference of one coordinate that the same model may give on another machine."""

_BATCH = 200

_MAY_CHANGE = frozenset({"document_title", "filename", "label_first", "label_last", "paged"})
"""What a later import may say anew of a document; the stored words count, a note tells the difference."""


@dataclass(frozen=True, slots=True)
class ReplayServices:
    """Hold what replay works with.

    Args:
        embedder: The embedder in use; None, or one with another model, means that the stored vector is
            checked by its hash alone, and a note says so.
    """

    log: QueryLog
    reader: PassageReader
    count_tokens: Callable[[str], int]
    tokenizer: str = "o200k_base"
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """Report a replay.

    Args:
        checked: Phases that were rebuilt and compared.
        notes: What could only be checked in part, and why.
    """

    queries: int
    checked: int
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Say whether everything was the same."""
        return not self.problems


def replay(query_id: QueryId, *, services: ReplayServices) -> ReplayReport:
    """Rebuild one stored query; of a failed one, the phases before the failure.

    Raises:
        NotFoundError: Nothing is stored under this id.
    """
    rebuild = _Rebuild(load_query(query_id, log=services.log), services)
    rebuild.run()
    return ReplayReport(1, rebuild.checked, tuple(rebuild.problems), tuple(rebuild.notes))


def replay_all(*, services: ReplayServices) -> ReplayReport:
    """Rebuild every stored query, one in memory at a time."""
    queries = checked = 0
    problems: list[Problem] = []
    notes: dict[str, None] = {}
    for query_id in query_ids(services.log):
        report = replay(query_id, services=services)
        queries, checked = queries + 1, checked + report.checked
        problems += report.problems
        notes.update(dict.fromkeys(report.notes))
    return ReplayReport(queries, checked, tuple(problems), tuple(notes))


def query_ids(log: QueryLog) -> Iterator[QueryId]:
    """Go through the ids of all stored queries in batches."""
    after: QueryId | None = None
    while batch := log.ids(after, _BATCH):
        yield from batch
        after = batch[-1]


@dataclass(slots=True)
class _Rebuild:
    """Rebuild one query phase by phase; each phase works on what the rebuilt ones before it gave."""

    record: QueryRecord
    services: ReplayServices
    checked: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Rebuild the phases that were finished, in order, up to the first that cannot be rebuilt."""
        trail = self.record.trail
        steps = (
            (Phase.EMBEDDING, self._embedding),
            (Phase.PRESELECTION, self._preselection),
            (Phase.RELOAD, self._reload),
            (Phase.SELECTION, self._selection),
            (Phase.CONTEXT, self._context),
            (Phase.PROMPT, self._prompt),
        )
        finished = {one.phase for one in self.record.phases if one.phase is not self.record.failed_phase}
        self._integrity()
        for phase, step in steps:
            if phase not in finished:
                self._demand_failure(phase)
                return
            try:
                trail = step(trail)
            except (LookupError, ValueError) as error:
                self._problem(phase, f"it cannot be rebuilt: {error}")
                return
            self.checked += 1

    def _demand_failure(self, missing: Phase) -> None:
        """See to it that a phase is missing because the query failed, and not because it was taken away."""
        failed_phase = self.record.failed_phase
        if failed_phase is None or missing < failed_phase:
            self._problem(missing, "it is not stored, so nothing proves what it gave")

    def _problem(self, phase: Phase, detail: str) -> None:
        self.problems.append(Problem(f"{phase.value}.replay", self.record.query_id, detail))

    def _integrity(self) -> None:
        for one in self.record.phases:
            if one.integrity is not None and not one.integrity.intact:
                why = one.integrity.unreadable or "they do not have their hash"
                self._problem(one.phase, f"the stored artefacts were changed: {why}")

    def _compare(self, phase: Phase, what: str, stored: object, rebuilt: object) -> None:
        if stored != rebuilt:
            self._problem(phase, f"{what} rebuilt is not the stored one")

    def _embedding(self, trail: QueryTrail) -> QueryTrail:
        stored = done(trail.embedding)
        text = normalise_question(done(trail.accepted).query.raw_text)
        self._compare(Phase.EMBEDDING, "the normalised question", stored.text, text)
        self._compare(
            Phase.EMBEDDING, "the raw question", self.record.raw_text, done(trail.accepted).query.raw_text
        )
        if stored.vector is not None:
            self._compare(
                Phase.EMBEDDING,
                "the hash of the query vector",
                stored.vector_hash,
                content_hash(stored.vector),
            )
            self._embed_again(stored, stored.vector)
        return replace(trail, embedding=replace(stored, text=text))

    def _embed_again(self, stored: QuestionEmbedding, vector: bytes) -> None:
        embedder = self.services.embedder
        if embedder is None or embedder.identity.model_id != stored.model_id:
            self.notes.append(
                f"A1: model {stored.model_id} is not in use, so the question was not embedded again; "
                "the stored vector was checked by its hash."
            )
            return
        again = embedder.embed_query(stored.text)
        before = np.frombuffer(vector, dtype="<f4")
        if again.shape != before.shape or not float(np.max(np.abs(again - before))) <= VECTOR_TOLERANCE:
            self._problem(Phase.EMBEDDING, "the question embedded again gives another vector")

    def _preselection(self, trail: QueryTrail) -> QueryTrail:
        stored, accepted = done(trail.preselection), done(trail.accepted)
        model_of = {one.collection_id: one.model_id for one in accepted.searched}
        for window in stored.windows:
            model = model_of.get(window.collection_id) if window.collection_id else None
            if model is None or window.chunk_id is None:
                continue
            if point_id(window.chunk_id, window.window_index, model) != window.point_id:
                self._problem(Phase.PRESELECTION, f"point {window.point_id} is not one of {window.chunk_id}")
        if stored.fusion != METHOD:
            self.notes.append(
                f"A2: fused with {stored.fusion}, this program has {METHOD}; the order is taken over."
            )
            return trail
        candidates = fuse_legs(stored.legs, stored.windows, accepted.query.top_k)
        self._compare(Phase.PRESELECTION, "the fused order", stored.candidates, candidates)
        return replace(trail, preselection=replace(stored, candidates=candidates))

    def _reload(self, trail: QueryTrail) -> QueryTrail:
        stored = done(trail.reload)
        keys = [ChunkKey(one.version_id, one.chunk_id) for one in done(trail.preselection).candidates]
        now = {ChunkKey(one.version_id, one.chunk_id): one for one in self.services.reader.reload(keys)}
        self._compare(
            Phase.RELOAD,
            "the list of chunks",
            [ChunkKey(one.version_id, one.chunk_id) for one in stored.records],
            keys,
        )
        records = tuple(self._record_again(one, now) for one in stored.records)
        return replace(trail, reload=replace(stored, records=records))

    def _record_again(self, stored: ChunkRecord, now: dict[ChunkKey, ChunkRecord]) -> ChunkRecord:
        fresh = now.get(ChunkKey(stored.version_id, stored.chunk_id))
        if fresh is None:
            raise LookupError(
                f"chunk {stored.chunk_id} of version {stored.version_id} is not in SQL any more"
            )
        if text_hash(fresh.content) != stored.text_hash:
            self._problem(Phase.RELOAD, f"the text of chunk {stored.chunk_id} was changed since the query")
        for name in (one.name for one in fields(ChunkRecord) if one.name != "content"):
            before, after = getattr(stored, name), getattr(fresh, name)
            if before != after and name in _MAY_CHANGE:
                self.notes.append(f"A3: {name} of {stored.chunk_id} was {before!r}, now {after!r}.")
            elif before != after:
                self._problem(Phase.RELOAD, f"{name} of {stored.chunk_id} was {before!r}, now {after!r}")
        return replace(stored, content=fresh.content)

    def _selection(self, trail: QueryTrail) -> QueryTrail:
        stored, accepted = done(trail.selection), done(trail.accepted)
        if stored.rules != RULES or accepted.tokenizer != self.services.tokenizer:
            self.notes.append(
                f"A4: chosen by {stored.rules} with {accepted.tokenizer}, this program has {RULES} with "
                f"{self.services.tokenizer}; the choice is taken over."
            )
            return trail
        selection = select_chunks(
            done(trail.preselection).candidates,
            done(trail.reload).records,
            context_tokens=accepted.query.context_tokens,
            count_tokens=self.services.count_tokens,
        )
        self._compare(Phase.SELECTION, "the list of chosen chunks", stored.selected, selection.selected)
        self._compare(Phase.SELECTION, "the list of those left out", stored.omitted, selection.omitted)
        return replace(trail, selection=selection)

    def _context(self, trail: QueryTrail) -> QueryTrail:
        stored = done(trail.context)
        if stored.form != FORM:
            self.notes.append(f"A5: written in form {stored.form}, this program writes {FORM}; taken over.")
            return trail
        context = build_context(done(trail.selection).selected, count_tokens=self.services.count_tokens)
        self._compare(Phase.CONTEXT, "the context block", stored.block, context.block)
        self._compare(Phase.CONTEXT, "the source list", stored.sources, context.sources)
        return replace(trail, context=context)

    def _prompt(self, trail: QueryTrail) -> QueryTrail:
        stored = done(trail.prompt)
        prompt = compose_prompt(self.record.raw_text, done(trail.context).block, template=stored.template)
        self._compare(Phase.PROMPT, "the system prompt", stored.system, prompt.system)
        self._compare(Phase.PROMPT, "the prompt", stored.user, prompt.user)
        return replace(trail, prompt=prompt)
