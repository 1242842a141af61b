"""Describes every command from its own definition, for the reference page."""

import click
import typer

from fundstelle.cli.main import app


def describe_commands() -> str:
    """Write the reference of all commands as Markdown."""
    group = typer.main.get_command(app)
    parts = ["# Commands\n\n`fundstelle [--home FOLDER] COMMAND …`\n"]
    parts += [_describe(name, command) for name, command in _leaves(group, "fundstelle")]
    return "\n".join(parts)


def _leaves(command: click.Command, path: str) -> list[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        found = []
        for name, child in command.commands.items():
            found += _leaves(child, f"{path} {name}")
        return found
    return [(path, command)]


def _describe(name: str, command: click.Command) -> str:
    arguments = " ".join(p.make_metavar(click.Context(command)) for p in command.params if p.param_type_name == "argument")
    rows = [
        f"| `{', '.join((*param.opts, *param.secondary_opts))}` | {(param.help or '').replace('|', '/')} |"
        for param in command.params
        if isinstance(param, click.Option) and not param.hidden
    ]
    table = "| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""
    usage = f"{name} {arguments}".strip()
    return f"## {usage}\n\n{(command.help or '').strip()}\n\n{table}"
