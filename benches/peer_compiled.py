"""The models of `benches/peers/`: flat loops, which are the limit, and simcore, each as a process of its own."""

import json
import resource
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).with_name("peers")
TARGET = Path(__file__).parents[1] / "target" / "peers"


@dataclass(frozen=True)
class Figures:
    """One run of a model: what it did per simulated second, and what that took of one processor."""

    simulated_s: float
    processor_s: float
    operations_per_s: float
    """I/Os, or dispatches."""
    cycles_per_s: float
    """I/Os, or bursts."""

    @property
    def speed(self) -> float:
        """Operations per second of one processor, those of the warm-up included."""
        return self.operations_per_s * self.simulated_s / self.processor_s


@cache
def program() -> Path:
    """The program, built if need be; it is a workspace of its own, which nothing else compiles."""
    command = ["cargo", "build", "--quiet", "--release", "--locked", "--target-dir", str(TARGET)]
    subprocess.run([*command, "--manifest-path", str(SOURCES / "Cargo.toml")], check=True)
    return TARGET / "release" / "peers"


def run(side: str, model: str, seed: int, length_s: tuple[float, float]) -> Figures:
    """One run of a side, `flat` or `simcore`, with these measured and warm-up seconds.

    Processor time is that of the process, whose start takes about a millisecond.
    """
    measured_s, warm_up_s = length_s
    command = [str(program()), side, model, str(seed), str(measured_s), str(warm_up_s)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Figures(measured_s + warm_up_s, spent, **json.loads(printed))
