//! An interval while its records are written: header, product section, and the sections of a type.

use super::section::Section;
use crate::System;
use crate::binary::{Clock, Field, to_packed};
use crate::smf::header::Header;
use crate::smf::layout::header::SMFTRN;
use crate::smf::layout::{Located, product};
use crate::smf::reassembly::split;
use crate::smf::rmf::{Rmf, TRIPLET, TRIPLETS, Triplet};
use crate::smf::time;
use measures::{Figure, IntervalTotals};
use std::io;

/// The cycle of RMF where an interval does not tell (z/OS RMF User's Guide, CYCLE: 1000).
const CYCLE_MS: f64 = 1_000.0;
/// The longest interval that a record can tell: MMSSTTT.
const LONGEST_S: f64 = 5_999.999;

/// Sections of a kind, for the triplet that locates them.
pub(super) type Kind = (&'static Located, Vec<Section>);

/// An interval while its records are written.
pub(super) struct Interval<'a> {
    pub(super) totals: &'a IntervalTotals,
    system: &'a System,
    start: Clock,
    pub(super) seconds: f64,
    pub(super) samples: f64,
}

impl<'a> Interval<'a> {
    pub(super) fn of(totals: &'a IntervalTotals, system: &'a System, start: Clock) -> io::Result<Self> {
        let seconds = totals.length.seconds();
        if !(0.001..=LONGEST_S).contains(&seconds) {
            let what = format!("an interval of {seconds} s does not fit a record of RMF: 0.001 to {LONGEST_S} s do");
            return Err(io::Error::other(what));
        }
        let taken = totals.partitions.first().map_or(f64::NAN, |partition| partition.samples_taken.value);
        let samples = match totals.samples {
            0 if taken >= 1.0 => taken.round(),
            0 => (1_000.0 * seconds / CYCLE_MS).round().max(1.0),
            samples => samples as f64,
        };
        Ok(Interval { totals, system, start, seconds, samples })
    }

    /// How often something happens in the interval.
    pub(super) fn count(&self, per_second: Figure) -> f64 {
        per_second.value * self.seconds
    }

    pub(super) fn cycle_ms(&self) -> f64 {
        let due = self.totals.partitions.first().map_or(f64::NAN, |partition| partition.samples_due.value);
        if due > 0.0 { 1_000.0 * self.seconds / due } else { 1_000.0 * self.seconds / self.samples }
    }

    /// A record, in parts where it is too long; none where there are no sections.
    pub(super) fn record(&self, code: (u8, u16), triplets: usize, kinds: Vec<Kind>) -> io::Result<Vec<Vec<u8>>> {
        if kinds.iter().all(|(_, sections)| sections.is_empty()) {
            return Ok(vec![]);
        }
        let mut bytes = vec![0; TRIPLETS + TRIPLET * triplets];
        SMFTRN.put(&mut bytes, triplets as u64);
        let product = [self.product()?];
        let product = [(0, product.as_slice())];
        let kinds = kinds.iter().map(|(located, sections)| (located.triplet, sections.as_slice()));
        for (place, sections) in product.into_iter().chain(kinds).filter(|(_, sections)| !sections.is_empty()) {
            let triplet = Triplet { offset: bytes.len(), length: sections[0].bytes().len(), number: sections.len() };
            let at = TRIPLETS + TRIPLET * place;
            bytes[at..at + TRIPLET].copy_from_slice(&triplet.bytes());
            sections.iter().for_each(|section| bytes.extend_from_slice(section.bytes()));
        }
        let end = Clock(self.start.0.wrapping_add(self.totals.length.units()));
        let header = Header::put(&mut bytes, code, &self.system.name, end).and_then(|()| Header::read(&bytes));
        let header = header.ok_or_else(|| io::Error::other(format!("SMF cannot tell the system or the time {end}")))?;
        let record = Rmf::of(header, &bytes).map_err(|damage| io::Error::other(damage.what))?;
        Ok(split(&record))
    }

    fn product(&self) -> io::Result<Section> {
        let mut section = Section::of(&product::LAYOUT);
        section.text(product::SMFPRD, "RMF");
        section.count(product::SMFSAM, self.samples);
        section.text(product::SMFSNM, &self.system.name);
        // The first partition is that of the system.
        section.count(product::SMFPTN, if self.totals.partitions.is_empty() { 0.0 } else { 1.0 });
        let us = (self.seconds * 1e6).round() as u64;
        let packed = |section: &mut Section, field: Field, put: &dyn Fn(&mut [u8]) -> Option<()>| {
            put(section.place(field)).ok_or_else(|| io::Error::other(format!("SMF cannot tell {}", self.start)))
        };
        packed(&mut section, product::SMFIST, &|bytes| time::put_of_day(bytes, self.start))?;
        packed(&mut section, product::SMFDAT, &|bytes| time::put_date(bytes, self.start))?;
        packed(&mut section, product::SMFINT, &|bytes| time::put_length(bytes, us))?;
        let cycle = self.cycle_ms().round().clamp(1.0, 9_999.0) as u64;
        packed(&mut section, product::SMFCYC, &|bytes| to_packed(bytes, cycle))?;
        Ok(section)
    }
}
