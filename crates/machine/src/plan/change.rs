//! The changes of a scenario while the machine runs.

use super::cec::Share;
use super::control_program::Srm;
use super::serialization::ExitChange;
use units::Span;

/// A change while the machine runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePlan {
    /// When, since the start of the first interval.
    pub at: Span,
    /// The settings.
    pub change: Change,
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// From now on the first aliases of a pool are online, this many; one that is busy leaves when its I/O ends.
    PoolAliases {
        /// Index into [`super::Plan::alias_pools`].
        pool: usize,
        /// How many, at most as many as it was built with.
        online: u32,
    },
    /// From now on the first bound aliases of a volume are online, this many.
    BoundAliases {
        /// Index into [`super::Plan::volumes`].
        volume: usize,
        /// How many, at most as many as it was built with.
        online: u32,
    },
    /// From now on this many paths to a control unit are online.
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
    /// The share of a partition, from the next slice or dispatch on.
    Share {
        /// Index into [`super::Plan::partitions`].
        partition: usize,
        /// The settings.
        share: Share,
    },
    /// The slice of an equal share, from the next slice on (P on the System Scheduling screen).
    Slice {
        /// How long.
        slice: Span,
    },
    /// The first logical processors of a partition are online from now on, this many (CF CPU).
    Online {
        /// Index into [`super::Plan::partitions`]; it shares processors by weight and has no control program.
        partition: usize,
        /// How many, from one to all.
        online: u32,
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
    /// The settings of SET SRM in the control program of a partition.
    Srm {
        /// Index into [`super::Plan::partitions`].
        partition: usize,
        /// The settings.
        srm: Srm,
    },
    /// An exit before ENQ and DEQ is added or deleted in all systems.
    Exit(ExitChange),
}
