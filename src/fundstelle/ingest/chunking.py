"""Phase I3 as a step of the import: chunk a stored version and store its chunks.

One transaction: afterwards the version is `chunked`. The criteria are checked before the commit;
when one does not hold, nothing is stored.
"""

from dataclasses import replace

from fundstelle.domain.criteria import Problem
from fundstelle.domain.documents import Chunk, VersionStatus
from fundstelle.domain.errors import CriterionError
from fundstelle.ingest.criteria_i3 import check_chunks
from fundstelle.ingest.i3_chunks import chunk_document
from fundstelle.ingest.jobs import VersionJob
from fundstelle.ingest.tools import ImportTools
from fundstelle.ports.records import VersionRecord


def store_chunks(job: VersionJob, tools: ImportTools) -> tuple[VersionJob, int]:
    """Chunk a version that queries do not see yet.

    Returns:
        The job as it is stored now, and the number of chunks.

    Raises:
        CriterionError: The chunks do not hold what they must.
    """
    chunker = tools.settings.chunker
    chunks = make_chunks(job.version, tools)
    version = replace(job.version, status=VersionStatus.CHUNKED, chunker=chunker)
    with tools.database.write() as unit:
        newest = unit.versions.of_document(version.document_id)[0].version_id == version.version_id
        document = unit.documents.find(version.document_id) or job.document
        document = replace(document, status=version.status if newest else document.status)
        unit.chunks.write(version, chunks, chunker)
        unit.versions.save(version)
        unit.documents.save(document)
        unit.commit()
    return replace(job, version=version, document=document), len(chunks)


def make_chunks(version: VersionRecord, tools: ImportTools) -> tuple[Chunk, ...]:
    """Chunk the stored text of a version and check the chunks.

    Raises:
        CriterionError: The chunks do not hold what they must.
    """
    with tools.database.read() as unit:
        text = unit.texts.text(version.version_id, version.content_hash)
        sections = unit.texts.sections(version.version_id)
    parameters, count = tools.settings.chunks, tools.count_tokens
    chunks = chunk_document(text, sections, parameters, count)
    problems = check_chunks(text, sections, chunks, parameters, count, tools.settings.chunker)
    if not chunks:
        problems.append(Problem("chunks_cover_text", version.version_id, "There is no chunk."))
    if problems:
        raise CriterionError("I3", problems[0].criterion, f"{problems[0].id}: {problems[0].detail}")
    return chunks
