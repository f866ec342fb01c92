//! Intervals of a system, simulated or measured, as SMF records of RMF: the inverse of `intervals`.
//!
//! Fields of which slicewright knows nothing are zero; [`FILLED`] lists the others.

mod devices;
mod enqueues;
mod filled;
mod interval;
mod processors;
mod section;
mod serialization;

use super::framing::Writer;
use crate::System;
use crate::binary::Clock;
pub use filled::{FILLED, zero};
use interval::Interval;
use measures::IntervalTotals;
use std::io::{self, Write};

/// Writes intervals that follow each other as an SMF dump; the system's start is local time, and its name has at most four
/// characters.
///
/// # Errors
///
/// Errors of the output, a time that SMF cannot represent, and intervals that are longer than 99 minutes.
pub fn export<W: Write>(intervals: &[IntervalTotals], system: &System, output: W) -> io::Result<W> {
    let mut writer = Writer::new(output);
    let mut start = system.start;
    for totals in intervals {
        for record in records(totals, system, start)? {
            writer.record(&record)?;
        }
        start = Clock(start.0.wrapping_add(totals.length.units()));
    }
    writer.finish()
}

/// The records of an interval that starts then, each with its descriptor word.
///
/// # Errors
///
/// A time that SMF cannot represent, and an interval that is longer than 99 minutes.
pub fn records(totals: &IntervalTotals, system: &System, start: Clock) -> io::Result<Vec<Vec<u8>>> {
    let interval = Interval::of(totals, system, start)?;
    let mut records = interval.record((70, 1), 9, processors::sections(&interval))?;
    records.extend(devices::records(&interval)?);
    records.extend(interval.record((77, 1), 3, enqueues::sections(&interval))?);
    records.extend(interval.record((78, 3), 5, devices::pools(&interval))?);
    records.extend(interval.record((72, 5), 15, serialization::sections(&interval))?);
    Ok(records)
}
