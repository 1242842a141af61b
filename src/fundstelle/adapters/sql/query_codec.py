"""Between the results of the query's phases and what is stored of them.

What has a column of its own, or stands elsewhere in SQL, is left out of the JSON and put back when it
is read: chunk texts from `chunks`, the texts of sources from their place in the context block.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from pydantic import TypeAdapter

from fundstelle.domain.answers import AnswerRecord
from fundstelle.domain.identity import ChunkId, TextHash, VersionId, content_hash
from fundstelle.domain.query_phases import (
    AcceptedQuery,
    Context,
    Generation,
    Phase,
    Preselection,
    Prompt,
    QueryTrail,
    QuestionEmbedding,
    Reload,
    Selection,
)
from fundstelle.domain.query_record import CriterionResult
from fundstelle.domain.retrieval import ChunkRecord

if TYPE_CHECKING:
    from pydantic.main import IncEx

JsonObject: TypeAlias = dict[str, object]
Contents: TypeAlias = Mapping[tuple[VersionId, ChunkId], str]

_RECORD_BESIDE_KEY = {one.name for one in fields(ChunkRecord)} - {"version_id", "chunk_id"}


@dataclass(frozen=True, slots=True)
class StoredArtefact:
    """Hold what is stored of one phase; `artefacts` is JSON."""

    artefacts: str | None
    text: str | None = None
    vector: bytes | None = None

    def hash(self) -> TextHash:
        """Hash everything that is stored of the phase."""
        parts = (self.artefacts, self.text, self.vector)
        data = (b"-" if part is None else _bytes(part) for part in parts)
        return TextHash(content_hash(b"".join(len(part).to_bytes(8, "big") + part for part in data)))


def _bytes(part: str | bytes) -> bytes:
    return b"+" + (part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part)


@dataclass(frozen=True, slots=True)
class _Form:
    """Say how the result of one phase is stored; `text` is the field that has the text column."""

    field: str
    type: type
    exclude: "IncEx"
    text: str | None = None


_FORMS: Mapping[Phase, _Form] = {
    Phase.REQUEST: _Form("accepted", AcceptedQuery, set()),
    Phase.EMBEDDING: _Form("embedding", QuestionEmbedding, {"text", "vector"}, "text"),
    Phase.PRESELECTION: _Form("preselection", Preselection, set()),
    Phase.RELOAD: _Form("reload", Reload, {"records": {"__all__": {"content"}}}),
    Phase.SELECTION: _Form("selection", Selection, {"selected": {"__all__": {"record": _RECORD_BESIDE_KEY}}}),
    Phase.CONTEXT: _Form("context", Context, {"block": True, "sources": {"__all__": {"text"}}}, "block"),
    Phase.PROMPT: _Form("prompt", Prompt, {"user"}, "user"),
    Phase.GENERATION: _Form("generation", Generation, {"text"}, "text"),
    Phase.OUTPUT: _Form("output", AnswerRecord, set()),
}


@cache
def _adapter(phase: Phase) -> TypeAdapter[object]:
    return TypeAdapter(_FORMS[phase].type)


@cache
def _criteria() -> TypeAdapter[tuple[CriterionResult, ...]]:
    return TypeAdapter(tuple[CriterionResult, ...])


def encode_criteria(criteria: tuple[CriterionResult, ...]) -> str:
    """Write the criteria of a phase as JSON."""
    return _criteria().dump_json(criteria).decode()


def decode_criteria(stored: str) -> tuple[CriterionResult, ...]:
    """Read what `encode_criteria` wrote.

    Raises:
        ValueError: It is something else.
    """
    return _criteria().validate_json(stored)


def encode_artefact(phase: Phase, trail: QueryTrail) -> StoredArtefact:
    """Write the result of one phase; without a result, nothing."""
    form = _FORMS[phase]
    result = getattr(trail, form.field)
    if result is None:
        return StoredArtefact(None)
    stored = _adapter(phase).dump_json(result, exclude=form.exclude).decode()
    vector = trail.embedding.vector if phase is Phase.EMBEDDING and trail.embedding else None
    text: str | None = getattr(result, form.text) if form.text else None
    return StoredArtefact(stored, text, vector)


def named_chunks(stored: Mapping[Phase, StoredArtefact]) -> list[tuple[VersionId, ChunkId]]:
    """List the chunks whose texts are needed to read a query.

    Raises:
        ValueError: The artefacts of phase A3 cannot be read.
    """
    reload = _parse(stored.get(Phase.RELOAD))
    return [] if reload is None else [_key(one) for one in _objects(reload, "records")]


def decode_trail(
    stored: Mapping[Phase, StoredArtefact], contents: Contents
) -> tuple[QueryTrail, Mapping[Phase, str]]:
    """Read the results of all phases, and say of which the stored artefacts cannot be read, and why.

    Args:
        contents: Texts of the chunks; one that is missing becomes empty.
    """
    results: dict[str, object] = {}
    unreadable: dict[Phase, str] = {}
    for phase, form in _FORMS.items():
        try:
            results[form.field] = _decode(phase, stored, contents)
        except (ValueError, TypeError) as error:
            unreadable[phase] = " ".join(str(error).split())
    return cast("Callable[..., QueryTrail]", QueryTrail)(**results), unreadable


def _decode(phase: Phase, stored: Mapping[Phase, StoredArtefact], contents: Contents) -> object | None:
    found = _parse(stored.get(phase))
    if found is None:
        return None
    _put_back(phase, found, stored, contents)
    return _adapter(phase).validate_python(found)


def _put_back(
    phase: Phase, found: JsonObject, stored: Mapping[Phase, StoredArtefact], contents: Contents
) -> None:
    form, own = _FORMS[phase], stored[phase]
    if form.text:
        found[form.text] = own.text
    match phase:
        case Phase.EMBEDDING:
            found["vector"] = own.vector
        case Phase.RELOAD:
            _add_contents(_objects(found, "records"), contents)
        case Phase.SELECTION:
            _add_records(_objects(found, "selected"), _parse(stored.get(Phase.RELOAD)), contents)
        case Phase.CONTEXT:
            _add_source_texts(found, own.text or "")
        case _:
            pass


def _add_contents(records: Iterable[JsonObject], contents: Contents) -> None:
    for record in records:
        record["content"] = contents.get(_key(record), "")


def _add_records(selected: Iterable[JsonObject], reload: JsonObject | None, contents: Contents) -> None:
    records = _objects(reload or {}, "records")
    _add_contents(records, contents)
    by_key = {_key(record): record for record in records}
    for chosen in selected:
        key = _key(cast("JsonObject", chosen.get("record") or {}))
        chosen["record"] = by_key.get(key)


def _add_source_texts(found: JsonObject, block: str) -> None:
    spans = cast("list[list[int]]", found.get("spans") or [])
    for source, (start, end) in zip(_objects(found, "sources"), spans, strict=True):
        source["text"] = block[start:end]


def _parse(stored: StoredArtefact | None) -> JsonObject | None:
    if stored is None or stored.artefacts is None:
        return None
    found = json.loads(stored.artefacts)
    if not isinstance(found, dict):
        raise TypeError("The artefacts are no JSON object.")
    return found


def _objects(parent: JsonObject, name: str) -> list[JsonObject]:
    value = parent.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValueError(f"'{name}' is no list of objects.")
    return value


def _key(record: JsonObject) -> tuple[VersionId, ChunkId]:
    return VersionId(str(record.get("version_id"))), ChunkId(str(record.get("chunk_id")))
