"""A load as a complete scenario in TOML, every number with where it is from."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass

from slicewright.advise.aliases.load import Load, VolumeLoad
from slicewright.experiment.plan import Plan


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a load's numbers are from, in the words that stand beside them."""

    reports: str
    growth: str
    gap: str
    page: str = "z/VM DEVICE (FCX108)"


def scenario_text(load: Load, aliases: int, plan: Plan, sources: Sources) -> str:
    """The scenario of a load with a number of aliases; the same input gives the same text.

    >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
    >>> load = Load("r", "52", (volume,), 0.05, 0.0, "none", "none", False, 4)
    >>> print(scenario_text(load, 2, Plan(3.0, 0.3, 10), Sources("Y", "none", "assumed")).splitlines()[0])
    name = "r"
    """
    document = "DEVICE report (FCX108)" if "FCX108" in sources.page else sources.page
    lines = [f"name = {_text(load.name)}", "", "[source]", f"document = {_text(document)}"]
    lines += [f"report = {_text(sources.reports)}", ""]
    channels = [f"{load.pool}-{number}" for number in range(1, load.paths + 1)] if load.serial_ms else []
    for channel in channels:
        lines += ["[[channel]]", f"name = {_text(channel)}", f'per_io = "{_number(load.serial_ms)} ms"']
        lines += ['discipline = "fifo"'] if load.one_at_a_time else []
        lines += ['assume = "a page does not show how busy its channels are: one reading of several"', ""]
    lines += ["[[control_unit]]", f"name = {_text(load.pool)}"]
    lines += [f"channels = [{', '.join(map(_text, channels))}]"] if channels else [f"paths = {load.paths}"]
    lines += [f'sharing = "{_number(load.sharing_percent)} %"']
    lines += [f"{_growth_role(load)} = {_text(_growth_source(load, sources) + '; paths as printed')}", ""]
    if not load.classic:
        lines += ["[[alias_pool]]", f"name = {_text(load.pool)}", f"aliases = {aliases}"]
        lines += [f'redispatch = "{load.redispatch}"']
        lines += ['assume = "redispatch is undocumented: one reading of several; aliases as in the report"', ""]
    lines += _devices(load, aliases if load.classic else None, sources)
    lines += ["[measure]", f'interval = "{_number(plan.interval_s)} s"', f'warm_up = "{_number(plan.warm_up_s)} s"']
    lines += [
        f'sample = "{_number(plan.sample_s)} s"',
        f"replications = {plan.replications}",
        'assume = "long enough for the curve that advise draws"',
    ]
    return "\n".join(lines) + "\n"


@functools.lru_cache(maxsize=256)
def _devices(load: Load, aliases: int | None, sources: Sources) -> tuple[str, ...]:
    """The volumes and guests of a load: the same for every number of aliases of a pool."""
    volumes = [line for volume in load.volumes for line in _volume(volume, load, aliases, sources)]
    return (*volumes, *(line for volume in load.volumes for line in _guest(volume, sources)))


def _volume(one: VolumeLoad, load: Load, aliases: int | None, sources: Sources) -> list[str]:
    lines = ["[[volume]]", f"name = {_text(one.name)}", f'device = "{one.device}"', f"type = {_text(one.type)}"]
    lines += [f"control_unit = {_text(load.pool)}"]
    if load.classic:
        lines += [f"aliases = {aliases}", f'redispatch = "{load.redispatch}"']
    else:
        lines += [f"alias_pool = {_text(load.pool)}"]
    lines += [f'gap = "{_number(load.gap_ms)} ms"']
    lines += [f"borrowed = {_text(sources.gap)}" if load.gap_known else f"calibrated = {_text(sources.reports)}"]
    connect = f'{{ {one.spread} = "{_number(one.connect_ms)} ms", calibrated = {_text(sources.reports)} }}'
    parts = [f'pend = "{_number(one.pend_ms)} ms"', f'disconnect = "{_number(one.disc_ms)} ms"', f"connect = {connect}"]
    parts.append(f"source = {_text('pend and disconnect as printed: ' + sources.reports)}")
    return [*lines, f"service = {{ {', '.join(parts)} }}", ""]


def _guest(one: VolumeLoad, sources: Sources) -> list[str]:
    step = f"{{ io = {{ volume = {_text(one.name)} }} }}"
    lines = ["[[guest]]", f"name = {_text('on-' + one.name)}"]
    if one.population == 0:
        lines += [f'arrivals = "{_number(one.io_per_s / one.batch)}/s"', f"program = [ {step} ]"]
        if one.batch > 1:
            lines += [f"batch_mean = {_number(one.batch)}" if one.geometric else f"batch = {round(one.batch)}"]
        return [*lines, f"calibrated = {_text(sources.reports)}", ""]
    lines += [f"count = {one.population}"]
    if one.think_ms > 0:
        think = f'{{ exponential = "{_number(one.think_ms)} ms" }}'
        step = f"{{ think = {think}, calibrated = {_text(sources.reports)} }}, {step}"
    return [*lines, f"program = [ {step} ]", 'assume = "a population that fits the report; others may fit too"', ""]


def _growth_role(load: Load) -> str:
    return {
        "none": "assume",
        "channel": "assume",
        "assumed": "assume",
        "borrowed": "borrowed",
        "printed": "borrowed",
        "fitted": "calibrated",
    }[load.growth]


def _growth_source(load: Load, sources: Sources) -> str:
    if load.growth in ("none", "channel"):
        return "sharing: none, a reading"
    if load.growth == "fitted":
        return f"sharing: {sources.reports}"
    as_printed = ", derived from the service times of its reports" if load.growth == "printed" else ""
    return f"sharing: {sources.growth}{as_printed}"


@functools.lru_cache(maxsize=1024)
def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """Six significant digits, never an exponent."""
    return f"{value:.9f}".rstrip("0").rstrip(".") if abs(value) < 1 else f"{value:.6g}"
