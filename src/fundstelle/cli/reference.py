"""Describes every command from its own definition, for the reference page."""

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from fundstelle.cli.main import app


def describe_commands() -> str:
    """Write the reference of all commands as Markdown."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup), "the program has several commands"
    parts = ["# Commands\n\n`fundstelle [--home FOLDER] COMMAND …`\n"]
    parts += [_describe(name, command) for name, command in _leaves(group, "fundstelle")]
    return "\n".join(parts)


def _leaves(group: TyperGroup, path: str) -> list[tuple[str, TyperCommand]]:
    found: list[tuple[str, TyperCommand]] = []
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            found += _leaves(command, f"{path} {name}")
        elif isinstance(command, TyperCommand):
            found.append((f"{path} {name}", command))
    return found


def _describe(name: str, command: TyperCommand) -> str:
    arguments = [param for param in command.params if isinstance(param, TyperArgument)]
    options = [param for param in command.params if isinstance(param, TyperOption) and not param.hidden]
    usage = " ".join([name, *(one.metavar or (one.name or "").upper() for one in arguments)])
    rows = [f"| {one.metavar or (one.name or '').upper()} | {one.help or ''} |" for one in arguments]
    rows += [f"| `{', '.join(one.opts)}` | {one.help or ''} |" for one in options]
    table = "| | meaning |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""
    return f"## {usage}\n\n{(command.help or '').strip()}\n\n{table}"
