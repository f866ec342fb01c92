//! Intervals of a system: what the counters of its monitor records did from one sample to the next.

mod devices;
mod notice;
mod partitions;
mod processors;
mod step;

use super::Record;
use super::block::Class;
use super::layout::{mrioddev, mriodhpp, mrmtrsys, mrprcdia, mrsytcup, mrsytlck, mrsytprp, small};
use crate::Interval;
use crate::binary::{Clock, Field};
use measures::IntervalTotals;
pub use notice::Notice;
use std::collections::BTreeMap;
pub use step::Step;
use units::Span;

/// The records of which intervals are made, each with the field that says which entity it is about.
const USED: [(&crate::binary::Layout, Option<Field>); 6] = [
    (&mrsytprp::LAYOUT, Some(mrsytprp::PFXCPUAD)),
    (&mrsytcup::LAYOUT, Some(mrsytcup::LCUPPNUM)),
    (&mrsytlck::LAYOUT, None),
    (&mrprcdia::LAYOUT, Some(mrprcdia::PFXCPUAD)),
    (&mrioddev::LAYOUT, Some(mrioddev::RDEVSID)),
    (&mriodhpp::LAYOUT, Some(mriodhpp::HPPOOLNM)),
];

/// Whether records of a kind become counters of an interval, or say what system it is of.
pub fn is_used(code: (u8, u16)) -> bool {
    code == mrmtrsys::LAYOUT.code || USED.iter().any(|(layout, _)| layout.code == code)
}

/// The part of the name of an interval's system that a file without system records has.
const UNNAMED: &str = "z/VM";

/// The code of a record, and the number of the entity it is about.
type Name = ((u8, u16), u64);

/// The records of one entity: the last two samples.
#[derive(Debug, Default)]
struct Samples {
    earlier: Vec<u8>,
    later: Vec<u8>,
    /// Whether the later one is of the sample that is read now.
    present: bool,
}

/// The entities of a system, each with its last two samples.
#[derive(Debug, Default)]
pub(super) struct Entities(BTreeMap<Name, Samples>);

impl Entities {
    /// The steps of all entities of a record that are in this sample and in the one before.
    fn steps(&self, code: (u8, u16)) -> impl Iterator<Item = Step<'_>> {
        let of_code = self.0.range((code, 0)..=(code, u64::MAX));
        of_code
            .filter(|(_, samples)| samples.present)
            .filter_map(|(_, samples)| Step::new(&samples.earlier, &samples.later))
    }

    fn take(&mut self, name: Name, record: &[u8]) {
        let samples = self.0.entry(name).or_default();
        samples.later.clear();
        samples.later.extend_from_slice(record);
        samples.present = true;
    }

    /// Makes the later samples the earlier ones; entities that were not in this sample are forgotten.
    fn turn(&mut self) {
        self.0.retain(|_, samples| std::mem::take(&mut samples.present));
        self.0.values_mut().for_each(|samples| std::mem::swap(&mut samples.earlier, &mut samples.later));
    }
}

/// The intervals of the systems in a file, while its records are read.
#[derive(Debug, Default)]
pub struct Intervals {
    system: String,
    partition: String,
    entities: Entities,
    last_end: Option<Clock>,
    /// The intervals so far.
    pub intervals: Vec<Interval>,
    /// What a reader of the intervals should know.
    pub notices: Vec<Notice>,
}

impl Intervals {
    /// Takes in a record; the end of a sample makes an interval of it and of the sample before.
    pub fn take(&mut self, record: &Record) {
        let code = record.header.code();
        if code == mrmtrsys::LAYOUT.code {
            self.system_record(record);
        } else if code == small::suspended::LAYOUT.code {
            self.notices.push(Notice::Suspended(record.header.clock));
        } else if record.class == Class::Sample {
            if code == small::interval_end::LAYOUT.code {
                self.end(record.header.clock);
            } else if let Some((_, field)) = USED.iter().find(|(layout, _)| layout.code == code) {
                let entity = field.map_or(Some(0), |field| field.number(record.bytes)).unwrap_or(0);
                self.entities.take((code, entity), record.bytes);
            }
        }
    }

    /// A record of the system's configuration, which monitor writes when it starts: another system, or the same again.
    fn system_record(&mut self, record: &Record) {
        let system = mrmtrsys::SYSTMID.text(record.bytes).unwrap_or_default();
        if !self.system.is_empty() && system != self.system {
            self.notices.push(Notice::AnotherSystem {
                from: self.system.clone(),
                to: system.clone(),
                at: record.header.clock,
            });
            self.entities = Entities::default();
            self.last_end = None;
        }
        self.partition = mrmtrsys::LPARNAME.text(record.bytes).unwrap_or_default();
        self.system = system;
    }

    /// The end of a sample.
    fn end(&mut self, end: Clock) {
        let start = self.last_end;
        if let Some(start) = start
            && end <= start
        {
            self.notices.push(if end == start {
                Notice::Duplicate(end)
            } else {
                Notice::Backwards { from: start, to: end }
            });
            self.entities.0.values_mut().for_each(|samples| samples.present = false);
            return;
        }
        if let Some(start) = start {
            let interval = self.interval(start, end);
            self.intervals.push(interval);
        }
        self.entities.turn();
        self.last_end = Some(end);
    }

    fn interval(&mut self, start: Clock, end: Clock) -> Interval {
        let name = if self.system.is_empty() { UNNAMED } else { &self.system };
        let mut totals = IntervalTotals::new(name, Span::from_units(end.0 - start.0));
        totals.started = Some(start.to_string());
        let partition = if self.partition.is_empty() { name } else { &self.partition };
        devices::add(&mut totals, &self.entities);
        processors::add(&mut totals, &self.entities, partition);
        partitions::add(&mut totals, &self.entities);
        self.reset(start);
        Interval { start, end, totals }
    }

    /// Notes devices whose counters went back.
    fn reset(&mut self, at: Clock) {
        let back = self.entities.steps(mrioddev::LAYOUT.code).filter(|step| step.went_back(mrioddev::SCGSSCH)).count();
        if back > 0 {
            self.notices.push(Notice::Reset { devices: back, at });
        }
    }
}
