"""Do odd names, bad files and full disks leave the rest of the page as it was; does no scenario read other files?"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from slicewright._core import starter
from slicewright.run.manifest import facts_of, text_of
from slicewright.run.run import run

from tests.serve.conftest import Served, Visit

FILE = Path(__file__).parents[2] / "published" / "hyperpav" / "device-reports" / "Y032181H.txt"
SECRET = "root:x:0:0:the secret of another file"
SCENARIOS = Path(__file__).parents[2] / "scenarios"
REPLAY = """\
name = "a recording"
assume = "an example"

[[volume]]
name = "A"
device = "1000"
service = {{ connect = "1 ms" }}

[[guest]]
name = "G"
replay = {file}

[measure]
interval = "1 s"
warm_up = "0 s"
"""
LISTS = re.sub(
    r'name_lists = """.*?"""', "name_lists = {{ file = {file} }}",
    (SCENARIOS / "own-exits.toml").read_text("utf-8").replace("{", "{{").replace("}", "}}"), flags=re.DOTALL,
)  # fmt: skip
"""Scenarios that name a file: a recording, and name lists."""
BEYOND = "may not be read here"


@pytest.mark.parametrize(
    "name", [b"-", b"caf\xe9.txt", b"\xff\xfe", "B\u00fcro \U0001f600.txt".encode(), b"a\nb.txt", b"--out", b"*"]
)
def test_a_named_file_with_an_odd_name_is_shown(starting: Callable[..., Served], tmp_path: Path, name: bytes) -> None:
    place = os.fsencode(tmp_path) + b"/" + name
    Path(os.fsdecode(place)).write_bytes(FILE.read_bytes())
    served = starting(Path(os.fsdecode(place)))
    (drop,) = served.ask("GET", "/state").json["drops"]
    found = served.done("describe", drop=drop["id"])
    assert (found["state"], found["problems"]) == ("done", [])
    assert "9,979 I/O/s" in found["result"]["html"]
    assert served.done("ask", drop=drop["id"], question="nothing", options={})["state"] == "refused"
    assert served.done("record", drop=drop["id"])["state"] == "refused"
    assert served.ask("GET", "/state").status == 200


def test_a_scenario_whose_name_has_two_lines_is_read_from_its_file(
    starting: Callable[..., Served], tmp_path: Path
) -> None:
    path = tmp_path / "a\nb.toml"
    path.write_text(starter("mm1").replace('"10 min"', '"1 s"'))
    served = starting(path)
    (drop,) = served.ask("GET", "/state").json["drops"]
    assert served.done("record", drop=drop["id"])["state"] == "done"


def test_a_page_with_an_undecodable_name_goes_on(starting: Callable[..., Served], tmp_path: Path, browser: Any) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_bytes(FILE.read_bytes())
    served = starting(path)
    page = browser.new_page()
    page.goto(served.address)
    page.click(".cards a")
    page.wait_for_selector("text=is a DEVICE report")
    assert "16,384" not in page.inner_text("main")
    page.close()


@pytest.mark.parametrize("text", ["\ud800", 'name = "\udce9"', "\udfff\ud800", "a\ud83d"])
def test_half_of_a_character_in_a_text_is_a_problem_or_none_of_ours(served: Served, text: str) -> None:
    for task in ("check", "simulate", "full", "describe", "record"):
        found = served.done(task, text=f"{starter('mm1')}\n# {text}", changes=[], about=text, name=text)
        assert "this is a bug" not in json.dumps(found), task
        assert found["state"] in ("done", "refused"), task
    assert served.ask("GET", "/state").status == 200


def test_a_file_with_half_a_character_in_its_name_is_taken(visit: Visit) -> None:
    visit.page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "half \\ud800.txt"));
            document.getElementById("choose").files = data.files;
            document.getElementById("choose").dispatchEvent(new Event("change"));
        }""",
        FILE.read_text(),
    )
    visit.page.wait_for_selector("text=is a DEVICE report")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_of_json_is_refused(served: Served, number: str) -> None:
    text = json.dumps({"task": "simulate", "arguments": {"text": starter("mm1"), "changes": []}})
    assert (
        served.ask("POST", "/jobs", text.replace('"changes"', f'"pace_s": {number}, "changes"').encode()).status == 422
    )


def test_one_bad_file_leaves_the_good_ones(served: Served) -> None:
    good = {"a.txt": FILE.read_bytes(), "b.txt": FILE.read_bytes().replace(b"Y032181H", b"Y032183H")}
    for bad in (b"Dear analyst\n", b"", b"\0\1\2" * 99, b"\x1f\x8b\x08broken", b"FCX108  Run\n", b"PAR1broken"):
        drop = served.drop({"0bad.txt": bad, **good})
        found = served.done("describe", drop=drop)
        assert found["state"] == "done", bad
        assert found["result"]["names"] == ["a.txt", "b.txt"]
        assert {problem["file"] for problem in found["result"]["left"]} == {"0bad.txt"}
        asked = served.done("describe", drop=drop, only=["a.txt"])
        assert (asked["state"], asked["result"]["left"]) == ("done", [])


