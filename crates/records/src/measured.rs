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
}

/// The intervals of a system.
#[derive(Clone, Debug)]
struct OfSystem {
    name: String,
    tables: IntervalColumns,
    started: u64,
}

impl Measured {
    /// The tables of a system that has an interval.
    pub fn tables(&self, system: &str) -> Option<&IntervalColumns> {
        self.systems.iter().find(|found| found.name == system).map(|found| &found.tables)
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
        self.intervals.push((totals.name, start.unix_us(), end.unix_us()));
    }

    fn volume(&mut self, volume: VolumeTotals) {
        let (tables, interval) = self.current();
        tables.volumes.add(interval, &volume);
    }

    fn device(&mut self, device: DeviceTotals) {
        let (tables, interval) = self.current();
        tables.devices.add(interval, &device);
    }

    fn end(&mut self, whole: SystemTotals) {
        let (tables, interval) = self.current();
        tables.system.add(interval, &whole);
    }
}
