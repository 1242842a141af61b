"""Split an answer into sentences and find the sources that each one cites.

Models cite in many ways: `[Quelle 2]`, `[2]`, `[1, 3]`, `(Quelle 1)`, `[Quelle 1][Quelle 2]`, before or
after the full stop. The citations are taken out, the rest is split into sentences, and every sentence
gets the citations that stand in it or right behind it. The raw answer itself is never changed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fundstelle.domain.text.sentences import split_sentences

_MORE = r"(?:\s?(?:,|;|/|–|-|bis|und|&)\s?(?:Quellen?\s)?\d{1,4}){0,20}"
_NUMBERS = rf"(?:Quellen?|Source|Q)?\.?\s?\d{{1,4}}{_MORE}"
_CITATION = re.compile(
    rf"\[\s?(?P<square>{_NUMBERS})(?:\s?:[^\[\]\n]{{0,200}})?\s?\]"
    r"|\((?:siehe\s|vgl\.\s)?(?P<round>Quellen?\s\d{1,4}(?:\s?(?:,|;|–|-|bis|und"
    r"|&)\s?(?:Quelle\s)?\d{1,4}){0,20})\)"
    r"|(?<!\w)(?P<inline>Quelle\s\d{1,4})(?![\d\w])",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,4})\s?(?:–|-|bis)\s?(\d{1,4})|(\d{1,4})")
_LONGEST_RANGE = 50
_NOTE_CONTEXT = 24
_STOPS = ".!?…:;,"


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """Hold one sentence of an answer.

    Args:
        text: Without citations and markup, as it is compared.
        char_start: Place in the raw answer with its citations, half open with `char_end`.
        cited: Numbers that it cites, as written, without repetition.
    """

    text: str
    char_start: int
    char_end: int
    cited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    """Hold one citation: its place in the raw answer and in the text without citations."""

    numbers: tuple[int, ...]
    raw_start: int
    raw_end: int
    position: int
    leads: bool
    inline: bool


def cited_sentences(
    answer: str, *, is_quoted: Callable[[str], bool] = lambda _: False
) -> tuple[CitedSentence, ...]:
    """Split an answer into sentences with their citations; linear in its length.

    Args:
        is_quoted: Says whether a piece of the answer stands in a source word for word: then a bare number
            in brackets within it is a note of the source (`laut Studie [12]`), no citation.
    """
    text, starts, marks = _take_out(answer, is_quoted)
    spans = split_sentences(text)
    owners: list[list[_Mark]] = [[] for _ in spans]
    index = 0
    for mark in marks:
        while (
            index + 1 < len(spans)
            and spans[index + 1][0] + (0 if mark.leads or mark.inline else 1) <= mark.position
        ):
            index += 1
        if spans:
            owners[index].append(mark)
    return tuple(
        _cited_sentence(text, span, owned, starts) for span, owned in zip(spans, owners, strict=True)
    )


def _cited_sentence(
    text: str, span: tuple[int, int], marks: Sequence[_Mark], starts: Sequence[tuple[int, int]]
) -> CitedSentence:
    start, last = _raw_offset(starts, span[0]), _raw_offset(starts, span[1] - 1) + 1
    numbers = dict.fromkeys(number for mark in marks for number in mark.numbers)
    first = min((mark.raw_start for mark in marks if mark.leads), default=start)
    end = max((mark.raw_end for mark in marks if mark.raw_start >= start), default=last)
    return CitedSentence(plain(text[slice(*span)]), min(start, first), max(last, end), tuple(numbers))


def _take_out(
    answer: str, is_quoted: Callable[[str], bool]
) -> tuple[str, list[tuple[int, int]], list[_Mark]]:
    """Take the citations out.

    Returns:
        The rest; pairs (offset in the rest, offset in the answer) where a run begins; the citations.
    """
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []
    marks: list[_Mark] = []
    length = position = 0
    for match in _CITATION.finditer(answer):
        if _is_note(answer, match, is_quoted):
            continue
        piece = answer[position : match.start()]
        numbers = tuple(_numbers(match["square"] or match["round"] or match["inline"]))
        if match["inline"]:
            piece, kept = answer[position : match.end()], True
        else:
            kept = False
            piece = piece.rstrip(" ") if _glues(answer, match.end()) else piece
        leads = not kept and _leads(answer, match)
        starts.append((length, position))
        pieces.append(piece)
        length += len(piece)
        marks.append(_Mark(numbers, match.start(), match.end(), length, leads, kept))
        position = match.end()
        if leads and answer[position : position + 1] == " ":
            position += 1
    starts.append((length, position))
    pieces.append(answer[position:])
    return "".join(pieces), starts, marks


def _is_note(answer: str, match: re.Match[str], is_quoted: Callable[[str], bool]) -> bool:
    """Say whether what looks like a citation belongs to the words quoted, as a note in a text does."""
    before = answer[max(0, match.start() - _NOTE_CONTEXT) : match.start()]
    after = answer[match.end() : match.end() + _NOTE_CONTEXT]
    return any(
        len(words.strip()) >= _NOTE_CONTEXT // 2 and is_quoted(piece)
        for words, piece in ((before, before + match[0]), (after, match[0] + after))
    )


def _glues(answer: str, end: int) -> bool:
    """Say whether the space before a citation goes with it: at the end, before a stop or another space."""
    return end >= len(answer) or answer[end] in _STOPS or answer[end].isspace() or answer[end] in "[("


def _leads(answer: str, match: re.Match[str]) -> bool:
    """Say whether a citation opens a line that goes on: `[1] Die Frist …`."""
    line_start = answer.rfind("\n", max(0, match.start() - 8), match.start()) + 1 if match.start() else 0
    opens = match.start() == 0 or (line_start > 0 and not answer[line_start : match.start()].strip(" -*•"))
    return opens and bool(answer[match.end() : match.end() + 3].split("\n")[0].strip(" []()."))


def _numbers(text: str) -> Iterator[int]:
    for match in _RANGE.finditer(text):
        if match[3]:
            yield int(match[3])
            continue
        low, high = int(match[1]), int(match[2])
        yield from range(low, high + 1) if low <= high <= low + _LONGEST_RANGE else (low, high)


def _raw_offset(starts: Sequence[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(starts)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle][0] <= offset else (low, middle)
    return starts[low][1] + offset - starts[low][0]


_MARKUP = re.compile(r"\*{1,3}|_{2,3}|`{1,3}|^#{1,6}\s|^>\s", re.MULTILINE)
_INLINE = re.compile(r"(?<!\w)Quelle\s\d{1,4}(?!\w)", re.IGNORECASE)
_ITEM = re.compile(r"\A\s*(?:[-–•*·▪]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+(?=\S))")


def plain(text: str) -> str:
    """Take markup and the marker of a list item off a sentence and fold its white space."""
    text = _INLINE.sub("", _MARKUP.sub("", text))
    marker = _ITEM.match(text)
    return " ".join(text[marker.end() if marker else 0 :].split())
