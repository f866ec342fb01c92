//! Intervals of a system: what the counters of its monitor records did from one sample to the next.

mod devices;
mod entities;
mod laws;
mod notice;
mod partitions;
mod processors;
mod step;

use super::Record;
use super::block::Class;
use super::layout::{mrioddev, mriodhpp, mrmtrsys, mrprcdia, mrsytcup, mrsytlck, mrsytprp, small};
use crate::binary::{Clock, Field};
use crate::laws::Omitted;
use crate::{Interval, Sink};
use entities::Entities;
use laws::Judge;
use measures::IntervalTotals;
pub use notice::Notice;
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

/// The intervals of the systems in a file, while its records are read.
#[derive(Debug, Default)]
pub struct Intervals<S = Vec<Interval>> {
    system: String,
    partition: String,
    entities: Entities,
    last_end: Option<Clock>,
    /// The intervals so far.
    pub intervals: S,
    /// Notes on the intervals.
    pub notices: Vec<Notice>,
    omitted: Omitted,
}

impl<S: Sink> Intervals<S> {
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
                self.entities.take((code, entity), record.bytes, (record.place, record.number));
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
            self.entities.drop_sample();
            return;
        }
        self.entities.end();
        if !self.entities.ends_at(end) {
            self.notices.push(Notice::Untimely(end));
            self.entities.drop_sample();
            return;
        }
        if let Some(start) = start {
            self.interval(start, end);
        }
        self.entities.turn();
        self.last_end = Some(end);
    }

    fn interval(&mut self, start: Clock, end: Clock) {
        let name = if self.system.is_empty() { UNNAMED } else { &self.system };
        let mut totals = IntervalTotals::new(name, Span::from_units(end.0 - start.0));
        totals.started = Some(start.to_string());
        let partition = if self.partition.is_empty() { name } else { &self.partition };
        let mut judge = Judge { end, omitted: &mut self.omitted };
        processors::add(&mut totals, &self.entities, partition, &mut judge);
        partitions::add(&mut totals, &self.entities, &mut judge);
        devices::add_pools(&mut totals, &self.entities, &mut judge);
        self.intervals.start(Interval { start, end, totals });
        let system = devices::add(&mut self.intervals, &self.entities, &mut judge);
        self.intervals.end(system);
        self.reset(start);
    }

    /// A sentence for each notice, and for each row that was omitted.
    pub fn notes(&self) -> Vec<String> {
        self.notices.iter().map(ToString::to_string).chain(self.omitted.clone().sentences()).collect()
    }

    /// Notes devices whose counters went back.
    fn reset(&mut self, at: Clock) {
        let back = self.entities.steps(mrioddev::LAYOUT.code).filter(|step| step.went_back(mrioddev::SCGSSCH)).count();
        if back > 0 {
            self.notices.push(Notice::Reset { devices: back, at });
        }
    }
}
