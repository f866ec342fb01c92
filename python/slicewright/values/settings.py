"""Settings: every option of the commands and of the Python interface, declared once.

A declaration has the name, what the option takes with its bounds, its default and its help.  The command line
(`slicewright.cli.command`), the checks and texts of the functions of the Python interface, and the forms of the page
are made from it.
"""

from __future__ import annotations

import keyword
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from slicewright.values.catalogue import PAGES, STUDIES
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import (
    brief,
    kind_problem,
    number_problem,
    path_problem,
    progress_problem,
    texts_problem,
    whole_problem,
)

_F = TypeVar("_F", bound=Callable[..., Any])

_MOST_REPLICATIONS = 10_000
_LEAST_SAMPLES = 32
"""With fewer, shares of the variance are wrong by more than their intervals say."""
FIRST = 10
"""Batches of the first stage of a choice, from which variances are estimated; Kim and Nelson recommend 10."""


def _nothing_wrong(key: str, value: object) -> Problem | None:
    return None


@dataclass(frozen=True)
class Takes:
    """What an option takes: its type on the command line, the problem with a value, the values allowed in words."""

    typed: Any = str
    problem: Callable[[str, object], Problem | None] = _nothing_wrong
    words: str = ""
    share: Callable[[object], float] | None = None
    """The number that a percentage is."""


TEXT, TEXTS, FLAG = Takes(), Takes(list[str]), Takes(bool)
"""Values that the reader of the option checks."""


def text(allowed: str) -> Takes:
    """A text."""
    return Takes(str, lambda key, value: kind_problem(key, value, str, allowed))


def texts(allowed: str) -> Takes:
    """A list of texts."""
    return Takes(list[str], lambda key, value: texts_problem(key, value, allowed))


def items(kinds: type | tuple[type, ...], allowed: str) -> Takes:
    """A list of values of some types."""

    def problem_of(key: str, value: object) -> Problem | None:
        if isinstance(value, Mapping | bytes) or not isinstance(value, Sequence):
            return kind_problem(key, value, (), allowed)
        return next((wrong for each in value if (wrong := kind_problem(key, each, kinds, allowed))), None)

    return Takes(list[str], problem_of)


def word(*among: str) -> Takes:
    """One of some words, which the command line knows; in Python the reader of the option does."""
    allowed = ", ".join(among)
    return Takes(Literal[among], lambda key, value: kind_problem(key, value, str, allowed), allowed)


def whole(least: int = -(2**63), most: int = 2**63 - 1, *, power: bool = False) -> Takes:
    """A whole number within bounds; a power of two where it has to be one."""

    def problem_of(key: str, value: object) -> Problem | None:
        wrong = whole_problem(key, value, least, most)
        if wrong or not power or not isinstance(value, int) or value & (value - 1) == 0:
            return wrong
        return problem(f"{value} is no power of two", key=key, allowed="32, 64, 128, 256 and so on")

    return Takes(int, problem_of, f"{least:,} to {most:,}" + (", a power of two" if power else ""))


def number(allowed: str = "", *, above_0: bool = False) -> Takes:
    """A number, above 0 where it has to be."""

    def problem_of(key: str, value: object) -> Problem | None:
        wrong = number_problem(key, value, allowed)
        if wrong or not above_0:
            return wrong
        if not isinstance(value, int | float):
            return kind_problem(key, value, (int, float), "a number above 0")
        return None if 0 < value < math.inf else problem(f"out of range: {value}", key=key, allowed="a number above 0")

    return Takes(float, problem_of, allowed)


def _percentage(least: float, most: float, allowed: str, wrong: str = "not a share: {0!r}") -> Takes:
    """A percentage with its sign, between two shares; where `allowed` says above, the least itself is none."""
    is_open = "above" in allowed

    def share_of(value: object) -> float:
        match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*", value) if isinstance(value, str) else None
        return float(match[1]) / 100 if match else math.nan

    def problem_of(key: str, value: object) -> Problem | None:
        found = share_of(value)
        if least < found <= most or (found == least and not is_open):
            return None
        return problem(wrong.format(brief(value)), key=key, allowed=allowed)

    return Takes(str, problem_of, allowed, share_of)


