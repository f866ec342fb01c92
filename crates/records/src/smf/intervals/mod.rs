//! Intervals of systems, as records of RMF describe them: one for each system and start.
//!
//! Times are those of the records, which are local.

mod devices;
mod enqueues;
mod notice;
mod pools;
mod processors;
mod serialization;

use super::framing::Record;
use super::header::Header;
use super::layout::product;
use super::reassembly::{Assembled, Reassembly};
use super::rmf::Rmf;
use crate::Damage;
use crate::binary::{Clock, Field, from_hex_float, from_packed};
use crate::monitor::Interval;
use measures::{Figure, IntervalTotals};
pub use notice::Notice;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use units::Span;

/// Intervals may start or end this much before or after what their records say: RMF writes whole seconds.
const SLACK_S: f64 = 2.0;

/// No zone is further from GMT; anything else in SMFxxLGO is none.
const FURTHEST_S: f64 = 16.0 * 3_600.0;

/// What adds a record to the interval that it is of.
type Add = fn(&mut Draft, &Rmf);

/// The records that are used, by type and subtype.
const USED: [((u8, u16), Add); 5] = [
    ((70, 1), processors::add),
    ((72, 5), serialization::add),
    ((74, 1), devices::add),
    ((77, 1), enqueues::add),
    ((78, 3), pools::add),
];

/// Whether records of a type and subtype become counters of an interval.
pub fn is_used(code: (u8, u16)) -> bool {
    USED.iter().any(|(used, _)| *used == code)
}

/// An interval while its records are read.
struct Draft {
    system: String,
    start: Clock,
    end: Clock,
    totals: IntervalTotals,
    /// Local time less GMT, seconds.
    local_s: f64,
    /// What is in it already, so that nothing is counted twice.
    seen: BTreeSet<(u8, Vec<u8>)>,
    /// Rows that were in it already.
    repeated: u64,
    /// The logical control unit of each volume, in their order.
    units: Vec<String>,
    /// Processors that are no general ones.
    other_processors: u64,
}

impl Draft {
    fn new(record: &Rmf, start: Clock, us: i64) -> Self {
        let (system, product) = (record.header.system(), record.product());
        let mut totals = IntervalTotals::new(system.clone(), Span::from_us(us as u64));
        totals.started = Some(start.to_string());
        totals.samples = product::SMFSAM.number(product).unwrap_or(0);
        let local_s = product::SMFLGO.number(product).unwrap_or(0) as i64 as f64 / 4_096_000_000.0;
        Draft {
            system,
            start,
            end: Clock::from_unix_us(start.unix_us() + us),
            totals,
            local_s: if local_s.abs() <= FURTHEST_S { local_s } else { 0.0 },
            seen: BTreeSet::new(),
            repeated: 0,
            units: Vec::new(),
            other_processors: 0,
        }
    }

    fn seconds(&self) -> f64 {
        self.totals.length.seconds()
    }

    /// A count over the interval, a second.
    fn per_second(&self, count: Figure) -> Figure {
        count.over(Figure::exact(self.seconds()))
    }

    /// Whether something is in the interval for the first time; what is there again is counted.
    fn first(&mut self, kind: u8, name: &[u8]) -> bool {
        let first = self.seen.insert((kind, name.to_vec()));
        self.repeated += u64::from(!first);
        first
    }

    /// The number of samples; unknown where there are none.
    fn samples(&self) -> Figure {
        match self.totals.samples {
            0 => Figure::UNKNOWN,
            samples => Figure::exact(samples as f64),
        }
    }

    fn interval(mut self) -> Interval {
        pools::join(&mut self);
        devices::sum_up(&mut self.totals);
        Interval { start: self.start, end: self.end, totals: self.totals }
    }
}

/// A field's number; unknown where the section is too short for it.
fn number(field: Field, section: &[u8]) -> Figure {
    field.number(section).map_or(Figure::UNKNOWN, |number| Figure::exact(number as f64))
}

