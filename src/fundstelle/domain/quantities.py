"""Find numbers with their units and dates in German text, in one form whatever way they are written.

`1.000,5` and `1000,5`, `zwei` and `2`, `50 %` and `50 Prozent`, `3. Oktober 1990` and `03.10.1990` are
the same claim. This module finds and normalises; whether a claim stands in a source is not its business.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from fundstelle.domain.number_words import number_of_word, unit_part

_MONTHS = (
    r"jan(?:uar|ner|\.)?|jänner|feb(?:ruar|er|\.)?|m[aä]rz|mrz\.?|apr(?:il|\.)?|mai|jun[io]?\.?|jul[iy]?\.?"
    r"|aug(?:ust|\.)?|sep(?:tember|t\.|\.)?|okt(?:ober|\.)?|nov(?:ember|\.)?|dez(?:ember|\.)?"
)
_MONTH_KEYS = ("jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez")
_MONTH_ALIASES = {"jän": "jan", "mär": "mar", "mrz": "mar"}
_DATE = re.compile(
    rf"""
    (?<![\w.,])(?:
      (?P<y1>\d{{4}})-(?P<m1>\d{{2}})-(?P<d1>\d{{2}})
    | (?P<d2>\d{{1,2}})\.\s?(?P<m2>\d{{1,2}})\.(?:\s?(?P<y2>\d{{4}}|\d{{2}}(?![\d.,]|\s?(?:uhr|%|€)))|(?!\d))
    | (?P<d3>\d{{1,2}})\.\s?(?P<m3>(?:{_MONTHS})(?!\w))(?:\s(?P<y3>\d{{4}})(?!\w))?
    | (?P<m4>(?:{_MONTHS})(?!\w))\s(?P<y4>\d{{4}})(?!\w)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w.,:])(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?(?=\s?uhr\b)"
    r"|(?<![\w.,:])(?P<h2>\d{1,2}):(?P<m2>\d{2})(?![\w:])",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<digits>\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+(?:,\d+)?(?![\d.,]*\d)"
    r"|\d+(?:[.,]\d+)*)(?P<half>[½¼¾])?"
    r"|(?P<fraction>[½¼¾])"
    r"|(?P<word>(?<!\w)[^\W\d_]{3,60}(?!\w))"
)
_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?\Z")
_GROUPED_ENGLISH = re.compile(r"\d{1,3}(?:,\d{3})+\.\d+\Z|\d{1,3}(?:,\d{3}){2,}\Z")
_GAP = re.compile(r"[\s\-–]{0,2}")
_NEXT_WORD = re.compile(r"(?P<sign>[%€$£‰°][CF]?)|(?P<word>[^\W\d_]+\.?(?:\s[Hh]\.)?)")
_RANGE = re.compile(r"\s?(?:[-–]|bis(?:\szu)?|und|oder)\s?\Z")
_BEFORE = re.compile(
    r"(?P<unit>§{1,2}|(?<!\w)(?:abs|absatz|art|artikel|nr|nummer|satz|seite|kapitel|kap|abschnitt"
    r"|ziffer|stufe|punkt"
    r"|anlage|eur|euro|usd|€|\$|£))\.?\s?\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 14
_LOOK_AHEAD = 60
_MAGNITUDES = {
    "tsd": 3, "tausend": 3, "mio": 6, "million": 6, "millionen": 6,
    "mrd": 9, "milliarde": 9, "milliarden": 9, "billion": 12, "billionen": 12,
}  # fmt: skip
_SIGNS = {"%": "prozent", "€": "euro", "$": "dollar", "£": "pfund", "‰": "promille", "°": "grad"}
_UNIT_FORMS = {
    "prozent": "prozent", "v. h.": "prozent", "euro": "euro", "eur": "euro", "cent": "cent",
    "dollar": "dollar", "usd": "dollar", "chf": "franken", "franken": "franken", "grad": "grad",
    "kilometer": "km", "kilometern": "km", "km": "km", "meter": "m", "metern": "m", "m": "m",
    "zentimeter": "cm", "cm": "cm", "millimeter": "mm", "mm": "mm", "kilogramm": "kg", "kg": "kg",
    "kilo": "kg",
    "gramm": "g", "g": "g", "tonne": "t", "tonnen": "t", "t": "t", "liter": "l", "litern": "l", "l": "l",
    "watt": "w", "kw": "kw", "kilowatt": "kw", "kwh": "kwh", "mw": "mw", "volt": "v", "ampere": "a",
    "mb": "mb", "gb": "gb", "tb": "tb", "kb": "kb", "hz": "hz", "bar": "bar", "hektar": "ha", "ha": "ha",
    "min": "minute", "std": "stunde", "stdn": "stunde", "h": "stunde", "sek": "sekunde", "s": "sekunde",
    "uhr": "uhr", "mal": "mal", "fach": "mal", "fache": "mal", "fachen": "mal", "faches": "mal",
    "quadratmeter": "m²", "quadratmetern": "m²", "qm": "m²", "m²": "m²", "kubikmeter": "m³", "m³": "m³",
}  # fmt: skip
_TIME_UNIT = re.compile(
    r"(?P<kind>[a-zäöüß]{0,30}?)(?P<base>tag|tagen|tage|tages|tages|tägig\w*|woche|wochen|wöchig\w*"
    r"|monat|monate|monaten"
    r"|monats|monatig\w*|jahr|jahre|jahren|jahres|jährig\w*|stunde|stunden|stündig\w*|minute|minuten"
    r"|minütig\w*"
    r"|sekunde|sekunden)\Z"
)
_TIME_BASES = (
    ("tag", "tag"), ("täg", "tag"), ("wo", "woche"), ("wö", "woche"), ("mon", "monat"), ("jahr", "jahr"),
    ("jähr", "jahr"), ("st", "stunde"), ("min", "minute"), ("sek", "sekunde"),
)  # fmt: skip
_ARTICLES = frozenset({"ein", "eine", "einen", "einem", "einer", "eines"})
_COUNTED_BY_ARTICLE = frozenset({"monat", "jahr", "woche", "stunde", "minute", "prozent"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """Hold one number as it stands in a text.

    Args:
        key: The number in one form, such as `1000.5`; `2.3.1` for a numbering.
        unit: Normalised unit, such as `euro`, `tag`, `werktag`, `§`; empty where none was recognised.
        counted: The noun that follows where no unit does (`24 Interceptions`), as written.
    """

    key: str
    unit: str
    counted: str
    text: str
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """Hold one date as it stands in a text; what it does not say is None."""

    year: int | None
    month: int | None
    day: int | None
    text: str
    char_start: int
    char_end: int

    def agrees_with(self, other: "CalendarDate") -> bool:
        """Say whether the other date says at least what this one says, and nothing else."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine is None or mine == its for mine, its in pairs)


def find_dates(text: str) -> tuple[CalendarDate, ...]:
    """Find dates in any German or ISO spelling, in order."""
    return tuple(date for match in _DATE.finditer(text) if (date := _date(match)) is not None)


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Find numbers in digits and words with their units, in order; dates are left to `find_dates`."""
    taken = [(date.char_start, date.char_end) for date in find_dates(text)]
    clocks = list(_clocks(text, taken))
    taken += [(clock.char_start, clock.char_end) for clock in clocks]
    masked = _mask(text, taken)
    plain = [quantity for match in _NUMBER.finditer(masked) if (quantity := _quantity(match, text))]
    return tuple(sorted((*clocks, *_share_units(plain, text)), key=lambda quantity: quantity.char_start))


def units_agree(left: str, right: str) -> bool:
    """Say whether two units can mean the same: equal, one unknown, or one more exact (`tag`, `werktag`)."""
    return not left or not right or left.endswith(right) or right.endswith(left)


def is_number_or_unit(word: str) -> bool:
    """Say whether a word only counts or measures: `zwei`, `Euro`, `Millionen`, `Wochen`, `dreitägig`."""
    lower = word.lower().rstrip(".")
    return lower in _MAGNITUDES or bool(_unit(lower)) or number_of_word(word) is not None


def _mask(text: str, spans: list[tuple[int, int]]) -> str:
    pieces, position = [], 0
    for start, end in sorted(spans):
        pieces += [text[position:start], "|" * (end - start)]
        position = end
    return "".join((*pieces, text[position:]))


def _date(match: re.Match[str]) -> CalendarDate | None:
    groups = match.groupdict()
    year = next((groups[name] for name in ("y1", "y2", "y3", "y4") if groups.get(name)), None)
    month = next((groups[name] for name in ("m1", "m2", "m3", "m4") if groups.get(name)), "")
    day = next((groups[name] for name in ("d1", "d2", "d3") if groups.get(name)), None)
    month_number = int(month) if month.isdigit() else _month_number(month)
    if not 1 <= month_number <= 12 or (day is not None and not 1 <= int(day) <= 31):
        return None
    return CalendarDate(_full_year(year), month_number, int(day) if day else None, match[0], *match.span())


def _month_number(name: str) -> int:
    key = name[:3].lower()
    return _MONTH_KEYS.index(_MONTH_ALIASES.get(key, key)) + 1


def _full_year(year: str | None) -> int | None:
    if year is None or len(year) == 4:
        return int(year) if year else None
    return int(year) + (2000 if int(year) < 70 else 1900)


def _clocks(text: str, taken: list[tuple[int, int]]) -> Iterator[Quantity]:
    busy = {position for start, end in taken for position in range(start, end)}
    for match in _CLOCK.finditer(text):
        hour, minute = int(match["h"] or match["h2"]), int(match["m"] or match["m2"] or 0)
        if match.start() not in busy and hour <= 24 and minute < 60:
            yield Quantity(f"{hour}:{minute:02}", "uhr", "", match[0], *match.span())


def _quantity(match: re.Match[str], text: str) -> Quantity | None:
    value = _value(match, text)
    if value is None:
        return None
    magnitude, unit, counted = _unit_after(text, match.end())
    key = _plain(value.scaleb(magnitude)) if isinstance(value, Decimal) else value
    if match["word"] and not unit and (own := _unit(unit_part(match["word"]))):
        unit, counted = own, ""
    before = _BEFORE.search(text[max(0, match.start() - _LOOK_BACK) : match.start()])
    if before and not unit:
        name = before["unit"].lower()
        unit, counted = ("§" if name.startswith("§") else _UNIT_FORMS.get(name, _SIGNS.get(name, name))), ""
    return Quantity(key, unit, counted, match[0], *match.span())


def _value(match: re.Match[str], text: str) -> Decimal | str | None:
    if match["word"]:
        return _word_value(match["word"], text, match.end())
    if match["fraction"]:
        return _FRACTIONS[match["fraction"]]
    value = _digits(match["digits"])
    return value + _FRACTIONS[match["half"]] if match["half"] and isinstance(value, Decimal) else value


def _word_value(word: str, text: str, end: int) -> Decimal | None:
    if word.lower() in _ARTICLES:
        _, unit, _ = _unit_after(text, end)
        return Decimal(1) if unit in _COUNTED_BY_ARTICLE else None
    number = number_of_word(word)
    return None if number is None else Decimal(number)


def _digits(digits: str) -> Decimal | str:
    digits = re.sub(r"\s", "", digits)
    if _GROUPED.match(digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif _GROUPED_ENGLISH.match(digits):
        digits = digits.replace(",", "")
    elif digits.count(",") == 1 and "." not in digits:
        digits = digits.replace(",", ".")
    try:
        return Decimal(digits)
    except InvalidOperation:
        return digits


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).lstrip("0") or "0"


def _unit_after(text: str, end: int) -> tuple[int, str, str]:
    """Read what follows a number: power of ten of a magnitude, unit, counted noun."""
    magnitude, counted = 0, ""
    position = end
    for _ in range(3):
        gap = _GAP.match(text, position)
        position = gap.end() if gap else position
        match = _NEXT_WORD.match(text, position, min(len(text), position + _LOOK_AHEAD))
        if match is None:
            break
        position = match.end()
        word = (match["word"] or match["sign"]).rstrip(".").lower()
        if word in _MAGNITUDES and not counted:
            magnitude = _MAGNITUDES[word]
            continue
        if unit := _unit(match["word"] or match["sign"]):
            return magnitude, unit, ""
        counted = counted or (word if match[0][0].isupper() else "")
        if counted or match[0].endswith(".") or not _may_stand_between(word):
            break
    return magnitude, "", counted


def _may_stand_between(word: str) -> bool:
    """Let an adjective stand between number and unit: `14 volle Tage`, `zwei weitere Wochen`."""
    return word.endswith(("e", "en", "er", "es"))


def _unit(word: str) -> str:
    if not word:
        return ""
    if word[0] in _SIGNS:
        return _SIGNS[word[0]]
    lower = word.rstrip(".").lower()
    if lower in _UNIT_FORMS:
        return _UNIT_FORMS[lower]
    match = _TIME_UNIT.match(lower)
    if match is None:
        return ""
    base = next(name for start, name in _TIME_BASES if match["base"].startswith(start))
    return f"{match['kind']}{base}"


def _share_units(quantities: list[Quantity], text: str) -> Iterator[Quantity]:
    """Give the first number of a range the unit of the second: `30–40 Tage`, `zwei bis drei Wochen`."""
    for index, quantity in enumerate(quantities):
        following = quantities[index + 1] if index + 1 < len(quantities) else None
        if following and not quantity.unit and _RANGE.match(text[quantity.char_end : following.char_start]):
            yield Quantity(
                quantity.key,
                following.unit,
                following.counted,
                quantity.text,
                quantity.char_start,
                quantity.char_end,
            )
        else:
            yield quantity
