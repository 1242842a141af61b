"""Say what a piece of text does, by rules that a reader can follow; German first, English as well.

The first rule that holds decides:

1. `other`: no body below the heading; a table of contents (the title says so, or at least half of the
   lines end in leaders and a page number); an imprint or a list of references (the title says so);
   a table (at least half of the lines are table rows).
2. `example`: the title or the text begins with `Beispiel`, `Fallbeispiel`, `Fallstudie`, `Zum Beispiel`,
   `z. B.`, `Example`, `For example`, `e.g.`, with or without a list marker, number or colon.
3. `definition`: the title begins with `Definition` or `Begriffsbestimmung`, or is `Begriffe`; or the first
   two sentences define a term: `X ist ein/eine/der/die/das …`, `X sind …`, where X is the noun phrase
   that opens the sentence and no pronoun; `X bezeichnet / bedeutet / heißt …`; `Unter X versteht man …`,
   `X wird … verstanden / bezeichnet / genannt`; `… im Sinne dieses Gesetzes / dieser Verordnung …`.
   A clause that ends in a judgement or participle (`… verpflichtet`, `… gekommen`) defines nothing.
4. `enumeration`: at least two list items, and at least half of the parts (paragraphs, items, lines) are
   items. A paragraph numbered `(1)` is a paragraph (Absatz) of a law, no item.
5. `prose`: everything else.
"""

import re

from fundstelle.domain.blocks import ITEM_MARKER, BlockKind, is_table_row, split_blocks
from fundstelle.domain.documents import SemanticRole

_OTHER_TITLE = re.compile(
    r"(?:[\d.]+\s+|[A-Z]\.?\s+)?(?:inhalt|inhaltsverzeichnis|inhaltsübersicht|literatur|quellen|index|register|"
    r"(?:abbildungs|tabellen|abkürzungs|stichwort|sach|literatur|quellen|personen)(?:verzeichnis|register)|"
    r"impressum|bibliogra(?:f|ph)ie|(?:table of )?contents|references|bibliography|imprint|"
    r"list of (?:figures|tables))\s*$",
    re.IGNORECASE,
)
_LEADER_LINE = re.compile(
    r"(?:(?:\.[ \t]?){3,}[ \t]*(?:\d{1,4}|[ivxlc]{1,6})|(?:…[ \t]?)+[ \t]*\d{1,4})[ \t]*$"
)
_NUMBERING = r"\s*(?:[-–—•*][ \t]+|\(?[\d.]{1,8}[.)]?[ \t]+)?"
_EXAMPLE = re.compile(
    rf"{_NUMBERING}(?:(?:Fall|Praxis|Anwendungs|Rechen|Zahlen)?beispiele?\b|Beispielhaft\b|Beispielsweise\b|"
    r"Fallstudie\b|Zum\s+Beispiel\b|z\.\s?B\.|Examples?\b|For\s+(?:example|instance)\b|e\.\s?g\.)",
    re.IGNORECASE,
)
_DEFINITION_TITLE = re.compile(
    r"\s*(?:§+\s*\d+\w?\s+|[\d.]+\s+)?"
    r"(?:Definition(?:en)?\b|Begriffsbestimmung(?:en)?\b|Begriffe?\s*$|Begriff\s+de[rs]\b)",
    re.IGNORECASE,
)
_NO_TERM = (  # pronouns, prepositions, conjunctions, and nouns that announce a judgement
    r"(?:Es|Er|Sie|Wir|Ihr|Ich|Man|Dies|Diese[rsmn]?|Hier|Dort|Dabei|Damit|Dann|Wer|Was|Wenn|Ist|Sind|Hat|"
    r"It|This|That|He|She|They|We|You|There|Alle|Keine?|Niemand|Nur|Auch|So|Ebenso|Ob|Soweit|Sofern|Falls|"
    r"Zu|Zur|Zum|Bei|Beim|In|Im|Ins|Auf|An|Am|Für|Mit|Nach|Von|Vom|Vor|Aus|Über|Unter|Durch|Gegen|Ohne|Um|"
    r"Gestern|Heute|Morgen|Nun|Jetzt|Danach|Daher|Deshalb|Außerdem|Zudem|Allerdings|Jedoch|Dennoch|Zunächst|"
    r"Oft|Manchmal|Immer|Somit|Folglich|Seit|Während|Wegen|Trotz|Bis|Als|Ziel|Zweck|Grund|Ursache|Voraussetzung|Wichtig|Maßgebend)\b"
)
_TERM = (
    rf"(?:(?:Eine?|Der|Die|Das|The|An?)[ \t]+)?(?!{_NO_TERM}|(?:Der|Die|Das|Eine?)\b)"
    r"[„\"‚»]?[A-ZÄÖÜ][\w-]*(?:[ \t]+[\w-]+){0,3}[“\"‘«]?(?:[ \t]*\([^()\n]{1,60}\))?"
)
_ARTICLE = r"(?:eine?|einer|eines|der|die|das|jede[rs]?|an?|the)\b"
_NO_DEFINING_NOUN = r"(?![ \t]+(?:Grund|Ursache|Beispiel|Problem|Frage|Aufgabe|Ziel|Folge|Ergebnis|Teil)\b)"
_LEGAL_SCOPE = (
    r"im[ \t]+Sinne[ \t]+(?:dieses|dieser|des|der)[ \t]+"
    r"(?:Gesetz|Verordnung|Vorschrift|Richtlinie|Satzung|Vertrag|Absatz|Satz)\w*"
)
_DEFINING = re.compile(
    rf"{_NUMBERING}(?:"
    rf"{_TERM}[ \t]+(?:ist|sind|is|are)(?:[ \t]+(?:also|dabei|hierbei|demnach|insoweit))?"
    rf"[ \t]+{_ARTICLE}{_NO_DEFINING_NOUN}"
    rf"|{_TERM}[ \t]+sind[ \t]+(?:alle|nur|solche|jene|diejenigen)\b"
    rf"|{_TERM}[ \t]+(?:bezeichnet|bezeichnen|bedeutet|bedeuten|heißt|heißen|means|denotes|refers[ \t]+to)\b"
    r"|(?:Unter|Als)\b[^.!?\n]{1,120}?\b(?:verstehen|versteht|verstanden|bezeichnet|bezeichnen|nennt)\b"
    rf"|{_TERM}[ \t]+(?:wird|werden)\b[^.!?\n]{{1,160}}?\b(?:verstanden|bezeichnet|genannt)\b"
    rf"|{_TERM}[^.!?\n]{{0,80}}?\b{_LEGAL_SCOPE}[^.!?\n]{{0,60}}?\b(?:ist|sind)\b"
    r")"
)
_FIRST_CLAUSE = re.compile(r"[^.!?,;:\n]*")
_JUDGING = re.compile(
    r"\b(?:nicht|kein\w*|wichtig|notwendig|erforderlich|berechtigt|verpflichtet|befugt|unwirksam|nichtig|zulässig|"
    r"unzulässig|ausgeschlossen|zu[ \t]+\w+en|ge[a-zäöü]+(?:t|en))[ \t]*$"
)
_SECOND_SENTENCE = re.compile(r"[.!?][ \t]+(?=[A-ZÄÖÜ„\"])")
_HEAD = 600
"""Characters from the beginning within which the first two sentences are looked for."""
_TAIL = 80
"""Characters at the end of a line within which leaders and page number are looked for."""
_MARKER_LENGTH = 24
_ABSATZ = re.compile(r"\s*\(\d")


