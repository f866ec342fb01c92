//! A virtual processor and its machine: its work, its state, the time charged to it and its limit.

use crate::ids::{Requester, SpinLock, Virtual};
use crate::plan::control_program::{Footprint, Homes, SpinPlan, VirtualMachinePlan, VmShare, Yields};
use crate::plan::{PartitionPlan, Plan};
use crate::signal::control_program::VirtualStanding;
use kernel::draw::Streams;
use std::collections::VecDeque;
use std::ops::Range;
use units::{Span, Tod};

/// A requester that needs a virtual processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The requester.
    pub requester: Requester,
    /// For how long still.
    pub left: Left,
}

/// How much a requester still needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Instructions that take so long in warm caches.
    Work(Span),
    /// Until this much more has been charged to it.
    Charged(Span),
    /// An instruction that the control program simulates for so long.
    Simulated(Span),
    /// Until it may try to take this lock.
    Spin(SpinLock),
    /// The same, and it has halted until it is kicked.
    Halted(SpinLock),
}

/// A virtual processor.
#[derive(Clone, Debug)]
pub(super) struct VirtualState {
    pub number: Virtual,
    /// Which machine, among those of the control program.
    pub machine: usize,
    pub standing: VirtualStanding,
    pub job: Option<Job>,
    /// Whose work it had last.
    pub requester: Requester,
    /// The time of a processor that it has had for its requester.
    pub charged: Span,
    /// In whose dispatch vector it waits.
    pub home: usize,
    /// Where it ran last: its interrupts are handled there.
    pub last: usize,
    /// What it has been charged over its share: the lower goes first.
    pub pass: f64,
    /// The addition of a unit of charged time to that.
    pub stride: f64,
    /// The rest of its dispatch slice.
    pub slice: Span,
    pub limit: Option<Limit>,
    /// Whether it waits in that vector.
    pub in_vector: bool,
    /// Whether it goes behind all others there when it does so next.
    pub to_tail: bool,
    /// How its operating system yields.
    pub yields: Yields,
    /// For which lock it spins, or spun last.
    pub spins: Option<SpinLock>,
    /// How much of its round of tries is left.
    pub round: Span,
    /// Whether the lock has been free since it tried last, so that a try may succeed.
    pub may_try: bool,
    /// How long it may loop before it is intercepted, once that has changed.
    pub window: Option<Span>,
    /// Whether it was taken out of a loop and has not run since; if so, whether a loop that ends now may have it run.
    pub left_loop: Option<bool>,
    /// The first of the halted ones that it has to kick, because it has released their locks.
    pub kicks: Option<usize>,
    /// The one that is kicked after it by the same.
    pub kicked_next: Option<usize>,
    /// Since when it has had nothing to do, if that is so.
    pub idle_since: Tod,
    /// The one that wakes after it on the same logical processor.
    pub wakes_next: Option<usize>,
    /// The total time charged to it.
    pub total: Span,
    /// The same when the control program last decided.
    pub seen: Span,
}

impl VirtualState {
    /// One of this machine, at home on this processor, idle.
    pub fn new(
        number: Virtual,
        (machine, home): (usize, usize),
        (stride, limit): (f64, Option<Limit>),
        yields: Yields,
    ) -> Self {
        VirtualState {
            number,
            machine,
            standing: VirtualStanding::Idle,
            job: None,
            requester: Requester(u32::MAX),
            charged: Span::ZERO,
            home,
            last: home,
            pass: 0.0,
            stride,
            slice: Span::ZERO,
            limit,
            in_vector: false,
            to_tail: false,
            yields,
            spins: None,
            round: Span::ZERO,
            may_try: false,
            window: None,
            left_loop: None,
            kicks: None,
            kicked_next: None,
            idle_since: Tod::START,
            wakes_next: None,
            total: Span::ZERO,
            seen: Span::ZERO,
        }
    }

    /// Whether it is that of a requester that has one, or had it last.
    pub fn works_for(&self, requester: Option<Requester>) -> bool {
        requester == Some(self.requester)
    }

    /// Whether the logical processor on which it ran last is through with its work and has no other of it.
    pub fn has_finished(&self) -> bool {
        self.standing == VirtualStanding::Running && self.job.is_none()
    }
}

/// The most that a virtual processor gets: what accrues at a rate and was not used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Of a processor.
    rate: f64,
    since: Tod,
    used: Span,
}

impl Limit {
    fn new(rate: f64) -> Limit {
        Limit { rate, since: Tod::START, used: Span::ZERO }
    }

    /// How long it may run from now on, at most this long; at least a part of that, or the instant from which it may.
    /// Time that accrues while it does not run is kept for one run of that length and no more.
    pub fn allows(&mut self, most: Span, now: Tod) -> Result<Span, Tod> {
        let needs = |run: f64| run * (1.0 - self.rate);
        let (kept, least) = (needs(most.units() as f64), needs(most.units() as f64 * LEAST));
        let mut credit = self.credit(now);
        if credit > kept {
            // As if it had had nothing to do for just as long as that takes.
            let accrues = (kept / self.rate) as u64;
            (self.since, self.used) = (Tod::from_units(now.units().saturating_sub(accrues)), Span::ZERO);
            credit = kept;
        }
        if credit >= least {
            return Ok(Span::from_units((credit / (1.0 - self.rate)) as u64).min(most));
        }
        Err(now + Span::from_units(((least - credit) / self.rate) as u64 + 1))
    }

