//! Partitions and their logical processors in an interval: records 70-1.
//!
//! ASSUME, from the names of the fields: total dispatch time is effective dispatch time and management of PR/SM. A logical
//! processor that is online and neither dispatched nor waiting has work and is not carried.

use super::draft::{Draft, cycle_ms, number};
use crate::binary::Field;
use crate::laws::{Broken, Counted, MOST_PER_S, percent, within_ms};
use crate::smf::layout::smf70bct::{SMF70BDN, SMF70BDS, SMF70LPM, SMF70LPN, SMF70PFG};
use crate::smf::layout::smf70bpd::{SMF70BPS, SMF70CIX, SMF70EDT, SMF70ONT, SMF70PDT, SMF70VPA, SMF70VPF, SMF70WST};
use crate::smf::layout::smf70cis::{SMF70CIN, SMF70CTN};
use crate::smf::layout::smf70cpu::{SMF70CID, SMF70CNF, SMF70PAT, SMF70SLH, SMF70TPI, SMF70TYP, SMF70WAT};
use crate::smf::layout::{CPU, CPU_NAME, LOGICAL_PROCESSOR, PARTITION, product};
use crate::smf::rmf::Rmf;
use measures::{Figure, LogicalProcessorTotals, PartitionTotals, sum};

/// The name of the row for time that no partition owns, the hypervisor's; its number is 0 (PR/SM Logical Processor Data
/// Section, SMF70PDT: with partition name PHYSICAL).
const PHYSICAL: &str = "PHYSICAL";
/// The name of general processors.
const GENERAL: &str = "CP";
/// SMF70PFG: the wait time of the partition's logical processors is valid.
const WAIT_TIME: u64 = 0x04;
/// SMF70VPF: a logical processor that waits stays dispatched.
const WAIT_COMPLETION: u64 = 0x80;
/// SMF70BPS: the processors of the partition are dedicated.
const DEDICATED: u64 = 0xFFFF;
/// SMF70CNF: the data of the processor are invalid.
const INVALID: u64 = 0x02;

/// Adds partitions and logical processors of a record to the interval. A record with a number that breaks a law adds
/// nothing, since its partitions share one time.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    let seconds = draft.seconds();
    let names: Vec<String> =
        record.sections(&CPU_NAME).map(|section| SMF70CIN.text(section).unwrap_or_default()).collect();
    let own = product::SMFPTN.number(record.product());
    let mut partitions = vec![];
    let (mut owned, mut dispatched_ms, mut hypervisor_ms) = (0..0, 0.0, 0.0);
    for section in record.sections(&PARTITION).filter(|section| section.len() >= SMF70BDS.since()) {
        let name = SMF70LPM.text(section).unwrap_or_default();
        let all = processors(section, record, &mut owned)?;
        let is_hypervisor = SMF70LPN.number(section) == Some(0) && name == PHYSICAL;
        let mut general = vec![];
        for processor in all.iter().copied() {
            if is_general(processor, &names, record)? {
                general.push(processor);
            }
        }
        let flags = SMF70PFG.number(section).unwrap_or(0);
        for processor in &general {
            check(processor, flags, is_hypervisor, 1_000.0 * seconds, record)?;
        }
        let of_partition_ms: f64 = general.iter().map(|section| ms(SMF70PDT, section)).sum();
        dispatched_ms += of_partition_ms;
        if is_hypervisor {
            hypervisor_ms += of_partition_ms;
            continue;
        }
        draft.other_processors += (all.len() - general.len()) as u64;
        general.retain(|section| SMF70ONT.number(section).unwrap_or(0) > 0);
        if general.is_empty() || name.is_empty() {
            continue;
        }
        let weights: Vec<u64> = general.iter().filter_map(|section| SMF70BPS.number(section)).collect();
        let partition = Partition {
            name,
            times: general.iter().map(|section| Times::of(section, flags)).collect(),
            numbers: general.iter().map(|section| SMF70VPA.number(section).unwrap_or(0)).collect(),
            weight: weight(&weights),
        };
        partitions.push((partition, own.filter(|own| SMF70LPN.number(section) == Some(*own)).map(|_| record)));
    }
    let machine = machine(record, &names, dispatched_ms, 1_000.0 * seconds)?;
    interrupt_laws(seconds, record)?;
    for (partition, system) in partitions {
        if draft.first(record.header.kind, partition.name.as_bytes()) {
            let hypervisor_percent = Figure::exact(hypervisor_ms / seconds / 10.0);
            partition.add(draft, system, [machine, hypervisor_percent]);
        }
    }
    Ok(())
}

