//! ENQ and DEQ one by one in an interval: records 87-2 of GRS.
//!
//! GRS writes them as parameters choose (GRSMONxx), so they may be a part of all requests: where record 72-5 counts all,
//! rates of the service are those of 72-5. Requests are counted by minutes of the TOD clock, and a minute belongs to the
//! interval of RMF in which its middle is. A system without such intervals has one for each hour of its requests.
//! A task holds a resource from the completion of an ENQ with return code 0 to the start of its DEQ. No source says
//! whether an ENQ that waits completes before its wait, so a hold may contain one.

use super::draft::{Draft, FURTHEST_S};
use super::notice::Notice;
use crate::Damage;
use crate::binary::{Clock, Field};
use crate::laws::{Broken, Counted, Omitted};
use crate::smf::header::Header;
use crate::smf::layout::smf87data::{
    SMF87DATA_FL2, SMF87DATA_QNAME, SMF87DATA_REQTYPE, SMF87DATA_RNAMELEN, SMF87DATA_SCOPE,
};
use crate::smf::layout::smf87hdr::{
    SMF87DEF_DATA_LEN, SMF87DEF_DATA_NUM, SMF87DEF_DATA_OFF, SMF87DEF_REQ_LEN, SMF87DEF_REQ_NUM, SMF87DEF_REQ_OFF,
};
use crate::smf::layout::smf87req::{SMF87REQ_ASID, SMF87REQ_RC, SMF87REQ_TCB, SMF87REQ_TIMECOMP, SMF87REQ_TIMESTART};
use measures::{EnqueueTotals, Figure, SerializationTotals};
use std::collections::BTreeMap;

/// Type and subtype of the records.
pub(super) const CODE: (u8, u16) = (87, 2);
/// SMF87DATA_FL2: obtain, else release. SMF87DATA_REQTYPE: TEST, which takes nothing.
const OBTAIN: u64 = 0x08;
const TEST: u64 = 7;
const SCOPES: [&str; 3] = ["STEP", "SYSTEM", "SYSTEMS"];
/// Where the minor name starts in the section of a resource.
const RNAME: usize = SMF87DATA_QNAME.since();
/// Names and holds that are kept at once, so that memory has a bound; requests of further names are one row a scope.
const MOST_NAMES: usize = 4_096;
const MOST_HOLDS: usize = 1 << 18;
const OTHERS: &str = "(other names)";
/// Requests may complete this long before their record is written: GRS collects them (ASSUME).
const DAY_S: f64 = 86_400.0;
const MINUTE_US: i64 = 60_000_000;
const QUARTER_US: i64 = 900_000_000;
const HOUR_US: i64 = 3_600_000_000;
const UNITS_PER_MS: f64 = 4_096_000.0;

/// A resource: its names, and its scope from 1.
type Name = (String, String, u8);
/// A task and what it holds: system, address space, task, name.
type Holder = ([u8; 4], u64, u64, usize);

/// Requests of a name in some time.
#[derive(Clone, Copy, Default)]
struct Counts {
    obtained: f64,
    released: f64,
    tested: f64,
    obtain_ms: f64,
    release_ms: f64,
    holds: f64,
    held_ms: f64,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.obtained += other.obtained;
        self.released += other.released;
        self.tested += other.tested;
        self.obtain_ms += other.obtain_ms;
        self.release_ms += other.release_ms;
        self.holds += other.holds;
        self.held_ms += other.held_ms;
    }
}

/// The minutes of the first and of the last request of a system, and how late a record was written after one at least, us.
struct Extent {
    first: i64,
    last: i64,
    late_us: i64,
}

impl Extent {
    /// Local time less that of the TOD clock. Zones are whole quarters of an hour, and ASSUME that some record is written
    /// within one of a request.
    fn zone_us(&self) -> i64 {
        self.late_us.div_euclid(QUARTER_US) * QUARTER_US
    }
}

/// Requests while records are read.
#[derive(Default)]
pub(super) struct Requests {
    names: BTreeMap<Name, usize>,
    minutes: BTreeMap<([u8; 4], i64), BTreeMap<usize, Counts>>,
    held: BTreeMap<Holder, Clock>,
    systems: BTreeMap<[u8; 4], (String, Extent)>,
    omitted: Omitted,
    unpaired: u64,
    pairs: u64,
}

