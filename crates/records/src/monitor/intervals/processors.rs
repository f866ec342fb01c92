//! The control program of an interval: its processors (0/2), its DIAGNOSEs (5/12) and its locks (0/23).

use super::entities::Entities;
use super::laws::{self, Judge};
use super::step::Step;
use crate::monitor::layout::{mrprcdia, mrsytlck, mrsytprp};
use measures::{ControlProcessorTotals, ControlProgramTotals, Figure, IntervalTotals, LockTotals, sum};

/// ASSUME: no control program has more processors, where no record of them says how many it has.
const MOST_PROCESSORS: usize = 256;

/// Adds the control program, its processors and its locks to the totals; `partition` is where it runs. A control program
/// of which a processor is omitted is omitted too: its sums would lack it.
pub(super) fn add(totals: &mut IntervalTotals, entities: &Entities, partition: &str, judge: &mut Judge) {
    let processors = entities.steps(mrsytprp::LAYOUT.code);
    let judged: Vec<Option<ControlProcessorTotals>> = processors
        .map(|step| judge.keeps(entities, step, laws::processor).then(|| processor(step, partition)))
        .collect();
    let there = if judged.is_empty() { MOST_PROCESSORS } else { judged.len() };
    let sound = judged.iter().all(Option::is_some);
    totals.control_processors.extend(judged.into_iter().flatten());
    let diagnoses: Vec<Step> = entities.steps(mrprcdia::LAYOUT.code).collect();
    let sound = diagnoses.iter().filter(|step| !judge.keeps(entities, **step, laws::diagnoses)).count() == 0 && sound;
    if sound && (!totals.control_processors.is_empty() || !diagnoses.is_empty()) {
        totals.control_programs.push(control_program(&totals.control_processors, &diagnoses, partition));
    }
    for step in entities.steps(mrsytlck::LAYOUT.code) {
        let laws = |step: Step| entries(step).try_for_each(|entry| laws::lock(entry, there));
        if judge.keeps(entities, step, laws) {
            totals.locks.extend(locks(step, partition));
        }
    }
}

/// Emulation time counts down; the time charged to users is emulation and the control program's time for them.
fn processor(step: Step, partition: &str) -> ControlProcessorTotals {
    use mrsytprp::{PFXCPUAD, PFXPRBTM, PFXSPINT, PFXTMSYS, PFXTOTWT, PFXUTIME};
    let emulation_percent = step.down().percent(PFXPRBTM);
    let charged = step.percent(PFXUTIME);
    let chargeable_cp_percent = charged.less(emulation_percent);
    let nonchargeable_cp_percent = step.percent(PFXTMSYS);
    let number = PFXCPUAD.number(step.later()).unwrap_or(0);
    ControlProcessorTotals {
        emulation_percent,
        chargeable_cp_percent,
        nonchargeable_cp_percent,
        spin_percent: step.percent(PFXSPINT),
        busy_percent: charged.plus(nonchargeable_cp_percent),
        wait_percent: step.percent(PFXTOTWT),
        ..ControlProcessorTotals::unknown(partition.to_string(), number, String::new())
    }
}

fn control_program(processors: &[ControlProcessorTotals], diagnoses: &[Step], partition: &str) -> ControlProgramTotals {
    use mrprcdia::{PLSDGX9C, PLSDGX44};
    let over = |value: fn(&ControlProcessorTotals) -> Figure| match processors {
        [] => Figure::UNKNOWN,
        _ => sum(processors.iter().map(value)),
    };
    let guests_percent = over(|processor| processor.emulation_percent);
    let total_percent = over(|processor| processor.busy_percent);
    let rate = |field| match diagnoses {
        [] => Figure::UNKNOWN,
        _ => sum(diagnoses.iter().map(|step| step.per_second(&[field]))),
    };
    let (x44_per_s, x9c_per_s) = (rate(PLSDGX44), rate(PLSDGX9C));
    ControlProgramTotals {
        total_percent,
        guests_percent,
        chargeable_cp_percent: over(|processor| processor.chargeable_cp_percent),
        nonchargeable_cp_percent: over(|processor| processor.nonchargeable_cp_percent),
        wait_percent: over(|processor| processor.wait_percent),
        tv_ratio: if guests_percent.value > 0.0 { total_percent.over(guests_percent) } else { Figure::UNKNOWN },
        x44_per_s,
        x9c_per_s,
        diagnoses_per_s: x44_per_s.plus(x9c_per_s),
        ..ControlProgramTotals::unknown(partition.to_string())
    }
}

/// The locks of a record: entries are located by their offset, length and number in its fixed part.
fn locks(step: Step, partition: &str) -> Vec<LockTotals> {
    use mrsytlck::entry::{CALLCKID, CALSSCNT, CALSTIME, CALXSCNT, CALXTIME};
    let lock = |step: Step| {
        let exclusive = Spins::of(step, CALXSCNT, CALXTIME);
        let shared = Spins::of(step, CALSSCNT, CALSTIME);
        let both = Spins { per_s: exclusive.per_s.plus(shared.per_s), percent: exclusive.percent.plus(shared.percent) };
        LockTotals {
            collisions_per_s: both.per_s,
            spin_us_per_collision: both.us(),
            spin_s_per_s: both.percent.over(Figure::exact(100.0)),
            spin_percent: both.percent,
            exclusive_collisions_per_s: exclusive.per_s,
            exclusive_spin_us_per_collision: exclusive.us(),
            exclusive_spin_percent: exclusive.percent,
            shared_collisions_per_s: shared.per_s,
            shared_spin_us_per_collision: shared.us(),
            shared_spin_percent: shared.percent,
            ..LockTotals::unknown(partition.to_string(), CALLCKID.text(step.later()).unwrap_or_default())
        }
    };
    entries(step).map(lock).collect()
}

/// The steps of the locks that both records have at the same place.
fn entries(step: Step) -> impl Iterator<Item = Step> {
    let entries = step.entries(mrsytlck::CALENTDSP, mrsytlck::CALENTSZ, mrsytlck::CALNMLKS);
    entries.filter(|entry| entry.same(mrsytlck::entry::CALLCKID))
}

/// Spins of a kind: how many a second, and what share of a processor they take.
struct Spins {
    per_s: Figure,
    percent: Figure,
}

impl Spins {
    fn of(step: Step, count: crate::binary::Field, time: crate::binary::Field) -> Self {
        Spins { per_s: step.per_second(&[count]), percent: step.percent(time) }
    }

    /// Microseconds per spin: a percent of a second is 10,000.
    fn us(&self) -> Figure {
        self.percent.times(Figure::exact(10_000.0)).over(self.per_s)
    }
}
