"""Recognise headings in plain text: underlined, numbered, in capitals, standing by themselves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.domain.text.abbreviations import MONTHS

_MAX_TITLE = 110
_MAX_CAPITALS = 80
_MIN_CAPITALS = 4
_MAX_CAPITALS_SHARE = 0.3

_UNDERLINE = re.compile(r"\s*([=\-~^\"#*+])\1{2,}\s*\Z")
_KEYWORDS = {
    "buch": 10, "part": 10, "teil": 11, "kapitel": 12, "chapter": 12, "abschnitt": 13, "section": 13,
    "unterabschnitt": 14, "titel": 15, "untertitel": 16, "anhang": 12, "anlage": 12, "appendix": 12,
    "artikel": 20, "article": 20,
}  # fmt: skip
_SIGN_RANK, _ROMAN_RANK, _NUMBER_RANK = 20, 25, 30
_UNDERLINE_RANKS = {"=": 0, "-": 1, "~": 2}
_CAPITALS_RANK = 5

_SIGN = re.compile(r"§§?\s*\d+[a-z]?(?:\s*(?:bis|[-–])\s*\d+[a-z]?)?\.?(?:\s+(?P<title>\S.*))?\Z")
_NAMES = "|".join(sorted(_KEYWORDS, key=len, reverse=True))
_KEYWORD = re.compile(
    rf"(?P<name>{_NAMES})\s+(?:\d{{1,3}}[a-z]?|[ivxlcdm]{{1,7}}|[a-z])\b(?:[.:]?\s*(?:[-–—]\s*)?(?P<title>\S.*))?\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"(?:\d{{1,3}}\.|[A-ZÄÖÜ][a-zäöü]{{1,20}}te[rs]?)\s+(?P<name>{_NAMES})\b(?:[.:]?\s*(?P<title>\S.*))?\Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,6})\.?\s+(?P<title>[A-ZÄÖÜ„\"»(<].*)\Z")
_ROMAN = re.compile(r"(?=[IVX])(?:X{0,3}(?:IX|IV|V?I{0,3}))\.\s+(?P<title>[A-ZÄÖÜ].*)\Z")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|\s{3,}\d+\s*\Z")
_CITES = re.compile(r"(?:Abs|Absatz|Satz|S|Nr|Nummer|lit|Halbsatz|und|oder|bis|gilt|ist|sind|bleibt)\b")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class HeadingSign:
    """Say by what a line is a heading.

    Args:
        rank: Smaller ranks are higher; levels are counted from the ranks that a document uses.
        depth: Parts of a decimal number (`1.2` has 2); 0 for other signs.
        strong: Recognised even where the text follows on the next line.
    """

    rank: int
    depth: int = 0
    strong: bool = False


def underline_sign(title: str, line: str) -> HeadingSign | None:
    """Recognise a title by the line under it (`=====`)."""
    match = _UNDERLINE.match(line)
    if match is None or not title.strip() or len(title) > _MAX_TITLE or _UNDERLINE.match(title):
        return None
    if 2 * len(line.strip()) < len(title.strip()):
        return None
    return HeadingSign(_UNDERLINE_RANKS.get(match[1], 3))


def is_rule(line: str) -> bool:
    """Say whether a line is drawn, not written (`-----`)."""
    return _UNDERLINE.match(line) is not None


def numbered_sign(line: str) -> HeadingSign | None:
    """Recognise a line as a heading by its number or keyword."""
    line = line.strip()
    if not 1 < len(line) <= _MAX_TITLE or line.endswith((".", ";", ",", ":")) or _LEADERS.search(line):
        return None
    if match := _SIGN.match(line):
        title = match["title"] or ""
        if _CITES.match(title) or (title and not (title[0].isupper() or title[0] in '(„"[-–')):
            return None
        return HeadingSign(_SIGN_RANK, strong=True)
    if match := _KEYWORD.match(line) or _ORDINAL.match(line):
        title = match["title"] or ""
        if not line[0].isalnum() or line[0].islower() or _CITES.match(title) or title[:1].islower():
            return None
        return HeadingSign(_KEYWORDS[match["name"].lower()], strong=True)
    if match := _NUMBER.match(line):
        first = _WORD.match(match["title"])
        if first and first.group() in MONTHS:
            return None
        depth = match["number"].count(".") + 1
        return HeadingSign(_NUMBER_RANK, depth)
    if _ROMAN.match(line):
        return HeadingSign(_ROMAN_RANK)
    return None


def capitals_sign(line: str) -> HeadingSign | None:
    """Recognise a line in capitals that stands by itself as a heading."""
    line = line.strip()
    letters = [sign for sign in line if sign.isalpha()]
    if not len(letters) >= _MIN_CAPITALS or len(line) > _MAX_CAPITALS or line.endswith((".", ",", ";", ":")):
        return None
    if any(sign.islower() and sign != "ß" for sign in letters) or 2 * len(letters) < len(line):
        return None
    if not any(len(word) > 2 for word in _WORD.findall(line)):
        return None
    return HeadingSign(_CAPITALS_RANK)


def are_capitals_usual(lines: Sequence[str]) -> bool:
    """Say whether so much of a text is in capitals that they mark nothing."""
    written = [line for line in lines if any(sign.isalpha() for sign in line)]
    return sum(line == line.upper() for line in written) > _MAX_CAPITALS_SHARE * len(written) + 1


def levels_of(signs: Sequence[HeadingSign]) -> list[int]:
    """Count levels from 1 by the ranks that a document uses; decimal numbers count their parts."""
    above = sorted({sign.rank for sign in signs if not sign.depth})
    depths = {sign.depth for sign in signs if sign.depth}
    base = len(above)
    if above and depths and min(depths) > 1:
        base -= 1  # `4.1` under `Kapitel 4`
    return [base + sign.depth if sign.depth else above.index(sign.rank) + 1 for sign in signs]
