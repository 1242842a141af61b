"""Looks at each part of an installation and says whether it works, for `fundstelle doctor`."""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fundstelle import __version__
from fundstelle.bootstrap import App
from fundstelle.cli.session import Session
from fundstelle.domain.documents import MediaType
from fundstelle.domain.errors import FundstelleError
from fundstelle.ports.reading import ReadRequest

_LITTLE_SPACE_BYTES = 1024**3

_PROBE_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R"
    b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
    b"4 0 obj<</Length 43>>stream\nBT /F 12 Tf 20 50 Td (Fundstelle) Tj ET     \nendstream endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)
"""A page with one word, without cross-reference table: it must be repaired and read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Report one part: whether it works, what was seen, and what to do where it does not."""

    part: str
    ok: bool
    detail: str
    advice: str = ""


def diagnose(session: Session) -> list[Finding]:
    """Look at all parts; a part that fails keeps none of the others from being looked at."""
    findings = [Finding("program", True, f"Fundstelle {__version__}, Python {platform.python_version()}")]
    try:
        with session.open() as app:
            for part, look in _PARTS.items():
                findings.append(_guarded(part, look, app))
    except FundstelleError as error:
        findings.append(Finding("settings", False, error.message, error.hint))
    return findings


def _guarded(part: str, look: Callable[[App], Finding], app: App) -> Finding:
    try:
        return look(app)
    except FundstelleError as error:
        return Finding(part, False, error.message, error.hint)
    except Exception as error:  # noqa: BLE001 - a diagnosis reports whatever it meets
        return Finding(part, False, f"{type(error).__name__}: {error}", "Please report this.")


def _folder(app: App) -> Finding:
    home = app.settings.home
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as probe:
            probe.write(b"probe")
    except OSError as error:
        advice = "Give your user the right to write there, or name another folder with FUNDSTELLE_HOME."
        return Finding("data folder", False, f"{home} cannot be written: {error.strerror}", advice)
    free = shutil.disk_usage(home).free
    little = free < _LITTLE_SPACE_BYTES
    advice = "Free some space before the next import." if little else ""
    return Finding("data folder", True, f"{home}, {free / 1024**3:.1f} GB free", advice)


def _database(app: App) -> Finding:
    with app.database.read() as unit:
        names = [collection.name for collection in unit.collections.all()]
        documents = unit.listing.count(None)
    return Finding("database", True, f"{documents} documents in {len(names)} collections")


def _reader(app: App) -> Finding:
    with tempfile.NamedTemporaryFile(suffix=".pdf") as probe:
        probe.write(_PROBE_PDF)
        probe.flush()
        found = app.reader.read(ReadRequest(Path(probe.name), MediaType.PDF), lambda _done, _total: None)
    ok = "Fundstelle" in found.text
    detail = (
        "a PDF file was read in the worker process" if ok else f"the probe file gave {found.verdict.value}"
    )
    return Finding("reader", ok, detail, "" if ok else "Install the package pypdfium2 anew.")


def _tokenizer(app: App) -> Finding:
    return Finding(
        "tokenizer", True, f"{app.tokenizer.name}, {app.tokenizer.count('Fundstelle')} tokens in a word"
    )


def _embedder(app: App) -> Finding:
    identity = app.embedder.identity
    vector = app.embedder.embed_query("Wo steht das?")
    ok = vector.shape == (identity.dimension,)
    return Finding("embedder", ok, f"{identity.provider} {identity.name}, {identity.dimension} dimensions")


def _index(app: App) -> Finding:
    with app.exclusive(), app.database.read() as unit:
        records = unit.collections.all()
    built_with_others = [
        one.name for one in records if one.model_id not in (None, app.embedder.identity.model_id)
    ]
    if built_with_others:
        detail = f"built with another model: {', '.join(built_with_others)}"
        return Finding("index", False, detail, "Run: fundstelle reindex")
    count = sum(one.index_name is not None for one in records)
    return Finding("index", True, f"{count} collections have one; compare with SQL by: fundstelle reconcile")


def _worker_limits(_app: App) -> Finding:
    limited = sys.platform != "win32"
    advice = "" if limited else "On this system a hostile file is limited in time, but not in memory."
    return Finding(
        "limits", True, f"{os.cpu_count()} cores; memory of file readers limited: {limited}", advice
    )


_PARTS: dict[str, Callable[[App], Finding]] = {
    "data folder": _folder,
    "database": _database,
    "reader": _reader,
    "limits": _worker_limits,
    "tokenizer": _tokenizer,
    "embedder": _embedder,
    "index": _index,
}