impl Requests {
    /// Takes in a record.
    ///
    /// # Errors
    ///
    /// Damage of the record: sections outside of it, or requests without resources.
    pub(super) fn take(&mut self, header: &Header, bytes: &[u8], place: (u64, u64)) -> Result<(), Damage> {
        let (requests, resources) = sections(bytes)?;
        for (request, resource) in requests.zip(resources) {
            match check(header, bytes, request, resource) {
                Ok(()) => self.request(header, request, resource),
                Err(broken) => self.omitted.add(broken, place),
            }
        }
        Ok(())
    }

    fn request(&mut self, header: &Header, request: &[u8], resource: &[u8]) {
        let of = |field: Field, section: &[u8]| field.number(section).unwrap_or(0);
        let start = Clock(of(SMF87REQ_TIMESTART, request));
        let complete = Clock(of(SMF87REQ_TIMECOMP, request));
        let late_us = header.written.unix_us() - complete.unix_us();
        let minute = start.unix_us().div_euclid(MINUTE_US);
        let new = || (header.system(), Extent { first: minute, last: minute, late_us });
        let (_, extent) = self.systems.entry(header.system).or_insert_with(new);
        extent.first = extent.first.min(minute);
        extent.last = extent.last.max(minute);
        extent.late_us = extent.late_us.min(late_us);
        let name = self.name(resource);
        let task = (header.system, of(SMF87REQ_ASID, request), of(SMF87REQ_TCB, request), name);
        let done = of(SMF87REQ_RC, request) == 0;
        let elapsed_ms = (complete.0 - start.0) as f64 / UNITS_PER_MS;
        let mut counts = Counts::default();
        if of(SMF87DATA_REQTYPE, resource) == TEST {
            counts.tested = 1.0;
        } else if of(SMF87DATA_FL2, resource) & OBTAIN != 0 {
            (counts.obtained, counts.obtain_ms) = (1.0, elapsed_ms);
            if done && (self.held.len() < MOST_HOLDS || self.held.contains_key(&task)) {
                self.held.insert(task, complete);
            }
        } else {
            (counts.released, counts.release_ms) = (1.0, elapsed_ms);
            let since = if done { self.held.remove(&task).filter(|since| *since <= start) } else { None };
            match since {
                Some(since) => {
                    (counts.holds, counts.held_ms) = (1.0, (start.0 - since.0) as f64 / UNITS_PER_MS);
                    self.pairs += 1;
                }
                None => self.unpaired += 1,
            }
        }
        self.minutes.entry((header.system, minute)).or_default().entry(name).or_default().add(&counts);
    }

    /// The number of a name; that of all others of its scope where there are too many.
    fn name(&mut self, resource: &[u8]) -> usize {
        let length = SMF87DATA_RNAMELEN.number(resource).unwrap_or(0) as usize;
        let rname = Field { offset: RNAME, length, ..SMF87DATA_QNAME };
        let scope = SMF87DATA_SCOPE.number(resource).unwrap_or(0) as u8;
        let text = |field: Field| field.text(resource).unwrap_or_default();
        let name = (text(SMF87DATA_QNAME), text(rname), scope);
        if let Some(number) = self.names.get(&name) {
            return *number;
        }
        let number = self.names.len();
        let name = if number < MOST_NAMES { name } else { (OTHERS.into(), String::new(), scope) };
        *self.names.entry(name).or_insert(number)
    }

