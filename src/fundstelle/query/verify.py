"""Verification of what is stored of queries: complete, unchanged, and every citation leads to its page."""

from collections.abc import Iterator
from dataclasses import dataclass

from fundstelle.domain.criteria import Problem
from fundstelle.domain.query_phases import Phase
from fundstelle.domain.query_record import QueryRecord, QueryState
from fundstelle.ports.querying import PassageReader, QueryLog
from fundstelle.query.criteria import check_phase
from fundstelle.query.replay import query_ids
from fundstelle.query.trace import artefacts_of, load_query


@dataclass(frozen=True, slots=True)
class QueryVerification:
    """Report a verification: how many queries were looked at and what does not hold."""

    checked: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Say whether nothing was found."""
        return not self.problems


def verify_queries(*, log: QueryLog, reader: PassageReader) -> QueryVerification:
    """Check every stored query, one in memory at a time.

    Artefacts are complete and have their hashes, all criteria hold when they are checked again on
    what is stored, and every source of every answer leads to a stored chunk and a stored page.
    """
    checked = 0
    problems: list[Problem] = []
    for query_id in query_ids(log):
        checked += 1
        problems += verify_query(load_query(query_id, log=log), reader=reader)
    return QueryVerification(checked, tuple(problems))


def verify_query(record: QueryRecord, *, reader: PassageReader) -> list[Problem]:
    """Check one stored query."""
    return [*_incomplete(record), *_changed(record), *_not_holding(record), *_leading_nowhere(record, reader)]


def _finished(record: QueryRecord) -> list[Phase]:
    return [one.phase for one in record.phases if one.phase is not record.failed_phase]


def _incomplete(record: QueryRecord) -> Iterator[Problem]:
    artefacts = artefacts_of(record.trail)
    wanted = list(Phase)
    if record.state is QueryState.FAILED:
        wanted = [phase for phase in Phase if record.failed_phase and phase < record.failed_phase]
    for phase in wanted:
        if phase not in _finished(record) or artefacts[phase] is None:
            yield Problem("query.complete", record.query_id, f"phase {phase.value} has no artefact")
    if record.state is QueryState.FAILED and not (record.failed_phase and record.failure):
        yield Problem("query.complete", record.query_id, "it failed, and phase or reason is missing")


def _changed(record: QueryRecord) -> Iterator[Problem]:
    for one in record.phases:
        if one.integrity is not None and not one.integrity.intact:
            why = one.integrity.unreadable or "they do not have their hash"
            detail = f"the artefacts of phase {one.phase.value} were changed: {why}"
            yield Problem("query.unchanged", record.query_id, detail)
    accepted, output = record.trail.accepted, record.trail.output
    if accepted is not None and accepted.query.raw_text != record.raw_text:
        yield Problem("query.unchanged", record.query_id, "the question is not that of its query object")
    if output is not None and record.state is not QueryState.FAILED and output.verdict is not record.verdict:
        yield Problem("query.unchanged", record.query_id, "the verdict is not that of its answer")


def _not_holding(record: QueryRecord) -> Iterator[Problem]:
    for phase in _finished(record):
        for result in check_phase(phase, record.trail):
            yield from (Problem(one.criterion, record.query_id, one.detail) for one in result.problems)


def _leading_nowhere(record: QueryRecord, reader: PassageReader) -> Iterator[Problem]:
    output = record.trail.output
    if output is None:
        return
    pages = reader.pages(sorted({source.version_id for source in output.sources}))
    for source in output.sources:
        for page in range(source.page_first, source.page_last + 1):
            if (source.version_id, page) not in pages:
                detail = f"source {source.number}: page {page} of {source.version_id} is not stored"
                yield Problem("query.leads_to_page", record.query_id, detail)