def path(*, named: bool = False) -> Takes:
    """The name of a file or a directory; it may be empty unless it has to be `named`."""

    def problem_of(key: str, value: object) -> Problem | None:
        wrong = path_problem(key, value)
        if wrong or not named or not isinstance(value, str | os.PathLike) or os.fspath(value):
            return wrong
        return problem("no name", key=key)

    return Takes(str, problem_of)


@dataclass(frozen=True)
class Option:
    """An option: its name, its value as help shows it, its help; `several` may be repeated.

    >>> Option("pool-listing", "FILE", "What QUERY PAV answered.").key
    'pool_listing'
    """

    name: str
    metavar: str | None = None
    help: str = ""
    several: bool = False
    takes: Takes = TEXT
    default: Any = None
    required: bool = False
    spelt: tuple[str, ...] = ()
    """How it is written, where not `--` and its name; "" for an argument."""
    python: str = ""
    """Its name in Python, where it is another one; `-` where it is of the command line alone."""
    typed: bool = True
    """Whether the command line has it."""
    hint: str = ""
    """Its values, for a command line that has it without one."""
    panel: str = ""
    """The heading under which help lists it; "" for that of all options."""

    @property
    def key(self) -> str:
        """Its name as a parameter of a function."""
        name = self.name.replace("-", "_")
        return f"{name}_" if keyword.iskeyword(name) else name

    @property
    def parameter(self) -> str:
        """Its name in the Python interface; "" where it is none of it."""
        return self.python.removeprefix("-") if self.python else self.key

    def with_(self, **changes: Any) -> Option:
        """The same option as another command has it."""
        return replace(self, **changes)

    def problem(self, value: object) -> Problem | None:
        """The problem with a value; nothing given is none, unless there is a default in its place."""
        if value is None and self.default is None and not self.required:
            return None
        return self.takes.problem(self.name, value)


def problems(command: str, /, **given: object) -> list[Problem]:
    """The problems of parameters of the Python interface, in the order in which they are given.

    >>> [wrong["key"] for wrong in problems("run", seed=-1, replications=None, threads=0)]
    ['seed', 'threads']
    """
    of = {option.parameter or option.key: option for option in COMMANDS[command]}
    return [wrong for name, value in given.items() if (wrong := of[name].problem(value))]


def check(command: str, /, **given: object) -> None:
    """Raise InputError with every problem of parameters of the Python interface."""
    if found := problems(command, **given):
        raise refusal(*found)


def share(command: str, name: str, value: object) -> float:
    """The share that an option of a command takes as a percentage; raises InputError.

    >>> share("run", "precision", "5%")
    0.05
    """
    option = next(option for option in COMMANDS[command] if option.parameter == name)
    if wrong := option.takes.problem(name, value):
        raise refusal(wrong)
    assert option.takes.share is not None
    return option.takes.share(value)


