//! Writes an SMF file: records into blocks, spanned where a block has no room for a whole one.

use super::{Descriptor, Segment, WORD};
use std::io::{self, Write};

/// The longest block that is written; `adapya-base`, which reads what we write, accepts no more than 32,767 bytes.
const BLOCK: usize = 27_998;
/// A block with less room than this for a record that does not fit is written as it is.
const LEAST: usize = 64;

/// An SMF file while it is written, as variable-length blocked spanned records with all descriptor words.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    block: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Starts a file without any record.
    pub fn new(output: W) -> Self {
        Writer { output, block: vec![0; WORD] }
    }

    /// Adds a record, whose first bytes are its descriptor word.
    ///
    /// # Errors
    ///
    /// Errors of the output, and a record that is shorter than its descriptor word.
    pub fn record(&mut self, record: &[u8]) -> io::Result<()> {
        let Some(mut rest) = record.get(WORD..).filter(|rest| !rest.is_empty()) else {
            return Err(io::Error::other("a record is shorter than its descriptor word"));
        };
        let mut starts = true;
        while !rest.is_empty() {
            let room = (BLOCK - self.block.len()).saturating_sub(WORD);
            let whole = room >= rest.len();
            if !whole && room < LEAST {
                self.end_block()?;
                continue;
            }
            let (segment, later) = rest.split_at(room.min(rest.len()));
            let kind = match (starts, whole) {
                (true, true) => Segment::Whole,
                (true, false) => Segment::First,
                (false, true) => Segment::Last,
                (false, false) => Segment::Middle,
            };
            self.block.extend_from_slice(&Descriptor { length: segment.len() + WORD, segment: kind }.word());
            self.block.extend_from_slice(segment);
            (rest, starts) = (later, false);
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        let [high, low] = (self.block.len() as u16).to_be_bytes();
        self.block[..WORD].copy_from_slice(&[high, low, 0, 0]);
        self.output.write_all(&self.block)?;
        self.block.truncate(WORD);
        Ok(())
    }

    /// Writes the last block, and gives the output back.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        if self.block.len() > WORD {
            self.end_block()?;
        }
        Ok(self.output)
    }
}
