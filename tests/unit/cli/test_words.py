"""What the command line says: pages, JSON, answers."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import pytest

from fundstelle.cli.answer_text import pages, place
from fundstelle.cli.jsonable import json_object
from fundstelle.domain.answers import NearestCandidate
from fundstelle.domain.identity import ChunkId, DocumentId, VersionId


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((3, 3, None, None), "page 3"),
        ((3, 3, "3", "3"), "page 3"),
        ((8, 8, "4", "4"), "page 8 (printed 4)"),
        ((8, 9, "4", "5"), "pages 8–9 (printed 4–5)"),
        ((3, 4, "3", "4"), "pages 3–4"),
        ((2, 3, "ii", "1"), "pages 2–3 (printed ii–1)"),
        ((1, 1, "", ""), "page 1"),
    ],
)
def test_pages_when_labels_differ_then_both_are_named(
    given: tuple[int, int, str | None, str | None], words: str
) -> None:
    """A citation names the physical page, and the printed one where it differs."""
    assert pages(*given) == words


class _Kind(StrEnum):
    A = "a"


@dataclass(frozen=True)
class _Thing:
    kind: _Kind
    when: datetime
    where: Path
    data: bytes
    parts: tuple[int, ...]
    named: dict[_Kind, float]


def test_json_object_when_given_every_kind_of_value_then_plain_json_comes_out() -> None:
    """Enumerations, times, paths, bytes and nested values all have one form."""
    thing = _Thing(_Kind.A, datetime(2026, 1, 2, tzinfo=UTC), Path("x"), b"\x00", (1, 2), {_Kind.A: 0.5})
    assert json_object(thing) == {
        "kind": "a",
        "when": "2026-01-02T00:00:00+00:00",
        "where": "x",
        "data": "AA==",
        "parts": [1, 2],
        "named": {"a": 0.5},
    }


def test_json_object_when_a_value_has_no_form_then_it_is_refused() -> None:
    """Nothing is printed as the name of a Python object by chance."""
    with pytest.raises(TypeError, match="no form in JSON"):
        json_object({"x": object()})


@pytest.mark.parametrize(
    ("paged", "words"),
    [(True, "Ordnung, 1 Frist, page 8 (printed 4)"), (False, "Ordnung, 1 Frist")],
)
def test_place_when_a_near_passage_has_pages_or_not_then_it_says_what_is_true(
    paged: bool, words: str
) -> None:
    """A passage that came near is placed like a source: with both page numbers, or with none."""
    near = NearestCandidate(
        document_id=DocumentId("doc"),
        version_id=VersionId("ver"),
        document_title="Ordnung",
        chunk_id=ChunkId("chk"),
        heading_path="1 Frist",
        page_first=8,
        page_last=8,
        score=0.5,
        excerpt="Die Frist",
        label_first="4",
        label_last="4",
        paged=paged,
    )
    assert place(near) == words
