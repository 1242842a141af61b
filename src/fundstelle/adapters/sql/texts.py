"""Pages and sections in SQL; implements `ports.storing.TextStore`."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from sqlalchemy import Connection, Row, delete, select

from fundstelle.adapters.sql.packing import pack_boxes, page_metadata, unpack_boxes, unpack_marks
from fundstelle.adapters.sql.statements import insert_all
from fundstelle.adapters.sql.tables import document_pages
from fundstelle.adapters.sql.tables import sections as sections_table
from fundstelle.domain.documents import PageQuality, PageText, RecognisedBy, Section, VersionText
from fundstelle.domain.identity import ContentHash, VersionId, page_id
from fundstelle.domain.offsets import OffsetMap
from fundstelle.ports.records import VersionRecord
from fundstelle.ports.storing import Clock

_PAGES_AT_ONCE = 64


class SqlTexts:
    """Keep the text of versions."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def write(self, version: VersionRecord, pages: Sequence[PageText], sections: Sequence[Section]) -> None:
        """Store pages and sections of a version in place of what was stored before."""
        for table in (document_pages, sections_table):
            self._connection.execute(delete(table).where(table.c.version_id == version.version_id))
        self._write_pages(version, pages)
        owner = {"document_id": version.document_id, "version_id": version.version_id}
        insert_all(self._connection, sections_table, [_section_row(section) | owner for section in sections])

    def pages(self, version_id: VersionId, first: int = 1, last: int | None = None) -> Iterator[PageText]:
        """Go through pages in order, from and to these physical numbers."""
        query = (
            select(document_pages)
            .where(document_pages.c.version_id == version_id, document_pages.c.page_number >= first)
            .order_by(document_pages.c.page_number)
        )
        if last is not None:
            query = query.where(document_pages.c.page_number <= last)
        with self._connection.execute(query).yield_per(_PAGES_AT_ONCE) as rows:
            yield from map(_page, rows)

    def text(self, version_id: VersionId, content_hash: ContentHash) -> VersionText:
        """Read the version text with the place of each page."""
        query = (
            select(document_pages.c.char_start, document_pages.c.content)
            .where(document_pages.c.version_id == version_id)
            .order_by(document_pages.c.page_number)
        )
        rows = self._connection.execute(query).all()
        return VersionText(
            version_id, content_hash, "".join(row.content for row in rows), [row.char_start for row in rows]
        )

    def sections(self, version_id: VersionId) -> tuple[Section, ...]:
        """Read the sections in reading order."""
        query = (
            select(sections_table)
            .where(sections_table.c.version_id == version_id)
            .order_by(sections_table.c.ordinal)
        )
        return tuple(map(_section, self._connection.execute(query)))

    def _write_pages(self, version: VersionRecord, pages: Sequence[PageText]) -> None:
        now = self._clock()
        starts = accumulate((len(page.content) for page in pages), initial=0)
        rows = [
            {
                "id": page_id(version.version_id, page.page_number),
                "document_id": version.document_id,
                "version_id": version.version_id,
                "page_number": page.page_number,
                "page_label": page.page_label,
                "char_start": start,
                "content": page.content,
                "raw_content": page.raw_content,
                "offset_map": page.offset_map.encode(),
                "line_boxes": pack_boxes(page.line_boxes),
                "quality": page.quality,
                "metadata": page_metadata(page),
                "created_at": now,
            }
            for page, start in zip(pages, starts, strict=False)
        ]
        insert_all(self._connection, document_pages, rows)


def _page(row: Row[tuple[object, ...]]) -> PageText:
    values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
    columns = document_pages.c
    metadata = values[columns.metadata]
    return PageText(
        page_number=values[columns.page_number],
        page_label=values[columns.page_label],
        content=values[columns.content],
        raw_content=values[columns.raw_content],
        offset_map=OffsetMap.decode(values[columns.offset_map]),
        line_boxes=unpack_boxes(values[columns.line_boxes]),
        quality=PageQuality(values[columns.quality]),
        quality_reason=metadata["quality_reason"],
        marks=unpack_marks(metadata["marks"]),
        width=metadata["width"],
        height=metadata["height"],
        from_ocr=metadata["from_ocr"],
    )


def _section_row(section: Section) -> dict[str, object]:
    row = {name: getattr(section, name) for name in Section.__slots__ if name != "section_id"}
    return row | {"id": section.section_id}


def _section(row: Row[tuple[object, ...]]) -> Section:
    values = row._mapping  # noqa: SLF001 - the documented way to read a row by name
    columns = sections_table.c
    return Section(
        section_id=values[columns.id],
        parent_id=values[columns.parent_id],
        ordinal=values[columns.ordinal],
        ordinal_path=values[columns.ordinal_path],
        level=values[columns.level],
        title=values[columns.title],
        heading_path=values[columns.heading_path],
        char_start=values[columns.char_start],
        body_start=values[columns.body_start],
        char_end=values[columns.char_end],
        page_first=values[columns.page_first],
        page_last=values[columns.page_last],
        recognised_by=RecognisedBy(values[columns.recognised_by]),
    )
