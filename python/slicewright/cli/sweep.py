"""`slicewright sweep`: simulate a scenario at many values of some keys, into a store that can be resumed."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from slicewright.cli.guard import simulating
from slicewright.cli.options import Format, Quiet, ScenarioFile, print_json
from slicewright.cli.progress import Bar


def sweep(
    scenario: ScenarioFile,
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Directory of the store.")],
    set: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUES",
            help="Key and its values: 0..24, 0..24:4, '2..30:4 ms', or a,b,c; one value is set for all points "
            "[default: those of [[sweep]] in the file].",
        ),
    ] = None,
    design: Annotated[
        Literal["grid", "sobol", "latin"],
        typer.Option(help="Points: all combinations, a Sobol sequence, or a Latin hypercube."),
    ] = "grid",
    points: Annotated[int | None, typer.Option(metavar="N", help="Number of points of sobol and latin.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of every point.")] = 1,
    replications: Annotated[
        int | None, typer.Option(metavar="R", help="Number of replications [default: that of the scenario].")
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(metavar="P%", help="Precision of every point: replications are added, as in `run`."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="PLACE",
            help="Place: threads:N, local:N (processes of Dask), tcp://HOST:PORT (a scheduler of Dask) "
            "[default: a thread per processor].",
        ),
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Simulate a scenario at many values of its keys; the same command resumes what was cut short.

    \b
    Example:
      slicewright sweep pool.toml --set alias_pool.LSS-52.aliases=0..24:4 --out sweeps/aliases
    """
    from slicewright.report.json import document
    from slicewright.sweep.sweep import sweep as sweep_scenario

    simulating(scenario, seed)
    try:
        with Bar("sweeping", quiet=quiet) as bar:
            result = sweep_scenario(
                scenario, set, out=out, design=design, points=points, seed=seed, replications=replications,
                precision=precision, on=on, progress=bar,
            )  # fmt: skip
    except KeyboardInterrupt:
        print(f"slicewright: finished points are in {out}; the same command simulates the others", file=sys.stderr)
        raise
    if format == "json":
        print_json(document(result.report()))
    else:
        print(result, end="")
    print(f"slicewright: the store is in {out} (report.html opens in any browser)", file=sys.stderr)
    return 0
