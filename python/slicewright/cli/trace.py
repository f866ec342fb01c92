"""`slicewright trace`: a stretch of simulated time, the holder of each exposure, and each wait with its reason."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slicewright.cli.guard import simulating
from slicewright.cli.options import Format, Quiet, ScenarioFile, print_json
from slicewright.cli.progress import Bar

if TYPE_CHECKING:
    from slicewright.timeline import Timeline

PAPER = 80
"""Characters of a line where there is no terminal to ask."""


def trace(
    scenario: ScenarioFile,
    from_: Annotated[
        str, typer.Option("--from", metavar="T", help="Start of the window, from the start of the first interval.")
    ] = "0 ms",
    for_: Annotated[
        str | None, typer.Option("--for", metavar="T", help="Length of the window [default: about 40 I/O starts].")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 1,
    replication: Annotated[int, typer.Option(metavar="K", help="Number of the replication, from 0.")] = 0,
    set: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Key of the scenario to change; may be repeated.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="File to write it to as well: .json for Perfetto or Chrome, .svg for a picture.",
        ),
    ] = None,
    width: Annotated[int | None, typer.Option(metavar="N", help="Width of a line in characters.")] = None,
    quiet: Quiet = False,
    format: Format = "text",
) -> int:
    """Show a stretch of simulated time: each exposure and processor with its holder, each wait with its reason.

    \b
    Example:
      slicewright trace pool.toml --from "100 ms" --for "5 ms" --out pool.json
    """
    from slicewright.io.files import refuse_unwritable
    from slicewright.timeline import trace as timeline

    simulating(scenario, seed)
    kind, columns = _kind(out), _width(width)
    if out is not None:
        refuse_unwritable(out)
    from_s, for_s = _spans(from_, for_)
    with Bar("simulating", quiet=quiet) as bar:
        made = timeline(
            scenario, from_s=from_s, for_s=for_s, seed=seed, replication=replication, set=set or [], progress=bar
        )
    if format == "json":
        print_json(as_json(made))
    else:
        print(made.text(columns))
    if out is not None:
        _write(made, Path(out), kind)
    return 0


def as_json(timeline: Timeline) -> dict[str, Any]:
    """A timeline as one JSON object: where it is from, and its lanes, spans, waits, changes and yields as rows.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> as_json(slicewright.trace(starter("mm1"), for_s=0.01))["lanes"]
    [{'name': '0100', 'kind': 'base', 'of': 'DISK'}]
    """
    facts = {
        "name": timeline.name, "seed": timeline.seed, "replication": timeline.replication,
        "warm_up_s": timeline.warm_up_s, "from_us": timeline.from_us, "to_us": timeline.to_us,
        "lanes": [{"name": lane.name, "kind": lane.kind, "of": lane.of} for lane in timeline.lane_rows],
    }  # fmt: skip
    changes = [{"at_us": at_us, "what": what} for at_us, what in timeline.change_rows]
    rows = {"spans": timeline.spans.to_dicts(), "waits": timeline.waits.to_dicts(), "changes": changes}
    return facts | rows | {"yields": timeline.yields.to_dicts()}


def _kind(out: str | None) -> str:
    from slicewright.errors import problem, refusal

    kind = Path(out or "").suffix.lower()
    if out is not None and kind not in (".json", ".svg"):
        allowed = "a name that ends in .json (for Perfetto or Chrome) or .svg (a picture)"
        raise refusal(problem(f"unknown kind of file: {out!r}", key="out", allowed=allowed))
    return kind


def _spans(from_: str, for_: str | None) -> tuple[float, float | None]:
    from slicewright._core import InputError, span_s
    from slicewright.errors import refusal

    spans: list[float | None] = []
    wrong = []
    for key, text in (("from", from_), ("for", for_)):
        try:
            spans.append(None if text is None else span_s(text, key))
        except InputError as error:
            wrong += error.problems
    if wrong:
        raise refusal(*wrong)
    return spans[0] or 0.0, spans[1]


def _width(asked: int | None) -> int:
    from slicewright.timeline.lanes import NARROWEST, WIDEST, check_width

    if asked is not None:
        check_width(asked)
        return asked
    columns = shutil.get_terminal_size((PAPER, 24)).columns if sys.stdout.isatty() else PAPER
    return min(WIDEST, max(NARROWEST, columns))


def _write(timeline: Timeline, out: Path, kind: str) -> None:
    from slicewright.io.files import write_whole
    from slicewright.timeline.events import trace_text

    if kind == ".svg":
        text, what = timeline.svg(), "a picture that opens in any browser"
    else:
        text, what = trace_text(timeline), "open it in ui.perfetto.dev or chrome://tracing"
    write_whole(out, text.encode())
    print(f"slicewright: the timeline is in {out} ({what})", file=sys.stderr)
