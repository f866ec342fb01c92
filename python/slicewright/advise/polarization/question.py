"""The question about polarization: one scenario with a control program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from slicewright.advise.polarization.setting import ALLOWED
from slicewright.advise.question import Compares, meaning

if TYPE_CHECKING:
    from slicewright.advise.comparison import Comparison
    from slicewright.advise.day import Day
    from slicewright.advise.polarization.comparison import SettingAnswer
    from slicewright.report.model import Report
    from slicewright.scenario.view import View


class _Polarization(Compares["SettingAnswer"]):
    name = "polarization"
    asks = "Should a control program run horizontally or vertically, and on how many logical processors?"
    files = ALLOWED
    example = "advise zvm.toml --at 'CPUPAD 300 %' --at 6"
    help = meaning(
        at="Additional setting to show: horizontal, 'vertical rebalance', 'CPUPAD 300 %', 6 (processors).",
        growth="Growth of the number of virtual machines: 20%, or 1.2x.",
        target="Recommend the setting that meets this condition in least processor time: 'total_percent <= 500'.",
        assume="Smallest differences that count (loss=1%, wait=10%), or a key: 'cec.machine=\"z10\"'.",
    )
    alone_is = "the scenario of the recommended setting"

    def undecided(self, day: Day) -> str:
        """Weights say the shares; of what runs on them z/OS and z/VM say nothing that can be read."""
        lacks = (
            "z/OS parks its processors by itself, which is not simulated; hardware counters (113) and topology (99-14) "
            "are not read"
            if day.records == "SMF data"
            else "the layouts of 5/15 to 5/18, parking and dispatch vectors, are not public"
        )
        return "; ".join([*_entitled(day), lacks])

    def fits(self, view: View) -> str:
        return "a partition with a control program" if view.controlled else ""

    @property
    def comparison(self) -> Comparison[Any, Any, Any, Any]:
        from slicewright.advise.polarization.answering import COMPARISON

        return COMPARISON

    def report(self, answer: SettingAnswer) -> Report:
        from slicewright.advise.polarization.report import report

        return report(answer)

    def document(self, answer: SettingAnswer) -> dict[str, Any]:
        from slicewright.advise.polarization.report import document

        return document(answer)

    def scenarios(self, answer: SettingAnswer) -> Iterator[tuple[str, str]]:
        """Each setting and each reading."""
        from slicewright.advise.answer import reading_scenarios
        from slicewright.advise.polarization.comparison import usual
        from slicewright.advise.printed import slug

        for at, point in enumerate(answer.points, 1):
            yield f"{at:02}-{slug(point.variant.words(usual(answer)))}.toml", point.text
        yield from reading_scenarios(answer.readings)


def _entitled(day: Day) -> list[str]:
    """The processors that each partition of a day is entitled to by weight, as its last interval has them."""
    rows = day.table("partitions").select("interval", "partition", "weight", "machine_processors").drop_nulls()
    if rows.is_empty():
        return []
    last = rows.filter(rows["interval"] == rows["interval"].max())
    processors, weights = last["machine_processors"][0], last["weight"].sum()
    shares = [
        f"{name} {processors * weight / weights:.2f}"
        for name, weight in last.select("partition", "weight").iter_rows()
        if weight > 0
    ]
    return [f"by weight of {processors:g} processors the partitions are entitled to {', '.join(shares)} (70-1)"]


QUESTION = _Polarization()
