"""Words an answer for people: the text, marks of evidence, sources with pages, what does not hold."""

from collections.abc import Iterator

from fundstelle.cli.output import in_one_line
from fundstelle.domain.answers import AnswerRecord, AnswerSource, NearestCandidate
from fundstelle.domain.retrieval import AnswerVerdict, EvidenceStatus

MARKS = {EvidenceStatus.WEAK: "~", EvidenceStatus.UNSUPPORTED: "✗"}
VERDICTS = {
    AnswerVerdict.SUPPORTED: "every sentence stands in its source; whether it answers you is yours to judge",
    AnswerVerdict.PARTLY_SUPPORTED: "not every sentence is supported; see below",
    AnswerVerdict.UNSUPPORTED: "the sources do not support this answer",
    AnswerVerdict.NO_PASSAGE: "no passage answers the question",
}
_EXCERPT_CHARS = 160


def answer_lines(answer: AnswerRecord) -> Iterator[str]:
    """Word the whole answer, line by line."""
    yield answer.answer
    cited = [source for source in answer.sources if source.cited]
    if cited:
        yield ""
        yield "Sources"
        yield from (f"  [{source.number}] {place(source)}" for source in cited)
    if answer.nearest:
        yield ""
        yield "Nearest passages (they do not answer the question)"
        yield from map(_nearest, answer.nearest)
    yield from _doubts(answer)
    yield ""
    yield f"Evidence: {VERDICTS[answer.verdict]}.  Trace: fundstelle trace {answer.query_id}"


def place(source: AnswerSource | NearestCandidate) -> str:
    """Word where a source stands: title, section, page with its printed number where it differs."""
    parts = [source.document_title, source.heading_path]
    if source.paged:
        parts.append(pages(source.page_first, source.page_last, source.label_first, source.label_last))
    return in_one_line(", ".join(part for part in parts if part))


def pages(first: int, last: int, label_first: str | None, label_last: str | None) -> str:
    """Word a range of pages, physical and printed where they differ."""
    physical = f"page {first}" if first == last else f"pages {first}–{last}"
    printed = label_first if label_first == label_last else f"{label_first}–{label_last}"
    differs = label_first not in (None, "", str(first)) or label_last not in (None, "", str(last))
    return f"{physical} (printed {printed})" if differs else physical


def _nearest(candidate: NearestCandidate) -> str:
    excerpt = " ".join(candidate.excerpt.split())
    shown = excerpt if len(excerpt) <= _EXCERPT_CHARS else f"{excerpt[: _EXCERPT_CHARS - 1]}…"
    return f"  · {place(candidate)}: {shown}"


def _doubts(answer: AnswerRecord) -> Iterator[str]:
    doubtful = [one for one in answer.sentences if one.status is not EvidenceStatus.SUPPORTED]
    if doubtful or answer.problems:
        yield ""
        yield "Not proven"
    for sentence in doubtful:
        yield f"  {MARKS[sentence.status]} {sentence.text}"
        yield from (f"      {problem}" for problem in sentence.problems)
    yield from (f"  ✗ {problem}" for problem in answer.problems)