fn ms(field: Field, section: &[u8]) -> f64 {
    field.number(section).map_or(0.0, |number| number as f64 * field.kind.unit_ms())
}

/// The sections of a partition's logical processors; each is of one partition, and they follow each other.
fn processors<'a>(
    partition: &[u8],
    record: &Rmf<'a>,
    owned: &mut std::ops::Range<usize>,
) -> Result<Vec<&'a [u8]>, Broken> {
    let whole = |field: Field| field.number(partition).unwrap_or(0) as usize;
    let (from, count) = (whole(SMF70BDS), whole(SMF70BDN));
    let all: Vec<&[u8]> = record.sections(&LOGICAL_PROCESSOR).collect();
    if count == 0 {
        return Ok(vec![]);
    }
    let there = Counted::of(SMF70BDN, partition, record.bytes);
    there.law(from + count <= all.len(), || format!("the record has {} sections of logical processors", all.len()))?;
    let skipped = Counted::of(SMF70BDS, partition, record.bytes);
    skipped.law(from >= owned.end, || format!("the first {} are of the partitions before", owned.end))?;
    *owned = from..from + count;
    let long = all[from..from + count].iter().copied().filter(|section| section.len() >= SMF70WST.since());
    Ok(long.collect())
}

/// Whether a logical processor is a general one; in a record without the names of types all are.
fn is_general(section: &[u8], names: &[String], record: &Rmf) -> Result<bool, Broken> {
    let Some(index) = SMF70CIX.number(section).filter(|_| !names.is_empty()) else { return Ok(true) };
    let name = (index as usize).checked_sub(1).and_then(|place| names.get(place));
    let counted = Counted::of(SMF70CIX, section, record.bytes);
    counted.law(name.is_some(), || format!("the record has {} types of processors", names.len()))?;
    Ok(name.is_some_and(|name| name == GENERAL))
}

/// The laws of a logical processor; the hypervisor's row has no time online.
fn check(section: &[u8], flags: u64, is_hypervisor: bool, interval_ms: f64, record: &Rmf) -> Result<(), Broken> {
    let counted = |field| Counted::of(field, section, record.bytes);
    let [online, total, effective, waiting] = [SMF70ONT, SMF70PDT, SMF70EDT, SMF70WST].map(counted);
    let skew_ms = within_ms(interval_ms) - interval_ms;
    online.at_most_ms(interval_ms + skew_ms, "a logical processor is online within the interval")?;
    let there_ms = if is_hypervisor { interval_ms } else { online.ms() };
    total.at_most_ms(there_ms + skew_ms, "a logical processor is dispatched while it is online")?;
    effective.at_most_ms(total.ms() + skew_ms, "effective time is a part of the time dispatched")?;
    if flags & WAIT_TIME != 0 {
        waiting.at_most_ms(there_ms + skew_ms, "a logical processor waits while it is online")?;
    }
    Ok(())
}

