"""`slicewright live`: experiments on this machine, compared with simulations of the same setup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from slicewright.cli.command import Given, Panelled, command, parameter, show, sign
from slicewright.live.experiment import Experiment, group_of, planned
from slicewright.live.kept import EARLIER, experiments, load, plain, save, shown
from slicewright.values.console import Bar, printing, tell
from slicewright.values.errors import problem, refusal
from slicewright.values.files import refuse_occupied
from slicewright.values.settings import KEPT

app = typer.Typer(name="live", no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.callback()
def live() -> None:
    """Run experiments on this Linux machine, and simulate the same setup.

    \b
    Example:
      slicewright live slices --seconds 5
    """


@app.command("watch", cls=Panelled, short_help="Watch a container: its limit and its neighbours.")
@command("live watch")
def watch(given: Given) -> int:
    """Watch a container from its node: how much of its latency is the limit, how much the neighbours.

    Copies of cpu.stat, pressure and schedstat; a probe of the same weight wakes up beside it.  The container is not
    changed.  Root is needed for the probe; its group is removed at the end.

    \b
    Example:
      sudo slicewright live watch kubepods/burstable/pod3f2a --for 5min --out watched
      slicewright advise limits watched
    """
    from slicewright.live.watch import MARKER, WatchPlan, folder_files, watch_report
    from slicewright.live.watch import watch as measure
    from slicewright.report import html, text
    from slicewright.values.files import Earlier, refuse_occupied, whole_directory, write_whole

    spans = _spans_s({"every": given.every, "for": given.for_})
    plan = WatchPlan(given.group, spans["every"], spans["for"], given.processor).check()
    own = frozenset({MARKER, "counters.csv", "cpu.stat", "pressure.csv", "schedstat.csv", "report.html"})
    earlier = Earlier(MARKER, own.__contains__)
    if given.out is not None:
        refuse_occupied(given.out, earlier)
    with Bar("watching", quiet=given.quiet) as bar:
        result = measure(plan, bar)
    report = watch_report(result)
    with printing(lambda: show(given, result.summary, lambda: text.render(report), "\n")):
        if given.out is not None:
            with whole_directory(given.out, earlier) as folder:
                for name, content in folder_files(result).items():
                    write_whole(folder / name, content.encode())
                write_whole(folder / "report.html", html.render(report).encode())
    return 0


def _command(experiment: Experiment[Any, Any]) -> Callable[..., int]:
    """The command of an experiment, with its options and those that all have."""

    def run(**given: Any) -> int:
        values = {option.name: given[option.key] for option in experiment.options}
        plan = planned(experiment, values)
        kept = Given(**given)
        if kept.out is not None:
            refuse_occupied(kept.out, EARLIER)
        parent = group_of(values.get("group"))
        with Bar("measuring", quiet=kept.quiet) as bar:
            result = experiment.measure(plan, parent, bar)
        with printing(lambda: show(kept, lambda: plain(result), lambda: shown(result))):
            if kept.out is not None:
                save(result, kept.out)
                tell(f"the result is in {kept.out} (report.html opens in any browser)")
        return 0

    sign(run, [parameter(option) for option in (*experiment.options, *KEPT)])
    run.__doc__ = experiment.help
    return run


for _each in experiments().values():
    app.command(_each.name, cls=Panelled, short_help=_each.summary)(_command(_each))


@app.command("show", short_help="Print the tables of a live result.")
@command("live show")
def show_kept(given: Given) -> int:
    """Print the tables of a live result.

    \b
    Example:
      slicewright live show live
    """
    found = load(given.result)
    show(given, lambda: plain(found), lambda: shown(found))
    return 0


def _spans_s(texts: dict[str, str]) -> dict[str, float]:
    """Spans in seconds; raises InputError with each that is none."""
    from slicewright.advise.limits.quantity import span_ms

    found = {key: span_ms(f"{text}in" if text.endswith("m") else text) for key, text in texts.items()}
    wrong = [
        problem(f"not a span: {texts[key]}", key=key, allowed="1s, 500ms, 5m")
        for key, value in found.items()
        if value is None
    ]
    if wrong:
        raise refusal(*wrong)
    return {key: value / 1000 for key, value in found.items() if value is not None}
