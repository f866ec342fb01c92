"""The wheel and the source archive: whole, or refused; and what a wheel does without compiler and checkout."""

import importlib.util
import re
import site
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path, PurePosixPath
from types import ModuleType

import pytest

from tests.tidy.tree import ROOT


@pytest.fixture(scope="module")
def dist() -> ModuleType:
    """The script of `make dist`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "packaging")
        spec = importlib.util.spec_from_file_location("dist", ROOT / "packaging" / "dist.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def test_a_wheel_without_its_data_is_refused_by_name(dist: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "slicewright.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("slicewright/_core.abi3.so", "")
        archive.writestr("slicewright/run/run.py", "")
    files = [PurePosixPath("python/slicewright/run/run.py"), PurePosixPath("published/hyperpav/study.toml")]
    assert dist.faults_of_wheel(wheel, files) == [
        "slicewright.whl: slicewright/data/published/hyperpav/study.toml is missing"
    ]


def test_a_whole_wheel_has_every_study_and_no_page_of_the_documentation(dist: ModuleType) -> None:
    names = dist.of_wheel(dist.tracked(ROOT))
    assert {"slicewright/data/published/mdf/study.toml", "slicewright/data/docs/validation/mdf.json"} <= names
    assert not [name for name in names if name.endswith(".md")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel; it takes the dependencies, and only them, of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, ROOT / "packaging" / "dist.py"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
    (wheel,) = (ROOT / "target" / "dist").glob("*.whl")
    install: list[str | Path] = [
        folder / "env/bin/python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        wheel,
    ]
    subprocess.run(install, check=True)
    (own,) = (folder / "env").glob("lib/*/site-packages")
    (own / "dependencies.pth").write_text("\n".join(site.getsitepackages()), "utf-8")
    return folder / "env/bin"


def environment(programs: Path) -> dict[str, str]:
    """Nothing but the programs of the environment: no compiler, no make, no checkout."""
    return {"PATH": str(programs), "HOME": str(programs.parent), "LANG": "C.UTF-8"}


def printed(programs: Path, folder: Path, *words: str) -> str:
    """The output of a command in an empty folder; it must end well."""
    done = subprocess.run(
        [programs / "slicewright", *words], cwd=folder, env=environment(programs), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_wheel_alone_answers_the_first_case_of_the_readme(installed: Path, tmp_path: Path) -> None:
    where = subprocess.run(
        [installed / "python", "-c", "import slicewright; print(slicewright.__file__)"],
        cwd=tmp_path, env=environment(installed), check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(installed.parent))
    answer = printed(installed, tmp_path, "advise", "published/hyperpav/device-reports/Y032180H.txt")
    assert "15 aliases for the pool of 522A-5231" in answer


@pytest.mark.slow
def test_a_wheel_alone_reproduces_a_study(installed: Path, tmp_path: Path) -> None:
    assert "Y032181H" in printed(installed, tmp_path, "reproduce", "hyperpav", "--quick")


@pytest.mark.slow
def test_a_wheel_alone_serves_the_page(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "slicewright"), "serve", "--no-browser"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(installed), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as served:
        try:
            assert served.stdout is not None
            address = next(found for line in served.stdout if (found := re.search(r"http://\S+", line)))
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(), urllib.request.ProxyHandler({}))
            with browser.open(address.group()) as page:
                assert b"slicewright" in page.read()
        finally:
            served.terminate()


@pytest.mark.slow
def test_a_wheel_that_lost_its_data_says_what_is_missing(installed: Path, tmp_path: Path) -> None:
    (data,) = installed.parent.glob("lib/*/site-packages/slicewright/data")
    away = data.with_name("away")
    data.rename(away)
    try:
        done = subprocess.run(
            [installed / "slicewright", "reproduce", "hyperpav", "--quick"],
            cwd=tmp_path, env=environment(installed), capture_output=True, text=True,
        )  # fmt: skip
    finally:
        away.rename(data)
    assert done.returncode == 2
    assert "slicewright is not installed whole" in done.stderr
