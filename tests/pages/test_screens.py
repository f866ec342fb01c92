"""Do the screens of 580/MDF show what a scenario has, and is what they show read under their own names?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright
from slicewright._core import Scenario
from slicewright.run.pages.screens import fields, screens_text

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

TWO_DOMAINS = ROOT / "scenarios/two-domains.toml"


def two_domains(*changes: str) -> Scenario:
    return Scenario.read(TWO_DOMAINS.read_bytes(), "two-domains.toml", list(changes))


def test_there_is_a_screen_per_domain_and_one_of_all() -> None:
    text = screens_text(two_domains())
    assert text.count("CA - CONFIGURATION ATTRIBUTES") == 2
    assert text.count("SS - SET SYSTEM SCHEDULING") == 1
    assert "NUMBER OF LP'S         ===> 2     (IF S)" in text
    assert "SCHEDULING PARAMETER   ==>> 1     (IF P, 1-5)" in text
    assert text.endswith("0         PEMDFI    50   50    50\n1         PEMDFT    50   50    50")


def test_norm_is_the_target_over_all_targets() -> None:
    read = two_domains("partition.PEMDFI.target=45 %", "partition.PEMDFT.target=15 %")
    assert [row["value"] for row in fields(read) if row["field"] == "NORM"] == ["75", "25"]


def test_what_the_screens_show_is_a_scenario_under_their_names() -> None:
    text = TWO_DOMAINS.read_text()
    storage = (
        'STORAGE SIZE" = "64M"\n"ARCHITECTURE MODE" = "XA"\n"STORAGE LOCATION" = "ANY"\n"CONSOLE ADDRESS" = "NONE"'
    )
    full = Scenario.read(text.replace("\nslih", f'\n"{storage}\nslih').encode(), "full.toml")
    start, end = text.index("[[partition]]"), text.index("# Disks of the first domain")
    typed = [f'[cec]\nprocessors = 2\n"SCHEDULING PARAMETER" = {value(full, "", "SCHEDULING PARAMETER")}']
    for name in ("PEMDFI", "PEMDFT"):
        own = [row for row in fields(full) if row["screen"] == "CA" and row["domain"] == name]
        lines = [f'"{row["field"]}" = {quoted(row["field"], row["value"])}' for row in own]
        typed.append("\n".join(["[[partition]]", f'name = "{name}"', 'slih = "0.15 ms"', *lines]))
    again = text[: text.index("[cec]")] + "\n\n".join(typed) + "\n\n" + text[end:]
    assert start > 0
    assert Scenario.read(again.encode(), "again.toml").resolved == full.resolved


def value(read: Scenario, domain: str, field: str) -> str:
    (row,) = [row for row in fields(read) if (row["domain"], row["field"]) == (domain, field)]
    return row["value"]


def quoted(field: str, text: str) -> str:
    return text if "PERCENTAGE" in field or "NUMBER" in field else f'"{text}"'


def test_a_domain_of_its_own_shares_nothing() -> None:
    text = TWO_DOMAINS.read_text().replace("processors = 2\nsched", "processors = 4\nsched")
    read = Scenario.read(text.replace('target = "50 %"\nmaximum = "50 %"', 'mode = "UP"', 1).encode(), "own.toml")
    assert [value(read, "PEMDFI", name) for name in ("TARGET CPU PERCENTAGE", "MAX", "NORM")] == ["", "", ""]
    assert value(read, "PEMDFT", "NORM") == "100"
    assert "Domain 0, PEMDFI, mode UP" in screens_text(read)


def test_a_slice_that_no_parameter_gives_is_reported() -> None:
    text = TWO_DOMAINS.read_text().replace("scheduling_parameter = 1", 'slice = "7 ms"')
    assert "a slice of 7 ms, not of a parameter" in screens_text(Scenario.read(text.encode(), "slice.toml"))


def test_a_scenario_without_domains_has_no_screens(small: Path, slicewright: CommandLine) -> None:
    outcome = slicewright("explain", small, "--screens")
    assert (outcome.status, outcome.out) == (2, "")
    assert "has no [cec]" in outcome.err


def test_the_command_prints_them_as_text_and_as_rows(slicewright: CommandLine) -> None:
    assert "CONFIGURATION ATTRIBUTES" in slicewright("explain", TWO_DOMAINS, "--screens").out
    rows = json.loads(slicewright("explain", TWO_DOMAINS, "--screens", "--format", "json").out)
    assert {row["screen"] for row in rows} == {"CA", "SS"}


@pytest.mark.parametrize("name", ["target_cpu_percentage", '"TARGET CPU PERCENTAGE"'])
def test_a_run_takes_them_in_overrides(name: str) -> None:
    changed = slicewright.run(
        TWO_DOMAINS, replications=1, set=[f"partition.PEMDFI.{name}=40 %", "measure.interval=1 s"]
    )
    assert 'target = "40 %"' in changed.scenario