/// A field's span in milliseconds.
fn ms(field: Field, section: &[u8]) -> Figure {
    number(field, section).times(Figure::exact(field.kind.unit_ms()))
}

/// A field's hexadecimal floating-point number.
fn float(field: Field, section: &[u8]) -> Figure {
    field.bytes(section).and_then(from_hex_float).map_or(Figure::UNKNOWN, Figure::exact)
}

/// The cycle of samples, milliseconds.
fn cycle_ms(product: &[u8]) -> Figure {
    let cycle = product::SMFCYC.bytes(product).and_then(from_packed).filter(|cycle| *cycle > 0);
    cycle.map_or(Figure::UNKNOWN, |cycle| Figure::exact(cycle as f64))
}

/// The intervals of the systems in a file, while its records are read.
#[derive(Default)]
pub struct Intervals {
    drafts: BTreeMap<(String, Clock), Draft>,
    parts: Reassembly,
    notices: Vec<Notice>,
}

/// The intervals of a file, and what a reader of them should know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// Intervals, by system and start.
    pub intervals: Vec<Interval>,
    /// What their numbers do not show.
    pub notices: Vec<Notice>,
}

impl Intervals {
    /// Takes in a record; records of other types, and of other products, are passed over.
    ///
    /// # Errors
    ///
    /// Damage of the record, which is left out.
    pub fn take(&mut self, record: &Record) -> Result<(), Damage> {
        if !record.header.is_rmf(record.bytes) || !is_used(record.header.code()) {
            return Ok(());
        }
        self.rmf(record.header, record.bytes).map_err(|damage| damage.at(record.place, record.number))
    }

    fn rmf(&mut self, header: Header, bytes: &[u8]) -> Result<(), Damage> {
        let record = Rmf::of(header, bytes)?;
        match self.parts.take(&record)? {
            Assembled::Whole => self.whole(&record),
            Assembled::Part => Ok(()),
            Assembled::Record(bytes) => self.whole(&Rmf::of(header, &bytes)?),
        }
    }

    fn whole(&mut self, record: &Rmf) -> Result<(), Damage> {
        let code = record.header.code();
        let Some((start, us)) = record.interval() else {
            return Err(Damage::new(format!("record {} subtype {} has no interval", code.0, code.1))
                .because("start and length in its product section are no packed decimal date, time and span")
                .remedy("leave the record out with IFASMFDP"));
        };
        let draft = match self.drafts.entry((record.header.system(), start)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Draft::new(record, start, us)),
        };
        if let Some((_, add)) = USED.iter().find(|(used, _)| *used == code) {
            add(draft, record);
        }
        Ok(())
    }

    /// The intervals by system and start, with notices of gaps, overlaps and repetitions.
    pub fn finish(mut self) -> Read {
        if self.parts.incomplete() > 0 {
            self.notices.push(Notice::Incomplete { records: self.parts.incomplete() });
        }
        let mut intervals: Vec<Interval> = Vec::with_capacity(self.drafts.len());
        let mut before: Option<(String, Clock, f64)> = None;
        for (_, draft) in self.drafts {
            if let Some((system, end, local_s)) = &before
                && *system == draft.system
            {
                let at = [*end, draft.start];
                let gap = draft.start.seconds_since(*end) - (draft.local_s - local_s);
                self.notices.extend(Notice::between(system, at, gap, SLACK_S));
            }
            if draft.repeated > 0 {
                self.notices.push(Notice::Repeated {
                    system: draft.system.clone(),
                    at: draft.start,
                    rows: draft.repeated,
                });
            }
            if draft.other_processors > 0 {
                let (system, at) = (draft.system.clone(), draft.start);
                self.notices.push(Notice::OtherProcessors { system, at, processors: draft.other_processors });
            }
            before = Some((draft.system.clone(), draft.end, draft.local_s));
            intervals.push(draft.interval());
        }
        Read { intervals, notices: self.notices }
    }
}
