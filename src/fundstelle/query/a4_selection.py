"""Phase A4, selection (Selektion): which candidates go into the context, and why the others do not.

Rules, in this order, each candidate by score:

1. *token limit*: left out when it does not fit any more; a smaller one after it may still fit. The chunk's
   own count decides first, then the count of the whole block: what is over it goes, from the end.
2. *redundancy*: left out when more than 80 % of its word sequences, and all of its numbers, stand in
   a chunk already chosen. Neighbours of one document overlap far less and are allowed. Numbers are
   asked for because two price lists may differ in nothing else.
3. *document diversity*: after three chunks of one document, chunks of other documents come first;
   what is left of the token limit then goes to the ones that had to wait.

Deterministic: equal scores are ordered by rank and id, nothing depends on time or on a set's order.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fundstelle.domain.query_phases import Selection
from fundstelle.domain.retrieval import Candidate, ChunkRecord, Omission, SelectedChunk
from fundstelle.ports.querying import ChunkKey
from fundstelle.query.a5_context import SEPARATOR, render_block, render_source

MAX_PER_DOCUMENT = 3
MAX_REDUNDANCY = 0.8
SHINGLE_WORDS = 4
RULES = f"selection/1 redundancy={MAX_REDUNDANCY} shingle={SHINGLE_WORDS} per_document={MAX_PER_DOCUMENT}"

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def select_chunks(
    candidates: Sequence[Candidate],
    records: Sequence[ChunkRecord],
    *,
    context_tokens: int,
    count_tokens: Callable[[str], int],
) -> Selection:
    """Choose chunks by score, free of redundancy, across documents, up to the token limit.

    Args:
        records: The text of each candidate, as phase A3 loaded it.
        context_tokens: Limit of the whole context block, headings and separators included.
    """
    texts = {ChunkKey(record.version_id, record.chunk_id): record for record in records}
    ordered = sorted(candidates, key=lambda one: (-one.score, one.rank, _key(one)))
    choice = _Choice(texts, context_tokens, count_tokens)
    others_exist = len({record.document_id for record in records}) > 1
    waiting = [one for one in ordered if not choice.consider(one, others_exist)]
    for candidate in waiting:
        choice.consider(candidate, others_exist=False)
    return choice.finish(ordered, waiting)


def _key(candidate: Candidate) -> ChunkKey:
    return ChunkKey(candidate.version_id, candidate.chunk_id)


@dataclass(slots=True)
class _Choice:
    """Hold the state of one selection: what is chosen, what it costs, what was left out."""

    texts: Mapping[ChunkKey, ChunkRecord]
    limit: int
    count_tokens: Callable[[str], int]
    chosen: dict[ChunkKey, Candidate] = field(default_factory=dict)
    prints: dict[ChunkKey, "_Fingerprint"] = field(default_factory=dict)
    reasons: dict[ChunkKey, str] = field(default_factory=dict)
    per_document: Counter[str] = field(default_factory=Counter)
    tokens: int = 0

    def consider(self, candidate: Candidate, others_exist: bool) -> bool:
        """Choose a candidate or note why not; False when it has to wait for other documents."""
        key, record = _key(candidate), self.texts[_key(candidate)]
        if others_exist and self.per_document[record.document_id] >= MAX_PER_DOCUMENT:
            return False
        cost = self._cost(record)
        if self.tokens + cost > self.limit:
            self.reasons[key] = f"token_limit: with it the context would have {self.tokens + cost} tokens"
            return True
        fingerprint = _Fingerprint.of(record.content)
        if redundant := self._redundancy(fingerprint):
            self.reasons[key] = redundant
        else:
            self.chosen[key] = candidate
            self.prints[key] = fingerprint
            self.per_document[record.document_id] += 1
            self.tokens += cost
        return True

    def finish(self, ordered: Sequence[Candidate], waiting: Sequence[Candidate]) -> Selection:
        """Number the chosen ones by score, and count the tokens of the block they really make."""
        numbered = self._numbered(ordered)
        while (tokens := self.count_tokens(render_block(numbered))) > self.limit:
            last = numbered[-1].record
            key = ChunkKey(last.version_id, last.chunk_id)
            del self.chosen[key]
            self.reasons[key] = f"token_limit: with it the context would have {tokens} tokens"
            numbered = self._numbered(ordered)
        for key in map(_key, waiting):
            if key in self.reasons:
                self.reasons[key] += f", after {MAX_PER_DOCUMENT} better chunks of its document"
        omitted = (one for one in ordered if _key(one) not in self.chosen)
        return Selection(
            tuple(numbered),
            tuple(Omission(one.chunk_id, one.version_id, self.reasons[_key(one)]) for one in omitted),
            RULES,
            tokens,
        )

    def _numbered(self, ordered: Sequence[Candidate]) -> list[SelectedChunk]:
        chosen = (one for one in ordered if _key(one) in self.chosen)
        return [SelectedChunk(n, one.score, self.texts[_key(one)]) for n, one in enumerate(chosen, start=1)]

    def _cost(self, record: ChunkRecord) -> int:
        heading = render_source(len(self.chosen) + 1, record.document_title, "").text
        return record.token_count + self.count_tokens(heading + SEPARATOR if self.chosen else heading)

    def _redundancy(self, fingerprint: "_Fingerprint") -> str:
        for key, other in self.prints.items():
            share = fingerprint.share_in(other)
            if share > MAX_REDUNDANCY:
                return f"redundant: {share:.0%} of it stands in {key.chunk_id}"
        return ""


@dataclass(frozen=True, slots=True)
class _Fingerprint:
    """Hold the word sequences and numbers of a text."""

    shingles: frozenset[tuple[str, ...]]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "_Fingerprint":
        words = _WORD.findall(text.casefold())
        size = min(SHINGLE_WORDS, len(words))
        shingles = zip(*(words[start:] for start in range(size)), strict=False)
        return cls(frozenset(shingles), frozenset(_NUMBER.findall(text)))

    def share_in(self, other: "_Fingerprint") -> float:
        """Say how much of this text stands in the other, from 0 to 1; 0 when a number is missing there."""
        if not self.shingles or not self.numbers <= other.numbers:
            return 0.0
        return len(self.shingles & other.shingles) / len(self.shingles)
