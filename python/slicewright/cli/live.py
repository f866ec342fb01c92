"""`slicewright live`: experiments on this machine, compared with simulations of the same setup."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import typer

from slicewright.cli.command import Given, command, printing, show, tell
from slicewright.cli.progress import Bar
from slicewright.errors import Problem, gathered, problem, refusal

app = typer.Typer(name="live", no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.callback()
def live() -> None:
    """Run experiments on this Linux machine, and simulate the same setup.

    \b
    Example:
      slicewright live slices --seconds 5
    """


@app.command("watch", short_help="Watch a container: its limit and its neighbours.")
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
    from slicewright.io.files import Earlier, refuse_occupied, whole_directory, write_whole
    from slicewright.live.watch import MARKER, WatchPlan, folder_files
    from slicewright.live.watch import watch as measure
    from slicewright.live.watch_report import watch_report
    from slicewright.report import html, text

    spans = _spans_s({"every": given.every, "for": given.for_})
    plan = WatchPlan(given.group, spans["every"], spans["for"], given.processor).check()
    own = frozenset({MARKER, "counters.csv", "cpu.stat", "pressure.csv", "schedstat.csv", "report.html"})
    earlier = Earlier(MARKER, own.__contains__)
    if given.out is not None:
        refuse_occupied(given.out, earlier)
    with Bar("watching", quiet=given.quiet) as bar:
        result = measure(plan, bar)
    report = watch_report(result)
    with printing(lambda: show(given, result.as_json, lambda: text.render(report), "\n")):
        if given.out is not None:
            with whole_directory(given.out, earlier) as folder:
                for name, content in folder_files(result).items():
                    write_whole(folder / name, content.encode())
                write_whole(folder / "report.html", html.render(report).encode())
    return 0


@app.command("io", short_help="Measure reads behind permits, with and without a limit.")
@command("live io")
def io(given: Given) -> int:
    """Measure reads behind permits, without a limit and under one (io.max), and simulate the same.

    Threads share permits in front of one file and read it past the page cache.  Three loads: no limit; a limit with all
    threads always asking; the same limit with a demand of three quarters of it.  The kernel keeps a limit in slices
    of a tenth of a second.  Root, or a delegated group, is needed for the limit; without it the first load is measured.
    Nothing is left behind: the scratch file and the groups are removed.

    \b
    Example:
      sudo slicewright live io /var/tmp --limit 3000/s --depth 1,8,32 --out reads
    """
    from slicewright.live.grid import spans_ms
    from slicewright.live.locks.plan import counts_of
    from slicewright.live.reads.measure import measure_reads
    from slicewright.live.reads.plan import Plan, limit_of

    problems: list[Problem] = []
    per_s = gathered(problems, lambda: limit_of(given.limit))
    depths = gathered(problems, lambda: counts_of(given.depth, "depth"))
    spans = gathered(problems, lambda: spans_ms(given.for_, "for"))
    if problems:
        raise refusal(*problems)
    plan = Plan(
        given.folder, per_s[0], given.requesters, depths[0], seconds=spans[0][0] / 1000, seed=given.seed
    ).check()
    return _measured(lambda bar: measure_reads(plan, _path(given.group), bar), given)


@app.command("slices", short_help="Measure wake-up latency under a CPU limit.")
@command("live slices")
def slices(given: Given) -> int:
    """Measure wake-up latency under a CPU limit, and simulate the same setup.

    A group with a quota is stopped when it has used it up, until its next period.  The wait of a thread in it is seen
    to be over then.  Two minutes on one processor, half of it used; the group is removed at the end.

    \b
    Example:
      sudo slicewright live slices --slices '20 ms, 10 ms' --waits '18 ms' --out live
    """
    from slicewright.live.experiment import measure_slices
    from slicewright.live.grid import Grid, cases_of

    spans = _spans(given, "slices", "waits", "work", *([] if given.tick is None else ["tick"]))
    grid = Grid(
        spans["slices"], spans["waits"], cases_of(given.case), _processor(given), given.seconds, _share(given.share),
        spans["work"][0], given.waiters, given.seed, given.disk, tick_ms=spans.get("tick", (None,))[0],
    ).check()  # fmt: skip
    return _measured(lambda bar: measure_slices(grid, _path(given.group), bar), given)


@app.command("throttling", short_help="Count throttled periods of a thread that works and sleeps.")
@command("live throttling")
def throttling(given: Given) -> int:
    """Count throttled periods of a thread that works and sleeps under a limit, and simulate the same setup.

    \b
    Example:
      sudo slicewright live throttling --sleeps '10 ms' --quota '20 ms' --period '100 ms'
    """
    from slicewright.live.group import Limit
    from slicewright.live.throttling import Plan, measure_throttling

    spans = _spans(given, "quota", "period", "burst", "work", "sleeps")
    limit = Limit(*(round(spans[key][0] * 1000) for key in ("quota", "period", "burst")))
    plan = Plan(spans["work"][0], spans["sleeps"], limit, given.seconds, _processor(given)).check()
    return _measured(lambda bar: measure_throttling(plan, _path(given.group), bar), given)


@app.command("yields", short_help="Measure threads behind a lock on fewer processors.")
@command("live yields")
def yields(given: Given) -> int:
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
    spans = gathered(problems, lambda: _spans(given, "hold", "think", "for"))
    named = gathered(problems, lambda: methods_of(given.methods))
    beside = gathered(problems, lambda: counts_of(given.hogs, "hogs"))
    where = gathered(problems, lambda: processors_of(given.processors))
    if problems:
        raise refusal(*problems)
    times, (outside,), (each,) = spans[0]["hold"], spans[0]["think"], spans[0]["for"]
    holds_us = tuple(1000 * span for span in times)
    plan = Plan(
        given.threads, where[0], beside[0], holds_us, named[0], 1000 * outside, given.tries, each / 1000, given.seed
    ).check()  # fmt: skip
    return _measured(lambda bar: measure_locks(plan, _path(given.group), bar), given)


@app.command("hooks", short_help="Measure filters in front of a system call.")
@command("live hooks")
def hooks(given: Given) -> int:
    """Measure filters in front of a system call (seccomp), and simulate the same.

    Orders: the rules of list are compared one by one, those of tree by halves.  Both look at an argument, so that they
    run at every call.  Those of bitmap do not, and the kernel answers before them (Linux 5.11 and later).  A worker
    process has the filters, which end with it, and all of them allow every call.  No rights are needed.

    \b
    Example:
      slicewright live hooks --rules 0,200 --filters 1..16 --out hooks
      slicewright advise exits calls.txt profile.json hooks
    """
    from slicewright.live.hooks.measure import measure_hooks
    from slicewright.live.hooks.plan import Plan, orders_of, range_of

    problems: list[Problem] = []
    spans = gathered(problems, lambda: _spans(given, "for"))
    many = gathered(problems, lambda: range_of(given.rules, "rules"))
    several = gathered(problems, lambda: range_of(given.filters, "filters"))
    orders = gathered(problems, lambda: orders_of(given.order))
    if problems:
        raise refusal(*problems)
    plan = Plan(many[0], several[0], orders[0], _processor(given), spans[0]["for"][0] / 1000).check()
    return _measured(lambda bar: measure_hooks(plan, bar), given)


@app.command("show", short_help="Print the tables of a live result.")
@command("live show")
def show_kept(given: Given) -> int:
    """Print the tables of a live result.

    \b
    Example:
      slicewright live show live
    """
    from slicewright.live.kept import load, shown

    found = load(given.result)
    show(given, found.as_json, lambda: shown(found))
    return 0


def _measured(measure: Callable[[Callable[[float], None]], object], given: Given) -> int:
    from slicewright.io.files import refuse_occupied
    from slicewright.live.kept import EARLIER, Result, save, shown

    if given.out is not None:
        refuse_occupied(given.out, EARLIER)
    with Bar("measuring", quiet=given.quiet) as bar:
        result = measure(bar)
    assert isinstance(result, Result)
    with printing(lambda: show(given, result.as_json, lambda: shown(result))):
        if given.out is not None:
            save(result, given.out)
            tell(f"the result is in {given.out} (report.html opens in any browser)")
    return 0


def _spans(given: Given, *keys: str) -> dict[str, tuple[float, ...]]:
    """The spans of several options in ms, or the problems of all of them."""
    from slicewright.live.grid import spans_ms

    problems: list[Problem] = []
    texts = {key: vars(given)[f"{key}_" if key == "for" else key] for key in keys}
    found = {key: gathered(problems, functools.partial(spans_ms, text, key)) for key, text in texts.items()}
    if problems:
        raise refusal(*problems)
    return {key: spans[0] for key, spans in found.items()}


def _processor(given: Given) -> int:
    from slicewright.live.grid import last_processor

    return last_processor() if given.processor is None else int(given.processor)


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
