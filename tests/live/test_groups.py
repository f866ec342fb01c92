"""Control groups of a live measurement, in directories made to look like them: found, made, limited, removed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.live.groups import (
    LIVE,
    ControlFiles,
    Group,
    Hierarchy,
    Limit,
    _remove_stale,
    enclosing_limits,
    hierarchy,
    limited_group,
)

from tests.conftest import CommandLine
from tests.live.live_tree import Tree, machine

ME = str(os.getpid())


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process that no measurement has started."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def scope(folder: Path, *, handed_on: bool, others: str = "") -> tuple[Tree, Hierarchy, Path]:
    """A machine of version 2 on which this process is in `/user/app.scope`, which has the cpu controller."""
    proc = machine(folder, 2, "/user/app.scope")
    tree, root = Tree(2), folder / "root"
    for place in (root, root / "user", root / "user" / "app.scope"):
        tree.fill(place)
        (place / "cgroup.controllers").write_text("cpu memory")
    (root / "user" / "app.scope" / "cgroup.procs").write_text(f"{ME} {others}")
    (root / "user" / "cgroup.subtree_control").write_text("cpu memory" if handed_on else "")
    return tree, hierarchy(tree, proc), proc


@pytest.mark.parametrize("version", [1, 2])
def test_the_controller_is_found_where_it_is(tmp_path: Path, version: int) -> None:
    found = hierarchy(Tree(version), machine(tmp_path, version, "/a/b"))
    assert found == Hierarchy(version, tmp_path / "root", tmp_path / "root" / "a" / "b")


@pytest.mark.parametrize("version", [1, 2])
def test_without_the_controller_that_is_said(tmp_path: Path, version: int) -> None:
    with pytest.raises(InputError, match="the machine has no cpu controller\n  why: no mounted hierarchy"):
        hierarchy(Tree(version), machine(tmp_path, version, controllers="memory"))


def test_a_group_of_version_1_is_limited_and_goes(tmp_path: Path) -> None:
    proc = machine(tmp_path, 1)
    tree = Tree(1)
    with limited_group(tree, hierarchy(tree, proc), proc=proc) as group:
        assert group.path == tmp_path / "root" / f"{LIVE}{ME}-4711"
        group.limit(Limit(20_000, 40_000, 5_000))
        names = ["cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.cfs_quota_us", "cpu.cfs_burst_us"]
        assert tree.log == list(zip(names, ["-1", "40000", "20000", "5000"], strict=True))
        assert group.stat() == {"nr_periods": 5, "throttled_usec": 7}
    assert tree.folders(tmp_path / "root") == []


def test_a_group_of_version_2_is_made_where_the_controller_is_handed_on(tmp_path: Path) -> None:
    tree, here, proc = scope(tmp_path, handed_on=True)
    with limited_group(tree, here, proc=proc) as group:
        assert group.path.parent == tmp_path / "root" / "user"
        group.limit(Limit(20_000, 40_000))
        assert tree.log == [("cpu.max", "20000 40000")]
    assert tree.folders(tmp_path / "root" / "user") == [here.own]


def test_alone_in_a_delegated_scope_this_process_makes_room_and_comes_back(tmp_path: Path) -> None:
    tree, here, proc = scope(tmp_path, handed_on=False)
    with limited_group(tree, here, proc=proc) as group:
        assert group.path.parent == here.own
        assert tree.words(here.own / "cgroup.procs") == []
        assert tree.words(group.path / "cgroup.controllers") == ["cpu"]
    assert tree.words(here.own / "cgroup.procs") == [ME]
    assert tree.words(here.own / "cgroup.subtree_control") == []
    assert tree.folders(here.own) == []


def test_beside_others_in_a_scope_the_missing_right_is_named(tmp_path: Path) -> None:
    tree, here, proc = scope(tmp_path, handed_on=False, others="1 2")
    with pytest.raises(InputError, match="2 other processes are in it"), limited_group(tree, here, proc=proc):
        pass
    assert tree.folders(here.own) == []


@pytest.mark.parametrize("version", [1, 2])
def test_no_right_to_make_groups_says_how_to_get_it(tmp_path: Path, version: int) -> None:
    proc = machine(tmp_path, version)
    root = tmp_path / "root"
    tree = Tree(version, refused=(root,))
    if version == 2:
        tree.fill(root)
        for name in ("cgroup.controllers", "cgroup.subtree_control"):
            (root / name).write_text("cpu")
    with pytest.raises(InputError) as caught, limited_group(tree, hierarchy(tree, proc), proc=proc):
        pass
    said = str(caught.value)
    assert "no right to make a control group" in said
    assert "Permission denied" in said
    assert "root (sudo slicewright live ...)" in said
    assert ("Delegate=yes" in said) == (version == 2)


def test_a_limit_that_the_kernel_refuses_is_reported(tmp_path: Path) -> None:
    group = Group(Tree(2), 2, tmp_path / "gone")
    with pytest.raises(InputError, match="the kernel refuses a limit of 20000 us of 40000 us"):
        group.limit(Limit(20_000, 40_000))


def test_groups_of_killed_runs_go_and_others_stay(tmp_path: Path) -> None:
    proc = machine(tmp_path, 1)
    tree, root = Tree(1), tmp_path / "root"
    names = [f"{LIVE}{ME}-4711", f"{LIVE}{ME}-1", f"{LIVE}99999999-5", "slicewright-live-x-1", "docker"]
    for name in names:
        tree.make(root / name)
    assert [path.name for path in _remove_stale(tree, root, proc)] == sorted(names[1:3])
    assert [path.name for path in tree.folders(root)] == sorted([names[0], *names[3:]])


def test_limits_of_the_groups_around_are_reported(tmp_path: Path) -> None:
    tree, here, _ = scope(tmp_path, handed_on=True)
    inside = here.own / "inside"
    assert enclosing_limits(tree, here, inside) == []
    (here.own / "cpu.max").write_text("50000 100000")
    assert enclosing_limits(tree, here, inside) == [f"{here.own} is limited to 50000 us of each period"]


def test_a_group_goes_even_when_the_measurement_fails(tmp_path: Path) -> None:
    proc = machine(tmp_path, 1)
    tree = Tree(1)
    with pytest.raises(KeyboardInterrupt), limited_group(tree, hierarchy(tree, proc), proc=proc):
        raise KeyboardInterrupt
    assert tree.folders(tmp_path / "root") == []


def test_a_group_that_is_chosen_is_the_one_to_make_ours_in(tmp_path: Path) -> None:
    proc, tree = machine(tmp_path, 1), Tree(1)
    tree.make(tmp_path / "root" / "mine")
    (tmp_path / "link").symlink_to(tmp_path / "root" / "mine")
    with limited_group(tree, hierarchy(tree, proc, tmp_path / "link"), proc) as group:
        assert group.path.parent == tmp_path / "root" / "mine"


@pytest.mark.parametrize("version", [1, 2])
def test_a_folder_that_is_no_control_group_is_refused(tmp_path: Path, version: int) -> None:
    proc, folder = machine(tmp_path, version), tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "root" / "link").symlink_to(folder)
    for chosen in (folder, tmp_path / "root" / "link"):
        with pytest.raises(InputError, match=f"{chosen}: group: is no control group"):
            hierarchy(Tree(version), proc, chosen)
    assert list(folder.iterdir()) == []


def test_what_is_mounted_over_a_group_is_no_control_group(tmp_path: Path) -> None:
    proc, over = machine(tmp_path, 2), tmp_path / "root" / "a b"
    over.mkdir()
    with (proc / "self" / "mounts").open("a") as mounts:
        mounts.write(f"tmpfs {str(over).replace(' ', chr(92) + '040')} tmpfs rw 0 0\n")
    with pytest.raises(InputError, match="why: it is on tmpfs"):
        hierarchy(Tree(2), proc, over)


def test_a_group_of_another_controller_is_refused(tmp_path: Path) -> None:
    proc, memory = machine(tmp_path, 1), tmp_path / "memory"
    memory.mkdir()
    with (proc / "self" / "mounts").open("a") as mounts:
        mounts.write(f"cgroup {memory} cgroup rw,memory 0 0\n")
    with pytest.raises(InputError, match="has no cpu controller"):
        hierarchy(Tree(1), proc, memory)


def test_the_command_refuses_a_folder_before_anything_happens(tmp_path: Path, slicewright: CommandLine) -> None:
    found = slicewright("live", "slices", "--seconds", "5", "--group", tmp_path)
    assert (found.status, list(tmp_path.iterdir())) == (2, [])


def test_a_process_whose_number_is_in_a_folder_lives_on(
    tmp_path: Path, bystander: subprocess.Popen[bytes], slicewright: CommandLine
) -> None:
    listed = tmp_path / f"{LIVE}1-1" / "cgroup.procs"
    listed.parent.mkdir()
    listed.write_text(str(bystander.pid))
    found = slicewright("live", "throttling", "--sleeps", "10 ms", "--seconds", "1", "--group", tmp_path)
    assert (found.status, bystander.poll()) == (2, None)
    assert (listed.read_text(), list(tmp_path.rglob("*"))) == (str(bystander.pid), [listed.parent, listed])


def test_the_file_system_says_what_a_group_is_and_not_the_list_of_mounts(tmp_path: Path) -> None:
    assert ControlFiles().version_of(tmp_path) == 0
    proc, hidden = machine(tmp_path, 1), tmp_path / "root" / "hidden"
    hidden.mkdir()

    class Hidden(Tree):
        def version_of(self, folder: Path) -> int:
            return 0 if folder == hidden else super().version_of(folder)

    with pytest.raises(InputError, match="is no control group\n  why: another file system hides its mount"):
        hierarchy(Hidden(1), proc, hidden)
    assert list(hidden.iterdir()) == []


@pytest.mark.skipif(not Path("/sys/fs/cgroup").is_mount(), reason="no control groups are mounted")
def test_a_mounted_control_group_is_one() -> None:
    lines = [line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    kinds = {place: {"cgroup": 1, "cgroup2": 2}[kind] for _, place, kind, *_ in lines if kind in ("cgroup", "cgroup2")}
    assert {place: ControlFiles().version_of(Path(place)) for place in kinds} == kinds


def test_the_left_group_of_another_user_stays(tmp_path: Path) -> None:
    proc, root = machine(tmp_path, 1), tmp_path / "root"

    class OfAnother(Tree):
        def owned(self, group: Path) -> bool:
            return False

    tree = OfAnother(1)
    tree.make(root / f"{LIVE}99999999-5")
    assert (_remove_stale(tree, root, proc), len(tree.folders(root))) == ([], 1)


def test_a_process_that_is_not_ours_is_never_killed(
    tmp_path: Path, bystander: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slicewright.live.groups._PATIENCE_S", 0.0)
    proc, tree = machine(tmp_path, 1), Tree(1)
    stale = tmp_path / "root" / f"{LIVE}99999999-5"
    tree.make(stale)
    (stale / "cgroup.procs").write_text(str(bystander.pid))
    with limited_group(tree, hierarchy(tree, proc), proc=proc) as group:
        (group.path / "cgroup.procs").write_text(str(bystander.pid))
    bystander.communicate(b"\n", timeout=120)
    assert (bystander.returncode, stale.exists()) == (0, True)


def test_a_control_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ControlFiles().write(tmp_path / "cpu.max", "max")
    assert list(tmp_path.iterdir()) == []
