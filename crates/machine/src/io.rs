//! An I/O as it is asked for: which volume, which way, how much.
//!
//! It leaves out who asks, and the exposure that carries it.

use crate::ids::Volume;
pub use crate::plan::Access;

/// An I/O to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// To which volume.
    pub volume: Volume,
    /// What it transfers, in bytes.
    pub bytes: u32,
    /// Which way.
    pub access: Access,
}

impl Io {
    /// A read of nothing, for tests and for places that no I/O has taken yet.
    pub const fn to(volume: Volume) -> Self {
        Io { volume, bytes: 0, access: Access::Read }
    }
}
