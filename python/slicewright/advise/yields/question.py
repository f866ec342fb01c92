"""The question about yields: one scenario whose guests spin for locks under a control program."""

from __future__ import annotations

from typing import Any

from slicewright.advise.question import OfDay, Question, later
from slicewright.advise.yields.yielding import ALLOWED

QUESTION: Question[Any, Any] = Question(
    name="yields",
    asks="How should guests that spin for a lock yield their processor?",
    files=f"{ALLOWED}; or monitor data of a day, for rates and costs",
    example="advise yields apache-spin.toml --at 'CLIENT x9c'",
    help={
        "at": "Additional yields or logical processors to show: x9c, 'CLIENT x9c', 6.",
        "growth": "Growth of the number of virtual machines: 20%, or 1.2x.",
        "target": "Recommend the fewest processors that meet this condition: 'work_percent >= 400'.",
        "assume": "Smallest difference that counts (least=1%), or a key: virtual_machine.CLIENT.spin_retry=0.",
    },
    fits=lambda view: "spin locks" if view.controlled and view.spin_locks else "",
    check=later("slicewright.advise.yields.answering:check"),
    answer=later("slicewright.advise.yields.answering:COMPARISON.answer"),
    document=later("slicewright.advise.yields.report:document"),
    report=later("slicewright.advise.yields.report:report"),
    scenarios=later("slicewright.advise.yields.answering:scenarios"),
    alone=lambda answer: answer.point(answer.recommendation or answer.now).text,
    alone_is="the scenario of the recommended yields",
    lead=lambda answer: answer.subject.name,
    day=OfDay(
        records="5/12 (rates of DIAGNOSE); 0/23 gives the scheduler lock",
        missing=later("slicewright.advise.yields.day_answer:missing"),
        answer=later("slicewright.advise.yields.day_answer:answer_day"),
        document=later("slicewright.advise.yields.day_report:document"),
        report=later("slicewright.advise.yields.day_report:report"),
        scenarios=lambda answer: iter(()),
        alone=lambda answer: "",
    ),
)
