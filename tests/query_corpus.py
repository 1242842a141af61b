"""A small corpus in SQL and a vector index, as an import leaves it, for the tests of the query process."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

from sqlalchemy import Engine, delete, select

from fundstelle.adapters.sql import tables as t
from fundstelle.adapters.sql.engine import open_database
from fundstelle.adapters.sql.query_reader import SqlPassageReader
from fundstelle.adapters.sql.query_store import SqlQueryLog
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.domain.documents import (
    Chunk,
    PageText,
    RecognisedBy,
    Section,
    SemanticRole,
    Verdict,
    VersionStatus,
)
from fundstelle.domain.identity import (
    ChunkId,
    DocumentId,
    PointId,
    QueryId,
    VersionId,
    chunk_id,
    collection_id,
    content_hash,
    document_id,
    point_id,
    section_id,
    text_hash,
    version_id,
)
from fundstelle.domain.offsets import OffsetMap
from fundstelle.domain.query_phases import QueryRequest
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.indexing import IndexPoint, VectorIndex
from fundstelle.ports.records import CollectionRecord, DocumentRecord, VersionRecord, WindowRecord, WorkStatus
from fundstelle.query.evidence import check_evidence
from fundstelle.query.pipeline import QueryServices, ask
from fundstelle.query.replay import ReplayServices
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.generating import QuotingGenerator
from fundstelle.testing.vectors import InMemoryIndex
from fundstelle.testing.words import count_words, encode_document, encode_query

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
CHUNKER = "1/words/500-800/50-100"
WINDOW_CHARS = 200
QUESTION = "Wie viele Tage Urlaub gibt es?"
URLAUB = (
    "Der Urlaub beträgt 30 Tage im Jahr. Er wird schriftlich beantragt.",
    "Die Probezeit dauert sechs Monate.",
)
REISE = ("Reisekosten werden innerhalb von 14 Tagen erstattet. Belege sind beizufügen.",)


@dataclass(slots=True)
class Corpus:
    """Write documents as an import would leave them: each passage is a section, chunk and page."""

    engine: Engine
    database: SqlDatabase
    index: VectorIndex
    embedder: Embedder
    generator: QuotingGenerator

    def add_collection(self, name: str, *, indexed: bool = True) -> None:
        """Add a collection, with or without an index."""
        model = self.embedder.identity
        with self.database.write() as unit:
            unit.embeddings.register(model)
            unit.collections.add(CollectionRecord(collection_id(name), name, name))
            if indexed:
                unit.collections.use_index(collection_id(name), name, model.model_id)
            unit.commit()
        if indexed:
            self.index.ensure(name, model.dimension)

    def add(
        self,
        title: str,
        passages: Sequence[str],
        *,
        collection: str = "standard",
        labels: bool = True,
        paged: bool = True,
        clean_index: bool = True,
    ) -> VersionId:
        """Import a document, or a new version of it when the title is known."""
        document = self._document(title, collection)
        data = content_hash("\f".join(passages).encode())
        old = self._points(document.document_id)
        with self.database.write() as unit:
            version = VersionRecord(
                version_id(document.document_id, data),
                document.document_id,
                data,
                len(unit.versions.of_document(document.document_id)) + 1,
                "application/pdf" if paged else "text/plain",
                1,
                len(passages) if paged else None,
                VersionStatus.INDEXED,
                Verdict.OK,
                chunker=CHUNKER,
            )
            unit.documents.save(replace(document, current_version_id=version.version_id))
            unit.versions.save(version)
            unit.texts.write(
                version, _pages(passages, labels=labels), _sections(version.version_id, passages)
            )
            unit.chunks.write(version, _chunks(version, passages), CHUNKER)
            unit.commit()
        if clean_index:
            self.index.write(collection, (), old)
        self._project(document, version.version_id, collection)
        return version.version_id

    def withdraw(self, title: str, *, collection: str = "standard", from_index: bool = True) -> None:
        """Withdraw a document; the index may lag behind."""
        document = self._document(title, collection)
        with self.database.write() as unit:
            found = unit.documents.find(document.document_id)
            assert found is not None
            unit.documents.save(replace(found, withdrawn_at=NOW))
            unit.commit()
        if from_index:
            self.index.write(collection, (), self._points(document.document_id))

    def reindex(self, embedder: Embedder, *, collection: str = "standard") -> None:
        """Build the index with another model, switch over, drop old windows and the old index."""
        self.embedder = embedder
        name = f"{collection}-{embedder.identity.name}"
        self.index.ensure(name, embedder.identity.dimension)
        with self.engine.begin() as connection:
            connection.execute(delete(t.windows))
        with self.database.write() as unit:
            unit.embeddings.register(embedder.identity)
            unit.collections.use_index(collection_id(collection), name, embedder.identity.model_id)
            versions = unit.documents.live_versions(collection_id(collection), None, 1000)
            owners = [unit.versions.find(version) for version in versions]
            unit.commit()
        with self.database.read() as unit:
            documents = [unit.documents.find(owner.document_id) for owner in owners if owner]
        for version, document in zip(versions, documents, strict=True):
            assert document is not None
            self._project(document, version, name)
        self.index.drop(collection)

    def services(self) -> QueryServices:
        """Give what the query process works with."""
        return QueryServices(
            reader=SqlPassageReader(self.engine),
            log=SqlQueryLog(self.engine),
            index=self.index,
            embedder=self.embedder,
            generator=self.generator,
            encode_query=encode_query,
            count_tokens=count_words,
            check_evidence=check_evidence,
            tokenizer="words",
        )

    def replaying(self) -> ReplayServices:
        """Give what replay works with."""
        services = self.services()
        return ReplayServices(services.log, services.reader, count_words, "words", self.embedder)

    def ask(self, text: str, query_id: str = "q_1", **options: object) -> QueryId:
        """Ask a question and give its id."""
        request = QueryRequest(text, **options)  # type: ignore[arg-type]
        ask(request, services=self.services(), query_id=QueryId(query_id), now=NOW)
        return QueryId(query_id)

    def _document(self, title: str, collection: str) -> DocumentRecord:
        key = f"title:{title}"
        owner = collection_id(collection)
        return DocumentRecord(
            document_id(owner, key),
            owner,
            f"{title}.pdf",
            key,
            title,
            None,
            "de",
            None,
            VersionStatus.INDEXED,
        )

    def _points(self, document: DocumentId) -> list[PointId]:
        statement = select(t.windows.c.qdrant_id).join(
            t.document_versions, t.document_versions.c.id == t.windows.c.version_id
        )
        with self.engine.connect() as connection:
            found = connection.scalars(statement.where(t.document_versions.c.document_id == document))
            return [PointId(one) for one in found]

    def _project(self, document: DocumentRecord, version: VersionId, index: str) -> None:
        model = self.embedder.identity.model_id
        with self.database.write() as unit:
            windows: list[WindowRecord] = []
            for chunk in list(unit.chunks.of_version(version)):
                vectors = self.embedder.embed_passages([chunk.content[a:b] for a, b in _cut(chunk.content)])
                for number, (start, end) in enumerate(_cut(chunk.content)):
                    piece, point = chunk.content[start:end], point_id(chunk.chunk_id, number, model)
                    stamp = text_hash(piece)
                    windows.append(
                        WindowRecord(chunk.chunk_id, number, start, end, stamp, 1, point, WorkStatus.INDEXED)
                    )
                    self.index.write(
                        index,
                        [
                            IndexPoint(
                                point,
                                vectors[number],
                                encode_document(piece),
                                chunk.chunk_id,
                                document.document_id,
                                version,
                                document.title,
                                index,
                                number,
                                stamp,
                                "never read by queries",
                            )
                        ],
                    )
            unit.windows.plan(version, model, CHUNKER, windows)
            unit.commit()


def make_corpus(folder: Path) -> Corpus:
    """Make an empty corpus with the collection `standard` in a data folder."""
    engine = open_database(folder)
    corpus = Corpus(engine, SqlDatabase(engine), InMemoryIndex(), FakeEmbedder(), QuotingGenerator())
    corpus.add_collection("standard")
    return corpus


def make_two_documents(folder: Path) -> Corpus:
    """Make a corpus of two documents."""
    corpus = make_corpus(folder)
    corpus.add("Urlaub", URLAUB)
    corpus.add("Reise", REISE)
    return corpus


def _cut(text: str) -> list[tuple[int, int]]:
    return [(start, min(start + WINDOW_CHARS, len(text))) for start in range(0, len(text), WINDOW_CHARS)]


def _starts(passages: Sequence[str]) -> list[int]:
    return [0, *accumulate(len(text) for text in passages)]


def _pages(passages: Sequence[str], *, labels: bool) -> list[PageText]:
    return [
        PageText(number, f"{number + 10}" if labels else None, text, text, OffsetMap.identity(len(text)))
        for number, text in enumerate(passages, start=1)
    ]


def _sections(version: VersionId, passages: Sequence[str]) -> list[Section]:
    starts = _starts(passages)
    return [
        Section(
            section_id(version, str(number)), None, number - 1, str(number), 1, f"Kapitel {number}",
            f"Kapitel {number}", starts[number - 1], starts[number - 1], starts[number], number, number,
            RecognisedBy.FONT,
        )
        for number in range(1, len(passages) + 1)
    ]  # fmt: skip


def _chunks(version: VersionRecord, passages: Sequence[str]) -> list[Chunk]:
    chunks, starts = [], _starts(passages)
    for number, text in enumerate(passages, start=1):
        start, end = starts[number - 1], starts[number]
        found: ChunkId = chunk_id(version.content_hash, str(number), start, end, text_hash(text), CHUNKER)
        chunks.append(
            Chunk(
                found, section_id(version.version_id, str(number)), number - 1, text, count_words(text),
                f"Kapitel {number}", SemanticRole.PROSE, start, end, number, number,
            )
        )  # fmt: skip
    return chunks
