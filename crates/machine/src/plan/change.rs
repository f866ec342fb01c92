//! What somebody changes while the machine runs.

use super::cec::Share;
use super::control_program::Srm;
use super::serialization::ExitChange;
use units::Span;

/// Something that somebody changes while the machine runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePlan {
    /// When, since the start of the first interval.
    pub at: Span,
    /// What.
    pub change: Change,
}

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// From now on so many of a pool's aliases are online, the first ones; one that is busy leaves when its I/O ends.
    PoolAliases {
        /// Index into [`super::Plan::alias_pools`].
        pool: usize,
        /// How many, at most as many as it was built with.
        online: u32,
    },
    /// From now on so many of a volume's bound aliases are online, the first ones.
    BoundAliases {
        /// Index into [`super::Plan::volumes`].
        volume: usize,
        /// How many, at most as many as it was built with.
        online: u32,
    },
    /// From now on so many paths to a control unit are online.
    Paths {
        /// Index into [`super::Plan::control_units`].
        control_unit: usize,
        /// How many, at most as many as it was built with; with none, no I/O gets past pending.
        online: u32,
    },
    /// Another system reserves a volume: I/Os in progress finish, those that start stay pending.
    Reserve {
        /// Index into [`super::Plan::volumes`].
        volume: usize,
    },
    /// The other system releases it.
    Release {
        /// Index into [`super::Plan::volumes`].
        volume: usize,
    },
    /// What a partition is promised, from the next slice or dispatch on.
    Share {
        /// Index into [`super::Plan::partitions`].
        partition: usize,
        /// What.
        share: Share,
    },
    /// A partition that was not there is there (A on the Configuration Attributes screen).
    Add {
        /// Index into [`super::Plan::partitions`].
        partition: usize,
    },
    /// A partition that was there is there no more (D): what it was doing stays as it is, but for what it enqueued on.
    Delete {
        /// Index into [`super::Plan::partitions`].
        partition: usize,
    },
    /// What SET SRM sets in the control program of a partition.
    Srm {
        /// Index into [`super::Plan::partitions`].
        partition: usize,
        /// What.
        srm: Srm,
    },
    /// An exit before ENQ and DEQ is added or deleted in all systems.
    Exit(ExitChange),
}
