"""Does a fit find the load of a known system, predict what it was not shown, and say so where it does not predict?"""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import slicewright as sw
from slicewright._core import Scenario
from slicewright.fitting.evidence import Split, periods
from slicewright.fitting.fit import MARK, Fit
from slicewright.measured.export import monwrite, smf
from slicewright.measured.measured import Measured

from tests.conftest import CommandLine
from tests.fitting.fit_example import SCENARIO, joined

THINK_MS = 3.0
LEVELS = (4, 5)
SHOWN = "0,2,3,5"
"""Of three intervals of each level; 1 and 4 are held out."""


def _part(guests: int, intervals: int, connect: str = "0.7 ms") -> Scenario:
    keys = {
        "guest.USERS.count": guests, "measure.intervals": intervals, "measure.interval": "30 s",
        "volume.VOL001.service.connect.exponential": connect,
    }  # fmt: skip
    return Scenario.read(SCENARIO, "known").with_(keys)


@functools.cache
def _day() -> Measured:
    return joined(*(_part(guests, 3) for guests in LEVELS), seed=11)


@functools.cache
def _fit() -> Fit:
    return sw.fit(_day(), shown=SHOWN)


@functools.cache
def _slow_for_once() -> Measured:
    """A day whose second interval has twice the connect time."""
    return joined(_part(4, 1), _part(4, 1, "1.4 ms"), _part(4, 3), seed=11)


@pytest.fixture
def day(tmp_path: Path) -> Path:
    _day().save(tmp_path / "day")
    return tmp_path / "day"


def test_known_guests_and_think_times_lie_in_the_stated_ranges() -> None:
    for left, guests in zip(_fit().left_open.ranges, LEVELS, strict=True):
        assert left.known
        assert left.least <= guests
        assert left.most is None or guests <= left.most
        assert left.think_low_ms <= THINK_MS <= left.think_high_ms


def test_known_service_lies_in_the_stated_range() -> None:
    (found,) = _fit().services
    assert abs(found.connect_ms[0] - 0.7) <= found.connect_half_width[0]
    assert (found.pend_ms[0], found.disc_ms[0]) == (pytest.approx(0.2, abs=1e-3), pytest.approx(0.1, abs=1e-3))


def test_held_out_intervals_are_predicted() -> None:
    assert _fit().predicts
    assert list(_fit().outcome.held_out) == [1, 4]
    assert str(_fit()).lstrip().startswith("The fit predicts ")


def test_only_held_out_values_are_predictions() -> None:
    assert {cell.ruling.role for cell in _fit().outcome.cells} == {"predicted"}
    assert {cell.ruling.role for cell in _fit().outcome.fitted} == {"calibrated"}
    assert _fit().outcome.tally.scored == len(_fit().outcome.cells)


def test_held_out_values_change_no_estimate() -> None:
    import polars as pl

    held_out = pl.col("interval").is_in([1, 4])
    columns = ("io_per_s", "conn_ms", "response_ms")
    changed = [pl.when(held_out).then(pl.col(name) * 1.7).otherwise(pl.col(name)).alias(name) for name in columns]
    raw = {**_day().raw, "volumes": _day().raw["volumes"].with_columns(changed)}
    other = sw.fit(replace(_day(), raw=raw), shown=SHOWN)
    assert other.left_open.model == _fit().left_open.model
    assert not other.predicts


def test_a_fit_that_does_not_predict_says_so(slicewright: CommandLine, tmp_path: Path) -> None:
    _slow_for_once().save(tmp_path / "day")
    said = slicewright("fit", tmp_path / "day", "--out", tmp_path / "fit.toml")
    assert said.status == 1
    assert said.out.lstrip().startswith("The fit does not predict: ")
    assert "interval not predicted: 1 (" in said.out.splitlines()[0]
    assert "DOES NOT predict" in (tmp_path / "fit.toml").read_text()


def test_the_written_scenario_runs_and_gives_the_measured_rates(
    slicewright: CommandLine, day: Path, tmp_path: Path
) -> None:
    said = slicewright("fit", day, "--shown", SHOWN, "--out", tmp_path / "fit.toml")
    assert (said.status, said.err) == (0, "")
    run = sw.run(tmp_path / "fit.toml")
    shown = _day().raw["volumes"]["io_per_s"].to_list()
    assert run.volumes["io_per_s"].to_list() == pytest.approx([shown[0], shown[3]], rel=0.08)
    assert slicewright("explain", tmp_path / "fit.toml").status == 0


def test_the_same_data_give_the_same_scenario() -> None:
    assert sw.fit(_day(), shown=SHOWN).text == _fit().text


def test_an_earlier_fit_is_replaced_and_nothing_else(slicewright: CommandLine, day: Path, tmp_path: Path) -> None:
    ours, other = tmp_path / "ours.toml", tmp_path / "other.toml"
    ours.write_bytes(MARK + b"of yesterday\n")
    other.write_text("name = 'my own'\n")
    assert slicewright("fit", day, "--shown", SHOWN, "--out", ours).status == 0
    assert "[[guest]]" in ours.read_text()
    said = slicewright("fit", day, "--out", other)
    assert (said.status, said.out) == (2, "")
    assert "holds something else" in said.err
    assert other.read_text() == "name = 'my own'\n"


