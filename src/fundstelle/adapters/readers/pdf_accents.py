"""Put accents that are drawn over or beside their letter on that letter. Worker process only.

TeX draws `x̃` as two characters whose order and neighbourhood in the text are accidental; their boxes
say which letter the accent belongs to. The letter then stands first and a combining accent behind it,
in the places of the two characters, so that all offsets stay.
"""

import ctypes
import re
import unicodedata
from bisect import bisect_right

from fundstelle.adapters.readers.pdf_native import Handle, Pdfium
from fundstelle.adapters.readers.pdf_words import Words, origin_y

_MARKS = dict(zip("¨´`ˆ˜¯˙˘ˇ˚", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030a", strict=True))
_ACCENT = re.compile(f"[{''.join(_MARKS)}]")
_REACH = 3
_SLACK, _RISE = 0.2, 0.7
_LEFT_OUT = "\0"


def merge_accents(pdfium: Pdfium, text_page: Handle, words: Words, repairs: dict[int, str]) -> None:
    """Find accents by themselves, join their words to those of their letters, and add repairs."""
    text = words.text
    places = [match.start() for match in _ACCENT.finditer(text)]
    places += [place for place, right in repairs.items() if right in _MARKS]
    if not places:
        return
    places.sort()
    boxes = _Boxes(pdfium, text_page)
    joined: list[tuple[int, int]] = []
    for place in places:
        letter = _letter(text, place, boxes)
        if letter is None or letter in repairs:
            continue
        mark = _MARKS[repairs.get(place) or text[place]]
        first, second = sorted((place, letter))
        repairs.update(dict.fromkeys(range(first + 1, second), _LEFT_OUT))
        repairs[first], repairs[second] = text[letter], mark
        word, other = (bisect_right(words.starts, one) - 1 for one in (place, letter))
        if word != other:
            joined.append((word, other))
        elif words.starts[word] == place:
            words.columns.base[word] -= boxes.rise(place, letter)
    _join(words, joined)


def _join(words: Words, joined: list[tuple[int, int]]) -> None:
    """Join each word of an accent to the word of its letter, which says how both are set."""
    target = list(range(len(words.starts)))
    columns = words.columns
    for accent, letter in joined:
        one, other = target[accent], target[letter]
        if one == other:
            continue
        words.starts[other] = min(words.starts[one], words.starts[other])
        words.ends[other] = max(words.ends[one], words.ends[other])
        if words.ends[one] - words.starts[one] > 1:
            columns.x0[other] = min(columns.x0[one], columns.x0[other])
            columns.x1[other] = max(columns.x1[one], columns.x1[other])
        target = [other if k == one else k for k in target]
    words.drop({k for k, other in enumerate(target) if k != other})


class _Boxes:
    """Know the drawn box of characters: left, right, bottom, top."""

    def __init__(self, pdfium: Pdfium, text_page: Handle) -> None:
        self._pdfium, self._text_page = pdfium, text_page

    def of(self, place: int) -> tuple[float, float, float, float]:
        """Give the box of one character."""
        box = (ctypes.c_double * 4)()
        start = ctypes.addressof(box)
        self._pdfium.FPDFText_GetCharBox(self._text_page, self._index(place), *range(start, start + 32, 8))
        return box[0], box[1], box[2], box[3]

    def rise(self, place: int, letter: int) -> float:
        """Say how much higher the baseline of the letter is than that of the accent."""
        low = origin_y(self._pdfium, self._text_page, self._index(place))
        return origin_y(self._pdfium, self._text_page, self._index(letter)) - low

    def _index(self, place: int) -> int:
        return max(0, int(self._pdfium.FPDFText_GetCharIndexFromTextIndex(self._text_page, place)))


def _letter(text: str, place: int, boxes: _Boxes) -> int | None:
    """Find the letter that an accent stands over: the one before or behind it, or none."""
    left, right, low, _ = boxes.of(place)
    middle = (left + right) / 2
    best: tuple[float, int] | None = None
    for other in (_neighbour(text, place, 1), _neighbour(text, place, -1)):
        if other is None:
            continue
        x0, x1, bottom, top = boxes.of(other)
        width = max(x1 - x0, right - left)
        over = x0 - _SLACK * width <= middle <= x1 + _SLACK * width
        if over and (bottom + top) / 2 <= low <= top + _RISE * max(top - bottom, width):
            best = min(best or (width, other), (abs(middle - (x0 + x1) / 2), other))
    return best[1] if best else None


def _neighbour(text: str, place: int, step: int) -> int | None:
    for other in range(place + step, place + step * (_REACH + 1), step):
        if not 0 <= other < len(text):
            return None
        if not text[other].isspace():
            fits = text[other].isalpha() or unicodedata.category(text[other]) == "Sm"
            return other if fits else None
    return None
