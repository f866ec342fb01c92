"""`slicewright live`: experiments on this machine, compared with simulations of the same setup."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from slicewright.cli.live_io import io
from slicewright.cli.live_watch import watch
from slicewright.cli.options import Format, Quiet, print_json, printing
from slicewright.cli.progress import Bar
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.io.files import refuse_occupied

app = typer.Typer(name="live", no_args_is_help=True, rich_markup_mode=None, add_completion=False)
app.command("watch", short_help="Watch a container: its limit and its neighbours.")(watch)
app.command("io", short_help="Measure reads behind permits, with and without a limit.")(io)

Processor = Annotated[
    int | None, typer.Option("--processor", metavar="N", help="Processor for all threads [default: the last].")
]
GroupDir = Annotated[
    str | None, typer.Option("--group", metavar="DIR", help="Parent of the control group, such as a delegated one.")
]
Out = Annotated[
    str | None, typer.Option("--out", "-o", metavar="DIR", help="Directory for the result: live.json, report.html.")
]


@app.callback()
def live() -> None:
    """Run experiments on this Linux machine, and simulate the same setup.

    \b
    Example:
      slicewright live slices --seconds 5
    """


@app.command("slices", short_help="Measure wake-up latency under a CPU limit.")
def slices(
    slices: Annotated[
        str, typer.Option("--slices", metavar="T,T,...", help="Slices: quotas of periods twice as long.")
    ] = "30 ms, 20 ms, 10 ms",
    waits: Annotated[str, typer.Option("--waits", metavar="S,S,...", help="Lengths of waits.")] = (
        "9 ms, 18 ms, 25 ms, 45 ms"
    ),
    case: Annotated[
        str, typer.Option("--case", metavar="CASE", help="Start of waits: uniform, locked, or both.")
    ] = "both",
    processor: Processor = None,
    seconds: Annotated[float, typer.Option(metavar="N", help="Seconds for each slice and case.")] = 16.0,
    share: Annotated[str, typer.Option(metavar="P%", help="Share of a slice in its period.")] = "50%",
    work: Annotated[
        str, typer.Option(metavar="SPAN", help="Processor time from the end of a wait to the next start (locked).")
    ] = "0.5 ms",
    waiters: Annotated[int, typer.Option(metavar="N", help="Threads for each wait (uniform).")] = 8,
    disk: Annotated[
        str,
        typer.Option("--disk", metavar="DIR", help="Directory of a scratch file: wait for reads past the page cache."),
    ] = "",
    tick: Annotated[
        str | None, typer.Option(metavar="SPAN", help="Timer tick of the simulation [default: the kernel's].")
    ] = None,
    group: GroupDir = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of starts.")] = 1,
    out: Out = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Measure wake-up latency under a CPU limit, and simulate the same setup.

    A group with a quota is stopped when it has used it up, until its next period.  The wait of a thread in it is seen
    to be over then.  Two minutes on one processor, half of it used; the group is removed at the end.

    \b
    Example:
      sudo slicewright live slices --slices '20 ms, 10 ms' --waits '18 ms' --out live
    """
    from slicewright.live.experiment import measure_slices
    from slicewright.live.grid import Grid, cases_of, last_processor

    spans = _spans({"slices": slices, "waits": waits, "work": work} | ({} if tick is None else {"tick": tick}))
    grid = Grid(
        spans["slices"], spans["waits"], cases_of(case), last_processor() if processor is None else processor,
        seconds, _share(share), spans["work"][0], waiters, seed, disk, tick_ms=spans.get("tick", (None,))[0],
    ).check()  # fmt: skip
    return _measured(lambda bar: measure_slices(grid, _path(group), bar), (out, quiet), format)


