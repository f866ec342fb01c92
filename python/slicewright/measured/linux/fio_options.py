"""Options of a job of fio: how many requests it asks to have in flight, and what keeps it from that.

Source: fio's HOWTO, "I/O engine", "I/O depth", "I/O rate" and "Threads, processes and job synchronization".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from slicewright.measured.linux.text import Fields
from slicewright.values.errors import problem

Options = Mapping[str, str]
MOST_DEPTH = 1_000_000
MORE = 1.1
"""Requests in flight over those that options ask for, from which the options are not all."""
SYNCHRONOUS = frozenset({
    "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "sg", "falloc", "ftruncate", "e4defrag",
    "dev-dax", "libpmem", "pmemblk", "mtd", "libhdfs", "gfapi", "http", "nfs", "filecreate", "filestat", "filedelete",
    "dircreate", "dirstat", "dirdelete",
})  # fmt: skip
"""Engines whose jobs wait for each request before the next; psync is that of Linux where none is given."""
_LIMITS = {
    "rate": "limits the amount of data a second",
    "rate_iops": "limits the requests a second",
    "thinktime": "lets a job pause between requests",
    "latency_target": "lets fio change the depth",
    "flow": "lets jobs wait for each other",
    "read_iolog": "replays requests at their own times",
}
"""Options that keep a job from asking, with what they do."""


def options_of(shared: Mapping[str, object], own: Mapping[str, object]) -> Options:
    """The options of a job, its own before those of all, as text."""
    return {key: str(value) for key, value in {**shared, **own}.items() if isinstance(value, str | int | float)}


def depth_of(options: Options, job: Fields, in_flight: float) -> int:
    """Requests that an entry asks to have in flight: iodepth, times the jobs that `group_reporting` put into it.

    Where more are in flight than these options ask for, the options are those of one job of several.  The depth is then
    the number in flight.

    >>> entry = Fields({}, ("a.json", "jobs[0]"), [])
    >>> depth_of({"iodepth": "4", "numjobs": "2", "group_reporting": "1"}, entry, 7.9), depth_of({}, entry, 6.1)
    (8, 6)
    """
    counts = []
    for key in ("iodepth", "numjobs"):
        text = options.get(key, "1")
        if not re.fullmatch(r"[0-9]{1,7}", text) or not 1 <= int(text) <= MOST_DEPTH:
            allowed = f"1 to {MOST_DEPTH:,}"
            key_of = f"{job.path}.job options.{key}"
            job.problems.append(problem(f"not a number: {text[:40]}", file=job.file, key=key_of, allowed=allowed))
            text = "1"
        counts.append(int(text))
    grouped = options.get("group_reporting", "0") != "0"
    asked = counts[0] * (counts[1] if grouped else 1)
    return asked if in_flight <= MORE * asked else round(in_flight)


def limits_of(options: Options, in_flight: float) -> tuple[str, ...]:
    """The options that keep a job below its depth, a sentence each.

    >>> limits_of({"rate_iops": "2000", "ioengine": "libaio", "direct": "1"}, 0.5)
    ('rate_iops=2000 limits the requests a second',)
    >>> limits_of({"ioengine": "psync", "iodepth": "16"}, 1.0)
    ('ioengine=psync has one request of each job in flight, whatever iodepth says',)
    """
    found = [f"{key}={options[key]} {what}" for key, what in _LIMITS.items() if options.get(key, "0") not in ("0", "")]
    engine = options.get("ioengine", "")
    deep = options.get("iodepth", "1") != "1"
    jobs = int(options["numjobs"]) if re.fullmatch(r"[0-9]{1,7}", options.get("numjobs", "")) else 1
    if deep and (engine in SYNCHRONOUS or (not engine and in_flight <= MORE * jobs)):
        name = f"ioengine={engine}" if engine else "ioengine=psync, which Linux takes where none is given,"
        found.append(f"{name} has one request of each job in flight, whatever iodepth says")
    if deep and engine == "libaio" and options.get("direct", "0") != "1":
        found.append("libaio without direct=1 waits in the kernel for each request, and reads from memory")
    return tuple(found)


def kind_of(options: Options) -> str:
    """Reads or writes of a job and their size in bytes, as far as its options have them.

    >>> kind_of({"rw": "randread", "bs": "4k"}), kind_of({"readwrite": "randread", "bs": "4096B"}), kind_of({})
    ('randread 4096', 'randread 4096', '')
    """
    way = options.get("rw", options.get("readwrite", ""))
    size = options.get("bs", options.get("blocksize", ""))
    sized = re.fullmatch(r"([0-9]{1,12})(|k|m|g)(?:i?b)?", size.lower())
    if sized:
        size = str(int(sized[1]) * 1024 ** ("", "k", "m", "g").index(sized[2]))
    return f"{way} {size}".strip()


def beside(options: Options) -> bool:
    """Whether a group ran beside the one before it: `new_group` begins a group without waiting, `stonewall` waits.

    >>> beside({"new_group": "1"}), beside({"stonewall": "1"}), beside({"new_group": "1", "stonewall": "1"})
    (True, False, False)
    """
    waits = any(options.get(key, "0") != "0" for key in ("stonewall", "wait_for_previous", "wait_for", "startdelay"))
    return options.get("new_group", "0") != "0" and not waits
