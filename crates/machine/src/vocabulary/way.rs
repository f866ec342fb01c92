//! Which way a message goes through a front end.

use super::access::Access;

/// Which way a message goes through a front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From a terminal into the partition.
    In,
    /// From the partition to a terminal.
    Out,
}

impl Way {
    /// As an index: in, out.
    pub const fn index(self) -> usize {
        match self {
            Way::In => 0,
            Way::Out => 1,
        }
    }

    /// The other way.
    pub(crate) const fn other(self) -> Way {
        match self {
            Way::In => Way::Out,
            Way::Out => Way::In,
        }
    }

    pub(crate) const fn access(self) -> Access {
        match self {
            Way::In => Access::Read,
            Way::Out => Access::Write,
        }
    }
}