@app.command("throttling", short_help="Count throttled periods of a thread that works and sleeps.")
def throttling(
    work: Annotated[str, typer.Option(metavar="SPAN", help="Processor time before each sleep.")] = "5 ms",
    sleeps: Annotated[
        str, typer.Option("--sleeps", metavar="S,S,...", help="Sleeps, each measured by itself.")
    ] = "5 ms, 10 ms, 15 ms, 18 ms, 30 ms, 1 s",
    quota: Annotated[str, typer.Option(metavar="SPAN", help="Processor time per period.")] = "20 ms",
    period: Annotated[str, typer.Option(metavar="SPAN", help="Period of the limit.")] = "100 ms",
    burst: Annotated[str, typer.Option(metavar="SPAN", help="Unused quota that may accumulate.")] = "0 ms",
    processor: Processor = None,
    seconds: Annotated[float, typer.Option(metavar="N", help="Seconds for each sleep.")] = 10.0,
    group: GroupDir = None,
    out: Out = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Count throttled periods of a thread that works and sleeps under a limit, and simulate the same setup.

    \b
    Example:
      sudo slicewright live throttling --sleeps '10 ms' --quota '20 ms' --period '100 ms'
    """
    from slicewright.live.grid import last_processor
    from slicewright.live.group import Limit
    from slicewright.live.throttling import Plan, measure_throttling

    spans = _spans({"quota": quota, "period": period, "burst": burst, "work": work, "sleeps": sleeps})
    limit = Limit(*(round(spans[key][0] * 1000) for key in ("quota", "period", "burst")))
    where = last_processor() if processor is None else processor
    plan = Plan(spans["work"][0], spans["sleeps"], limit, seconds, where).check()
    return _measured(lambda bar: measure_throttling(plan, _path(group), bar), (out, quiet), format)


@app.command("yields", short_help="Measure threads behind a lock on fewer processors.")
def yields(
    threads: Annotated[int, typer.Option(metavar="N", help="Threads that share the lock.")] = 4,
    processors: Annotated[int, typer.Option(metavar="N", help="Processors for all of them: the last ones.")] = 1,
    hogs: Annotated[str, typer.Option(metavar="N,N,...", help="Threads beside them that only compute.")] = "0,1,2",
    hold: Annotated[str, typer.Option(metavar="SPAN,...", help="Work under the lock.")] = "2us,20us,200us",
    think: Annotated[str, typer.Option(metavar="SPAN", help="Mean work outside the lock.")] = "100us",
    methods: Annotated[
        str, typer.Option(metavar="METHOD,...", help="How threads wait.")
    ] = "spin,ticket,yield,ticket-yield,futex,handover",
    tries: Annotated[int, typer.Option(metavar="N", help="Tries before a yield.")] = 100,
    length: Annotated[str, typer.Option("--for", metavar="SPAN", help="Time of each pair of method and load.")] = "2s",
    group: GroupDir = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of work.")] = 1,
    out: Out = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Measure threads behind one lock on fewer processors than threads, and simulate the same.

    Methods: spin is test and set, ticket is served in turn.  With yield and ticket-yield threads call sched_yield after
    --tries.  With futex they sleep at once.  With handover they yield, and the holder is at nice -20, which needs
    CAP_SYS_NICE.  The simulation uses costs that are measured before, and printed.

    \b
    Example:
      slicewright live yields --hogs 0,2 --hold 20us --methods spin,futex --for 1s
    """
    from slicewright.live.locks.measure import measure_locks
    from slicewright.live.locks.plan import Plan, counts_of, methods_of, processors_of

    problems: list[Problem] = []
    spans = gathered(problems, lambda: _spans({"hold": hold, "think": think, "for": length}))
    named = gathered(problems, lambda: methods_of(methods))
    beside = gathered(problems, lambda: counts_of(hogs, "hogs"))
    where = gathered(problems, lambda: processors_of(processors))
    if problems:
        raise refusal(*problems)
    times, (outside,), (each,) = spans[0]["hold"], spans[0]["think"], spans[0]["for"]
    holds_us = tuple(1000 * span for span in times)
    plan = Plan(threads, where[0], beside[0], holds_us, named[0], 1000 * outside, tries, each / 1000, seed).check()
    return _measured(lambda bar: measure_locks(plan, _path(group), bar), (out, quiet), format)


@app.command("hooks", short_help="Measure filters in front of a system call.")
def hooks(
    rules: Annotated[
        str, typer.Option(metavar="N,A..B", help="Rules of a filter; a range in steps by ten.")
    ] = "0..2000",
    filters: Annotated[str, typer.Option(metavar="N,A..B", help="Filters; a range in steps by four.")] = "1..16",
    order: Annotated[str, typer.Option(metavar="ORDER,...", help="How rules are looked up.")] = "list,tree,bitmap",
    processor: Processor = None,
    length: Annotated[str, typer.Option("--for", metavar="SPAN", help="Time of each setting.")] = "0.6s",
    out: Out = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Measure filters in front of a system call (seccomp), and simulate the same.

    Orders: the rules of list are compared one by one, those of tree by halves.  Both look at an argument, so that they
    run at every call.  Those of bitmap do not, and the kernel answers before them (Linux 5.11 and later).  A worker
    process has the filters, which end with it, and all of them allow every call.  No rights are needed.

    \b
    Example:
      slicewright live hooks --rules 0,200 --filters 1..16 --out hooks
      slicewright advise exits calls.txt profile.json hooks
    """
    from slicewright.live.grid import last_processor
    from slicewright.live.hooks.measure import measure_hooks
    from slicewright.live.hooks.plan import Plan, orders_of, range_of

    problems: list[Problem] = []
    spans = gathered(problems, lambda: _spans({"for": length}))
    many = gathered(problems, lambda: range_of(rules, "rules"))
    several = gathered(problems, lambda: range_of(filters, "filters"))
    orders = gathered(problems, lambda: orders_of(order))
    if problems:
        raise refusal(*problems)
    where = last_processor() if processor is None else processor
    plan = Plan(many[0], several[0], orders[0], where, spans[0]["for"][0] / 1000).check()
    return _measured(lambda bar: measure_hooks(plan, bar), (out, quiet), format)


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
    from slicewright.live.kept import load, shown

    found = load(result)
    if format == "json":
        print_json(found.as_json())
    else:
        print(shown(found), end="")
    return 0


def _measured(
    measure: Callable[[Callable[[float], None]], object], out_quiet: tuple[str | None, bool], format: str
) -> int:
    from slicewright.live.kept import EARLIER, Result, save, shown

    out, quiet = out_quiet
    if out is not None:
        refuse_occupied(out, EARLIER)
    with Bar("measuring", quiet=quiet) as bar:
        result = measure(bar)
    assert isinstance(result, Result)
    with printing(lambda: print_json(result.as_json()) if format == "json" else print(shown(result), end="")):
        if out is not None:
            save(result, out)
            print(f"slicewright: the result is in {out} (report.html opens in any browser)", file=sys.stderr)
    return 0


def _spans(texts: dict[str, str]) -> dict[str, tuple[float, ...]]:
    """The spans of several options in ms, or the problems of all of them."""
    from slicewright.live.grid import spans_ms

    problems: list[Problem] = []
    found = {key: gathered(problems, functools.partial(spans_ms, text, key)) for key, text in texts.items()}
    if problems:
        raise refusal(*problems)
    return {key: spans[0] for key, spans in found.items()}


def _share(text: str) -> float:
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        allowed = "a percentage: 50%"
        raise refusal(problem(f"not a share: {text!r}", key="share", allowed=allowed)) from None


def _path(group: str | None) -> Path | None:
    if group is not None and not Path(group).is_dir():
        raise refusal(problem("there is no such group", file=group, key="group", allowed="a directory of cgroupfs"))
    return None if group is None else Path(group).absolute()
