//! An interval of a system that a file of monitor data covers, and the system of a file that is written.

use crate::binary::Clock;
use measures::{DeviceTotals, IntervalTotals, SystemTotals, VolumeTotals};

/// One interval of one system; its clock is UTC in monitor data of z/VM, and local time in SMF.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// When it started.
    pub start: Clock,
    /// When it ended.
    pub end: Clock,
    /// The counters of the interval.
    pub totals: IntervalTotals,
}

/// Takes intervals as they are read: volumes and devices one by one, since there are thousands.
pub trait Sink: Default {
    /// Starts an interval that lacks volumes, devices and the system as a whole.
    fn start(&mut self, interval: Interval);

    /// Adds a volume to the interval.
    fn volume(&mut self, volume: VolumeTotals);

    /// Adds a device to the interval.
    fn device(&mut self, device: DeviceTotals);

    /// Ends the interval.
    fn end(&mut self, system: SystemTotals);
}

impl Sink for Vec<Interval> {
    fn start(&mut self, interval: Interval) {
        self.push(interval);
    }

    fn volume(&mut self, volume: VolumeTotals) {
        self.last_mut().expect("an interval was started").totals.volumes.push(volume);
    }

    fn device(&mut self, device: DeviceTotals) {
        self.last_mut().expect("an interval was started").totals.devices.push(device);
    }

    fn end(&mut self, system: SystemTotals) {
        self.last_mut().expect("an interval was started").totals.system = system;
    }
}

/// The system of a file that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Its name: at most eight characters in monitor data of z/VM, four in SMF.
    pub name: String,
    /// When its first interval starts.
    pub start: Clock,
}
