//! Intervals of systems, as records of RMF describe them: one for each system and start.
//!
//! Times are those of the records, which are local.

mod channels;
mod devices;
mod draft;
mod enqueues;
mod notice;
mod pools;
mod processors;
mod requests;
mod serialization;

use super::framing::Record;
use super::header::Header;
use super::reassembly::{Assembled, Reassembly};
use super::rmf::Rmf;
use crate::Damage;
use crate::binary::{Clock, from_packed};
use crate::laws::{Broken, Counted, within_ms};
use crate::smf::layout::product::{SMFCYC, SMFINT, SMFSAM};
use crate::{Interval, Sink};
use draft::Draft;
pub use notice::Notice;
use requests::Requests;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Intervals may start or end this much before or after what their records say: RMF writes whole seconds.
const SLACK_S: f64 = 2.0;

/// No record is written later than this after its interval, and clocks are set by an hour.
const DAY_S: f64 = 86_400.0;
const HOUR_S: f64 = 3_600.0;

/// Adds a record to its interval, or says which number breaks a law; then nothing of the record is in the interval.
type Add = fn(&mut Draft, &Rmf) -> Result<(), Broken>;

/// The records of RMF that are used, by type and subtype.
const USED: [((u8, u16), Add); 6] = [
    ((70, 1), processors::add),
    ((72, 5), serialization::add),
    ((73, 1), channels::add),
    ((74, 1), devices::add),
    ((77, 1), enqueues::add),
    ((78, 3), pools::add),
];

/// Whether records of a type and subtype become counters of an interval.
pub fn is_used(code: (u8, u16)) -> bool {
    code == requests::CODE || USED.iter().any(|(used, _)| *used == code)
}

/// The intervals of the systems in a file, while its records are read.
#[derive(Default)]
pub struct Intervals {
    drafts: BTreeMap<(String, Clock), Draft>,
    parts: Reassembly,
    requests: Requests,
    notices: Vec<Notice>,
}

/// The intervals of a file, and notices about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read<S = Vec<Interval>> {
    /// Intervals, by system and start.
    pub intervals: S,
    /// Notices of things that the numbers do not show.
    pub notices: Vec<Notice>,
}

impl Intervals {
    /// Takes in a record; records of other types, and of other products, are passed over.
    ///
    /// # Errors
    ///
    /// Damage of the record, which is skipped.
    pub fn take(&mut self, record: &Record) -> Result<(), Damage> {
        let place = (record.place, record.number);
        let taken = if record.header.code() == requests::CODE {
            self.requests.take(&record.header, record.bytes, place)
        } else if record.header.is_rmf(record.bytes) && is_used(record.header.code()) {
            self.rmf(record.header, record.bytes, place)
        } else {
            Ok(())
        };
        taken.map_err(|damage| damage.at(record.place, record.number))
    }

    fn rmf(&mut self, header: Header, bytes: &[u8], place: (u64, u64)) -> Result<(), Damage> {
        let record = Rmf::of(header, bytes)?;
        match self.parts.take(&record)? {
            Assembled::Whole => self.whole(&record, place),
            Assembled::Part => Ok(()),
            Assembled::Record(bytes) => self.whole(&Rmf::of(header, &bytes)?, place),
        }
    }

    fn whole(&mut self, record: &Rmf, place: (u64, u64)) -> Result<(), Damage> {
        let code = record.header.code();
        let Some((start, us)) = record.interval() else {
            return Err(Damage::new(format!("record {} subtype {} has no interval", code.0, code.1))
                .because("start and length in its product section are no packed decimal date, time and span")
                .remedy("leave the record out with IFASMFDP"));
        };
        check(record, start, us).map_err(Broken::damage)?;
        let draft = match self.drafts.entry((record.header.system(), start)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Draft::of(record, start, us)),
        };
        draft.place = place;
        match USED.iter().find(|(used, _)| *used == code) {
            Some((_, add)) => add(draft, record).map_err(Broken::damage),
            None => Ok(()),
        }
    }

    /// The intervals by system and start, with notices of gaps, overlaps and repetitions.
    pub fn finish<S: Sink>(mut self) -> Read<S> {
        if self.parts.incomplete() > 0 {
            self.notices.push(Notice::Incomplete { records: self.parts.incomplete() });
        }
        self.notices.extend(self.requests.finish(&mut self.drafts));
        let mut intervals = S::default();
        let mut before: Option<(String, Clock, f64)> = None;
        for (_, mut draft) in self.drafts {
            self.notices.extend(std::mem::take(&mut draft.omitted).sentences().map(Notice::Omitted));
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
            if draft.varied > 0 {
                let (system, at) = (draft.system.clone(), draft.start);
                self.notices.push(Notice::Varied { system, at, devices: draft.varied });
            }
            before = Some((draft.system.clone(), draft.end, draft.local_s));
            devices::finish(draft, &mut intervals);
        }
        Read { intervals, notices: self.notices }
    }
}

/// The laws of an interval: RMF writes a record when its interval has ended, and takes a sample in each cycle.
fn check(record: &Rmf, start: Clock, us: i64) -> Result<(), Broken> {
    let (product, seconds) = (record.product(), us as f64 / 1e6);
    let late_s = record.header.written.seconds_since(start) - seconds;
    // A record is written in its own time: the clock may have been set back by an hour for the winter.
    let on_time = (-SLACK_S..DAY_S).contains(&late_s) || (late_s + HOUR_S).abs() <= SLACK_S;
    let length = Counted::with(SMFINT, product, record.bytes, seconds);
    let written = record.header.written;
    length.law(on_time, || format!("seconds from {start} on end before the record was written, at {written}"))?;
    let Some(cycle_ms) = SMFCYC.bytes(product).and_then(from_packed).filter(|cycle| *cycle > 0) else { return Ok(()) };
    let most = within_ms(1_000.0 * seconds) / cycle_ms as f64 + 2.0;
    Counted::of(SMFSAM, product, record.bytes).at_most(most, "a sample is taken in each cycle of the interval")
}
