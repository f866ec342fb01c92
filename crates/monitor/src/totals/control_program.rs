//! Totals of control programs: their time, their dispatching, their lock, their processors and virtual machines.

use super::interval::{Interval, ratio};
use super::promise::{Promised, promised, shares};
use crate::counts::control_program::{DispatcherCounts, LockCounts, Sums, VirtualCounts, Windows};
use crate::counts::diagnose::{Diagnoses, Outcomes};
use crate::counts::vector::{Samples, Seen};
use crate::counts::virtual_processor as virtuals;
use machine::plan::{PartitionPlan, VirtualMachinePlan};
use machine::signal::{Diagnosed, Standing, VirtualStanding};
use measures::{
    ControlProcessorTotals, ControlProgramTotals, DecisionRow, Figure, IntervalTotals, LockTotals, VirtualMachineTotals,
};
use std::ops::Range;
use units::{Span, Tod};

/// The lock that all list work of a control program takes.
pub const SCHEDULER_LOCK: &str = "SRMSLOCK";
/// How far virtual processors are stolen from: chip, book, farther.
const STOLEN: Range<usize> = 1..4;

/// The mean length of windows, in microseconds.
fn mean_window<'a>(windows: impl Iterator<Item = &'a Windows>) -> Figure {
    let all = Windows::together(windows);
    per(all.length, all.exits)
}

/// A partition with a control program.
struct Holder<'a> {
    number: usize,
    plan: &'a PartitionPlan,
    /// Its logical processors.
    own: Range<usize>,
}

