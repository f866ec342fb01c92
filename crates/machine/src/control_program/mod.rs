//! Control programs: virtual processors on the logical processors of a partition, dispatched from vectors by share.
//!
//! A virtual processor whose requester needs it is woken where it ran last.  That logical processor handles the
//! interrupt, under the scheduler lock, and puts it on its vector.  It is dispatched there, or stolen by an idle
//! processor.  It runs, slower the less the caches hold of its storage, until its work or its slice is over.  Every two
//! seconds the controller parks or unparks logical processors and assigns homes (z/VM HiperDispatch).

pub mod caches;
pub mod controller;
mod finding;
mod halting;
mod list_work;
mod parking;
mod pause_loop;
pub mod placement;
mod processor;
mod program;
mod running;
pub mod scheduler_lock;
mod spinning;
mod state;
mod vectors;
mod virtual_processor;

pub use halting::Release;
pub use virtual_processor::Left;

use crate::effect::Outbox;
use crate::ids::{Logical, Machine, Partition, Requester, Virtual};
use crate::plan::{CecPlan, DispatcherPlan, Plan, Srm};
use crate::signal::Probe;
use crate::signal::control_program::{Spent, VirtualStanding};
use caches::Caches;
use kernel::draw::Streams;
use state::{ControlProgram, Firsts, Out};
use units::{Span, Tod};

/// The control programs of all partitions that have one.
#[derive(Clone, Debug, Default)]
pub struct ControlPrograms {
    programs: Vec<ControlProgram>,
    /// The program of each logical processor, of each machine, and of each virtual processor; empty where there is none.
    of_logical: Vec<Option<usize>>,
    of_machine: Vec<usize>,
    of_virtual: Vec<usize>,
}

impl ControlPrograms {
    /// The control programs of a plan, idle, none of their processors carried.
    pub fn new(plan: &Plan, streams: &Streams) -> Self {
        let mut all = ControlPrograms::default();
        if plan.partitions.iter().all(|partition| partition.control_program.is_none()) {
            return all;
        }
        let prsm = |cec: &CecPlan| match cec.dispatcher {
            DispatcherPlan::Slices(_) | DispatcherPlan::Cfs(_) => false,
            DispatcherPlan::Prsm(_) => true,
        };
        let tells = plan.cec.as_ref().is_some_and(prsm);
        let program_of = |partition: usize| {
            let before = plan.partitions[..partition].iter();
            before.filter(|partition| partition.control_program.is_some()).count()
        };
        for kind in &plan.virtual_machines {
            let program = program_of(kind.partition);
            all.of_machine.extend((0..kind.count).map(|_| program));
            all.of_virtual.extend((0..kind.count * kind.virtual_processors).map(|_| program));
        }
        let mut logical = 0;
        for (number, partition) in plan.partitions.iter().enumerate() {
            let program = partition.control_program.as_ref().map(|_| all.programs.len());
            all.of_logical.extend((0..partition.logical).map(|_| program));
            if program.is_some() {
                let firsts = Firsts { partition: number, logical };
                all.programs.push(ControlProgram::new(plan, firsts, tells, streams));
            }
            logical += partition.logical;
        }
        all
    }

    /// Whether a logical processor is one of a control program.
    #[inline(always)]
    pub fn has(&self, logical: Logical) -> bool {
        self.of_logical.get(logical.index()).is_some_and(Option::is_some)
    }

    #[inline(always)]
    fn of(&mut self, logical: Logical) -> &mut ControlProgram {
        let program = self.of_logical[logical.index()].expect("it is one of a control program");
        &mut self.programs[program]
    }

    fn with(&self, logical: Logical) -> (&ControlProgram, usize) {
        let program = &self.programs[self.of_logical[logical.index()].expect("it is one of a control program")];
        (program, program.own(logical))
    }

    /// The number of virtual processors that a limit may hold back: all of them, if one has a limit.
    pub fn limited(&self) -> usize {
        let limited = |program: &ControlProgram| program.virtuals.iter().any(|state| state.limit.is_some());
        if self.programs.iter().any(limited) { self.of_virtual.len() } else { 0 }
    }

