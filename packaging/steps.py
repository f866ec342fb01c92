"""Runs a long step of `make setup` and prints what it is working on; its whole output only if it fails.

python packaging/steps.py LOG COMMAND...
"""

import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

WORKING_ON = re.compile(r"^\s*(Compiling|Collecting|Installing collected packages)\b:?\s*(\S*)")
SILENCE_S = 10.0


def worth_printing(line: str) -> str | None:
    """The message for the user from a line of cargo or pip, or None.

    >>> worth_printing("   Compiling libm v0.2.16")
    'compiling libm'
    >>> worth_printing("Collecting numpy==2.4.6 (from -r requirements.lock (line 509))")
    'fetching numpy==2.4.6'
    >>> worth_printing("  Downloading numpy-2.4.6.whl (16.9 MB)")
    """
    found = WORKING_ON.match(line)
    if not found:
        return None
    verb, name = found.groups()
    return {"Compiling": f"compiling {name}", "Collecting": f"fetching {name}"}.get(verb, "installing what was fetched")


def lines(stream: IO[bytes], silence_s: float) -> Iterator[str | None]:
    """The lines of a stream as they come, and None after every `silence_s` seconds without one."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            if not selector.select(silence_s):
                yield None
                continue
            read = os.read(stream.fileno(), 65536)
            if not read:
                break
            *whole, rest = (rest + read).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)
    if rest:
        yield rest.decode(errors="replace")


def run(command: list[str], log: Path, tell: Callable[[str], None], silence_s: float = SILENCE_S) -> int:
    """Run a command, keep its output in `log`, `tell` what it is working on; returns its exit status."""
    began, count, now = time.monotonic(), 0, ""
    with log.open("w", encoding="utf-8") as kept:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        assert process.stdout is not None
        for line in lines(process.stdout, silence_s):
            passed = f"{time.monotonic() - began:4.0f} s"
            if line is None:
                tell(f"  {passed}  still {now or 'starting'}")
                continue
            kept.write(f"{line}\n")
            if news := worth_printing(line):
                count, now = count + 1, news
                tell(f"  {passed}  {count:3} {news}")
        return process.wait()


def main(words: list[str]) -> int:
    """Run the command line: a log file, then the command."""
    log = Path(words[0])
    status = run(words[1:], log, lambda line: print(line, flush=True))
    if status:
        print(log.read_text("utf-8"), end="", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