    /// Puts the requests into the intervals of their systems; notices of those that are not in them.
    pub(super) fn finish(mut self, drafts: &mut BTreeMap<(String, Clock), Draft>) -> Vec<Notice> {
        let mut notices: Vec<Notice> = std::mem::take(&mut self.omitted).sentences().map(Notice::Omitted).collect();
        let names: BTreeMap<usize, &Name> = self.names.iter().map(|(name, number)| (*number, name)).collect();
        for (key, (system, extent)) in &self.systems {
            let all = std::ops::RangeInclusive::new((*key, i64::MIN), (*key, i64::MAX));
            let is_measured = drafts.range((system.clone(), Clock(0))..).next().is_some_and(|(of, _)| of.0 == *system);
            let (mut found, mut outside) = (BTreeMap::<Clock, BTreeMap<usize, Counts>>::new(), 0.0);
            for (minute, counts) in self.minutes.range(all) {
                let place = match is_measured {
                    true => interval_of(drafts, system, minute.1),
                    false => Some(hour_of(drafts, system, extent, minute.1)),
                };
                for (name, count) in counts {
                    match place {
                        Some(start) => found.entry(start).or_default().entry(*name).or_default().add(count),
                        None => outside += count.obtained + count.released + count.tested,
                    }
                }
            }
            let shares = found.iter().filter_map(|(start, counts)| {
                drafts.get_mut(&(system.clone(), *start)).and_then(|draft| rows(draft, counts, &names))
            });
            if let Some(percent) = shares.min().filter(|percent| *percent < 100) {
                notices.push(Notice::Monitored { system: system.clone(), percent });
            }
            if outside > 0.0 {
                notices.push(Notice::Outside { system: system.clone(), requests: outside as u64 });
            }
        }
        if self.unpaired > 0 {
            notices.push(Notice::Unpaired { releases: self.unpaired, pairs: self.pairs });
        }
        notices
    }
}

/// The start of the local hour of a minute of the TOD clock: an interval of a system that has none of RMF.
///
/// The first one starts and the last one ends with a minute of requests.
fn hour_of(drafts: &mut BTreeMap<(String, Clock), Draft>, system: &str, extent: &Extent, minute: i64) -> Clock {
    let local_us = |minute: i64| MINUTE_US * minute + extent.zone_us();
    let hour_us = local_us(minute).div_euclid(HOUR_US) * HOUR_US;
    let start_us = hour_us.max(local_us(extent.first));
    let end_us = (hour_us + HOUR_US).min(local_us(extent.last + 1));
    let start = Clock::from_unix_us(start_us);
    let new = || Draft::new(system.to_string(), start, end_us - start_us);
    drafts.entry((system.to_string(), start)).or_insert_with(new);
    start
}

/// The start of the interval of a system in which the middle of a minute of the TOD clock is.
fn interval_of(drafts: &BTreeMap<(String, Clock), Draft>, system: &str, minute: i64) -> Option<Clock> {
    let middle = Clock::from_unix_us(MINUTE_US * minute + MINUTE_US / 2);
    let of_system = drafts.range((system.to_string(), Clock(0))..).take_while(|(key, _)| key.0 == system);
    of_system.map(|(_, draft)| draft).find_map(|draft| {
        let since_s = middle.seconds_since(draft.start) + draft.local_s;
        (0.0..draft.seconds()).contains(&since_s).then_some(draft.start)
    })
}

/// Adds a row for each name to an interval, and the service where 72-5 does not have it. Where it has, the share of its
/// ENQs that 87-2 has, percent.
fn rows(draft: &mut Draft, counts: &BTreeMap<usize, Counts>, names: &BTreeMap<usize, &Name>) -> Option<u64> {
    let (mut all, mut scopes) = (Counts::default(), [0.0; 3]);
    let seconds = Figure::exact(draft.seconds());
    for (number, count) in counts {
        let (qname, rname, scope) = names[number];
        let place = usize::from(*scope) - 1;
        scopes[place] += count.obtained;
        all.add(count);
        let row = row_of(&mut draft.totals.enqueues, [qname, rname, SCOPES[place]]);
        row.requests_per_s = Figure::exact(count.obtained).over(seconds);
        row.released_per_s = Figure::exact(count.released).over(seconds);
        row.tested_per_s = Figure::exact(count.tested).over(seconds);
        row.held_ms = mean(count.held_ms, count.holds);
    }
    let rate = |count: f64| Figure::exact(count).over(seconds);
    if let Some(service) = draft.totals.serialization.first() {
        let counted = service.enq_per_s.value * draft.seconds();
        return Some((100.0 * all.obtained / counted).round() as u64);
    }
    draft.totals.serialization.push(SerializationTotals {
        enq_per_s: rate(all.obtained),
        enq_step_per_s: rate(scopes[0]),
        enq_systems_per_s: rate(scopes[2]),
        deq_per_s: rate(all.released),
        pairs_per_s: rate(all.released),
        elapsed_us_per_pair: mean(1e3 * all.obtain_ms, all.obtained).plus(mean(1e3 * all.release_ms, all.released)),
        ..SerializationTotals::unknown(draft.system.clone())
    });
    None
}