def test_json_has_a_verdict_per_value_and_the_scenario(slicewright: CommandLine, day: Path, tmp_path: Path) -> None:
    said = slicewright("fit", day, "--shown", SHOWN, "--format", "json", "--html", tmp_path / "fit.html")
    found = json.loads(said.out)
    tables = {section["title"]: section["blocks"] for section in found["sections"]}
    values = tables["Held-out values"][0]["rows"]
    assert {value["verdict"] for value in values} <= {"matches", "misses"}
    assert found["facts"]["predicts"] == "yes"
    assert tables["Scenario"][0]["text"].startswith(MARK.decode())
    page = (tmp_path / "fit.html").read_text()
    assert "The fit predicts" in page
    assert 'src="http' not in page


def test_strict_finds_a_single_miss(slicewright: CommandLine, day: Path) -> None:
    said = slicewright("fit", day, "--shown", SHOWN, "--strict")
    assert said.status == int(_fit().outcome.tally.misses > 0)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("noon", "names no intervals"), ("3..1", "there are no intervals 3..1"), ("", "names no intervals"),
        ("0..9", "there are no intervals 0..9"), ("0..5", "every interval is shown"),
    ],
)  # fmt: skip
def test_nonsense_of_intervals_is_refused(slicewright: CommandLine, day: Path, shown: str, words: str) -> None:
    said = slicewright("fit", day, "--shown", shown)
    assert (said.status, said.out) == (2, "")
    assert words in said.err
    assert "help: allowed:" in said.err


