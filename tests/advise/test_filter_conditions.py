"""Do the rules of a seccomp profile count for the container that they are for, and as libseccomp keeps them?

container/profile.json is written in the form of Docker's default profile.  The others here are in those of older
Docker, of Podman and of a config.json; names of calls are Linux's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from slicewright import InputError
from slicewright.advise.answer import Request
from slicewright.advise.exits.filters import answer_filters
from slicewright.advise.exits.profile import ALL, ANSWERS, DOCKER, Assumed, Profile, assumed_container, read_profile

from tests.conftest import CommandLine

HERE = Path(__file__).parent / "syscalls" / "container"
CALLS, CONDITIONS = HERE / "calls.txt", HERE / "profile.json"
ADMIN = Assumed(caps=DOCKER | {"CAP_SYS_ADMIN"})
ERRNO, ALLOW = "SCMP_ACT_ERRNO", "SCMP_ACT_ALLOW"


def profile(*syscalls: dict[str, Any], assumed: Assumed | None = None, **root: Any) -> Profile:
    made = {"defaultAction": ERRNO, **root, "syscalls": list(syscalls)}
    return read_profile(json.dumps(made).encode(), "p.json", assumed)


def rule(*names: str, action: str = ALLOW, **more: Any) -> dict[str, Any]:
    return {"names": list(names), "action": action, **more}


ARG = {"index": 0, "value": 2114060288, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}


def answers(found: Profile, *names: str) -> list[str]:
    return [found.answer(name) for name in names]


def test_a_container_without_sys_admin_is_refused_mount_and_bpf(slicewright: CommandLine) -> None:
    asked = slicewright("advise", "exits", str(CALLS), str(CONDITIONS), "--format", "json")
    assert asked.status == 0, asked.err
    found = json.loads(asked.out)
    assert {line["call"]: line["answered"] for line in found["calls"]} == {
        "clone": "by arguments", "mount": "refused", "bpf": "refused", "read": "bitmap",
    }  # fmt: skip
    assert found["assumed"] == {"arch": "amd64", "kernel": "5.11", "caps": sorted(DOCKER), "given": {}}
    facts = " ".join(found["evidence"]["facts"])
    assert "arch=amd64 (assumed), kernel=5.11 or later (assumed) and Docker's default capabilities (assumed)" in facts
    assert "conditions do not hold of rules for clone, mount, bpf, setns, sync_file_range2" in facts
    assert "7 rules that count" in facts


@pytest.mark.parametrize(
    ("assume", "clone", "mount"),
    [
        (["caps=CAP_SYS_ADMIN"], "bitmap", "bitmap"),
        (["caps=all"], "bitmap", "bitmap"),
        (["caps=none,sys_admin"], "bitmap", "bitmap"),
        (["caps=none"], "by arguments", "refused"),
        (["arch=s390x"], "refused", "refused"),
        (["kernel=4.18.0-553.el8"], "by arguments", "refused"),
    ],
    ids=str,
)
def test_assumptions_decide(assume: list[str], clone: str, mount: str, slicewright: CommandLine) -> None:
    options = [word for text in assume for word in ("--assume", text)]
    asked = slicewright("advise", "exits", str(CALLS), str(CONDITIONS), *options, "--format", "json")
    assert asked.status == 0, asked.err
    found = json.loads(asked.out)
    answered = {line["call"]: line["answered"] for line in found["calls"]}
    assert (answered["clone"], answered["mount"]) == (clone, mount)
    assert found["assumed"]["given"] == {assume[0].partition("=")[0]: "--assume"}


def test_an_older_kernel_has_no_bitmap(slicewright: CommandLine) -> None:
    files = [(file.name, file.read_bytes()) for file in (CALLS, CONDITIONS)]
    (old,) = answer_filters(files, Request(changes=("kernel=5.10",)))
    (new,) = answer_filters(files, Request(changes=("kernel=5.11",)))
    reads = [next(line for line in answer.lines if line.call.name == "read") for answer in (old, new)]
    assert [line.answered for line in reads] == ["allowed", "bitmap"]
    assert (reads[0].cost_ns or 0) > (reads[1].cost_ns or 0)
    cost = {each.name: each.cost_s for each in old.structures}
    assert cost["ordered"] > cost["bitmap"]  # both run the filter there
    assert "on Linux 5.10" in old.reason


@pytest.mark.parametrize("key", ["includes", "excludes"])
def test_every_condition_counts(key: str) -> None:
    holds = key == "includes"
    for name, value, assumed in (
        ("caps", ["CAP_SYS_ADMIN"], ADMIN),
        ("arches", ["s390", "s390x"], Assumed(arch="s390x")),
        ("minKernel", "6.2", Assumed(kernel=(6, 2))),
        ("minKernel", "6.2", Assumed(kernel=(7, 0))),
    ):
        conditions: dict[str, Any] = {key: {name: value}}
        entry = rule("io_uring_setup", **conditions)
        assert (profile(entry, assumed=assumed).answer("io_uring_setup") == "bitmap") is holds
        assert (profile(entry).answer("io_uring_setup") == "bitmap") is not holds


def test_of_several_capabilities_includes_wants_all_and_excludes_any() -> None:
    both = {"caps": ["CAP_CHOWN", "CAP_SYS_ADMIN"]}
    assert answers(profile(rule("a", includes=both)), "a") == ["refused"]
    assert answers(profile(rule("a", includes=both), assumed=ADMIN), "a") == ["bitmap"]
    assert answers(profile(rule("a", excludes=both)), "a") == ["refused"]


def test_a_condition_on_a_newer_kernel_stays_open_unless_the_kernel_is_given() -> None:
    entry = rule("futex_waitv", includes={"minKernel": "5.16"})
    assert profile(entry).newer == ("futex_waitv",)
    assert profile(entry, assumed=Assumed(kernel=(5, 15))).newer == ()
    text = CALLS.read_bytes()
    (answer,) = answer_filters([("c", text), ("p", json.dumps({"defaultAction": ERRNO, "syscalls": [entry]}).encode())],
                               Request())  # fmt: skip
    assert "futex_waitv" in answer.open[0]


@pytest.mark.parametrize("action", sorted(ANSWERS))
def test_only_allow_is_in_the_bitmap(action: str) -> None:
    by_rule = profile(rule("a", action=action), defaultAction="SCMP_ACT_TRAP")
    by_default = profile(defaultAction=action)
    wanted = "bitmap" if action == ALLOW else ANSWERS[action]
    assert by_rule.answer("a") == by_default.answer("a") == wanted
    assert by_default.is_constant("a") is (action == ALLOW)


def test_rules_of_one_call_are_those_that_libseccomp_keeps() -> None:
    some, every, kill = rule("a", args=[ARG]), rule("a"), rule("a", action="SCMP_ACT_KILL_PROCESS")
    assert [len(profile(*given).rules) for given in ((some, every), (every, some), (some, some))] == [1, 1, 2]
    assert answers(profile(some, every), "a") == answers(profile(every, some), "a") == ["bitmap"]
    assert answers(profile(every, kill), "a") == ["bitmap"]  # the first without arguments
    assert answers(profile(kill, every), "a") == ["refused"]
    assert answers(profile(some, kill), "a") == ["refused"]
    assert answers(profile(some), "a") == ["by arguments"]


def test_rules_with_the_default_action_are_left_out_and_others_are_not() -> None:
    assert profile(rule("a", action=ERRNO), rule("a")).answer("a") == "bitmap"
    nosys = rule("clone3", action=ERRNO, errnoRet=38)
    assert profile(nosys, rule("clone3")).answer("clone3") == "refused"
    assert profile(nosys, rule("clone3"), defaultErrnoRet=38).answer("clone3") == "bitmap"
    denied = profile(rule("a", action=ERRNO, args=[ARG]), defaultAction=ALLOW)
    assert answers(denied, "a", "b") == ["by arguments", "bitmap"]
    assert profile(rule("a", args=[ARG]), defaultAction=ALLOW).answer("a") == "bitmap"


def test_the_form_of_old_docker_profiles_is_read() -> None:
    """One name for each entry, `architectures`, empty conditions."""
    entries: list[dict[str, Any]] = [
        {"name": "accept", "action": ALLOW, "args": []},
        {"name": "clone", "action": ALLOW, "args": [ARG], "comment": "", "includes": {}, "excludes": {}},
        {"names": ["ptrace"], "action": ALLOW, "args": None, "includes": None, "excludes": {"caps": None}},
    ]
    found = profile(*entries, architectures=["SCMP_ARCH_S390X", "SCMP_ARCH_S390"])
    assert answers(found, "accept", "clone", "ptrace") == ["bitmap", "by arguments", "bitmap"]
    assert (found.container.arch, found.container.sources["arch"]) == ("s390x", "architectures of the profile")
    assert found.unknown == ()


def test_the_form_of_podman_profiles_is_read() -> None:
    """ENOSYS by default, errors by name beside their number, rules that refuse with conditions."""
    entries = [
        rule("bdflush", action=ERRNO, errnoRet=1, errno="EPERM", args=[], comment="", includes={}, excludes={}),
        rule("mount", "umount2", args=[], includes={"caps": ["CAP_SYS_ADMIN"]}, excludes={}),
        rule("mount", action=ERRNO, errnoRet=1, errno="EPERM", args=[], includes={},
             excludes={"caps": ["CAP_SYS_ADMIN"]}),
        rule("personality", args=[{"index": 0, "value": 0, "valueTwo": 0, "op": "SCMP_CMP_EQ"}]),
        rule("personality", args=[{"index": 0, "value": 8, "valueTwo": 0, "op": "SCMP_CMP_EQ"}]),
    ]  # fmt: skip
    root: dict[str, Any] = {
        "defaultErrnoRet": 38,
        "defaultErrno": "ENOSYS",
        "archMap": [{"architecture": "SCMP_ARCH_X86_64"}],
    }
    names = ("bdflush", "mount", "umount2", "personality")
    assert answers(profile(*entries, **root), *names) == ["refused", "refused", "refused", "by arguments"]
    assert answers(profile(*entries, **root, assumed=ADMIN), *names) == ["refused", "bitmap", "bitmap", "by arguments"]


def test_a_config_json_has_the_filter_that_a_runtime_loads() -> None:
    """Without conditions: a runtime does not know them."""
    seccomp = {"defaultAction": ERRNO, "architectures": ["SCMP_ARCH_AARCH64"], "flags": [],
               "syscalls": [rule("mount", includes={"caps": ["CAP_SYS_ADMIN"]})]}  # fmt: skip
    config = {
        "ociVersion": "1.0.2",
        "process": {"capabilities": {"bounding": ["CAP_KILL"]}},
        "linux": {"seccomp": seccomp},
    }
    found = read_profile(json.dumps(config).encode(), "config.json")
    assert found.answer("mount") == "bitmap"
    assert found.container.caps == {"CAP_KILL"}
    assert found.container.arch == "arm64"
    assert found.unknown == ("syscalls.includes",)


def test_a_profile_of_kubernetes_as_json_is_read() -> None:
    spec = {
        "defaultAction": ERRNO,
        "architectures": ["SCMP_ARCH_X86_64"],
        "syscalls": [rule("read"), rule("ioctl", args=[ARG])],
    }
    whole = {"apiVersion": "security-profiles-operator.x-k8s.io/v1beta1", "kind": "SeccompProfile", "spec": spec}
    found = read_profile(json.dumps(whole).encode(), "p.json")
    assert answers(found, "read", "ioctl", "mount") == ["bitmap", "by arguments", "refused"]


def test_keys_without_a_meaning_are_said() -> None:
    files = [("c", CALLS.read_bytes()), ("p", json.dumps({
        "defaultAction": ERRNO, "version": 2, "syscalls": [
            rule("read", priority=1, includes={"cgroups": ["a"]}), rule("clone", args=[{**ARG, "size": 4}]),
        ],
    }).encode())]  # fmt: skip
    (answer,) = answer_filters(files, Request())
    (caveat,) = [caveat for caveat in answer.caveats if "keys" in caveat]
    assert caveat.endswith("args.size, includes.cgroups, syscalls.priority, version")


def test_calls_that_succeeded_although_they_are_refused_are_said() -> None:
    text = CALLS.read_text().replace("      1000      1000 mount", "      1000       999 mount")
    (answer,) = answer_filters([("c", text.encode()), ("p", CONDITIONS.read_bytes())], Request())
    assert any("that the profile refuses succeeded: mount;" in caveat for caveat in answer.caveats)
    (fine,) = answer_filters([("c", CALLS.read_bytes()), ("p", CONDITIONS.read_bytes())], Request())
    assert not any("succeeded" in caveat for caveat in fine.caveats)


def test_calls_without_times_give_no_recommendation() -> None:
    dashes = "--------- --------- ----------------\n"
    rows = "                1000 read\n                1000 clone\n"
    table = f"   errors     calls syscall\n{dashes}{rows}{dashes}                2000 total\n"
    (answer,) = answer_filters([("c", table.encode()), ("p", CONDITIONS.read_bytes())], Request())
    assert answer.recommendation is None
    assert "have no times" in answer.reason
    assert answer.needed


@pytest.mark.parametrize(
    ("syscalls", "root", "what", "key"),
    [
        (rule("a", action="SCMP_ACT_ALOW"), {}, "not an action: SCMP_ACT_ALOW", "syscalls[0].action"),
        ({"name": "a", "names": ["b"], "action": ALLOW}, {}, "name and names", "syscalls[0]"),
        (rule("a", includes={"caps": "CAP_KILL"}), {}, "not a list of names", "syscalls[0].includes.caps"),
        (rule("a", excludes={"minKernel": "new"}), {}, "not a version: new", "syscalls[0].excludes.minKernel"),
        (rule("a", args=[{**ARG, "op": "EQ"}]), {}, "not a comparison: EQ", "syscalls[0].args[0].op"),
        (rule("a", args=[{**ARG, "index": 6}]), {}, "no argument: 6", "syscalls[0].args[0].index"),
        (rule("a", includes=["x"]), {}, "not an object", "syscalls[0].includes"),
        (rule("a"), {"architectures": ["SCMP_ARCH_X86"], "archMap": [{}]}, "architectures and archMap", ""),
    ],
    ids=str,
)
def test_what_no_loader_takes_has_its_place(
    syscalls: dict[str, Any], root: dict[str, Any], what: str, key: str
) -> None:
    with pytest.raises(InputError) as caught:
        profile(syscalls, **root)
    (found,) = caught.value.problems
    assert (found["what"], found["key"]) == (what, key)


@pytest.mark.parametrize("text", ["caps=SYS_ADMN", "arch=z80", "kernel=new", "knee=5%", "caps"])
def test_assumptions_that_are_none_are_refused(text: str, slicewright: CommandLine) -> None:
    asked = slicewright("advise", "exits", str(CALLS), str(CONDITIONS), "--assume", text)
    assert asked.status == 2
    assert "assume" in asked.err
    alone = slicewright("advise", "exits", str(CALLS), "--assume", "caps=all")
    assert alone.status == 2
    assert "no effect without a seccomp profile" in alone.err


def test_capabilities_are_added_to_docker_s_or_taken_from_them() -> None:
    found = assumed_container(["caps=SYS_ADMIN,-CAP_NET_RAW", "arch=x86_64"], [])
    assert found.caps == DOCKER - {"CAP_NET_RAW"} | {"CAP_SYS_ADMIN"}
    assert found.arch == "amd64"
    assert len(DOCKER) == 14
    assert len(ALL) == 41
