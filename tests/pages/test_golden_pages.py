"""Did a printed page of a shipped scenario change?"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import slicewright
from slicewright.run.pages.control_programs import BY_INTERVAL, OF_SPINNING, PARKING, log_pages_of, parking_pages_of
from slicewright.run.pages.rmf import cpu_pages_of, direct_access_page_of, partition_page_of
from slicewright.run.pages.run import device_page_of
from slicewright.run.pages.screens import screens_text

from tests.golden.committed import committed
from tests.tidy.tree import ROOT

PAGES = ROOT / "tests/golden/pages"
RMF_PAGES = ROOT / "tests/golden/rmf_pages"
LOGS = ROOT / "tests/golden/logs"
SHIPPED = sorted((ROOT / "scenarios").rglob("*.toml"))
SCENARIOS = [path for path in SHIPPED if "volume" in tomllib.loads(path.read_text("utf-8"))]
"""Those with volumes: a device page of another has no row."""
OF_ANY = [*(page for page in BY_INTERVAL if page not in OF_SPINNING), PARKING]
SHORT = ["measure.interval=2 s", "measure.sample=50 ms", "measure.replications=2"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_the_device_page_is_the_committed_one(scenario: Path) -> None:
    page = device_page_of(slicewright.run(scenario, set=SHORT))
    assert page == committed(PAGES / f"{scenario.stem}.txt", page)


@pytest.mark.parametrize("level", ["current", "classic"])
@pytest.mark.parametrize("name", ["pav", "two-domains"])
def test_the_direct_access_page_is_the_committed_one(name: str, level: str) -> None:
    page = direct_access_page_of(slicewright.run(ROOT / f"scenarios/{name}.toml", set=SHORT), level)
    assert page == committed(RMF_PAGES / f"{name}-{level}.txt", page)


@pytest.mark.parametrize("name", ["cpu", "partition", "sampled", "screens"])
def test_a_page_of_domains_is_the_committed_one(name: str) -> None:
    text = (ROOT / "scenarios/two-domains.toml").read_text().replace("\nslih", '\nrmf = { cycle = "250 ms" }\nslih')
    run = slicewright.run(text, set=[*SHORT, "cec.switch=0.5 ms"])
    page = {
        "cpu": lambda: "\n".join(cpu_pages_of(run).values()),
        "partition": lambda: partition_page_of(run),
        "sampled": lambda: direct_access_page_of(run, "classic"),
        "screens": lambda: screens_text(slicewright.Scenario.read(run.scenario.encode(), "scenario.toml")) + "\n",
    }[name]()
    assert page == committed(RMF_PAGES / f"two-domains-{name}.txt", page)


@pytest.fixture(scope="module")
def zvm() -> slicewright.Run:
    change = '[[change]]\nat = "3 s"\nsrm = { partition = "ZVM", cpupad = "300 %" }\n\n[measure]'
    text = (ROOT / "scenarios/zvm.toml").read_text().replace("[measure]", change)
    return slicewright.run(text, set=[*SHORT, "measure.intervals=2", "measure.warm_up=1 s"])


@pytest.mark.parametrize("name", OF_ANY)
def test_a_log_of_a_control_program_is_the_committed_one(zvm: slicewright.Run, name: str) -> None:
    page = (parking_pages_of(zvm) if name == PARKING else log_pages_of(zvm, name))["ZVM"]
    assert page == committed(LOGS / f"zvm-{name}.txt", page)


@pytest.fixture(scope="module")
def spun() -> slicewright.Run:
    short = ["measure.interval=500 ms", "measure.intervals=2", "measure.warm_up=250 ms", "measure.replications=2"]
    return slicewright.run(ROOT / "scenarios/apache-spin.toml", set=[*short, "virtual_machine.SERVER.yields=x44"])


@pytest.mark.parametrize("name", OF_SPINNING)
def test_a_page_on_guests_that_spin_is_the_committed_one(spun: slicewright.Run, name: str) -> None:
    page = log_pages_of(spun, name)["ZVM"]
    assert page == committed(LOGS / f"apache-spin-{name}.txt", page)


def test_no_page_is_left_over() -> None:
    assert {path.stem for path in PAGES.iterdir()} == {path.stem for path in SCENARIOS}
    assert {path.stem for path in LOGS.iterdir()} == {
        *(f"zvm-{name}" for name in OF_ANY),
        *(f"apache-spin-{name}" for name in OF_SPINNING),
    }
