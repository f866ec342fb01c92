//! The counts of control programs in whole numbers: use of time, dispatches, the cost of the lock.

use super::diagnose::{Diagnoses, Outcomes};
use super::processor::LogicalCounts;
use super::vector::{Lists, VectorCounts};
use super::virtual_processor as virtuals;
use machine::ids::{Logical, Partition, Virtual};
use machine::plan::{Plan, Srm};
use machine::signal::{Control, Decision, Diagnosed, Dispatch, Distance, ListWork, Spent, VirtualStanding};
use units::{Span, Tod};

/// How many ways a virtual processor may stand.
const STANDINGS: usize = 7;
/// How far two processors may be apart.
const DISTANCES: usize = 4;

/// Of all control programs; without any, it is empty.
#[derive(Clone, Debug)]
pub struct ControlCounts {
    /// Per logical processor, whosever it is.
    pub logical: Vec<DispatcherCounts>,
    /// Per virtual processor.
    pub virtuals: Vec<VirtualCounts>,
    /// Per partition: decisions of the interval.
    pub decided: Vec<u64>,
    /// The amount by which signals had warm caches slower than cold ones; a law requires zero.
    pub contradicted: u64,
    /// The decisions since they were last taken.
    pub decisions: Vec<(Tod, Partition, Decision)>,
    /// Which vectors are in use in each partition.
    lists: Vec<Lists>,
}

/// The use of time, in TOD-clock units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Running guests' instructions.
    pub emulation: u64,
    /// In the control program, charged to guests.
    pub chargeable: u64,
    /// In the control program, not charged.
    pub system: u64,
    /// The part of it spent spinning.
    pub spin: u64,
    /// Emulation as if in warm caches, without spinning.
    pub work: u64,
    /// The part of emulation spent spinning for locks of the guests' own.
    pub spinning: u64,
}

/// Of a logical processor as a control program dispatches on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DispatcherCounts {
    /// Stretches that ended.
    pub spent: Sums,
    /// The queue of its vector.
    pub vector: VectorCounts,
    /// Dispatches on it, by how far those had run from it before.
    pub moved: [u64; DISTANCES],
    /// Those from the vector of another, by how far that is.
    pub stolen: [u64; DISTANCES],
    /// Times it looked at other vectors.
    pub looks: u64,
    /// The scheduler lock, taken shared and exclusive.
    pub lock: [LockCounts; 2],
    /// The outcomes of yields on it.
    pub yields: Outcomes,
    /// Windows of the loops that were intercepted on it.
    pub windows: Windows,
    /// Instructions that were intercepted on it.
    pub intercepts: u64,
    /// The same of its own to PR/SM, when it spun for the scheduler lock.
    pub lock_yields: Outcomes,
}

/// Windows after which loops were intercepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// How many.
    pub exits: u64,
    /// How long they were, in all.
    pub length: u64,
}

/// Of a lock, as one processor takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LockCounts {
    /// Times taken.
    pub taken: u64,
    /// Times spun for.
    pub collisions: u64,
    /// How long it spun.
    pub spin: u64,
    /// How long it was held.
    pub hold: u64,
}

/// Of a virtual processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct VirtualCounts {
    standing: VirtualStanding,
    since: Tod,
    areas: [u64; STANDINGS],
    /// Stretches on its behalf that ended.
    pub spent: Sums,
    /// Dispatches, and those elsewhere than the last time.
    pub dispatches: u64,
    pub moved: u64,
    /// How much of its storage the innermost caches held at each, in millionths.
    pub resident: u64,
    /// Times it was put back from a processor to wait for one.
    pub put_back: u64,
    /// The DIAGNOSEs that it issued to yield, and its other instructions that were intercepted.
    pub diagnoses: Diagnoses,
    pub windows: Windows,
    pub intercepts: u64,
}

impl ControlCounts {
    /// Counts for the control programs of a plan.
    pub fn new(plan: &Plan) -> Self {
        let any = plan.partitions.iter().any(|partition| partition.control_program.is_some());
        let logical: u32 = plan.partitions.iter().map(|partition| partition.logical).sum();
        let mut counts = ControlCounts {
            logical: vec![DispatcherCounts::default(); if any { logical as usize } else { 0 }],
            virtuals: vec![VirtualCounts::default(); virtuals::count(plan) as usize],
            decided: vec![0; plan.partitions.len()],
            contradicted: 0,
            decisions: Vec::new(),
            lists: Lists::of(plan),
        };
        for (partition, holder) in (0..).zip(&plan.partitions) {
            if let Some(program) = &holder.control_program {
                counts.set(Tod::START, Partition(partition), Srm::Polarization(program.srm.polarization));
            }
        }
        counts
    }

