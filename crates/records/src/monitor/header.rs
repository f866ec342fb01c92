//! The header of every monitor record, MRRECHDR: length, domain, record number and clock.

use crate::binary::Clock;
use field::{MRHDRDM, MRHDRLEN, MRHDRRC, MRHDRTOD};

/// The fields of the header (IBM, MRRECHDR on every page of a record).
pub mod field {
    use crate::binary::layout;

    layout! {
        "MRRECHDR" 0/0 "Header of every record", 20, Published, "IBM, the page of every record";
        MRHDRLEN 0/2 Count "length of the record, header included";
        MRHDRZER 2/2 Count "zeros";
        MRHDRDM 4/1 Count "domain";
        MRHDRRC 6/2 Count "record number";
        MRHDRTOD 8/8 Clock "clock when the record was built";
    }
}

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The length of the record, header included.
    pub length: usize,
    /// The domain.
    pub domain: u8,
    /// The record number in the domain.
    pub record: u16,
    /// The clock when the record was built.
    pub clock: Clock,
}

impl Header {
    /// Its bytes.
    pub const LENGTH: usize = 20;

    /// The header at the start of some bytes; nothing where they are too few or hold none.
    #[inline]
    pub fn read(bytes: &[u8]) -> Option<Header> {
        let head: &[u8; Self::LENGTH] = bytes.get(..Self::LENGTH)?.try_into().ok()?;
        let length = usize::from(u16::from_be_bytes([head[0], head[1]]));
        let zeros = head[2] == 0 && head[3] == 0;
        let clock = u64::from_be_bytes([head[8], head[9], head[10], head[11], head[12], head[13], head[14], head[15]]);
        let header =
            Header { length, domain: head[4], record: u16::from_be_bytes([head[6], head[7]]), clock: Clock(clock) };
        (zeros && length >= Self::LENGTH).then_some(header)
    }

    /// A record of this header with zeros after it.
    pub fn blank(self) -> Vec<u8> {
        let mut record = vec![0; self.length];
        MRHDRLEN.put(&mut record, self.length as u64);
        MRHDRDM.put(&mut record, u64::from(self.domain));
        MRHDRRC.put(&mut record, u64::from(self.record));
        MRHDRTOD.put(&mut record, self.clock.0);
        record
    }

    /// Domain and record number.
    pub fn code(self) -> (u8, u16) {
        (self.domain, self.record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back() {
        let header = Header { length: 48, domain: 6, record: 28, clock: Clock(0xDEAD_BEEF_0102_0304) };
        assert_eq!(Header::read(&header.blank()), Some(header));
    }

    #[test]
    fn bytes_without_a_header_have_none() {
        assert_eq!(Header::read(&[0; 20]), None, "a length of 0");
        assert_eq!(Header::read(&[0, 20]), None, "too few bytes");
        let mut bytes = Header { length: 20, domain: 1, record: 11, clock: Clock(1) }.blank();
        bytes[2] = 1;
        assert_eq!(Header::read(&bytes), None, "no zeros after the length");
    }
}
