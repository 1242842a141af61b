"""Decode the bytes of a text, German first: an umlaut must never turn into garbage.

A byte order mark decides; then UTF-16 by its zero bytes, UTF-8 by its form, what an HTML page
declares; then the old single-byte encodings are weighed by the umlauts inside words that they give.
"""

import re
from codecs import (
    BOM_UTF8,
    BOM_UTF16_BE,
    BOM_UTF16_LE,
    BOM_UTF32_BE,
    BOM_UTF32_LE,
    getincrementaldecoder,
    lookup,
)

from charset_normalizer import from_bytes

_MARKS = (
    (BOM_UTF32_LE, "utf-32"),
    (BOM_UTF32_BE, "utf-32"),
    (BOM_UTF8, "utf-8-sig"),
    (BOM_UTF16_LE, "utf-16"),
    (BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 65_536
_DECLARED = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_SINGLE_BYTE = ("cp1252", "cp850", "mac_roman")
_UMLAUT_IN_WORD = re.compile(r"(?<=[A-Za-zäöüß])[äöüß]|[äöüÄÖÜ](?=[a-zäöüß]{2})|[A-Z][ÄÖÜ]|§ ?\d")
_ODD = re.compile(r"(?<=[A-Za-z])[^\sA-Za-z0-9!-/:-@\[-`{-~äöüÄÖÜßéèêáàâçñëïôœ€„“”‚‘’–—…«»·°§](?=[A-Za-z])")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_C1 = re.compile(r"[\x80-\x9f]")
_MAX_CONTROL_SHARE = 0.02
_MAX_BROKEN_SHARE = 0.01


def decode_text(data: bytes, *, complete: bool = True) -> str | None:
    """Decode bytes as text.

    Args:
        complete: False where `data` is only the start of a file and may end inside a character.

    Returns:
        The text without byte order mark; None where the bytes are no text.
    """
    encoding = find_encoding(data[:_SAMPLE_BYTES] if len(data) > _SAMPLE_BYTES else data)
    if encoding is None:
        return None
    text = _decode(data, encoding, complete=complete)
    if text is None and encoding.startswith("utf-8"):
        text = _decode_mixed(data)
    return None if text is None or _is_binary(text) else text


def find_encoding(sample: bytes) -> str | None:
    """Name the encoding of a text by its first bytes; None where they are no text."""
    for mark, marked in _MARKS:
        if sample.startswith(mark):
            return marked
    wide = _utf16_by_zero_bytes(sample)
    if wide:
        return wide
    if _decode(sample, "utf-8", complete=False) is not None:
        return "utf-8"
    declared = _DECLARED.search(sample, 0, 2048)
    if declared and (name := _known(declared[1])) and _decode(sample, name, complete=False) is not None:
        return name
    if _decode_mixed(sample) is not None:
        return "utf-8"
    return _weigh(sample)


def _decode(data: bytes, encoding: str, *, complete: bool) -> str | None:
    try:
        return getincrementaldecoder(encoding)().decode(data, complete)
    except UnicodeError:
        return None


def _known(name: bytes) -> str | None:
    """Give Python's name of a declared encoding; what browsers read as Windows-1252 is that."""
    try:
        found = lookup(name.decode("ascii")).name
    except (LookupError, UnicodeError):
        return None
    if found.startswith(("utf-16", "utf-32", "utf-7")):
        return None
    return "cp1252" if found in {"iso8859-1", "ascii", "cp1252"} else found


def _utf16_by_zero_bytes(sample: bytes) -> str | None:
    """Recognise UTF-16 without mark: in Latin text every second byte is zero."""
    pairs = len(sample) // 2
    if pairs < 2 or b"\0" not in sample:
        return None
    high_first = sample[0 : pairs * 2 : 2].count(0) / pairs
    low_first = sample[1 : pairs * 2 : 2].count(0) / pairs
    for share, other, name in ((low_first, high_first, "utf-16-le"), (high_first, low_first, "utf-16-be")):
        if share > 0.6 and other < 0.1:
            return name if _decode(sample, name, complete=False) is not None else None
    return None


def _decode_mixed(data: bytes) -> str | None:
    """Decode UTF-8 with a few broken bytes, which stay visible as U+FFFD."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - broken
    return text if broken <= _MAX_BROKEN_SHARE * len(text) and good > 4 * broken else None


def _weigh(sample: bytes) -> str | None:
    """Choose the single-byte encoding that gives the most umlauts inside words and the least oddities."""
    best, best_score = "", 0
    for name in _SINGLE_BYTE:
        text = sample.decode(name, "replace")
        odd = len(_ODD.findall(text)) + 3 * text.count("\ufffd") + 3 * len(_C1.findall(text))
        score = 2 * len(_UMLAUT_IN_WORD.findall(text)) - 3 * odd
        if score > best_score:
            best, best_score = name, score
    if best:
        return best
    guess = from_bytes(sample).best()
    if guess is not None and guess.encoding not in {"ascii", "utf_8"}:
        return guess.encoding
    return "cp1252" if _decode(sample, "cp1252", complete=True) is not None else "latin-1"


def _is_binary(text: str) -> bool:
    """Say whether control characters show that this is no text."""
    return len(_CONTROL.findall(text)) > _MAX_CONTROL_SHARE * len(text)
