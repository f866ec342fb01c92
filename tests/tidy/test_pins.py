"""Every dependency is pinned to one version, says why it is there, and every place gives the same version."""

import re
import tomllib
from itertools import pairwise

from tests.tidy.outline import outline
from tests.tidy.tree import Source, example, listing, source, sources

LOCKS = {
    "requirements.in": "requirements.lock",
    "requirements-build.in": "requirements-build.lock",
    "requirements-dev.in": "requirements-dev.lock",
    "requirements-clients.in": "requirements-clients.lock",
    "requirements-dask.in": "requirements-dask.lock",
    "requirements-sensitivity.in": "requirements-sensitivity.lock",
    "requirements-optuna.in": "requirements-optuna.lock",
}
# How the Makefile, and Sphinx's configuration, use what nothing imports.
TOOLS = {
    "mypy": "$(BIN)/mypy",
    "pytest-xdist": "-n 2",
    "ruff": "$(BIN)/ruff",
    "setuptools": "--no-build-isolation",
    "sphinx": "$(BIN)/sphinx-build",
}
# Packages whose modules have other names.
MODULES = {
    "adapya-base": "adapya",
    "axe-playwright-python": "axe_playwright_python",
    "prometheus-client": "prometheus_client",
    "salib": "SALib",
    "vl-convert-python": "vl_convert",
}
SITE = {"furo": 'html_theme = "furo"', "myst-parser": '"myst_parser"'}
DECISION = "docs/decisions/0002-dependencies.md"
# Crates of the benchmark's peers: a workspace of its own.
PEERS = "benches/peers/Cargo.toml"


def loose_crates(manifest: Source) -> list[str]:
    """Crates from outside that a Cargo.toml does not pin with `=`; those of this workspace have paths instead."""
    parsed = tomllib.loads(manifest.text)
    tables = [parsed.get("workspace", {}).get("dependencies", {})]
    tables += [parsed.get(name, {}) for name in ("dependencies", "dev-dependencies", "build-dependencies")]
    problems = []
    for name, wanted in ((name, wanted) for table in tables for name, wanted in table.items()):
        detail = {"version": wanted} if isinstance(wanted, str) else wanted
        inside = "path" in detail or detail.get("workspace") is True
        if not inside and not re.fullmatch(r"=\d+\.\d+\.\d+\S*", detail.get("version", "")):
            problems.append(f"{manifest.path}: {name} = {detail.get('version')!r} is a range; pin it with '='")
    return problems


def loose_lines(file: Source) -> list[str]:
    """Lines of a requirements file that are neither a comment, a constraint, a hash nor `name==version`."""
    fine = re.compile(r"#.*|-c \S+|    --hash=sha256:[0-9a-f]{64}( \\)?|[a-z0-9-]+==[0-9][^\s,*]*( ; [^\\]+)?( \\)?|")
    return [
        f"{file.path}:{number}: '{line}' is not a pin"
        for number, line in enumerate(file.lines, 1)
        if not fine.fullmatch(line)
    ]


def unhashed(lock: Source) -> list[str]:
    """Pins of a lock file that no hash follows."""
    lines = [*lock.lines, ""]
    return [
        f"{lock.path}: '{line}' has no hash"
        for line, following in pairwise(lines)
        if "==" in line and not following.lstrip().startswith("--hash=sha256:")
    ]


