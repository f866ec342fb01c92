//! A dump that is read to its end: contents, intervals and damaged records.

use super::contents::Contents;
use super::framing::Reader;
use super::intervals::{Ends, Intervals};
use crate::{Damage, Sink};
use std::io;

/// Damaged records that are named; the others are counted.
const NAMED: usize = 50;

/// Dumps while they are read, one behind the other; memory grows with the intervals that are not given away.
#[derive(Default)]
pub struct File {
    /// Records by type, subtype and system.
    pub contents: Contents,
    intervals: Intervals,
    damages: Vec<(String, Damage)>,
    more: u64,
    /// Bytes so far.
    pub bytes: u64,
}

impl File {
    /// A file whose intervals end at records that were found before.
    pub fn ending(ends: Ends) -> Self {
        File { intervals: Intervals::ending(ends), ..File::default() }
    }

    /// Takes in a dump of this name to its end. Damaged records are skipped, and listed.
    ///
    /// # Errors
    ///
    /// Damage of descriptor words: records after it cannot be found.
    pub fn take(&mut self, name: &str, input: impl io::Read) -> Result<(), Damage> {
        let mut reader = Reader::new(input);
        while self.take_record(name, &mut reader)? {}
        Ok(())
    }

    /// Takes in the next record of a dump; false at its end.
    ///
    /// # Errors
    ///
    /// As [`File::take`].
    pub fn take_record(&mut self, name: &str, reader: &mut Reader<impl io::Read>) -> Result<bool, Damage> {
        let damage = match reader.read_record() {
            Ok(Some(record)) => {
                self.contents.take(&record);
                self.intervals.take(&record).err()
            }
            Ok(None) => {
                self.bytes += reader.place();
                return Ok(false);
            }
            Err(damage) => Some(damage),
        };
        if reader.is_lost() {
            return Err(damage.unwrap_or_default());
        }
        match damage {
            Some(damage) if self.damages.len() < NAMED => self.damages.push((name.to_string(), damage)),
            Some(_) => self.more += 1,
            None => {}
        }
        Ok(true)
    }

    /// Gives away the intervals that are whole.
    pub fn pass_on(&mut self, sink: &mut impl Sink) {
        self.intervals.pass_on(sink);
    }

    /// Gives away the intervals that are left; notes: a sentence for each thing that the numbers do not show.
    pub fn end(&mut self, sink: &mut impl Sink) -> Vec<String> {
        let notices = std::mem::take(&mut self.intervals).finish_into(sink);
        let skipped = |(name, damage): (String, Damage)| format!("{}: skipped", damage.problem(&name));
        let mut notes: Vec<String> = notices.iter().map(ToString::to_string).collect();
        notes.extend(std::mem::take(&mut self.damages).into_iter().map(skipped));
        if self.more > 0 {
            notes.push(format!("{} more records are damaged and were skipped", self.more));
        }
        notes
    }
}
