"""What reaches the terminal: nothing that a document or a file name could command it with."""

import io
import json
import sys

import pytest

from fundstelle.cli.output import (
    in_one_line,
    print_json,
    print_note,
    print_raw,
    print_table,
    print_text,
    visible,
)
from fundstelle.domain.errors import StorageError

HOSTILE = "a\x1b[31mrot\x07\x9b2J\x7f\u202eb\r"
SHOWN = "a\\x1b[31mrot\\x07\\x9b2J\\x7f\\u202eb\\x0d"


def test_visible_when_text_holds_control_characters_then_they_are_written_out() -> None:
    """Escape sequences, C1 controls and marks that turn the reading order are shown, not obeyed."""
    assert visible(HOSTILE) == SHOWN


def test_visible_when_text_is_ordinary_then_it_stays() -> None:
    """Umlauts, several lines, tabs and other scripts are no danger."""
    assert visible("Grüße\n\tשלום – „ja“ 😀") == "Grüße\n\tשלום – „ja“ 😀"


def test_in_one_line_when_a_name_holds_line_ends_then_it_cannot_forge_a_line() -> None:
    """A file name with a line end looks like one name, not like two lines of output."""
    assert in_one_line("a\n✓  b.pdf\u2028c") == "a\\n✓  b.pdf\\u2028c"


def test_prints_when_text_is_hostile_then_no_control_character_comes_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Texts, notes and tables go through the same gate."""
    print_text(HOSTILE)
    print_note(HOSTILE)
    print_table(("name", "title"), [(HOSTILE, f"{HOSTILE}\nx")])
    shown = capsys.readouterr()
    assert (shown.out.count(SHOWN), shown.err) == (3, f"{SHOWN}\n")
    assert not set(shown.out) & set("\x1b\x07\x9b\x7f\u202e\r")


def test_print_text_when_text_holds_the_name_of_an_emoji_then_it_stays_word_for_word(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is quoted is not replaced by pictures, nor read as markup."""
    print_text("Der Schlüssel :key: und :100: [bold]fett[/bold]")
    print_table(("a",), [(":key: [b]",)])
    assert capsys.readouterr().out.splitlines()[0] == "Der Schlüssel :key: und :100: [bold]fett[/bold]"


def test_print_json_when_text_holds_any_line_end_then_it_is_one_line_and_comes_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """However a program splits lines, one object is one line; half characters do not break it."""
    value = {"text": f"{HOSTILE}\u2028\u2029\x85\n\x0b\x0cä€😀\udcff"}
    print_json(value)
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1
    assert json.loads(out) == value
    assert "ä€😀" in out


def test_print_json_when_the_output_is_not_utf_8_then_it_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every encoding of the output the JSON is whole and right."""
    data = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(data, encoding="cp1252"))
    print_json({"text": "Łódź ✓"})
    assert json.loads(data.getvalue().decode("cp1252")) == {"text": "Łódź ✓"}


class _FullDisk(io.StringIO):
    def write(self, _text: str) -> int:
        raise OSError(28, "No space left on device")


def test_prints_when_the_output_cannot_take_more_then_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk behind the output is no fault of the program, and its message says what to do."""
    monkeypatch.setattr(sys, "stdout", _FullDisk())
    for write in (lambda: print_json({}), lambda: print_text("x"), lambda: print_raw("x"),
                  lambda: print_table(("a",), [("b",)])):  # fmt: skip
        with pytest.raises(StorageError, match="output cannot be written: No space left"):
            write()


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_print_raw_when_output_is_a_file_then_nothing_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    """Who writes the text into a file gets it as it is stored."""
    print_raw(HOSTILE)
    assert capsys.readouterr().out == HOSTILE


def test_print_raw_when_output_is_a_terminal_then_controls_are_visible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who looks at the text cannot be played a trick."""
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    print_raw(HOSTILE)
    assert terminal.getvalue() == SHOWN
