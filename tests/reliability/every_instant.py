"""A process that ends another at each of its calls to the system in turn, and looks at what is left each time."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from slicewright.values import workplace as module
from slicewright.values.files import Earlier, whole_directory, write_whole
from slicewright.values.workplace import clear_away

NAMES = frozenset({"a", "b", "raw"})
EARLIER = Earlier("a", NAMES.__contains__)
SYSTEM = ("posix", "fcntl", "_io")


def main(words: list[str]) -> int:
    """End a saver at every call to the system; the words: what it saves, how it ends, how names change places."""
    what, ending, replacing = words
    save, seen = (_save_directory, _directory) if what == "directory" else (_save_file, _file)
    if replacing != "at once":
        module._exchange = lambda one, other: False
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk would be waited for at every instant
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = Path(name)
        instant, ended = 0, False
        while not ended:
            instant += 1
            save(folder, "earlier")
            ended = _saved_under_fire(lambda: save(folder, "new"), instant, ending)
            nothing = [None] if replacing != "at once" else []
            _expect(instant, seen(folder), ["earlier", "new", *nothing])
            if replacing == "then removed" and (folder / "out").exists():
                shutil.rmtree(folder / "out")
            clear_away(folder)
            _expect(instant, seen(folder), ["earlier", "new", *([None] if replacing == "then removed" else [])])
            _expect(instant, {path.name for path in folder.iterdir()} - {"out"}, [set()])
    return instant


def _expect(instant: int, left: object, allowed: list[Any]) -> None:
    assert left in allowed, f"instant {instant}: {left}"


def _saved_under_fire(save: Callable[[], None], instant: int, ending: str) -> bool:
    """Save in a process that ends before the given call to the system; whether it was through before."""
    child = os.fork()
    if child == 0:
        sys.setprofile(_Fuse(instant, ending))
        try:
            save()
        except KeyboardInterrupt:
            os._exit(1)
        sys.setprofile(None)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


class _Fuse:
    """Ends its own process before the given call to the system."""

    def __init__(self, instant: int, ending: str) -> None:
        self._left, self._ending = instant, ending

    def __call__(self, frame: object, event: str, called: Any) -> None:
        if event != "c_call" or called.__module__ not in SYSTEM:
            return
        self._left -= 1
        if self._left:
            return
        if self._ending == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        raise KeyboardInterrupt


def _save_directory(folder: Path, text: str) -> None:
    with whole_directory(folder / "out", EARLIER) as partial:
        (partial / "a").write_text(text)
        (partial / "raw").mkdir()
        (partial / "raw" / "c").write_text(text)
        (partial / "b").write_text(text)


def _save_file(folder: Path, text: str) -> None:
    write_whole(folder / "out", text.encode())


def _directory(folder: Path) -> str | None:
    out = folder / "out"
    if not out.is_dir():
        return None
    files = {str(path.relative_to(out)): path.read_text() for path in out.rglob("*") if path.is_file()}
    texts = set(files.values())
    return texts.pop() if files.keys() == {"a", "b", "raw/c"} and len(texts) == 1 else f"in part: {files}"


def _file(folder: Path) -> str | None:
    out = folder / "out"
    return out.read_text() if out.is_file() else None


if __name__ == "__main__":
    print(main(sys.argv[1:]))
