//! A dump that is read to its end: contents, intervals and damaged records.

use super::contents::Contents;
use super::framing::Reader;
use super::intervals::{Intervals, Read};
use crate::{Damage, Sink};
use std::io;

/// Damaged records that are named; the others are counted.
const NAMED: usize = 50;

/// Dumps while they are read, one behind the other; memory grows with their intervals alone.
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
    /// Takes in a dump of this name to its end. Damaged records are skipped, and listed.
    ///
    /// # Errors
    ///
    /// Damage of descriptor words: records after it cannot be found.
    pub fn take(&mut self, name: &str, input: impl io::Read) -> Result<(), Damage> {
        let mut reader = Reader::new(input);
        loop {
            let damage = match reader.read_record() {
                Ok(Some(record)) => {
                    self.contents.take(&record);
                    self.intervals.take(&record).err()
                }
                Ok(None) => break,
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
        }
        self.bytes += reader.place();
        Ok(())
    }

    /// Contents, intervals, and notes: a sentence for each thing that the numbers do not show.
    pub fn finish<S: Sink>(self) -> (Contents, Read<S>, Vec<String>) {
        let read = self.intervals.finish();
        let skipped = |(name, damage): (String, Damage)| format!("{}: skipped", damage.problem(&name));
        let mut notes: Vec<String> = read.notices.iter().map(ToString::to_string).collect();
        notes.extend(self.damages.into_iter().map(skipped));
        if self.more > 0 {
            notes.push(format!("{} more records are damaged and were skipped", self.more));
        }
        (self.contents, read, notes)
    }
}
