"""`slicewright sensitivity`: which guesses of a scenario move its answer, and whether one would change the advice."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from slicewright.cli.guard import simulating
from slicewright.cli.options import Format, Fresh, Quiet, ScenarioFile, print_json, stored
from slicewright.cli.progress import Bar


def sensitivity(
    scenario: ScenarioFile,
    question: Annotated[
        str | None,
        typer.Option(metavar="QUESTION", help="Question of advise to ask at both ends of each band: aliases, slices."),
    ] = None,
    set: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Key to change before anything varies.")
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=LOW..HIGH", help="Band of a number: 'guest.*.program.1.think=0.1..0.6 ms'."),
    ] = None,
    fix: Annotated[list[str] | None, typer.Option(metavar="KEY", help="Guess that stays as it is.")] = None,
    within: Annotated[str, typer.Option(metavar="P%", help="Band of every other guess, about its value.")] = "50%",
    of: Annotated[
        str | None,
        typer.Option(metavar="COUNTER", help="Answer, such as system.io_per_s [default: the first of the headline]."),
    ] = None,
    trajectories: Annotated[int, typer.Option(metavar="N", help="Trajectories of the screening (Morris).")] = 6,
    samples: Annotated[int, typer.Option(metavar="N", help="Samples of Sobol indices: 32, 64, 128 and so on.")] = 64,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="DIR", help="Directory for report.html and the points.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Place, as in sweep [default: a thread per processor].")
    ] = None,
    fresh: Fresh = False,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Rank the guesses of a scenario by how much each moves its answer; the same command resumes what was cut short.

    \b
    Example:
      slicewright sensitivity pool.toml --question aliases --out guesses
    """
    from slicewright.report.json import document
    from slicewright.sensitivity.sensitivity import sensitivity as find

    simulating(scenario, 1)
    try:
        with stored(fresh), Bar("varying guesses", quiet=quiet) as bar:
            result = find(
                scenario, question=question, set=set or (), vary=vary or (), fix=fix or (), within=within, of=of,
                trajectories=trajectories, samples=samples, out=out, fresh=fresh, on=on, progress=bar,
            )  # fmt: skip
    except KeyboardInterrupt:
        if out is not None:
            print(f"slicewright: finished points are in {out}; the same command resumes", file=sys.stderr)
        raise
    if format == "json":
        print_json(document(result.report()))
    else:
        print(result, end="")
    if out is not None:
        print(f"slicewright: the points are in {out} (report.html opens in any browser)", file=sys.stderr)
    return 0
