"""What is found in German sentences: numbers, dates, quotes, names, strength, negation, opposites."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.domain.claims import Strength, find_quotes, read_clause, split_clauses
from fundstelle.domain.names import find_names
from fundstelle.domain.number_words import number_of_word
from fundstelle.domain.opposites import flipped_bounds
from fundstelle.domain.quantities import find_dates, find_quantities, units_agree
from fundstelle.domain.text.matching import content_terms, found, key_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.000,5 Euro", [("1000.5", "euro")]),
        ("1000,50 €", [("1000.5", "euro")]),
        ("€ 50", [("50", "euro")]),
        ("3,5 Mio. Euro", [("3500000", "euro")]),
        ("10 000 Menschen", [("10000", "")]),
        ("1,000.50 Dollar", [("1000.5", "dollar")]),
        ("zwei bis drei Wochen", [("2", "woche"), ("3", "woche")]),
        ("30–40 Tage", [("30", "tag"), ("40", "tag")]),
        ("14 volle Tage", [("14", "tag")]),
        ("30 Werktage", [("30", "werktag")]),
        ("eine 30-tägige Frist", [("30", "tag")]),
        ("eine zweiwöchige Frist", [("2", "woche")]),
        ("ein Monat", [("1", "monat")]),
        ("ein Haus", []),
        ("§ 5 Abs. 2 Nr. 3", [("5", "§"), ("2", "abs"), ("3", "nr")]),
        ("Abschnitt 2.3.1", [("2.3.1", "abschnitt")]),
        ("50 Prozent und 50 %", [("50", "prozent"), ("50", "prozent")]),
        ("6½ Stunden", [("6.5", "stunde")]),
        ("dreiundzwanzig Mal", [("23", "mal")]),
        ("um 14.30 Uhr", [("14:30", "uhr")]),
        ("CO2 und A4", []),
    ],
)
def test_find_quantities_when_written_in_german_then_normalises(
    text: str, expected: list[tuple[str, str]]
) -> None:
    """Each way of writing a number must come out in one form, with its unit."""
    assert [(quantity.key, quantity.unit) for quantity in find_quantities(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("am 3. Oktober 1990", (1990, 10, 3)),
        ("am 03.10.1990", (1990, 10, 3)),
        ("am 3.10.90", (1990, 10, 3)),
        ("1990-10-03", (1990, 10, 3)),
        ("im März 2020", (2020, 3, None)),
        ("bis zum 31. März", (None, 3, 31)),
        ("bis 31.03.", (None, 3, 31)),
    ],
)
def test_find_dates_when_spelled_differently_then_finds_the_same(
    text: str, expected: tuple[int | None, int | None, int | None]
) -> None:
    """A date must be the same date however it is spelled."""
    assert [(date.year, date.month, date.day) for date in find_dates(text)] == [expected]
    assert not [quantity for quantity in find_quantities(text) if quantity.key in {"1990", "2020"}]


def test_find_dates_when_impossible_then_none() -> None:
    """Section numbers and days that do not exist are no dates."""
    assert find_dates("Abschnitt 2.3.1, am 45.13.2020") == ()


def test_agrees_with_when_less_exact_then_agrees_and_not_the_reverse() -> None:
    """`Oktober 1990` is backed by `3. Oktober 1990`, but not the other way round."""
    exact, month = find_dates("3. Oktober 1990")[0], find_dates("Oktober 1990")[0]
    assert month.agrees_with(exact)
    assert not exact.agrees_with(month)


@pytest.mark.parametrize(
    ("left", "right", "agree"),
    [("tag", "tag", True), ("tag", "werktag", True), ("", "euro", True), ("tag", "woche", False),
     ("werktag", "kalendertag", False)],
)  # fmt: skip
def test_units_agree_when_compared_then_as_a_reader_would(left: str, right: str, agree: bool) -> None:
    """A unit agrees with itself, with none, and with a more exact one."""
    assert units_agree(left, right) is agree


@pytest.mark.parametrize(
    ("word", "number"),
    [("zwei", 2), ("zwölf", 12), ("siebzehn", 17), ("dreiundzwanzig", 23), ("zweihundertfünfzig", 250),
     ("tausend", 1000), ("dreitausendzweihundert", 3200), ("zweimal", 2), ("dritten", 3), ("ein", None),
     ("Acht", None), ("Verein", None), ("", None)],
)  # fmt: skip
def test_number_of_word_when_read_then_is_the_number(word: str, number: int | None) -> None:
    """Number words must be read, and articles and other words left alone."""
    assert number_of_word(word) == number


@pytest.mark.parametrize(
    ("text", "core", "soft", "negated"),
    [
        ("Die Anlage MUSS geprüft werden.", {Strength.DUTY}, set(), False),
        ("Die Anlage sollte geprüft werden.", {Strength.ADVICE}, set(), False),
        ("Das Gelände darf betreten werden.", {Strength.MAY}, set(), False),
        ("Das Gelände darf nicht betreten werden.", {Strength.BAN}, set(), False),
        ("Der Helm muss nicht getragen werden.", {Strength.NO_DUTY}, set(), False),
        ("Das Formular ist bis Montag einzureichen.", set(), {Strength.DUTY}, False),
        ("Rauchen ist verboten.", set(), {Strength.BAN}, False),
        ("Rauchen ist nicht gestattet.", set(), {Strength.BAN}, False),
        ("Die Kosten werden nicht erstattet.", set(), set(), True),
        ("Das gilt nicht nur hier.", set(), set(), False),
        ("Die Kosten werden erstattet.", set(), set(), False),
    ],
)
def test_read_clause_when_read_then_finds_strength_and_negation(
    text: str, core: set[Strength], soft: set[Strength], negated: bool
) -> None:
    """How binding a clause is must be told from its modal verbs and phrases, with their negation."""
    clause = read_clause(text)
    assert (clause.core, clause.soft, clause.negated) == (core, soft, negated)


def test_split_clauses_when_a_second_verb_joins_then_splits() -> None:
    """What is said in one clause must not colour the other."""
    clauses = split_clauses("Der Urlaub beträgt 30 Tage und kann bis März übertragen werden.")
    assert [bool(clause.core) for clause in clauses] == [False, True]


def test_split_clauses_when_verbs_share_a_modal_then_stays_whole() -> None:
    """`muss gereinigt und geprüft werden` is one clause."""
    assert len(split_clauses("Die Anlage muss gereinigt und geprüft werden.")) == 1


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Er sagt: „Wer fragt, führt.“", ("Wer fragt, führt.",)),
        ("Das »Konsent« genannte Verfahren", ("Konsent",)),
        ('Das "Team" gewinnt', ("Team",)),
        ("„Wer … führt“", ("Wer", "führt")),
        ("ohne Zitat", ()),
    ],
)
def test_find_quotes_when_quoted_then_gives_the_words(text: str, quotes: tuple[str, ...]) -> None:
    """All German quotation marks count; an ellipsis parts a quote."""
    assert find_quotes(text) == quotes


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("Peter Müller leitet die Abteilung.", ["Peter", "Müller"]),
        ("Der Antrag geht an Frau Schmidt.", ["Schmidt"]),
        ("Sitz der Firma ist in Hamburg.", ["Hamburg"]),
        ("Die DSGVO regelt den Schutz.", ["DSGVO"]),
        ("Der Schutz in der Abteilung ist wichtig.", []),
        ("Die Geschäftsführung genehmigt den Antrag.", []),
    ],
)
def test_find_names_when_every_noun_is_capital_then_tells_names_by_their_place(
    text: str, certain: list[str]
) -> None:
    """Only what stands where names stand is taken for a certain name."""
    assert [name.word for name in find_names(text) if name.certain] == certain


@pytest.mark.parametrize(
    ("sentence", "original", "flipped"),
    [
        ("höchstens 3 Tage", "mindestens 3 Tage", True),
        ("mindestens 3 Tage", "mindestens 3 Tage", False),
        ("Der Umsatz sank.", "Der Umsatz stieg.", True),
        ("vor Beginn", "nach Beginn", True),
        ("mindestens 3", "mindestens 3, höchstens 5", False),
    ],
)
def test_flipped_bounds_when_one_side_is_turned_then_names_it(
    sentence: str, original: str, flipped: bool
) -> None:
    """Only a one-sided change is an opposite."""
    assert bool(flipped_bounds(sentence, original)) is flipped


@pytest.mark.parametrize(
    ("left", "right"),
    [("Kündigung", "gekündigt"), ("Kuendigung", "KÜNDIGUNG"), ("Straße", "Strassen"), ("Frist", "Fristen"),
     ("Homoeostase", "Homöostase"), ("Präsente", "Praesente")],
)  # fmt: skip
def test_key_of_when_forms_and_spellings_differ_then_is_the_same(left: str, right: str) -> None:
    """Forms and spellings of one word must meet."""
    assert key_of(left) == key_of(right)


def test_found_when_compounds_meet_then_the_last_part_counts_more() -> None:
    """`Vertragsstrafe` is a kind of Strafe, not of Vertrag."""
    asked = key_of("Vertragsstrafe")
    assert found(key_of("Frist"), {key_of("Kündigungsfrist")}) > 0.8
    assert found(asked, {key_of("Strafe")}) > found(asked, {key_of("Vertrag")}) > 0
    assert found(asked, {key_of("Strafe"), key_of("Vertrag")}) > 0.8
    assert found(asked, {key_of("Urlaub")}) == 0


@given(st.text(max_size=300))
def test_claims_when_given_any_text_then_places_are_exact(text: str) -> None:
    """Whatever the text, what is found must stand at its place, and nothing may fail."""
    for quantity in find_quantities(text):
        assert text[quantity.char_start : quantity.char_end] == quantity.text
    for date in find_dates(text):
        assert text[date.char_start : date.char_end] == date.text
    for term in content_terms(text):
        assert text[term.char_start : term.char_end] == term.word
    split_clauses(text)
    find_names(text)
    find_quotes(text)
    flipped_bounds(text, text)