def semantic_role(body: str, title: str = "") -> SemanticRole:
    """Judge a piece of normalised text.

    Args:
        body: The text without its heading.
        title: Title of the section that it comes from.
    """
    if _is_other(body, title):
        return SemanticRole.OTHER
    if _EXAMPLE.match(title) or _EXAMPLE.match(body.lstrip()):
        return SemanticRole.EXAMPLE
    if _DEFINITION_TITLE.match(title) or defines_term(body):
        return SemanticRole.DEFINITION
    if _is_enumeration(body):
        return SemanticRole.ENUMERATION
    return SemanticRole.PROSE


def defines_term(body: str) -> bool:
    """Tell whether one of the first two sentences says what a term means."""
    head = body.lstrip()[:_HEAD]
    second = _SECOND_SENTENCE.search(head)
    starts = (0,) if second is None else (0, second.end())
    return any(_defines(head, start) for start in starts)


def _defines(head: str, start: int) -> bool:
    match = _DEFINING.match(head, start)
    if match is None:
        return False
    clause = _FIRST_CLAUSE.match(head, match.end())
    return clause is None or not _JUDGING.search(head, match.start(), clause.end())


def _is_other(body: str, title: str) -> bool:
    lines = [line for line in body.split("\n") if line.strip()]
    if not lines or _OTHER_TITLE.match(title.strip()):
        return True
    leaders = sum(1 for line in lines if _LEADER_LINE.search(line[-_TAIL:]))
    rows = sum(1 for line in lines if is_table_row(line))
    return max(leaders, rows) * 2 >= len(lines) and max(leaders, rows) > 1


def _is_enumeration(body: str) -> bool:
    items = lines = 0
    for block in split_blocks(body):
        rows = [body[start : start + _MARKER_LENGTH] for start in block.rows]
        lines += len(rows)
        alone = block.kind is BlockKind.PARAGRAPH
        items += sum(1 for row in rows if ITEM_MARKER.match(row) and not (alone and _ABSATZ.match(row)))
    return items > 1 and items * 2 >= lines
