"""Builds what is published, into target/dist: a source archive and a wheel; refuses one that is incomplete.

python packaging/dist.py
"""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import backend

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "target" / "dist"
PACKAGE = PurePosixPath("python/slicewright")
CARRIED = ("published", "scenarios", "docs/validation")
"""The folders that `packaging/backend.py` copies into the wheel."""


def tracked(root: Path) -> list[PurePosixPath]:
    """The files of a checkout that git knows and that are there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    return [PurePosixPath(name) for name in listed.split("\0") if name and (root / name).is_file()]


def of_wheel(files: Iterable[PurePosixPath]) -> set[str]:
    """The names in a whole wheel, of the tracked files: the package, the engine, and the folders that it carries.

    >>> sorted(of_wheel([PurePosixPath("python/slicewright/run/run.py"), PurePosixPath("scenarios/pool.toml")]))
    ['slicewright/_core.abi3.so', 'slicewright/data/scenarios/pool.toml', 'slicewright/run/run.py']
    """
    names = {"slicewright/_core.abi3.so"}
    for file in files:
        if file.is_relative_to(PACKAGE):
            names.add(str(file.relative_to(PACKAGE.parent)))
        elif any(file.is_relative_to(folder) for folder in CARRIED) and file.suffix != ".md":
            names.add(f"slicewright/data/{file}")
    return names


def faults_of_sdist(sdist: Path, files: Iterable[PurePosixPath]) -> list[str]:
    """A sentence for each tracked file that the source archive lacks or has otherwise."""
    with tarfile.open(sdist) as archive:
        members = {PurePosixPath(*PurePosixPath(entry.name).parts[1:]): entry for entry in archive if entry.isfile()}
        faults = []
        for file in files:
            stream = archive.extractfile(members[file]) if file in members else None
            if stream is None:
                faults.append(f"{sdist.name}: {file} is missing")
            elif stream.read() != (ROOT / file).read_bytes():
                faults.append(f"{sdist.name}: {file} is not that of the checkout")
    return faults


def faults_of_wheel(wheel: Path, files: Iterable[PurePosixPath]) -> list[str]:
    """A sentence for each file that the wheel lacks."""
    with zipfile.ZipFile(wheel) as archive:
        return [f"{wheel.name}: {name} is missing" for name in sorted(of_wheel(files) - set(archive.namelist()))]


def main() -> int:
    """Build both; exit status 1, and nothing in target/dist, if one of them is not whole."""
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    os.chdir(ROOT)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # where maturin is
    sdist, wheel = PLACE / backend.build_sdist(str(PLACE)), PLACE / backend.build_wheel(str(PLACE))
    files = tracked(ROOT)
    faults = faults_of_sdist(sdist, files) + faults_of_wheel(wheel, files)
    if faults:
        shutil.rmtree(PLACE)
        print("\n".join(faults), file=sys.stderr)
        return 1
    print("\n".join(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1e6:.1f} MB" for path in (sdist, wheel)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
