"""Find what a German sentence commits itself to: how binding its clauses are, what it denies and quotes.

A sentence of an answer and the passage that it cites are compared claim by claim; this module only
finds the claims, in forms that can be compared. It must not know of sources or verdicts. Numbers and
dates are found in `quantities`, names in `names`, opposites in `opposites`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fundstelle.domain.text.matching import content_terms


class Strength(StrEnum):
    """Name how binding a clause is."""

    DUTY = "muss"
    ADVICE = "soll"
    MAY = "darf oder kann"
    BAN = "darf nicht"
    NO_DUTY = "muss nicht"
    DISCOURAGED = "soll nicht"


_NEGATED = {
    Strength.DUTY: Strength.NO_DUTY, Strength.MAY: Strength.BAN, Strength.ADVICE: Strength.DISCOURAGED,
    Strength.BAN: Strength.MAY, Strength.NO_DUTY: Strength.DUTY,
}  # fmt: skip
OPPOSITES = frozenset(
    {frozenset({Strength.MAY, Strength.BAN}), frozenset({Strength.DUTY, Strength.NO_DUTY}),
     frozenset({Strength.ADVICE, Strength.DISCOURAGED}), frozenset({Strength.DUTY, Strength.BAN}),
     frozenset({Strength.BAN, Strength.NO_DUTY})}
)  # fmt: skip
"""Pairs of strengths of which one denies the other."""

_MODALS = (
    (Strength.DUTY, re.compile(r"\bm[uü]ss(?:t?en|te?|test|tet)?\b", re.IGNORECASE)),
    (Strength.ADVICE, re.compile(r"\bsoll(?:en|te|ten|st|test|t)?\b", re.IGNORECASE)),
    (
        Strength.MAY,
        re.compile(r"\b(?:d[aü]rf(?:en|te|ten|st|t)?|k[aö]nn(?:en|te|ten|st|t)?)\b", re.IGNORECASE),
    ),
)
_PHRASES = (
    (
        Strength.DUTY,
        re.compile(
            r"\b(?:verpflichte\w*|\w*pflicht\b|zwingend\w*|erforderlich\w*|notwendig\w*|nötig\b"
            r"|obligatorisch\w*"
            r"|vorgeschrieben\w*|bedarf\b|bedürfen\b|benötig\w*|unerlässlich\w*|verbindlich\w*"
            r"|brauch(?:t|en|te|ten)\b)"
            r"|\b(?:ist|sind|hat|haben)\b[^.;:]{0,120}\bzu\s[a-zäöüß]{2,30}e?n\b"
            r"|\b(?:ist|sind|hat|haben)\b[^.;:]{0,120}\b(?:ab|an|auf|aus|bei|durch|ein|mit|nach|vor"
            r"|zurück|weiter|dar|her"
            r"|hin|um|bereit|fest|frei|sicher)zu[a-zäöüß]{2,30}e?n\b",
            re.IGNORECASE,
        ),
    ),
    (Strength.ADVICE, re.compile(r"\b(?:empf[eio]hl\w*|empfohlen\w*|ratsam|sinnvoll)\b", re.IGNORECASE)),
    (
        Strength.MAY,
        re.compile(r"\b(?:erlaub\w*|gestatte\w*|zulässig\w*|berechtigt|befugt|möglich)\b", re.IGNORECASE),
    ),
    (
        Strength.BAN,
        re.compile(
            r"\b(?:verboten\w*|untersag\w*|unzulässig\w*|unmöglich|ausgeschlossen|verbiete\w*|unbefugt)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Strength.NO_DUTY,
        re.compile(r"\b(?:freiwillig\w*|optional\w*|entbehrlich\w*|freigestellt)\b", re.IGNORECASE),
    ),
)
_NEGATION = re.compile(
    r"\b(?:nicht|nie|niemals|niemand\w*|nichts|nirgends|nirgendwo|kein(?:e[mnrs]?|erlei|esfalls"
    r"|eswegs)?|weder)\b",
    re.IGNORECASE,
)
_NO_NEGATION = re.compile(
    r"\bnicht\s(?:nur|zuletzt|selten|allein|lediglich|(?:mehr|weniger|länger|später|früher|höher"
    r"|kleiner|größer)\sals)\b",
    re.IGNORECASE,
)
_LINKS = r"und|oder|aber|sondern|sowie|jedoch|doch|während|wobei|wenn|sofern|falls|weil|dass|damit|obwohl"
_BREAK = re.compile(
    rf"[,;:–—]\s+|\s(?=(?:{_LINKS})\s(?:\w+\s){{0,3}}?(?:muss|müssen|soll|sollen|sollte|sollten|darf"
    rf"|dürfen|kann"
    r"|können|ist|sind|wird|werden|hat|haben|nicht|kein|keine)\b)"
)
_FEWEST_TERMS = 2


@dataclass(frozen=True, slots=True)
class Clause:
    """Hold one clause of a sentence.

    Args:
        core: Strengths said by a modal verb.
        soft: Strengths said otherwise (`ist zu prüfen`, `verpflichtet`, `zulässig`).
        negated: Its negation is not yet part of a strength.
    """

    text: str
    core: frozenset[Strength]
    soft: frozenset[Strength]
    negated: bool


def split_clauses(sentence: str) -> tuple[Clause, ...]:
    """Split a sentence at commas and before joined main clauses; a piece of few words is no clause."""
    return tuple(read_clause(piece) for piece in _pieces(sentence))


def read_clause(text: str) -> Clause:
    """Read strength and negation of a text as one clause."""
    negations = len(_NEGATION.findall(_NO_NEGATION.sub(" ", text)))
    negated = negations % 2 == 1
    core = frozenset(strength for strength, pattern in _MODALS if pattern.search(text))
    soft = frozenset(strength for strength, pattern in _PHRASES if pattern.search(text))
    if negated and (core or soft):
        core = frozenset(_NEGATED.get(strength, strength) for strength in core)
        soft = soft if core else frozenset(_NEGATED.get(strength, strength) for strength in soft)
        negated = False
    return Clause(text, core, soft, negated)


def _pieces(sentence: str) -> Iterator[str]:
    cuts = [*(match.end() for match in _BREAK.finditer(sentence)), len(sentence)]
    terms = [term.char_start for term in content_terms(sentence)]
    last_modal = max(
        (match.start() for _, pattern in _MODALS for match in pattern.finditer(sentence)), default=-1
    )
    start = 0
    for right in cuts:
        first, after = bisect_left(terms, start), bisect_left(terms, right)
        fewest = 1 if last_modal >= right else _FEWEST_TERMS
        enough = after - first >= _FEWEST_TERMS and len(terms) - after >= fewest
        if enough or right == len(sentence):
            if piece := sentence[start:right].strip():
                yield piece
            start = right


_QUOTE = re.compile(
    r"„([^“”„\n]{1,400})[“”]|»([^«»\n]{1,400})«|«([^«»\n]{1,400})»|\"([^\"\n]{1,400})\"|“([^“”\n]{1,400})”"
)
_ELLIPSIS = re.compile(r"\s*(?:\[?…\]?|\[?\.\.\.\]?)\s*")


def find_quotes(sentence: str) -> tuple[str, ...]:
    """List what stands in quotation marks; a quote with ellipses gives its pieces."""
    quotes = (next(group for group in match.groups() if group) for match in _QUOTE.finditer(sentence))
    return tuple(piece.strip() for quote in quotes for piece in _ELLIPSIS.split(quote) if piece.strip())