/// General processors of the machine, unknown where the record does not tell; together they are busy no longer than they
/// are there.
fn machine(record: &Rmf, names: &[String], dispatched_ms: f64, interval_ms: f64) -> Result<Figure, Broken> {
    let general = names.iter().position(|name| name == GENERAL);
    let Some(section) = general.and_then(|place| record.sections(&CPU_NAME).nth(place)) else {
        return Ok(Figure::UNKNOWN);
    };
    let counted = Counted::of(SMF70CTN, section, record.bytes);
    if counted.value > 0.0 {
        let fits = dispatched_ms <= counted.value * within_ms(interval_ms);
        counted
            .law(fits, || format!("partitions were dispatched for {:.2} processors", dispatched_ms / interval_ms))?;
    }
    Ok(if counted.value > 0.0 { Figure::exact(counted.value) } else { Figure::UNKNOWN })
}

/// The weight of a partition: 0 where its processors are dedicated, unknown where the record has none or several.
fn weight(weights: &[u64]) -> Figure {
    match weights {
        [DEDICATED, ..] => Figure::ZERO,
        [0, ..] | [] => Figure::UNKNOWN,
        [first, rest @ ..] if rest.iter().all(|other| other == first) => Figure::exact(*first as f64),
        _ => Figure::UNKNOWN,
    }
}

/// The laws of the system's own view of its processors.
fn interrupt_laws(seconds: f64, record: &Rmf) -> Result<(), Broken> {
    let valid = |section: &&[u8]| {
        section.len() >= SMF70TPI.since() && SMF70CNF.number(section).is_some_and(|flags| flags & INVALID == 0)
    };
    for section in record.sections(&CPU).filter(valid) {
        let counted = |field| Counted::of(field, section, record.bytes);
        let most_ms = within_ms(1_000.0 * seconds);
        let (waiting, parked) = (counted(SMF70WAT), counted(SMF70PAT));
        waiting.at_most_ms(most_ms, "a processor waits within the interval")?;
        parked.at_most_ms(most_ms - waiting.ms(), "a processor waits or is parked within the interval")?;
        for count in [SMF70SLH, SMF70TPI].map(counted) {
            count.at_most(MOST_PER_S * seconds, "a processor handles no more interrupts in the interval")?;
        }
    }
    Ok(())
}

/// Where the time of a logical processor went, microseconds.
struct Times {
    online: f64,
    total: f64,
    effective: f64,
    /// In the wait state; not a number where the record does not tell.
    waiting: f64,
    waits_dispatched: bool,
}

impl Times {
    fn of(section: &[u8], partition: u64) -> Self {
        let us = |field: crate::binary::Field| field.number(section).unwrap_or(0) as f64;
        let flags = SMF70VPF.number(section).unwrap_or(0);
        let waiting = if partition & WAIT_TIME == 0 { f64::NAN } else { us(SMF70WST) };
        let waits_dispatched = flags & WAIT_COMPLETION != 0;
        Times { online: us(SMF70ONT), total: us(SMF70PDT), effective: us(SMF70EDT), waiting, waits_dispatched }
    }

    /// Carried and without work.
    fn carried_waiting(&self) -> f64 {
        match self.waits_dispatched {
            true if self.waiting > self.effective => self.effective,
            true => self.waiting,
            false => 0.0,
        }
    }

    /// Switched to; counters are read one after the other, so that the total may lag.
    fn management(&self) -> f64 {
        (self.total - self.effective).max(0.0)
    }

    /// With work and not carried; not a number where the fields contradict each other.
    fn pending(&self) -> f64 {
        let waiting = if self.waits_dispatched { 0.0 } else { self.waiting };
        let pending = self.online - self.total - waiting;
        // The counters are read one after the other: a hundredth of the time is taken for that.
        if pending.is_nan() || pending < -0.01 * self.online { f64::NAN } else { pending.max(0.0) }
    }
}

/// A partition with the general ones of its logical processors.
struct Partition {
    name: String,
    times: Vec<Times>,
    numbers: Vec<u64>,
    weight: Figure,
}

