"""DASDs of Linux on Z as `lsdasd` of s390-tools lists them: volumes, and the aliases that they share.

Format: zconf/lsdasd of s390-tools 2.43, newoutput, uid and oldoutput (-c); the extended form (-l) is not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from slicewright.measured.linux.text import decoded
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check

ALLOWED = "the output of lsdasd, lsdasd -u or lsdasd -c"
_HEAD = re.compile(rb"^Bus-ID    (?:Status    )?Name  ", re.MULTILINE)
_OLD = re.compile(rb"^[0-9a-f.]{4,9}\((?:ECKD|FBA|DIAG) *\)\S* (?:at \(|: (?:alias|offline)$)", re.MULTILINE)
_BUS_ID = r"(?P<bus>(?:[0-9a-f]{1,2}\.[0-9a-f]\.)?[0-9a-f]{4})"
_NEW_ROW = re.compile(
    rf"{_BUS_ID} +(?:(?P<status>active|n/f|offline|alias)(?:\(ro\))?)(?: +(?P<name>dasd[a-z]+) .*| .*|)"
)
_UID_ROW = re.compile(rf"{_BUS_ID} +(?:(?P<name>dasd[a-z]+)|(?P<status>alias|offline|active|n/f))?(?: .*|)")
_OLD_ROW = re.compile(
    rf"{_BUS_ID}\([^)]*\)\S* (?:: (?P<status>alias|offline)|at \([^)]*\) is (?P<name>dasd[a-z]+) *(?:\(ro\))? *: .*)"
)


@dataclass(frozen=True, slots=True)
class Dasds:
    """The devices of a listing that are online: volumes by name with their bus ID, and aliases."""

    file: str
    volumes: dict[str, str]
    aliases: tuple[str, ...]


def is_lsdasd(head: bytes) -> bool:
    """Whether a file is a listing of DASDs.

    >>> is_lsdasd(b"Bus-ID    Status    Name      Device  Type"), is_lsdasd(b"Device  tps")
    (True, False)
    """
    return _HEAD.search(head) is not None or _OLD.search(head) is not None


def read_lsdasd(data: bytes, file: str) -> Dasds:
    """The devices of a listing; raises InputError with every line that is none.

    >>> text = b"0.0.18fe(ECKD) : alias\\n0.0.1800(ECKD) at ( 94:  0) is dasda      : active at blocksize 4096\\n"
    >>> read_lsdasd(text, "a.txt").aliases
    ('0.0.18fe',)
    """
    problems: list[Problem] = []
    row = _NEW_ROW if b"Status" in data[:200] else _UID_ROW if _HEAD.search(data) else _OLD_ROW
    volumes: dict[str, str] = {}
    aliases: list[str] = []
    for at, line in enumerate(decoded(data, file, ALLOWED).splitlines(), 1):
        text = line.strip()
        if not text or text.startswith(("Bus-ID", "====")):
            continue
        match = row.fullmatch(text)
        if match is None:
            problems.append(problem(f"no device: {text[:40]}", file=file, line=at, allowed=ALLOWED))
        elif match["status"] == "alias":
            aliases.append(match["bus"])
        elif match["name"]:
            volumes[match["name"]] = match["bus"]
    check(*problems)
    if not volumes:
        raise refusal(problem("no volume is online", file=file, allowed=ALLOWED))
    return Dasds(file, volumes, tuple(aliases))
