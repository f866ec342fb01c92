//! What a file holds: its records by kind, and the time that they cover.

use super::block::Class;
use super::{Record, layout};
use crate::binary::{Clock, Layout};

/// Domains that are counted one by one; records of others are counted together.
const DOMAINS: usize = 16;
/// Record numbers of a domain that are counted one by one.
const RECORDS: usize = 64;

/// How many records of a kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Domain and record number.
    pub code: (u8, u16),
    /// Its layout, where it is known.
    pub layout: Option<&'static Layout>,
    /// Records among the samples, and among the events.
    pub counts: [u64; 2],
    /// Their bytes.
    pub bytes: u64,
}

/// The contents of a file, while its records are read: memory does not grow with the file.
#[derive(Clone, Debug)]
pub struct Contents {
    kinds: Vec<([u64; 2], u64)>,
    others: ([u64; 2], u64),
    /// The first and the last clock of a record.
    pub span: Option<(Clock, Clock)>,
}

impl Default for Contents {
    fn default() -> Self {
        Contents { kinds: vec![([0; 2], 0); DOMAINS * RECORDS], others: ([0; 2], 0), span: None }
    }
}

impl Contents {
    /// Counts a record.
    #[inline]
    pub fn take(&mut self, record: &Record) {
        let (domain, number) = (usize::from(record.header.domain), usize::from(record.header.record));
        let known = domain < DOMAINS && number < RECORDS;
        let kind = if known { &mut self.kinds[domain * RECORDS + number] } else { &mut self.others };
        kind.0[usize::from(record.class == Class::Event)] += 1;
        kind.1 += record.bytes.len() as u64;
        let clock = record.header.clock;
        self.span = Some(self.span.map_or((clock, clock), |(first, last)| (first.min(clock), last.max(clock))));
    }

    /// The kinds of records that are there, in the order of domain and number.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.kinds.iter().enumerate().filter(|(_, (counts, _))| *counts != [0; 2]).map(|(place, (counts, bytes))| {
            let code = ((place / RECORDS) as u8, (place % RECORDS) as u16);
            Kind { code, layout: layout::of(code.0, code.1), counts: *counts, bytes: *bytes }
        })
    }

    /// How many records are of domains or numbers beyond those that are counted one by one.
    pub fn others(&self) -> u64 {
        self.others.0.iter().sum()
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.kinds.iter().map(|(counts, _)| counts.iter().sum::<u64>()).sum::<u64>() + self.others()
    }
}
