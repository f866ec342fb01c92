"""Does a plan take every input that has readings, and refuse others by name with what it needs?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright as sw
from slicewright._core import InputError, Scenario
from slicewright.explore.inputs import scenario_from
from slicewright.explore.plan import plan
from slicewright.measured.export import monwrite, smf
from slicewright.scenario.left_open import LeftOpen
from slicewright.scenario.source import read_scenario

PAGES = Path(__file__).parent.parent.parent / "published" / "hyperpav" / "device-reports"
PAIR = [PAGES / "Y040180P.txt", PAGES / "Y040181P.txt"]
BUY = "alias_pool.*.aliases=+2..12:2 at 5 each"
HOLDS = "max(volumes.*.response_ms) <= 3"


@pytest.mark.usefixtures("simulated_once")
def test_a_pair_of_pages_is_a_scenario_with_its_readings() -> None:
    text = scenario_from(PAIR)
    assert isinstance(text, bytes)
    scenario = read_scenario(text)
    left = LeftOpen.of(scenario)
    assert scenario.name == "Y040180P, Y040181P as read"
    assert {each.value for each in left.open} >= {"guests of 1 volume", "other intervals"}
    loads = left.loads(scenario)
    assert len(loads) == 1 + len(left.readings) > 2
    # Every reading gives the rate of the page with the most aliases, within the margin of a reading.
    short = {"measure.interval": "20 s", "measure.replications": 2}
    rates = [sw.run(load.with_(short)).values("system", "io_per_s")[0] for load in loads.values()]
    assert max(rates) < 1.25 * min(rates)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1                    C P U  A C T I V I T Y\n", "the RMF page CPU ACTIVITY"),
        ("all: build\n\tcargo build\n", "no page of devices"),
        (
            "Bus-ID    Status    Name      Device  Type         BlkSz  Size      Blocks\n",
            "output of a tool of Linux",
        ),
    ],
)
def test_what_has_no_load_is_refused_with_what_is_needed(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "input.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as raised:
        scenario_from(file)
    (wrong,) = raised.value.problems
    assert said in wrong["what"]
    assert "a scenario" in " ".join(wrong["allowed"] if isinstance(wrong["allowed"], list) else [wrong["allowed"]])


def test_a_file_of_another_family_is_refused_under_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text(" PRODUCED BY CMF ANALYZER (6.1.00)     DEVICE ACTIVITY REPORT          PAGE    1\n", "utf-8")
    with pytest.raises(InputError, match="the CMF report DEVICE ACTIVITY REPORT"):
        scenario_from(file)


def test_a_scenario_or_a_day_stands_alone(tmp_path: Path) -> None:
    own = tmp_path / "pool.toml"
    own.write_text(sw.starter("pool"), "utf-8")
    with pytest.raises(InputError, match="a scenario beside other files"):
        scenario_from([own, PAIR[0]])
    (tmp_path / "day").mkdir()
    with pytest.raises(InputError):
        scenario_from([tmp_path / "day", PAIR[0]])
    with pytest.raises(InputError, match="no file"):
        scenario_from([])
    with pytest.raises(InputError, match="changes nothing"):
        scenario_from(own, ["0001=8"])


@pytest.mark.slow
@pytest.mark.parametrize("form", ["monwrite", "smf"])
def test_what_is_recommended_for_a_day_holds_in_truth(tmp_path: Path, form: str) -> None:
    truth = Scenario.read(sw.starter("pool").encode(), "pool")
    day = {"measure.interval": "60 s", "measure.intervals": 8, "measure.sample": "0.2 s", "measure.replications": 1}
    run, file = sw.run(truth.with_(day)), tmp_path / "day"
    file.write_bytes({"monwrite": monwrite, "smf": smf}[form](run))
    found = plan(file, [BUY], HOLDS, growth="*=33%")
    chosen = found.answer.chosen
    assert chosen is not None
    assert chosen.cost > 0
    (level,) = (each.levels[at] for each, at in zip(found.answer.purchases, chosen.setting, strict=True))
    grown = truth.grown_by(dict.fromkeys((guest.name for guest in truth.view.guests), 1.33))
    bought = grown.with_({"alias_pool.*.aliases": int(level.to), "measure.interval": "60 s", "measure.replications": 3})
    assert max(sw.run(bought).volumes["response_ms"].to_list()) <= 3
