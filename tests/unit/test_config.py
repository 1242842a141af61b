"""Settings: precedence, and words for what cannot be used."""

from pathlib import Path

import pytest

from fundstelle.config import HOME_VARIABLE, SETTINGS_FILE, default_home, load_settings
from fundstelle.domain.errors import UsageError


def _write(home: Path, content: str) -> Path:
    home.mkdir(exist_ok=True)
    (home / SETTINGS_FILE).write_text(content, encoding="utf-8")
    return home


def test_home_when_named_in_the_environment_then_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """FUNDSTELLE_HOME names the data folder."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert default_home() == tmp_path
    assert load_settings().home == tmp_path


def test_setting_when_given_at_three_places_then_the_highest_wins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Options win over the environment, the environment over the file, the file over the default."""
    home = _write(tmp_path / "home", "top_k = 3\n")
    assert load_settings(home).top_k == 3
    monkeypatch.setenv("FUNDSTELLE_TOP_K", "4")
    assert load_settings(home).top_k == 4
    assert load_settings(home, top_k=5).top_k == 5
    assert load_settings(home, top_k=None).top_k == 4


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("top_k = ", ["fundstelle.toml", "TOML"]),
        ("topk = 3", ["topk", "fundstelle.toml", "top_k"]),
        ("top_k = 0", ["top_k", "fundstelle.toml", "0"]),
        ('top_k = "viele"', ["top_k", "viele"]),
        ("chunk_min_tokens = 900", ["chunk_min_tokens", "chunk_max_tokens"]),
        ("chunk_max_overlap = 600", ["chunk_max_overlap", "chunk_min_tokens"]),
        ("chunk_min_overlap = 200", ["chunk_min_overlap", "chunk_max_overlap"]),
    ],
)
def test_settings_file_when_wrong_then_says_what_and_where(
    tmp_path: Path, content: str, words: list[str]
) -> None:
    """A wrong setting is refused with its name, its place and its value."""
    with pytest.raises(UsageError) as caught:
        load_settings(_write(tmp_path / "home", content))
    assert all(word in str(caught.value) for word in words)


def test_environment_when_wrong_then_the_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wrong value of the environment is refused with the name of the variable."""
    monkeypatch.setenv("FUNDSTELLE_MODE", "magisch")
    with pytest.raises(UsageError, match="FUNDSTELLE_MODE"):
        load_settings(tmp_path)


def test_option_when_wrong_then_the_option_is_named(tmp_path: Path) -> None:
    """A wrong option is refused with its name."""
    with pytest.raises(UsageError, match="--top-k"):
        load_settings(tmp_path, top_k=0)


def test_settings_file_when_it_names_a_home_then_refused(tmp_path: Path) -> None:
    """A setting that could have no effect is an error, not silence."""
    with pytest.raises(UsageError, match="has no effect"):
        load_settings(_write(tmp_path, 'home = "/anderswo"'))


def test_home_when_it_is_a_file_then_said(tmp_path: Path) -> None:
    """Who names a file as data folder reads that, and how to name another."""
    (tmp_path / "datei").write_text("x")
    with pytest.raises(UsageError, match="is not a folder"):
        load_settings(tmp_path / "datei")
