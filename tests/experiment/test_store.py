"""Is a simulation from the store the same to the byte, and an answer the same whatever becomes of the store?"""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path

import pytest
import slicewright._core as _core
from slicewright._core import Scenario
from slicewright.experiment import store
from slicewright.experiment.store import Part, Store, location, tables_of, using, warm_up_of
from slicewright.scenario.starters import read_starter

from tests.conftest import CommandLine

SHORT = ['measure.interval="1 s"', 'measure.warm_up="100 ms"', "measure.replications=2"]
PART = Part(1, (0, 2), 0.1)


@pytest.fixture
def scenario() -> Scenario:
    """M/M/1 for a second."""
    return read_starter("mm1").with_(SHORT)


def parts(root: Path) -> list[Path]:
    """The files that hold simulations."""
    return sorted(path for path in root.glob("*/??/*") if path.is_file())


def test_what_was_simulated_before_is_the_same(scenario: Scenario, tmp_path: Path) -> None:
    alone = tables_of(scenario, PART)
    with using(tmp_path):
        first = tables_of(scenario, PART)
        (part,) = parts(tmp_path)
        kept = part.read_bytes()
        shares: list[float] = []
        assert tables_of(scenario, PART, shares.append) == first == alone
        assert shares == [1.0]  # nothing was simulated
        assert part.read_bytes() == kept
        assert warm_up_of(scenario, 1) == warm_up_of(scenario, 1) == scenario.warm_up(1)


@pytest.mark.parametrize(
    "other", [Part(2, (0, 2), 0.1), Part(1, (0, 3), 0.1), Part(1, (1, 2), 0.1), Part(1, (0, 2), 0.2)]
)
def test_another_seed_warm_up_or_replication_is_another_part(scenario: Scenario, other: Part, tmp_path: Path) -> None:
    with using(tmp_path):
        tables_of(scenario, PART)
        assert tables_of(scenario, other) == scenario.simulate(other.seed, other.which, 1, other.warm_up_s)
        assert tables_of(scenario.with_(["guest.USERS.arrivals=300/s"]), PART) != tables_of(scenario, PART)
    assert len(parts(tmp_path)) == 3


def test_another_build_of_the_engine_is_never_answered(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with using(tmp_path):
        tables_of(scenario, PART)
    (note,) = tmp_path.glob("engine-*")
    digest = note.read_text().split()[0]
    assert store._module_digest(Path(str(_core.__file__))) == digest
    monkeypatch.setattr(store, "_engine_digest", lambda root: "0" * 64)
    with using(tmp_path):
        tables_of(scenario, PART)
    assert {part.parts[-3] for part in parts(tmp_path)} == {digest[:16], "0" * 16}


def test_a_module_that_was_written_again_is_digested_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "engine.so"
    module.write_bytes(b"one")
    monkeypatch.setattr(_core, "__file__", str(module))
    first = store._engine_digest(tmp_path)
    assert store._engine_digest(tmp_path) == first
    module.write_bytes(b"two")
    store._module_digest.cache_clear()
    assert store._engine_digest(tmp_path) != first


def test_notes_of_two_builds_that_changed_places_name_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = []
    for name in ("one.so", "two.so"):
        module = tmp_path / name
        module.write_text(name)
        monkeypatch.setattr(_core, "__file__", str(module))
        digests.append(store._engine_digest(tmp_path))
    one, two = tmp_path.glob("engine-*")
    texts = one.read_text(), two.read_text()
    one.write_text(texts[1]), two.write_text(texts[0])
    assert store._engine_digest(tmp_path) == digests[1] != digests[0]


def test_parts_that_changed_places_are_simulated_again(scenario: Scenario, tmp_path: Path) -> None:
    seeds = range(1, 8)
    alone = [tables_of(scenario, Part(seed, (0, 2), 0.1)) for seed in seeds]
    with using(tmp_path):
        for seed in seeds:
            tables_of(scenario, Part(seed, (0, 2), 0.1))
        names = parts(tmp_path)
        bodies = [name.read_bytes() for name in names]
        for name, body in zip(names, bodies[1:] + bodies[:1], strict=True):
            name.write_bytes(body)
        assert len({*bodies}) == len(seeds)
        assert [tables_of(scenario, Part(seed, (0, 2), 0.1)) for seed in seeds] == alone


def test_a_part_of_another_build_is_simulated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path).put("ab12", [1])
    (part,) = parts(tmp_path)
    monkeypatch.setattr(store, "_engine_digest", lambda root: "0" * 64)
    other = Store(tmp_path)
    (other.engine / "ab").mkdir(parents=True)
    (other.engine / "ab" / "12").write_bytes(part.read_bytes())
    assert other.get("ab12") is None