def test_a_file_that_is_not_of_the_drop_cannot_be_asked_for(served: Served) -> None:
    drop = served.drop({"a.txt": FILE.read_bytes()})
    for only in (["b.txt"], ["../a.txt"], ["/etc/passwd"], "a.txt", [1], [["a.txt"]], {"a.txt": 1}):
        asked = {"task": "describe", "arguments": {"drop": drop, "only": only}}
        assert served.ask("POST", "/jobs", json.dumps(asked).encode()).status == 422


def test_the_page_shows_what_was_left_and_each_file_alone(visit: Visit, tmp_path: Path) -> None:
    for name, data in {"good.txt": FILE.read_bytes(), "bad.txt": b"Dear analyst\n"}.items():
        (tmp_path / name).write_bytes(data)
    visit.page.set_input_files("#choose", [tmp_path / "bad.txt", tmp_path / "good.txt"])
    visit.page.wait_for_selector("text=good.txt is a DEVICE report")
    assert "bad.txt" in visit.page.inner_text(".problems")
    visit.page.click("text=Look at one of its 2 files alone")
    visit.page.click(".files a:has-text('bad.txt')")
    visit.page.wait_for_selector(".problems >> text=no page of devices")
    visit.page.click(".files a:has-text('good.txt')")
    visit.page.wait_for_selector("text=good.txt is a DEVICE report")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that a scenario may not read."""
    path = tmp_path / "secret.csv"
    path.write_text(f"{SECRET}\n1,A\n")
    return path


def _named(secret: Path) -> list[str]:
    """Names by which a text could reach a file."""
    up = "../" * 20
    return [
        str(secret),
        f"{up}{str(secret).lstrip('/')}",
        "/proc/self/environ",
        "/etc/passwd",
        "/no/such/file",
        "/dev/stdin",
    ]


def test_a_text_on_the_page_reads_no_other_file(served: Served, secret: Path) -> None:
    drop = served.drop({"a.toml": starter("mm1").encode(), "link.csv": b"time_s,volume\n0,A\n"})
    for name in _named(secret):
        for form in (REPLAY, LISTS):
            text = form.format(file=json.dumps(name))
            for task in ("check", "simulate", "full", "record", "describe", "rewrite"):
                for beside in ({}, {"drop": drop}, {"shipped": "pool"}):
                    if task in ("record", "describe") and beside:
                        continue
                    found = json.dumps(served.done(task, text=text, changes=[], **beside))
                    assert "secret of another" not in found
                    assert "root:" not in found
                    assert "no such file" not in found
                    assert "this is a bug" not in found
                    if form == LISTS or task in ("simulate", "full", "record"):
                        assert BEYOND in found, (task, name)
    for form in (REPLAY, LISTS):  # neither standard input nor the messages of the server, which a task would wait for
        for beside in ({}, {"drop": drop}):
            assert served.done("simulate", text=form.format(file='"-"'), changes=[], **beside)["state"] == "refused"
    text, change = REPLAY.format(file='"link.csv"'), f'guest.G.replay="{secret}"'
    assert served.done("simulate", text=text, changes=[], drop=drop)["state"] == "done"
    for task in ("simulate", "full"):
        assert served.done(task, text=text, changes=[change], drop=drop)["problems"][0]["what"] == BEYOND


@pytest.mark.parametrize("form", [REPLAY, LISTS])
def test_a_dropped_scenario_reads_only_what_was_dropped_with_it(served: Served, secret: Path, form: str) -> None:
    for name in _named(secret):
        drop = served.drop({"a.toml": form.format(file=json.dumps(name)).encode()})
        for task, more in (("describe", {}), ("ask", {"question": "aliases", "options": {}}), ("record", {})):
            found = json.dumps(served.done(task, drop=drop, **more))
            assert "secret of another" not in found
            assert "root:" not in found
            assert "no such file" not in found


def test_a_dropped_scenario_reads_what_was_dropped_with_it(served: Served) -> None:
    text = REPLAY.format(file='"io.csv"')
    drop = served.drop({"a.toml": text.encode(), "io.csv": b"time_s,volume\n0,A\n0.1,A\n"})
    for task in ("simulate", "full"):
        assert served.done(task, drop=drop, text=text, changes=[])["state"] == "done"
    assert served.done("record", drop=drop)["state"] == "done"
    assert served.done("describe", drop=drop, only=["a.toml"])["state"] == "done"
    shipped = SCENARIOS / "replay.toml"
    changes = ["measure.replications=1"]
    assert served.done("simulate", shipped="replay", text=shipped.read_text(), changes=changes)["state"] == "done"


def test_a_named_scenario_reads_what_it_names_and_a_text_made_of_it_no_more(
    starting: Callable[..., Served], tmp_path: Path, secret: Path
) -> None:
    (tmp_path / "io.csv").write_text("time_s,volume\n0,A\n0.1,A\n")
    text = REPLAY.format(file='"io.csv"')
    (tmp_path / "a.toml").write_text(text)
    served = starting(tmp_path / "a.toml")
    (drop,) = served.ask("GET", "/state").json["drops"]
    assert served.done("simulate", drop=drop["id"], text=text, changes=[])["state"] == "done"
    other = REPLAY.format(file='"secret.csv"')
    found = served.done("simulate", drop=drop["id"], text=other, changes=[])
    assert "secret of another" not in json.dumps(found)
    assert found["problems"][0]["what"] == BEYOND


def test_a_run_directory_whose_manifest_names_other_files_reads_none(
    served: Served, secret: Path, small: Path, tmp_path: Path
) -> None:
    run(str(small)).save(tmp_path / "run")
    files = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in (tmp_path / "run").rglob("*.*")}
    assert served.done("describe", drop=served.drop(files))["result"]["kind"] == "a simulated run"
    for name in (str(secret), f"{'../' * 20}{str(secret).lstrip('/')}", "/proc/self/environ", "/no/such/file"):
        facts = facts_of(files["run/manifest.json"])
        facts["files"][name] = {"bytes": 7, "sha256": "0" * 64}
        found = served.done("describe", drop=served.drop({**files, "run/manifest.json": text_of(facts).encode()}))
        assert found["state"] == "refused"
        assert "written" not in found["problems"][0]["why"]  # not even its length


@pytest.mark.parametrize("option", ["pool_listing", "prometheus", "patch", "out", "html", "own", "format", "nothing"])
def test_an_option_that_leads_elsewhere_is_refused(served: Served, secret: Path, option: str) -> None:
    drop = served.drop({"a.txt": FILE.read_bytes()})
    found = served.done("ask", drop=drop, question="aliases", options={option: str(secret)})
    assert found["state"] == "refused"
    assert "secret of another" not in json.dumps(found)
    offered = json.dumps(served.done("describe", drop=drop)["result"]["questions"])
    assert f'"{option}"' not in offered


def test_an_option_that_may_be_repeated_is_one_text(served: Served) -> None:
    drop = served.drop({"a.txt": FILE.read_bytes()})
    found = served.done(
        "ask",
        drop=drop,
        question="aliases",
        options={"pool": "522A-5231", "at": ["0"], "assume": ["population=3", "sharing=2%", "redispatch=none"]},
    )
    assert (found["state"], found["problems"]) == ("done", [])


SMALL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
from slicewright.cli.main import main
main()
"""
"""A server whose files can have two hundred kilobytes: the system refuses more, nearly as on a full disk."""


