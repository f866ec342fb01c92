"""Tools of Linux whose output no reader takes: recognised by its first lines, with what answers in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from slicewright.values.errors import Problem, problem

HEAD = 1 << 16
_FIO = "fio with --output-format=json at several depths, or iostat -x -t 10 60"
_IOSTAT = "iostat -x -t 10 60 of the same time: rate, await and queue of each disk"
_BTT = "btt -i FILE of a trace of one device, which prints Q2Q, D2C and Q2C"
_WAITS = "perf sched latency, or copies of /proc/schedstat with `date +'time %s'` before each"
_CALLS = "strace -c -f, or perf trace -s"


@dataclass(frozen=True, slots=True)
class OtherTool:
    """A tool by its name, with why its output answers nothing, and the command whose output does."""

    name: str
    why: str
    instead: str


_CLOCK = rb"(?:[0-9]{2}:[0-9]{2}:[0-9]{2}(?: [AP]M)?|Average:|#? {0,4}Time) +"
_KNOWN: tuple[tuple[bytes, OtherTool], ...] = (
    (rb"^procs -+memory-+", OtherTool("vmstat", "it adds up all disks, and has no times of requests", _IOSTAT)),
    (rb"^disk-? -+reads-+ -+writes-+", OtherTool("vmstat -d", "it has counts since the boot", _IOSTAT)),
    (_CLOCK + rb"(?:LC +)?DEV +tps", OtherTool("sar -d", "only iostat's own columns are read", _IOSTAT)),
    (_CLOCK + rb"(?:UID|UID +PID|UID +TGID) ", OtherTool("pidstat", "it has tasks, but no waits of each", _WAITS)),
    (_CLOCK + rb"CPU +%usr", OtherTool("mpstat", "it has use of processors, but no waits for one", _WAITS)),
    (_CLOCK + rb"(?:CPU +%user|proc/s|cswch/s|pswpin/s|pgpgin/s|tps +rtps|kbmem|runq-sz|IFACE|TTY|%scpu|%smem|%sio)",
     OtherTool("sar", "it has totals of the system", f"{_IOSTAT}; for processors {_WAITS}")),
    (rb'"sysdata-version"', OtherTool("sadf", "it has archives of sar", _IOSTAT)),
    (rb'"cpu-load"\s*:', OtherTool("mpstat -o JSON", "it has use of processors, but no waits for one", _WAITS)),
    (rb"^ *[0-9]+,[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{9} +[0-9]+ +[A-Z]+ +[A-Z]+",
     OtherTool("blkparse", "it has single events of requests", _BTT)),
    (rb"^(?:CPU[0-9]+ \(|Total \()[^\n]*\):\n +Reads Queued:",
     OtherTool("blkparse", "it has totals of requests, without times", _BTT)),
    (rb"^(?:You did not select any stats|-+(?:total-cpu-usage|total-usage|dsk/|procs-|system-|load-avg)\S*)",
     OtherTool("dstat", "it adds up requests, and has no times of these", _IOSTAT)),
    (rb'^"(?:Dstat|pcp-dstat) ', OtherTool("dstat --output", "it adds up requests, without times", _IOSTAT)),
    (rb"^AAA,progname,", OtherTool("nmon", "it has use of disks, but no times of requests", _IOSTAT)),
    (rb"^@\w*(?:\[[^\]\n]*\])?: *\n\[[0-9KMG]+, [0-9KMG]+\)",
     OtherTool("bpftrace", "a histogram has neither the rate of requests nor their queue", _IOSTAT)),
    (rb"^ +(?:usecs|msecs|nsecs) +: count +distribution",
     OtherTool("a histogram of BCC", "it has neither the rate of requests nor their queue", _IOSTAT)),
    (rb"^TIME(?:\(s\))? +COMM +PID +DISK ", OtherTool("biosnoop", "it has single requests", _IOSTAT)),
    (rb"^ *[0-9]+ +[0-9]+ (?:sd|nvme|vd|xvd|hd|dasd|dm-|loop|md|mmcblk|sr|ram|zram|nbd|rbd)[a-z0-9]*(?: [0-9]+){11,}",
     OtherTool("/proc/diskstats", "it has counters since the boot", _IOSTAT)),
    (rb"^NAME +(?:MAJ:MIN|FSTYPE|SIZE|KNAME|TYPE|MODEL|ROTA|LABEL|UUID|MOUNTPOINTS?)\b",
     OtherTool("lsblk", "it lists disks, without their load", _IOSTAT)),
    (rb'^[ \t]*\{\s*"blockdevices"\s*:', OtherTool("lsblk -J", "it lists disks, without their load", _IOSTAT)),
    (rb"^Device +Subchan\. +DevType", OtherTool("lscss", "it lists devices, without their load",
                                               "lsdasd beside the output of dasdstat")),
    (rb"^[0-9a-f.]{4,9}/dasd[a-z]+/[0-9]+:[0-9]+\s*$",
     OtherTool("lsdasd -l", "its long form has no table", "lsdasd, lsdasd -u or lsdasd -c")),
    (rb"^Statistics are (?:off|not activated|disabled)\b", OtherTool(
        "/proc/dasd/statistics without statistics", "the kernel does not count", "dasdstat -e, and dasdstat later")),
    (rb"^[ \t]*extended device statistics|^[ \t]*device +r/i? +w/i? +kr/i|^device +r/s +w/s +kr/s", OtherTool(
        "iostat of another system", "its columns are not those of Linux", "iostat -x of sysstat, or fio")),
    (rb"^System configuration: lcpu=", OtherTool("iostat of AIX", "its columns are not those of Linux", _FIO)),
    (rb"^avg-cpu: +%user(?![\s\S]*Device)", OtherTool("iostat -c", "it has processors alone", _IOSTAT)),
    (rb"^top - [0-9]{2}:", OtherTool("top", "it has use of processors, but no waits for one", _WAITS)),
    (rb"^Total DISK READ", OtherTool("iotop", "it has amounts of data, but no times of requests", _IOSTAT)),
    (rb"^(?:some|full) avg10=[0-9.]+ avg60=", OtherTool(
        "/proc/pressure", "it has shares of time, without counts of waits", _WAITS)),
    (rb"^cpu +[0-9]+ [0-9]+ [0-9]+ [0-9]+[^\n]*\ncpu0 ", OtherTool("/proc/stat", "it has no waits", _WAITS)),
    (rb"^\S[^\n]*: \(g=[0-9]+\): rw=\w+, bs=", OtherTool(
        "fio as text", "its text has rounded numbers and no options", "fio --output-format=json --output=FILE")),
    (rb"^[0-9];fio-[0-9]", OtherTool("fio --minimal", "its terse form has no options of jobs",
                                    "fio --output-format=json --output=FILE")),
    (rb"^ *time +cpu +task name +wait time +sch delay", OtherTool(
        "perf sched timehist", "it has single switches", "perf sched latency of the same recording")),
    (rb"^kind: *SeccompProfile\b", OtherTool("a SeccompProfile in YAML", "profiles are read as JSON",
                                           "kubectl get seccompprofile NAME -o json")),
    (rb"^SystemCallFilter=", OtherTool("a unit of systemd", "its filter is not a list of calls with actions",
                                       "the container's seccomp profile as JSON")),
    (rb"^ Performance counter stats for ", OtherTool("perf stat", "it has counters, but no waits of tasks", _WAITS)),
    (rb"^# +Overhead +", OtherTool("perf report", "it has samples, but no waits and no counts of calls", _CALLS)),
    (rb"^(?:\[pid +[0-9]+\] |[0-9]+ +)?(?:[0-9:.]+ )?[a-z_0-9]+\([^\n]*\) += +-?(?:[0-9]|0x)[^\n]*$", OtherTool(
        "strace without -c", "it has single calls", _CALLS)),
    (rb"^ +[0-9]+\.[0-9]{3} \( *[0-9.]+ ms\): ", OtherTool("perf trace without -s", "it has single calls", _CALLS)),
)  # fmt: skip
_TESTS = tuple((re.compile(form, re.MULTILINE), tool) for form, tool in _KNOWN)
_BINARY = {
    b"\x07\x74\x61\x65": OtherTool("blktrace", "it is the binary trace", _BTT),
    b"\x65\x61\x74\x07": OtherTool("blktrace", "it is the binary trace", _BTT),
    b"PERFILE2": OtherTool("perf record", "it is the binary recording",
                           f"perf sched latency -i FILE > latency.txt; for calls {_CALLS}"),
}  # fmt: skip


def other_tool(data: bytes) -> OtherTool | None:
    """The tool that wrote a file, where it is one whose output no reader takes; None for any other file.

    >>> other_tool(b"procs -----------memory---------- ---swap--").name, other_tool(b"FCX108")
    ('vmstat', None)
    """
    for magic, tool in _BINARY.items():
        if data.startswith(magic):
            return tool
    head = data[:HEAD].replace(b"\r\n", b"\n")
    if b"\0" in head or b"FCX" in head:
        return None
    return next((tool for test, tool in _TESTS if test.search(head)), None)


def refused_tool(data: bytes, file: str) -> list[Problem]:
    """The problem of such a file: its name, and what helps in its place; none for any other file.

    >>> refused_tool(b"AAA,progname,nmon", "a.nmon")[0]["what"]
    'output of nmon'
    """
    tool = other_tool(data)
    if tool is None:
        return []
    return [problem(f"output of {tool.name}", file=file, why=tool.why, remedy=f"use {tool.instead}")]
