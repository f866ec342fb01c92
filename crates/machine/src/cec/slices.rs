//! Shared processors in fixed slices, in turn (580/MDF).

use super::domain::Domain;
use super::{Rotation, Sharing, Turn};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Logical, Partition, Physical};
use crate::plan::{Dispatching, Processors, SlicesPlan};
use crate::signal::{Phase, Probe, Signal};
use std::ops::Range;
use units::{Span, Tod};

/// The shared processors.
#[derive(Clone, Debug)]
pub(super) struct Slices {
    processors: Vec<Processor>,
    /// The first of them.
    first: u32,
    rotation: Rotation,
    /// How often the rotation has changed.
    edition: u32,
    plan: SlicesPlan,
    switch: Span,
}

/// A shared processor.
#[derive(Clone, Copy, Debug)]
struct Processor {
    phase: Phase,
    /// Whose turn it is, in the order of the rotation.
    turn: usize,
    /// Whose turn that is.
    whose: Option<Partition>,
    /// Which edition of the rotation that is.
    edition: u32,
    /// When the turn ends; never where there is none.
    ends: Tod,
}

impl Slices {
    /// Gang dispatching gives all shared processors to one domain at a time; apart, each is a turn ahead of the one
    /// before it.
    pub(super) fn new((switch, plan): (Span, SlicesPlan), shared: Range<Physical>, domains: &[Domain]) -> Self {
        let processor = |number: u32| Processor {
            phase: Phase::Idle,
            turn: ahead(plan, number),
            whose: None,
            edition: 0,
            ends: Tod::NEVER,
        };
        let processors = (0..shared.end.0 - shared.start.0).map(processor).collect();
        let rotation = rotation(plan, domains);
        Slices { processors, first: shared.start.0, rotation, edition: 0, plan, switch }
    }

    /// A processor begins its first turn.
    pub(super) fn begin(
        &mut self,
        (physical, domains): (Physical, &[Domain]),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        self.begin_turn((physical, domains), now, effects, probe);
    }

    /// The physical processor that carries a logical one.
    pub(super) fn carrier(&self, logical: Logical) -> u32 {
        let own = self.processors.iter().position(|processor| processor.phase == Phase::Carrying(logical));
        self.first + own.expect("somebody carries it") as u32
    }

    /// A slice of a processor is over, or the switch before it.
    pub(super) fn slice_over(
        &mut self,
        (physical, domains): (Physical, &[Domain]),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let processor = &mut self.processors[(physical.0 - self.first) as usize];
        match processor.phase {
            Phase::Dedicated(_) => unreachable!("a dedicated processor has no slices"),
            Phase::Switching(partition, _) => {
                self.carry(physical, &domains[partition.index()], now, (effects, probe));
            }
            Phase::Carrying(_) | Phase::Idle => {
                if let Phase::Carrying(logical) = processor.phase {
                    effects.undispatched(logical);
                }
                self.next_turn(physical);
                self.begin_turn((physical, domains), now, effects, probe);
            }
        }
    }

    /// The slice of an equal share is another one.
    pub(super) fn reslice(&mut self, slice: Span) {
        self.plan.slice = slice;
    }

    /// Domains or the slice have changed: that counts from the next slice of each processor on, and from now where none has one.
    pub(super) fn changed(&mut self, domains: &[Domain], now: Tod, effects: &mut impl Outbox) {
        self.rotation = rotation(self.plan, domains);
        self.edition += 1;
        for (number, processor) in (self.first..).zip(&self.processors) {
            if processor.ends == Tod::NEVER {
                effects.at(Event::Slice(Physical(number)), now);
            }
        }
    }

    /// In a new rotation the first processor goes on with the next domain, and the others keep their distance from it.
    fn next_turn(&mut self, physical: Physical) {
        let number = physical.0 - self.first;
        let leader = self.processors[0];
        let processor = &mut self.processors[number as usize];
        processor.turn = if processor.edition == self.edition {
            self.rotation.after(processor.turn)
        } else if number == 0 {
            self.rotation.following(processor.whose)
        } else {
            leader.turn + ahead(self.plan, number)
        };
        processor.edition = self.edition;
    }

    /// A turn begins: the switch to its domain, if that takes time.
    fn begin_turn(
        &mut self,
        (physical, domains): (Physical, &[Domain]),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let processor = &mut self.processors[(physical.0 - self.first) as usize];
        let Some(Turn { partition, slice }) = self.rotation.turn(processor.turn) else {
            if processor.phase != Phase::Idle {
                processor.phase = Phase::Idle;
                probe.signal(now, Signal::Carries(physical, processor.phase));
            }
            (processor.whose, processor.ends) = (None, Tod::NEVER);
            return;
        };
        (processor.whose, processor.ends) = (partition, now + slice);
        match partition {
            Some(partition) if !self.switch.is_zero() && self.rotation.switches() => {
                let logical = carried(physical.0 - self.first, &domains[partition.index()]);
                processor.phase = Phase::Switching(partition, logical);
                probe.signal(now, Signal::Carries(physical, processor.phase));
                effects.at(Event::Slice(physical), now + self.switch);
            }
            Some(partition) => self.carry(physical, &domains[partition.index()], now, (effects, probe)),
            None => {
                processor.phase = Phase::Idle;
                probe.signal(now, Signal::Carries(physical, processor.phase));
                effects.at(Event::Slice(physical), processor.ends);
            }
        }
    }

    /// The logical processor of a domain that belongs to this physical one is dispatched until the turn ends.
    fn carry(
        &mut self,
        physical: Physical,
        domain: &Domain,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let number = physical.0 - self.first;
        let processor = &mut self.processors[number as usize];
        processor.phase = carried(number, domain).map_or(Phase::Idle, Phase::Carrying);
        if let Phase::Carrying(logical) = processor.phase {
            effects.dispatched(logical);
        }
        probe.signal(now, Signal::Carries(physical, processor.phase));
        effects.at(Event::Slice(physical), processor.ends);
    }
}

/// The logical processor of a domain that belongs to this shared processor; none where the domain has fewer.
fn carried(number: u32, domain: &Domain) -> Option<Logical> {
    domain.logical.clone().nth(number as usize).map(Logical)
}

/// How many turns a processor is ahead of the first.
fn ahead(plan: SlicesPlan, number: u32) -> usize {
    match plan.dispatching {
        Dispatching::Together => 0,
        Dispatching::Apart => number as usize,
    }
}

fn rotation(plan: SlicesPlan, domains: &[Domain]) -> Rotation {
    let sharing = domains.iter().enumerate().filter_map(|(number, domain)| match domain.processors {
        Processors::Shared { target, maximum } if domain.active => {
            Some(Sharing { partition: Partition(number as u32), target, maximum })
        }
        Processors::Shared { .. } | Processors::Dedicated => None,
        Processors::Weighted(_) | Processors::Cgroup(_) => unreachable!("weights have nothing to do with slices"),
    });
    Rotation::new(plan.slice, sharing)
}
