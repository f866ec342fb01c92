"""`slicewright run`: simulate a scenario and print the results."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from slicewright.cli.guard import simulating
from slicewright.cli.options import Format, Quiet, ScenarioFile, print_json, printing
from slicewright.cli.progress import Bar
from slicewright.io.files import refuse_occupied
from slicewright.run.directory import EARLIER
from slicewright.run.readings import Readings, run_readings
from slicewright.run.run import Run
from slicewright.run.run import run as run_scenario
from slicewright.run.tables import ENTITY, LOGS


def run(
    scenario: ScenarioFile,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 1,
    replications: Annotated[
        int | None, typer.Option(metavar="R", help="Number of replications [default: that of the scenario].")
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="P%",
            help="Precision: replications are added until the 95 % half-widths in the first line are within P %.",
        ),
    ] = None,
    set: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Key of the scenario to change; may be repeated.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="DIR", help="Directory for the run: scenario, tables, report.html."),
    ] = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="Simulate every reading that a fitted scenario leaves, and print ranges.")
    ] = False,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Simulate a scenario: replications, 95 % intervals, the warm-up cut.

    \b
    Example:
      slicewright run pool.toml --set alias_pool.LSS-52.aliases=8 --precision 1% --out runs/8
    """
    simulating(scenario, seed)
    if out is not None:
        refuse_occupied(out, EARLIER)
    with Bar("simulating", quiet=quiet) as bar:
        asked: dict[str, Any] = {"seed": seed, "replications": replications, "precision": precision, "set": set or []}
        found = run_readings(scenario, progress=bar, **asked) if readings else None
        result = next(iter(found.runs.values())) if found else run_scenario(scenario, progress=bar, **asked)
    with printing(lambda: _print(result, format, found)):
        if out is not None:
            result.save(out)
            print(f"slicewright: the run is in {out} (report.html opens in any browser)", file=sys.stderr)
    return 0


def as_json(result: Run) -> dict[str, Any]:
    """A run as one JSON object: what it takes to repeat it, and every table and log as a list of rows.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> as_json(slicewright.run(starter("mm1"), replications=2))["seed"]
    1
    """
    facts = {
        "name": result.name, "checksum": result.checksum, "version": result.version, "seed": result.seed,
        "replications": result.replications, "warm_up_s": result.warm_up_s, "notes": list(result.notes),
    }  # fmt: skip
    return facts | {table: result[table].to_dicts() for table in (*ENTITY, *LOGS)}


def _print(result: Run, format: str, found: Readings | None) -> None:
    if format == "json":
        print_json(as_json(result) | ({"readings": found.rows} if found else {}))
    else:
        print(result, end="")
        print(f"\n{found}" if found else "", end="")
