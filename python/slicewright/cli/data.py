"""Commands about intervals that were measured or simulated: read, fit and compare."""

from __future__ import annotations

from slicewright.cli.command import Given, command, show
from slicewright.values.console import Bar, printing


@command("read")
def read(given: Given) -> int:
    """List the contents of monitor data; --out writes its intervals as a run.

    \b
    Example:
      slicewright read monday.monwrite --out runs/monday
      slicewright report runs/monday --page fcx108
    """
    from slicewright.advise.contents import contents_report
    from slicewright.advise.limits.fleet.contents import cluster_contents
    from slicewright.measured.directory import EARLIER
    from slicewright.measured.read import read as read_files
    from slicewright.report import text
    from slicewright.report.json import document
    from slicewright.values.files import refuse_occupied

    out, system = given.out, given.system
    report = cluster_contents(given.files, {"out": out, "system": system})
    if report is None:
        if out is not None:
            refuse_occupied(out, EARLIER)
        data = read_files(given.files)
        if out is not None or system is not None:
            run = data.of(system)
            if out is not None:
                run.save(out)
        report = contents_report(data)
    show(given, lambda: document(report), lambda: text.render(report))
    return 0


@command("fit")
def fit(given: Given) -> int:
    """Fit a scenario to some intervals, and judge its predictions of the others; status 1 when it does not predict.

    \b
    Example:
      slicewright read monday.monwrite --out monday
      slicewright fit monday --out monday.toml
    """
    from slicewright.fitting.evidence import sizes_of
    from slicewright.fitting.fit import fit as fitted
    from slicewright.fitting.fit import refuse_other
    from slicewright.report.json import document
    from slicewright.values.files import refuse_unwritable, write_whole

    aliases = sizes_of(given.aliases or [])
    if given.out is not None:
        refuse_other(given.out)
    if given.html is not None:
        refuse_unwritable(given.html)
    with Bar("fitting", quiet=given.quiet) as bar:
        found = fitted(given.day, shown=given.shown, aliases=aliases, system=given.system, progress=bar)
    with printing(lambda: show(given, lambda: document(found.report()), lambda: found)):
        if given.out is not None:
            found.save(given.out)
        if given.html is not None:
            write_whole(given.html, found.html().encode())
    missed = not found.predicts or (given.strict and found.outcome.tally.misses > 0)
    return int(missed)


@command("compare")
def compare(given: Given) -> int:
    """Compare two runs, replication by replication when they have the same random numbers.

    \b
    Example:
      slicewright compare runs/8 runs/6 --html 8-to-6.html
    """
    from slicewright.measured.loading import load
    from slicewright.results.compare import Comparison
    from slicewright.values.files import refuse_unwritable, write_whole

    if given.html is not None:
        refuse_unwritable(given.html)
    with Bar("comparing", quiet=given.quiet) as bar:
        first = load(given.before)
        bar(0.4)
        second = load(given.after)
        bar(0.8)
        both = Comparison.of_runs(first, second)
    if given.html is not None:
        write_whole(given.html, both.html().encode())
    show(given, lambda: list(both.frame.iter_rows(named=True)), lambda: both)
    return 0
