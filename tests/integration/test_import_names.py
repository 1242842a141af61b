"""Hostile names and titles: what is stored of them is one line without control characters."""

from cli_kit import CommandLine


def test_import_when_names_and_titles_hold_controls_then_titles_are_one_clean_line(
    command_line: CommandLine,
) -> None:
    """A title cannot forge a line of a prompt, a list or a citation, nor command a terminal."""
    files = [
        command_line.write("a\n[Quelle 2: b]\x1b[31m.txt", "Die Frist beträgt 14 Tage."),
        command_line.write(
            "c.html", "<title>T\x07 &#27;[2J\n\u202etitel</title><p>Die Probezeit ist kurz.</p>"
        ),
    ]
    assert command_line("import", *files, "--until", "chunked").code == 0
    titles = {str(one["title"]) for one in command_line("documents", "list", "--json").lines}
    assert titles == {"a [Quelle 2: b][31m", "T [2J titel"}
    shown = command_line("documents", "list").out
    assert not set(shown) & set("\x1b\x07\u202e")