impl Interval<'_> {
    /// Makes the totals of all control programs.
    pub(super) fn control(&self, totals: &mut IntervalTotals) {
        if self.counts.control.logical.is_empty() {
            return;
        }
        let (start, end) = self.under_way;
        let (logical, by_number) = self.counts.control.within(&start.spent, &end.spent);
        for holder in self.holders() {
            totals.control_programs.push(self.control_program(&holder, &logical));
            totals.locks.push(self.lock(&holder));
            totals.control_processors.extend(self.control_processors(&holder, &logical));
        }
        totals.virtual_machines = self.virtual_machines(&by_number);
        totals.decisions = self.counts.control.decisions.iter().map(|decided| self.decision(decided)).collect();
    }

    fn holders(&self) -> Vec<Holder<'_>> {
        let mut first = 0;
        let partitions = self.plan.partitions.iter().enumerate().map(|(number, plan)| {
            let own = first..first + plan.logical as usize;
            first = own.end;
            Holder { number, plan, own }
        });
        partitions.filter(|holder| holder.plan.control_program.is_some()).collect()
    }

    fn percent(&self, units: u64) -> Figure {
        Figure::exact(100.0 * self.share(u128::from(units)).value)
    }

    fn control_program(&self, holder: &Holder, logical: &[Sums]) -> ControlProgramTotals {
        let sums = Sums::together(&logical[holder.own.clone()]);
        let own = &self.counts.control.logical[holder.own.clone()];
        let dispatches: [u64; 4] = [0, 1, 2, 3].map(|far| own.iter().map(|counts| counts.moved[far]).sum());
        let all: u64 = dispatches.iter().sum();
        let stood = &self.counts.logical[holder.own.clone()];
        let waited: u128 = stood.iter().map(|counts| counts.area_parked(Standing::Waiting, false, self.end)).sum();
        let parked: u128 = stood.iter().map(|counts| counts.parked(self.end)).sum();
        let stolen = own.iter().flat_map(|counts| &counts.stolen).sum();
        let ready = self.virtuals_of(holder.number).map(|own| own.area(VirtualStanding::Ready, self.end)).sum::<u64>();
        ControlProgramTotals {
            partition: holder.plan.name.clone(),
            total_percent: self.percent(sums.busy()),
            guests_percent: self.percent(sums.emulation),
            chargeable_cp_percent: self.percent(sums.chargeable),
            nonchargeable_cp_percent: self.percent(sums.system),
            wait_percent: Figure::exact(100.0 * self.share(waited).value),
            tv_ratio: ratio(sums.busy() as f64, sums.emulation as f64),
            unparked: Figure::exact(holder.own.len() as f64 - self.share(parked).value),
            work_percent: self.percent(sums.work),
            dispatches_per_s: self.per_s(all),
            moved_percent: ratio(100.0 * (all - dispatches[0]) as f64, all as f64),
            moved_off_chip_percent: ratio(100.0 * (dispatches[2] + dispatches[3]) as f64, all as f64),
            stolen_per_s: self.per_s(stolen),
            looks_per_s: self.per_s(own.iter().map(|counts| counts.looks).sum()),
            ready: self.share(u128::from(ready)),
            decisions: Figure::exact(self.counts.control.decided[holder.number] as f64),
            spinning_percent: self.percent(sums.spinning),
            ..self.yields_and_vectors(holder)
        }
    }

    /// The outcomes of yields in a control program, and the state of its dispatch vectors.
    fn yields_and_vectors(&self, holder: &Holder) -> ControlProgramTotals {
        let own = &self.counts.control.logical[holder.own.clone()];
        let outcomes = Outcomes::together(own.iter().map(|counts| &counts.yields));
        let per_s = |what| self.per_s(outcomes.of(what));
        let issued = outcomes.issued();
        let put_back = self.virtuals_of(holder.number).map(|own| own.put_back).sum();
        let seen = own.iter().fold(Seen::default(), |sum, counts| sum.and(counts.vector.in_use(self.end)));
        let sampled = own.iter().fold(Samples::default(), |sum, counts| sum.and(counts.vector.sampled()));
        ControlProgramTotals {
            x44_per_s: self.per_s(issued.x44()),
            fast_x44_per_s: per_s(Diagnosed::Fast44),
            fast_x44_percent: ratio(100.0 * issued.fast_x44 as f64, issued.x44() as f64),
            x9c_per_s: self.per_s(issued.x9c),
            x9c_yielded_per_s: per_s(Diagnosed::Yielded),
            x9c_not_ready_per_s: per_s(Diagnosed::NotReady),
            x9c_wait_per_s: per_s(Diagnosed::InWait),
            x9c_soft_wait_per_s: per_s(Diagnosed::InSoftWait),
            x9c_dispatched_per_s: per_s(Diagnosed::Dispatched),
            sensed_per_s: per_s(Diagnosed::Sensed),
            diagnoses_per_s: self.per_s(issued.x44() + issued.x9c),
            halts_per_s: self.per_s(issued.halts),
            kicks_per_s: self.per_s(issued.kicks),
            loop_exits_per_s: self.per_s(issued.loops),
            loop_yielded_per_s: per_s(Diagnosed::LoopYielded),
            loop_ended_per_s: per_s(Diagnosed::LoopEnded),
            loop_window_us: mean_window(own.iter().map(|counts| &counts.windows)),
            slice_ends_per_s: self.per_s(put_back),
            intercepts_per_s: self.per_s(own.iter().map(|counts| counts.intercepts).sum()),
            vector_empty_percent: ratio(100.0 * seen.empty as f64, seen.time as f64),
            vector_depth: ratio(seen.area as f64, seen.time as f64),
            vector_empty_sampled_percent: ratio(100.0 * sampled.empty as f64, sampled.count as f64),
            vector_depth_sampled: ratio(sampled.depth as f64, sampled.count as f64),
            ..ControlProgramTotals::unknown(holder.plan.name.clone())
        }
    }

    /// The virtual processors of a partition.
    fn virtuals_of(&self, partition: usize) -> impl Iterator<Item = &VirtualCounts> {
        let own = virtuals::kinds(self.plan).filter(move |(kind, _)| kind.partition == partition);
        own.flat_map(|(_, own)| &self.counts.control.virtuals[own])
    }

    fn lock(&self, holder: &Holder) -> LockTotals {
        let own = &self.counts.control.logical[holder.own.clone()];
        let [shared, exclusive] = [0, 1].map(|kind| LockCounts::together(own.iter().map(|counts| &counts.lock[kind])));
        let both = LockCounts::together([&shared, &exclusive].into_iter());
        let spin = |counts: &LockCounts| per(counts.spin, counts.collisions);
        let outcomes = Outcomes::together(own.iter().map(|counts| &counts.lock_yields));
        let yields = outcomes.issued();
        LockTotals {
            partition: holder.plan.name.clone(),
            lock: SCHEDULER_LOCK.into(),
            taken_per_s: self.per_s(both.taken),
            exclusive_per_s: self.per_s(exclusive.taken),
            shared_per_s: self.per_s(shared.taken),
            collisions_per_s: self.per_s(both.collisions),
            spin_us_per_collision: spin(&both),
            spin_s_per_s: self.share(u128::from(both.spin)),
            spin_percent: self.percent(both.spin),
            hold_us: per(both.hold, both.taken),
            exclusive_collisions_per_s: self.per_s(exclusive.collisions),
            exclusive_spin_us_per_collision: spin(&exclusive),
            exclusive_spin_percent: self.percent(exclusive.spin),
            shared_collisions_per_s: self.per_s(shared.collisions),
            shared_spin_us_per_collision: spin(&shared),
            shared_spin_percent: self.percent(shared.spin),
            yields_per_s: self.per_s(yields.x44() + yields.x9c),
            directed_per_s: self.per_s(outcomes.of(Diagnosed::Yielded)),
            sensed_per_s: self.per_s(yields.sensed),
        }
    }

    fn control_processors(&self, holder: &Holder, logical: &[Sums]) -> Vec<ControlProcessorTotals> {
        let promises = promised(self.plan, holder.number);
        let rows = (0..).zip(holder.own.clone()).zip(promises);
        rows.map(|((number, place), promise)| {
            self.control_processor((holder.plan, number), place, &logical[place], promise)
        })
        .collect()
    }

    fn control_processor(
        &self,
        (plan, number): (&PartitionPlan, u64),
        place: usize,
        sums: &Sums,
        promise: Promised,
    ) -> ControlProcessorTotals {
        let counts: &DispatcherCounts = &self.counts.control.logical[place];
        let stood = &self.counts.logical[place];
        let share = |span: u128| Figure::exact(100.0 * self.share(span).value);
        let worked = |parked| stood.area_parked(Standing::Working, parked, self.end);
        let dispatches: u64 = counts.moved.iter().sum();
        let [chip, book, far] = [0, 1, 2].map(|far| self.per_s(counts.stolen[STOLEN.start + far]));
        ControlProcessorTotals {
            partition: plan.name.clone(),
            number,
            polarity: promise.polarity.into(),
            emulation_percent: self.percent(sums.emulation),
            chargeable_cp_percent: self.percent(sums.chargeable),
            nonchargeable_cp_percent: self.percent(sums.system),
            spin_percent: self.percent(sums.spin),
            busy_percent: self.percent(sums.busy()),
            wait_percent: share(stood.area_parked(Standing::Waiting, false, self.end)),
            parked_percent: share(stood.parked(self.end) - worked(true)),
            entitlement_percent: Figure::exact(promise.percent),
            vector_empty_percent: self.percent(counts.vector.empty(self.end)),
            vector_depth: self.share(counts.vector.area(self.end)),
            dispatches_per_s: self.per_s(dispatches),
            moved_percent: ratio(100.0 * (dispatches - counts.moved[0]) as f64, dispatches as f64),
            stolen_chip_per_s: chip,
            stolen_book_per_s: book,
            stolen_far_per_s: far,
            looks_per_s: self.per_s(counts.looks),
        }
    }

    fn virtual_machines(&self, sums: &[Sums]) -> Vec<VirtualMachineTotals> {
        let mut rows = Vec::new();
        for ((kind, own), share) in virtuals::kinds(self.plan).zip(shares(self.plan)) {
            let each = kind.virtual_processors as usize;
            for (number, first) in (0..).zip(own.step_by(each)) {
                rows.push(self.virtual_machine((kind, number), first..first + each, sums, share));
            }
        }
        rows
    }

    fn virtual_machine(
        &self,
        (kind, number): (&VirtualMachinePlan, u64),
        own: Range<usize>,
        sums: &[Sums],
        share: f64,
    ) -> VirtualMachineTotals {
        let sums = Sums::together(&sums[own.clone()]);
        let counts = &self.counts.control.virtuals[own];
        let stood =
            |standing| self.share(counts.iter().map(|counts| u128::from(counts.area(standing, self.end))).sum());
        let dispatches: u64 = counts.iter().map(|counts| counts.dispatches).sum();
        let moved: u64 = counts.iter().map(|counts| counts.moved).sum();
        let resident: u64 = counts.iter().map(|counts| counts.resident).sum();
        let issued = Diagnoses::together(counts.iter().map(|counts| &counts.diagnoses));
        VirtualMachineTotals {
            partition: self.plan.partitions[kind.partition].name.clone(),
            virtual_machine: kind.name.clone(),
            number,
            emulation_percent: self.percent(sums.emulation),
            chargeable_cp_percent: self.percent(sums.chargeable),
            charged_percent: self.percent(sums.charged()),
            work_percent: self.percent(sums.work),
            running: stood(VirtualStanding::Running),
            ready_wait: stood(VirtualStanding::Ready),
            waking: stood(VirtualStanding::Waking),
            interrupted: stood(VirtualStanding::Interrupted),
            idle: stood(VirtualStanding::Idle),
            limited: stood(VirtualStanding::Limited),
            halted: stood(VirtualStanding::Halted),
            dispatches_per_s: self.per_s(dispatches),
            moved_percent: ratio(100.0 * moved as f64, dispatches as f64),
            share: Figure::exact(share),
            resident: ratio(resident as f64 / 1e6, dispatches as f64),
            spinning_percent: self.percent(sums.spinning),
            x44_per_s: self.per_s(issued.x44()),
            fast_x44_per_s: self.per_s(issued.fast_x44),
            x9c_per_s: self.per_s(issued.x9c),
            halts_per_s: self.per_s(issued.halts),
            kicks_per_s: self.per_s(issued.kicks),
            loop_exits_per_s: self.per_s(issued.loops),
            loop_window_us: mean_window(counts.iter().map(|counts| &counts.windows)),
            intercepts_per_s: self.per_s(counts.iter().map(|counts| counts.intercepts).sum()),
        }
    }

    fn decision(
        &self,
        (at, partition, decision): &(Tod, machine::ids::Partition, machine::signal::Decision),
    ) -> DecisionRow {
        let units = at.units() as i128 - self.origin.units() as i128;
        DecisionRow {
            partition: self.plan.partitions[partition.index()].name.clone(),
            at_s: Figure::exact(units as f64 / Span::SECOND.units() as f64),
            used: Figure::exact(decision.used),
            tv: Figure::exact(decision.tv),
            predicted: Figure::exact(decision.predicted),
            cpupad: Figure::exact(decision.cpupad),
            entitled: Figure::exact(decision.entitled),
            hoped: Figure::exact(decision.hoped),
            tv_parks: Figure::exact(f64::from(u8::from(decision.tv_parks))),
            before: Figure::exact(f64::from(decision.before)),
            after: Figure::exact(f64::from(decision.after)),
        }
    }
}

/// A time per event in us; none where there was no event.
fn per(units: u64, count: u64) -> Figure {
    ratio(units as f64 / Span::from_us(1).units() as f64, count as f64)
}
