"""Supervision criteria of phase I2: what must hold of the sections of a version.

Each check is pure and gives the problems that it found; `check_sections` runs them all, during the
import and in `fundstelle verify`. The names are listed in docs/criteria.md.
"""

from collections.abc import Sequence

from fundstelle.domain.criteria import Problem
from fundstelle.domain.documents import Section, VersionText
from fundstelle.domain.identity import section_id


def check_sections(version: VersionText, sections: Sequence[Section]) -> list[Problem]:
    """Run all criteria of phase I2."""
    return [
        *sections_tile(version, sections),
        *sections_tree(sections),
        *sections_ids(version, sections),
        *sections_pages(version, sections),
    ]


def sections_tile(version: VersionText, sections: Sequence[Section]) -> list[Problem]:
    """Demand that sections follow each other without gap or overlap over the whole text."""
    problems: list[Problem] = []
    position = 0
    for section in sections:
        if section.char_start != position:
            detail = f"It begins at {section.char_start}; the text up to {position} has been covered."
            problems.append(Problem("sections_tile", section.section_id, detail))
        if not section.char_start <= section.body_start <= section.char_end:
            detail = (
                f"Its body begins at {section.body_start}, outside {section.char_start}-{section.char_end}."
            )
            problems.append(Problem("sections_tile", section.section_id, detail))
        position = section.char_end
    if position != len(version.text):
        detail = f"The sections end at {position}, the text at {len(version.text)}."
        problems.append(Problem("sections_tile", version.version_id, detail))
    return problems


def sections_tree(sections: Sequence[Section]) -> list[Problem]:
    """Demand that ordinals count up and that each parent stands before its children, one path above."""
    problems: list[Problem] = []
    paths: dict[str, str] = {}
    for ordinal, section in enumerate(sections):
        above = section.ordinal_path.rpartition(".")[0]
        parent_path = "" if section.parent_id is None else paths.get(section.parent_id)
        if section.ordinal != ordinal:
            detail = f"It is number {ordinal} in the text and says {section.ordinal}."
            problems.append(Problem("sections_tree", section.section_id, detail))
        if parent_path != above:
            detail = f"Its path is {section.ordinal_path}, that of its parent {parent_path or 'not there'}."
            problems.append(Problem("sections_tree", section.section_id, detail))
        paths[section.section_id] = section.ordinal_path
    return problems


def sections_ids(version: VersionText, sections: Sequence[Section]) -> list[Problem]:
    """Demand that ids are distinct and can be derived again."""
    problems: list[Problem] = []
    seen: set[str] = set()
    for section in sections:
        derived = section_id(version.version_id, section.ordinal_path)
        if section.section_id != derived or derived in seen:
            detail = f"The id derived from path {section.ordinal_path} is {derived}, or is used twice."
            problems.append(Problem("sections_ids", section.section_id, detail))
        seen.add(derived)
    return problems


def sections_pages(version: VersionText, sections: Sequence[Section]) -> list[Problem]:
    """Demand that the pages named are those on which the section's text stands."""
    problems: list[Problem] = []
    for section in sections:
        first = version.page_at(section.char_start)
        last = version.page_at(max(section.char_end - 1, section.char_start))
        if not first <= section.page_first <= section.page_last <= last:
            detail = (
                f"It names pages {section.page_first}-{section.page_last}; its text is on {first}-{last}."
            )
            problems.append(Problem("sections_pages", section.section_id, detail))
    return problems
