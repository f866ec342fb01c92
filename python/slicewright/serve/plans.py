"""Tasks of the screen Plan: what can grow, hold and be bought, and the answer of a plan."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.model import Report
from slicewright.scenario.files import read_with_files
from slicewright.scenario.settings import Setting, settings
from slicewright.serve.counters import bounded, worded
from slicewright.serve.look import first_look
from slicewright.serve.tasks import Reporter, Task

if TYPE_CHECKING:
    from slicewright.scenario.view import View


@dataclass(frozen=True, slots=True)
class _Offered:
    """A kind of purchase that the page proposes, by the pattern of its key, and how its values are given."""

    pattern: str
    how: Literal["more", "words", "numbers"]


_OFFERED = (
    _Offered(r"alias_pool\..*\.aliases", "more"),
    _Offered(r"channel\..*\.type", "words"),
    _Offered(r"control_unit\..*\.paths", "more"),
    _Offered(r"cec\.processors", "more"),
    _Offered(r"partition\..*\.logical_processors", "more"),
    _Offered(r"partition\..*\.(weight|cap|target)", "numbers"),
    _Offered(r"cec\.(slice|scheduling_parameter|run_time)", "numbers"),
    _Offered(r"partition\..*\.control_program\.(cpupad|polarization|unparking|method)", "numbers"),
    _Offered(r"virtual_machine\..*\.(virtual_processors|limit|share)", "numbers"),
    _Offered(r"virtual_machine\..*\.yields|serialization\.exits|serialization\.structure", "words"),
    _Offered(r"cgroup\..*\.cpu_max", "numbers"),
)


def _shop(reporter: Reporter, text: str, folder: str = ".", **about: Any) -> dict[str, Any]:
    """The guests that can grow, the counters that can be required with their values today, and what can be bought.

    Raises InputError, and RunError when the scenario cannot be simulated.
    """
    scenario, run = first_look(text, folder)
    view = scenario.view
    every = settings(scenario)
    return {
        "name": scenario.name,
        "guests": [guest.name for guest in view.guests if guest.count or guest.arrivals_per_s],
        "required": bounded(run, view),
        "offered": [
            _row(setting, kind)
            for kind in _OFFERED
            for setting in every
            if re.fullmatch(kind.pattern, setting.key) and _is_offered(setting, view)
        ],
        "listed": [dict(row) for row in scenario.left_open["purchases"]],
    }  # fmt: skip


def _is_offered(setting: Setting, view: View) -> bool:
    """Whether a setting can be changed: the paths of a control unit that names its channels are these."""
    named = {unit.name for unit in view.control_units if unit.channels}
    return not (setting.key.startswith("control_unit.") and any(name in setting.key for name in named))


def _row(setting: Setting, kind: _Offered) -> dict[str, Any]:
    """A row of the table of purchases, with a proposal for its values."""
    from slicewright.explore.purchases import Purchase

    how = "words" if setting.choices else kind.how
    proposed = ""
    if how == "more" and setting.number is not None:
        proposed = f"{min(setting.most, setting.number + max(4, setting.number)):g}"
    elif how == "numbers" and setting.number is not None:
        step = max(1.0, setting.number // 2) if setting.whole else setting.number / 2
        wanted = (setting.number + times * step for times in (-1, 1, 2))
        proposed = ", ".join(
            f"{value:g}{setting.suffix}" for value in wanted if max(setting.least, step / 2) <= value <= setting.most
        )
    return {
        "key": setting.key, "words": Purchase(setting.key, setting.value, (), ()).words, "now": setting.value,
        "number": setting.number, "unit": setting.suffix.strip(), "how": how, "proposed": proposed,
        "choices": [choice for choice in setting.choices if choice != setting.value],
        "help": setting.help,
    }  # fmt: skip


def _plan(reporter: Reporter, text: str, folder: str = ".", **asked: Any) -> dict[str, Any]:
    """The answer of a plan as JSON, its picture of cost and response, its machine, and its report.

    `asked` has lists of texts: `buy`, `require` and `growth`.  Raises InputError with every problem, and RunError.
    """
    from slicewright.explore.plan import plan
    from slicewright.report.drawing import html
    from slicewright.report.html import blocks, render

    os.chdir(folder)
    buy, require, growth = (asked.get(name, ()) for name in ("buy", "require", "growth"))
    found = plan(
        text.encode(), buy, require, growth=growth, progress=reporter.progress,
        first=lambda early: reporter.part({"words": worded(early["words"]), "cost": early["cost"]}),
    )  # fmt: skip
    document, report = found.document(), found.report()
    front = _front(document)
    return {
        "document": document,
        "shown": worded(document),
        "front": html(front) if front is not None else "",
        "machine": _machine(read_with_files(text.encode(), "scenario.toml", (), ".").view, document),
        "html": blocks(Report("", sections=report.sections)),
        "page": render(report),
        "scenario": found.scenario.resolved if found.scenario is not None else "",
    }


def _front(document: Mapping[str, Any]) -> Figure | None:
    """Cost against response: the sets that no other one beats in both; the recommended one is marked."""
    points = [each for each in document["front"] if each["response_ms"] is not None]
    if len(points) < 2:
        return None
    series = []
    for holds, label, look in ((True, "holds", Look(1)), (False, "does not hold", Look(2, filled=False))):
        own = [each for each in points if each["holds"] == holds]
        if own:
            series.append(
                Series(
                    [each["cost"] for each in own],
                    [each["response_ms"]["mean"] for each in own],
                    [each["response_ms"]["half_width"] for each in own],
                    label,
                    "points",
                    tips=[_tip(each) for each in own],
                    look=look,
                )
            )
    chosen = document["recommended"]
    marks = [(chosen["cost"], "recommended")] if chosen else []
    what = worded(str(document.get("response", "response")))
    return Figure(
        [Panel(f"{what[:1].upper()}{what[1:]}, ms", series, marks=marks)],
        "Cost",
        "Each point is a set that no cheaper one beats.",
    )


def _tip(point: Mapping[str, Any]) -> str:
    bought = [f"{each['words']}: {each['from']} -> {each['to']}" for each in point["purchases"]]
    response = point["response_ms"]
    return "\n".join([f"cost {point['cost']:g}, response {response['mean']:.3g} ms", *(bought or ["nothing bought"])])


_LANES = (
    ("Guests", ("guest",)),
    ("Processors and locks", ("processor", "slice", "limit", "virtual processor", "lock", "resource", "enqueue")),
    ("Volumes", ("volume", "minidisk")),
    ("Alias pools", ("pool",)),
    ("Paths", ("path",)),
    ("Channels", ("channel",)),
)
"""The columns of the picture of a machine, in the order in which a request goes through them."""
_MOST_BOXES = 12


def _machine(view: View, document: Mapping[str, Any]) -> dict[str, Any]:
    """The picture of the machine: boxes in lanes with their utilization, and which waits for which."""
    without = {f"volume {volume.name}" for volume in view.volumes if volume.alias_pool}
    boxes = [
        *_guests(document),
        *({**each, "ms": None, "queues": each["name"] not in without} for each in document["resources"]),
    ]
    lanes: list[dict[str, Any]] = []
    for title, kinds in _LANES:
        own = [box for box in boxes if box["kind"] in kinds]
        if own:
            shown_first = sorted(own[:_MOST_BOXES], key=lambda box: str(box["name"]))
            lanes.append({"title": title, "boxes": shown_first, "more": max(0, len(own) - _MOST_BOXES)})
    shown = {box["name"] for lane in lanes for box in lane["boxes"]}
    links = [pair for pair in dict.fromkeys(_links(view, shown)) if set(pair) <= shown]
    return {"lanes": lanes, "links": links}


def _guests(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for part in document["parts"]:
        if part["kind"] == "guest":
            three = {when: part[when] and part[when]["mean"] for when in ("today", "grown", "after")}
            yield {"kind": "guest", "name": part["name"], "partition": "", "ms": three}


def _links(view: View, shown: set[str]) -> Iterator[tuple[str, str]]:
    """What waits for what: guests for processors and volumes, volumes for pools, paths and channels."""
    partition_of = {machine.name: machine.partition for machine in view.virtual_machines}
    for guest in view.guests:
        partition = guest.partition or partition_of.get(guest.virtual_machine or "")
        if partition:
            yield guest.name, f"the processors of {partition}"
            yield guest.name, f"the slices of {partition}"
        for step in guest.every_step:
            if step.io is not None:
                named = step.io.volume or step.io.minidisk
                targets = [named] if named else [*step.io.uniform, *step.io.weighted, *step.io.zipf, *step.io.own]
                for target in targets:
                    yield guest.name, f"volume {target}"
    for volume in view.volumes:
        pool, unit = f"pool {volume.alias_pool}", f"the paths of {volume.control_unit}"
        yield f"volume {volume.name}", pool if pool in shown else unit
        yield pool, unit
        for control in view.control_units:
            for channel in control.channels if control.name == volume.control_unit else ():
                yield (
                    (unit if unit in shown else pool if pool in shown else f"volume {volume.name}"),
                    f"channel {channel}",
                )


TASKS: dict[str, Task] = {
    "shop": Task(_shop, reads="text"),
    "plan": Task(_plan, "long", "text"),
}
