//! Somebody whom a timeline shows.

/// Somebody who does I/O: the so many-th of his group, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Who {
    pub group: u32,
    pub number: u64,
}
