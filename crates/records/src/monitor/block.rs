//! The control block before each set of data, MWTBK: which areas of data follow, and which domains they are of.

use super::header::Header;
use std::fmt;

/// Bytes of a block of a MONWRITE file, and of a frame of records.
pub const BLOCK: usize = 4096;

/// Where the entries start: before them is the buffer of an external interrupt (IBM, MWTBK: MWTEXTBF).
const ENTRIES: usize = 40;
/// Bytes of an entry (MWTCALEN).
const ENTRY: usize = 12;
/// The last domain that IBM lists (10, application data), and the byte after the domain in the header of a record.
const LAST_DOMAIN: u8 = 10;
const RESERVED: usize = 5;
const SAMPLE: u8 = 0xE2;
const EVENT: u8 = 0xC5;

/// Where our writer says that the data were: the start of a page of a saved segment.
const ADDRESS: u32 = 0x0100_0000;

/// How the records of a set came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// At the end of each interval.
    Sample,
    /// When something happened.
    Event,
}

impl Class {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Class::Sample => "sample",
            Class::Event => "event",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The domains of a set, a bit each (MWTCADMA).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Domains(pub u8);

impl Domains {
    /// The same with one domain more; those without a bit that is known change nothing.
    pub fn with(self, domain: u8) -> Domains {
        Domains(if domain < 8 { self.0 | 0x80 >> domain } else { self.0 })
    }
}

/// An area of data that a control block announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) class: Class,
    pub(super) start: u32,
    pub(super) length: u64,
}

/// The areas of a control block, in their order; or why it is none.
pub(super) fn areas(block: &[u8; BLOCK]) -> Result<Vec<Area>, &'static str> {
    let mut areas = Vec::new();
    for entry in block[ENTRIES..].chunks_exact(ENTRY) {
        let word = |at: usize| u32::from_be_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        let (start, end) = (word(4), word(8));
        if entry.iter().all(|byte| *byte == 0) {
            break;
        }
        let class = match entry[0] {
            SAMPLE => Class::Sample,
            EVENT => Class::Event,
            _ => return Err("the type of an area is neither S nor E in EBCDIC"),
        };
        if end < start {
            return Err("an area ends before it starts");
        }
        areas.push(Area { class, start, length: u64::from(end - start) + 1 });
    }
    if areas.is_empty() { Err("it names no area of data") } else { Ok(areas) }
}

/// Whether bytes start as a file of MONWRITE does: with a control block that names areas of data; or, where that was
/// lost, with a record of one of the domains, built since 1970.
pub(crate) fn is_file(head: &[u8]) -> bool {
    const EPOCH: u64 = 0x7D91_048B_CA00_0000;
    let of_domain = |header: Header| header.domain <= LAST_DOMAIN && head[RESERVED] == 0 && header.clock.0 >= EPOCH;
    head.first_chunk().is_some_and(|block| areas(block).is_ok()) || Header::read(head).is_some_and(of_domain)
}

/// The control block of one area of this many bytes.
pub(super) fn block_of(class: Class, domains: Domains, length: u32) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[ENTRIES] = match class {
        Class::Sample => SAMPLE,
        Class::Event => EVENT,
    };
    block[ENTRIES + 1] = domains.0;
    block[ENTRIES + 4..ENTRIES + 8].copy_from_slice(&ADDRESS.to_be_bytes());
    block[ENTRIES + 8..ENTRIES + 12].copy_from_slice(&(ADDRESS + length - 1).to_be_bytes());
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_of_a_block_comes_back() {
        let block = block_of(Class::Event, Domains::default().with(6), 5000);
        assert_eq!(block[41], 0x02, "I/O");
        assert_eq!(areas(&block), Ok(vec![Area { class: Class::Event, start: ADDRESS, length: 5000 }]));
    }

    #[test]
    fn what_is_no_control_block_is_refused() {
        assert!(areas(&[0; BLOCK]).is_err());
        assert!(areas(&[b'S'; BLOCK]).is_err());
        let mut block = block_of(Class::Sample, Domains::default(), 1);
        block[48] = 0;
        assert!(areas(&block).is_err(), "it ends before it starts");
    }
}
