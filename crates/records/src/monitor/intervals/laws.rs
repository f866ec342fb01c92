//! The laws of what the counters of an entity did from one sample to the next.
//!
//! Counters are cumulative: one bit makes a step of years, forwards, or by wrapping around.

use super::entities::{AT_END_S, Entities};
use super::step::Step;
use crate::binary::{Clock, Field};
use crate::laws::{Broken, Counted, MOST_EXPOSURES, MOST_PER_S, MOST_WAITING, Omitted, within_ms};
use crate::monitor::header::field::MRHDRTOD;
use crate::monitor::layout::{mriodhpp, mrprcdia, mrsytcup, mrsytlck, mrsytprp};

/// Device numbers have 16 bits: no pool has more devices.
const MOST_DEVICES: f64 = 65_536.0;

/// Laws at the end of a sample, and the rows that they omit.
pub(super) struct Judge<'a> {
    pub(super) end: Clock,
    pub(super) omitted: &'a mut Omitted,
}

impl Judge<'_> {
    /// Whether a step keeps its laws; else it is omitted.
    pub(super) fn keeps(&mut self, entities: &Entities, step: Step, laws: impl Fn(Step) -> Result<(), Broken>) -> bool {
        let judged = on_time(step, self.end).and_then(|()| laws(step));
        judged.map_err(|broken| self.omitted.add(broken, entities.origin(step))).is_ok()
    }
}

/// That a record was built when its sample ended, or nearly so.
fn on_time(step: Step, end: Clock) -> Result<(), Broken> {
    let early_s = end.seconds_since(step.clock());
    let counted = Counted::with(MRHDRTOD, step.later(), step.later(), early_s);
    counted.law(AT_END_S.contains(&early_s), || format!("seconds before the end of its sample at {end}"))
}

/// Of a processor of the control program: emulation, the control program, and waiting share its time.
pub(super) fn processor(step: Step) -> Result<(), Broken> {
    use mrsytprp::{PFXPRBTM, PFXSPINT, PFXTMSYS, PFXTOTWT, PFXUTIME};
    let most_ms = within_ms(step.ms());
    let [charged, system, waiting, spinning] =
        [PFXUTIME, PFXTMSYS, PFXTOTWT, PFXSPINT].map(|field| step.counted(field));
    let emulation = step.with(PFXPRBTM, step.down().advance(&[PFXPRBTM]).value);
    for time in [charged, system, waiting, spinning, emulation] {
        time.at_most_ms(most_ms, "a processor has the time of its interval")?;
    }
    let skew_ms = most_ms - step.ms();
    emulation.at_most_ms(charged.ms() + skew_ms, "emulation is charged to users")?;
    system.at_most_ms(most_ms - charged.ms(), "time for users and of the system share the interval")?;
    waiting.at_most_ms(most_ms - charged.ms() - system.ms(), "work and waiting share the interval")
}

/// Of the DIAGNOSEs of a processor.
pub(super) fn diagnoses(step: Step) -> Result<(), Broken> {
    [mrprcdia::PLSDGX44, mrprcdia::PLSDGX9C].into_iter().try_for_each(|field| often(step, field))
}

/// Of a lock: spins take time on as many processors as there are.
pub(super) fn lock(step: Step, processors: usize) -> Result<(), Broken> {
    use mrsytlck::entry::{CALSSCNT, CALSTIME, CALXSCNT, CALXTIME};
    for (count, time) in [(CALXSCNT, CALXTIME), (CALSSCNT, CALSTIME)] {
        often(step, count)?;
        let (count, time) = (step.counted(count), step.counted(time));
        time.law(count.value > 0.0 || time.value == 0.0, || "without a spin there is no time".into())?;
        time.at_most_ms(within_ms(step.ms()) * processors as f64, "each processor spins within the interval")?;
    }
    Ok(())
}

/// Of a partition: the record holds its processors.
pub(super) fn partition(step: Step) -> Result<(), Broken> {
    use mrsytcup::{CALCPULN, CALCPUOF, LCUPCPCT};
    let value = |field: Field| field.number(step.later()).unwrap_or(0);
    let end = value(CALCPUOF) + value(CALCPULN) * value(LCUPCPCT);
    let there = step.with(LCUPCPCT, value(LCUPCPCT) as f64);
    there.law(end <= step.later().len() as u64, || "the record holds an entry for each processor".into())
}

