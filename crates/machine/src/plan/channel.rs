//! Channels, control units, alias pools and volumes as they are to be built.

pub use crate::vocabulary::redispatch::Redispatch;
pub use crate::vocabulary::selection::{Discipline, Holds, Selection};
use kernel::distribution::Distribution;
use units::Span;

/// A channel path: what it carries of an I/O, and how it serves several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelPlan {
    /// Its name in the scenario.
    pub name: String,
    /// Serial time per I/O.
    pub per_io: Distribution,
    /// Serial time per KiB of an I/O.
    pub per_kib: Span,
    /// Whether reads and writes each have the channel to themselves.
    pub full_duplex: bool,
    /// The part of an I/O that holds it.
    pub holds: Holds,
    /// How it serves I/Os; shared only where it is full duplex and held for the transfer.
    pub discipline: Discipline,
}

/// A control unit and the path group that leads to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlUnitPlan {
    /// Its name in the scenario.
    pub name: String,
    /// Channel paths, as reports print them.
    pub paths: u32,
    /// How much connected I/Os slow each other: with n connected each progresses at 1 / (1 + sharing (n - 1)).
    /// 0 is no contention, 1 is one path shared evenly by all (M/G/1 processor sharing).
    pub sharing: f64,
    /// The channels of the path group (indices into [`super::Plan::channels`]); without any, nothing on a path is serial.
    pub channels: Vec<usize>,
    /// How the path group chooses among them.
    pub selection: Selection,
}

impl ControlUnitPlan {
    /// A control unit whose paths slow connected I/Os, without serial channels.
    pub fn shared(name: impl Into<String>, paths: u32, sharing: f64) -> Self {
        ControlUnitPlan { name: name.into(), paths, sharing, channels: Vec::new(), selection: Selection::default() }
    }
}

/// A device number, as in "522A".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber(pub u16);

/// Aliases that any volume of the pool may borrow for one I/O.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AliasPoolPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The device numbers of its aliases; may be none.
    pub aliases: Vec<DeviceNumber>,
    /// The next work of a freed alias.
    pub redispatch: Redispatch,
}

/// How a volume comes by more than one exposure.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Aliasing {
    /// It has its base only.
    #[default]
    None,
    /// Classic PAV: these aliases belong to this base.
    Pav {
        /// The device numbers of the bound aliases.
        aliases: Vec<DeviceNumber>,
        /// The next work of a freed alias; `PoolFifo` is `SameVolume` here.
        redispatch: Redispatch,
    },
    /// HyperPAV: any alias of this pool (index into [`super::Plan::alias_pools`]), for one I/O.
    HyperPav {
        /// Which pool.
        pool: usize,
    },
}

/// A disk volume with its base exposure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumePlan {
    /// Its name in the scenario, printed as its label.
    pub name: String,
    /// The base device number.
    pub device: DeviceNumber,
    /// Device type as printed, "3390-3".
    pub device_type: String,
    /// Index into [`super::Plan::control_units`]; without one, connected I/Os do not slow each other.
    pub control_unit: Option<usize>,
    /// How it comes by aliases.
    pub aliasing: Aliasing,
    /// The parts of an I/O's service.
    pub service: ServicePlan,
    /// Path length of the control program between an I/O's end and the next start on the same exposure.
    pub gap: Span,
    /// How many I/Os a second may start; without one, all that have an exposure.
    pub limit: Option<IoLimitPlan>,
    /// Whose it is (index into [`super::Plan::partitions`]): its I/Os end with an interrupt that this partition has to handle.
    pub partition: Option<usize>,
}

/// A limit on the I/Os a second that start, kept in slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IoLimitPlan {
    /// Thousandths of an I/O a second.
    pub per_1000_s: u64,
    /// Whose tokens come at once.
    pub slice: Span,
    /// The step of the clock that slices are counted in; zero for one without steps.
    pub tick: Span,
}

/// Service of one I/O: pend + disconnect + connect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServicePlan {
    /// From the start until the device accepts the first command.
    pub pend: Distribution,
    /// Working without the path.
    pub disconnect: Distribution,
    /// Transferring over the path, alone on it.
    pub connect: Distribution,
    /// Linear form: each I/O in service at the volume when this one starts, this one included, adds this much to the
    /// mean of `connect`.  Drawn connect times are scaled.  Zero where the path group does the slowing.
    pub connect_per_concurrent: Span,
    /// The addition per KiB of an I/O to its connect time alone.
    pub connect_per_kib: Span,
}
