//! Reads a MONWRITE file record by record, in constant memory.

use super::accident;
use super::block::{Area, BLOCK, Class, areas};
use super::header::Header;
use crate::damage::Damage;
use std::io::{ErrorKind, Read};

/// A record at its place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Whether it is a sample or an event.
    pub class: Class,
    /// Its header.
    pub header: Header,
    /// All of its bytes.
    pub bytes: &'a [u8],
    /// Its first byte in the file, from 0.
    pub place: u64,
    /// Its number in the file, from 1.
    pub number: u64,
    /// Whether it is the last record of its set of data.
    pub ends_set: bool,
}

/// A MONWRITE file while it is read.
///
/// A set of data is a control block and the areas that it names, each in blocks of its own. Records stand in frames,
/// which are pages of the segment that they were copied from: a record of domain 1, number 13 ends the data of a frame,
/// number 11 those of a sample.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// Bytes read so far.
    place: u64,
    records: u64,
    areas: std::vec::IntoIter<Area>,
    class: Class,
    /// Where the rest of the area is in the segment, and how long it is.
    address: u64,
    left: u64,
    frame: Box<[u8; BLOCK]>,
    /// The first byte of the frame in the file.
    frame_start: u64,
    filled: usize,
    next: usize,
}

impl<R: Read> Reader<R> {
    /// Starts to read at the first control block.
    pub fn new(input: R) -> Self {
        Reader {
            input,
            place: 0,
            records: 0,
            areas: Vec::new().into_iter(),
            class: Class::Sample,
            address: 0,
            left: 0,
            frame: Box::new([0; BLOCK]),
            frame_start: 0,
            filled: 0,
            next: 0,
        }
    }

    /// How many bytes were read.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// The next record, nothing at the end of the file.
    ///
    /// # Errors
    ///
    /// Damage, with its place. Records after it cannot be found.
    pub fn read_record(&mut self) -> Result<Option<Record<'_>>, Damage> {
        while self.next == self.filled {
            let more = if self.left > 0 { self.next_frame()? } else { self.next_area()? };
            if !more {
                return Ok(None);
            }
        }
        let at = self.next;
        let place = self.frame_start + at as u64;
        let header = self.header_at(at, place)?;
        self.records += 1;
        let end_of_data = header.domain == 1 && (header.record == 13 || header.record == 11 && self.is_sample());
        self.next = if end_of_data { self.filled } else { at + header.length };
        Ok(Some(Record {
            class: self.class,
            header,
            bytes: &self.frame[at..at + header.length],
            place,
            number: self.records,
            ends_set: self.next == self.filled && self.left == 0 && self.areas.as_slice().is_empty(),
        }))
    }

    fn is_sample(&self) -> bool {
        self.class == Class::Sample
    }

    fn header_at(&self, at: usize, place: u64) -> Result<Header, Damage> {
        let rest = &self.frame[at..self.filled];
        let Some(header) = Header::read(rest) else {
            return Err(accident::of_record(rest, place, self.records + 1));
        };
        if header.length > rest.len() {
            let what = format!(
                "record {}/{} is {} bytes long, and its frame ends after {}",
                header.domain,
                header.record,
                header.length,
                rest.len()
            );
            return Err(Damage::new(what).at(place, self.records + 1).because("no record spans two frames"));
        }
        Ok(header)
    }

    /// Reads the next frame of the area: the bytes up to the next page of the segment, or up to its end.
    fn next_frame(&mut self) -> Result<bool, Damage> {
        let of_page = BLOCK as u64 - self.address % BLOCK as u64;
        let length = of_page.min(self.left) as usize;
        self.fill(length)?;
        self.address += length as u64;
        self.left -= length as u64;
        if self.left == 0 {
            self.skip_padding()?;
        }
        Ok(true)
    }

    /// Starts the next area, after the next control block where the last one has no more.
    fn next_area(&mut self) -> Result<bool, Damage> {
        if let Some(area) = self.areas.next() {
            (self.class, self.address, self.left) = (area.class, u64::from(area.start), area.length);
            return Ok(true);
        }
        let place = self.place;
        let read = self.read(BLOCK)?;
        if read == 0 && place == 0 {
            return Err(
                Damage::new("the file is empty").remedy("check that MONWRITE was stopped before its file was copied")
            );
        }
        if read == 0 {
            (self.filled, self.next) = (0, 0);
            return Ok(false);
        }
        self.frame[read..].fill(0);
        let found = areas(&self.frame);
        (self.filled, self.next) = (0, 0);
        let found = found.map_err(|why| match place {
            0 => accident::of_head(&self.frame[..read], why),
            _ => Damage::new("there is no control block where one is due").at(place, self.records + 1).because(why),
        })?;
        if read < BLOCK {
            return Err(self.cut_short(BLOCK - read));
        }
        self.areas = found.into_iter();
        self.next_area()
    }

    /// Fills the frame with this many bytes.
    fn fill(&mut self, length: usize) -> Result<(), Damage> {
        self.frame_start = self.place;
        let read = self.read(length)?;
        (self.filled, self.next) = (length, 0);
        if read < length { Err(self.cut_short(length - read)) } else { Ok(()) }
    }

    fn read(&mut self, length: usize) -> Result<usize, Damage> {
        let mut read = 0;
        while read < length {
            match self.input.read(&mut self.frame[read..length]) {
                Ok(0) => break,
                Ok(count) => read += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Damage::new(format!("reading failed: {error}")).at(self.place, self.records)),
            }
        }
        self.place += read as u64;
        Ok(read)
    }

    /// Passes over the rest of the last block of an area.
    fn skip_padding(&mut self) -> Result<(), Damage> {
        let rest = (BLOCK as u64 - self.place % BLOCK as u64) % BLOCK as u64;
        let mut rest = rest as usize;
        let mut scrap = [0; 256];
        while rest > 0 {
            let most = rest.min(scrap.len());
            match self.input.read(&mut scrap[..most]) {
                Ok(0) => return Err(self.cut_short(rest)),
                Ok(count) => {
                    rest -= count;
                    self.place += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Damage::new(format!("reading failed: {error}")).at(self.place, self.records)),
            }
        }
        Ok(())
    }

    fn cut_short(&self, missing: usize) -> Damage {
        Damage::new(format!("the file is cut short: at least {missing} bytes are missing"))
            .at(self.place, self.records)
            .because("a MONWRITE file is whole blocks of 4,096 bytes, and its control blocks say how many")
            .remedy("transfer it again in binary and compare its size with that on z/VM; stop MONWRITE before you copy its file")
    }
}
