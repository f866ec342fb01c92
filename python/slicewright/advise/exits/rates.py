"""Request rates by name and scope, as comma-separated values, turned into a scenario with the prices of the study.

Rates do not say how long resources are held. The scenario holds them for no time, and no request waits.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.exits.structures import BATCH
from slicewright.statistics import plural
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.numerals import in_scenario

ALLOWED = "one scenario with [[enqueue]], or one table of rates: qname,rname,scope,pairs_per_s"
"""Which files are asked."""
COLUMNS = ("qname", "rname", "scope", "pairs_per_s")
SCOPES = ("step", "system", "systems")
MOST_ROWS = 1_000
MOST_PER_S = 1_000_000.0
BORROWED = "borrowed from the study of installation exits, published/grs-exits/calibrated.toml"


@dataclass(frozen=True, slots=True)
class Rate:
    """Pairs of ENQ and DEQ a second for one name."""

    qname: str
    rname: str
    scope: str
    pairs_per_s: float


def is_rates(data: bytes) -> bool:
    """Whether a file is a table of rates: its first line that says something names the columns.

    >>> is_rates(b"# Monday\\nqname,rname,scope,pairs_per_s\\n"), is_rates(b"FCX108")
    (True, False)
    """
    for line in data.decode("utf-8", "replace").splitlines():
        if line.strip() and not line.startswith("#"):
            first = [cell.strip().lower() for cell in line.split(",")]
            return "qname" in first and len(first) > 1
    return False


def read_rates(data: bytes, file: str) -> list[Rate]:
    """The rates of a file; raises InputError with everything that is wrong in it.

    >>> read_rates(b"qname,rname,scope,pairs_per_s\\nSYSDSN,A.B,system,900\\n", "rates.csv")
    [Rate(qname='SYSDSN', rname='A.B', scope='system', pairs_per_s=900.0)]
    """
    problems: list[Problem] = []
    text = data.decode("utf-8-sig", "replace")
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    head = [cell.strip().lower() for cell in lines[0][1].split(",")]
    if tuple(head) != COLUMNS:
        where = f"line {lines[0][0]}"
        raise refusal(problem("not the columns of rates", file=file, key=where, allowed=",".join(COLUMNS)))
    found = [_rate(at, line, file, problems) for at, line in lines[1 : MOST_ROWS + 1]]
    if len(lines) > MOST_ROWS + 1:
        what = f"{len(lines) - 1:,} rows"
        problems.append(problem(what, file=file, allowed=f"{MOST_ROWS:,}: combine similar names"))
    rates = [rate for rate in found if rate is not None]
    seen: set[tuple[str, str, str]] = set()
    for (at, _), rate in zip(lines[1:], found, strict=False):
        if rate is not None and (rate.qname, rate.rname, rate.scope) in seen:
            problems.append(problem(f"{rate.qname},{rate.rname} a second time", file=file, key=f"line {at}"))
        elif rate is not None:
            seen.add((rate.qname, rate.rname, rate.scope))
    if not problems and not any(rate.pairs_per_s > 0 for rate in rates):
        problems.append(problem("no requests", file=file, key="pairs_per_s", allowed="a rate above 0 in some row"))
    if problems:
        raise refusal(*problems)
    return [rate for rate in rates if rate.pairs_per_s > 0]


def as_scenario(rates: Sequence[Rate], file: str) -> str:
    """The scenario of some rates: one partition with a processor, a guest for each arrival, prices of the study.

    >>> text = as_scenario([Rate("SYSDSN", "A.B", "system", 900.0)], "rates.csv")
    >>> [line for line in text.splitlines() if line.startswith(("arrivals", "exits"))]
    ['exits = "batch"', 'arrivals = "900/s"']
    """
    parts = [_HEAD.replace("FILE", _quoted(file)), _serialization()]
    for number, rate in enumerate(rates, 1):
        parts.append(_resource(number, rate))
    return "\n".join([*parts, _MEASURE])


def _rate(at: int, line: str, file: str, problems: list[Problem]) -> Rate | None:
    cells = [cell.strip() for cell in next(csv.reader(io.StringIO(line)))]
    where = f"line {at}"
    if len(cells) != len(COLUMNS):
        what = plural(len(cells), "cell")
        problems.append(problem(what, file=file, key=where, allowed=f"{len(COLUMNS)}: {','.join(COLUMNS)}"))
        return None
    qname, rname, scope, rate = cells
    before = len(problems)
    if not re.fullmatch(r"[!-~]{1,8}", qname):
        problems.append(problem(f"not a qname: {qname}", file=file, key=where, allowed="1 to 8 printed characters"))
    if not re.fullmatch(r"[ -~]{1,255}", rname) or '"' in rname or "\\" in rname:
        problems.append(problem(f"not an rname: {rname}", file=file, key=where, allowed="1 to 255 printed characters"))
    if scope.lower() not in SCOPES:
        near, allowed = nearest(scope.lower(), SCOPES), ", ".join(SCOPES)
        problems.append(problem(f"no such scope: {scope}", file=file, key=where, allowed=allowed, nearest=near))
    number = float(rate) if re.fullmatch(r"\d{1,9}(?:\.\d*)?|\.\d+", rate) else None
    if number is None or number > MOST_PER_S:
        allowed = f"pairs of ENQ and DEQ a second, up to {MOST_PER_S:,.0f}"
        problems.append(problem(f"not a rate: {rate}", file=file, key=where, allowed=allowed))
    return Rate(qname, rname, scope.lower(), number or 0.0) if len(problems) == before else None


def _serialization() -> str:
    from slicewright.study.grs_exits import ANSWER_MS, MESSAGE_US, STUDY, Prices, costs

    lines = [f'{key} = "{value}"' for key, value in costs(Prices.of_fit(STUDY.constants())).items()]
    return "\n".join([
        "[serialization]", f'exits = "{BATCH}"', f'answer = "{in_scenario(ANSWER_MS)} ms"',
        'assume = "rates contain neither the present exits nor the response time of the manager"', "",
        "[serialization.cost]", *lines, f'borrowed = "{BORROWED}; a message of {MESSAGE_US:g} us is assumed there"', "",
    ])  # fmt: skip


def _resource(number: int, one: Rate) -> str:
    return f"""\
[[enqueue]]
name = "R{number}"
qname = {_quoted(one.qname)}
rname = {_quoted(one.rname)}
scope = "{one.scope}"

[[guest]]
name = "ASK{number}"
partition = "MVS"
arrivals = "{in_scenario(one.pairs_per_s)}/s"
program = [ {{ enq = "R{number}", do = [ {{ think = "0 ms" }} ] }} ]
"""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_HEAD = """\
name = "Request rates"

[source]
document = FILE

[cec]
processors = 1
slice = "10 ms"

[[partition]]
name = "MVS"
logical_processors = 1
mode = "UP"
assume = "one processor for ENQ and DEQ only: rates do not contain the number of processors"
"""

_MEASURE = """\
[measure]
interval = "20 s"
warm_up = "1 s"
replications = 10
"""