def _is_clear(answer: dict[str, Any]) -> bool:
    (problem,) = answer["problems"]
    return problem["what"] == "the disk is full" and "TMPDIR" in problem["remedy"]


def test_a_file_that_finds_no_room_is_answered(starting: Callable[..., Served], tmp_path: Path) -> None:
    served = starting(program=("-c", SMALL))
    drop = served.drop({"a.txt": FILE.read_bytes()})
    answer = served.ask("PUT", f"/drops/{drop}/big.txt", b"x" * 1_000_000)
    assert answer.status == 507
    assert _is_clear(answer.json)
    assert served.done("describe", drop=drop)["result"]["names"] == ["a.txt"]
    text = starter("pool")
    found = served.done("record", text=text, start="0 s", length="20 s")
    assert found["state"] == "failed"
    assert _is_clear(found), found
    assert served.done("describe", drop=drop)["state"] == "done"


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one mebibyte, of which most is taken."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = (
        os.geteuid() == 0
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], check=False, stderr=subprocess.DEVNULL
        ).returncode
        == 0
    )
    if not mounted:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_disk_that_is_full_is_answered(
    starting: Callable[..., Served], full_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(full_disk))
    served = starting()
    drop = served.drop({"a.txt": FILE.read_bytes()})
    for name in ("big.txt", "bigger.txt"):
        answer = served.ask("PUT", f"/drops/{drop}/{name}", b"x" * 3_000_000)
        assert answer.status == 507
        assert _is_clear(answer.json)
    found = served.done("describe", drop=drop)
    assert (found["state"], found["result"]["names"]) == ("done", ["a.txt"])
    (full_disk / "filled").write_bytes(b"x" * (os.statvfs(full_disk).f_bavail * os.statvfs(full_disk).f_bsize))
    assert _is_clear(served.ask("PUT", f"/drops/{drop}/b.txt", FILE.read_bytes()).json)
    assert _is_clear(served.done("record", text=starter("pool"), start="0 s", length="20 s"))
    assert served.done("describe", drop=drop)["state"] == "done"