/// Of a logical processor.
pub(super) fn logical_processor(step: Step) -> Result<(), Broken> {
    use mrsytcup::entry::{LCUCACTM, LCUCLPTM};
    let (total, effective) = (step.counted(LCUCACTM), step.counted(LCUCLPTM));
    let most_ms = within_ms(step.ms());
    total.at_most_ms(most_ms, "a logical processor is dispatched within the interval")?;
    effective.at_most_ms(total.ms() + most_ms - step.ms(), "effective time is a part of the time dispatched")
}

/// Of a pool: no more visits fail than there are.
pub(super) fn pool(step: Step) -> Result<(), Broken> {
    use mriodhpp::{HPPFAILS, HPPMAXCT, HPPMINCT, HPPNALIS, HPPTRIES};
    often(step, HPPTRIES)?;
    step.counted(HPPFAILS).at_most(step.counted(HPPTRIES).value, "no more visits fail than there are")?;
    for field in [HPPNALIS, HPPMINCT, HPPMAXCT] {
        step.with(field, step.value(field).value).at_most(MOST_DEVICES, "a pool has devices with numbers")?;
    }
    Ok(())
}

/// The counters of a device, or of the aliases that acted for it: starts, those that were timed, and times.
pub(super) struct Starts {
    pub(super) starts: Field,
    pub(super) timed: Field,
    pub(super) times: [Field; 3],
    pub(super) single: bool,
}

/// Of starts: an exposure has one I/O at a time, and one that began before the interval counts whole.
pub(super) fn starts(step: Step, of: &Starts) -> Result<(), Broken> {
    let exposures = if of.single { 1.0 } else { MOST_EXPOSURES };
    often(step, of.starts)?;
    let (starts, timed) = (step.counted(of.starts), step.counted(of.timed));
    timed.at_most(starts.value + exposures, "I/Os that were timed were started")?;
    let times = of.times.map(|field| step.counted(field));
    let all_ms: f64 = times.iter().map(|time| time.ms()).sum();
    let mean_ms = if timed.value > 0.0 { all_ms / timed.value } else { 0.0 };
    let most_ms = exposures * (within_ms(step.ms()) + mean_ms);
    let busy = || format!("{exposures:.0} at a time: at most {most_ms:.0} ms together");
    for time in times {
        time.law(timed.value > 0.0 || time.value == 0.0, || "without an I/O that was timed there is no time".into())?;
        time.law(all_ms <= most_ms && mean_ms <= within_ms(step.ms()) || time.ms() < all_ms / 3.0, busy)?;
    }
    starts.law(starts.value * mean_ms <= most_ms + exposures * mean_ms, busy)
}

/// Of a volume, whose base and aliases are seen as one: starts that were not timed took as long as the others.
pub(super) fn volume(step: Step, base: &Starts, aliases: &Starts) -> Result<(), Broken> {
    let both = |of: fn(&Starts) -> Vec<Field>| -> f64 {
        [base, aliases].into_iter().flat_map(of).map(|field| step.counted(field)).map(|counted| counted.ms()).sum()
    };
    let (all_ms, timed) = (both(|of| of.times.to_vec()), both(|of| vec![of.timed]));
    let in_service_ms = both(|of| vec![of.starts]) * all_ms / timed.max(1.0);
    let most_ms = (MOST_EXPOSURES + 1.0) * (within_ms(step.ms()) + all_ms / timed.max(1.0));
    let law = || format!("257 exposures have one I/O at a time each: at most {most_ms:.0} ms together");
    step.counted(aliases.starts).law(in_service_ms <= most_ms, law)
}

/// Of the queue of a device: its high-frequency samples saw it.
pub(super) fn queue(step: Step, [sum, samples]: [Field; 2]) -> Result<(), Broken> {
    let samples = step.counted(samples).value;
    step.counted(sum).at_most(MOST_WAITING * samples, "no more requests wait on the average")
}

/// That a counter goes no faster than what it counts can happen.
pub(super) fn often(step: Step, field: Field) -> Result<(), Broken> {
    step.counted(field).at_most(MOST_PER_S * step.ms() / 1_000.0, "no more of them fit the interval")
}
