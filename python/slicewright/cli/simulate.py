"""Commands about one scenario: a starter, its numbers, a run of it, and a stretch of simulated time."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from slicewright.cli.command import Given, command, show
from slicewright.cli.guard import simulating
from slicewright.values import settings
from slicewright.values.console import Bar, printing, tell

if TYPE_CHECKING:
    from slicewright.run.readings import Readings
    from slicewright.run.run import Run
    from slicewright.timeline import Timeline

_PAPER = 80
"""Characters of a line where there is no terminal to ask."""


@command("run")
def run(given: Given) -> int:
    """Simulate a scenario and print means with 95 % intervals; without the warm-up.

    \b
    Example:
      slicewright run pool.toml --set alias_pool.LSS-52.aliases=8 --precision 1% --out runs/8
    """
    from slicewright.run.directory import EARLIER
    from slicewright.run.readings import run_readings
    from slicewright.run.run import run as run_scenario
    from slicewright.values.files import refuse_occupied

    simulating(given.scenario, given.seed)
    if given.out is not None:
        refuse_occupied(given.out, EARLIER)
    with Bar("simulating", quiet=given.quiet) as bar:
        asked = settings.parameters("run", vars(given) | {"out": None})
        found = run_readings(**asked, progress=bar) if given.readings else None
        result = next(iter(found.runs.values())) if found else run_scenario(**asked, progress=bar)
    as_json = partial(_with_readings, result, found)
    with printing(lambda: show(given, as_json, lambda: f"{result}\n{found}" if found else result)):
        if given.out is not None:
            result.save(given.out)
            tell(f"the run is in {given.out} (report.html opens in any browser)")
    return 0


def _with_readings(result: Run, found: Readings | None) -> dict[str, Any]:
    return run_json(result) | ({"readings": found.rows} if found else {})


def run_json(result: Run) -> dict[str, Any]:
    """A run as one JSON object: what it takes to repeat it, and every table and log as a list of rows."""
    from slicewright.run.tables import ENTITY, LOGS

    facts = ("name", "checksum", "version", "seed", "replications", "warm_up_s")
    made = {name: getattr(result, name) for name in facts} | {"notes": list(result.notes)}
    return made | {table: result[table].to_dicts() for table in (*ENTITY, *LOGS)}


@command("new")
def new(given: Given) -> int:
    """Print a commented starter scenario; without KIND, print the first one and list the kinds.

    \b
    Example:
      slicewright new pool > pool.toml
      slicewright new site zvm > site.toml
    """
    from slicewright._core import starter, starters

    kinds = starters()
    if not given.kind:
        width = max(len(name) for name, _ in kinds)
        for name, what in kinds:
            print(f"slicewright new {name.ljust(width)}  {what}", file=sys.stderr)
    print(starter("-".join(given.kind or kinds[0][:1])), end="")
    return 0


@command("explain")
def explain(given: Given) -> int:
    """List every number of a scenario: input, assumed, borrowed, calibrated or default, and from where.

    With --cores: what the weights of partitions entitle them to, and their vertical high, medium and low counts.  With
    --qname and --rname: how name lists change the scope of a request.  Several name lists are those of the systems of
    one complex.  They have to agree; differences are listed, and the exit status is 2.

    \b
    Example:
      slicewright explain pool.toml
      slicewright explain two-domains.toml --screens
      slicewright explain --cores 16 VSE:dedicated:2 PROD:700:12 TEST:300:8
      slicewright explain GRSRNL00.txt --qname SYSDSN --rname A.B --scope system
      slicewright explain --schema > scenario.schema.json
    """
    from slicewright.cli import rules

    what = given.what or []
    _refuse_mixed(given)
    if given.schema:
        from slicewright._core import schema

        print(schema().rstrip("\n"))
        return 0
    if given.cores is not None:
        return rules.entitlements(given.cores, what, given.format)
    if given.qname is not None or given.rname is not None:
        return rules.names(given)
    if len(what) != 1:
        _refuse_subject("nothing to explain" if not what else f"{len(what)} scenarios")
    if ":" in what[0] and not Path(what[0]).exists():
        _refuse_subject(f"there is no file {what[0]!r}")
    return _numbers(what[0], given)


def _refuse_mixed(given: Given) -> None:
    """Refuse options that explain different things."""
    from slicewright.values.errors import problem, refusal

    asked: dict[str, str] = {}
    for option in settings.COMMANDS["explain"]:
        if option.panel and getattr(given, option.key) not in (None, option.default, []):
            asked.setdefault(option.panel, option.name)
    asked |= {"": "what"} if given.schema and given.what else {}
    if len(asked) > 1:
        first, second = list(asked.values())[:2]
        what = f"--{first} beside {'files' if second == 'what' else f'--{second}'}"
        raise refusal(problem(what, why="they explain different things", remedy="ask for one of them"))


def _refuse_subject(what: str) -> NoReturn:
    from slicewright.values.errors import problem, refusal

    allowed = "one scenario file; NAME:WEIGHT:LOGICALS... with --cores; name lists with --qname; --schema"
    raise refusal(problem(what, allowed=allowed))


def _numbers(scenario: str, given: Given) -> int:
    """Every number of a scenario, or its screens."""
    from slicewright.report import text
    from slicewright.report.model import Paragraph, Report, Section, Table
    from slicewright.run.pages.screens import fields, screens_text
    from slicewright.scenario.numbers import COLUMNS, listed
    from slicewright.scenario.source import read_scenario
    from slicewright.statistics import plural

    world = read_scenario(scenario, given.set)
    if given.screens:
        show(given, lambda: fields(world), lambda: screens_text(world), "\n")
        return 0
    rows = world.explain()
    roles = Counter(row["role"] for row in rows)
    heading = f"{world.name}: {plural(len(rows), 'number')}, {', '.join(f'{n} {role}' for role, n in roles.items())}"
    section = Section("", [Paragraph(heading, flush=True), Table(COLUMNS, listed(rows))])
    as_json = {"name": world.name, "checksum": world.checksum, "numbers": rows}
    show(given, lambda: as_json, lambda: text.render(Report(world.name, sections=[section])))
    return 0


@command("trace")
def trace(given: Given) -> int:
    """Show a stretch of simulated time: each exposure and processor with its holder, each wait with its reason.

    \b
    Example:
      slicewright trace pool.toml --from "100 ms" --for "5 ms" --out pool.json
    """
    from slicewright.timeline import trace as timeline
    from slicewright.values.files import refuse_unwritable

    simulating(given.scenario, given.seed)
    kind, columns = _kind(given.out), _width(given.width)
    if given.out is not None:
        refuse_unwritable(given.out)
    from_s, for_s = _spans(given.from_, given.for_)
    with Bar("simulating", quiet=given.quiet) as bar:
        made = timeline(**settings.parameters("trace", vars(given)), from_s=from_s, for_s=for_s, progress=bar)
    show(given, lambda: timeline_json(made), lambda: made.text(columns), "\n")
    if given.out is not None:
        _write(made, Path(given.out), kind)
    return 0


def timeline_json(timeline: Timeline) -> dict[str, Any]:
    """A timeline as one JSON object: where it is from, and its lanes, spans, waits, changes and yields as rows."""
    facts = ("name", "seed", "replication", "warm_up_s", "from_us", "to_us")
    return {name: getattr(timeline, name) for name in facts} | {
        "lanes": [{"name": lane.name, "kind": lane.kind, "of": lane.of} for lane in timeline.lane_rows],
        "spans": timeline.spans.to_dicts(),
        "waits": timeline.waits.to_dicts(),
        "changes": [{"at_us": at_us, "what": what} for at_us, what in timeline.change_rows],
        "yields": timeline.yields.to_dicts(),
    }


def _kind(out: str | None) -> str:
    from slicewright.values.errors import problem, refusal

    kind = Path(out or "").suffix.lower()
    if out is not None and kind not in (".json", ".svg"):
        allowed = "a name that ends in .json (for Perfetto or Chrome) or .svg (a picture)"
        raise refusal(problem(f"unknown kind of file: {out!r}", key="out", allowed=allowed))
    return kind


def _spans(from_: str, for_: str | None) -> tuple[float, float | None]:
    from slicewright._core import span_s
    from slicewright.values.errors import Problem, gathered, refusal

    problems: list[Problem] = []
    start = gathered(problems, lambda: span_s(from_, "from"))
    length = gathered(problems, lambda: None if for_ is None else span_s(for_, "for"))
    if problems:
        raise refusal(*problems)
    return start[0] or 0.0, length[0]


def _width(asked: int | None) -> int:
    from slicewright.timeline.lanes import NARROWEST, WIDEST, check_width

    if asked is not None:
        check_width(asked)
        return asked
    columns = shutil.get_terminal_size((_PAPER, 24)).columns if sys.stdout.isatty() else _PAPER
    return min(WIDEST, max(NARROWEST, columns))


def _write(timeline: Timeline, out: Path, kind: str) -> None:
    from slicewright.timeline.events import trace_text
    from slicewright.values.files import write_whole

    if kind == ".svg":
        text, what = timeline.svg(), "a picture that opens in any browser"
    else:
        text, what = trace_text(timeline), "open it in ui.perfetto.dev or chrome://tracing"
    write_whole(out, text.encode())
    tell(f"the timeline is in {out} ({what})")
