"""`slicewright explain`: every number of a scenario, with its role and where it comes from."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from slicewright._core import Scenario
from slicewright.cli.options import Format, ScenarioFile, print_json
from slicewright.report import text
from slicewright.report.model import Paragraph, Report, Section, Table
from slicewright.scenario.numbers import COLUMNS, listed
from slicewright.scenario.source import read_scenario
from slicewright.statistics import plural


def explain(
    scenario: ScenarioFile,
    screens: Annotated[
        bool,
        typer.Option(
            "--screens",
            help="Screens of 580/MDF that show how domains share processors, in place of numbers.",
        ),
    ] = False,
    format: Format = "text",
) -> int:
    """List every number of a scenario: input, assumed, borrowed, calibrated or default, and from where.

    \b
    Example:
      slicewright explain pool.toml
      slicewright explain two-domains.toml --screens
    """
    world = read_scenario(scenario)
    if screens:
        return _screens(world, format)
    rows = world.explain()
    if format == "json":
        print_json({"name": world.name, "checksum": world.checksum, "numbers": rows})
        return 0
    roles = Counter(row["role"] for row in rows)
    heading = f"{world.name}: {plural(len(rows), 'number')}, {', '.join(f'{n} {role}' for role, n in roles.items())}"
    section = Section("", [Paragraph(heading, flush=True), Table(COLUMNS, listed(rows))])
    print(text.render(Report(world.name, sections=[section])), end="")
    return 0


def _screens(world: Scenario, format: str) -> int:
    from slicewright.pages.screens import fields, screens_text

    if format == "json":
        print_json(fields(world))
    else:
        print(screens_text(world))
    return 0
