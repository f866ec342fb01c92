"""Copies of a group's `cpu.stat`, as Linux writes it: both layouts, one copy or many in one file or stream.

Layouts: Documentation/admin-guide/cgroup-v2.rst, CPU Interface Files; Documentation/scheduler/sched-bwc.rst,
Statistics; Documentation/admin-guide/cgroup-v1/cpuacct.rst.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from slicewright.values.errors import Problem, nearest, problem, refusal

_PERIODS, _THROTTLED = "nr_periods", "nr_throttled"
_STOPPED = {"v2": "throttled_usec", "v1": "throttled_time"}
"""For how long processors were kept from the group: us in v2, ns in v1."""
_USED = {"v2": "usage_usec", "v1": "cpuacct.usage"}
"""The processor time used; in v1 a file of its own, a number of ns alone on its line."""
_PER_S = {"v2": 1e6, "v1": 1e9}
_TIME = "time"
"""When a copy was made, s: not from the kernel, added with the copy (`echo time $(date +%s)`)."""
_OTHERS = (
    "user_usec", "system_usec", "nice_usec", "core_sched.force_idle_usec", "nr_bursts", "burst_usec", "burst_time",
    "wait_sum",
)  # fmt: skip
_KNOWN = (_PERIODS, _THROTTLED, *_STOPPED.values(), *_USED.values(), _TIME, *_OTHERS)
_MOST = (1 << 64) - 1
"""Counters of the kernel have 64 bits."""
_HEADER = re.compile(r"==> .* <==|[-=#].*|")
"""Separators that `tail` and people put between copies."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy: seconds used and stopped since the group was made, periods, and the place of each line.

    `stopped_s` is None where the copies do not have it: widespread monitoring drops that counter.

    >>> one = read_copies(b"usage_usec 2000000\\nnr_periods 50\\nnr_throttled 9\\nthrottled_usec 450000", "cpu.stat")[0]
    >>> one.used_s, one.periods, one.throttled, one.stopped_s
    (2.0, 50, 9, 0.45)
    """

    file: str
    line: int
    layout: str
    used_s: float
    periods: int
    throttled: int
    stopped_s: float | None
    bursts: int | None
    at_s: float | None
    lines: Mapping[str, int]

    def place(self, key: str) -> dict[str, str | int]:
        """The place of a counter, for a problem."""
        names = {"used_s": _USED[self.layout], "stopped_s": _STOPPED[self.layout]}
        name = names.get(key, {"periods": _PERIODS, "throttled": _THROTTLED, "at_s": _TIME}.get(key, key))
        return {"file": self.file, "line": self.lines.get(name, self.line), "key": name}


def is_cpu_stat(data: bytes) -> bool:
    """Whether a file is one, or several: lines of its counters."""
    return (
        re.search(rb"^\s*(nr_periods|nr_throttled|usage_usec|throttled_(usec|time))\b", data, re.MULTILINE) is not None
    )


def limit_of(files: Sequence[bytes]) -> str | None:
    """Quota and period as cpu.max has them, where `live watch` wrote them into the copies, the same in all.

    >>> limit_of([b"quota_us 50000\\nperiod_us 100000\\nnr_periods 1\\n"]), limit_of([b"nr_periods 1\\n"])
    ('50000 100000', None)
    """
    both = [
        {match.decode() for data in files for match in re.findall(rb"^%s ([0-9]{1,12})$" % key, data, re.MULTILINE)}
        for key in (b"quota_us", b"period_us")
    ]
    return " ".join(number for numbers in both for number in numbers) if all(len(each) == 1 for each in both) else None


def read_copies(data: bytes, file: str) -> list[Copy]:
    """The copies of one file, in its order; a line that was there already begins the next one.

    Raises InputError with every line that cannot be read, and with what a copy lacks.

    >>> stream = b"usage_usec 1000000\\nnr_periods 5\\nnr_throttled 1\\nthrottled_usec 50000\\n"
    >>> [one.line for one in read_copies(stream + stream, "cpu.stat")]
    [1, 5]
    """
    problems: list[Problem] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(problem("not text in UTF-8", file=file, line=line, allowed="a copy of cpu.stat")) from None
    blocks = _blocks(text, file, problems)
    if not blocks and not problems:
        why = "it is empty" if not text.strip() else "it has no counter in it"
        problems.append(problem("no cpu.stat", file=file, why=why, allowed="a copy of a group's cpu.stat"))
    layouts = [_layout(block) for block in blocks]
    timed = any(key in block for block in blocks for key in _STOPPED.values())
    # One that says too little is taken for what the others are.
    usual = next((layout for layout in layouts if layout is not None), "v2")
    copies = []
    for number, (block, layout) in enumerate(zip(blocks, layouts, strict=True), start=1):
        lacking = _lacking(block, layout or usual, timed)
        if lacking:
            where = f"copy {number} of {len(blocks)}" if len(blocks) > 1 else "the copy"
            problems += [_missing(where, key, block, file) for key in lacking]
        elif not problems:
            copies.append(_copy(block, layout or usual, file))
    if problems:
        raise refusal(*problems)
    return copies


_Block = dict[str, tuple[float, int]]
"""Value and line by key."""


def _blocks(text: str, file: str, problems: list[Problem]) -> list[_Block]:
    blocks: list[_Block] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if _HEADER.fullmatch(line):
            continue
        found = _counter(line, {"file": file, "line": number, "column": len(raw) - len(raw.lstrip()) + 1})
        if not isinstance(found, tuple):
            problems.append(found)
            if found["key"] not in _KNOWN:
                continue
            # It is wrong, not missing.
            found = str(found["key"]), 0
        key, value = found
        if not blocks or key in blocks[-1]:
            blocks.append({})
        blocks[-1][key] = (value, number)
    return blocks


def _counter(line: str, place: Mapping[str, str | int]) -> tuple[str, float] | Problem:
    """Key and value of a line, or what is wrong with it."""
    key, _, value = line.partition(" ")
    value = value.strip()
    if not value and re.fullmatch(r"[0-9]+", key):
        key, value = _USED["v1"], key
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", key):
        return problem("no counter", **place, allowed=f"NAME NUMBER, as in {_PERIODS} 600")
    if key == _TIME:
        good = re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", value)
        return (key, float(value)) if good else _not_a_number(key, value, place, "seconds: time 1732182000.5")
    if not re.fullmatch(r"[0-9]{1,20}", value) or int(value) > _MOST:
        return _not_a_number(key, value, place, "a whole number from 0 on")
    return key, int(value)


def _not_a_number(key: str, value: str, place: Mapping[str, str | int], allowed: str) -> Problem:
    near = "" if key in _KNOWN else nearest(key, _KNOWN)
    what = f"not a count: {value}" if value else "has no value"
    return problem(what, **place, key=key, allowed=allowed, nearest=near)


def _layout(block: _Block) -> str | None:
    for layout in ("v2", "v1"):
        if _STOPPED[layout] in block or _USED[layout] in block:
            return layout
    return None


def _lacking(block: _Block, layout: str, timed: bool) -> list[str]:
    """The counters that a copy lacks; `timed`: others of the same file say for how long the group was stopped."""
    needed = (_USED[layout], _PERIODS, _THROTTLED, *((_STOPPED[layout],) if timed else ()))
    return [key for key in needed if key not in block]


def _missing(where: str, key: str, block: _Block, file: str) -> Problem:
    first = min(line for _, line in block.values())
    near = nearest(key, [name for name in block if name not in _KNOWN])
    why, allowed = "", f"{key} NUMBER, as the kernel writes it"
    if key == _USED["v1"]:
        why = "version 1 of control groups counts what was used in another file"
        allowed = "cat cpu.stat cpuacct.usage, of the same group: a number of ns alone on its line"
    elif key in (_PERIODS, _THROTTLED):
        why = "the kernel leaves it out of the root group and where the cpu controller is not enabled"
        allowed = "cpu.stat of the container's own group"
    return problem(f"{where} has no line {key}", file=file, line=first, key=key, why=why, allowed=allowed, nearest=near)


def _copy(block: _Block, layout: str, file: str) -> Copy:
    lines = {key: line for key, (_, line) in block.items()}
    value = {key: number for key, (number, _) in block.items()}
    per_s = _PER_S[layout]
    bursts = value.get("nr_bursts")
    stopped_s = value[_STOPPED[layout]] / per_s if _STOPPED[layout] in value else None
    return Copy(
        file, min(lines.values()), layout, value[_USED[layout]] / per_s, int(value[_PERIODS]), int(value[_THROTTLED]),
        stopped_s, None if bursts is None else int(bursts), value.get(_TIME), lines,
    )  # fmt: skip


def date_of(copies: Sequence[Copy]) -> str:
    """When the last copy was made, in UTC; "" where it has no time."""
    at_s = copies[-1].at_s
    return "" if at_s is None else datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M:%S")


def texts(copies: Sequence[Copy]) -> str:
    """Copies as the kernel writes them in the layout of version 2, each with its time where it has one.

    >>> one = read_copies(b"nr_periods 5\\nnr_throttled 1\\nthrottled_time 1000\\n2000000000", "cpu.stat")
    >>> print(texts(one), end="")
    usage_usec 2000000
    nr_periods 5
    nr_throttled 1
    throttled_usec 1
    """
    lines = []
    for copy in copies:
        lines += [f"{_TIME} {copy.at_s:.3f}"] if copy.at_s is not None else []
        lines += [
            f"{_USED['v2']} {copy.used_s * 1e6:.0f}",
            f"{_PERIODS} {copy.periods}",
            f"{_THROTTLED} {copy.throttled}",
        ]
        lines += [f"{_STOPPED['v2']} {copy.stopped_s * 1e6:.0f}"] if copy.stopped_s is not None else []
    return "".join(f"{line}\n" for line in lines)
