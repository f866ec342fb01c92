"""Files that other tools write and no command reads, or that another command reads, each by its own name.

A reader knows its own form only: without this page a Monitor III report would be refused as a DEVICE page without
headings.  A family is recognised by what its tool prints on every page, by nothing that a reading of it would need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from slicewright.values.errors import Problem, problem

HEAD = 1 << 16
"""Bytes in which a family shows itself."""

_DEVICES = "RMF's DIRECT ACCESS DEVICE ACTIVITY (Postprocessor, REPORTS(DEVICE(DASD))), or SMF record 74-1"
_RMF = "RMF DIRECT ACCESS DEVICE ACTIVITY, CPU ACTIVITY, PARTITION DATA REPORT; or SMF records of the same interval"
_TEXT = "the report as text, as its tool wrote it"
_UNPACK = "the file unpacked; gzip is read as it is"
_EBCDIC = "cp037"


@dataclass(frozen=True, slots=True)
class Family:
    """A family of files: its name with its article, what is read in its place, and the command that reads it, if any.

    >>> family_of(b"%PDF-1.7").name
    'a PDF document'
    """

    name: str
    instead: str
    reader: str = ""


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
    text = head.decode(_EBCDIC if head.count(b"\x40") > head.count(b" ") else "latin-1")
    for test, instead, reader in _FAMILIES:
        name = test(text, head)
        if name:
            return Family(name, instead, reader)
    return None


def refused(named: Sequence[tuple[str, bytes]], command: str) -> list[Problem]:
    """A problem for each file of a family that `command` does not read: its name, and what is read in its place.

    >>> [found["what"] for found in refused([("a.pdf", b"%PDF-1.7")], "advise")]
    ['a PDF document']
    """
    problems = []
    for file, data in named:
        family = family_of(data)
        if family is None or family.reader == command:
            continue
        if family.reader:
            problems.append(problem(family.name, file=file, why=f"slicewright {command} does not read it",
                                    remedy=f"slicewright {family.reader} {file}"))  # fmt: skip
        else:
            problems.append(problem(family.name, file=file, why="no command reads it", allowed=family.instead))
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


def _spaced(text: str) -> Iterator[str]:
    """The titles whose letters stand apart, as RMF prints them: "C P U   A C T I V I T Y" is CPU ACTIVITY."""
    for printed in text.splitlines():
        line = re.sub(r"^[01+-](?= {2})", "", printed)  # carriage control, as SYSOUT has it
        words = [word.replace(" ", "") for word in re.split(r" {2,}", line.strip())]
        if len(line.split()) >= 6 and all(re.fullmatch(r"[A-Za-z/&-]", letter) for letter in line.split()):
            yield " ".join(words).upper()


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


_FAMILIES: tuple[tuple[Test, str, str], ...] = (
    (_begins(b"%PDF-", "a PDF document"), _TEXT, ""),
    (_begins(b"PK\x03\x04", "a ZIP archive or an office document"), _TEXT, ""),
    (_begins(b"\xfd7zXZ\x00", "a file packed by xz"), _UNPACK, ""),
    (_begins(b"BZh", "a file packed by bzip2"), _UNPACK, ""),
    (_begins(b"\x28\xb5\x2f\xfd", "a file packed by zstd"), _UNPACK, ""),
    (
        lambda text, head: "a TSO TRANSMIT file (XMIT)" if head[2:8] == "INMR01".encode(_EBCDIC) else None,
        "the data set that RECEIVE writes",
        "",
    ),
    (_matches(r"\A\s{0,99}(?:<!doctype html|<html)\b", "an HTML page"), _TEXT, ""),
    (_matches(r"<(?:ddsml|postprocessor)\b", "an XML document of the RMF Distributed Data Server"),
     _DEVICES, ""),
    (_matches(r"(?:^1|\b)PRODUCED BY (?:CMF|BMC AMI)\b[^(\n]*\([^)\n]*\) {2,}(\S.*?)(?: {2,}|$)", "the CMF report {0}"),
     _DEVICES + "; CMF writes 74-1, too", ""),
    (_matches(r"^.?[ \t]*RMF[ \t]+V[0-9]+R[0-9]+[ \t]+(\S.*?)[ \t]{2,}(?:Line|Page)\b",
              "the RMF Monitor III report {0}"), _DEVICES, ""),
    (_matches(r"^[ \t]*Samples:[ \t]*[0-9]+[ \t]+Systems?:[ \t]*\S+.*\bRange:", "an RMF Monitor III report"),
     _DEVICES, ""),
    (_matches(r"^.?[ \t]*RMF[ \t]+-[ \t]+([A-Z]{2,8}\b.*?)(?:[ \t]{2,}|$)", "the RMF Monitor II report {0}"),
     _DEVICES, ""),
    (_matches(r"\b(?:SUMMARY ACTIVITY REPORT|IFA0[0-9]{2}I)\b", "the listing of IFASMFDP"),
     "the dump that it wrote, moved in binary with its descriptor words", ""),
    (_matches(r"\bIEE174I\b.*\bDISPLAY M\b", "the reply to DISPLAY M"), _DEVICES, ""),
    (_matches(r"\bIEE459I\b.*\bDEVSERV\b", "the reply to DEVSERV"), _DEVICES, ""),
    (_matches(r"^(?:\S{1,16}[ \t]+){0,2}(I(?:EE|OS|SG|EF|XC)[0-9]{3}[A-Z])\s", "a console message of z/OS ({0})"),
     _RMF, ""),
    (_matches(r"^AVGPROC-[0-9]+%", "the reply to INDICATE LOAD"),
     "a DEVICE page (FCX108) of the z/VM Performance Toolkit, or monitor data", ""),
    (_matches(r"^[ \t]*\[\[?[ \t]*(?:volume|guest|cec|measure|partition)[ \t]*\]\]?", "a scenario"), "", "run"),
    (_matches(r"^.?[ \t]*FCX108\b", "a DEVICE page (FCX108) of the z/VM Performance Toolkit"), "", "advise"),
    (_rmf_read, "", "advise"),
    (_rmf_other, _RMF, ""),
    (_toolkit, "a DEVICE page (FCX108), or monitor data", ""),
)  # fmt: skip
"""How a family is recognised, what is read in its place, and the command that reads it; the first that fits counts."""
