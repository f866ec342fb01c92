//! A guest as a timeline shows it.

/// A guest that does I/O: its number in its group, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Who {
    pub group: u32,
    pub number: u64,
}
