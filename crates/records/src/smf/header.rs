//! The standard header of an SMF record: type, subtype, system, and when it was written.

use super::layout::header::{SMFDTE, SMFFLG, SMFLEN, SMFRTY, SMFSID, SMFSSI, SMFSTY, SMFTME};
use super::time;
use crate::binary::{Clock, CodePage};

/// "RMF" and a blank in EBCDIC.
const RMF: [u8; 4] = [0xD9, 0xD4, 0xC6, 0x40];
/// The flag that says that a record has a subtype.
const SUBTYPES: u8 = 0x40;
/// Hundredths of a second of a day.
const DAY: u32 = 8_640_000;

/// Whether a byte can be in the name of a system. ASSUME letters, digits, national characters, period, hyphen, underscore
/// and blank: this separates names in EBCDIC from names in ASCII.
const fn is_of_name(byte: u8) -> bool {
    let letter = matches!(byte & 0xBF, 0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9);
    letter || matches!(byte, 0xF0..=0xF9 | 0x5B | 0x7B | 0x7C | 0x4B | 0x60 | 0x6D | CodePage::BLANK)
}

/// The standard header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The length of the record, its descriptor word included.
    pub length: usize,
    /// The record type.
    pub kind: u8,
    /// The subtype, of types that have some.
    pub subtype: Option<u16>,
    /// The system, in EBCDIC.
    pub system: [u8; 4],
    /// The local time at which it was written.
    pub written: Clock,
}

impl Header {
    /// Bytes of a header without a subtype, descriptor word included.
    pub const SHORT: usize = 18;
    /// Bytes of one with a subtype.
    pub const LONG: usize = 24;

    /// The header of a record; nothing where its time and date are none or its system has no name.
    #[inline]
    pub fn read(record: &[u8]) -> Option<Header> {
        let head: &[u8; Self::SHORT] = record.get(..Self::SHORT)?.try_into().ok()?;
        let hundredths = u32::from_be_bytes([head[6], head[7], head[8], head[9]]);
        let system = [head[14], head[15], head[16], head[17]];
        let named = system.iter().all(|byte| is_of_name(*byte)) && system[0] != CodePage::BLANK;
        if hundredths > DAY || !named {
            return None;
        }
        let days = time::days(&head[10..14])?;
        let subtype = (head[4] & SUBTYPES != 0).then(|| SMFSTY.number(record)).flatten();
        Some(Header {
            length: record.len(),
            kind: head[5],
            subtype: subtype.map(|subtype| subtype as u16),
            system,
            written: time::clock(days, i64::from(hundredths) * 10_000),
        })
    }

    /// Type and subtype, 0 for types that have none.
    pub fn code(&self) -> (u8, u16) {
        (self.kind, self.subtype.unwrap_or(0))
    }

    /// The name of the system.
    pub fn system(&self) -> String {
        CodePage::Ibm1047.text(&self.system).trim_end().to_string()
    }

    /// Puts the header of a record of RMF at its start: the whole record must be there, for its length.
    pub(super) fn put(record: &mut [u8], code: (u8, u16), system: &str, written: Clock) -> Option<()> {
        let length = record.len() as u64;
        SMFLEN.put(record, length);
        // New format, subtypes, the versions that a record of z/OS has set, PR/SM.
        SMFFLG.put(record, 0xDF);
        SMFRTY.put(record, u64::from(code.0));
        SMFTME.put(record, written.date().3 / 10_000);
        time::put_date(&mut record[SMFDTE.offset..SMFDTE.since()], written)?;
        SMFSID.put_text(record, system);
        SMFSSI.put_text(record, "RMF");
        SMFSTY.put(record, u64::from(code.1));
        Some(())
    }

    /// Whether the record is of RMF.
    pub fn is_rmf(&self, record: &[u8]) -> bool {
        self.subtype.is_some() && SMFSSI.bytes(record) == Some(&RMF)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Vec<u8> {
        let mut record = vec![0; 40];
        let written = Clock::from_unix_us(1_770_000_000_990_000);
        Header::put(&mut record, (74, 1), "SYSA", written).unwrap();
        record
    }

    #[test]
    fn a_header_comes_back() {
        let record = record();
        let header = Header::read(&record).unwrap();
        assert_eq!((header.code(), header.system(), header.length), ((74, 1), "SYSA".into(), 40));
        assert_eq!(header.written.to_string(), "2026-02-02 02:40:00");
        assert!(header.is_rmf(&record));
    }

    #[test]
    fn what_has_no_date_time_or_system_has_no_header() {
        for (place, byte) in [(13, 0x00), (13, 0x3A), (6, 0x01), (14, 0x40), (15, 0x53), (12, 0xFF)] {
            let mut record = record();
            record[place] = byte;
            assert_eq!(Header::read(&record), None, "byte {place}");
        }
        assert_eq!(Header::read(&record()[..17]), None);
    }

    #[test]
    fn a_record_without_subtypes_has_none() {
        let mut record = record();
        record[4] &= !SUBTYPES;
        assert_eq!(Header::read(&record).unwrap().code(), (74, 0));
        assert!(!Header::read(&record).unwrap().is_rmf(&record));
    }
}
