"""`slicewright live`: experiments on this machine, compared with simulations of the same setup."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from slicewright.cli.live_watch import watch
from slicewright.cli.options import Format, Quiet, print_json, printing
from slicewright.cli.progress import Bar
from slicewright.io.files import refuse_occupied
from slicewright.live.experiment import Experiment, Option, group_of, planned
from slicewright.live.kept import EARLIER, experiments, load, plain, save, shown

app = typer.Typer(name="live", no_args_is_help=True, rich_markup_mode=None, add_completion=False)
app.command("watch", short_help="Watch a container: its limit and its neighbours.")(watch)


@app.callback()
def live() -> None:
    """Run experiments on this Linux machine, and simulate the same setup.

    \b
    Example:
      slicewright live slices --seconds 5
    """


def _command(experiment: Experiment[Any, Any]) -> Callable[..., int]:
    """The command of an experiment, with its options and those that all have."""

    def run(out: str | None, quiet: bool, format: str, **given: Any) -> int:
        values = {option.name: given[f"{option.name}_"] for option in experiment.options}
        plan = planned(experiment, values)
        if out is not None:
            refuse_occupied(out, EARLIER)
        parent = group_of(values.get("group"))
        with Bar("measuring", quiet=quiet) as bar:
            result = experiment.measure(plan, parent, bar)
        with printing(lambda: _show(result, format)):
            if out is not None:
                save(result, out)
                print(f"slicewright: the result is in {out} (report.html opens in any browser)", file=sys.stderr)
        return 0

    kept = Option("out", "DIR", "Directory for the result: live.json, report.html.")
    made = [*map(_parameter, experiment.options), _parameter(kept, "out", "-o")]
    made += [_signed("quiet", Quiet, False), _signed("format", Format, "text")]
    run.__signature__ = inspect.Signature(made)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in made}
    run.__doc__ = experiment.help
    return run


def _parameter(option: Option, name: str = "", *spelt: str) -> inspect.Parameter:
    kind: Any = option.kind if option.default is not None or option.argument else option.kind | None
    if option.argument:
        about = Annotated[kind, typer.Argument(metavar=option.metavar, help=option.help)]
        return _signed(f"{option.name}_", about, inspect.Parameter.empty)
    given = typer.Option(f"--{option.name}", *spelt, metavar=option.metavar, help=option.help)
    return _signed(name or f"{option.name}_", Annotated[kind, given], option.default)


def _signed(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


for _each in experiments().values():
    app.command(_each.name, short_help=_each.summary)(_command(_each))


@app.command("show", short_help="Print the tables of a live result.")
def show(
    result: Annotated[
        str, typer.Argument(metavar="DIR", help="Directory of --out, or its live.json; - is standard input.")
    ],
    format: Format = "text",
) -> int:
    """Print the tables of a live result.

    \b
    Example:
      slicewright live show live
    """
    _show(load(result), format)
    return 0


def _show(result: Any, format: str) -> None:
    if format == "json":
        print_json(plain(result))
    else:
        print(shown(result), end="")
