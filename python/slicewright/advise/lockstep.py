"""Volumes whose requests move in lockstep: nothing in their loop is random, so replications hardly differ.

The half-width ± is then a matter of where the guests begin, and says nothing about other loads of the same kind.
"""

from __future__ import annotations

from slicewright.scenario.load import Guest, Io, Step
from slicewright.scenario.machine import Distribution, Service
from slicewright.scenario.view import View


def in_lockstep(view: View) -> list[str]:
    """The volumes of constant service that closed guests with constant think times queue for.

    >>> from slicewright._core import starter
    >>> from slicewright.scenario.starters import read_starter
    >>> in_lockstep(read_starter("pool").view)
    []
    """
    if view.cec is not None:  # other partitions and guests come between
        return []
    asked: dict[str, list[Guest]] = {}
    for guest in view.guests:
        for name in {each.io.volume for each in guest.every_step if each.io and each.io.volume}:
            asked.setdefault(name, []).append(guest)
    return [
        volume.name
        for volume in view.volumes
        if volume.name in asked
        and _constant_service(volume.service)
        and all(_constant_loop(guest) for guest in asked[volume.name])
        and sum(guest.count or 0 for guest in asked[volume.name]) > 1
    ]


def _constant_loop(guest: Guest) -> bool:
    """Whether a guest circulates and nothing in its program is drawn at random."""
    return guest.count is not None and guest.replay is None and all(map(_constant_step, guest.every_step))


def _constant_step(step: Step) -> bool:
    spans = [span for span in (step.think, step.compute) if span is not None]
    drawn = step.choose or step.repeat_mean is not None or (step.io is not None and not _one_place(step.io))
    return not drawn and all(map(_constant, spans))


def _one_place(io: Io) -> bool:
    return not (io.uniform or io.weighted or io.zipf or io.own or io.minidisk)


def _constant_service(service: Service) -> bool:
    return all(map(_constant, (service.pend, service.disconnect, service.connect)))


def _constant(span: Distribution) -> bool:
    """Whether a span is the same every time."""
    return span.constant_s is not None
