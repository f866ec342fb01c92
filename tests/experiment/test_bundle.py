"""Is an answer the same whatever becomes of the bundle of its simulations, and is the bundle enough?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright._core import InputError, Scenario
from slicewright.experiment import bundle, store
from slicewright.experiment.bundle import Bundle
from slicewright.experiment.store import Part, bundled, tables_of, tables_of_text, using
from slicewright.scenario.starters import read_starter

from tests.conftest import CommandLine

SHORT = ['measure.interval="1 s"', 'measure.warm_up="100 ms"', "measure.replications=2"]
TEXT = read_starter("mm1").with_(SHORT).resolved
FACTS = ["an answer"]
RESPONSE = {"volumes": ["replication", "response_ms"]}


def files(root: Path) -> list[Path]:
    """The files of parts and bundles."""
    return sorted(path for path in root.glob("*/??/*") if path.is_file())


def answer(root: Path, seeds: tuple[int, ...] = (1, 2)) -> list[object]:
    """Tables that one answer needs."""
    with using(root), bundled(FACTS):
        return [tables_of_text(TEXT, "mm1.toml", seed, RESPONSE) for seed in seeds]


def the_bundle(root: Path) -> Path:
    """The file that two answers of different names do not share."""
    with using(root):
        opened = store.opened()
        assert opened is not None
        return opened._path(store._digest(["bundle", *FACTS]))


@pytest.fixture
def no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each simulation an error."""

    def never(*given: object) -> None:
        raise AssertionError("simulated again")

    monkeypatch.setattr(store, "simulated_tables", never)


def test_tables_of_a_text_are_those_of_its_scenario() -> None:
    scenario = Scenario.read(TEXT.encode(), "mm1.toml")
    tables = tables_of(scenario, Part.measured(scenario, 1, {}))
    assert tables_of_text(TEXT, "mm1.toml", 1, {}) == tables
    assert tables_of_text(TEXT, "mm1.toml", 1, RESPONSE) == {
        "volumes": {name: tables["volumes"][name] for name in RESPONSE["volumes"]}
    }


@pytest.mark.parametrize(
    ("text", "seed", "columns"),
    [(TEXT + "# another\n", 1, RESPONSE), (TEXT, 2, RESPONSE), (TEXT, 1, {"volumes": ["response_ms"]}), (TEXT, 1, {})],
)
def test_another_text_seed_or_column_is_another_part(
    text: str, seed: int, columns: dict[str, list[str]], tmp_path: Path
) -> None:
    with using(tmp_path):
        tables_of_text(TEXT, "mm1.toml", 1, RESPONSE)
        tables_of_text(text, "mm1.toml", seed, columns)
    assert len(files(tmp_path)) == 2


def test_a_text_that_replays_a_file_is_simulated_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_of", lambda scenario: None)  # as for arrivals that are no part of the checksum
    with using(tmp_path):
        tables_of_text(TEXT, "mm1.toml", 1, RESPONSE)
    assert files(tmp_path) == []


def test_a_wrong_text_is_refused_with_its_name(tmp_path: Path) -> None:
    with using(tmp_path), pytest.raises(InputError, match=r"wrong\.toml"):
        tables_of_text("[[volume]]\n", "wrong.toml", 1, RESPONSE)


def test_the_bundle_is_enough_without_the_parts(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    first = answer(tmp_path)
    kept = the_bundle(tmp_path)
    for path in files(tmp_path):
        if path != kept:
            path.unlink()
    request.getfixturevalue("no_simulation")
    assert answer(tmp_path) == first
    assert files(tmp_path) == [kept]


@pytest.mark.parametrize("damage", [b"", b"\0" * 40, None])
def test_the_parts_are_enough_without_the_bundle(
    tmp_path: Path, request: pytest.FixtureRequest, damage: bytes | None
) -> None:
    first = answer(tmp_path)
    kept = the_bundle(tmp_path)
    whole = kept.read_bytes()
    if damage is None:
        kept.unlink()
    else:
        kept.write_bytes(damage)
    request.getfixturevalue("no_simulation")
    assert answer(tmp_path) == first
    assert kept.read_bytes() == whole


def test_an_answer_that_needs_more_finds_all_of_it_in_the_bundle_next_time(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    answer(tmp_path)
    more = answer(tmp_path, (1, 2, 3))
    the_parts = [path for path in files(tmp_path) if path != the_bundle(tmp_path)]
    for path in the_parts:
        path.unlink()
    request.getfixturevalue("no_simulation")
    assert answer(tmp_path, (1, 2, 3)) == more


def test_an_answer_that_fails_keeps_its_parts_but_no_bundle(tmp_path: Path) -> None:
    def fail() -> None:
        with using(tmp_path), bundled(FACTS):
            tables_of_text(TEXT, "mm1.toml", 1, RESPONSE)
            tables_of_text("[[volume]]\n", "wrong.toml", 1, RESPONSE)

    with pytest.raises(InputError):
        fail()
    assert len(files(tmp_path)) == 1
    assert not the_bundle(tmp_path).exists()


def test_a_bundle_that_would_be_too_long_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MOST_BYTES", 10)
    assert answer(tmp_path) == answer(tmp_path)
    assert len(files(tmp_path)) == 2


def test_fresh_reads_no_bundle_and_writes_one(tmp_path: Path) -> None:
    first = answer(tmp_path)
    kept = the_bundle(tmp_path)
    whole = kept.read_bytes()
    kept.write_bytes(b"")
    with using(tmp_path, fresh=True), bundled(FACTS):
        assert [tables_of_text(TEXT, "mm1.toml", seed, RESPONSE) for seed in (1, 2)] == first
    assert kept.read_bytes() == whole


def test_what_is_no_bundle_has_no_parts() -> None:
    assert Bundle(b"\xff\n\n{}").get("ab12") is None


def test_advice_from_the_bundle_has_the_same_bytes(
    slicewright: CommandLine, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "store"
    monkeypatch.setenv("SLICEWRIGHT_STORE", str(kept))
    first = slicewright("advise", "aliases", small)
    parts = files(kept)
    largest = max(parts, key=lambda path: path.stat().st_size)
    for path in parts:
        if path != largest:
            path.unlink()
    monkeypatch.setattr(store, "simulated_tables", None)  # simulating would be an error
    assert slicewright("advise", "aliases", small) == first
    assert first.status == 0
    assert files(kept) == [largest]