fn mean(sum: f64, count: f64) -> Figure {
    if count > 0.0 { Figure::exact(sum / count) } else { Figure::UNKNOWN }
}

/// The row of a resource, which record 77-1 may have made.
fn row_of<'a>(rows: &'a mut Vec<EnqueueTotals>, [qname, rname, scope]: [&str; 3]) -> &'a mut EnqueueTotals {
    let found = rows.iter().position(|row| row.qname == qname && row.rname == rname && row.scope == scope);
    let place = found.unwrap_or_else(|| {
        let name = if rname.is_empty() { qname.to_string() } else { format!("{qname} {rname}") };
        rows.push(EnqueueTotals::unknown(name, qname.into(), rname.into(), scope.into(), 1));
        rows.len() - 1
    });
    &mut rows[place]
}

type Sections<'a> = std::slice::ChunksExact<'a, u8>;

/// The sections of requests and of resources of a record.
fn sections(bytes: &[u8]) -> Result<(Sections<'_>, Sections<'_>), Damage> {
    let whole = |field: Field| field.number(bytes).unwrap_or(0) as usize;
    let damage = |what: String| {
        Err(Damage::new(format!("record 87 subtype 2 {what}"))
            .because("each request has a resource, and their sections lie within the record")
            .remedy("leave the record out with IFASMFDP, or transfer the file again in binary"))
    };
    let kinds = [
        ("requests", SMF87DEF_REQ_OFF, SMF87DEF_REQ_LEN, SMF87DEF_REQ_NUM, SMF87REQ_RC.since()),
        ("resources", SMF87DEF_DATA_OFF, SMF87DEF_DATA_LEN, SMF87DEF_DATA_NUM, RNAME),
    ];
    let mut found = Vec::with_capacity(2);
    for (name, offset, length, number, least) in kinds {
        let (offset, length, number) = (whole(offset), whole(length), whole(number));
        let end = offset.saturating_add(length * number);
        if number > 0 && (length < least || offset < SMF87DEF_DATA_NUM.since() || end > bytes.len()) {
            return damage(format!("has {} bytes, and {number} {name} of {length} bytes at {offset}", bytes.len()));
        }
        found.push(if number > 0 { bytes[offset..end].chunks_exact(length) } else { [].chunks_exact(1) });
    }
    match (found.pop(), found.pop()) {
        (Some(resources), Some(requests)) if requests.len() == resources.len() => Ok((requests, resources)),
        (Some(resources), Some(requests)) => {
            damage(format!("has {} requests and {} resources", requests.len(), resources.len()))
        }
        _ => damage("has no sections".into()),
    }
}

/// The laws of a request.
fn check(header: &Header, bytes: &[u8], request: &[u8], resource: &[u8]) -> Result<(), Broken> {
    let scope = Counted::of(SMF87DATA_SCOPE, resource, bytes);
    scope.law((1.0..=3.0).contains(&scope.value), || "a scope is 1 STEP, 2 SYSTEM or 3 SYSTEMS".into())?;
    let room = resource.len() - RNAME;
    Counted::of(SMF87DATA_RNAMELEN, resource, bytes).at_most(room as f64, "the minor name lies within its section")?;
    let clock = |field: Field| field.clock(request).unwrap_or_default();
    let (start, complete) = (clock(SMF87REQ_TIMESTART), clock(SMF87REQ_TIMECOMP));
    let late_s = header.written.seconds_since(complete);
    let completed = Counted::of(SMF87REQ_TIMECOMP, request, bytes);
    completed.law((-FURTHEST_S..FURTHEST_S + DAY_S).contains(&late_s), || {
        format!("a request completes within the day before its record is written, at {}", header.written)
    })?;
    let lasted_s = complete.seconds_since(start);
    completed.law((0.0..DAY_S).contains(&lasted_s), || format!("a request starts at {start}, before it completes"))
}
