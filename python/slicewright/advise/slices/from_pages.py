"""An answer about slices from RMF pages of partitions: loads that print them again, and what each does with others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from slicewright._core import Scenario
from slicewright.advise.assumptions import without_effect
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.build import Case, Given, build
from slicewright.advise.slices.evidence import Evidence, gather
from slicewright.advise.slices.machine import machine_of
from slicewright.advise.slices.page_fit import Fitted, fit_closed, fit_open, found_as
from slicewright.advise.slices.page_load import Setting, scenario_text
from slicewright.advise.slices.page_words import Pages, facts, left_open, needed, no_advice, what
from slicewright.advise.slices.request import MARGIN_PERCENT, Assumed, SliceRequest
from slicewright.advise.slices.sharing import setting_of, slice_of
from slicewright.errors import problem, refusal

SERVICES = ("rotating", "constant", "exponential")


def answer_pages(
    named: Sequence[tuple[str, bytes]],
    question: SliceRequest,
    progress: Callable[[float], None] = lambda share: None,
) -> SliceAnswer:
    """The answer from a page of each partition, all of one interval; raises InputError.

    >>> from slicewright.advise.options import AdviceOptions
    >>> from slicewright.advise.slices.example import PAGE
    >>> from slicewright.advise.slices.request import check
    >>> found = answer_pages([("SYSA.txt", PAGE)], check(AdviceOptions.of(slices="30 ms")))
    >>> found.recommendation.slice_ms < 10, len(found.readings)
    (True, 4)
    """
    return answer_evidence(gather(named), tuple(name for name, _ in named), question, progress)


def answer_evidence(
    evidence: Evidence,
    files: tuple[str, ...],
    question: SliceRequest,
    progress: Callable[[float], None] = lambda share: None,
) -> SliceAnswer:
    """The answer from pages that were read, or from measured intervals in their form; raises InputError.

    >>> from slicewright.advise.slices.evidence import gather
    >>> from slicewright.advise.slices.example import PAGE
    >>> answer_evidence(gather([("SYSA.txt", PAGE)]), ("SYSA.txt",), SliceRequest(slice_ms=30.0)).now_ms
    30.0
    """
    _refuse_without_partitions(evidence, question)
    setting, stated = setting_of(evidence, question), slice_of(evidence, question) is not None
    if not stated:
        _refuse_idle(question.assumed)
    source = ", ".join(page.file for page in evidence.pages)
    fitted = _readings(setting, source, question.assumed, stated)
    fitted.sort(key=lambda one: (bool(one.why), one.miss if one.why else 0.0))
    cases = tuple(_case(reading) for reading in fitted)
    machine = machine_of(cases[0].scenario.view)
    assert machine is not None
    pages = Pages(evidence, setting, question, tuple(fitted))
    busy = pages.busy
    given = Given(
        files, what(evidence), cases, now=stated, switch_told=False, facts=facts(pages),
        open=left_open(pages), needed=needed(pages), busy=busy, reason=no_advice(pages),
        headroom=stated and (bool(busy) or len(evidence.pages) > 1),
    )  # fmt: skip
    return build(given, machine, question, progress)


def _refuse_without_partitions(evidence: Evidence, question: SliceRequest) -> None:
    """Refuse pages of z/OS that nothing connects with partitions in slices; raises InputError."""
    told = question.slice_ms is not None or question.shares or question.assumed.partitions is not None
    if told or evidence.machine is not None or any(page.level != "current" for page in evidence.pages):
        return
    why = "a z/OS page of devices does not say that its partition shares processors in slices"
    allowed = "PARTITION DATA beside it, --slices or --share; advise aliases FILE asks about its queues (IOSQ)"
    raise refusal(
        *(problem("no partitions in slices", file=page.file, why=why, allowed=allowed) for page in evidence.pages)
    )


def _refuse_idle(assumed: Assumed) -> None:
    """Refuse what can be compared with the printed queues only where the slice is known; raises InputError."""
    why = "without the slice every reading has open arrivals, and none is compared with the printed queues; --slices"
    given = {"arrivals": assumed.arrivals is not None, "margin": assumed.margin_percent != MARGIN_PERCENT}
    problems = [without_effect(key, why) for key, there in given.items() if there]
    if problems:
        raise refusal(*problems)


def _readings(setting: Setting, source: str, assumed: Assumed, stated: bool) -> list[Fitted]:
    """The main reading first: closed where the slice is given, so that queues can be compared with it; else open."""
    margin = assumed.margin_percent
    services = SERVICES if assumed.service is None else (assumed.service,)
    closed: list[Fitted] = []
    if stated and assumed.arrivals != "open":
        closed = [fit_closed(setting, service, source, margin) for service in services]
    if assumed.arrivals == "closed" and closed:
        return closed
    opened = services if not closed else services[:1]
    unheld = margin if stated else float("inf")
    return [*closed[:1], *(fit_open(setting, service, source, unheld) for service in opened), *closed[1:]]


def _case(one: Fitted) -> Case:
    def grow(factor: float) -> Scenario:
        return Scenario.read(scenario_text(one.load.grown(factor)).encode(), "reading")

    return Case(f"{one.load.name}-{one.load.service}", found_as(one.load), grow(1.0), one.why, grow)
