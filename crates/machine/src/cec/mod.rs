//! The processors of the machine and the domains that share them in fixed slices, in turn (580/MDF).
//!
//! It leaves out what a domain does with its processors, and every reason to end a slice early: a domain that waits keeps
//! its slice, and an interrupt for a domain that is not dispatched stays pending (Partitioning Large Processors, 1.0).

pub mod entitlement;
mod rotation;

pub use rotation::{Rotation, Turn};

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Logical, Partition, Physical};
use crate::plan::{CecPlan, Dispatching, Plan, Processors};
use crate::signal::{Probe, Signal};
use units::{Span, Tod};

/// The physical processors.
#[derive(Clone, Debug, Default)]
pub struct Cec {
    /// Those of dedicated domains first, then the shared ones.
    pub processors: Vec<Processor>,
    rotation: Rotation,
    /// The first logical processor of each domain.
    first: Vec<u32>,
    /// How many logical processors each domain has.
    count: Vec<u32>,
    switch: Span,
}

/// A physical processor.
#[derive(Clone, Copy, Debug)]
pub struct Processor {
    /// What it does.
    pub phase: Phase,
    /// Whose turn it is, in the order of the rotation.
    turn: usize,
    /// When the turn ends.
    ends: Tod,
    /// Which of a domain's logical processors it carries.
    carries: u32,
}

/// What a physical processor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It belongs to one logical processor for good.
    Dedicated(Logical),
    /// It switches to a domain.
    Switching(Partition),
    /// It carries a logical processor, busy or not.
    Carrying(Logical),
    /// Nobody's turn: shares that are capped leave it idle, or the domain has fewer logical processors.
    Idle,
}

impl Cec {
    /// The processors of a plan; none where guests do not share any.
    pub fn new(plan: &Plan) -> Self {
        let Some(cec) = &plan.cec else { return Cec::default() };
        let mut cec_state =
            Cec { rotation: Rotation::new(cec, &plan.partitions), switch: cec.switch, ..Cec::default() };
        let mut logical = 0;
        for partition in &plan.partitions {
            cec_state.first.push(logical);
            cec_state.count.push(partition.logical);
            if partition.processors == Processors::Dedicated {
                let own =
                    (logical..logical + partition.logical).map(|lp| Processor::new(Phase::Dedicated(Logical(lp))));
                cec_state.processors.extend(own);
            }
            logical += partition.logical;
        }
        let shared = cec.processors - cec_state.processors.len() as u32;
        cec_state.processors.extend((0..shared).map(|number| Processor::shared(number, cec)));
        cec_state
    }

    /// A processor begins: a dedicated one carries its logical processor, a shared one begins its first turn.
    pub fn begin(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        match self.processors[physical.index()].phase {
            phase @ Phase::Dedicated(logical) => {
                probe.signal(now, Signal::Carries(physical, phase));
                effects.dispatched(logical);
            }
            Phase::Idle => self.begin_turn(physical, now, effects, probe),
            Phase::Switching(_) | Phase::Carrying(_) => unreachable!("no turn has begun"),
        }
    }

    /// A slice of a physical processor is over, or the switch before it.
    pub fn slice_over(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let processor = &mut self.processors[physical.index()];
        match processor.phase {
            Phase::Dedicated(_) => unreachable!("a dedicated processor has no slices"),
            Phase::Switching(partition) => self.carry(physical, partition, now, (effects, probe)),
            Phase::Carrying(_) | Phase::Idle => {
                if let Phase::Carrying(logical) = processor.phase {
                    effects.undispatched(logical);
                }
                processor.turn = self.rotation.after(processor.turn);
                self.begin_turn(physical, now, effects, probe);
            }
        }
    }

    /// A turn begins: the switch to its domain, if that takes time.
    fn begin_turn(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let Some(Turn { partition, slice }) = self.rotation.turn(self.processors[physical.index()].turn) else {
            return;
        };
        let processor = &mut self.processors[physical.index()];
        processor.ends = now + slice;
        match partition {
            Some(partition) if !self.switch.is_zero() && self.rotation.switches() => {
                processor.phase = Phase::Switching(partition);
                probe.signal(now, Signal::Carries(physical, processor.phase));
                effects.at(Event::Slice(physical), now + self.switch);
            }
            Some(partition) => self.carry(physical, partition, now, (effects, probe)),
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
        partition: Partition,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let processor = &mut self.processors[physical.index()];
        let carried = processor.carries < self.count[partition.index()];
        processor.phase = if carried {
            let logical = Logical(self.first[partition.index()] + processor.carries);
            effects.dispatched(logical);
            Phase::Carrying(logical)
        } else {
            Phase::Idle
        };
        probe.signal(now, Signal::Carries(physical, processor.phase));
        effects.at(Event::Slice(physical), processor.ends);
    }
}

impl Processor {
    fn new(phase: Phase) -> Self {
        Processor { phase, turn: 0, ends: Tod::NEVER, carries: 0 }
    }

    /// Gang dispatching gives all shared processors to one domain at a time; apart, each is a turn ahead of the one
    /// before it.
    fn shared(number: u32, cec: &CecPlan) -> Self {
        let turn = match cec.dispatching {
            Dispatching::Together => 0,
            Dispatching::Apart => number as usize,
        };
        Processor { carries: number, turn, ..Processor::new(Phase::Idle) }
    }
}
