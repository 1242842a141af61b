"""Texts, headings and a plain token count for the laws of phases I2 to I4."""

import re

from hypothesis import strategies as st

from fundstelle.domain.documents import Heading, RecognisedBy, VersionText
from fundstelle.domain.identity import ContentHash, VersionId

_TOKEN = re.compile(r"\w{1,4}|[^\w\s]|\n+")


def count_tokens(text: str) -> int:
    """Count pieces of words, signs and line ends: like a tokenizer, but to be reckoned by hand."""
    return sum(1 for _ in _TOKEN.finditer(text))


def version_of(text: str, page_starts: tuple[int, ...] = (0,)) -> VersionText:
    """Make a version of a text."""
    return VersionText(VersionId("ver_1"), ContentHash("c" * 64), text, page_starts)


WORDS = st.sampled_from(
    [
        "Haus",
        "der",
        "Verein",
        "z. B.",
        "§ 5",
        "Abs. 2",
        "Überprüfung",
        "am 3. Mai",
        "„Zitat“",
        "x",
        "und",
        "é",
        "👩‍👧",
    ]
)
SENTENCES = st.builds(
    lambda words, sign: " ".join(words) + sign,
    st.lists(WORDS, min_size=1, max_size=40),
    st.sampled_from([".", "!", "?", ";", "", ", denn", ":"]),
)
PARAGRAPHS = st.lists(SENTENCES, min_size=1, max_size=8).map(" ".join)
LISTS = st.builds(
    lambda items, marker: "\n".join(f"{marker} {item}" for item in items),
    st.lists(SENTENCES, min_size=2, max_size=8),
    st.sampled_from(["-", "1.", "a)", "  -"]),
)
TABLES = st.lists(
    st.lists(SENTENCES.filter(lambda cell: "|" not in cell), min_size=2, max_size=3).map(" | ".join),
    min_size=2,
    max_size=8,
).map("\n".join)
LONG_WORDS = st.integers(1, 300).map(lambda length: "a" * length)
CODE = st.lists(SENTENCES, min_size=2, max_size=5).map("\n".join)
CRUMBS = st.lists(st.sampled_from(["!", "1.", "a", "?!", "→", "- x"]), min_size=1, max_size=60).map(
    "\n\n".join
)
BLOCKS = st.one_of(
    PARAGRAPHS, CRUMBS, LISTS, TABLES, LONG_WORDS, CODE, st.just("....."), st.text(max_size=60)
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[VersionText, tuple[Heading, ...]]:
    """Draw a text with headings, some without body, some at the same place, some before any text."""
    text = draw(st.sampled_from(["", "\n\n", " "]))
    headings: list[Heading] = []
    for block in draw(st.lists(BLOCKS, max_size=12)):
        if draw(st.integers(0, 3)) == 0:
            title = draw(st.sampled_from(["Kapitel", "2.1 Ziel", "§ 5 Haftung"]))
            level = draw(st.integers(1, 6))
            span = (len(text), len(text) + len(title))
            headings.append(Heading(title, level, *span, RecognisedBy.MARKDOWN))
            if draw(st.integers(0, 5)) == 0:
                headings.append(Heading("Zweiter Titel", level + 1, *span, RecognisedBy.OUTLINE))
            text += title + "\n\n"
        text += block + "\n\n"
    starts = draw(st.lists(st.integers(0, len(text)), max_size=4))
    return version_of(text, (0, *sorted(starts))), tuple(headings)
