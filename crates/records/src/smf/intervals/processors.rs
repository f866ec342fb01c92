//! Partitions and their logical processors in an interval: records 70-1.
//!
//! ASSUME, from the names of the fields: total dispatch time is effective dispatch time and management of PR/SM. A logical
//! processor that is online and neither dispatched nor waiting has work and is not carried.

use super::draft::{Draft, cycle_ms, number};
use crate::smf::layout::smf70bct::{SMF70BDN, SMF70BDS, SMF70LPM, SMF70LPN, SMF70PFG};
use crate::smf::layout::smf70bpd::{SMF70CIX, SMF70EDT, SMF70ONT, SMF70PDT, SMF70VPA, SMF70VPF, SMF70WST};
use crate::smf::layout::smf70cis::SMF70CIN;
use crate::smf::layout::smf70cpu::{SMF70CID, SMF70PAT, SMF70SLH, SMF70TPI, SMF70TYP, SMF70WAT};
use crate::smf::layout::{CPU, CPU_NAME, LOGICAL_PROCESSOR, PARTITION, product};
use crate::smf::rmf::Rmf;
use measures::{Figure, LogicalProcessorTotals, PartitionTotals, sum};

/// The name of the row for time that no partition owns.
const PHYSICAL: &str = "*PHYSICAL*";
/// The name of general processors.
const GENERAL: &str = "CP";
/// SMF70PFG: the wait time of the partition's logical processors is valid.
const WAIT_TIME: u64 = 0x04;
/// SMF70VPF: a logical processor that waits stays dispatched.
const WAIT_COMPLETION: u64 = 0x80;

/// Adds partitions and logical processors of a record to the interval.
pub(super) fn add(draft: &mut Draft, record: &Rmf) {
    let processors: Vec<&[u8]> =
        record.sections(&LOGICAL_PROCESSOR).filter(|section| section.len() >= SMF70WST.since()).collect();
    let names: Vec<String> =
        record.sections(&CPU_NAME).map(|section| SMF70CIN.text(section).unwrap_or_default()).collect();
    let own = product::SMFPTN.number(record.product());
    for section in record.sections(&PARTITION).filter(|section| section.len() >= SMF70BDS.since()) {
        let name = SMF70LPM.text(section).unwrap_or_default();
        if name == PHYSICAL || name.is_empty() || !draft.first(record.header.kind, name.as_bytes()) {
            continue;
        }
        let whole = |field: crate::binary::Field| field.number(section).unwrap_or(0) as usize;
        let (from, count) = (whole(SMF70BDS), whole(SMF70BDN));
        let all = processors.get(from..).unwrap_or_default();
        let all = &all[..count.min(all.len())];
        let general: Vec<&[u8]> = all.iter().copied().filter(|section| is_general(section, &names)).collect();
        draft.other_processors += (all.len() - general.len()) as u64;
        if general.is_empty() {
            continue;
        }
        let partition = Partition {
            name,
            times: general.iter().map(|section| Times::of(section, whole(SMF70PFG) as u64)).collect(),
            numbers: general.iter().map(|section| SMF70VPA.number(section).unwrap_or(0)).collect(),
        };
        let system = own.filter(|own| SMF70LPN.number(section) == Some(*own)).map(|_| record);
        partition.add(draft, system);
    }
}

fn is_general(section: &[u8], names: &[String]) -> bool {
    let index = SMF70CIX.number(section).unwrap_or(0) as usize;
    index.checked_sub(1).and_then(|place| names.get(place)).is_none_or(|name| name == GENERAL)
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
        if self.waits_dispatched { self.waiting } else { 0.0 }
    }

    /// With work and not carried; not a number where the fields contradict each other.
    fn pending(&self) -> f64 {
        let waiting = if self.waits_dispatched { 0.0 } else { self.waiting };
        let pending = self.online - self.total - waiting;
        // The counters are read one after the other: a hundredth of the time is taken for that.
        if pending < -0.01 * self.online { f64::NAN } else { pending.max(0.0) }
    }
}

/// A partition with the general ones of its logical processors.
struct Partition {
    name: String,
    times: Vec<Times>,
    numbers: Vec<u64>,
}

impl Partition {
    /// Adds its rows; `record` is there where its system wrote it.
    fn add(self, draft: &mut Draft, record: Option<&Rmf>) {
        let percent = |us: f64, of: f64| if of > 0.0 { Figure::exact(100.0 * us / of) } else { Figure::UNKNOWN };
        let total = |value: fn(&Times) -> f64| self.times.iter().map(value).sum::<f64>();
        let online = total(|times| times.online);
        let cpu_us = total(|times| times.effective - times.carried_waiting());
        let mut row = PartitionTotals {
            dispatched_percent: percent(total(|times| times.effective), online),
            effective_percent: percent(cpu_us, online),
            wait_percent: percent(total(Times::carried_waiting), online),
            pending_percent: percent(total(Times::pending), online),
            management_percent: percent(total(|times| times.total - times.effective), online),
            cpu_percent: percent(cpu_us, 1e6 * draft.seconds()),
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
            let percent = |us: f64| Figure::exact(100.0 * us / times.online);
            let effective = times.effective - times.carried_waiting();
            LogicalProcessorTotals {
                dispatched_percent: percent(times.effective),
                effective_percent: percent(effective),
                wait_percent: percent(times.carried_waiting()),
                pending_percent: percent(times.pending()),
                management_percent: percent(times.total - times.effective),
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
    let general = |section: &&[u8]| section.len() >= SMF70TPI.since() && SMF70TYP.number(section) == Some(0);
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