    /// Starts an interval; decisions stay until they are taken.
    pub fn reset(&mut self, now: Tod) {
        self.logical.iter_mut().for_each(|processor| processor.reset(now));
        self.virtuals.iter_mut().for_each(|processor| processor.reset(now));
        self.decided.fill(0);
        self.contradicted = 0;
    }

    /// Takes notice of what a control program does; each transition knows its signal, so that the match is decided when
    /// it is compiled.
    #[inline(always)]
    pub fn signal(&mut self, now: Tod, control: Control, logical: &mut [LogicalCounts]) {
        match control {
            Control::Spent(on, spent) => self.spent(on, &spent),
            Control::Stands(number, standing) => self.virtuals[number.index()].stands(now, standing),
            Control::Dispatched(number, on, dispatch) => self.dispatched(number, on, dispatch),
            Control::Vector(of, depth) => self.logical[of.index()].vector.holds(now, depth),
            Control::Lock(by, work) => self.logical[by.index()].lock[usize::from(work.exclusive)].add(work),
            Control::Looked(by, _) => self.logical[by.index()].looks += 1,
            Control::Parked(number, parked) => {
                logical[number.index()].parks(now, parked);
                self.logical[number.index()].vector.parks(now, parked);
            }
            Control::Decided(partition, decision) => self.decided(now, partition, decision),
            Control::Diagnosed(number, on, what) => self.diagnosed(number, on, what),
            Control::Intercepted(number, on) => {
                self.logical[on.index()].intercepts += 1;
                self.virtuals[number.index()].intercepts += 1;
            }
            Control::LoopExit(number, on, window) => {
                self.logical[on.index()].windows.add(window);
                self.virtuals[number.index()].windows.add(window);
            }
            Control::LockYield(by, what) => self.logical[by.index()].lock_yields.add(what),
            Control::Set(partition, srm) => self.set(now, partition, srm),
            // Not counted; its consequences are.
            Control::Placed(..) => {}
        }
    }

    /// Looks at the vectors, as a monitor does from time to time.
    pub fn sample(&mut self) {
        self.logical.iter_mut().for_each(|processor| processor.vector.sample());
    }

    /// Always inlined: sums of what a stretch cannot contain cost nothing then.
    #[inline(always)]
    fn spent(&mut self, on: Logical, spent: &Spent) {
        self.logical[on.index()].spent.add(spent);
        let Some(number) = spent.on else { return };
        self.contradicted += spent.work.units().saturating_sub(spent.emulation.units());
        self.virtuals[number.index()].spent.add(spent);
    }

    #[inline(always)]
    fn dispatched(&mut self, number: Virtual, on: Logical, dispatch: Dispatch) {
        let moved = place(dispatch.moved);
        let processor = &mut self.logical[on.index()];
        processor.moved[moved] += 1;
        if let Some(distance) = dispatch.stolen {
            processor.stolen[place(distance)] += 1;
        }
        let counts = &mut self.virtuals[number.index()];
        counts.dispatches += 1;
        counts.moved += u64::from(moved > 0);
        counts.resident += u64::from(dispatch.resident[0]);
    }

    fn diagnosed(&mut self, number: Virtual, on: Logical, what: Diagnosed) {
        self.logical[on.index()].yields.add(what);
        self.virtuals[number.index()].diagnoses.add(what);
    }

    /// SET SRM may change which vectors are in use.
    #[cold]
    fn set(&mut self, now: Tod, partition: Partition, srm: Srm) {
        let Srm::Polarization(polarization) = srm else { return };
        let lists = &self.lists[partition.index()];
        let replaced = lists.one_for_all(polarization);
        for processor in lists.own.clone().skip(1) {
            self.logical[processor].vector.is_replaced(now, replaced);
        }
    }

    fn decided(&mut self, now: Tod, partition: Partition, decision: Decision) {
        self.decided[partition.index()] += 1;
        self.decisions.push((now, partition, decision));
    }

    /// Where the time of an interval went, on each logical and each virtual processor: stretches that ended in it, with
    /// what was under way at its end and without what had passed before its start.
    pub fn within(&self, start: &[Spent], end: &[Spent]) -> (Vec<Sums>, Vec<Sums>) {
        let mut logical: Vec<Sums> = self.logical.iter().map(|counts| counts.spent).collect();
        let mut virtuals: Vec<Sums> = self.virtuals.iter().map(|counts| counts.spent).collect();
        for (sums, so_far) in logical.iter_mut().zip(end) {
            sums.add(so_far);
            so_far.on.into_iter().for_each(|number| virtuals[number.index()].add(so_far));
        }
        for (sums, before) in logical.iter_mut().zip(start) {
            sums.take(before);
            before.on.into_iter().for_each(|number| virtuals[number.index()].take(before));
        }
        (logical, virtuals)
    }
}

