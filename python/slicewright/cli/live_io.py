"""`slicewright live io`: reads of one file behind permits, with and without a limit of their device."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet, print_json, printing
from slicewright.cli.progress import Bar
from slicewright.errors import Problem, gathered, problem, refusal


def io(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Directory for a scratch file of 64 MiB: on the disk.")],
    limit: Annotated[str, typer.Option(metavar="N", help="Reads a second of the disk.")] = "3000",
    requesters: Annotated[int, typer.Option(metavar="N", help="Threads that read.")] = 32,
    depth: Annotated[
        str, typer.Option(metavar="N,N,...", help="Permits: how many threads may read at a time.")
    ] = "1,2,4,8,16,32",
    length: Annotated[str, typer.Option("--for", metavar="SPAN", help="Time of each pair of load and permits.")] = "3s",
    group: Annotated[
        str | None, typer.Option("--group", metavar="DIR", help="Parent of the control group with the limit.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of places and instants.")] = 1,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="DIR", help="Directory for the result: live.json, report.html.")
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Measure reads behind permits, without a limit and under one (io.max), and simulate the same.

    Threads share permits in front of one file and read it past the page cache.  Three loads: no limit; a limit with all
    threads always asking; the same limit with a demand of three quarters of it.  The kernel keeps a limit in slices
    of a tenth of a second.  Root, or a delegated group, is needed for the limit; without it the first load is measured.
    Nothing is left behind: the scratch file and the groups are removed.

    \b
    Example:
      sudo slicewright live io /var/tmp --limit 3000/s --depth 1,8,32 --out reads
    """
    from slicewright.io.files import refuse_occupied
    from slicewright.live.grid import spans_ms
    from slicewright.live.kept import EARLIER, save, shown
    from slicewright.live.locks.plan import counts_of
    from slicewright.live.reads.measure import measure_reads
    from slicewright.live.reads.plan import Plan, limit_of

    problems: list[Problem] = []
    per_s = gathered(problems, lambda: limit_of(limit))
    depths = gathered(problems, lambda: counts_of(depth, "depth"))
    spans = gathered(problems, lambda: spans_ms(length, "for"))
    if problems:
        raise refusal(*problems)
    plan = Plan(folder, per_s[0], requesters, depths[0], seconds=spans[0][0] / 1000, seed=seed).check()
    if out is not None:
        refuse_occupied(out, EARLIER)
    if group is not None and not Path(group).is_dir():
        raise refusal(problem("there is no such group", file=group, key="group", allowed="a directory of cgroupfs"))
    with Bar("measuring", quiet=quiet) as bar:
        result = measure_reads(plan, None if group is None else Path(group).absolute(), bar)
    with printing(lambda: print_json(result.as_json()) if format == "json" else print(shown(result), end="")):
        if out is not None:
            save(result, out)
            print(f"slicewright: the result is in {out} (report.html opens in any browser)", file=sys.stderr)
    return 0
