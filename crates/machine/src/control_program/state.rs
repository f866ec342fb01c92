//! The state of the control program of one partition: its processors, vectors and virtual machines.

use super::caches::Caches;
use super::controller::Controller;
use super::placement::Placement;
use super::processor::Processor;
use super::scheduler_lock::Lock;
use super::vectors::Vector;
use super::virtual_processor::{MachineState, Machines, VirtualState};
use crate::effect::Outbox;
use crate::ids::{Logical, Machine, Partition, Virtual};
use crate::plan::control_program::{ControlProgramPlan, SrmPlan, Stealing};
use crate::plan::{Plan, Processors};
use crate::signal::control_program::{Control, Distance, Spent};
use crate::signal::{Probe, Signal};
use kernel::draw::{Draw, Streams};
use units::{Span, Tod};

/// The control program of a partition.
#[derive(Clone, Debug)]
pub(super) struct ControlProgram {
    pub(super) partition: Partition,
    pub(super) plan: ControlProgramPlan,
    pub(super) srm: SrmPlan,
    /// The first of its logical processors.
    first_logical: u32,
    /// Its number of each machine and virtual processor; counts for its own.
    own_machines: Vec<usize>,
    own_virtuals: Vec<usize>,
    pub(super) processors: Vec<Processor>,
    pub(super) virtuals: Vec<VirtualState>,
    pub(super) machines: Vec<MachineState>,
    /// One for each processor; where one list is for all it is the first.
    pub(super) vectors: Vec<Vector>,
    /// How many have come to vectors so far.
    pub(super) came: u64,
    pub(super) lock: Lock,
    pub(super) caches: Caches,
    pub(super) controller: Controller,
    pub(super) placement: Placement,
    /// How its slices stray, and by which part of their length at most.
    pub(super) draw: Draw,
    pub(super) jitter: f64,
    /// Whether waiters and wanted processors are to be signalled: a processor is then given up in wait.
    pub(super) tells: bool,
    /// The partition's entitlement, in processors' worth, and that of the others beside it.
    pub(super) entitled: (f64, f64),
    /// The total of finished stretches, and the part in which guests ran.
    pub(super) spent: [Span; 2],
    /// The same when it last decided, with what was under way then.
    pub(super) seen: [Span; 2],
    /// How many of its processors are idle, and how many are used.
    pub(super) idle: usize,
    pub(super) used: usize,
    /// The virtual processor that was the last to serve a requester.
    pub(super) served: usize,
    /// How many virtual processors wait in vectors.
    pub(super) waiting: usize,
    /// The present rule of stealing.
    pub(super) stealing: Stealing,
}

/// The surroundings of a transition: now, effects, and the observer.
pub(super) struct Out<'a, E: Outbox, P: Probe> {
    pub now: Tod,
    pub effects: &'a mut E,
    pub probe: &'a mut P,
}

impl<E: Outbox, P: Probe> Out<'_, E, P> {
    #[inline]
    pub fn tell(&mut self, control: Control) {
        self.probe.signal(self.now, Signal::Control(control));
    }
}

/// Which parts of a machine are those of a control program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Firsts {
    pub partition: usize,
    pub logical: u32,
}

impl ControlProgram {
    pub(super) fn new(plan: &Plan, firsts: Firsts, tells: bool, streams: &Streams) -> Self {
        let partition = &plan.partitions[firsts.partition];
        let own = partition.control_program.as_ref().expect("it has a control program");
        let Machines { machines, virtuals, own_machines, own_virtuals, footprints } =
            Machines::new(plan, firsts.partition, streams);
        let cores = plan.cec.as_ref().map_or(partition.logical, |cec| cec.processors);
        let shares = partition.processors != Processors::Dedicated;
        let unparked = own.unparked_at_start(partition.logical);
        let processor = |number| Processor::new(Logical(firsts.logical + number), number < unparked);
        ControlProgram {
            partition: Partition(firsts.partition as u32),
            plan: own.clone(),
            srm: own.srm,
            first_logical: firsts.logical,
            own_machines,
            own_virtuals,
            processors: (0..partition.logical).map(processor).collect(),
            vectors: vec![Vector::with_capacity(virtuals.len()); partition.logical as usize],
            came: 0,
            lock: Lock::new(&own.lock, partition.logical, shares),
            caches: Caches::new(plan.topology.as_ref(), cores, &footprints),
            controller: Controller::new(&own.controller, partition.logical),
            placement: Placement::new(virtuals.len(), partition.logical as usize),
            draw: streams.stream(&format!("partition/{}/slice", partition.name)),
            jitter: own.slice_jitter.fraction(),
            tells: tells && shares,
            entitled: (f64::from(partition.logical), 0.0),
            spent: [Span::ZERO; 2],
            seen: [Span::ZERO; 2],
            idle: 0,
            used: unparked.min(partition.logical) as usize,
            served: 0,
            waiting: 0,
            stealing: own.stealing(own.srm.polarization),
            virtuals,
            machines,
        }
    }

    /// The use of time so far in the present stretch of a processor; nothing is changed.
    pub(super) fn under_way(&self, own: usize, now: Tod) -> Spent {
        let processor = &self.processors[own];
        if !processor.is_busy() {
            return Spent::default();
        }
        let on = processor.on().map(|on| self.virtuals[on].number);
        processor.spent(on, &self.caches, now)
    }

    /// Its number of one of its logical processors.
    #[inline]
    pub(super) fn own(&self, logical: Logical) -> usize {
        (logical.0 - self.first_logical) as usize
    }

    /// One of its logical processors, by its number of it.
    #[inline]
    pub(super) fn logical(&self, own: usize) -> Logical {
        Logical(self.first_logical + own as u32)
    }

    /// Its number of one of its machines.
    pub(super) fn own_machine(&self, machine: Machine) -> usize {
        self.own_machines[machine.index()]
    }

    /// Its number of one of its virtual processors.
    pub(super) fn own_virtual(&self, number: Virtual) -> usize {
        self.own_virtuals[number.index()]
    }

    /// The vector in which one at home in this one waits.
    #[inline]
    pub(super) fn vector(&self, home: usize) -> usize {
        match self.stealing {
            Stealing::Global | Stealing::Free => 0,
            Stealing::Eager | Stealing::Near => home,
        }
    }

    /// Whether there is one list for all.
    pub(super) fn has_one_list(&self) -> bool {
        self.stealing.has_one_list()
    }

    /// How far two of its processors are apart.
    #[inline]
    pub(super) fn distance(&self, one: usize, other: usize) -> Distance {
        if one == other {
            return Distance::Same;
        }
        self.caches.distance(self.processors[one].core, self.processors[other].core)
    }
}