def pins(file: Source) -> dict[str, str]:
    """The names of a requirements file and their versions."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", file.text, re.MULTILINE))


def differing(wanted: dict[str, str], given: dict[str, str]) -> list[str]:
    """Names whose wanted version is not the given one."""
    return [
        f"{name}: {version} is wanted and {given.get(name, 'nothing')} is given"
        for name, version in wanted.items()
        if given.get(name) != version
    ]


def direct() -> set[str]:
    """Every package, Rust or Python, that this project asks for by name."""
    crates = tomllib.loads(source("Cargo.toml").text)["workspace"]["dependencies"]
    outside = {name for name, wanted in crates.items() if "path" not in wanted}
    outside |= set(tomllib.loads(source(PEERS).text)["dependencies"])
    return outside.union(*(pins(source(name)) for name in LOCKS))


def unexplained(names: set[str], decision: Source) -> list[str]:
    """Names without a line of their own in the decision record."""
    explained = set(re.findall(r"^\| `([A-Za-z0-9_-]+)` \|", decision.text, re.MULTILINE))
    return [f"{decision.path}: no line says why `{name}` is there" for name in sorted(names - explained)] + [
        f"{decision.path}: `{name}` is explained and not used" for name in sorted(explained - names)
    ]


def imported(file: Source) -> set[str]:
    """The top-level modules that a Python file imports, inside functions too."""
    return {each.module.partition(".")[0] for each in outline(file).imports if not each.level}


def unused(names: set[str], used: set[str]) -> list[str]:
    """Names that nothing uses."""
    return [f"`{name}` is pinned and nothing uses it" for name in sorted(names - used)]


def test_no_crate_has_a_range() -> None:
    manifests = [file for file in sources(".toml") if file.path.name == "Cargo.toml"]
    problems = [p for manifest in manifests for p in loose_crates(manifest)]
    assert not problems, listing(problems)


def test_no_python_package_has_a_range() -> None:
    files = [source(name) for pair in LOCKS.items() for name in pair]
    problems = [p for file in files for p in loose_lines(file)]
    problems += [p for lock in LOCKS.values() for p in unhashed(source(lock))]
    assert not problems, listing(problems)


def test_what_is_asked_for_is_what_is_locked() -> None:
    problems = []
    for asked, lock in LOCKS.items():
        problems += [f"{lock}: {p}" for p in differing(pins(source(asked)), pins(source(lock)))]
    base, dev = pins(source("requirements.lock")), pins(source("requirements-dev.lock"))
    problems += [f"both locks: {p}" for p in differing({n: v for n, v in dev.items() if n in base}, base)]
    project = tomllib.loads(source("pyproject.toml").text)
    declared = dict(pin.split("==") for pin in project["project"]["dependencies"])
    problems += [f"pyproject.toml: {p}" for p in differing(pins(source("requirements.in")), declared)]
    for name, wanted in project["project"]["optional-dependencies"].items():
        extra = dict(pin.split("==") for pin in wanted)
        problems += [f"pyproject.toml: {p}" for p in differing(pins(source(f"requirements-{name}.in")), extra)]
    backend = dict(pin.split("==") for pin in project["build-system"]["requires"])
    problems += [f"pyproject.toml: {p}" for p in differing(backend, pins(source("requirements-build.lock")))]
    assert not problems, listing(problems)


def test_every_dependency_says_why_it_is_there() -> None:
    problems = unexplained(direct(), source(DECISION))
    assert not problems, listing(problems)


def test_every_dependency_is_used() -> None:
    makefile, site = source("Makefile").text, source("docs/conf.py").text
    used = {name for name, call in TOOLS.items() if call in makefile}.union(*(imported(f) for f in sources(".py")))
    used |= {name for name, words in SITE.items() if words in site}
    used |= {name for name, module in MODULES.items() if module in used}
    for manifest in [*sources(".toml", under="crates"), source(PEERS)]:
        if manifest.path.name == "Cargo.toml":
            parsed = tomllib.loads(manifest.text)
            for where in (parsed, *parsed.get("target", {}).values()):
                used |= {*where.get("dependencies", {}), *where.get("dev-dependencies", {})}
    problems = unused(direct(), used)
    assert not problems, listing(problems)


def test_every_place_gives_the_same_version() -> None:
    found = {
        "Cargo.toml": tomllib.loads(source("Cargo.toml").text)["workspace"]["package"]["version"],
        "pyproject.toml": tomllib.loads(source("pyproject.toml").text)["project"]["version"],
        "CITATION.cff": "".join(re.findall(r"^version: (\S+)$", source("CITATION.cff").text, re.MULTILINE)),
    }
    assert len(set(found.values())) == 1, f"the versions differ: {found}"
    assert f"## [{found['Cargo.toml']}]" in source("CHANGELOG.md").text, "CHANGELOG.md has no heading for this version"


def test_the_rules_find_what_they_are_for() -> None:
    assert loose_crates(example("Cargo.toml", '[dependencies]\nlibm = "0.2"\n'))
    assert loose_crates(example("Cargo.toml", '[workspace.dependencies]\ntoml = { version = "1.2.1" }\n'))
    assert not loose_crates(example("Cargo.toml", '[dependencies]\nlibm = "=0.2.16"\nunits = { path = "../units" }\n'))
    assert loose_lines(example("requirements.in", "numpy>=2\n"))
    assert loose_lines(example("requirements.lock", "--index-url https://somewhere\n"))
    assert not loose_lines(example("requirements.lock", "colorama==0.4.6 ; sys_platform == 'win32' \\\n"))
    assert unhashed(example("requirements.lock", "numpy==2.0.0\n"))
    assert differing({"numpy": "2.0.0"}, {"numpy": "2.0.1"})
    assert unexplained({"numpy"}, example("d.md", "| `scipy` | x |\n"))
    assert unused({"numpy"}, imported(example("a.py", "import numpyro\nfrom . import numpy\n")))
    assert not unused({"numpy"}, imported(example("a.py", "def f():\n    from numpy.random import x\n")))
    assert not unexplained({"numpy"}, example("d.md", "| `numpy` | arrays |\n"))
