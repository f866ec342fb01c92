//! The records of a system's last two samples, by the entities that they are about.

use super::step::Step;
use crate::binary::Clock;
use crate::monitor::Header;
use std::cmp::Reverse;
use std::ops::Range;

/// ASSUME: seconds from when a record of a sample is built until the sample ends. Clocks may be read before records are
/// in their order: two seconds are taken for that.
pub(super) const AT_END_S: Range<f64> = -2.0..60.0;

/// The code of a record, and the number of the entity it is about.
type Name = ((u8, u16), u64);

/// The records of one sample, one behind the other.
#[derive(Debug, Default)]
struct Sample {
    bytes: Vec<u8>,
    /// The entity of each record, and where the record is; in their order once the sample has ended.
    places: Vec<(Name, Range<usize>)>,
    /// Where the records are in their files, by where they start in `bytes`: first byte and number.
    origins: Vec<(usize, (u64, u64))>,
}

impl Sample {
    /// The entities with a record of this code, and their records.
    fn of_code(&self, code: (u8, u16)) -> impl Iterator<Item = (Name, &[u8])> {
        let first = self.places.partition_point(|(name, _)| name.0 < code);
        let of_code = self.places[first..].iter().take_while(move |(name, _)| name.0 == code);
        of_code.map(|(name, place)| (*name, &self.bytes[place.clone()]))
    }

    /// Where the record of these bytes is in its file: its first byte and its number.
    fn origin(&self, record: &[u8]) -> (u64, u64) {
        let start = (record.as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        let place = self.origins.binary_search_by_key(&start, |(at, _)| *at);
        place.map_or((0, 0), |place| self.origins[place].1)
    }

    fn clear(&mut self) {
        self.origins.clear();
        self.bytes.clear();
        self.places.clear();
    }
}

/// The entities of a system, each with its records of the last two samples.
#[derive(Debug, Default)]
pub(super) struct Entities {
    earlier: Sample,
    later: Sample,
}

impl Entities {
    /// The steps of all entities of a record in the sample that has ended, in their order.
    pub(super) fn steps(&self, code: (u8, u16)) -> impl Iterator<Item = Step<'_>> {
        let mut earlier = self.earlier.of_code(code).peekable();
        self.later.of_code(code).filter_map(move |(name, later)| {
            while earlier.next_if(|(before, _)| *before < name).is_some() {}
            let before = earlier.next_if(|(before, _)| *before == name);
            Step::new(before.map_or(&[], |(_, record)| record), later)
        })
    }

    /// Where the later record of a step is in its file.
    pub(super) fn origin(&self, step: Step) -> (u64, u64) {
        self.later.origin(step.later())
    }

    /// Whether most records of the later sample were built when it ended, or nearly so.
    pub(super) fn ends_at(&self, end: Clock) -> bool {
        let clocks = self.later.places.iter().filter_map(|(_, place)| Header::read(&self.later.bytes[place.clone()]));
        let on_time = clocks.filter(|header| AT_END_S.contains(&end.seconds_since(header.clock))).count();
        2 * on_time >= self.later.places.len()
    }

    pub(super) fn take(&mut self, name: Name, record: &[u8], origin: (u64, u64)) {
        let start = self.later.bytes.len();
        self.later.origins.push((start, origin));
        self.later.bytes.extend_from_slice(record);
        self.later.places.push((name, start..self.later.bytes.len()));
    }

    /// Ends the later sample; of two records of an entity the last one counts.
    pub(super) fn end(&mut self) {
        self.later.places.sort_by_key(|(name, place)| (*name, Reverse(place.start)));
        self.later.places.dedup_by_key(|(name, _)| *name);
    }

    /// Drops the later sample.
    pub(super) fn drop_sample(&mut self) {
        self.later.clear();
    }

    /// Makes the later sample, which has ended, the earlier one.
    pub(super) fn turn(&mut self) {
        std::mem::swap(&mut self.earlier, &mut self.later);
        self.later.clear();
    }
}