    /// The controllers begin to count.
    pub fn begin(&mut self, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let mut out = Out { now, effects, probe };
        self.programs.iter().for_each(|program| program.decides_first(&mut out));
    }

    /// A physical processor, on this core, carries a logical one.
    pub fn carried(
        &mut self,
        (logical, core): (Logical, u32),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let program = self.of(logical);
        program.carried(program.own(logical), core, &mut Out { now, effects, probe });
    }

    /// No physical processor carries a logical one any more.
    pub fn dropped(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let program = self.of(logical);
        program.dropped(program.own(logical), &mut Out { now, effects, probe });
    }

    /// A requester needs a virtual processor of its machine.
    #[inline]
    pub fn ready(
        &mut self,
        (machine, requester, left): (Machine, Requester, Left),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let program = &mut self.programs[self.of_machine[machine.index()]];
        program.ready(machine, (requester, left), &mut Out { now, effects, probe });
    }

    /// The stretch of a logical processor is over.
    #[inline]
    pub fn work_over(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let program = self.of(logical);
        program.over(program.own(logical), &mut Out { now, effects, probe });
    }

    /// A requester's work is done; returns the account that pays for what follows, and how much.
    #[inline]
    pub fn after_served(
        &mut self,
        logical: Logical,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Option<(Requester, Span)> {
        let program = self.of(logical);
        program.after_served(program.own(logical), &mut Out { now, effects, probe })
    }

    /// The target that a requester names for its yield on a logical processor.
    pub fn yields(
        &mut self,
        (logical, named): (Logical, Option<Requester>),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let program = self.of(logical);
        program.yields(program.own(logical), named, &mut Out { now, effects, probe });
    }

    /// A spin lock of a machine is free for those that wait for it.
    pub fn freed(&mut self, release: Release, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let program = &mut self.programs[self.of_machine[release.machine.index()]];
        program.freed(release, &mut Out { now, effects, probe });
    }

    /// A virtual processor that was at its limit may run again.
    pub fn released(&mut self, number: Virtual, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let program = &mut self.programs[self.of_virtual[number.index()]];
        program.released(program.own_virtual(number), &mut Out { now, effects, probe });
    }

    /// The controller of a partition decides.
    pub fn decide(&mut self, partition: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.program(partition).decide(&mut Out { now, effects, probe });
    }

    /// SET SRM sets something in a partition.
    pub fn set(
        &mut self,
        (partition, srm): (Partition, Srm),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        self.program(partition).set(srm, &mut Out { now, effects, probe });
    }

    fn program(&mut self, partition: Partition) -> &mut ControlProgram {
        self.programs.iter_mut().find(|program| program.partition == partition).expect("it has a control program")
    }

    /// The entitlement of each partition, in processors' worth, and that of the others beside it.
    pub fn entitle(&mut self, entitled: impl Fn(Partition) -> (f64, f64)) {
        for program in &mut self.programs {
            program.entitled = entitled(program.partition);
        }
    }

    /// Whether a logical processor is carried and has nothing to do.
    pub fn is_in_wait(&self, logical: Logical) -> bool {
        let (program, own) = self.with(logical);
        program.is_in_wait(own)
    }

    /// The use of time so far in the present stretch of a logical processor; nothing is changed.
    pub fn under_way(&self, logical: Logical, now: Tod) -> Spent {
        let (program, own) = self.with(logical);
        program.under_way(own, now)
    }

    /// The state of a virtual processor.
    pub fn standing(&self, number: Virtual) -> VirtualStanding {
        let program = &self.programs[self.of_virtual[number.index()]];
        program.virtuals[program.own_virtual(number)].standing
    }

    /// The caches under the control program of a partition, with their contents.
    pub fn caches(&self, partition: Partition) -> Option<&Caches> {
        self.programs.iter().find(|program| program.partition == partition).map(|program| &program.caches)
    }
}
