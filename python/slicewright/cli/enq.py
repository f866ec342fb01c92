"""`slicewright enq`: how name lists change the scope of a request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slicewright.cli.options import Format, print_json
from slicewright.errors import printed, refusal, visible

if TYPE_CHECKING:
    from slicewright._core import NameLists

app = typer.Typer(name="enq", no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.callback()
def enq() -> None:
    """Serialize by name: ENQ, DEQ and RESERVE, and the lists that decide how far a name reaches.

    \b
    Example:
      slicewright enq explain GRSRNL00.txt --qname SYSDSN --rname A.B --scope system
    """


@app.command("explain", short_help="Explain how name lists change a request.")
def explain(
    files: Annotated[
        list[str],
        typer.Argument(metavar="GRSRNLxx", help="Name lists of a system, or of each system of a complex."),
    ],
    qname: Annotated[str, typer.Option("--qname", metavar="NAME", help="Qname: NAME, 'NAME' or X'hex'.")],
    rname: Annotated[str, typer.Option("--rname", metavar="NAME", help="Rname: NAME, 'NAME' or X'hex'.")],
    scope: Annotated[
        str, typer.Option("--scope", metavar="SCOPE", help="Requested scope: step, system, systems, or reserve.")
    ] = "systems",
    format: Format = "text",
) -> int:
    """Show the lists that are searched for a request, the entry that matches, and the resulting scope.

    Each of several files is a system of one complex. Their lists have to be the same; differences are listed, and the
    exit status is 2.

    \b
    Example:
      slicewright enq explain GRSRNL00.txt --qname SYSDSN --rname A.B --scope system
      slicewright enq explain SYSA.txt SYSB.txt --qname SYSVTOC --rname VOL001 --scope reserve
    """
    from slicewright.serialization.name_lists import Request, differences, explained, read_systems

    systems = read_systems(files)
    request = Request(scope, qname, rname)
    answers = [explained(lists, request) for lists in systems]
    differ = differences(systems)
    if format == "json":
        name = {"qname": qname, "rname": rname, "asked": answers[0]["asked"]}
        print_json({**name, "identical": not differ, "systems": _with_warnings(systems, answers)})
    else:
        print("\n".join(page(request, answers)))
        _warn(systems)
    if differ:
        raise refusal(*differ)
    return 0


def page(request: Any, answers: list[dict[str, Any]]) -> list[str]:
    """The lines of a result: the request, and for each system its searches in their order and the outcome.

    >>> from slicewright.serialization.name_lists import NameLists, Request, explained
    >>> lists = NameLists.read(b"RNLDEF RNL(CON) TYPE(GENERIC) QNAME(SYSVTOC)", "GRSRNL00")
    >>> request = Request("reserve", "SYSVTOC", "VOL001")
    >>> print("\\n".join(page(request, [explained(lists, request)])))
    RESERVE of SYSVTOC VOL001
    <BLANKLINE>
    GRSRNL00
      1. SYSTEMS exclusion list: no entry matches
      2. RESERVE conversion list: line 1: RNLDEF RNL(CON) TYPE(GENERIC) QNAME(SYSVTOC)
      becomes a global ENQ, SCOPE=SYSTEMS: among the tasks of all systems; no hardware reserve of the volume
    """
    asked = answers[0]["asked"]
    what = "RESERVE" if asked == "RESERVE" else f"ENQ, SCOPE={asked},"
    lines = [visible(f"{what} of {request.qname} {request.rname}")]
    for answer in answers:
        lines += ["", visible(answer["file"])]
        for number, search in enumerate(answer["searches"], 1):
            match = "no entry matches" if search["text"] is None else f"line {search['line']}: {search['text']}"
            lines.append(visible(f"  {number}. {search['name']}: {match}"))
        lines += ["  no list is searched"] * (not answer["searches"])
        lines.append(f"  becomes {answer['treatment']}")
    return lines


def _with_warnings(systems: list[NameLists], answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**answer, "warnings": lists.warnings()} for lists, answer in zip(systems, answers, strict=True)]


def _warn(systems: list[NameLists]) -> None:
    sys.stdout.flush()
    for warning in (warning for lists in systems for warning in lists.warnings()):
        print(printed([warning], "warning"), file=sys.stderr)
