//! An interval while its records are read, and the numbers of sections as figures.

use crate::binary::{Clock, Field, from_hex_float, from_packed};
use crate::laws::{Broken, Omitted};
use crate::smf::layout::product;
use crate::smf::layout::smf74dev::SMF74QUE;
use crate::smf::rmf::Rmf;
use measures::{Figure, IntervalTotals};
use std::collections::{BTreeMap, BTreeSet};
use units::Span;

/// No zone is further from GMT; anything else in SMFxxLGO is none.
pub(super) const FURTHEST_S: f64 = 16.0 * 3_600.0;

/// An interval while its records are read.
pub(super) struct Draft {
    pub(super) system: String,
    pub(super) start: Clock,
    pub(super) end: Clock,
    pub(super) totals: IntervalTotals,
    /// Local time less GMT, seconds.
    pub(super) local_s: f64,
    /// Names of the rows that are in it, so that nothing is counted twice.
    seen: BTreeSet<(u8, Vec<u8>)>,
    /// Rows that were in it already.
    pub(super) repeated: u64,
    /// Devices that are in it, a bit each.
    devices: Vec<u64>,
    /// The sections of disks.
    pub(super) disks: Vec<Disk>,
    /// Devices whose data are invalid, since they were varied.
    pub(super) varied: u64,
    /// Channel paths that are online to a logical control unit, in ascending order.
    pub(super) paths: BTreeMap<u16, Vec<u8>>,
    /// Processors that are no general ones.
    pub(super) other_processors: u64,
    /// Where the record at hand is: its first byte, and its number.
    pub(super) place: (u64, u64),
    /// Rows with impossible numbers.
    pub(super) omitted: Omitted,
}

/// The head of a disk's section, which older records have too, and what is used of the rest.
pub(super) struct Disk {
    pub(super) section: [u8; SMF74QUE.since()],
    /// Whether it has one exposure alone.
    pub(super) single: bool,
    /// Whether aliases of its subsystem work for it.
    pub(super) is_hyperpav: bool,
    /// Its subchannel set: devices of several sets have the same numbers.
    pub(super) set: u8,
    /// HyperPAV aliases that are configured for its subsystem; 0 where the record does not tell.
    pub(super) aliases: u8,
    /// Exposures, busy delay and command response in ms over all starts, IOS queue time in us.
    pub(super) exposures: Figure,
    pub(super) held_ms: Figure,
    pub(super) command_ms: Figure,
    pub(super) ios_us: Figure,
    /// Samples in which it was reserved.
    pub(super) reserved: Figure,
    /// Whether its connect and its disconnect time are valid.
    pub(super) timed: [bool; 2],
}

impl Draft {
    /// An interval of RMF.
    pub(super) fn of(record: &Rmf, start: Clock, us: i64) -> Self {
        let product = record.product();
        let mut draft = Draft::new(record.header.system(), start, us);
        draft.totals.samples = product::SMFSAM.number(product).unwrap_or(0);
        let local_s = product::SMFLGO.number(product).unwrap_or(0) as i64 as f64 / 4_096_000_000.0;
        draft.local_s = if local_s.abs() <= FURTHEST_S { local_s } else { 0.0 };
        draft
    }

    pub(super) fn new(system: String, start: Clock, us: i64) -> Self {
        let mut totals = IntervalTotals::new(system.clone(), Span::from_us(us as u64));
        totals.started = Some(start.to_string());
        Draft {
            system,
            start,
            end: Clock::from_unix_us(start.unix_us() + us),
            totals,
            local_s: 0.0,
            seen: BTreeSet::new(),
            repeated: 0,
            devices: Vec::new(),
            disks: Vec::new(),
            varied: 0,
            paths: BTreeMap::new(),
            other_processors: 0,
            place: (0, 0),
            omitted: Omitted::default(),
        }
    }

    /// Omits a row of the record at hand.
    pub(super) fn omit(&mut self, broken: Broken) {
        self.omitted.add(broken, self.place);
    }

    pub(super) fn seconds(&self) -> f64 {
        self.totals.length.seconds()
    }

    /// A count over the interval, a second.
    pub(super) fn per_second(&self, count: Figure) -> Figure {
        count.over(Figure::exact(self.seconds()))
    }

    /// Whether something is in the interval for the first time; repetitions are counted.
    pub(super) fn first(&mut self, kind: u8, name: &[u8]) -> bool {
        let first = self.seen.insert((kind, name.to_vec()));
        self.repeated += u64::from(!first);
        first
    }

    /// The same for a device by its subchannel set and number, without a search: there are thousands.
    pub(super) fn first_device(&mut self, set: u8, number: u16) -> bool {
        let place = usize::from(set) << 10 | usize::from(number) >> 6;
        if self.devices.len() <= place {
            self.devices.resize((usize::from(set) + 1) << 10, 0);
        }
        let (word, bit) = (&mut self.devices[place], 1u64 << (number & 63));
        let first = *word & bit == 0;
        *word |= bit;
        self.repeated += u64::from(!first);
        first
    }

    /// The number of samples; unknown where there are none.
    pub(super) fn samples(&self) -> Figure {
        match self.totals.samples {
            0 => Figure::UNKNOWN,
            samples => Figure::exact(samples as f64),
        }
    }
}

/// A field's number; unknown where the section is too short for it.
pub(super) fn number(field: Field, section: &[u8]) -> Figure {
    field.number(section).map_or(Figure::UNKNOWN, |number| Figure::exact(number as f64))
}

/// A field's span in milliseconds.
pub(super) fn ms(field: Field, section: &[u8]) -> Figure {
    number(field, section).times(Figure::exact(field.kind.unit_ms()))
}

/// A field's hexadecimal floating-point number.
pub(super) fn float(field: Field, section: &[u8]) -> Figure {
    field.bytes(section).and_then(from_hex_float).map_or(Figure::UNKNOWN, Figure::exact)
}

/// The cycle of samples, milliseconds.
pub(super) fn cycle_ms(product: &[u8]) -> Figure {
    let cycle = product::SMFCYC.bytes(product).and_then(from_packed).filter(|cycle| *cycle > 0);
    cycle.map_or(Figure::UNKNOWN, |cycle| Figure::exact(cycle as f64))
}
