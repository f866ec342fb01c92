"""The question about installation exits: one scenario with ENQs, or one table of request rates."""

from __future__ import annotations

from typing import Any

from slicewright.advise.exits.rates import ALLOWED, is_rates
from slicewright.advise.exits.syscalls import is_filtering
from slicewright.advise.question import OfDay, Question, later

_SCENARIOS = later("slicewright.advise.exits.answering:scenarios")

QUESTION: Question[Any, Any] = Question(
    name="exits",
    asks="Which structure of installation exits takes the least processor time for your ENQs and DEQs?",
    files=f"{ALLOWED}; monitor data of a day; or strace -c or perf trace -s of a program, a"
    " seccomp profile, and a directory of live hooks",
    example="advise exits rates.csv --growth 20%",
    help={
        "at": "Structure of exits to mark in the table: batch, pooled, single area.",
        "growth": "Growth of the request rate: 20%, or 1.2x.",
        "target": "Name the structures that meet this condition: 'cpu_us_per_pair <= 150'.",
        "assume": "Smallest difference that counts (least=1%), or a key: 'serialization.answer=\"2 ms\"'; of a seccomp "
        "profile the container: caps=SYS_ADMIN,-NET_RAW (none, all), arch=s390x, kernel=6.8.",
    },
    fits=lambda view: "resources that are enqueued on" if view.enqueues else "",
    reads=lambda files: any(is_rates(data) for _, data in files) or is_filtering(files),
    check=later("slicewright.advise.exits.answering:check"),
    answer=later("slicewright.advise.exits.answering:answer_all"),
    document=later("slicewright.advise.exits.answering:document"),
    report=later("slicewright.advise.exits.answering:report"),
    scenarios=_SCENARIOS,
    alone=later("slicewright.advise.exits.answering:alone"),
    alone_is="the scenario of the recommended structure",
    lead=later("slicewright.advise.exits.answering:lead"),
    day=OfDay(
        records="72-5 (rate of ENQ and DEQ); 77-1 gives contention by name",
        missing=later("slicewright.advise.exits.day_answer:missing"),
        answer=later("slicewright.advise.exits.answering:answer_exit_day"),
        document=later("slicewright.advise.exits.day_report:document"),
        report=later("slicewright.advise.exits.day_report:report"),
        scenarios=lambda found: _SCENARIOS(found.hardest.answer),
        alone=lambda found: found.hardest.answer.point(found.recommendation or found.hardest.answer.now).text,
    ),
)
