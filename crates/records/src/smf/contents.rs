//! Contents of a file: its records by type and subtype, its systems, and the time that they cover.

use super::framing::Record;
use super::layout;
use crate::binary::{Clock, CodePage};

/// Subtypes of a type that are counted one by one; records of others are counted together.
const SUBTYPES: usize = 64;
/// Systems that are counted one by one.
const SYSTEMS: usize = 256;

/// How many records of a kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Those of RMF.
    pub rmf: u64,
}

/// The records of a type and subtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Type and subtype; subtype 0 where the type has none.
    pub code: (u8, u16),
    /// Its title, where it is used.
    pub title: Option<&'static str>,
    /// How many there are.
    pub counts: Counts,
}

/// The records of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfSystem {
    name: [u8; 4],
    /// How many there are.
    pub records: u64,
    /// The local time of the first and of the last one.
    pub span: (Clock, Clock),
}

impl OfSystem {
    /// The name of the system.
    pub fn name(&self) -> String {
        CodePage::Ibm1047.text(&self.name).trim_end().to_string()
    }
}

/// Contents of a file, while its records are read: memory does not grow with the file.
#[derive(Clone, Debug)]
pub struct Contents {
    kinds: Vec<Counts>,
    others: u64,
    /// Its systems, in the order in which they appear.
    pub systems: Vec<OfSystem>,
}

impl Default for Contents {
    fn default() -> Self {
        Contents { kinds: vec![Counts::default(); 256 * SUBTYPES], others: 0, systems: Vec::new() }
    }
}

impl Contents {
    /// Counts a record.
    #[inline]
    pub fn take(&mut self, record: &Record) {
        let header = &record.header;
        let (kind, subtype) = (usize::from(header.kind), usize::from(header.code().1));
        if subtype < SUBTYPES {
            let counts = &mut self.kinds[kind * SUBTYPES + subtype];
            counts.records += 1;
            counts.bytes += record.bytes.len() as u64;
            counts.rmf += u64::from(header.is_rmf(record.bytes));
        } else {
            self.others += 1;
        }
        let at = header.written;
        if let Some(system) = self.systems.iter_mut().find(|system| system.name == header.system) {
            system.records += 1;
            system.span = (system.span.0.min(at), system.span.1.max(at));
        } else if self.systems.len() < SYSTEMS {
            self.systems.push(OfSystem { name: header.system, records: 1, span: (at, at) });
        }
    }

    /// The kinds of records that are there, in the order of type and subtype.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.kinds.iter().enumerate().filter(|(_, counts)| counts.records > 0).map(|(place, counts)| {
            let code = ((place / SUBTYPES) as u8, (place % SUBTYPES) as u16);
            Kind { code, title: layout::title(code), counts: *counts }
        })
    }

    /// How many records have subtypes beyond those that are counted one by one.
    pub fn others(&self) -> u64 {
        self.others
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.kinds.iter().map(|counts| counts.records).sum::<u64>() + self.others
    }
}
