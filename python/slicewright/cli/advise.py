"""`slicewright advise`: a recommendation from reports, with the evidence, the curve and what cannot be told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slicewright.cli.options import Format, Quiet

Slices = Annotated[
    str | None,
    typer.Option(metavar="SLICE", help="The slice of RMF pages: '30 ms', or the scheduling parameter, 1 to 5."),
]
Share = Annotated[
    list[str] | None,
    typer.Option(metavar="P%", help="The share of the processors that an RMF page's partition has; one per file."),
]
Limit = Annotated[
    str | None, typer.Option(metavar="CPU", help="The CPU limit of a container: 500m, 0.5, 2, or what cpu.max says.")
]
Requests = Annotated[
    str | None,
    typer.Option(metavar="RATE", help="Requests that it served while it was copied: 40/s, 2400/min, 30-50/s."),
]
Threads = Annotated[
    str | None, typer.Option(metavar="N", help="Threads that serve them; without it, what fits is looked for.")
]
Every = Annotated[str | None, typer.Option(metavar="SPAN", help="How far apart the copies of cpu.stat are: 60 s.")]
Period = Annotated[str | None, typer.Option(metavar="SPAN", help="The period of its limit, where it is not 100 ms.")]
Burst = Annotated[str | None, typer.Option(metavar="SPAN", help="Its burst (cpu.max.burst), where there is one.")]
Processors = Annotated[
    str | None, typer.Option(metavar="N", help="Processors of its node, where they are fewer than its threads.")
]

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUESTION] FILE",
        help="What is asked (aliases, slices, polarization, yields, exits, limits; without it, what the files "
        "can answer), then reports, rates, copies of cpu.stat or scenarios; - is standard input.",
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Write every reading or setting here as a scenario that runs, and report.html; a .toml is the "
        "scenario alone.",
    ),
]


def advise(
    files: Files = None,
    at: Annotated[
        list[str] | None, typer.Option(metavar="VALUE", help="Show this number or setting too; may be repeated.")
    ] = None,
    growth: Annotated[
        str | None, typer.Option(metavar="P%", help="Advise for so much more work: 20%, or 1.2 times it.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="The least that meets it: 'response_ms <= 2'.")
    ] = None,
    pool: Annotated[
        list[str] | None, typer.Option(metavar="RANGE", help="The volumes of one pool: 522A-5231; may be repeated.")
    ] = None,
    pool_listing: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What QUERY PAV answered: who is in which pool; may stand among the files."),
    ] = None,
    slices: Slices = None,
    share: Share = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="What is known and the files do not say.")
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
