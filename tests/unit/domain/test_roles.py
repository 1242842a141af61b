"""Semantic roles: each rule with cases that it holds for and cases that it must not hold for."""

import pytest

from fundstelle.domain.roles import semantic_role


@pytest.mark.parametrize(
    "body",
    [
        "Ein Verein ist ein Zusammenschluss von Personen.",
        "Coaching ist eine Form der Beratung.",
        "Verbraucher im Sinne dieses Gesetzes ist jede natürliche Person, die ein Rechtsgeschäft abschließt.",
        "Sachen im Sinne des Gesetzes sind nur körperliche Gegenstände.",
        "Unter Coaching versteht man die Begleitung von Menschen.",
        "Als Audit wird eine systematische Prüfung bezeichnet.",
        "Die Resilienz bezeichnet die Fähigkeit, Krisen zu bewältigen.",
        "Qualität heißt, dass Anforderungen erfüllt sind.",
        "(1) Ein Bauvertrag ist ein Vertrag über die Herstellung eines Bauwerks.",
        "Die GmbH (Gesellschaft mit beschränkter Haftung) ist eine Kapitalgesellschaft.",
        "„Agilität“ ist die Fähigkeit zum Wandel.",
        "Wir kommen zum Begriff. Ein Kanban-Board ist eine Tafel mit Spalten.",
        "A definition is a statement of meaning.",
    ],
)
def test_semantic_role_when_a_sentence_defines_then_definition(body: str) -> None:
    """A term and what it means make a definition."""
    assert semantic_role(body) == "definition"


@pytest.mark.parametrize(
    "body",
    [
        "Der Kunde ist zufrieden.",
        "Das ist ein Haus.",
        "Es ist eine Frage der Zeit.",
        "Der Vermieter ist verpflichtet, die Sache zu überlassen.",
        "Zur Entrichtung von Zinsen ist der Schenker nicht verpflichtet.",
        "Ziel ist eine bessere Zusammenarbeit.",
        "Hier heißt es warten.",
        "Die Sitzung ist zu protokollieren.",
        "Die Prüfung ist ein Problem.",
        "Gestern ist der Kunde gekommen.",
        "Beispiellos war der Erfolg.",
        "Der Kunde ist zum Beispiel Müller.",
        "(1) Absatz eins.\n\n(2) Absatz zwei.",
        "- nur ein Punkt",
        "Langer Text.\n\nNoch einer.\n\nNoch mehr.\n\n- a\n- b",
        "a | b",
    ],
)
def test_semantic_role_when_plain_text_then_prose(body: str) -> None:
    """What no rule holds for is prose."""
    assert semantic_role(body) == "prose"


@pytest.mark.parametrize("title", ["Definition", "2.1 Definitionen", "§ 13 Begriffsbestimmungen", "Begriffe"])
def test_semantic_role_when_under_a_title_of_definitions_then_definition(title: str) -> None:
    """The section's title decides where the sentence has no form."""
    assert semantic_role("Text ohne Form.", title) == "definition"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("Beispiel: Ein Kunde ruft an.", ""),
        ("z. B. kann der Leiter fragen.", ""),
        ("Zum Beispiel ruft der Kunde an.", ""),
        ("Ein Kunde ruft an.", "Fallbeispiel: Firma Müller"),
        ("Ein Kunde ruft an.", "3.2 Beispiele"),
        ("For example, a customer calls.", ""),
    ],
)
def test_semantic_role_when_it_begins_as_an_example_then_example(body: str, title: str) -> None:
    """The first words of text or title announce an example."""
    assert semantic_role(body, title) == "example"


@pytest.mark.parametrize(
    "body", ["Es gilt:\n\n- eins\n- zwei\n- drei", "1. eins\n2. zwei", "a) eins\n\nb) zwei"]
)
def test_semantic_role_when_mostly_items_then_enumeration(body: str) -> None:
    """At least two items that make up half of the text are an enumeration."""
    assert semantic_role(body) == "enumeration"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("", "Nur eine Überschrift"),
        ("Einleitung ..... 3\nSchluss . . . . 9", ""),
        ("A | B\n1 | 2\n3 | 4", ""),
        ("Müller, A. (2019): Titel.", "Literaturverzeichnis"),
        ("Firma X", "Impressum"),
        ("Einleitung", "2 Inhaltsverzeichnis"),
    ],
)
def test_semantic_role_when_around_the_text_then_other(body: str, title: str) -> None:
    """Contents, tables, imprint, references and bare headings are neither prose nor anything else."""
    assert semantic_role(body, title) == "other"


def test_semantic_role_when_the_title_only_begins_like_contents_then_prose() -> None:
    """`Inhalt der Prüfung` is no table of contents."""
    assert semantic_role("Die Prüfung dauert lange.", "Inhalt der Prüfung") == "prose"
