"""The recommendations of the 580/MDF study on measuring and sharing, checked on a run or an RMF page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from slicewright._core import DirectAccessReport, Page, PartitionReport
from slicewright.report.model import Block, Cell, Paragraph, Report, Section, Table, Tone
from slicewright.report.spec import columns
from slicewright.scenario.sharing import Domain, Sharing, sharing_of
from slicewright.statistics import fixed, plural, seconds, significant

if TYPE_CHECKING:
    from slicewright.run.results import Results
    from slicewright.scenario.view import View

Verdict = Literal["ok", "suspect", "warning", "not told"]
"""Whether it is as recommended; `suspect` means that what was measured may be wrong."""

TOLERANCE = 0.10
LEAST_CYCLE_S = 0.25
MOST_INTERVAL_S = 3600.0
LOPSIDED = 3.0
"""The least of the splits that the study names, 75/25, 80/20 and 90/10: the share of a domain over that of another."""

_STUDY = "Partitioning Large Processors, 2.0"
WHY = {
    "samples": '"If the RMF number of samples varies by more than 10% of the calculated samples, the measured data may '
    f'be inaccurate" ({_STUDY})',
    "cycle": f'"Do not set cycle time to less than 250 ms" ({_STUDY})',
    "interval": '"Set the recording interval to less than 60 minutes": no report can be made for a shorter time than '
    f"that ({_STUDY})",
    "split": '"Watch for CPU allocations of 75/25, 80/20, and 90/10. Long domain time slices cause domains with short '
    f'time slices to possibly incur sampling delays or errors" ({_STUDY})',
    "priority": f'"Assign a high dispatching priority for RMF in MVS": otherwise a busy system delays its samples '
    f"({_STUDY})",
    "total": "TOTAL is LPAR MGMT + EFFECTIVE in every row of PARTITION DATA, but for rounding",
}
"""The rules, each with its reason in the words of its source."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule held against one thing.

    `subject` is a domain, a system or "all domains"; `rule` one of `WHY`; `said` what was found.

    >>> Check("PEMDFI", "cycle", "ok", "500 ms").why
    '"Do not set cycle time to less than 250 ms" (Partitioning Large Processors, 2.0)'
    """

    subject: str
    rule: str
    verdict: Verdict
    said: str

    @property
    def why(self) -> str:
        """The reason of the rule."""
        return WHY[self.rule]

    def as_row(self) -> dict[str, str]:
        """Subject, rule, verdict, said, why.

        >>> Check("A", "cycle", "ok", "1 s").as_row()["verdict"]
        'ok'
        """
        return asdict(self) | {"why": self.why}


def checks(source: Results | Page) -> list[Check]:
    """Hold the recommendations of the study against a run, or an RMF page that was read.

    The study recommends samples within 10 % of interval over cycle, a cycle of at least 250 ms and a recording interval
    below 60 minutes.  No domain has three times the share of another, and RMF runs above the work in its domain
    (Partitioning Large Processors, 2.0).  The sums of the rows of PARTITION DATA are checked too.

    >>> from slicewright import run
    >>> from slicewright._core import starter
    >>> [(one.rule, one.verdict) for one in checks(run(starter("mm1"), replications=2))]
    [('interval', 'ok')]
    """
    if isinstance(source, PartitionReport):
        return _of_partitions(source)
    if isinstance(source, Page):
        return _of_page(source)
    return _of_run(source)


def of_samples(subject: str, taken: float | None, interval_s: float, cycle_s: float) -> Check:
    """Whether the samples are what the interval holds, within 10 %; times in seconds, 0 where they are not known.

    >>> of_samples("PEMDFI", 780, 900.0, 1.0)
    Check(subject='PEMDFI', rule='samples', verdict='suspect', said='780 of 900 due, 13.3 % off')
    """
    if not taken or not interval_s or not cycle_s:
        return Check(subject, "samples", "not told", "the page does not say interval, cycle and samples")
    due = interval_s / cycle_s
    off = abs(taken - due) / due
    said = f"{_count(taken)} of {_count(due)} due, {fixed(100 * off, 1)} % off"
    return Check(subject, "samples", "suspect" if off > TOLERANCE + 1e-9 else "ok", said)


def of_cycle(subject: str, cycle_s: float) -> Check:
    """Whether a cycle, in seconds, is at least 250 ms; 0 is a cycle that is not known.

    >>> of_cycle("PEMDFI", 0.1).verdict
    'warning'
    """
    if not cycle_s:
        return Check(subject, "cycle", "not told", "the page does not say its cycle")
    return Check(subject, "cycle", "warning" if cycle_s < LEAST_CYCLE_S else "ok", f"a cycle of {seconds(cycle_s)}")


def of_interval(subject: str, interval_s: float) -> Check:
    """Whether a recording interval, in seconds, is below 60 minutes; 0 is an interval that is not known.

    >>> of_interval("SYSF", 3600.0).verdict
    'warning'
    """
    if not interval_s:
        return Check(subject, "interval", "not told", "the page does not say its interval")
    verdict: Verdict = "warning" if interval_s >= MOST_INTERVAL_S else "ok"
    return Check(subject, "interval", verdict, f"an interval of {_length(interval_s)}")


def of_split(shares: Sequence[tuple[str, float]]) -> Check:
    """Whether no domain has three times the share of another; shares as (name, percent of what is shared).

    >>> of_split([("PROD", 80.0), ("TEST", 20.0)]).said
    'PROD 80, TEST 20'
    """
    ordered = sorted(shares, key=lambda share: -share[1])
    some = ", ".join(f"{name} {significant(share, 2)}" for name, share in ordered[:6])
    lopsided = ordered[0][1] >= LOPSIDED * ordered[-1][1] * (1 - 1e-9)
    return Check("all domains", "split", "warning" if lopsided else "ok", some + (", ..." if len(ordered) > 6 else ""))


_TONES: dict[Verdict, Tone] = {"ok": "good", "suspect": "bad", "warning": "fair", "not told": "quiet"}
CHECKED = columns(
    "verdict; subject | | of; rule; said | | found; html why",
    values={"verdict": lambda check: Cell(check.verdict, _TONES[check.verdict])},
)
"""The columns of checks."""


def checks_report(rows: Sequence[Check]) -> Report:
    """Checks as a report: what was found of each, and the reason of each rule that is broken.

    >>> from slicewright.report import text
    >>> print(text.render(checks_report([of_cycle("PEMDFI", 0.1)])), end="")
      verdict  of      rule   found
      warning  PEMDFI  cycle  a cycle of 0.1 s
    <BLANKLINE>
    cycle: "Do not set cycle time to less than 250 ms" (Partitioning Large Processors, 2.0)
    """
    broken = dict.fromkeys(check.rule for check in rows if check.verdict in ("suspect", "warning"))
    reasons = "\n".join(f"{rule}: {WHY[rule]}" for rule in broken)
    blocks: list[Block] = [Table(CHECKED, rows), *([Paragraph(reasons, flush=True)] if broken else [])]
    return Report("Checks", sections=[Section("", blocks)])


def remarks(found: Sequence[Check]) -> list[str]:
    """A sentence for each check that is not as recommended, with its reason.

    >>> remarks([of_cycle("PEMDFI", 0.1)])
    ['warning, cycle of PEMDFI: a cycle of 0.1 s; "Do not set cycle time to less than 250 ms" (Partitioning Large...']
    """
    bad = [check for check in found if check.verdict in ("suspect", "warning")]
    return [f"{check.verdict}, {check.rule} of {check.subject}: {check.said}; {check.why}" for check in bad]


def _of_run(run: Results) -> list[Check]:

    interval_s = run.view.measure.interval_s
    found = [of_interval("the run", interval_s)]
    sharing = sharing_of(run.view)
    if sharing is None:
        return found
    for domain in sharing.domains:
        if domain.cycle_s is not None:
            found += [_samples_of_run(run, domain), of_cycle(domain.name, domain.cycle_s)]
    return found + _priorities(run.view) + _splits(sharing)


def _samples_of_run(run: Results, domain: Domain) -> Check:
    """Every interval of every replication counts: one that is off makes a report of it suspect."""
    import polars as pl

    raw = run.raw["partitions"].filter(pl.col("partition") == domain.name)
    taken, due = raw["samples_taken"].to_list(), raw["samples_due"].to_list()
    pairs = [(sampled, other) for sampled, other in zip(taken, due, strict=True) if sampled is not None and other]
    if not pairs:
        return Check(domain.name, "samples", "not told", "the run has no samples")
    off = [abs(sampled - other) / other for sampled, other in pairs]
    wrong = sum(deviation > TOLERANCE + 1e-9 for deviation in off)
    mean_taken, mean_due = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
    said = f"{_count(mean_taken)} of {_count(mean_due)} due, at most {fixed(100 * max(off), 1)} % off"
    if wrong:
        said += f", more than 10 % in {wrong} of {plural(len(pairs), 'interval')}"
    return Check(domain.name, "samples", "suspect" if wrong else "ok", said)


def _priorities(view: View) -> list[Check]:
    """Of each domain whose program samples by a task: whether anything in it goes before that."""
    found = []
    for partition in view.partitions:
        own = None if partition.rmf is None else partition.rmf.priority
        if own is None:
            continue
        guests = [(guest.name, guest.priority or 0) for guest in view.guests if guest.partition == partition.name]
        before = [f"{name} {priority}" for name, priority in guests if priority >= own]
        said = f"priority {own}" + (f", not above {', '.join(before)}" if before else ", above all other work")
        found.append(Check(partition.name, "priority", "warning" if before else "ok", said))
    return found


def _splits(sharing: Sharing) -> list[Check]:
    shares = [(domain.name, domain.share) for domain in sharing.domains if domain.share is not None and domain.active]
    return [of_split(shares)] if shares else []


def _of_page(page: Page) -> list[Check]:
    subject = page.system or "the page"
    samples = [of_samples(subject, page.samples, page.interval_s, page.cycle_s)]
    # Processors are measured: their page has no samples unless its writer adds them.
    told = page.samples > 0 or isinstance(page, DirectAccessReport)
    return [*(samples if told else []), of_cycle(subject, page.cycle_s), of_interval(subject, page.interval_s)]


def _of_partitions(page: PartitionReport) -> list[Check]:
    wrong = [f"{disagreement['key']}: {disagreement['what']}" for disagreement in page.disagreements]
    said = "; ".join(wrong[:3]) + (f" and {len(wrong) - 3} more" if len(wrong) > 3 else "")
    subject = page.system or "the page"
    return [
        of_interval(subject, page.interval_s),
        Check(subject, "total", "suspect" if wrong else "ok", said or "every total is the sum of its parts"),
        *_split_of_page(page),
    ]


def _split_of_page(page: PartitionReport) -> list[Check]:
    """By weights where every sharing partition has one; what is dedicated has none."""
    weights = [
        (row["NAME"], float(row["WGT"]))
        for row in page.fields()
        if row.get("PROCESSOR TYPE", "CP") == "CP" and re.fullmatch(r"\d+(\.\d+)?", row.get("WGT", ""))
    ]
    total = sum(weight for _, weight in weights)
    return [of_split([(name, 100 * weight / total) for name, weight in weights])] if total > 0 else []


def _count(value: float) -> str:
    return fixed(value, 0 if abs(value - round(value)) < 0.05 else 1)


def _length(value_s: float) -> str:
    return f"{significant(value_s / 60)} min" if value_s >= 60 else seconds(value_s)
