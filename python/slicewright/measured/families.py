"""Files that other tools write and no command reads, or that another command reads, each by its own name.

A reader knows its own form only: without this table a Monitor III report would be refused as a DEVICE page without
headings.  A family is recognised by what its tool prints on every page, by nothing that a reading of it would need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from slicewright.values.errors import Problem, problem

HEAD = 1 << 16
"""Bytes in which a family shows itself."""

_DEVICES = "RMF's DIRECT ACCESS DEVICE ACTIVITY (Postprocessor, REPORTS(DEVICE(DASD))), or SMF record 74-1"
_RMF = "RMF DIRECT ACCESS DEVICE ACTIVITY, CPU ACTIVITY, PARTITION DATA REPORT; or SMF records of the same interval"
_TEXT = "the report as text, as its tool wrote it"
_UNPACK = "the file unpacked; gzip is read as it is"
_EBCDIC = "cp037"
_FIO = "fio with --output-format=json at several depths, or iostat -x -t 10 60"
_IOSTAT = "iostat -x -t 10 60 of the same time: rate, await and queue of each disk"
_BTT = "btt -i FILE of a trace of one device, which prints Q2Q, D2C and Q2C"
_WAITS = "perf sched latency, or copies of /proc/schedstat with `date +'time %s'` before each"
_CALLS = "strace -c -f, or perf trace -s"
_CLOCK = r"(?:[0-9]{2}:[0-9]{2}:[0-9]{2}(?: [AP]M)?|Average:|#? {0,4}Time) +"


@dataclass(frozen=True, slots=True)
class Family:
    """A family of files: its name with its article, why it is not read, what is, and the commands that read it.

    >>> family_of(b"%PDF-1.7").name
    'a PDF document'
    """

    name: str = ""
    why: str = "no command reads it"
    allowed: str = ""
    remedy: str = ""
    readers: tuple[str, ...] = ()


Test = Callable[[str, bytes], str | None]
"""From the text and the bytes of a head to the name of the family, or None."""


def family_of(data: bytes) -> Family | None:
    """The family of a file that is neither a scenario nor monitor data; None where no sign is known.

    >>> page = b"                RMF V2R4  Device Resource Delays        Line 1 of 374"
    >>> family_of(page).name
    'the RMF Monitor III report Device Resource Delays'
    >>> family_of(b"Addr Type Label/ID") is None
    True
    """
    head = data[:HEAD]
    text = _text(head)
    found = ((test(text, head), family) for test, family in _FAMILIES)
    return next((replace(family, name=name) for name, family in found if name), None)


def refused(named: Sequence[tuple[str, bytes]], command: str) -> list[Problem]:
    """A problem for each file of a family that `command` does not read: its name, and what is read in its place.

    >>> [found["what"] for found in refused([("a.pdf", b"%PDF-1.7")], "advise")]
    ['a PDF document']
    """
    problems = []
    for file, data in named:
        family = family_of(data)
        if family is None or command in family.readers:
            continue
        why, remedy = family.why, family.remedy
        if family.readers and not family.allowed:
            why, remedy = f"slicewright {command} does not read it", f"slicewright {family.readers[0]} {file}"
        problems.append(problem(family.name, file=file, why=why, allowed=family.allowed, remedy=remedy))
    return problems


def _begins(magic: bytes, name: str) -> Test:
    return lambda text, head: name if head.startswith(magic) else None


def _matches(pattern: str, name: str) -> Test:
    """A name, in which groups of the pattern stand by number."""
    sought = re.compile(pattern, re.MULTILINE | re.IGNORECASE)

    def test(text: str, head: bytes) -> str | None:
        found = sought.search(text)
        return name.format(*(" ".join((group or "").split()) for group in found.groups())).strip() if found else None

    return test


def titles(data: bytes) -> list[str]:
    """The titles whose letters stand apart, as RMF prints them: "C P U   A C T I V I T Y" is CPU ACTIVITY."""
    return list(_spaced(_text(data)))


def _text(data: bytes) -> str:
    blanks = data.count(b"\x40") > data.count(b" ") and not data.isascii()  # an at sign of ASCII is a blank of EBCDIC
    return data.decode(_EBCDIC if blanks else "latin-1").replace("\r\n", "\n")


def _spaced(text: str) -> Iterator[str]:
    for printed in text.splitlines():
        line = re.sub(r"^[01+-](?= {2})", "", printed)  # carriage control, as SYSOUT has it
        letters = line.split()
        apart = re.sub(r"(?i)\bI/O\b", "I / O", line)  # which may stand as one word among them
        if len(letters) >= 6 and all(re.fullmatch(r"[A-Za-z/&-]", letter) for letter in apart.split()):
            yield " ".join(word.replace(" ", "") for word in re.split(r" {2,}", apart.strip())).upper()


def _rmf_read(text: str, head: bytes) -> str | None:
    from slicewright.measured.rmf_pages import kinds

    found = kinds(head)
    return f"the RMF page {found[0].value}" if found and b"FCX108" not in head else None


def _rmf_other(text: str, head: bytes) -> str | None:
    title = next(_spaced(text), None)
    return f"the RMF page {title}" if title else None


def _toolkit(text: str, head: bytes) -> str | None:
    """A page of the Performance Toolkit other than DEVICE; a log in which DEVICE pages stand as well is none."""
    codes = re.findall(r"^.?[ \t]*(FCX[0-9]{3})\b", text, re.MULTILINE)
    return f"the z/VM Performance Toolkit page {codes[0]}" if codes and "FCX108" not in codes else None


def _tool(pattern: str, name: str, why: str, instead: str) -> tuple[Test, Family]:
    """A tool of Linux, whose lines are known by their case, too; a page of the Toolkit is none of it."""
    sought = re.compile(pattern, re.MULTILINE)

    def test(text: str, head: bytes) -> str | None:
        return f"output of {name}" if "\0" not in text and "FCX" not in text and sought.search(text) else None

    return test, Family(why=why, remedy=f"use {instead}")


def _binary(magic: bytes, name: str, why: str, instead: str) -> tuple[Test, Family]:
    return _begins(magic, f"output of {name}"), Family(why=why, remedy=f"use {instead}")


_TOOLS: tuple[tuple[str, str, str, str], ...] = (
    (r"^procs -+memory-+", "vmstat", "it adds up all disks, and has no times of requests", _IOSTAT),
    (r"^disk-? -+reads-+ -+writes-+", "vmstat -d", "it has counts since the boot", _IOSTAT),
    (_CLOCK + r"(?:LC +)?DEV +tps", "sar -d", "only iostat's own columns are read", _IOSTAT),
    (_CLOCK + r"(?:UID|UID +PID|UID +TGID) ", "pidstat", "it has tasks, but no waits of each", _WAITS),
    (_CLOCK + r"CPU +%usr", "mpstat", "it has use of processors, but no waits for one", _WAITS),
    (_CLOCK + r"(?:CPU +%user|proc/s|cswch/s|pswpin/s|pgpgin/s|tps +rtps|kbmem|runq-sz|IFACE|TTY|%scpu|%smem|%sio)",
     "sar", "it has totals of the system", f"{_IOSTAT}; for processors {_WAITS}"),
    (r'"sysdata-version"', "sadf", "it has archives of sar", _IOSTAT),
    (r'"cpu-load"\s*:', "mpstat -o JSON", "it has use of processors, but no waits for one", _WAITS),
    (r"^ *[0-9]+,[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{9} +[0-9]+ +[A-Z]+ +[A-Z]+",
     "blkparse", "it has single events of requests", _BTT),
    (r"^(?:CPU[0-9]+ \(|Total \()[^\n]*\):\n +Reads Queued:",
     "blkparse", "it has totals of requests, without times", _BTT),
    (r"^(?:You did not select any stats|-+(?:total-cpu-usage|total-usage|dsk/|procs-|system-|load-avg)\S*)",
     "dstat", "it adds up requests, and has no times of these", _IOSTAT),
    (r'^"(?:Dstat|pcp-dstat) ', "dstat --output", "it adds up requests, without times", _IOSTAT),
    (r"^AAA,progname,", "nmon", "it has use of disks, but no times of requests", _IOSTAT),
    (r"^@\w*(?:\[[^\]\n]*\])?: *\n\[[0-9KMG]+, [0-9KMG]+\)",
     "bpftrace", "a histogram has neither the rate of requests nor their queue", _IOSTAT),
    (r"^ +(?:usecs|msecs|nsecs) +: count +distribution",
     "a histogram of BCC", "it has neither the rate of requests nor their queue", _IOSTAT),
    (r"^TIME(?:\(s\))? +COMM +PID +DISK ", "biosnoop", "it has single requests", _IOSTAT),
    (r"^ *[0-9]+ +[0-9]+ (?:sd|nvme|vd|xvd|hd|dasd|dm-|loop|md|mmcblk|sr|ram|zram|nbd|rbd)[a-z0-9]*(?: [0-9]+){11,}",
     "/proc/diskstats", "it has counters since the boot", _IOSTAT),
    (r"^NAME +(?:MAJ:MIN|FSTYPE|SIZE|KNAME|TYPE|MODEL|ROTA|LABEL|UUID|MOUNTPOINTS?)\b",
     "lsblk", "it lists disks, without their load", _IOSTAT),
    (r'^[ \t]*\{\s*"blockdevices"\s*:', "lsblk -J", "it lists disks, without their load", _IOSTAT),
    (r"^Device +Subchan\. +DevType", "lscss", "it lists devices, without their load",
     "lsdasd beside the output of dasdstat"),
    (r"^[0-9a-f.]{4,9}/dasd[a-z]+/[0-9]+:[0-9]+\s*$",
     "lsdasd -l", "its long form has no table", "lsdasd, lsdasd -u or lsdasd -c"),
    (r"^Statistics are (?:off|not activated|disabled)\b",
     "/proc/dasd/statistics without statistics", "the kernel does not count", "dasdstat -e, and dasdstat later"),
    (r"^[ \t]*extended device statistics|^[ \t]*device +r/i? +w/i? +kr/i|^device +r/s +w/s +kr/s",
     "iostat of another system", "its columns are not those of Linux", "iostat -x of sysstat, or fio"),
    (r"^System configuration: lcpu=", "iostat of AIX", "its columns are not those of Linux", _FIO),
    (r"^avg-cpu: +%user(?![\s\S]*Device)", "iostat -c", "it has processors alone", _IOSTAT),
    (r"^top - [0-9]{2}:", "top", "it has use of processors, but no waits for one", _WAITS),
    (r"^Total DISK READ", "iotop", "it has amounts of data, but no times of requests", _IOSTAT),
    (r"^(?:some|full) avg10=[0-9.]+ avg60=",
     "/proc/pressure", "it has shares of time, without counts of waits", _WAITS),
    (r"^cpu +[0-9]+ [0-9]+ [0-9]+ [0-9]+[^\n]*\ncpu0 ", "/proc/stat", "it has no waits", _WAITS),
    (r"^\S[^\n]*: \(g=[0-9]+\): rw=\w+, bs=",
     "fio as text", "its text has rounded numbers and no options", "fio --output-format=json --output=FILE"),
    (r"^[0-9];fio-[0-9]", "fio --minimal", "its terse form has no options of jobs",
     "fio --output-format=json --output=FILE"),
    (r"^ *time +cpu +task name +wait time +sch delay",
     "perf sched timehist", "it has single switches", "perf sched latency of the same recording"),
    (r"^kind: *SeccompProfile\b", "a SeccompProfile in YAML", "profiles are read as JSON",
     "kubectl get seccompprofile NAME -o json"),
    (r"^SystemCallFilter=", "a unit of systemd", "its filter is not a list of calls with actions",
     "the container's seccomp profile as JSON"),
    (r"^ Performance counter stats for ", "perf stat", "it has counters, but no waits of tasks", _WAITS),
    (r"^# +Overhead +", "perf report", "it has samples, but no waits and no counts of calls", _CALLS),
    (r"^(?:\[pid +[0-9]+\] |[0-9]+ +)?(?:[0-9:.]+ )?[a-z_0-9]+\([^\n]*\) += +-?(?:[0-9]|0x)[^\n]*$",
     "strace without -c", "it has single calls", _CALLS),
    (r"^ +[0-9]+\.[0-9]{3} \( *[0-9.]+ ms\): ", "perf trace without -s", "it has single calls", _CALLS),
)  # fmt: skip
"""Tools of Linux: their lines, their name, why their output answers nothing, and the command whose output does."""
_RECORDINGS = (
    (b"\x07\x74\x61\x65", "blktrace", "it is the binary trace", _BTT),
    (b"\x65\x61\x74\x07", "blktrace", "it is the binary trace", _BTT),
    (b"PERFILE2", "perf record", "it is the binary recording",
     f"perf sched latency -i FILE > latency.txt; for calls {_CALLS}"),
)  # fmt: skip
_PARTITIONS = "monitor records 0/15, 0/16 and 0/17; MONWRITE has them"
_TOOLKIT = (
    ("FCX126", "LPAR", "the load of partitions and their weights", _PARTITIONS),
    ("FCX144", "PROCLOG", "the use of each processor over time", "monitor records 0/2 and 5/12; MONWRITE has them"),
    ("FCX161", "LCHANNEL", "how busy channels are", "--assume channel_busy=N% beside a DEVICE page (FCX108)"),
    ("FCX287", "TOPOLOG", "the topology of processors over time", "monitor data, as MONWRITE wrote it"),
    ("FCX302", "PHYSLOG", "the use of physical processors by type over time", _PARTITIONS),
    ("FCX304", "PRCLOG", "the use of each processor over time", "monitor records 0/2 and 5/12; MONWRITE has them"),
    ("FCX306", "LSHARACT", "the entitlement of partitions and its use", _PARTITIONS),
)
"""Pages of the Toolkit whose columns are not published: code, name, what they show, and what is read in their place."""
_FAMILIES: tuple[tuple[Test, Family], ...] = (
    (_begins(b"%PDF-", "a PDF document"), Family(allowed=_TEXT)),
    (_begins(b"PK\x03\x04", "a ZIP archive or an office document"), Family(allowed=_TEXT)),
    (_begins(b"\xfd7zXZ\x00", "a file packed by xz"), Family(allowed=_UNPACK)),
    (_begins(b"BZh", "a file packed by bzip2"), Family(allowed=_UNPACK)),
    (_begins(b"\x28\xb5\x2f\xfd", "a file packed by zstd"), Family(allowed=_UNPACK)),
    (
        lambda text, head: "a TSO TRANSMIT file (XMIT)" if head[2:8] == "INMR01".encode(_EBCDIC) else None,
     Family(allowed="the data set that RECEIVE writes")),
    (_matches(r"\A\s{0,99}(?:<!doctype html|<html)\b", "an HTML page"), Family(allowed=_TEXT)),
    (_matches(r"<(?:ddsml|postprocessor)\b", "an XML document of the RMF Distributed Data Server"),
     Family(allowed=_DEVICES)),
    (_matches(r"(?:^1|\b)PRODUCED BY (?:CMF|BMC AMI)\b[^(\n]*\([^)\n]*\) {2,}(\S.*?)(?: {2,}|$)", "the CMF report {0}"),
     Family(allowed=_DEVICES + "; CMF writes 74-1, too")),
    (_matches(r"^BMC SOFTWARE, INC\.[^\n]*\bREPORT DATE:", "a CMF report"),
     Family(allowed=_DEVICES + "; CMF writes 74-1, too")),
    (_matches(r"^(?=[^\n]{0,300}\bVelocity Software\b)[^\n]{0,200}?\b(ESA[A-Z][A-Z0-9]{1,5})\b",
              "the report {0} of Velocity Software"),
     Family(allowed="a DEVICE page (FCX108), or the monitor data themselves: files of MONWRITE or ZWRITE")),
    (_matches(r"\bRMF +V[0-9]+R[0-9]+ +Device Resource Delays\b", "the RMF Monitor III report Device Resource Delays"),
     Family(why="it has no queue and no times of an I/O", allowed=_DEVICES, readers=("read",))),
    (_matches(r"^.?[ \t]*RMF[ \t]+V[0-9]+R[0-9]+[ \t]+(\S.*?)[ \t]{2,}(?:Line|Page)\b",
              "the RMF Monitor III report {0}"), Family(allowed=_DEVICES)),
    (_matches(r"^[ \t]*Samples:[ \t]*[0-9]+[ \t]+Systems?:[ \t]*\S+.*\bRange:", "an RMF Monitor III report"),
     Family(allowed=_DEVICES)),
    (_matches(r"^.?[ \t]*RMF[ \t]+-[ \t]+([A-Z]{2,8}\b.*?)(?:[ \t]{2,}|$)", "the RMF Monitor II report {0}"),
     Family(allowed=_DEVICES)),
    (_matches(r"\b(?:SUMMARY ACTIVITY REPORT|IFA0[0-9]{2}I)\b", "the listing of IFASMFDP"),
     Family(allowed="the dump that it wrote, moved in binary with its descriptor words")),
    (_matches(r"^.?SMF Data for system \S+ covering ", "statistics of SMF_CORE"),
     Family(why="it has numbers and lengths of records", allowed="the dump of which it was made")),
    (_matches(r"^.?DATE +TIME +SYS +JOBNAME +ASID +TCB +PSW ", "the listing of GRS87RPT"),
     Family(allowed="SMF record 87-2, of which it was made")),
    (_matches(r"^.?[ \t]*CHPIDs to Device [0-9A-F]{4,5} +\(PIM\)", "the reply to QUERY PATHS"),
     Family(why="it has no load", allowed="a DEVICE page (FCX108), which has the number of paths, or monitor data")),
    (_matches(r"\bIEE174I\b.*\bDISPLAY M\b", "the reply to DISPLAY M"), Family(readers=("advise",))),
    (_matches(r"\bIEE459I\b.*\bDEVSERV\b", "the reply to DEVSERV"), Family(readers=("advise",))),
    (_matches(r"^(?:\S{1,16}[ \t]+){0,2}(I(?:EE|OS|SG|EF|XC)[0-9]{3}[A-Z])\s", "a console message of z/OS ({0})"),
     Family(allowed=_RMF)),
    (_matches(r"^AVGPROC-[0-9]+%", "the reply to INDICATE LOAD"),
     Family(allowed="a DEVICE page (FCX108) of the z/VM Performance Toolkit, or monitor data")),
    (_matches(r"^[ \t]*\[\[?[ \t]*(?:volume|guest|cec|measure|partition)[ \t]*\]\]?", "a scenario"),
     Family(readers=("run",))),
    (_matches(r"^.?[ \t]*FCX108\b", "a DEVICE page (FCX108) of the z/VM Performance Toolkit"),
     Family(readers=("advise",))),
    (_rmf_read, Family(readers=("advise", "read"))),
    (_rmf_other, Family(allowed=_RMF)),
    (_matches(r"^.?[ \t]*FCX102\b", "the z/VM Performance Toolkit page FCX102"), Family(readers=("advise", "read"))),
    *((_matches(rf"^.?[ \t]*{code}\b", f"the z/VM Performance Toolkit page {code} {name}"),
       Family(why=f"it has {shows}, and no public layout of it is known", allowed=instead))
      for code, name, shows, instead in _TOOLKIT),
    (_toolkit, Family(allowed="a DEVICE page (FCX108), or monitor data")),
    *(_binary(*row) for row in _RECORDINGS),
    *(_tool(*row) for row in _TOOLS),
)  # fmt: skip
"""How a family is recognised, and how it is refused; the first that fits counts."""