impl Sums {
    #[inline(always)]
    fn add(&mut self, spent: &Spent) {
        self.emulation += spent.emulation.units();
        self.chargeable += spent.chargeable.units();
        self.system += spent.system.units();
        self.spin += spent.spin.units();
        self.work += spent.work.units();
        self.spinning += spent.spinning.units();
    }

    /// Without what had been spent before; where that is more, time has been lost, and a law says so.
    fn take(&mut self, before: &Spent) {
        let less = |sum: &mut u64, span: Span| *sum = sum.saturating_sub(span.units());
        less(&mut self.emulation, before.emulation);
        less(&mut self.chargeable, before.chargeable);
        less(&mut self.system, before.system);
        less(&mut self.spin, before.spin);
        less(&mut self.work, before.work);
        less(&mut self.spinning, before.spinning);
    }

    /// Those of several together.
    pub fn together<'a>(all: impl IntoIterator<Item = &'a Sums>) -> Sums {
        all.into_iter().fold(Sums::default(), |sum, one| Sums {
            emulation: sum.emulation + one.emulation,
            chargeable: sum.chargeable + one.chargeable,
            system: sum.system + one.system,
            spin: sum.spin + one.spin,
            work: sum.work + one.work,
            spinning: sum.spinning + one.spinning,
        })
    }

    /// All that is charged to guests.
    pub fn charged(&self) -> u64 {
        self.emulation + self.chargeable
    }

    /// All of it.
    pub fn busy(&self) -> u64 {
        self.charged() + self.system
    }
}

impl DispatcherCounts {
    fn reset(&mut self, now: Tod) {
        let mut vector = self.vector;
        vector.reset(now);
        *self = DispatcherCounts { vector, ..DispatcherCounts::default() };
    }
}

impl Windows {
    #[inline]
    fn add(&mut self, window: Span) {
        self.exits += 1;
        self.length += window.units();
    }

    /// Those of several processors.
    pub fn together<'a>(all: impl Iterator<Item = &'a Windows>) -> Windows {
        all.fold(Windows::default(), |sum, one| Windows {
            exits: sum.exits + one.exits,
            length: sum.length + one.length,
        })
    }
}

impl LockCounts {
    #[inline]
    fn add(&mut self, work: ListWork) {
        self.taken += 1;
        self.collisions += u64::from(!work.spin.is_zero());
        self.spin += work.spin.units();
        self.hold += work.hold.units();
    }

    /// As all processors of a control program took it.
    pub fn together<'a>(all: impl Iterator<Item = &'a LockCounts>) -> LockCounts {
        all.fold(LockCounts::default(), |sum, one| LockCounts {
            taken: sum.taken + one.taken,
            collisions: sum.collisions + one.collisions,
            spin: sum.spin + one.spin,
            hold: sum.hold + one.hold,
        })
    }
}

impl VirtualCounts {
    #[inline(always)]
    fn stands(&mut self, now: Tod, standing: VirtualStanding) {
        self.areas[self.standing as usize] += (now - self.since).units();
        let put_back = self.standing == VirtualStanding::Running && standing == VirtualStanding::Ready;
        self.put_back += u64::from(put_back);
        (self.standing, self.since) = (standing, now);
    }

    fn reset(&mut self, now: Tod) {
        *self = VirtualCounts { standing: self.standing, since: now, ..VirtualCounts::default() };
    }

    /// Its state.
    pub fn standing(&self) -> VirtualStanding {
        self.standing
    }

    /// How long it has had something to do since the last reset, with a processor or without.
    pub fn inside(&self, now: Tod) -> u64 {
        let so_far = if self.standing == VirtualStanding::Idle { 0 } else { (now - self.since).units() };
        so_far + self.areas.iter().sum::<u64>() - self.areas[VirtualStanding::Idle as usize]
    }

    /// The time in this state since the last reset.
    pub fn area(&self, standing: VirtualStanding, now: Tod) -> u64 {
        let so_far = if standing == self.standing { (now - self.since).units() } else { 0 };
        self.areas[standing as usize] + so_far
    }
}

const fn place(distance: Distance) -> usize {
    match distance {
        Distance::Same => 0,
        Distance::Chip => 1,
        Distance::Book => 2,
        Distance::Far => 3,
    }
}
