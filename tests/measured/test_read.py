"""Do files of monitor data become the intervals that they were written of, as tables, pages and comparisons?"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import slicewright
import slicewright as sw
from slicewright.measured.export import monwrite, smf

from tests.conftest import CommandLine

INTERVALS = 4


@pytest.fixture(scope="module")
def run() -> slicewright.Run:
    more = {"measure.interval": "5 s", "measure.intervals": INTERVALS}
    return slicewright.run(slicewright.starter("pool"), replications=1, set=more)


@pytest.fixture(scope="module")
def file(run: slicewright.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("monitor") / "day.monwrite"
    path.write_bytes(monwrite(run, system="LABSYS"))
    return path


def _near(a: list[float], b: list[float], within: float) -> None:
    assert a == pytest.approx(b, rel=within, abs=1e-3)


def test_rates_and_times_of_volumes_come_back_interval_by_interval(run: slicewright.Run, file: Path) -> None:
    before, after = run.raw["volumes"], slicewright.read([file]).of().raw["volumes"]
    assert before["volume"].to_list() == after["volume"].to_list()
    for counter in ("io_per_s", "pend_ms", "disc_ms", "conn_ms", "service_ms"):
        _near(after[counter].to_list(), before[counter].to_list(), 2e-3)


def test_devices_have_the_rates_of_their_exposures(run: slicewright.Run, file: Path) -> None:
    before, after = run.raw["devices"], slicewright.read([file]).of().raw["devices"]
    assert before["role"].to_list() == after["role"].to_list()
    _near(after["io_per_s"].to_list(), before["io_per_s"].to_list(), 1e-3)


def test_tries_and_fails_of_a_pool_are_exact(run: slicewright.Run, file: Path) -> None:
    before, after = run.raw["pools"], slicewright.read([file]).of().raw["pools"]
    for counter in ("tries", "fails", "low_water", "high_water", "aliases"):
        assert after[counter].to_list() == before[counter].to_list()


def test_a_counter_that_no_record_has_is_not_known(file: Path) -> None:
    volumes = slicewright.read([file]).of()["volumes"]
    assert volumes["response_p95_ms"].null_count() == volumes.height


def test_gzip_is_read_as_it_comes(file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "day.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert slicewright.read([packed]).of().raw["volumes"].equals(slicewright.read([file]).of().raw["volumes"])


def test_files_that_follow_each_other_are_one_run(run: slicewright.Run, file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    sample = len(data) // (INTERVALS + 1) // 4096 * 4096
    first, second = tmp_path / "1", tmp_path / "2"
    first.write_bytes(data[: 2 * sample])
    second.write_bytes(data[2 * sample :])
    both = slicewright.read([first, second]).of()
    assert len(both.starts_us) == INTERVALS
    assert both.raw["volumes"].equals(slicewright.read([file]).of().raw["volumes"])


def test_a_measured_run_is_saved_and_loaded(file: Path, tmp_path: Path) -> None:
    measured = slicewright.read([file]).of("LABSYS")
    measured.save(tmp_path / "day")
    loaded = slicewright.load(tmp_path / "day")
    assert isinstance(loaded, slicewright.Measured)
    assert (loaded.starts_us, loaded.sources) == (list(measured.starts_us), list(measured.sources))
    assert all(loaded.raw[table].equals(measured.raw[table]) for table in measured.raw)


def test_the_command_lists_records_and_writes_a_run(slicewright: CommandLine, file: Path, tmp_path: Path) -> None:
    said = slicewright("read", file, "--out", tmp_path / "day")
    assert said.status == 0
    assert "6/28" in said.out
    assert "LABSYS: 4 intervals" in said.out
    page = slicewright("report", tmp_path / "day", "--page", "fcx108", "--interval", "2").out
    assert "For      5 Secs" in page
    assert slicewright("report", tmp_path / "day", "--verify").status == 0
    answer = json.loads(slicewright("report", tmp_path / "day", "--page", "fcx108", "--format", "json").out)
    assert len(answer) > INTERVALS


def test_the_page_of_a_measured_run_needs_no_network(file: Path) -> None:
    page = slicewright.read([file]).of().html()
    assert "Interval by interval" in page
    assert 'src="http' not in page


def test_a_measured_run_is_compared_with_a_simulated_one(
    slicewright: CommandLine, run: slicewright.Run, file: Path, tmp_path: Path
) -> None:
    run.save(tmp_path / "model")
    slicewright("read", file, "--out", tmp_path / "day")
    said = slicewright("compare", tmp_path / "day", tmp_path / "model")
    assert said.status == 0
    assert "measured, 4 intervals" in said.out


def test_what_a_measured_run_cannot_show_is_refused(slicewright: CommandLine, file: Path, tmp_path: Path) -> None:
    slicewright("read", file, "--out", tmp_path / "day")
    for arguments in (["--page", "proclog"], ["--page", "fcx108", "--interval", "9"]):
        said = slicewright("report", tmp_path / "day", *arguments)
        assert (said.status, said.out) == (2, "")
        assert "help: allowed:" in said.err


@pytest.mark.parametrize(
    ("options", "key"), [({"system": "a lab"}, "system"), ({"start": "noon"}, "start"), ({"replication": 3}, "replic")]
)
def test_a_file_of_nonsense_is_not_written(run: slicewright.Run, options: dict[str, str], key: str) -> None:
    with pytest.raises(slicewright.InputError, match=key):
        monwrite(run, **options)  # type: ignore[arg-type]


def test_a_run_without_anything_to_count_is_not_exported() -> None:
    run = slicewright.run("scenarios/enq-exits.toml", replications=1, set={"measure.interval": "50 ms"})
    if all(run.raw[table].is_empty() for table in ("devices", "partitions", "control_programs")):
        with pytest.raises(slicewright.InputError, match="nothing that monitor records count"):
            monwrite(run)


def test_a_file_with_one_sample_has_no_interval(slicewright: CommandLine, file: Path, tmp_path: Path) -> None:
    single = tmp_path / "one"
    single.write_bytes(file.read_bytes()[: len(file.read_bytes()) // (INTERVALS + 1) // 4096 * 4096])
    said = slicewright("read", single, "--out", tmp_path / "out")
    assert said.status == 2
    assert "two of one system" in said.err
    assert not (tmp_path / "out").exists()


def test_an_smf_dump_is_told_by_its_bytes_and_has_local_time(run: slicewright.Run, tmp_path: Path) -> None:
    dump = tmp_path / "smf"
    dump.write_bytes(smf(run, system="LAB1"))
    measured = slicewright.read([dump]).of("LAB1")
    assert measured.clock == "local time"
    volumes, before = measured.raw["volumes"], run.raw["volumes"]
    assert volumes["volume"].to_list() == before["volume"].to_list()
    _near(volumes["io_per_s"].to_list(), before["io_per_s"].to_list(), 1e-3)


def test_a_dump_in_gzip_is_told_too(run: slicewright.Run, tmp_path: Path) -> None:
    (tmp_path / "smf.gz").write_bytes(gzip.compress(smf(run)))
    assert slicewright.read([tmp_path / "smf.gz"]).of().clock == "local time"


def test_files_of_two_forms_are_refused(
    slicewright: CommandLine, run: slicewright.Run, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "smf").write_bytes(smf(run))
    said = slicewright("read", file, tmp_path / "smf")
    assert (said.status, said.out) == (2, "")
    assert "two forms" in said.err


def test_measured_intervals_are_exported_at_their_own_time(
    slicewright: CommandLine, file: Path, tmp_path: Path
) -> None:
    slicewright("read", file, "--out", tmp_path / "day")
    slicewright("report", tmp_path / "day", "--format", "monwrite", "--system", "LABSYS", "--out", tmp_path / "again")
    measured = [sw.read([path]).of() for path in (file, tmp_path / "again")]
    assert measured[0].starts_us == measured[1].starts_us
    assert measured[0].raw["pools"].equals(measured[1].raw["pools"])
