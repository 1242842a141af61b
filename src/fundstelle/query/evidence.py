"""Check an answer against the sources it was given: the evidence check (Belegprüfung) of phase A7.

Works for the answer of any generator. Nothing in the raw answer is changed: the report says, for each
sentence that claims something, whether the passages that it cites support it.

How findings become a status:
- `supported`: cites a source, and the sentence stands there word for word; or at least 75 % of its
  content words do and no rule finds anything.
- `weak`: at least 45 % of its content words do, or a rule has a slight finding (a noun that is not
  there), or no source is cited: such a sentence is compared with all sources and is at most `weak`.
- `unsupported`: less than that; or a grave finding (number, date, quote, name not there; more or less
  binding; denied; bound turned round); or only sources are cited that do not exist.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fundstelle.domain.quantities import find_quantities
from fundstelle.domain.retrieval import AnswerVerdict, ContextSource, EvidenceStatus, SentenceEvidence
from fundstelle.domain.text.matching import content_terms
from fundstelle.query.evidence_citations import CitedSentence, cited_sentences
from fundstelle.query.evidence_passages import Passage
from fundstelle.query.evidence_rules import RULES, Finding, claim_terms, coverage, overall_coverage

SUPPORTED_COVERAGE = 0.75
WEAK_COVERAGE = 0.45
NEARLY_THE_SAME = 0.9
"""Similarity from which a sentence counts as `weak` although few of its words are in the passage."""

Similarity = Callable[[str, str], float]
"""Compare a sentence of the answer with one of a passage; 1 for the same meaning."""

_REFUSAL = re.compile(r"\A[\s*_#>\"„]{0,8}Keine Fundstelle\b", re.IGNORECASE)
_NO_CLAIM = re.compile(
    r"\A(?:hallo|guten (?:tag|morgen|abend)|liebe[r]?\b|sehr geehrte|vielen dank|danke|gerne?[.!,]"
    r"|natürlich[.!,]"
    r"|ich hoffe|bei (?:weiteren|rückfragen)|melden sie sich|quellen?(?:angaben?|nachweise?"
    r"|verzeichnis)?\s*:"
    r"|(?:zusammenfassend|kurz gesagt|kurzum|zusammengefasst|fazit|antwort|hinweis|im einzelnen"
    r"|dazu gehören"
    r"|hier (?:ist|sind) [^.]{0,60}|folgendes|im folgenden[^.]{0,60})\s*[:.]?\Z)",
    re.IGNORECASE,
)
_NOTHING_THERE = re.compile(
    r"\b(?:dazu|hierzu|darüber|quellen?|dokumente?n?|abschnitte?n?|kontext|unterlagen|passagen)\b.{0,80}"
    r"\b(?:nichts|keine[nrs]? (?:angaben?|informationen?|auskunft|aussagen?|hinweise?|antwort|passagen?))\b"
    r"|\bkeine[nrs]? (?:angaben?|informationen?|auskunft|aussagen?|hinweise?|antwort)\b.{0,80}"
    r"\b(?:quellen?|dokumente?n?|abschnitte?n?|kontext|unterlagen)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*\n]{1,120}\*\*:?\s*\Z")


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """Hold the result of the check.

    Args:
        sentences: Every sentence that claims something, in order; greetings and headings are left out.
        unknown_citations: Cited numbers that no source has, ascending.
        problems: What concerns the answer as a whole, in sentences for people.
    """

    sentences: tuple[SentenceEvidence, ...]
    verdict: AnswerVerdict
    unknown_citations: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()


def check_evidence(
    answer: str, sources: Sequence[ContextSource], *, similarity: Similarity | None = None
) -> EvidenceReport:
    """Check each sentence of an answer against the sources that it cites.

    Args:
        answer: The raw answer, as the generator gave it.
        sources: The sources of the context.
        similarity: Lifts a sentence of other words but the same meaning from `unsupported` to `weak`.
    """
    passages = {source.number: Passage(source) for source in sources}
    found = cited_sentences(answer, is_quoted=lambda piece: any(piece in source.text for source in sources))
    sentences = [sentence for sentence in _inherit(found) if _claims(sentence, answer)]
    if not sentences and _REFUSAL.match(answer):
        return EvidenceReport((), AnswerVerdict.NO_PASSAGE)
    checked = tuple(_check(sentence, answer, passages, similarity) for sentence in sentences)
    unknown = sorted({number for sentence in found for number in sentence.cited} - set(passages))
    return EvidenceReport(
        checked,
        _verdict(checked, complete=not unknown),
        tuple(unknown),
        tuple(_problems(checked, unknown, passages)),
    )


def _inherit(sentences: Sequence[CitedSentence]) -> Iterator[CitedSentence]:
    """Let a lead-in that ends with a colon share its citations with the items after it, and the reverse."""
    for index, sentence in enumerate(sentences):
        if sentence.cited or not sentence.text.endswith(":") or index + 1 == len(sentences):
            yield sentence
        else:
            yield CitedSentence(
                sentence.text, sentence.char_start, sentence.char_end, sentences[index + 1].cited
            )


def _claims(sentence: CitedSentence, answer: str) -> bool:
    """Say whether a sentence claims something that can be checked."""
    raw = answer[sentence.char_start : sentence.char_end]
    refuses = _REFUSAL.match(sentence.text) and not sentence.cited
    if _HEADING.match(raw) or _NO_CLAIM.match(sentence.text) or refuses:
        return False
    if not sentence.cited and (sentence.text.endswith("?") or _NOTHING_THERE.search(sentence.text)):
        return False
    return bool(content_terms(sentence.text)) or bool(find_quantities(sentence.text))


def _check(
    sentence: CitedSentence, answer: str, passages: dict[int, Passage], similarity: Similarity | None
) -> SentenceEvidence:
    known = [passages[number] for number in sentence.cited if number in passages]
    unknown = [number for number in sentence.cited if number not in passages]
    findings = [Finding(f"Eine Quelle {number} gibt es nicht.", grave=not known) for number in unknown]
    if sentence.cited and not known:
        return _evidence(sentence, answer, EvidenceStatus.UNSUPPORTED, (), findings)
    if not sentence.cited:
        return _check_uncited(sentence, answer, list(passages.values()), similarity)
    status, supporting, more = _judge(sentence.text, known, similarity)
    findings += more
    if findings and status is EvidenceStatus.SUPPORTED:
        status = EvidenceStatus.WEAK
    if status is EvidenceStatus.UNSUPPORTED:
        findings += _elsewhere(sentence, passages)
    return _evidence(sentence, answer, status, supporting, findings)


def _check_uncited(
    sentence: CitedSentence, answer: str, passages: Sequence[Passage], similarity: Similarity | None
) -> SentenceEvidence:
    """Compare with the passage that supports best; the sentence itself names none, so it is at most weak."""
    best = _best(sentence.text, passages)
    if best is None:
        return _evidence(sentence, answer, EvidenceStatus.UNSUPPORTED, (), [_uncited("")])
    status, supporting, findings = _judge(sentence.text, [best], similarity)
    hint = (
        f" am ehesten steht es in Quelle {best.source.number}"
        if status is not EvidenceStatus.UNSUPPORTED
        else ""
    )
    if status is EvidenceStatus.SUPPORTED:
        status = EvidenceStatus.WEAK
    return _evidence(sentence, answer, status, supporting, [_uncited(hint), *findings])


def _uncited(hint: str) -> Finding:
    return Finding(f"Der Satz nennt keine Quelle{';' if hint else ''}{hint}.", grave=False)


def _best(text: str, passages: Sequence[Passage]) -> Passage | None:
    terms = claim_terms(text)
    if not terms:
        return None
    ranked = max(
        (
            (passage.is_verbatim(text), coverage(terms, passage).coverage, -place)
            for place, passage in enumerate(passages)
        ),
        default=None,
    )
    return passages[-ranked[2]] if ranked and (ranked[0] or ranked[1]) else None


def _elsewhere(sentence: CitedSentence, passages: dict[int, Passage]) -> Iterator[Finding]:
    """Name a source that supports the sentence but is not the one it cites."""
    for number, passage in passages.items():
        if (
            number not in sentence.cited
            and _judge(sentence.text, [passage], None)[0] is EvidenceStatus.SUPPORTED
        ):
            yield Finding(f"Belegt ist der Satz in Quelle {number}, die er nicht nennt.", grave=False)
            return


def _judge(
    text: str, passages: Sequence[Passage], similarity: Similarity | None
) -> tuple[EvidenceStatus, tuple[int, ...], list[Finding]]:
    """Judge a sentence against given passages: status, the sources that support it, findings."""
    verbatim = [passage for passage in passages if passage.is_verbatim(text)]
    if verbatim:
        return _judge_verbatim(text, verbatim, passages)
    findings = [finding for rule in RULES for finding in rule(text, passages)]
    share = overall_coverage(text, passages)
    if any(finding.grave for finding in findings):
        return EvidenceStatus.UNSUPPORTED, (), findings
    if share < WEAK_COVERAGE and not _alike(text, passages, similarity):
        words = "Nur wenige Wörter des Satzes stehen in der genannten Quelle."
        return EvidenceStatus.UNSUPPORTED, (), [*findings, Finding(words, grave=True)]
    supporting = _supporting(text, passages)
    if share < SUPPORTED_COVERAGE:
        findings.append(Finding("Der Satz ist nur zum Teil mit den Worten der Quelle belegt.", grave=False))
    idle = [passage.source.number for passage in passages if passage.source.number not in supporting]
    findings += [Finding(f"Quelle {number} stützt den Satz nicht.", grave=False) for number in idle]
    return (EvidenceStatus.WEAK if findings else EvidenceStatus.SUPPORTED), supporting, findings


def _judge_verbatim(
    text: str, verbatim: Sequence[Passage], passages: Sequence[Passage]
) -> tuple[EvidenceStatus, tuple[int, ...], list[Finding]]:
    """Judge a sentence that stands in a passage word for word; other cited sources must hold it, too."""
    supporting = [
        passage.source.number
        for passage in passages
        if passage in verbatim or overall_coverage(text, [passage]) >= WEAK_COVERAGE
    ]
    idle = [passage.source.number for passage in passages if passage.source.number not in supporting]
    findings = [Finding(f"Quelle {number} stützt den Satz nicht.", grave=False) for number in idle]
    status = EvidenceStatus.WEAK if findings else EvidenceStatus.SUPPORTED
    return status, tuple(supporting), findings


def _supporting(text: str, passages: Sequence[Passage]) -> tuple[int, ...]:
    """List the passages that hold a fair part of the sentence; the best one in any case."""
    shares = {passage.source.number: overall_coverage(text, [passage]) for passage in passages}
    least = min(WEAK_COVERAGE, max(shares.values()))
    clauses = {passage.source.number: _holds_a_clause(text, passage) for passage in passages}
    return tuple(number for number, share in shares.items() if share >= least or clauses[number])


def _holds_a_clause(text: str, passage: Passage) -> bool:
    pieces = [terms for piece in re.split(r",\s|\sund\s|;\s", text) if len(terms := claim_terms(piece)) > 1]
    return any(coverage(terms, passage).coverage >= SUPPORTED_COVERAGE for terms in pieces)


def _alike(text: str, passages: Sequence[Passage], similarity: Similarity | None) -> bool:
    if similarity is None:
        return False
    terms = claim_terms(text)
    for passage in passages:
        place = coverage(terms, passage).sentence
        near = passage.sentences[max(0, place - 1) : place + 2]
        if any(similarity(text, sentence) >= NEARLY_THE_SAME for sentence in near):
            return True
    return False


def _evidence(
    sentence: CitedSentence,
    answer: str,
    status: EvidenceStatus,
    supporting: tuple[int, ...],
    findings: Sequence[Finding],
) -> SentenceEvidence:
    text = answer[sentence.char_start : sentence.char_end]
    problems = tuple(dict.fromkeys(finding.problem for finding in findings))
    return SentenceEvidence(text, sentence.char_start, sentence.char_end, status, supporting, problems)


def _verdict(sentences: Sequence[SentenceEvidence], *, complete: bool) -> AnswerVerdict:
    statuses = {sentence.status for sentence in sentences}
    if not statuses or statuses == {EvidenceStatus.UNSUPPORTED}:
        return AnswerVerdict.UNSUPPORTED
    if statuses == {EvidenceStatus.SUPPORTED} and complete:
        return AnswerVerdict.SUPPORTED
    return AnswerVerdict.PARTLY_SUPPORTED


def _problems(
    sentences: Sequence[SentenceEvidence], unknown: Sequence[int], passages: dict[int, Passage]
) -> Iterator[str]:
    if not sentences:
        yield "Die Antwort enthält keine prüfbare Aussage."
    for number in unknown:
        given = (
            f"gegeben waren die Quellen {min(passages)} bis {max(passages)}"
            if passages
            else "gegeben war keine"
        )
        yield f"Die Antwort nennt Quelle {number}, die es nicht gibt ({given})."
