//! A dump that is read to its end: what it holds, its intervals, and which of its records are damaged.

use super::contents::Contents;
use super::framing::Reader;
use super::intervals::{Intervals, Read};
use crate::Damage;
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
    /// Takes in a dump of this name to its end. Damaged records are left out, and remembered.
    ///
    /// # Errors
    ///
    /// Damage after which nothing can be found.
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

    /// What it holds, its intervals, and a sentence on all that their numbers do not show.
    pub fn finish(self) -> (Contents, Read, Vec<String>) {
        let read = self.intervals.finish();
        let left_out = |(name, damage): (String, Damage)| format!("{}: left out", damage.problem(&name));
        let mut notes: Vec<String> = read.notices.iter().map(ToString::to_string).collect();
        notes.extend(self.damages.into_iter().map(left_out));
        if self.more > 0 {
            notes.push(format!("{} more records are damaged and were left out", self.more));
        }
        (self.contents, read, notes)
    }
}
