"""The container file, the job and the dashboard of a cluster: do they name what is there, and what exists?"""

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from slicewright.advise.limits.fleet.exposition import exposition
from slicewright.cli.main import main

from tests.advise.fleet_example import answer
from tests.tidy.tree import ROOT

CONTAINER = (ROOT / "packaging" / "Containerfile").read_text("utf-8").replace("\\\n", " ")
INSTRUCTIONS = [line.split(maxsplit=1) for line in CONTAINER.splitlines() if line and not line.startswith("#")]


def test_the_base_image_is_named_without_the_host_of_a_registry() -> None:
    (base,) = [rest for word, rest in INSTRUCTIONS if word == "FROM"]
    assert re.fullmatch(r"[a-z]+:[\w.-]+", base)


def test_what_is_copied_is_what_make_dist_and_the_checkout_have() -> None:
    (copied,) = [rest.split()[:-1] for word, rest in INSTRUCTIONS if word == "COPY"]
    assert copied == ["requirements.lock", "target/dist/slicewright-*.whl"]
    assert (ROOT / "requirements.lock").exists()


def test_packages_are_installed_by_hash_and_the_wheel_without_others() -> None:
    installs = [part for word, rest in INSTRUCTIONS if word == "RUN" for part in rest.split("&&") if "pip" in part]
    assert [("--require-hashes" in part, "--no-deps" in part) for part in installs] == [(True, False), (False, True)]


def test_the_program_does_not_run_as_root() -> None:
    words = [word for word, _ in INSTRUCTIONS]
    assert words.index("USER") < words.index("ENTRYPOINT")


def test_the_job_asks_with_options_that_the_command_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    yaml: Any = importlib.import_module("yaml")
    job = yaml.safe_load((ROOT / "packaging" / "cronjob.yaml").read_text("utf-8"))
    (container,) = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    monkeypatch.chdir(tmp_path)
    words = [word.replace("http://prometheus:9090", "http://127.0.0.1:9") for word in container["args"]]
    assert main([str(tmp_path / "out") if word.startswith("/metrics") else word for word in words]) in (1, 2)
    assert "the server cannot be asked" in capsys.readouterr().err


def test_the_dashboard_asks_for_metrics_that_are_written() -> None:
    dashboard = json.loads((ROOT / "packaging" / "grafana-dashboard.json").read_text("utf-8"))
    asked = {name for panel in dashboard["panels"] for target in panel["targets"]
             for name in re.findall(r"slicewright_\w+", target["expr"])}  # fmt: skip
    written = set(re.findall(r"^# TYPE (slicewright_\w+)", exposition(answer()), re.MULTILINE))
    assert asked
    assert asked <= written