def test_every_bit_of_a_part_counts(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.put("ab12", [1.5])
    (part,) = parts(tmp_path)
    body = part.read_bytes()
    for bit in range(8 * len(body)):
        flipped = bytearray(body)
        flipped[bit // 8] ^= 1 << bit % 8
        part.write_bytes(flipped)
        assert kept.get("ab12") is None
    for length in range(len(body)):
        part.write_bytes(body[:length])
        assert kept.get("ab12") is None
    part.write_bytes(body)
    assert kept.get("ab12") == [1.5]


@pytest.mark.parametrize("damage", [b"", b"a", b"\0" * 40, None])
def test_a_damaged_part_is_simulated_again(scenario: Scenario, tmp_path: Path, damage: bytes | None) -> None:
    with using(tmp_path):
        first = tables_of(scenario, PART)
        (part,) = parts(tmp_path)
        whole = part.read_bytes()
        part.write_bytes(whole[:-1] if damage is None else damage)
        assert tables_of(scenario, PART) == first
        assert part.read_bytes() == whole


def test_fresh_reads_nothing_and_writes(scenario: Scenario, tmp_path: Path) -> None:
    with using(tmp_path):
        first = tables_of(scenario, PART)
    (part,) = parts(tmp_path)
    part.write_bytes(b"")
    with using(tmp_path, fresh=True):
        assert tables_of(scenario, PART) == first
    assert part.stat().st_size > 0


def test_a_store_that_cannot_be_written_changes_nothing(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object, **more: object) -> tuple[int, str]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with using(tmp_path):
        assert tables_of(scenario, PART) == tables_of(scenario, PART)
    assert parts(tmp_path) == []
    (tmp_path / "file").write_text("")
    with using(tmp_path / "file"):  # no directory can be there
        assert tables_of(scenario, PART)["volumes"]


def test_several_processes_may_write_one_part(tmp_path: Path) -> None:
    stores = [Store(tmp_path) for _ in range(4)]
    threads = [threading.Thread(target=each.put, args=("ab" + "0" * 62, {"x": [1.5]})) for each in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.get("ab" + "0" * 62) for each in stores] == [{"x": [1.5]}] * 4
    assert len(parts(tmp_path)) == 1


def test_the_oldest_parts_go_first_and_nothing_else_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Store(tmp_path)
    names = [f"{at:064x}" for at in range(4)]
    for at, name in enumerate(names):
        own.put(name, list(range(100)))
        os.utime(own._path(name), (at, at))
    letter = own.engine / "00" / "letter.txt"
    letter.write_text("dear")
    size = own._path(names[0]).stat().st_size
    monkeypatch.setattr(store, "MOST_BYTES", 3 * size)
    store._remove_oldest(tmp_path)
    assert [own._path(name).exists() for name in names] == [False, False, True, True]
    assert letter.exists()


def test_the_store_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLICEWRIGHT_STORE", "off")
    assert location() is None
    monkeypatch.setenv("SLICEWRIGHT_STORE", str(tmp_path))
    assert location() == tmp_path
    monkeypatch.delenv("SLICEWRIGHT_STORE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert location() == tmp_path / "slicewright"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the specification has it ignored
    monkeypatch.setenv("HOME", str(tmp_path))
    assert location() == tmp_path / ".cache" / "slicewright"


def test_advice_has_the_same_bytes_with_and_without_a_store(
    slicewright: CommandLine, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = slicewright("advise", "aliases", small)
    monkeypatch.setenv("SLICEWRIGHT_STORE", str(tmp_path / "store"))
    first = slicewright("advise", "aliases", small)
    again = slicewright("advise", "aliases", small)
    fresh = slicewright("advise", "aliases", small, "--fresh")
    assert without == first == again == fresh
    assert without.status == 0
    assert parts(tmp_path / "store")


def test_advice_has_the_guesses_that_were_found_to_matter(
    slicewright: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slicewright.advise.matters import remember

    monkeypatch.setenv("SLICEWRIGHT_STORE", str(tmp_path / "store"))
    path = tmp_path / "pool.toml"
    path.write_text(slicewright("new", "pool").out)
    before = slicewright("advise", "aliases", path)
    with using(tmp_path / "store"):
        remember(Scenario.read(path.read_bytes(), "pool.toml"), "aliases", ["think 0.3 ms: response 1 to 2"])
    after = slicewright("advise", "aliases", path)
    assert "Guesses" not in before.out
    assert after.out.startswith(before.out.rstrip("\n"))
    assert "Guesses    think 0.3 ms: response 1 to 2" in after.out
    monkeypatch.setenv("SLICEWRIGHT_STORE", "off")
    assert slicewright("advise", "aliases", path) == before
