"""The RMF pages of some files, sorted: devices of each partition, shares of processors, how busy each partition was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from slicewright.advise.rmf_pages import Kind, kinds
from slicewright.advise.slices.machine_page import CpuPage, MachinePage, read_cpu, read_machine
from slicewright.advise.slices.partition_page import PartitionPage, read_partition
from slicewright.advise.source import is_scenario
from slicewright.errors import Problem, gathered, problem, refusal

FILES = "RMF DIRECT ACCESS DEVICE ACTIVITY of each partition, CPU ACTIVITY and PARTITION DATA beside it"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pages that were read; `machines` are PARTITION DATA pages, as several systems of a machine print them.

    >>> from slicewright.advise.slices.example import PAGE, PARTITIONS
    >>> found = gather([("A.txt", PAGE), ("machine.txt", PARTITIONS)])
    >>> len(found.pages), found.machine.processors
    (1, 2)
    """

    pages: tuple[PartitionPage, ...]
    machines: tuple[MachinePage, ...]
    cpus: tuple[CpuPage, ...]
    measured: bool = False
    """Whether they are means over measured intervals, in the form of pages."""

    @property
    def machine(self) -> MachinePage | None:
        """The page of the partitions that share, if there is one."""
        return self.machines[0] if self.machines else None

    def cpu(self, page: PartitionPage) -> CpuPage | None:
        """How busy the partition of a page was: by its system, or from the same file."""
        same = [cpu for cpu in self.cpus if cpu.system == page.system and page.system]
        return next(iter([*same, *(cpu for cpu in self.cpus if cpu.file == page.file)]), None)

    def unused(self) -> list[str]:
        """Files of CPU ACTIVITY that are of no partition with a page of devices."""
        used = [self.cpu(page) for page in self.pages]
        return [cpu.file for cpu in self.cpus if cpu not in used]


def gather(named: Sequence[tuple[str, bytes]]) -> Evidence:
    """All pages of files (name, content), of which each may hold several; raises InputError with every problem.

    >>> from slicewright.advise.slices.example import CPU, PAGE
    >>> found = gather([("A.txt", PAGE + CPU)])
    >>> round(found.cpu(found.pages[0]).busy, 2)
    0.3
    """
    problems: list[Problem] = []
    pages: list[PartitionPage] = []
    machines: list[MachinePage] = []
    cpus: list[CpuPage] = []
    for name, data in named:
        if is_scenario(name, data):
            why, allowed = "a scenario gives its load; the load of a report has to be found", "one scenario, or reports"
            problems.append(problem("a scenario beside other files", file=name, why=why, allowed=allowed))
        elif b"FCX108" in data:
            why = "a DEVICE page of z/VM has no partitions and no wait for them"
            allowed = f"{FILES}; or a scenario with [cec]"
            problems.append(problem("has no data on slices", file=name, why=why, allowed=allowed))
        else:
            found = kinds(data)
            if Kind.DEVICES in found or not found:
                pages += gathered(problems, partial(read_partition, data, name))
            if Kind.PARTITIONS in found:
                machines += gathered(problems, partial(read_machine, data, name))
            if Kind.CPU in found:
                cpus += gathered(problems, partial(read_cpu, data, name))
    if not problems and not pages:
        what, why = "no page of devices", "the waits for a slice are waits of I/O"
        problems.append(problem(what, file=named[0][0], why=why, allowed=FILES))
    if problems:
        raise refusal(*problems)
    return Evidence(tuple(pages), tuple(machines), tuple(cpus))