impl Partition {
    /// Adds its rows; `record` is there where its system wrote it.
    fn add(self, draft: &mut Draft, record: Option<&Rmf>, [machine_processors, hypervisor_percent]: [Figure; 2]) {
        let percent = |us: f64, of: f64| if of > 0.0 { Figure::exact(percent(us, of)) } else { Figure::UNKNOWN };
        let total = |value: fn(&Times) -> f64| self.times.iter().map(value).sum::<f64>();
        let online = total(|times| times.online);
        let cpu_us = total(|times| times.effective - times.carried_waiting());
        let mut row = PartitionTotals {
            dispatched_percent: percent(total(|times| times.effective), online),
            effective_percent: percent(cpu_us, online),
            wait_percent: percent(total(Times::carried_waiting), online),
            pending_percent: percent(total(Times::pending), online),
            management_percent: percent(total(Times::management), online),
            cpu_percent: Figure::exact(cpu_us / draft.seconds() / 1e4),
            weight: self.weight,
            machine_processors,
            hypervisor_percent,
            ..PartitionTotals::unknown(self.name.clone(), self.times.len() as u64)
        };
        let mut rows: Vec<LogicalProcessorTotals> = self.rows().collect();
        if let Some(record) = record {
            interrupts(draft, record, &mut row, &mut rows);
        }
        draft.totals.partitions.push(row);
        draft.totals.logical_processors.extend(rows);
    }

    fn rows(&self) -> impl Iterator<Item = LogicalProcessorTotals> {
        self.times.iter().zip(&self.numbers).filter(|(times, _)| times.online > 0.0).map(|(times, number)| {
            let percent = |us: f64| Figure::exact(percent(us, times.online));
            let effective = times.effective - times.carried_waiting();
            LogicalProcessorTotals {
                dispatched_percent: percent(times.effective),
                effective_percent: percent(effective),
                wait_percent: percent(times.carried_waiting()),
                pending_percent: percent(times.pending()),
                management_percent: percent(times.management()),
                busy_percent: percent(effective + times.pending()),
                ..LogicalProcessorTotals::unknown(self.name.clone(), *number)
            }
        })
    }
}

/// Adds the system's own view of its processors: interrupts, wait time, and samples.
fn interrupts(draft: &Draft, record: &Rmf, row: &mut PartitionTotals, rows: &mut [LogicalProcessorTotals]) {
    let (mut second_level, mut tested) = (Figure::ZERO, Figure::ZERO);
    let elapsed_ms = 1_000.0 * draft.seconds();
    let general = |section: &&[u8]| {
        let valid = SMF70CNF.number(section).is_some_and(|flags| flags & INVALID == 0);
        section.len() >= SMF70TPI.since() && SMF70TYP.number(section) == Some(0) && valid
    };
    for section in record.sections(&CPU).filter(general) {
        let (slih, tpi) = (number(SMF70SLH, section), number(SMF70TPI, section));
        (second_level, tested) = (second_level.plus(slih), tested.plus(tpi));
        let Some(row) = rows.iter_mut().find(|row| Some(row.number) == SMF70CID.number(section)) else { continue };
        row.interrupts_per_s = draft.per_second(slih.plus(tpi));
        row.tpi_percent = tpi.times(Figure::exact(100.0)).over(slih.plus(tpi));
        let idle = sum([SMF70WAT, SMF70PAT].map(|field| super::draft::ms(field, section)));
        if idle.is_known() && elapsed_ms > 0.0 {
            row.busy_percent = Figure::exact((100.0 * (1.0 - idle.value / elapsed_ms)).max(0.0));
        }
    }
    if record.sections(&CPU).any(|section| general(&section)) {
        let all = second_level.plus(tested);
        row.interrupts_per_s = draft.per_second(all);
        row.tpi_percent = tested.times(Figure::exact(100.0)).over(all);
    }
    row.samples_due = Figure::exact(elapsed_ms).over(cycle_ms(record.product()));
    row.samples_taken = draft.samples();
}
