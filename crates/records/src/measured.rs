//! The tables of every system in a file, as columns: a row becomes a line of them at once, and no interval is kept.

use crate::{Interval, Sink};
use measures::{DeviceTotals, IntervalColumns, SystemTotals, VolumeTotals};

/// The measured intervals of the systems in a file.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// System, start and end of each interval, microseconds since 1970.
    pub intervals: Vec<(String, i64, i64)>,
    systems: Vec<OfSystem>,
    /// The place of the system whose interval was started last.
    current: usize,
    /// Volumes and devices since rows were forgotten last.
    rows: usize,
}

/// The intervals of a system.
#[derive(Clone, Debug)]
struct OfSystem {
    name: String,
    tables: IntervalColumns,
    started: u64,
}

impl Measured {
    /// The systems that have an interval, each with the rows that were read since they were forgotten last.
    pub fn systems(&self) -> impl Iterator<Item = (&str, &IntervalColumns)> {
        self.systems.iter().map(|system| (&*system.name, &system.tables))
    }

    /// Whether volumes, devices and intervals have at least this number of rows.
    pub fn has(&self, rows: usize) -> bool {
        self.rows >= rows
    }

    /// Forgets the rows, and keeps what they are over all intervals.
    pub fn clear(&mut self) {
        self.systems.iter_mut().for_each(|system| system.tables.clear());
        self.rows = 0;
    }

    /// The tables of the current system, and the number of its interval.
    fn current(&mut self) -> (&mut IntervalColumns, u64) {
        let system = &mut self.systems[self.current];
        (&mut system.tables, system.started - 1)
    }
}

impl Sink for Measured {
    fn start(&mut self, Interval { start, end, totals }: Interval) {
        let known = self.systems.iter().position(|system| system.name == totals.name);
        self.current = known.unwrap_or_else(|| {
            self.systems.push(OfSystem { name: totals.name.clone(), tables: IntervalColumns::default(), started: 0 });
            self.systems.len() - 1
        });
        self.systems[self.current].started += 1;
        let (tables, interval) = self.current();
        tables.add(interval, &totals);
        self.rows += 1;
        self.intervals.push((totals.name, start.unix_us(), end.unix_us()));
    }

    fn volume(&mut self, volume: VolumeTotals) {
        let (tables, interval) = self.current();
        tables.volumes.add(interval, &volume);
        self.rows += 1;
    }

    fn device(&mut self, device: DeviceTotals) {
        let (tables, interval) = self.current();
        tables.devices.add(interval, &device);
        self.rows += 1;
    }

    fn end(&mut self, whole: SystemTotals) {
        let (tables, interval) = self.current();
        tables.system.add(interval, &whole);
    }
}