    fn credit(&self, now: Tod) -> f64 {
        self.rate * (now - self.since).units() as f64 - self.used.units() as f64
    }

    pub fn uses(&mut self, span: Span) {
        self.used += span;
    }
}

/// A virtual processor that may run for less than this part of a slice waits until it may.
const LEAST: f64 = 0.1;

/// A virtual machine.
#[derive(Clone, Debug)]
pub(super) struct MachineState {
    /// Its virtual processors, among those of the control program.
    pub virtuals: Range<usize>,
    /// Requesters that need one and found none.
    pub ready: VecDeque<Job>,
    /// How its operating system spins.
    pub spin: SpinPlan,
    /// Its virtual processor that ran last because a loop ended.
    pub boosted: usize,
}

/// The virtual machines of a control program and their virtual processors.
pub(super) struct Machines {
    pub machines: Vec<MachineState>,
    pub virtuals: Vec<VirtualState>,
    /// Its number of each machine and virtual processor there is; counts for its own.
    pub own_machines: Vec<usize>,
    pub own_virtuals: Vec<usize>,
    /// The footprint of each virtual processor.
    pub footprints: Vec<Option<Footprint>>,
}

impl Machines {
    /// Those of a partition that has a control program.
    pub fn new(plan: &Plan, partition: usize, streams: &Streams) -> Machines {
        let PartitionPlan { name, logical, control_program, .. } = &plan.partitions[partition];
        let drawn = control_program.as_ref().is_some_and(|program| program.homes == Homes::Drawn);
        let seats = control_program.as_ref().map_or(*logical, |program| program.unparked_at_start(*logical));
        let mut homes = streams.stream(&format!("partition/{name}/homes"));
        let kinds: Vec<_> = plan.virtual_machines.iter().filter(|kind| kind.partition == partition).collect();
        let mut promises = promises(&kinds, *logical).into_iter();
        let mut all = Machines {
            machines: Vec::new(),
            virtuals: Vec::new(),
            own_machines: Vec::new(),
            own_virtuals: Vec::new(),
            footprints: Vec::new(),
        };
        for kind in &plan.virtual_machines {
            let promise = if kind.partition == partition { promises.next() } else { None };
            for _ in 0..kind.count {
                all.own_machines.push(all.machines.len());
                let in_turn = |number: usize| number % seats as usize;
                let home = |number| if drawn { homes.below(seats) as usize } else { in_turn(number) };
                all.add(kind, promise, home);
            }
        }
        all
    }

    /// Another machine; one of another partition is numbered only.
    fn add(
        &mut self,
        kind: &VirtualMachinePlan,
        promise: Option<(f64, Option<Limit>)>,
        mut home: impl FnMut(usize) -> usize,
    ) {
        let first = self.virtuals.len();
        for _ in 0..kind.virtual_processors {
            let number = Virtual(self.own_virtuals.len() as u32);
            self.own_virtuals.push(self.virtuals.len());
            self.footprints.push(kind.footprint.filter(|_| promise.is_some()));
            if let Some(promise) = promise {
                let home = home(self.virtuals.len());
                self.virtuals.push(VirtualState::new(number, (self.machines.len(), home), promise, kind.spin.yields));
            }
        }
        if promise.is_some() {
            let (virtuals, ready) = (first..self.virtuals.len(), VecDeque::new());
            self.machines.push(MachineState { virtuals, ready, spin: kind.spin, boosted: first });
        }
    }
}

/// The addition to a virtual processor's pass per unit, by the shares of all machines together, for each kind, and the
/// limits.
///
/// Absolute shares are of the whole; relative ones divide the rest.
fn promises(kinds: &[&VirtualMachinePlan], logical: u32) -> Vec<(f64, Option<Limit>)> {
    let (mut absolute, mut relative) = (0.0, 0.0);
    for kind in kinds {
        match kind.share {
            VmShare::Absolute(share) => absolute += share.fraction() * f64::from(kind.count),
            VmShare::Relative(share) => relative += f64::from(share) * f64::from(kind.count),
        }
    }
    let left = (1.0 - absolute).max(LEAST_LEFT);
    let promise = |kind: &&VirtualMachinePlan| {
        let of_all = match kind.share {
            VmShare::Absolute(share) => share.fraction(),
            VmShare::Relative(share) => left * f64::from(share) / relative,
        };
        let each = f64::from(kind.virtual_processors);
        let rate = kind.limit.map(|limit| limit.fraction() * f64::from(logical) / each);
        (each / of_all, rate.filter(|rate| *rate < 1.0).map(Limit::new))
    };
    kinds.iter().map(promise).collect()
}

/// Of the whole, what relative shares divide at least, when absolute ones take all.
const LEAST_LEFT: f64 = 0.01;
