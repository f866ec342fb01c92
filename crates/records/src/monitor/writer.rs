//! Writes a MONWRITE file: records into frames, frames after a control block.

use super::block::{BLOCK, Class, Domains, block_of};
use super::header::Header;
use crate::binary::Clock;
use std::io::{self, Write};

/// A MONWRITE file while it is written. Records are added to a set of data, which [`Writer::end_set`] writes.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    data: Vec<u8>,
    domains: Domains,
}

impl<W: Write> Writer<W> {
    /// Starts a file without any set.
    pub fn new(output: W) -> Self {
        Writer { output, data: Vec::new(), domains: Domains::default() }
    }

    /// Adds a record to the set: it begins a new frame where this one has no room for it and for a mark of its end.
    ///
    /// # Panics
    ///
    /// When the record is longer than a frame with such a mark can be.
    pub fn record(&mut self, record: &[u8]) {
        assert!(record.len() + Header::LENGTH <= BLOCK, "no record spans two frames");
        let header = Header::read(record).expect("records start with a header");
        let used = self.data.len() % BLOCK;
        if used + record.len() + Header::LENGTH > BLOCK {
            self.data.extend(mark(13, header.clock));
            self.data.resize(self.data.len().next_multiple_of(BLOCK), 0);
        }
        self.domains = self.domains.with(header.domain);
        self.data.extend_from_slice(record);
    }

    /// Writes the set: its control block, its frames, and zeros up to a whole block. A set without records is none.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn end_set(&mut self, class: Class) -> io::Result<()> {
        if self.data.is_empty() {
            return Ok(());
        }
        let length = u32::try_from(self.data.len()).map_err(io::Error::other)?;
        self.output.write_all(&block_of(class, self.domains, length))?;
        self.data.resize(self.data.len().next_multiple_of(BLOCK), 0);
        self.output.write_all(&self.data)?;
        self.data.clear();
        self.domains = Domains::default();
        Ok(())
    }

    /// The output, when all sets are written.
    pub fn finish(self) -> W {
        self.output
    }
}

/// A record of domain 1 that is a header alone: 13 ends a frame, 11 an interval, 12 starts a suspension.
pub fn mark(record: u16, clock: Clock) -> Vec<u8> {
    Header { length: Header::LENGTH, domain: 1, record, clock }.blank()
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;

    fn record(domain: u8, number: u16, length: usize) -> Vec<u8> {
        let mut record = Header { length, domain, record: number, clock: Clock(length as u64) }.blank();
        record[Header::LENGTH..].fill(domain);
        record
    }

    fn file(sets: &[(Class, Vec<Vec<u8>>)]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new());
        for (class, records) in sets {
            records.iter().for_each(|record| writer.record(record));
            writer.end_set(*class).unwrap();
        }
        writer.finish()
    }

    /// Every record but the marks of frames, which belong to the framing.
    fn read(file: &[u8]) -> Vec<(Class, Vec<u8>)> {
        let mut reader = Reader::new(file);
        let mut read = Vec::new();
        while let Some(record) = reader.read_record().unwrap() {
            if record.header.code() != (1, 13) {
                read.push((record.class, record.bytes.to_vec()));
            }
        }
        read
    }

    #[test]
    fn every_record_comes_back_whatever_the_frames() {
        let lengths = [20, 36, 260, 800, 3000, 4056, 116];
        let records: Vec<_> = (0..200).map(|n| record((n % 8) as u8, n, lengths[usize::from(n) % 7])).collect();
        let mut samples = records.clone();
        samples.push(mark(11, Clock(5)));
        let sets = [(Class::Sample, samples.clone()), (Class::Event, records.clone()), (Class::Sample, samples)];
        let expected: Vec<_> =
            sets.iter().flat_map(|(class, records)| records.iter().map(|record| (*class, record.clone()))).collect();
        assert_eq!(read(&file(&sets)), expected);
    }

    #[test]
    fn a_file_is_whole_blocks() {
        let file = file(&[(Class::Event, vec![record(6, 2, 28)])]);
        assert_eq!(file.len(), 2 * BLOCK);
    }

    #[test]
    fn a_file_that_was_read_is_written_to_the_same_bytes() {
        let mut records: Vec<_> = (0..100).map(|n| record(6, n, 260)).collect();
        records.push(mark(11, Clock(5)));
        let first = file(&[(Class::Sample, records), (Class::Event, vec![record(7, 1, 64)])]);
        let mut sets: Vec<(Class, Vec<Vec<u8>>)> = vec![];
        let mut reader = Reader::new(&first[..]);
        let mut starts = true;
        while let Some(record) = reader.read_record().unwrap() {
            if starts {
                sets.push((record.class, vec![]));
            }
            starts = record.ends_set;
            if record.header.code() != (1, 13) {
                sets.last_mut().unwrap().1.push(record.bytes.to_vec());
            }
        }
        assert_eq!(file(&sets), first);
    }
}
