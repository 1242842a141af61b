"""What the elements of HTML mean for their text: block, heading, hidden, navigation."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from fundstelle.domain.documents import MarkKind


class Role(StrEnum):
    """Name what an element does for the text inside it."""

    INLINE = "inline"
    BLOCK = "block"
    HEADING = "heading"
    LIST = "list"
    ITEM = "item"
    TERMS = "terms"
    TERM = "term"
    DETAIL = "detail"
    TABLE = "table"
    ROW = "row"
    CELL = "cell"
    CODE = "code"
    BREAK = "break"
    RULE = "rule"
    IMAGE = "image"
    SKIPPED = "skipped"


_NAMES = {
    Role.HEADING: "h1 h2 h3 h4 h5 h6",
    Role.LIST: "ul ol menu dir",
    Role.ITEM: "li",
    Role.TERMS: "dl",
    Role.TERM: "dt",
    Role.DETAIL: "dd",
    Role.TABLE: "table",
    Role.ROW: "tr",
    Role.CELL: "td th",
    Role.CODE: "pre xmp listing plaintext",
    Role.BREAK: "br",
    Role.RULE: "hr",
    Role.IMAGE: "img",
    Role.SKIPPED: (
        "script style template noscript head iframe noembed noframes object embed applet svg canvas audio "
        "video textarea select datalist title rp"
    ),
    Role.BLOCK: (
        "address article aside blockquote body caption center details dialog div fieldset figcaption figure "
        "footer form frameset header hgroup html legend main nav optgroup option p search section summary "
        "tbody tfoot thead"
    ),
}
ROLES: Mapping[str, Role] = {name: role for role, names in _NAMES.items() for name in names.split()}
VOID = frozenset(
    name
    for names in (
        "area base basefont bgsound br col embed frame hr img",
        "input keygen link meta param source track wbr",
    )
    for name in names.split()
)
CLOSES: Mapping[str, frozenset[str]] = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "td", "th", "caption"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "tbody": frozenset({"tr", "td", "th", "tbody", "thead", "tfoot", "caption"}),
    "thead": frozenset({"caption"}),
    "tfoot": frozenset({"tr", "td", "th", "tbody", "thead"}),
    "option": frozenset({"option"}),
    "body": frozenset({"head"}),
}
"""Elements that an opening tag ends, because they have no closing tag of their own."""
SCOPES = frozenset({"ul", "ol", "dl", "table", "menu", "dir", "select", "html"})
"""Elements out of which no opening tag closes anything."""

ENDS_PARAGRAPH = frozenset(
    {Role.BLOCK, Role.HEADING, Role.LIST, Role.TERMS, Role.TABLE, Role.CODE, Role.RULE}
)
"""Roles whose opening tag ends an open `<p>`."""

Attributes: TypeAlias = Mapping[str, tuple[str, int, int]]
"""Name of each attribute to its value and the place of that."""
_INVISIBLE_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0+\s*(?:;|!|$)"
    r"|font-size\s*:\s*0(?:\.0+)?\s*(?:px|pt|em|rem|%)?\s*(?:;|!|$)|text-indent\s*:\s*-\d{3,}"
    r"|(?:left|top|right)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%)",
    re.IGNORECASE,
)


def hidden_because(attributes: Attributes) -> str:
    """Say by which attribute an element is hidden from the reader; empty where it is not."""
    if "hidden" in attributes and attributes["hidden"][0].lower() != "until-found":
        return "hidden attribute"
    if attributes.get("aria-hidden", ("",))[0].strip().lower() == "true":
        return "aria-hidden"
    if "style" in attributes and _INVISIBLE_STYLE.search(attributes["style"][0]):
        return "style makes it invisible"
    return ""


def furniture(name: str, attributes: Attributes, *, in_article: bool) -> tuple[MarkKind, str] | None:
    """Recognise what surrounds the text of a page: navigation, its table of contents, its footer."""
    role = attributes.get("role", ("",))[0].lower()
    names = {attributes.get("id", ("",))[0].lower(), *attributes.get("class", ("",))[0].lower().split()}
    if name == "nav" or role in {"navigation", "doc-toc"} or "toc" in names:
        return MarkKind.HEADER, "navigation"
    is_footer = (name == "footer" and not in_article) or role == "contentinfo"
    if is_footer or (name == "div" and attributes.get("id", ("",))[0].lower() == "footer"):
        return MarkKind.FOOTER, "page footer"
    return None


def format_marker(number: int, style: str) -> str:
    """Write the number of a list item as it is printed, such as `3. `, `c. ` or `iii. `."""
    if style in {"a", "A"} and number > 0:
        letters = ""
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(97 + rest) + letters
        return f"{letters if style == 'a' else letters.upper()}. "
    if style in {"i", "I"} and 0 < number < _ROMAN_LIMIT:
        roman = _roman(number)
        return f"{roman if style == 'i' else roman.upper()}. "
    return f"{number}. "


_ROMAN_LIMIT = 4000


def _roman(number: int) -> str:
    text = ""
    for value, sign in (
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
        (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ):  # fmt: skip
        text += sign * (number // value)
        number %= value
    return text
