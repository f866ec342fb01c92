"""`slicewright advise`: a recommendation from reports, with the evidence, the curve and the open questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet

Slices = Annotated[
    str | None,
    typer.Option(metavar="SLICE", help="Slice of RMF pages: '30 ms', or the scheduling parameter, 1 to 5."),
]
Share = Annotated[
    list[str] | None,
    typer.Option(metavar="P%", help="Share of the processors of an RMF page's partition; one per file."),
]
Limit = Annotated[
    str | None, typer.Option(metavar="CPU", help="CPU limit of a container: 500m, 0.5, 2, or the text of cpu.max.")
]
Requests = Annotated[
    str | None,
    typer.Option(metavar="RATE", help="Rate of requests while cpu.stat was copied: 40/s, 2400/min, 30-50/s."),
]
Threads = Annotated[
    str | None, typer.Option(metavar="N", help="Threads that serve them [default: any number that fits].")
]
Every = Annotated[str | None, typer.Option(metavar="SPAN", help="Time between copies of cpu.stat: 60 s.")]
Period = Annotated[str | None, typer.Option(metavar="SPAN", help="Period of its limit [default: 100 ms].")]
Burst = Annotated[str | None, typer.Option(metavar="SPAN", help="Burst of its limit (cpu.max.burst).")]
Processors = Annotated[
    str | None, typer.Option(metavar="N", help="Processors of its node [default: as many as its threads].")
]

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUESTION] FILE",
        help="The question (aliases, slices, polarization, yields, exits, limits) [default: the one that the files "
        "can answer], then reports, rates, copies of cpu.stat or scenarios; - is standard input.",
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Directory for every reading or setting as a scenario, and report.html; a .toml file for the "
        "scenario alone.",
    ),
]


def advise(
    files: Files = None,
    at: Annotated[
        list[str] | None, typer.Option(metavar="VALUE", help="Number or setting to show as well; may be repeated.")
    ] = None,
    growth: Annotated[str | None, typer.Option(metavar="P%", help="Growth of the load: 20%, or 1.2x.")] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION", help="Recommend the smallest value that meets this condition: 'response_ms <= 2'."
        ),
    ] = None,
    pool: Annotated[
        list[str] | None, typer.Option(metavar="RANGE", help="Volumes of one pool: 522A-5231; may be repeated.")
    ] = None,
    pool_listing: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Output of QUERY PAV, with the members of pools; may also be one of the files."
        ),
    ] = None,
    slices: Slices = None,
    share: Share = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Fact that the files do not contain; may be repeated.")
    ] = None,
    limit: Limit = None,
    requests: Requests = None,
    threads: Threads = None,
    every: Every = None,
    period: Period = None,
    burst: Burst = None,
    processors: Processors = None,
    out: Out = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Recommend from reports or a scenario: aliases, slices, polarization, yields, exits, a CPU limit.

    \b
    Example:
      slicewright advise Y032180H.txt --at 13 --target 'response_ms <= 2'
      slicewright advise two-domains.toml --at '20 ms' --out advice
      slicewright advise device.txt --slices '30 ms' --share 50%
      slicewright advise zvm.toml --at 'CPUPAD 300 %' --at 6
      slicewright advise yields apache-spin.toml --at 'CLIENT x9c'
      slicewright advise exits rates.csv --growth 20%
      slicewright advise limits cpu.stat.1 cpu.stat.2 --limit 500m --requests 40/s --threads 8
    """
    from slicewright.advise.command import advise as answer
    from slicewright.advise.options import AdviceOptions

    question, named = split(files or [])
    options = AdviceOptions(
        at=at or (), growth=growth, target=target, pool=pool or (), pool_listing=pool_listing, assume=assume or (),
        out=Path(out) if out is not None else None, format=format, slices=slices, share=share or (), limit=limit,
        requests=requests, threads=threads, every=every, period=period, burst=burst, processors=processors,
        quiet=quiet,
    )  # fmt: skip
    return answer(question, named, options=options)


def split(words: list[str]) -> tuple[str | None, list[str]]:
    """The question, if the first word is one or cannot be a file, and the files.

    >>> split(["aliases", "Y032180H.txt"]), split(["Y032180H.txt"])
    (('aliases', ['Y032180H.txt']), (None, ['Y032180H.txt']))
    """
    from slicewright.advise.options import QUESTIONS
    from slicewright.errors import nearest

    first = words[0] if words else ""
    if first in QUESTIONS or (not _exists(first) and nearest(first, QUESTIONS)):
        return first, words[1:]
    return None, words


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # a name that no system allows
        return False
