"""Answer without a model: quote the sentences that answer, word for word, each with its source.

The embedded default generator. It adds no word of its own: an answer is made of pieces of the sources
and ` [Quelle N]`; where no piece answers, it says so. The same request gives the same answer.
"""

import threading
from collections.abc import Callable, Sequence

import numpy as np

from fundstelle.adapters.generators.extractive_decision import Decision, Measured, decide
from fundstelle.adapters.generators.extractive_features import Lookup, measure
from fundstelle.adapters.generators.extractive_question import read_question
from fundstelle.adapters.generators.extractive_selection import select, word_answer
from fundstelle.adapters.generators.extractive_units import all_units
from fundstelle.adapters.generators.extractive_weights import Scale
from fundstelle.adapters.tokenizers import O200kTokenizer
from fundstelle.ports.embedding import Embedder
from fundstelle.ports.generating import GeneratedAnswer, GenerationRequest

VERSION = "1"
_NAME = "extractive"

_PROBES = (
    ("Wann öffnet die Bibliothek am Samstag?", "Samstags ist die Bibliothek ab zehn Uhr geöffnet."),
    ("Wer leitet die Buchhaltung?", "Die Leitung der Buchhaltung hat Frau Sommer."),
    ("Wie viel Wasser braucht der Kaktus?", "Einmal im Monat genügt dem Kaktus ein Glas Wasser."),
    ("Warum wurde die Brücke gesperrt?", "Wegen Rissen im Beton ist die Brücke für den Verkehr gesperrt."),
    ("Was ist ein Algorithmus?", "Ein Algorithmus ist eine Folge eindeutiger Anweisungen."),
    ("Wo wachsen Oliven?", "Olivenbäume gedeihen vor allem rund um das Mittelmeer."),
    ("Welche Unterlagen gehören zum Antrag?", "Dem Antrag sind Ausweis und Meldebescheinigung beizulegen."),
    ("Darf man im Labor essen?", "Essen und Trinken sind in den Laborräumen verboten."),
)
"""Questions with their answers: they show what cosines the embedding model gives to related and unrelated."""


class ExtractiveGenerator:
    """Quote the best sentences of the sources; implements `ports.generating.Generator`.

    Thread-safe as far as the embedder is.
    """

    def __init__(self, embedder: Embedder, *, count_tokens: Callable[[str], int] | None = None) -> None:
        self._embedder = embedder
        self._count_tokens = count_tokens or O200kTokenizer().count
        self._scale: Scale | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name the generator."""
        return _NAME

    def generate(self, request: GenerationRequest, on_text: Callable[[str], None]) -> GeneratedAnswer:
        """Pick, quote and cite; refuse with a reason where the sources do not answer."""
        lookup = Lookup(read_question(request.question), tuple(all_units(request.sources)))
        measured = [Measured.of(features, self.scale) for features in measure(lookup, self._embedder)]
        decision = decide(lookup, measured)
        text = "" if decision.refused else self._quote(lookup, measured, request.max_tokens)
        if not text:
            return self._refuse(decision, on_text)
        on_text(text)
        return self._answer(text, decision)

    @property
    def scale(self) -> Scale:
        """Learn once how the embedding model tells related from unrelated."""
        with self._lock:
            if self._scale is None:
                self._scale = _scale(self._embedder)
            return self._scale

    def _quote(self, lookup: Lookup, measured: Sequence[Measured], max_tokens: int) -> str:
        chosen = select(lookup, measured, fits=lambda text: self._count_tokens(text) <= max_tokens)
        return word_answer(chosen)

    def _refuse(self, decision: Decision, on_text: Callable[[str], None]) -> GeneratedAnswer:
        text = f"Keine Fundstelle: {decision.reason}"
        on_text(text)
        return self._answer(text, decision, refused=True)

    def _answer(self, text: str, decision: Decision, *, refused: bool = False) -> GeneratedAnswer:
        details = {name: f"{value:.4f}" for name, value in decision.values.items()}
        return GeneratedAnswer(
            text=text,
            model=f"{_NAME}/{VERSION}",
            digest=self._embedder.identity.model_id,
            refused=refused,
            reason=decision.reason if refused else "",
            tokens_generated=self._count_tokens(text),
            details={**details, "chance": f"{decision.chance:.4f}"},
        )


def _scale(embedder: Embedder) -> Scale:
    questions = np.stack([embedder.embed_query(question) for question, _ in _PROBES])
    answers = embedder.embed_passages([answer for _, answer in _PROBES])
    cosines = np.asarray(questions @ answers.T, dtype=np.float64)
    related = float(np.mean(np.diag(cosines)))
    others = cosines[~np.eye(len(_PROBES), dtype=bool)]
    return Scale(unrelated=float(np.mean(others)), related=related)
