"""Sections: how headings become a tree that tiles the text."""

from dataclasses import replace

import pytest
from chunk_texts import documents, version_of
from hypothesis import given

from fundstelle.domain.documents import Heading, RecognisedBy, VersionText
from fundstelle.ingest.criteria_i2 import check_sections
from fundstelle.ingest.i2_structure import MAX_DEPTH, build_sections


def heading(text: str, title: str, level: int = 1) -> Heading:
    """Make a heading where the title first stands in the text."""
    start = text.index(title)
    return Heading(title, level, start, start + len(title), RecognisedBy.MARKDOWN)


@given(documents())
def test_sections_when_built_from_any_text_then_all_criteria_hold(
    drawn: tuple[VersionText, tuple[Heading, ...]],
) -> None:
    """Sections of any text and headings tile it, form a tree, have derivable ids and true pages."""
    version, headings = drawn
    assert check_sections(version, build_sections(version, headings)) == []


@given(documents())
def test_sections_when_built_twice_then_equal(drawn: tuple[VersionText, tuple[Heading, ...]]) -> None:
    """The same text and headings give the same sections."""
    version, headings = drawn
    assert build_sections(version, headings) == build_sections(version, list(headings))


def test_build_sections_when_no_headings_then_the_whole_text() -> None:
    """A text without headings is one section without title."""
    (section,) = build_sections(version_of("Nur Text."), [])
    assert section.recognised_by is RecognisedBy.WHOLE_TEXT
    assert (section.char_start, section.char_end, section.heading_path) == (0, 9, "")


def test_build_sections_when_the_text_is_empty_then_none() -> None:
    """An empty text has nothing to tile."""
    assert build_sections(version_of(""), []) == ()


def test_build_sections_when_text_before_the_first_heading_then_a_preamble() -> None:
    """Text before the first heading is a section of its own, path 0, level 0."""
    text = "Vorwort.\n\nKapitel\n\nText."
    preamble, chapter = build_sections(version_of(text), [heading(text, "Kapitel")])
    assert preamble.recognised_by is RecognisedBy.PREAMBLE
    assert (preamble.ordinal_path, preamble.level, preamble.title) == ("0", 0, "")
    assert (chapter.ordinal_path, chapter.char_start) == ("1", 10)


def test_build_sections_when_white_space_before_the_first_heading_then_no_preamble() -> None:
    """Leading white space belongs to the first heading's section."""
    text = "\n\n Kapitel\n\nText."
    (section,) = build_sections(version_of(text), [heading(text, "Kapitel")])
    assert (section.char_start, section.body_start) == (0, 10)


def test_build_sections_when_levels_are_skipped_then_nested_directly() -> None:
    """A jump from level 1 to 4 nests directly, and the way back finds the right parent."""
    text = "A\n\nB\n\nC\n\nD"
    levels = {"A": 1, "B": 4, "C": 2, "D": 1}
    sections = build_sections(
        version_of(text), [heading(text, title, level) for title, level in levels.items()]
    )
    assert [section.ordinal_path for section in sections] == ["1", "1.1", "1.2", "2"]
    assert [section.heading_path for section in sections] == ["A", "A > B", "A > C", "D"]
    assert sections[1].parent_id == sections[0].section_id
    assert sections[3].parent_id is None


def test_build_sections_when_the_same_heading_comes_twice_then_the_first_stays() -> None:
    """Two headings of one title at one place are one section."""
    text = "Kapitel\n\nText."
    twice = [heading(text, "Kapitel", 1), heading(text, "Kapitel", 2)]
    (section,) = build_sections(version_of(text), twice)
    assert section.level == 1


def test_build_sections_when_two_titles_at_one_place_then_both_stay() -> None:
    """The earlier of two titles gets an empty range, so that the tree keeps its title."""
    text = "Kapitel\n\nText."
    outline = Heading("Teil", 1, 0, 0, RecognisedBy.OUTLINE)
    part, chapter = build_sections(version_of(text), [outline, heading(text, "Kapitel", 2)])
    assert (part.char_start, part.char_end) == (0, 0)
    assert chapter.heading_path == "Teil > Kapitel"
    assert (chapter.char_start, chapter.char_end) == (0, len(text))


def test_build_sections_when_nesting_is_endless_then_the_greatest_depth() -> None:
    """A hostile outline cannot make paths grow without end."""
    text = "".join(f"K{i}\n\n" for i in range(200))
    headings = [heading(text, f"K{i}\n", i + 1) for i in range(200)]
    sections = build_sections(version_of(text), headings)
    assert max(section.ordinal_path.count(".") for section in sections) == MAX_DEPTH - 1


def test_build_sections_when_over_pages_then_first_and_last_are_named() -> None:
    """Page ranges go by visible text, not by the white space that closes a page."""
    text = "A\n\nText\n\nB\n\nMehr und mehr"
    first, second = build_sections(version_of(text, (0, 9, 18)), [heading(text, "A"), heading(text, "B")])
    assert (first.page_first, first.page_last) == (1, 1)
    assert (second.page_first, second.page_last) == (2, 3)


@pytest.mark.parametrize(
    ("change", "criterion"),
    [
        ({"char_start": 1}, "sections_tile"),
        ({"char_end": 5}, "sections_tile"),
        ({"body_start": 99}, "sections_tile"),
        ({"ordinal": 7}, "sections_tree"),
        ({"ordinal_path": "4.2"}, "sections_tree"),
        ({"section_id": "sec_other"}, "sections_ids"),
        ({"page_first": 0}, "sections_pages"),
    ],
)
def test_check_sections_when_one_field_is_wrong_then_its_criterion_is_reported(
    change: dict[str, object], criterion: str
) -> None:
    """Each criterion fails when what it guards is wrong."""
    version = version_of("Nur Text.")
    (section,) = build_sections(version, [])
    problems = check_sections(version, [replace(section, **change)])  # type: ignore[arg-type]
    assert criterion in {problem.criterion for problem in problems}
