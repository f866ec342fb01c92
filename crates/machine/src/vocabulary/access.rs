//! Which way an I/O transfers.

/// Which way an I/O transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// From the volume.
    #[default]
    Read,
    /// To the volume.
    Write,
}
