"""Resource name lists (`GRSRNLxx`): read from files, and applied to a request, system by system."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from slicewright._core import NameLists, name_list_differences, name_list_text
from slicewright.values.errors import Problem, gathered, refusal
from slicewright.values.files import read_bytes, shown
from slicewright.values.parameters import check, kind_problem, path_problem, text_problem

__all__ = [
    "NameLists", "Request", "differences", "explained", "name_list_text", "name_lists", "read_systems", "treatment",
]  # fmt: skip

_REACH = {
    "STEP": "the tasks of one address space",
    "SYSTEM": "the tasks of one system",
    "SYSTEMS": "the tasks of all systems",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: STEP, SYSTEM, SYSTEMS or RESERVE, and the name: as it is, `'in quotes'` or `X'hex'`.

    >>> Request("RESERVE", "SYSVTOC", "VOL001").rname
    'VOL001'
    """

    asked: str
    qname: str
    rname: str


def name_lists(file: str | os.PathLike[str]) -> NameLists:
    """The name lists of a `GRSRNLxx` file; `-` is standard input.

    Raises InputError with every problem, each with its line and column.

    >>> import tempfile, os
    >>> from slicewright.values.files import write_whole
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "GRSRNL00.txt")
    ...     write_whole(path, name_list_text([("INCL", "GENERIC", "SYSDSN", None)]).encode())
    ...     name_lists(path).entries()[0]["text"]
    'RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)'
    """
    check(path_problem("file", file))
    return NameLists.read(read_bytes(file), shown(file))


def read_systems(files: Sequence[str | os.PathLike[str]]) -> list[NameLists]:
    """The name lists of the systems of a complex, a file each; raises InputError with the problems of all files.

    >>> read_systems(["no/such/file"])
    Traceback (most recent call last):
    _core.InputError: no/such/file: there is no such file
    """
    problems: list[Problem] = []
    systems: list[NameLists] = []
    if isinstance(files, str | os.PathLike) or not isinstance(files, Iterable):
        check(kind_problem("files", files, (), "a list of paths"))
    for file in files:
        systems += gathered(problems, lambda file=file: name_lists(file))  # type: ignore[misc]
    if problems:
        raise refusal(*problems)
    return systems


def differences(systems: Sequence[NameLists]) -> list[Problem]:
    """How the lists of each system differ from those of the first: what, and where; empty when all are the same.

    They must be: the same entries in the same order (MVS Initialization and Tuning Reference, GRSRNLxx, RNL).

    >>> one = NameLists.read(b"RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)", "SYSA")
    >>> other = NameLists.read(b"RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SPFEDIT)", "SYSB")
    >>> [(one["file"], one["line"], one["what"]) for one in differences([one, other])][0]
    ('SYSA', 1, 'SYSB has no RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)')
    """
    wrong = (kind_problem("systems", lists, NameLists, "name lists that were read") for lists in systems)
    check(*wrong)
    return name_list_differences(list(systems))


def explained(lists: NameLists, request: Request) -> dict[str, Any]:
    """The treatment of a request by the lists of a system, for printing as JSON.

    file, asked, scope, hardware_reserve, treatment (in words), and searches, one for each list in the order in which
    they are searched: list, name, and of the entry that matches line, column and text (None where none does).
    Source: MVS Planning: Global Resource Serialization, RNL processing sequence.  Raises InputError.

    >>> lists = NameLists.read(b"RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)", "GRSRNL00")
    >>> told = explained(lists, Request("SYSTEM", "SYSDSN", "A.B"))
    >>> [(one["list"], one["line"]) for one in told["searches"]], told["scope"]
    ([('INCL', 1), ('EXCL', None)], 'SYSTEMS')
    """
    check(
        kind_problem("lists", lists, NameLists, "name lists that were read"),
        kind_problem("request", request, Request, "a Request"),
    )
    check(*(text_problem(field.name, getattr(request, field.name), "a text") for field in fields(Request)))
    settled = lists.settle(request.asked, request.qname, request.rname)
    entries = lists.entries()
    searches = []
    for search in settled["searches"]:
        number = search["entry"]
        found = {} if number is None else entries[number]
        place = {key: found.get(key) for key in ("line", "column", "text")}
        searches.append({"list": search["list"], "name": search["name"], **place})
    told = {key: settled[key] for key in ("asked", "scope", "hardware_reserve")}
    return {"file": lists.file, **told, "treatment": treatment(settled), "searches": searches}


def treatment(settled: dict[str, Any]) -> str:
    """The treatment of a request in words, from its asked, scope and hardware_reserve.

    >>> treatment({"asked": "SYSTEMS", "scope": "SYSTEM", "hardware_reserve": False})
    'a local ENQ, SCOPE=SYSTEM: among the tasks of one system; SCOPE=SYSTEMS was asked for'
    >>> treatment({"asked": "RESERVE", "scope": "SYSTEMS", "hardware_reserve": False})
    'a global ENQ, SCOPE=SYSTEMS: among the tasks of all systems; no hardware reserve of the volume'
    """
    asked, scope = settled["asked"], settled["scope"]
    said = f"a {'global' if scope == 'SYSTEMS' else 'local'} ENQ, SCOPE={scope}: among {_REACH[scope]}"
    if asked == "RESERVE":
        return f"{said}; {'and a' if settled['hardware_reserve'] else 'no'} hardware reserve of the volume"
    return said if asked == scope else f"{said}; SCOPE={asked} was asked for"
