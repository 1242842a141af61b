"""Find where a German sentence says the opposite of its original: `höchstens` for `mindestens`.

Pairs of words with opposite sense, kept by hand. Only one-sided changes count: a sentence that has
both sides, or whose original has both, is left alone.
"""

import re

_FLIPS = tuple(
    (re.compile(rf"\b(?:{left})", re.IGNORECASE), re.compile(rf"\b(?:{right})", re.IGNORECASE), label)
    for left, right, label in (
        (r"mindestens\b|wenigstens\b|nicht weniger als\b|minimal\b|nicht unter\b|Mindest",
         r"höchstens\b|maximal\b|nicht mehr als\b|bis zu\b|nicht über\b|Höchst", "mindestens/höchstens"),
        ((r"mehr\b|über \d|größer|höher|länger|schneller|öfter|häufiger|älter|stärker|übersteig"
            r"|überschreit|besser"),
         (r"weniger\b|unter \d|kleiner|niedriger|geringer|kürzer|langsamer|seltener|jünger|schwächer"
             r"|unterschreit"
         r"|schlechter"), "mehr/weniger"),
        ((r"erhöh|steig|stieg|gestieg|zunahm|zugenommen|zunehm|wuchs|wachs|gewachsen|verlänger"
            r"|verbesser|vergrößer"),
         (r"verring|sink|sank|gesunk|abnahm|abgenommen|abnehm|fiel\b|gefallen|verkürz|verschlechter"
             r"|verkleiner|reduzier"
         r"|senk|vermind"), "mehr/weniger werden"),
        (r"vor\b|bevor\b|vorher\b|früher\b|frühestens\b", (r"nach\b|nachdem\b|nachher\b|später\b"
            r"|spätestens\b"),
         "vorher/nachher"),
        (r"mit\b", r"ohne\b", "mit/ohne"),
        (r"alle[rsnm]?\b|jede[rsnm]?\b|sämtliche", (r"einige[rsnm]?\b|manche[rsnm]?\b|wenige\b"
            r"|einzelne"), "alle/einige"),
        (r"immer\b|stets\b", r"manchmal\b|gelegentlich\b|selten\b|nie\b", "immer/manchmal"),
        (r"innerhalb\b", r"außerhalb\b", "innerhalb/außerhalb"),
        (r"links\b|linke", r"rechts\b|rechte[rnms]? (?!und)", "links/rechts"),
        (r"erste[rnms]?\b|beginn|beginnt|Anfang", r"letzte[rnms]?\b|ende\b|endet|Ende\b", "Anfang/Ende"),
        (r"Vorteil", r"Nachteil", "Vorteil/Nachteil"), (r"Gewinn", r"Verlust", "Gewinn/Verlust"),
        (r"Einnahme", r"Ausgabe", "Einnahme/Ausgabe"), (r"schriftlich", r"mündlich", "schriftlich/mündlich"),
        (r"intern", r"extern", "intern/extern"), (r"aktiv", r"passiv", "aktiv/passiv"),
        (r"öffentlich", r"privat|vertraulich|geheim", "öffentlich/vertraulich"),
        (r"Arbeitgeber", r"Arbeitnehmer", "Arbeitgeber/Arbeitnehmer"),
        (r"Vermieter", r"Mieter", "Vermieter/Mieter"), (r"Verkäufer", r"Käufer", "Verkäufer/Käufer"),
    )
)  # fmt: skip


def flipped_bounds(sentence: str, original: str) -> tuple[str, ...]:
    """Name the opposites of which a sentence has one side and its original only the other."""
    return tuple(
        label
        for left, right, label in _FLIPS
        if _one_sided(left, right, sentence, original) or _one_sided(right, left, sentence, original)
    )


def _one_sided(one: re.Pattern[str], other: re.Pattern[str], sentence: str, original: str) -> bool:
    if not one.search(sentence) or other.search(sentence):
        return False
    return bool(other.search(original)) and not one.search(original)
