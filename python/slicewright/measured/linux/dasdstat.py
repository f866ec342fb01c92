"""Statistics of DASDs under Linux on Z as `dasdstat` of s390-tools prints them: rate, times and queue of each volume.

Format: zconf/dasdstat of s390-tools 2.43, print_format_standard; any number of columns (-c), short or long (-l).
/proc/dasd/statistics and `tunedasd -P` print the same without a heading: the name of the device is unknown.
Counts and histograms: drivers/s390/block/dasd.c of Linux, dasd_profile_start and dasd_profile_end.  A request counts
itself in the queue that it finds; a time is in the class i where it is less than 2^(i+2) us.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from slicewright.measured.linux.disk import UNKNOWN_S, Disk, Disks
from slicewright.measured.linux.fio import SHOWN
from slicewright.measured.linux.text import LARGEST, decoded, number
from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check

ALLOWED = "the output of dasdstat, once or several times with `date +'time %s'` before each"
CLASSES = 32
MOST_COPIES = 100_000
CLASS_MISS = 0.25
"""Share by which a mean may miss that is taken from the middles of classes."""
UNNAMED = "unknown"
"""The device of a print without a heading: one device (tunedasd -P), or all together (/proc/dasd/statistics)."""
_HEAD = re.compile(rb"^statistics data for statistic: |^[0-9]{1,18} dasd I/O requests[ \r]*$", re.MULTILINE)
_BUS_ID = re.compile(r"[0-9a-f]{1,2}\.[0-9a-f]\.[0-9a-f]{4}", re.IGNORECASE)
_HISTOGRAMS = {
    "Histogram of I/O times (microseconds)": "response",
    "Histogram of I/O time between ssch and irq": "service",
    "# of req in chanq at enqueuing (1..32)": "queue",  # of /proc/dasd/statistics, counted alike
    "# of req in chanq at enqueuing (0..31)": "queue",
}
_READS = "dasd I/O read requests"
_ALL = "dasd I/O requests"
_TOTALS = {
    _ALL: "requests", _READS: "reads", "requests used a PAV alias device": "aliased",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Copy:
    """What one print has of a statistic: counts by name, and histograms of 32 classes."""

    name: str
    at_s: float | None
    """Of the line `time` before it; None without one."""
    counts: dict[str, float]
    histograms: dict[str, list[float]]

    def since(self, before: Copy) -> Copy | None:
        """The counts between two prints; None where a counter fell, since it was reset."""
        counts = {name: value - before.counts.get(name, 0.0) for name, value in self.counts.items()}
        histograms = {
            name: [value - old for value, old in zip(values, before.histograms[name], strict=True)]
            for name, values in self.histograms.items()
        }
        every = [*counts.values(), *(value for values in histograms.values() for value in values)]
        return None if min(every) < 0 else Copy(self.name, self.at_s, counts, histograms)


def is_dasdstat(head: bytes) -> bool:
    """Whether a file begins as the output of dasdstat does.

    >>> is_dasdstat(b"---\\nstatistics data for statistic: dasda\\n"), is_dasdstat(b"Device")
    (True, False)
    """
    return _HEAD.search(head) is not None


def read_dasdstat(data: bytes, file: str) -> Disks:
    """The volumes of a file; an interval for each two prints with times, else one by Little's law.

    Raises InputError with every problem.

    >>> read_dasdstat(b"statistics data for statistic: dasda\\n", "a.txt")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: a.txt: dasda: has no requests
    """
    problems: list[Problem] = []
    copies = _copies(decoded(data, file, ALLOWED).splitlines(), file, problems)
    check(*problems)
    names = list(dict.fromkeys(copy.name for copy in copies))
    volumes = [name for name in names if name != "global" and not _BUS_ID.fullmatch(name)]
    notes = []
    if UNNAMED in names:
        notes.append(
            f"{file} does not name its device: /proc/dasd/statistics counts all DASDs together, tunedasd -P one of them"
        )
    elif not volumes and "global" in names:
        notes.append(f"{file}: `global` counts all DASDs together; a volume may differ from their mean")
    if volumes and len(volumes) < len(names):
        notes.append(
            f"{file}: `global` and single devices (bus IDs) count the requests of the volumes again; they are not read"
        )
    found: list[Disk] = []
    for name in volumes or names:
        own = [copy for copy in copies if copy.name == name]
        made, more = _intervals(own, file)
        found += made
        notes += more
    if not found:
        raise refusal(problem("no volume did I/O", file=file, allowed="statistics that are enabled: dasdstat -e"))
    return Disks(tuple(found), tuple(dict.fromkeys(notes)))


def _copies(lines: Sequence[str], file: str, problems: list[Problem]) -> list[Copy]:
    found: list[Copy] = []
    at_s: float | None = None
    into: list[float] | None = None
    extended = False
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if re.fullmatch(rf"[0-9]{{1,18}} {_ALL}", text) and _unnamed(found):
            found.append(Copy(UNNAMED, at_s, {}, {}))
            into, extended = None, False
        if match := re.fullmatch(r"time ([0-9]{1,12}(?:\.[0-9]{1,9})?)", text):
            at_s = float(match[1])
        elif match := re.fullmatch(r"statistics data for statistic: (\S{1,80})", text):
            found.append(Copy(match[1], at_s, {}, {}))
            into, extended = None, False
        elif not found:
            continue
        elif text in _HISTOGRAMS and not extended:
            into = found[-1].histograms.setdefault(_HISTOGRAMS[text], [])
        elif match := re.fullmatch(r"([0-9]{1,18}) (.*)", text):
            extended = extended or match[2] == _READS  # histograms of reads and writes follow
            _count(found[-1], match, extended, (file, at, problems))
        if into is not None and re.fullmatch(r"[0-9 ]+", text):
            values = [number(cell) or 0.0 for cell in text.split()]
            into += values
        elif text and text not in _HISTOGRAMS and not text.startswith("_"):
            into = None
        if len(found) > MOST_COPIES:
            raise refusal(problem("too many prints", file=file, line=at, allowed=f"at most {MOST_COPIES:,}"))
    for copy in found:
        problems += _incomplete(copy, file)
    return found


def _unnamed(found: Sequence[Copy]) -> bool:
    """Whether a total of requests begins a print without a heading, and is not that of the print before it."""
    return not found or (found[-1].name == UNNAMED and "requests" in found[-1].counts)


def _count(copy: Copy, match: re.Match[str], extended: bool, place: tuple[str, int, list[Problem]]) -> None:
    """A line of a total: the first of its kind; those of reads and writes follow in the long form."""
    name = _TOTALS.get(match[2])
    if name is None or (extended and name != "reads") or name in copy.counts:
        return
    file, line, problems = place
    if float(match[1]) > LARGEST:
        problems.append(problem(f"not a count: {match[1]}", file=file, line=line, allowed=f"0 to {LARGEST:g}"))
        return
    copy.counts[name] = float(match[1])


def _incomplete(copy: Copy, file: str) -> list[Problem]:
    """The parts that a print lacks, and where its histograms do not have as many requests as it counts."""
    if "requests" not in copy.counts:
        why = "the file is cut, or is no output of dasdstat"
        return [problem("has no requests", file=file, key=copy.name, why=why, allowed=ALLOWED)]
    found = []
    for name, title in {name: title for title, name in _HISTOGRAMS.items()}.items():
        values = copy.histograms.get(name, [])
        if len(values) != CLASSES:
            what = f"{plural(len(values), 'class', 'classes')} in `{title}`"
            found.append(problem(what, file=file, key=copy.name, why="the file is cut", allowed=str(CLASSES)))
    return found


def _intervals(copies: Sequence[Copy], file: str) -> tuple[list[Disk], list[str]]:
    timed = [(copy.at_s, copy) for copy in copies if copy.at_s is not None]
    notes, found = [], []
    for at, ((begun_s, before), (ended_s, after)) in enumerate(pairwise(timed)):
        grown, length_s = after.since(before), ended_s - begun_s
        if grown is None or length_s <= 0:
            notes.append(
                f"{file}: statistics of {after.name} were reset before {ended_s:.0f}; that interval is dropped"
            )
        elif grown.counts["requests"] > 0:
            found.append(_disk(grown, (file, at, length_s), round(1e6 * begun_s)))
            notes.append(_aliased(grown, file))
    if found or len(timed) > 1:
        return found, notes
    last = copies[-1]
    if last.counts["requests"] <= 0:
        return [], notes
    notes.append(
        f"{file} has one print of {last.name}: its rate follows from the queue that requests find, by Little's law"
    )
    return [_disk(last, (file, 0, None), 0)], [*notes, _aliased(last, file)]


def _aliased(copy: Copy, file: str) -> str:
    if "aliased" not in copy.counts:
        return f"{file} does not count the requests of {copy.name} that used an alias"
    share = 100 * copy.counts["aliased"] / copy.counts["requests"]
    return f"{file}: {share:.0f} % of the requests of {copy.name} used an alias"


def _disk(copy: Copy, place: tuple[str, int, float | None], start_us: int) -> Disk:
    """A volume over an interval; without its length the rate is the requests present over their time."""
    file, at, length_s = place
    response_ms, service_ms = (_mean_ms(copy.histograms[name]) for name in ("response", "service"))
    present = _mean_queue(copy.histograms["queue"])
    rate = present / max(response_ms, 0.001) * 1000 if length_s is None else copy.counts["requests"] / length_s
    reads = copy.counts.get("reads")
    share = None if reads is None else reads / copy.counts["requests"]
    return Disk(
        file=file, device=copy.name, interval=at, start_us=start_us, io_per_s=rate,
        reads_per_s=None if share is None else rate * share,
        writes_per_s=None if share is None else rate * (1 - share), response_ms=max(response_ms, service_ms),
        service_ms=service_ms, percentiles_ms=_percentiles(copy.histograms["response"]), queue_depth=present,
        requests=copy.counts["requests"], service_within=CLASS_MISS,
        length_s=UNKNOWN_S if length_s is None else length_s,
    )  # fmt: skip


def _mean_ms(classes: Sequence[float]) -> float:
    """The mean of a time. ASSUME: requests are in the middle of their class (CLASS_MISS).

    >>> _mean_ms([0.0] * 8 + [10.0] + [0.0] * 23)
    0.768
    """
    total = sum(classes)
    middles = [0.75 * 2 ** (at + 2) if at else 2.0 for at in range(len(classes))]
    return sum(count * middle for count, middle in zip(classes, middles, strict=True)) / total / 1000 if total else 0.0


def _mean_queue(classes: Sequence[float]) -> float:
    """The mean number of others in the queue; 31 stands for that and more."""
    total = sum(classes)
    return sum(count * max(0, at - 1) for at, count in enumerate(classes)) / total if total else 0.0


def _percentiles(classes: Sequence[float]) -> dict[int, float]:
    """Percentiles of a time in ms: the upper end of their class, so at most this."""
    sums = list(accumulate(classes))
    if not sums or not sums[-1]:
        return {}
    return {
        p: 2 ** (2 + next(at for at, so_far in enumerate(sums) if so_far >= p / 100 * sums[-1])) / 1000 for p in SHOWN
    }
