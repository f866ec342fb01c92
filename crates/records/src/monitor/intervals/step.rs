//! Two successive records of one entity, and what its counters did between them.

use crate::binary::{Clock, Field};
use crate::laws::Counted;
use crate::monitor::Header;
use measures::Figure;

/// Two successive records of one entity: counters in them are cumulative, so that an interval is their difference.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    earlier: &'a [u8],
    later: &'a [u8],
    seconds: f64,
    /// The later record, of which `later` may be an entry.
    record: &'a [u8],
}

impl<'a> Step<'a> {
    /// The step of two records; nothing where the later one is not later.
    pub fn new(earlier: &'a [u8], later: &'a [u8]) -> Option<Self> {
        let clock = |record: &[u8]| Header::read(record).map_or(Clock(0), |header| header.clock);
        let seconds = clock(later).seconds_since(clock(earlier));
        (seconds > 0.0).then_some(Step { earlier, later, seconds, record: later })
    }

    /// The later record.
    pub fn later(self) -> &'a [u8] {
        self.later
    }

    /// Milliseconds from the earlier record to the later one.
    pub(super) fn ms(self) -> f64 {
        1_000.0 * self.seconds
    }

    /// When the later record was built.
    pub(super) fn clock(self) -> Clock {
        Header::read(self.record).map_or(Clock(0), |header| header.clock)
    }

    /// How far a counter went, with its place in the later record.
    #[inline]
    pub(super) fn counted(self, field: Field) -> Counted {
        self.with(field, self.advance(&[field]).value)
    }

    /// A number of a field, with its place in the later record.
    #[inline]
    pub(super) fn with(self, field: Field, value: f64) -> Counted {
        Counted::with(field, self.later, self.record, value)
    }

    /// How far counters went, summed; unknown where a record is too short for one of them.
    #[inline]
    pub fn advance(self, fields: &[Field]) -> Figure {
        let mut sum = 0;
        for field in fields {
            let Some(step) = field.advance(self.earlier, self.later) else { return Figure::UNKNOWN };
            sum += step;
        }
        Figure::exact(sum as f64)
    }

    /// How far counters went a second.
    #[inline]
    pub fn per_second(self, fields: &[Field]) -> Figure {
        self.advance(fields).over(Figure::exact(self.seconds))
    }

    /// How far spans went, in milliseconds per event that is counted.
    #[inline]
    pub fn mean_ms(self, spans: &[Field], events: &[Field]) -> Figure {
        let unit = Figure::exact(spans[0].kind.unit_ms());
        self.advance(spans).times(unit).over(self.advance(events))
    }

    /// How far one counter went over how far another went.
    #[inline]
    pub fn mean(self, sum: Field, events: Field) -> Figure {
        self.advance(&[sum]).over(self.advance(&[events]))
    }

    /// How far a span went, in percent of the interval.
    #[inline]
    pub fn percent(self, field: Field) -> Figure {
        self.advance(&[field]).times(Figure::exact(field.kind.unit_ms() / 10.0 / self.seconds))
    }

    /// The same step backwards, for a span that counts down.
    pub fn down(self) -> Self {
        Step { earlier: self.later, later: self.earlier, ..self }
    }

    /// The steps of the entries of both records: where the first one is, how long each is, and how many there are.
    pub fn entries(self, offset: Field, length: Field, count: Field) -> impl Iterator<Item = Step<'a>> {
        let entry = move |record: &'a [u8], number: usize| -> Option<&'a [u8]> {
            let (start, length) = (offset.number(record)? as usize, length.number(record)? as usize);
            record.get(start + number * length..start + (number + 1) * length).filter(|entry| !entry.is_empty())
        };
        let entries = count.number(self.later).unwrap_or(0) as usize;
        (0..entries).map_while(move |number| {
            let (earlier, later) = (entry(self.earlier, number)?, entry(self.later, number)?);
            Some(Step { earlier, later, ..self })
        })
    }

    /// Whether both records have the same in a field.
    pub fn same(&self, field: Field) -> bool {
        field.bytes(self.earlier) == field.bytes(self.later)
    }

    /// The number in the later record.
    #[inline]
    pub fn value(self, field: Field) -> Figure {
        field.number(self.later).map_or(Figure::UNKNOWN, |value| Figure::exact(value as f64))
    }

    /// Whether a counter went back: it was reset, as at an IPL. A step of half of what it can hold is taken for that.
    pub fn went_back(self, field: Field) -> bool {
        let half = 1 << (8 * field.length.min(8) - 1);
        field.advance(self.earlier, self.later).is_some_and(|step| step >= half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::layout::mrioddev::{SCGSSCH, SCMCNTIM, SCMSSCH};

    fn record(seconds: u64, starts: u64, ticks: u64) -> Vec<u8> {
        let header = Header { length: 260, domain: 6, record: 3, clock: Clock(seconds * 4_096_000_000) };
        let mut record = header.blank();
        SCGSSCH.put(&mut record, starts);
        SCMSSCH.put(&mut record, starts);
        SCMCNTIM.put(&mut record, ticks);
        record
    }

    #[test]
    fn rates_and_means_are_of_the_difference() {
        let (earlier, later) = (record(100, 1_000, 5_000), record(160, 7_000, 65_000));
        let step = Step::new(&earlier, &later).unwrap();
        assert_eq!(step.per_second(&[SCGSSCH]), Figure::exact(100.0));
        assert_eq!(step.mean_ms(&[SCMCNTIM], &[SCGSSCH]), Figure::exact(1.28));
        assert!((step.percent(SCMCNTIM).value - 12.8).abs() < 1e-12);
    }

    #[test]
    fn counters_that_wrap_go_on() {
        let (earlier, later) = (record(0, u64::from(u32::MAX) - 9, 0), record(60, 50, 0));
        let step = Step::new(&earlier, &later).unwrap();
        assert_eq!(step.advance(&[SCGSSCH]), Figure::exact(60.0));
        assert_eq!(step.advance(&[SCMSSCH]), Figure::exact(60.0));
    }

    #[test]
    fn counters_that_were_reset_are_told_apart_from_those_that_wrap() {
        let (earlier, later) = (record(0, 1_000_000, 0), record(60, 500, 0));
        assert!(Step::new(&earlier, &later).unwrap().went_back(SCGSSCH));
    }

    #[test]
    fn time_that_does_not_go_on_is_no_step() {
        assert!(Step::new(&record(60, 1, 1), &record(60, 2, 2)).is_none());
    }
}