def parameters(command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command line as parameters of the function of the same name; what was not given is not there.

    >>> parameters("sweep", {"set": ["a=1"], "out": "x", "points": None, "quiet": True})
    {'out': 'x', 'axes': ['a=1']}
    """
    own = (option for option in COMMANDS[command] if option.typed and option.parameter)
    return {option.parameter: given[option.key] for option in own if given.get(option.key) is not None}


def documented(command: str) -> Callable[[_F], _F]:
    """Add to the docstring of a function its options as they are declared."""

    def describe(function: _F) -> _F:
        lines = [_described(option) for option in COMMANDS[command] if option.parameter and option.help]
        heading = f"Options, as `slicewright {command} --help` has them:"
        function.__doc__ = "\n".join([function.__doc__ or "", f"    {heading}", "", *lines, "    "])
        return function

    return describe


def _described(option: Option) -> str:
    words = f"  Allowed: {option.takes.words}." if option.takes.words else ""
    return f"    - `{option.parameter}`: {option.help}{words}"


def _function_problem(key: str, value: object) -> Problem | None:
    return None if callable(value) else kind_problem(key, value, (), "a function of one dictionary")


RARE = "Advanced options"
"""The heading of options that few people need."""

SCENARIO = Option("scenario", "SCENARIO.toml", "Scenario file; - is standard input.", required=True, spelt=("",))
FORMAT = Option(
    "format", None, "Format of the result.", default="text", takes=word("text", "json"), python="-",
    hint="text, json",
)  # fmt: skip
QUIET = Option("quiet", None, "No progress bar.", default=False, takes=FLAG, spelt=("--quiet", "-q"), python="-")
_FRESH = Option("fresh", None, "Simulate anew what was simulated before.", default=False, takes=FLAG, panel=RARE)
_SEED = Option("seed", "N", "Random seed.", takes=whole(0, 2**64 - 1), default=1)
_REPLICATIONS = Option(
    "replications", "R", "Number of replications [default: that of the scenario].", takes=whole(1, _MOST_REPLICATIONS)
)
_REPLICATION = Option("replication", "K", "Number of the replication, from 0.", takes=whole(), default=0, panel=RARE)
_PRECISION = Option(
    "precision", "P%",
    "Precision: replications are added until the 95 % half-widths in the first line are within P %.",
    takes=_percentage(0.0001, 0.5, "a percentage with its sign, .01 % to 50 %: 1%", wrong="not a precision: {0!r}"),
    hint="a percentage: 1%",
)  # fmt: skip
_SET = Option("set", "KEY=VALUE", "Key of the scenario to change; may be repeated.", takes=TEXTS)
_OUT = Option(
    "out", "DIR", "Directory for the run: scenario, tables, report.html.", takes=path(), spelt=("--out", "-o")
)
HTML = Option("html", "FILE", "File for the report as one HTML page.", python="-")
_PROGRESS = Option("progress", None, "", takes=Takes(object, lambda key, value: progress_problem(value)), typed=False)
SYSTEM = Option("system", "NAME", "Name of the system, at most 8 characters; 4 in SMF.")
_PLACE = Option(
    "on", "PLACE",
    "Place: threads:N, local:N (processes of Dask), tcp://HOST:PORT (a scheduler of Dask) [default: a thread per "
    "processor].", panel=RARE,
)  # fmt: skip
_CONFIDENCE = Option(
    "confidence", "P%", "Probability that the choice is the best.", default="95%",
    takes=_percentage(0.5, 0.9999, "a percentage with its sign, above 50 % and up to 99.99 %", "not a share: `{0}`"),
    panel=RARE,
)  # fmt: skip
_TOLERANCE = Option(
    "tolerance", "P%", "Share of a bound within which a value may count as met or broken.", default="1%",
    takes=_percentage(0.0001, 0.5, "a percentage with its sign, above 0.01 % and up to 50 %", "not a share: `{0}`"),
    panel=RARE,
)  # fmt: skip
_MOST = Option(
    "most", "N", "Largest number of batches of a setting.", takes=whole(FIRST, 100_000), default=500, panel=RARE
)  # fmt: skip
_TRIALS = Option(
    "trials", "N", "Settings that Optuna tries [default: 100; up to 300 settings are all compared].",
    takes=whole(1, 100_000), panel=RARE,
)  # fmt: skip
_RUN = Option("run", "RUN", "Directory of run --out or read --out.", required=True, spelt=("",))
PROCESSOR = Option("processor", "N", "Processor for all threads [default: the last].", takes=whole())
KEPT = (_OUT.with_(help="Directory for the result: live.json, report.html."), QUIET, FORMAT)
"""The options that every live experiment has beside its own."""
_KNOBS = "Key and its values: 0..24, 0..24:4, '2..30:4 ms', or a,b,c; one value is set for all "

_RESULT, _SILENT = FORMAT.with_(help="How to print the result."), QUIET.with_(help="Show no progress.")
"""As the commands of studies say it."""

_AT = Option(
    "at", "VALUE", "Number or setting to show as well.", several=True,
    takes=items((str, int), 'a setting, or a list of them: [8, "12"]'),
)  # fmt: skip
_GROWTH = Option("growth", "P%", "Growth of the load: 20%, or 1.2x.", takes=text("a text: 20%"))
_TARGET = Option(
    "target", "CONDITION", "Recommend the smallest value that meets this condition: 'response_ms <= 2'.",
    takes=text("a text: response_ms <= 2"),
)  # fmt: skip
_ASSUME = Option(
    "assume", "KEY=VALUE", "Fact that the files do not contain.", several=True,
    takes=items(str, 'a text, or a list of texts: ["population=3"]'),
)  # fmt: skip
INTERVAL = Option(
    "interval", "N[..M]", "Intervals of monitor data to look at, from 0: 40..55 [default: all].",
    takes=text("a text: 40..55"),
)  # fmt: skip

FOR_TOOLS = ("monwrite", "smf", "openmetrics", "dds")
"""Formats of a run for other tools."""
_OF_SCENARIO, _OF_NAMES, _OF_FILES = "Numbers of a scenario", "Name lists", "Files for other tools"

COMMANDS: Mapping[str, Sequence[Option]] = {
    "run": (
        SCENARIO, _SEED, _REPLICATIONS, _PRECISION, _SET, _OUT,
        Option("readings", None, "Simulate every reading that a fitted scenario leaves, and print ranges.",
               default=False, takes=FLAG, python="-"),
        QUIET, FORMAT, _PROGRESS,
        Option("threads", None, "Threads [default: all processors]; they change the time alone.",
               takes=whole(1, 1024), typed=False),
    ),
    "trace": (
        SCENARIO,
        Option("from", "T", "Start of the window, from the start of the first interval.", default="0 ms", python="-"),
        Option("for", "T", "Length of the window [default: about 40 I/O starts].", python="-"),
        Option("from_s", takes=number("seconds"), default=0.0, typed=False),
        Option("for_s", takes=number("seconds"), typed=False),
        _SEED,
        _REPLICATION.with_(takes=whole(0, _MOST_REPLICATIONS - 1)),
        _SET,
        _OUT.with_(metavar="FILE", python="-",
                  help="File for the trace: .json for Perfetto or Chrome, .svg for a picture."),
        Option("width", "N", "Width of a line in characters.", takes=whole(), python="-", panel=RARE),
        QUIET, FORMAT, _PROGRESS,
    ),
    "sweep": (
        SCENARIO,
        _OUT.with_(help="Directory of the store.", required=True, takes=path(named=True)),
        Option("set", "KEY=VALUES", f"{_KNOBS}points [default: those of [[sweep]] in the file].", takes=TEXTS,
               python="axes"),
        Option("design", None, "Points: all combinations, a Sobol sequence, or a Latin hypercube.",
               takes=word("grid", "sobol", "latin"), default="grid", panel=RARE),
        Option("points", "N", "Number of points of sobol and latin.", takes=whole(2, 1_000_000), panel=RARE),
        _SEED.with_(help="Random seed of every point."),
        _REPLICATIONS,
        _PRECISION.with_(help="Precision of every point: replications are added, as in `run`."),
        _PLACE, QUIET, FORMAT, _PROGRESS,
    ),
    "choose": (
        SCENARIO,
        Option("knob", "KEY=VALUES", f"{_KNOBS}settings.", takes=TEXTS, required=True, python="knobs"),
        Option("minimise", "EXPR", "Cost: numbers, knobs, counters with + - * /, min and max.", required=True),
        Option("subject-to", "'EXPR <= N'", "Constraint on an estimate, with <= or >=; may be repeated.",
               takes=texts('a text, or a list: ["response_ms <= 5"]'), default=()),
        _SET.with_(help="Key and its value in all settings."),
        _OUT.with_(help="Directory of the store [default: not kept].", takes=path(named=True)),
        _CONFIDENCE,
        Option("indifference", "D", "Costs that differ by less count as equal [default: 1 % of the least cost].",
               takes=number("a number above 0, in units of the cost", above_0=True), panel=RARE),
        _TOLERANCE,
        _MOST,
        _TRIALS,
        _SEED.with_(help="Random seed of the first batch."),
        _REPLICATIONS.with_(help="Number of replications in a batch [default: that of the scenario]."),
        _PLACE.with_(help="Place, as in `sweep` [default: all processors]."),
        QUIET, FORMAT, _PROGRESS,
    ),
    "plan": (
        Option("scenario", "FILE...", "Scenario (- is standard input), directory of read --out, MONWRITE or SMF file, "
               "or pages of devices.", takes=TEXTS, required=True, spelt=("",)),
        Option("buy", "'KEY=VALUES at PRICE'", "Purchase: a key, its values or +N more, and a price, per unit with "
               "`each`; may be repeated [default: those of [[purchase]] in the file].", takes=TEXTS, default=()),
        Option("require", "'NAME COLUMN <= N'", "Requirement on a guest, volume or partition, or on an expression; "
               "may be repeated.", takes=TEXTS, required=True),
        Option("growth", "GUEST=P%", "Growth of guests by name, pattern or class: orders=40%, @office=20%.",
               takes=TEXTS, default=()),
        _SET.with_(help="Key to change before anything is planned."),
        Option("aliases", "POOL=N", "Aliases of a pool, where records or pages do not give them; may be repeated.",
               takes=TEXTS, default=()),
        _OUT.with_(help="Directory for plan.json, report.html and the recommended scenario."),
        _CONFIDENCE.with_(help="Probability that the set is the right one."),
        _TOLERANCE.with_(help="Share of a bound within which a value may count as kept or broken."),
        _MOST.with_(help="Largest number of batches of a set.", default=200),
        _TRIALS.with_(help="Sets that Optuna tries [default: 500; up to 1,000,000 sets are all in question]."),
        _SEED.with_(help="Random seed of every set."),
        _PLACE.with_(help="Place, as in `sweep` [default: all processors]."),
        _FRESH.with_(python="-"), QUIET, FORMAT, _PROGRESS,
        Option("first", None, "", takes=Takes(object, _function_problem),
               typed=False),
    ),
    "sensitivity": (
        SCENARIO,
        Option("question", "QUESTION", "Question of advise to ask at both ends of each band: aliases, slices."),
        _SET.with_(help="Key to change before anything varies."),
        Option("vary", "KEY=LOW..HIGH", "Band of a number: 'guest.*.program.1.think=0.1..0.6 ms'.",
               takes=texts('a list: ["cec.switch=0..20 us"]'), default=()),
        Option("fix", "KEY", "Guess that stays as it is.", takes=texts('a list: ["cec.switch"]'), default=()),
        Option("within", "P%", "Band of every other guess, about its value.", default="50%",
               takes=_percentage(0.01, 0.95, "a percentage with its sign, 1 % to 95 %: 50%")),
        Option("of", "COUNTER", "Answer, such as system.io_per_s [default: the first of the headline]."),
        Option("trajectories", "N", "Trajectories of the screening (Morris).", takes=whole(2, 1000), default=6,
               panel=RARE),
        Option("samples", "N", "Samples of Sobol indices: 32, 64, 128 and so on.",
               takes=whole(_LEAST_SAMPLES, 65536, power=True), default=64, panel=RARE),
        _OUT.with_(help="Directory for report.html and the points."),
        _PLACE.with_(help="Place, as in sweep [default: a thread per processor]."),
        _FRESH, QUIET, FORMAT, _PROGRESS,
    ),
    "reproduce": (
        Option("studies", "STUDY", f"{', '.join(STUDIES)}; none: all of them", takes=TEXTS, spelt=("",)),
        Option("quick", None, "Only runs with scored cells, a short simulated time.", default=False, takes=FLAG),
        Option("strict", None, "Exit status 1 when a scored cell misses.", default=False, takes=FLAG),
        _RESULT,
        HTML.with_(help="Write a page with pictures."),
        Option("calibrate", None, "Recompute the constants of one study from its calibration cells, and print them.",
               default=False, takes=FLAG, panel=RARE),
        Option("ablation", "NAME",
               "Take one thing away: no-cache-cost, no-lock, no-churn, no-barrier, eager-stealing (hiperdispatch); "
               "no-reload, no-switch-cost, no-network-delay (diag9c).", panel=RARE),
        Option("bench", None,
               "Measure times on this machine as well (grs-exits); they differ from run to run.",
               default=False, takes=FLAG, panel=RARE),
        _FRESH, _SILENT,
    ),
    "new": (Option("kind", "KIND", "Kind of the starter; `site zvm` is `site-zvm`.", takes=TEXTS, spelt=("",)),),
    "explain": (
        Option("what", "WHAT...", "Scenario file (- is standard input). With --cores partitions as "
               "NAME:WEIGHT:LOGICALS, a weight of 1 to 999 or the word dedicated, then the logical cores online. With "
               "--qname name lists (GRSRNLxx) of a system, or of each system of a complex.", takes=TEXTS, spelt=("",)),
        FORMAT,
        _SET.with_(panel=_OF_SCENARIO),
        Option("screens", None, "Screens of 580/MDF that show how domains share processors, instead of numbers.",
               default=False, takes=FLAG, panel=_OF_SCENARIO),
        Option("schema", None, "JSON Schema of scenario files, instead of a scenario.", default=False, takes=FLAG,
               panel="Schema"),
        Option("cores", "N", "Physical cores of one type.", panel="Entitlement of partitions"),
        Option("qname", "NAME", "Qname: NAME, 'NAME' or X'hex'.", panel=_OF_NAMES),
        Option("rname", "NAME", "Rname: NAME, 'NAME' or X'hex'.", panel=_OF_NAMES),
        Option("scope", "SCOPE", "Requested scope: step, system, systems, or reserve.", default="systems",
               panel=_OF_NAMES),
    ),
    "read": (
        Option("files", "FILE...", "Files of MONWRITE, SMF dumps, or output of fio, iostat -x, btt and dasdstat, in "
               "the order of time; or series of a cluster.", takes=TEXTS, required=True, spelt=("",)),
        _OUT.with_(help="Directory for the measured run: tables, report.html."),
        SYSTEM.with_(help="System whose intervals are written, where there are several."),
        QUIET, FORMAT,
    ),
    "fit": (
        Option("day", "DAY", "Directory of read --out, or a file of monitor data.", required=True, spelt=("",)),
        _OUT.with_(metavar="FILE", help="File for the fitted scenario (TOML)."),
        Option("shown", "N..M",
               "Intervals that are fitted, from 0: 0..11,14 [default: every second one is held out]."),
        Option("aliases", "POOL=N", "Aliases of a pool, where the records do not count them; repeatable.",
               takes=TEXTS),
        SYSTEM.with_(help="System that is fitted, where a file has several."),
        HTML.with_(help="File for the fit as a page, with a picture."),
        Option("strict", None, "Exit status 1 when any held-out value misses.", default=False, takes=FLAG),
        QUIET, FORMAT,
    ),
    "report": (
        _RUN.with_(help="Directory of run --out; for checks also an RMF page."),
        Option("page", "NAME", "Name of the page: fcx108, rmf-dasd, proclog, ... [default: list them].",
               hint=", ".join(PAGES)),
        Option("view", "VIEW", "IOSQ of rmf-dasd: as sampled inside each domain, or true [default: sampled where a "
               "domain samples]."),
        Option("partition", "NAME",
               "Partition of a page of partitions: its page alone, or the page as seen from it."),
        Option("interval", "N", "Number of a measured interval, from 0 [default: the mean of all].", takes=whole()),
        Option("verify", None, "Check of every file of the run against its manifest, instead of a page.",
               default=False, takes=FLAG),
        FORMAT.with_(help="Format of the result; monwrite, smf, openmetrics and dds write --out.",
                     takes=word("text", "json", *FOR_TOOLS), hint=", ".join(("text", "json", *FOR_TOOLS))),
        _OUT.with_(metavar="FILE", help="File for other tools; a directory for dds.", panel=_OF_FILES),
        _REPLICATION.with_(panel=_OF_FILES),
        SYSTEM.with_(panel=_OF_FILES),
        Option("start", "T", "Clock at the start: UTC; local time in SMF [default: as measured, or 2026].",
               panel=_OF_FILES),
    ),
    "compare": (
        _RUN.with_(name="before", help="A directory of run --out or read --out."),
        _RUN.with_(name="after", help="A second one."),
        HTML.with_(help="File for the comparison as a page, with a picture."),
        QUIET, FORMAT,
    ),
    "serve": (
        Option("paths", "[DIR|FILE]...", "Runs, reports, monitor data and scenarios to show first.", takes=TEXTS,
               spelt=("",)),
        Option("port", "N", "Port [default: 8580, or the next free one].", takes=whole()),
        Option("address", "ADDRESS", "Address to listen on; any other than the default lets other machines in.",
               default="127.0.0.1"),
        Option("allow-host", "NAME", "Host name of a proxy or tunnel; may be repeated.", takes=TEXTS),
        Option("prefix", "/PATH", "Path that a proxy puts before every address.", default=""),
        Option("browser", None, "Open a browser.", default=True, takes=FLAG, spelt=("--browser/--no-browser",)),
    ),
    "advise": (
        _AT, _GROWTH, _TARGET, _ASSUME,
        _OUT.with_(help="Directory for scenarios, advice.json and report.html; a .toml file for {alone} alone."),
        HTML, INTERVAL,
        Option("check", None, "The last file is from after a change: say whether the predictions of the others held.",
               default=False, takes=FLAG),
        Option("then", "SETTING", "Setting of the last file, where it has none: a limit, 750m, or aliases, 0016=12."),
        Option("predictions", "FILE", "File that keeps predictions and their outcomes, which later answers count."),
        _FRESH, QUIET, FORMAT,
    ),
    "live watch": (
        Option("group", "POD|CGROUP", "Path of a control group, or a part of its name: a pod's uid.", required=True,
               spelt=("",)),
        Option("every", "SPAN", "Time between copies.", default="1s"),
        Option("for", "SPAN", "Time in all.", default="5min"),
        PROCESSOR.with_(help="Processor of the probe [default: the last]."),
        _OUT.with_(help="Directory for the copies and a report."),
        QUIET, FORMAT,
    ),
    "live show": (
        Option("result", "DIR", "Directory of --out, or its live.json; - is standard input.", required=True,
               spelt=("",)),
        FORMAT,
    ),
}  # fmt: skip
"""The options of each command, in the order of its help."""


def hint(spelt: str) -> str:
    """The values of an option, for a command line that has it without one; "" where its help says it.

    >>> hint("--format"), hint("--seed")
    ('text, json', '')
    """
    every = (option for options in COMMANDS.values() for option in options)
    return next((option.hint for option in every if option.hint and spelt == f"--{option.name}"), "")
