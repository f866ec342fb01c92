"""Does `slicewright explain --qname` show what name lists do to a request, and refuse wrong or different lists?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.serialization.name_lists import NameLists, Request, explained, name_list_text, name_lists

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SHIPPED = ROOT / "scenarios/name-lists/GRSRNL00.txt"


def _explain(slicewright: CommandLine, *words: str | Path, rname: str = "A.B", scope: str = "systems") -> list[str]:
    said = slicewright("explain", *words, "--qname", "SYSDSN", "--rname", rname, "--scope", scope)
    assert said.status == 0, said.err
    return said.out.splitlines()


def test_a_request_is_followed_through_the_lists(slicewright: CommandLine) -> None:
    assert _explain(slicewright, SHIPPED, scope="system")[2:] == [
        str(SHIPPED),
        "  1. SYSTEM inclusion list: line 5: RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)",
        "  2. SYSTEMS exclusion list: no entry matches",
        "  becomes a global ENQ, SCOPE=SYSTEMS: among the tasks of all systems; SCOPE=SYSTEM was asked for",
    ]


@pytest.mark.parametrize(
    ("scope", "rname", "becomes"),
    [
        ("step", "A.B", "a local ENQ, SCOPE=STEP: among the tasks of one address space"),
        ("systems", "A.B", "a global ENQ, SCOPE=SYSTEMS: among the tasks of all systems"),
        ("systems", "PASSWORD", "a local ENQ, SCOPE=SYSTEM: among the tasks of one system; SCOPE=SYSTEMS was "
         "asked for"),
        ("reserve", "PASSWORD", "a local ENQ, SCOPE=SYSTEM: among the tasks of one system; and a hardware reserve of "
         "the volume"),
        ("reserve", "A.B", "a global ENQ, SCOPE=SYSTEMS: among the tasks of all systems; and a hardware reserve of the "
         "volume"),
    ],
)  # fmt: skip
def test_what_becomes_of_a_request_is_said(slicewright: CommandLine, scope: str, rname: str, becomes: str) -> None:
    assert _explain(slicewright, SHIPPED, scope=scope, rname=rname)[-1] == f"  becomes {becomes}"


def test_json_has_every_search_with_its_place(slicewright: CommandLine) -> None:
    words = ("--qname", "SYSDSN", "--rname", "PASSWORD", "--scope", "SYSTEM", "--format", "json")
    told = json.loads(slicewright("explain", SHIPPED, SHIPPED, *words).out)
    assert told["identical"]
    assert [(search["list"], search["line"], search["column"]) for search in told["systems"][1]["searches"]] == [
        ("INCL", 5, 1),
        ("EXCL", 8, 1),
    ]


def test_systems_that_differ_are_shown_each_and_then_refused(slicewright: CommandLine, tmp_path: Path) -> None:
    other = tmp_path / "SYSB.txt"
    other.write_text(
        SHIPPED.read_text().replace("(INCL) TYPE(GENERIC)  QNAME(SYSDSN)", "(INCL) TYPE(GENERIC) QNAME(A)")
    )
    said = slicewright("explain", SHIPPED, other, "--qname", "SYSDSN", "--rname", "A.B", "--scope", "system")
    assert said.status == 2
    assert said.out.count("becomes a global") == said.out.count("becomes a local") == 1
    assert f"{SHIPPED}:5:1: {other} has no RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)" in said.err
    assert f"{other}:5:1: {SHIPPED} has no RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(A)" in said.err


def test_all_problems_of_all_files_are_reported_at_once(slicewright: CommandLine, tmp_path: Path) -> None:
    bad = tmp_path / "BAD.txt"
    bad.write_text("RNLDEF RNL(CONV) TYPE(GENERIC) QNAM(A)\n")
    said = slicewright("explain", bad, tmp_path / "NONE.txt", "--qname", "Q", "--rname", "R")
    assert (said.status, said.out) == (2, "")
    assert f"  --> {bad}:1:12\n" in said.err
    assert "error: RNL: " in said.err
    assert "`CONV`" in said.err
    assert f"error: {bad}:1:32: there is no keyword `QNAM`" in said.err
    assert "NONE.txt: there is no such file" in said.err


def test_all_problems_of_a_request_are_reported_at_once(slicewright: CommandLine) -> None:
    said = slicewright("explain", SHIPPED, "--qname", "TOOLONGNAME", "--rname", "X'1'", "--scope", "sistem")
    assert (said.status, said.out) == (2, "")
    assert "`sistem`" in said.err
    assert "did you mean `SYSTEM`" in said.err
    assert "the qname has 11 characters" in said.err
    assert "rname: a name in hex" in said.err


def test_warnings_go_to_standard_error(slicewright: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "GRSRNL01.txt"
    file.write_text(name_list_text([("EXCL", "GENERIC", "A", None), ("CON", "SPECIFIC", "A", "B")]))
    said = slicewright("explain", file, "--qname", "A", "--rname", "B", "--scope", "reserve")
    assert said.status == 0
    assert f"warning: {file}:2:1: RNLDEF RNL(CON) TYPE(SPECIFIC) QNAME(A) RNAME(B) has no effect" in said.err


def test_an_entry_is_changed_and_every_other_byte_stays() -> None:
    lists = name_lists(SHIPPED)
    lists.replace(2, ("EXCL", "SPECIFIC", "SYSDSN", "SYS1.UADS"))
    assert lists.to_bytes() == SHIPPED.read_bytes().replace(b"SYS1.BRODCAST", b"SYS1.UADS")
    with pytest.raises(InputError, match="is given again"):
        lists.replace(2, ("EXCL", "SPECIFIC", "SYSDSN", "PASSWORD"))
    with pytest.raises(IndexError):
        lists.replace(99, ("EXCL", "GENERIC", "A", None))


def test_names_in_hex_and_in_quotes_are_the_same_as_in_the_text() -> None:
    lists = NameLists.read(b"RNLDEF RNL(EXCL) TYPE(SPECIFIC) QNAME(X'18') RNAME('A B')", "GRSRNL01")
    entry = lists.entries()[0]
    assert (entry["qname"], entry["rname"]) == ("X'18'", "A B")
    assert explained(lists, Request("SYSTEMS", "X'18'", "'A B'"))["scope"] == "SYSTEM"
