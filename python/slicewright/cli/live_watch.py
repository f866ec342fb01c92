"""`slicewright live watch`: a container on this node, its limit and its neighbours."""

from __future__ import annotations

from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet, print_json, printing
from slicewright.cli.progress import Bar
from slicewright.errors import problem, refusal


def watch(
    group: Annotated[
        str, typer.Argument(metavar="POD|CGROUP", help="Path of a control group, or a part of its name: a pod's uid.")
    ],
    every: Annotated[str, typer.Option(metavar="SPAN", help="Time between copies.")] = "1s",
    length: Annotated[str, typer.Option("--for", metavar="SPAN", help="Time in all.")] = "5min",
    processor: Annotated[
        int | None, typer.Option(metavar="N", help="Processor of the probe [default: the last].")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="DIR", help="Directory for the copies and a report."),
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Watch a container from its node: how much of its latency is the limit, how much the neighbours.

    Copies of cpu.stat, pressure and schedstat; a probe of the same weight wakes up beside it.  The container is not
    changed.  Root is needed for the probe; its group is removed at the end.

    \b
    Example:
      sudo slicewright live watch kubepods/burstable/pod3f2a --for 5min --out watched
      slicewright advise limits watched
    """
    from slicewright.io.files import Earlier, refuse_occupied, whole_directory, write_whole
    from slicewright.live.watch import MARKER, WatchPlan, folder_files, watch_report
    from slicewright.live.watch import watch as measure
    from slicewright.report import html, text

    spans = _spans_s({"every": every, "for": length})
    plan = WatchPlan(group, spans["every"], spans["for"], processor).check()
    own = frozenset({MARKER, "counters.csv", "cpu.stat", "pressure.csv", "schedstat.csv", "report.html"})
    earlier = Earlier(MARKER, own.__contains__)
    if out is not None:
        refuse_occupied(out, earlier)
    with Bar("watching", quiet=quiet) as bar:
        result = measure(plan, bar)
    report = watch_report(result)
    with printing(lambda: print_json(result.summary()) if format == "json" else print(text.render(report))):
        if out is not None:
            with whole_directory(out, earlier) as folder:
                for name, content in folder_files(result).items():
                    write_whole(folder / name, content.encode())
                write_whole(folder / "report.html", html.render(report).encode())
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
