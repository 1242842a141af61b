"""Everything an import needs, made of fakes and a real database in a folder, for tests."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from fundstelle.adapters.blobs import FileBlobStore
from fundstelle.adapters.sql.engine import open_database
from fundstelle.adapters.sql.schema import metadata
from fundstelle.adapters.sql.unit_of_work import SqlDatabase
from fundstelle.domain.documents import ChunkParameters, VersionStatus
from fundstelle.ingest.pipeline import ImportRequest, ResumeRequest, import_paths, resume
from fundstelle.ingest.results import ImportResult
from fundstelle.ingest.tools import ImportSettings, ImportTools, IndexTools
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.indexing import VectorIndex
from fundstelle.testing.embedding import FakeEmbedder
from fundstelle.testing.reading import FakeReader, FakeSniff
from fundstelle.testing.vectors import InMemoryIndex
from fundstelle.testing.words import count_words, encode_document

SMALL = ChunkParameters(min_tokens=20, max_tokens=40, min_overlap=5, max_overlap=10)
IMPORT_TABLES = (
    "collections",
    "documents",
    "document_versions",
    "document_pages",
    "sections",
    "chunks",
    "embedding_models",
    "windows",
    "embeddings",
    "events",
)
Row = tuple[object, ...]


@dataclass
class Kit:
    """Hold a data folder with all that an import is given."""

    home: Path
    embedder: Embedder = field(default_factory=FakeEmbedder)
    index: VectorIndex = field(default_factory=InMemoryIndex)
    reader: FakeReader = field(default_factory=FakeReader)
    settings: ImportSettings = field(default_factory=lambda: ImportSettings(chunks=SMALL, batch_size=8))

    def __post_init__(self) -> None:
        self.database = SqlDatabase(open_database(self.home))

    @property
    def tools(self) -> ImportTools:
        """Give the tools, with embedder and index."""
        return ImportTools(
            database=self.database,
            blobs=FileBlobStore(self.home / "blobs"),
            sniff=FakeSniff,
            reader=self.reader,
            count_tokens=count_words,
            settings=self.settings,
            indexing=IndexTools(self.embedder, self.index, encode_document),
        )

    def run(
        self,
        *paths: Path,
        until: VersionStatus = VersionStatus.INDEXED,
        collection: str = "standard",
        password: str | None = None,
    ) -> list[ImportResult]:
        """Import paths and give all results."""
        tools = self.tools if until is VersionStatus.INDEXED else replace(self.tools, indexing=None)
        request = ImportRequest(paths, collection, until, password)
        return list(import_paths(request, tools=tools))

    def resume(self, until: VersionStatus = VersionStatus.INDEXED) -> list[ImportResult]:
        """Carry on with everything unfinished."""
        return list(resume(ResumeRequest(None, until), tools=self.tools))

    def rows(self) -> dict[str, list[Row]]:
        """Read all rows of the import, without times and running numbers, in order."""
        return all_rows(self.database)

    def stamps(self) -> dict[str, dict[str, str]]:
        """Read ids and hashes of all points of all collections."""
        with self.database.read() as unit:
            names = [c.index_name for c in unit.collections.all() if c.index_name]
        return {name: _merged(self.index.stamps(name)) for name in names}


def all_rows(database: SqlDatabase) -> dict[str, list[Row]]:
    """Read all rows of the import, without times and running numbers, in order."""
    found: dict[str, list[Row]] = {}
    engine = database._engine
    with engine.connect() as connection:
        for name in IMPORT_TABLES:
            table = metadata.tables[name]
            left_out = {"created_at"} | ({"id"} if name == "events" else set())
            columns = [column for column in table.c if column.name not in left_out]
            rows = [tuple(map(_comparable, row)) for row in connection.execute(select(*columns))]
            found[name] = sorted(rows, key=repr)
    return found


def _comparable(value: object) -> object:
    return repr(value) if isinstance(value, dict) else value


def _merged(batches: Iterable[object]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for batch in batches:
        merged.update(batch)  # type: ignore[call-overload]
    return merged


def a_text(topic: str, paragraphs: int = 6) -> str:
    """Make a text with two sections and two pages, enough for several chunks."""
    lines = [f"# {topic}", ""]
    for number in range(paragraphs):
        if number == paragraphs // 2:
            lines += ["\f## Einzelheiten", ""]
        first = f"Der Absatz {number} handelt von {topic}. Er nennt die Frist von {number + 3} Wochen."
        lines += [f"{first} Wer {topic} sucht, findet hier die Fundstelle {topic}-{number}.", ""]
    return "\n".join(lines)


def write_documents(folder: Path, count: int) -> Path:
    """Write documents with different topics into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"dokument-{number:02}.txt").write_text(a_text(f"Thema{number}"), encoding="utf-8")
    return folder


def ticking() -> Iterator[datetime]:
    """Give moments that go on by themselves."""
    second = 0
    while True:
        yield datetime(2026, 1, 1, second // 3600 % 24, second // 60 % 60, second % 60, tzinfo=UTC)
        second += 1
