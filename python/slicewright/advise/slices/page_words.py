"""The words of an answer from RMF pages: what was read, what is evidence, what the pages leave open."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.advise.slices.evidence import Evidence
from slicewright.advise.slices.page_fit import Fitted
from slicewright.advise.slices.page_load import PATH_MS, Setting
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.slices.sharing import slice_of
from slicewright.statistics import fixed, percent, plural, seconds, significant

SHOWN = 4
TOO_FAR = 0.25
"""Share of the requests present by which waiting ones may be missed before there is no advice; as for aliases."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The subject of the words; the first of `fitted` is the main reading.

    >>> from slicewright.advise.slices.example import pages
    >>> pages().busy
    ()
    """

    evidence: Evidence
    setting: Setting
    question: SliceRequest
    fitted: tuple[Fitted, ...]

    @property
    def busy(self) -> tuple[str, ...]:
        """The partitions of which it is known how busy they were."""
        known = [
            share for share in self.setting.shares if share.busy is not None or share.seen is not None or share.work > 0
        ]
        return tuple(share.name for share in known)

    @property
    def told(self) -> bool:
        """Whether the slice of now is known."""
        return slice_of(self.evidence, self.question) is not None


def what(evidence: Evidence) -> str:
    """A line per page that was read.

    >>> from slicewright.advise.slices.example import pages
    >>> print(what(pages().evidence), end="")
    SYSA.txt  RMF DIRECT ACCESS DEVICE ACTIVITY, PEMDFI, 11/20/1987 10.00.00, 900 s
    """
    lines = []
    for page in evidence.pages:
        parts = [page.system, page.started, seconds(page.interval_s) if page.interval_s else ""]
        left = [f"{page.idle:,} idle"] if page.idle else []
        left += [f"{plural(page.skipped, 'row')} that {'is no disk' if page.skipped == 1 else 'are no disks'}"] * (
            page.skipped > 0
        )
        tail = f" ({' and '.join(left)} ignored)" if left else ""
        head = ", ".join(["RMF DIRECT ACCESS DEVICE ACTIVITY", *(part for part in parts if part)])
        lines.append(f"{page.file}  {head}{tail}")
    lines += [f"{cpu.file}  RMF CPU ACTIVITY, {cpu.system}" for cpu in evidence.cpus]
    lines += [
        f"{machine.file}  RMF PARTITION DATA, {plural(len(machine.partitions), 'partition')}"
        for machine in evidence.machines
    ]
    return "\n".join([*lines, ""])


def facts(pages: Pages) -> tuple[str, ...]:
    """The evidence: Little's law per page, hold and CPU as derived from it, and what is simulated for it.

    >>> from slicewright.advise.slices.example import pages
    >>> facts(pages())[0]
    'PEMDFI: 43.0 I/O/s, 1.25 waiting + .73 in service (rate x IOSQ, rate x (PEND + DISC + CONN))'
    """
    lines = []
    main = pages.fitted[0]
    for page in pages.evidence.pages:
        served = sum(each.io_per_s * each.service_ms / 1000 for each in page.volumes)
        name = f"{page.system or page.file}: "
        lines.append(
            f"{name}{fixed(page.io_per_s, 1)} I/O/s, {fixed(page.queue, 2)} waiting + {fixed(served, 2)} in service "
            f"(rate x IOSQ, rate x (PEND + DISC + CONN))"
        )
        known = [(each.io_per_s, each.hold_ms) for each in page.volumes if each.hold_ms is not None]
        if known:
            mean = sum(rate * hold for rate, hold in known) / sum(rate for rate, _ in known)
            lines.append(f"{name}AVG INT DLY {fixed(mean, 1)} ms: attributed to hold, and not used for a fit")
    if not main.why:
        how = "measured" if pages.evidence.measured else "on the page"
        lines.append(f"simulated as {how}: {fixed(main.io_per_s, 1)} I/O/s, {fixed(main.queue, 2)} waiting")
    found = dict(main.seen)
    for share in pages.setting.shares:
        if share.seen is not None and share.name in found:
            lines.append(f"{share.name}: MVS BUSY {percent(share.seen)}, simulated {percent(found[share.name])}")
        elif share.busy is not None:
            lines.append(f"{share.name}: uses {percent(share.busy)} of its share of the processors")
    return tuple(lines)


def left_open(pages: Pages) -> tuple[str, ...]:
    """The facts that the pages do not have, and the assumptions.

    >>> from slicewright.advise.slices.example import pages
    >>> print(left_open(pages())[0])
    shares unknown, assumed equal: PEMDFI 50 %, OTHER 50 %; --share
    """
    setting, assumed = pages.setting, pages.question.assumed
    lines = [_shares(pages)]
    if not pages.told:
        lines.append("present slices unknown, so that queues give no information on the load: --slices '30 ms'")
    machine = pages.evidence.machine
    if assumed.processors is None and not (machine and machine.shared):
        lines.append(f"{plural(setting.processors, 'shared processor')}: assumed; --assume processors=...")
    if machine and machine.waits is False:
        lines.append(
            f"{'no partition keeps a processor while it waits' if pages.evidence.measured else 'WAIT COMPLETION NO'}: "
            "processors go by weight (PR/SM); partitions without a page of devices use the time in "
            f"{'0/16 or 70-1' if pages.evidence.measured else 'PARTITION DATA'}, in bursts of 10 ms"
        )
    if assumed.slih_ms is None:
        handler = significant(setting.slih_ms, 1)
        lines.append(f"the interrupt handler takes {handler} ms: assumed; --assume slih=...")
    if not pages.busy:
        path = significant(PATH_MS[pages.evidence.pages[0].level], 1)
        has = "the records have" if pages.evidence.measured else "the page has"
        lines.append(f"{has} no processor utilization: programs compute {path} ms per I/O; --assume busy=82%")
    elif any(share.seen is not None and share.seen > 0.97 for share in setting.shares):
        lines.append(
            "a partition that always has work may want any amount more: its simulated demand is the smallest that fits"
        )
    if assumed.service is None:
        spread = "rotating (a disk of 16.7 ms a turn), constant, exponential"
        lines.append(f"no page has the distribution of service times: {spread}; --assume service=...")
    return (*lines, *_doubts(pages))


def no_advice(pages: Pages) -> str:
    """Why there is none: the nearest load is far from what is printed; empty where there is advice.

    >>> from slicewright.advise.slices.example import pages
    >>> no_advice(pages())
    ''
    """
    if min(reading.miss for reading in pages.fitted) <= TOO_FAR or not all(reading.why for reading in pages.fitted):
        return ""
    best = min(pages.fitted, key=lambda one: one.miss)
    return f"no load that was simulated reproduces these pages; the nearest gives {best.why}"


def needed(pages: Pages) -> tuple[str, ...]:
    """The data that would settle it.

    >>> from slicewright.advise.slices.example import pages
    >>> needed(pages())[-1]
    'the processor utilization: the CPU ACTIVITY page of each partition, or --assume busy=...'
    """
    what = "monitor data" if pages.evidence.measured else "pages"
    lines = [f"{what} of the same load with another slice"]
    if no_advice(pages):
        lines = ["facts that no page has: --assume slih=, processors=, busy=, service=; or a corrected --slices"]
    if not pages.told:
        lines = ["the slice at the time of the pages: --slices"]
    if not pages.busy:
        lines.append("the processor utilization: the CPU ACTIVITY page of each partition, or --assume busy=...")
    return tuple(lines)


def _shares(pages: Pages) -> str:
    shares = ", ".join(f"{share.name} {100 * share.share:.4g} %" for share in pages.setting.shares)
    machine = pages.evidence.machine
    if machine:
        given = "weights" if pages.evidence.measured else f"weights of {machine.file}"
        return f"shares by the {given}: {shares}"
    return f"shares {'as given' if pages.question.shares else 'unknown, assumed equal'}: {shares}; --share"


def _doubts(pages: Pages) -> list[str]:
    evidence, lines = pages.evidence, []
    if all(reading.why for reading in pages.fitted) and not no_advice(pages):
        lines.append(f"no load fits the pages: the nearest is used ({pages.fitted[0].why})")
    serials = [each.name for page in evidence.pages for each in page.volumes]
    twice = sorted({name for name in serials if serials.count(name) > 1})
    if twice:
        names = ", ".join(twice[:SHOWN]) + (f" and {len(twice) - SHOWN} more" if len(twice) > SHOWN else "")
        lines.append(f"{names} on more than one page: simulated as independent volumes")
    if _apart(evidence):
        lines.append("the pages cover different intervals: their loads may not have run at the same time")
    if any(each.aliased for page in evidence.pages for each in page.volumes):
        lines.append(
            "volumes with aliases: enough are assumed that no I/O waits for one; their queues are not compared"
        )
    if unused := evidence.unused():
        lines.append(f"{', '.join(unused)}: CPU ACTIVITY of a partition without a page of devices; not used")
    if len(evidence.machines) > 1:
        lines.append(f"more than one PARTITION DATA page: {evidence.machines[0].file} is used")
    return lines


def _apart(evidence: Evidence) -> bool:
    """Whether two pages, of whatever kind, tell different intervals."""
    times = [(page.started, page.interval_s) for page in evidence.pages]
    times += [(machine.started, machine.interval_s) for machine in evidence.machines]
    times += [(cpu.started, cpu.interval_s) for cpu in evidence.cpus]
    starts, lengths = {start for start, _ in times if start}, {length for _, length in times if length}
    return len(starts) > 1 or len(lengths) > 1
