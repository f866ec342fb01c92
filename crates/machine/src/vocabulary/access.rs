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

impl Access {
    /// As an index: read, write.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Access::Read => 0,
            Access::Write => 1,
        }
    }
}
