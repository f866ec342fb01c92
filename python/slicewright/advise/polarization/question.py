"""The question about polarization: one scenario with a control program."""

from __future__ import annotations

from typing import Any

from slicewright.advise.polarization.setting import ALLOWED
from slicewright.advise.question import Question, later

QUESTION: Question[Any, Any] = Question(
    name="polarization",
    asks="Should a control program run horizontally or vertically, and on how many logical processors?",
    files=ALLOWED,
    example="advise zvm.toml --at 'CPUPAD 300 %' --at 6",
    help={
        "at": "Additional setting to show: horizontal, 'vertical rebalance', 'CPUPAD 300 %', 6 (processors).",
        "growth": "Growth of the number of virtual machines: 20%, or 1.2x.",
        "target": "Recommend the setting that meets this condition in least processor time: 'total_percent <= 500'.",
        "assume": "Smallest differences that count (loss=1%, wait=10%), or a key: 'cec.machine=\"z10\"'.",
    },
    fits=lambda view: "a partition with a control program" if view.controlled else "",
    check=later("slicewright.advise.polarization.answering:check"),
    answer=later("slicewright.advise.polarization.answering:COMPARISON.answer"),
    document=later("slicewright.advise.polarization.report:document"),
    report=later("slicewright.advise.polarization.report:report"),
    scenarios=later("slicewright.advise.polarization.answering:scenarios"),
    alone=lambda answer: answer.point(answer.recommendation or answer.now).text,
    alone_is="the scenario of the recommended setting",
    lead=lambda answer: answer.subject.name,
)
