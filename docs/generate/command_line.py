"""The page of the command line: every command with its arguments, options and example, from the program itself."""

from __future__ import annotations

import re
from typing import Any

import typer
from slicewright.cli.main import COMMANDS, app, command_of
from slicewright.values.settings import RARE

from docs.generate.tables import table

_BEFORE = """\
# Command line

Made from the program's own help; not edited by hand. Every command has `--help`.

Standard output has the result only; progress, warnings and errors go to standard error. The exit status is

- 0 when the command is done (misses included);
- 1 when the run failed, a fit does not predict, or `--strict` found a miss;
- 2 when the input was wrong. Every error is listed with its place, the allowed values and the nearest valid name.

On a terminal, work of more than a second has a progress bar with the time left. Elsewhere there is no colour, and a
line of progress every ten seconds. `--quiet` turns both off. `slicewright --install-completion` adds shell completion
of commands and options."""

_BEFORE_ADVICE = """\
# Command line: advise

Made from the program's own help; not edited by hand. The [command line](command-line.md) has the other commands."""
APART = "advise"
"""The command with a page of its own."""


def page() -> str:
    """The page, in Markdown.

    >>> "## slicewright run" in page()
    True
    """
    group: Any = typer.main.get_command(app)
    overview = [(f"[`{name}`]({_place(name)})", what) for name, what in COMMANDS.items()]
    parts = [_BEFORE, table(("command", "what it does"), overview), _section("slicewright", group)]
    parts += [_section(f"slicewright {name}", command_of(name)) for name in COMMANDS if name != APART]
    return "\n\n".join(parts) + "\n"


def page_of_advice() -> str:
    """The page of `advise`, whose questions are commands, in Markdown.

    >>> "## slicewright advise aliases" in page_of_advice()
    True
    """
    return "\n\n".join([_BEFORE_ADVICE, _section(f"slicewright {APART}", command_of(APART))]) + "\n"


def _place(name: str) -> str:
    return f"command-line-{APART}.md" if name == APART else f"#slicewright-{name}"


def _listed(group: Any) -> list[tuple[str, Any]]:
    return [(name, command) for name, command in group.commands.items() if not command.hidden]


def _section(title: str, command: Any) -> str:
    context = typer.Context(command, info_name=title)
    what, _, example = (command.help or "").partition("\b\n")
    words = " ".join(re.sub(r"[{}]", "", part).strip() for part in command.collect_usage_pieces(context))
    usage = f"{title} {words}".replace("[OPTIONS]", "[options]")
    parts = [f"## {title}", " ".join(what.split()), f"`{usage}`"]
    shown = [parameter for parameter in command.get_params(context) if not _hidden(parameter)]
    panels: dict[str, list[tuple[str, str, str]]] = {"": []}
    for parameter in shown:
        panels.setdefault(getattr(parameter, "rich_help_panel", None) or "", []).append(_row(parameter, context))
    for heading in sorted(panels, key=lambda heading: heading == RARE):
        parts += [f"{heading}:"] * bool(heading)
        parts += [table(("argument or option", "what it is", "absent"), panels[heading])] * bool(panels[heading])
    lines = [line.strip() for line in example.splitlines()[1:] if line.strip()]
    if lines:
        parts.append("```sh\n" + "\n".join(lines) + "\n```")
    if hasattr(command, "commands") and title != "slicewright":
        parts += [_section(f"{title} {name}", inner) for name, inner in _listed(command)]
    return "\n\n".join(parts)


def _row(parameter: Any, context: Any) -> tuple[str, str, str]:
    """A parameter: its spelling, its meaning, and its default."""
    written, what = parameter.get_help_record(context)
    written = re.sub(r" <(?:str|list\[str\])>$", "", written)
    what, _, aside = what.partition("  [")
    aside = aside.rstrip("]")
    absent = "required" if "required" in aside else ""
    if aside.startswith("default: "):
        absent = f"`{aside.removeprefix('default: ')}`"
    return f"`{written}`", what, absent


def _hidden(parameter: Any) -> bool:
    return getattr(parameter, "hidden", False) or parameter.name == "help"
