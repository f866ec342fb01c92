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
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

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

/// System and start of an interval.
type Name = (String, Clock);

/// The last record of each interval: it is found before the intervals are made, so that none is kept when it is whole.
#[derive(Debug, Default)]
pub struct Ends {
    records: u64,
    last: BTreeMap<Name, u64>,
    /// Whether there are requests: their intervals are found when all intervals are known.
    requests: bool,
}

impl Ends {
    /// Takes in a record.
    pub fn take(&mut self, record: &Record) {
        self.requests |= record.header.code() == requests::CODE;
        if !record.header.is_rmf(record.bytes) || !is_used(record.header.code()) {
            return;
        }
        self.records += 1;
        let start = Rmf::of(record.header, record.bytes).ok().and_then(|record| record.interval());
        if let Some((start, _)) = start {
            self.last.insert((record.header.system(), start), self.records);
        }
    }
}

/// The intervals of the systems in a file, while its records are read.
#[derive(Default)]
pub struct Intervals {
    drafts: BTreeMap<Name, Draft>,
    parts: Reassembly,
    requests: Requests,
    notices: Vec<(Name, Notice)>,
    records: u64,
    /// Intervals of which records are to come, and which of them a record is the last of.
    pending: BTreeSet<Name>,
    ends: BTreeMap<u64, Name>,
    /// End and zone of the last interval of each system that is finished.
    before: BTreeMap<String, (Clock, f64)>,
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
    /// Intervals that [`Intervals::pass_on`] gives away when their last record was taken in; with requests, none is.
    pub fn ending(ends: Ends) -> Self {
        if ends.requests {
            return Intervals::default();
        }
        let pending = ends.last.keys().cloned().collect();
        let ends = ends.last.into_iter().map(|(name, last)| (last, name)).collect();
        Intervals { pending, ends, ..Intervals::default() }
    }

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
            self.records += 1;
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

    /// Gives away the intervals that are whole: their last record was taken in, and that of each one before them.
    pub fn pass_on(&mut self, sink: &mut impl Sink) {
        let Some(ended) = self.ends.remove(&self.records) else { return };
        self.pending.remove(&ended);
        let of_system = (ended.0.clone(), Clock(0))..=(ended.0, Clock(u64::MAX));
        let next = self.pending.range(of_system.clone()).next().map(|name| name.1);
        let whole = |(name, _): &(&Name, &Draft)| next.is_none_or(|next| name.1 < next);
        let names: Vec<Name> = self.drafts.range(of_system).take_while(whole).map(|(name, _)| name.clone()).collect();
        names.into_iter().for_each(|name| self.end(name, sink));
    }

    /// Gives away the intervals that are left, and notices about all of them by system and start.
    pub fn finish<S: Sink>(self) -> Read<S> {
        let mut intervals = S::default();
        let notices = self.finish_into(&mut intervals);
        Read { intervals, notices }
    }

    /// The same into a sink that has the others.
    pub fn finish_into(mut self, sink: &mut impl Sink) -> Vec<Notice> {
        let requests = std::mem::take(&mut self.requests).finish(&mut self.drafts);
        let names: Vec<Name> = self.drafts.keys().cloned().collect();
        names.into_iter().for_each(|name| self.end(name, sink));
        let incomplete = self.parts.incomplete();
        self.notices.sort_by(|a, b| a.0.cmp(&b.0));
        let incomplete = (incomplete > 0).then_some(Notice::Incomplete { records: incomplete });
        incomplete.into_iter().chain(requests).chain(self.notices.into_iter().map(|(_, notice)| notice)).collect()
    }

    /// Gives away an interval, with notices of a gap, an overlap or repetitions.
    fn end(&mut self, name: Name, sink: &mut impl Sink) {
        let Some(mut draft) = self.drafts.remove(&name) else { return };
        let mut notices: Vec<Notice> = std::mem::take(&mut draft.omitted).sentences().map(Notice::Omitted).collect();
        let (system, at) = (draft.system.clone(), draft.start);
        if let Some((end, local_s)) = self.before.insert(system.clone(), (draft.end, draft.local_s)) {
            let gap = at.seconds_since(end) - (draft.local_s - local_s);
            notices.extend(Notice::between(&system, [end, at], gap, SLACK_S));
        }
        if draft.repeated > 0 {
            notices.push(Notice::Repeated { system: system.clone(), at, rows: draft.repeated });
        }
        if draft.other_processors > 0 {
            notices.push(Notice::OtherProcessors { system: system.clone(), at, processors: draft.other_processors });
        }
        if draft.varied > 0 {
            notices.push(Notice::Varied { system, at, devices: draft.varied });
        }
        self.notices.extend(notices.into_iter().map(|notice| (name.clone(), notice)));
        devices::finish(draft, sink);
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
