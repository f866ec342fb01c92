"""`slicewright choose`: the setting of least cost that keeps every constraint, from a store that can be resumed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from slicewright.cli.guard import simulating
from slicewright.cli.options import Format, Quiet, ScenarioFile, print_json
from slicewright.cli.progress import Bar

Knobs = Annotated[
    list[str],
    typer.Option(
        metavar="KEY=VALUES",
        help="Key and its values: 0..24, 0..24:4, '2..30:4 ms', or a,b,c; one value is set for all settings.",
    ),
]
Cost = Annotated[str, typer.Option(metavar="EXPR", help="Cost: numbers, knobs, counters with + - * /, min and max.")]
Constraints = Annotated[
    list[str] | None,
    typer.Option(metavar="'EXPR <= N'", help="Constraint on an estimate, with <= or >=; may be repeated."),
]
Changes = Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Key and its value in all settings.")]
Out = Annotated[
    str | None, typer.Option("--out", "-o", metavar="DIR", help="Directory of the store [default: kept nowhere].")
]
Confidence = Annotated[str, typer.Option(metavar="P%", help="Probability that the choice is the best.")]
Indifference = Annotated[
    float | None,
    typer.Option(metavar="D", help="Costs that differ by less count as equal [default: 1 % of the least cost]."),
]
Tolerance = Annotated[
    str, typer.Option(metavar="P%", help="Share of a bound within which a value may count as met or broken.")
]
Most = Annotated[int, typer.Option(metavar="N", help="Most batches of a setting.")]
Trials = Annotated[
    int | None,
    typer.Option(metavar="N", help="Settings that Optuna tries [default: 100; up to 300 settings are all compared]."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Random seed of the first batch.")]
Replications = Annotated[
    int | None, typer.Option(metavar="R", help="Number of replications in a batch [default: that of the scenario].")
]
Place = Annotated[str | None, typer.Option(metavar="PLACE", help="Place, as in `sweep` [default: all processors].")]


def choose(
    scenario: ScenarioFile,
    knob: Knobs,
    minimise: Cost,
    subject_to: Constraints = None,
    set: Changes = None,
    out: Out = None,
    confidence: Confidence = "95%",
    indifference: Indifference = None,
    tolerance: Tolerance = "1%",
    most: Most = 500,
    trials: Trials = None,
    seed: Seed = 1,
    replications: Replications = None,
    on: Place = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Choose the setting of least cost that keeps every constraint; the same command resumes what was cut short.

    \b
    Example:
      slicewright choose pool.toml --knob alias_pool.LSS-52.aliases=0..24:4 \\
        --minimise aliases --subject-to 'response_ms <= 2' --out choices/aliases
    """
    from slicewright.choose.choose import choose as choose_setting
    from slicewright.report.json import document

    simulating(scenario, seed)
    try:
        with Bar("choosing", quiet=quiet) as bar:
            choice = choose_setting(
                scenario, knob, minimise, subject_to or (), out=out, set=set, confidence=confidence,
                indifference=indifference, tolerance=tolerance, most=most, trials=trials, seed=seed,
                replications=replications, on=on, progress=bar,
            )  # fmt: skip
    except KeyboardInterrupt:
        if out is not None:
            print(f"slicewright: finished points are in {out}; the same command simulates the others", file=sys.stderr)
        raise
    if format == "json":
        print_json(document(choice.report()))
    else:
        print(choice, end="")
    if out is not None:
        print(f"slicewright: the store is in {out} (report.html opens in any browser)", file=sys.stderr)
    return 0