def test_a_simulated_run_is_refused_with_the_way_to_go(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--replications", "2", "--out", tmp_path / "run")
    said = slicewright("fit", tmp_path / "run")
    assert said.status == 2
    assert "is a simulated run" in said.err
    assert "slicewright report --format monwrite" in said.err


def test_data_without_disks_are_refused_with_the_records_needed() -> None:
    empty = {**_day().raw, "volumes": _day().raw["volumes"].clear()}
    with pytest.raises(sw.InputError, match="6/3"):
        sw.fit(replace(_day(), raw=empty))


def test_a_volume_with_few_ios_is_left_out_and_named() -> None:
    import polars as pl

    idle = _day().raw["volumes"].with_columns(pl.lit("IDLE01").alias("volume"), pl.lit(0.5).alias("io_per_s"))
    raw = {**_day().raw, "volumes": pl.concat([_day().raw["volumes"], idle])}
    found = sw.fit(replace(_day(), raw=raw), shown=SHOWN)
    assert found.evidence.left_out == ("IDLE01",)
    assert "IDLE01" in str(found)
    assert found.text.count("[[volume]]") == len(LEVELS)


def test_wrong_parameters_are_refused_all_at_once() -> None:
    with pytest.raises(sw.InputError) as refused:
        sw.fit(_day(), shown=3, aliases={"1": -1}, system=5)  # type: ignore[arg-type]
    assert {problem["key"] for problem in refused.value.problems} == {"shown", "aliases['1']", "system"}


def test_a_step_between_shown_intervals_is_not_hidden() -> None:
    found = sw.fit(_day())
    assert found.split == Split((0, 2, 4), (1, 3, 5), "every second interval is held out")
    between = [cell for cell in found.outcome.held_out[3] if cell.place.row == "io_per_s"]
    assert between[0].estimate.mean == pytest.approx(sum(found.outcome.levels["io_per_s"]) / 2, rel=1e-6)


def test_periods_are_those_of_one_load() -> None:
    parts = periods(_fit().evidence, _fit().split, _day().starts_us)
    assert [part.shown for part in parts] == [(0, 2), (3, 5)]


def _pool_run() -> sw.Run:
    more = {"measure.interval": "20 s", "measure.intervals": 4, "measure.sample": "50 ms"}
    return sw.run(sw.starter("pool"), replications=1, set=more)


def test_the_size_of_a_pool_is_asked_for_where_records_lack_it(slicewright: CommandLine) -> None:
    dump = Path(__file__).parents[1] / "measured" / "records" / "hnai-htio-none.smf"  # its 74-1 ends before SMF74HPC
    said = slicewright("fit", dump)
    assert said.status == 2
    assert "--aliases 0001=N" in said.err
    assert "there is no pool X" in slicewright("fit", dump, "--aliases", "X=8").err
    assert slicewright("fit", dump, "--aliases", "eight").status == 2


@pytest.mark.slow
def test_a_pool_of_smf_records_is_fitted_and_predicted(slicewright: CommandLine, tmp_path: Path) -> None:
    dump = tmp_path / "smf"
    dump.write_bytes(smf(_pool_run(), system="LAB1"))
    assert slicewright("fit", dump, "--aliases", "0001=8").status == 0


@pytest.mark.parametrize("aliases", [1, 2, 3])
def test_fewer_aliases_than_are_in_use_are_refused_with_both_numbers(
    slicewright: CommandLine, tmp_path: Path, aliases: int
) -> None:
    dump = tmp_path / "smf"
    dump.write_bytes(smf(_pool_run(), system="LAB1"))
    said = slicewright("fit", dump, "--aliases", f"0001={aliases}")
    assert (said.status, said.out) == (2, "")
    assert f"6.9 I/Os are in service beyond the bases, and there are {aliases} aliases" in " ".join(said.err.split())
    assert "--aliases 0001=N" in said.err


POOL = b"""
name = "known"
[[control_unit]]
name = "CU"
paths = 4
sharing = "8 %"
[[alias_pool]]
name = "P"
aliases = 2
[[volume]]
name = "VOL001"
device = "1000"
control_unit = "CU"
alias_pool = "P"
service = { pend = "0.2 ms", disconnect = "0.1 ms", connect = { exponential = "0.7 ms" } }
[[volume]]
name = "VOL002"
device = "1001"
control_unit = "CU"
alias_pool = "P"
service = { pend = "0.2 ms", disconnect = "0.3 ms", connect = { exponential = "1.1 ms" } }
[[guest]]
name = "A"
count = 3
program = [ { think = { exponential = "3 ms" } }, { io = { volume = "VOL001" } } ]
[[guest]]
name = "B"
count = 4
program = [ { think = { exponential = "5 ms" } }, { io = { volume = "VOL002" } } ]
[measure]
interval = "60 s"
intervals = 4
sample = "50 ms"
warm_up = "1 s"
replications = 1
"""


def test_a_pool_without_tries_in_the_simulation_is_not_judged_by_its_fails(tmp_path: Path) -> None:
    quiet = {"guest.A.program.1.think.exponential": "200 ms", "guest.B.program.1.think.exponential": "200 ms"}
    file = tmp_path / "quiet.monwrite"
    file.write_bytes(monwrite(joined(Scenario.read(POOL, "known").with_(quiet), seed=100), system="LABSYS"))
    found = sw.fit(file)
    assert any(not np.isnan(fails).all() for fails in (group.fails_per_try for group in found.evidence.groups))
    assert all(np.isfinite(cell.estimate.mean) for cell in found.outcome.cells)


def _without_tries(dump: bytes) -> bytes:
    """A dump of blocks of one record, without R783XANC and R783XAUC: of a release that has not these fields."""
    data, at = bytearray(dump), 0
    while at < len(data):
        block, record = at + int.from_bytes(data[at : at + 2]), at + 4
        while record < block:
            if data[record + 5] == 78:
                section = record + int.from_bytes(data[record + 60 : record + 64])
                data[section + 40 : section + 48] = bytes(8)
            record += int.from_bytes(data[record : record + 2])
        at = block
    return bytes(data)


def test_fails_per_io_are_compared_where_records_have_no_tries(tmp_path: Path) -> None:
    dump = smf(joined(Scenario.read(POOL, "known"), seed=100), system="SYSA")
    (whole := tmp_path / "whole").write_bytes(dump)
    (older := tmp_path / "older").write_bytes(_without_tries(dump))
    (with_tries,), (without,) = (sw.fit(file).evidence.groups for file in (whole, older))
    pools = sw.read([older]).of().raw["pools"]
    assert pools["tries"].null_count() == pools.height
    assert np.isfinite(with_tries.fails_per_try).all()
    assert np.isnan(without.fails_per_try).all()
    assert without.fails_per_io == pytest.approx(with_tries.fails_per_io)
    volumes = (
        sw.read([older]).of().raw["volumes"].group_by("interval", maintain_order=True).agg(pl.col("io_per_s").sum())
    )
    assert without.fails_per_io == pytest.approx((pools["fails"] / 60 / volumes["io_per_s"]).to_numpy())


POOL_LEVELS = ((3, 4), (5, 6), (8, 6))
POOL_THINK_MS = (3.0, 5.0)


@pytest.mark.slow
def test_growth_and_load_of_a_pool_are_found_and_the_day_is_predicted(tmp_path: Path) -> None:
    known = Scenario.read(POOL, "known")
    parts = (known.with_({"guest.A.count": first, "guest.B.count": second}) for first, second in POOL_LEVELS)
    file = tmp_path / "day.monwrite"
    file.write_bytes(monwrite(joined(*parts, seed=100), system="LABSYS"))
    found = sw.fit(file, shown="0,2..4,6..8,10..11")
    assert found.predicts
    (service,) = found.services
    assert abs(service.sharing - 0.08) <= service.sharing_half_width
    inside = []
    for copy, left in zip(found.targets.copies, found.left_open.ranges, strict=True):
        guests = POOL_LEVELS[copy.period][copy.volume]
        inside.append(left.least <= guests and (left.most is None or guests <= left.most))
        inside.append(left.think_low_ms <= POOL_THINK_MS[copy.volume] <= left.think_high_ms)
    assert sum(inside) >= len(inside) - 1  # 95 % intervals of twelve numbers
