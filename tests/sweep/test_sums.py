"""Is every bit of a manifest checked, and every part under its own number, in its own store?"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import slicewright
from slicewright.explore import store
from slicewright.explore.store import Facts, parts, read_facts
from slicewright.explore.sweep import Sweep, sweep
from slicewright.run.directory import load_manifest

from tests.conftest import SMALL
from tests.sweep.test_store import AXES, QUICK


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs, and two stores with a part for each point."""
    made = tmp_path_factory.mktemp("sums")
    (made / "small.toml").write_text(SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "ROWS", 1)
        for name, aliases in (("one", "0..3"), ("two", "0..4:2")):
            slicewright.run(SMALL, replications=2, seed=len(aliases), out=made / f"run {name}")
            # Another interval is another scenario under the same keys.
            more = {**QUICK, "measure.interval": f"{len(aliases)}00 ms"}
            sweep(made / "small.toml", {**AXES, "alias_pool.POOL.aliases": aliases}, out=made / name, set=more)
    return made


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def _accepted(manifest: Path, read: Callable[[], object], texts: list[bytes]) -> list[int]:
    """Which of the texts are read as a manifest."""
    body, found = manifest.read_bytes(), []
    for number, text in enumerate(texts):
        manifest.write_bytes(text)
        try:
            read()
        except slicewright.InputError:
            continue
        found.append(number)
    manifest.write_bytes(body)
    read()
    return found


def _damaged(body: bytes) -> list[bytes]:
    """Every bit flipped in turn, and every beginning."""
    flipped = [body[:at] + bytes([body[at] ^ 1 << bit]) + body[at + 1 :] for at in range(len(body)) for bit in range(8)]
    return flipped + [body[:length] for length in range(len(body))]


def test_every_bit_of_a_small_manifest_of_a_sweep_counts(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text(Facts("a", "b", "[cec]\nname = 'ä'\n", (), ()).text(), encoding="utf-8")
    assert _accepted(manifest, lambda: read_facts(tmp_path), _damaged(manifest.read_bytes())) == []


def test_every_bit_of_the_manifest_of_a_run_counts(copy: Path) -> None:
    manifest = copy / "run one" / "manifest.json"
    texts = _damaged(manifest.read_bytes())[::61]
    assert _accepted(manifest, lambda: load_manifest(copy / "run one"), texts) == []


def test_parts_that_changed_places_are_refused(copy: Path) -> None:
    found = parts(copy / "one")
    assert len(found) == 4
    bodies = [part.read_bytes() for part in found]
    for part, body in zip(found, bodies[1:] + bodies[:1], strict=True):
        part.write_bytes(body)
    with pytest.raises(slicewright.InputError, match="is a damaged part of a store"):
        Sweep.read(copy / "one")


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(range(4), 2)))
def test_two_numbers_that_were_exchanged_are_refused(copy: Path, first: int, second: int) -> None:
    names = [part.name for part in parts(copy / "one")]
    for here, there in ((first, second), (second, first)):
        (copy / "one" / "parts" / names[here]).rename(copy / f"{there:06}{names[here][6:]}")
    for part in copy.glob("*.parquet"):
        part.rename(copy / "one" / "parts" / part.name)
    with pytest.raises(slicewright.InputError, match="changed, renamed, or written for another store"):
        Sweep.read(copy / "one")


def test_a_part_of_another_store_is_refused(copy: Path) -> None:
    shutil.copy(parts(copy / "two")[1], copy / "one" / "parts")
    with pytest.raises(slicewright.InputError, match="written for another store"):
        Sweep.read(copy / "one")
    with pytest.raises(slicewright.InputError, match="written for another store"):
        _again(copy)


def _again(copy: Path) -> Sweep:
    more = {**QUICK, "measure.interval": "400 ms"}
    return sweep(copy / "small.toml", AXES, out=copy / "one", set=more)


def test_a_part_that_was_removed_is_simulated_again(copy: Path, folder: Path) -> None:
    parts(copy / "one")[2].unlink()
    assert _again(copy).points.equals(Sweep.read(folder / "one").points)


@pytest.mark.parametrize("names", [("one", "two"), ("run one", "run two")])
def test_manifests_that_changed_places_are_refused(copy: Path, names: tuple[str, str]) -> None:
    texts = [(copy / name / "manifest.json").read_bytes() for name in names]
    for name, text in zip(names, reversed(texts), strict=True):
        (copy / name / "manifest.json").write_bytes(text)
        with pytest.raises(slicewright.InputError, match=r"damaged|is not what was written"):
            slicewright.load(copy / name) if name.startswith("run") else Sweep.read(copy / name)


def test_a_store_of_the_format_without_sums_is_refused_and_kept(copy: Path) -> None:
    facts = json.loads((copy / "one" / "manifest.json").read_bytes())
    del facts["sha256"]
    (copy / "one" / "manifest.json").write_text(json.dumps({**facts, "format": 1}, indent=1) + "\n")
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    acts: tuple[Callable[[], Sweep], ...] = (lambda: Sweep.read(copy / "one"), lambda: _again(copy))
    for act in acts:
        with pytest.raises(slicewright.InputError, match="is a store of format 1") as refused:
            act()
        assert "with another --out simulates its points again" in str(refused.value.problems)
    assert {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()} == before
