//! Whose turn it is on shared processors, and for how long: slices in proportion to targets, capped by maxima.

use crate::ids::Partition;
use crate::plan::{PartitionPlan, Processors};
use units::{Percent, Span};

/// The turns of one frame, in order, for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    turns: Vec<Turn>,
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its domain; none where maxima leave some of the frame.
    pub partition: Option<Partition>,
    /// How long.
    pub slice: Span,
}

/// A domain that shares processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharing {
    /// Which.
    pub partition: Partition,
    /// The share that is aimed at.
    pub target: Percent,
    /// The most it gets.
    pub maximum: Percent,
}

impl Rotation {
    /// The rotation of the domains that share processors, in their order; a slice is that of an equal share.
    ///
    /// A frame is as long as a slice for each of them.  It is divided by targets (the screens' NORM: a target over the
    /// sum of targets); the part above a maximum is idle (ASSUME: the source has equal targets only, whose slices are
    /// as the scheduling parameter says).
    pub fn new(slice: Span, sharing: impl Iterator<Item = Sharing>) -> Self {
        let sharing: Vec<Sharing> = sharing.collect();
        let sum: f64 = sharing.iter().map(|domain| domain.target.fraction()).sum();
        let frame = slice.units() * sharing.len() as u64;
        let mut rotation = Rotation::default();
        let mut left = frame;
        for Sharing { partition, target, maximum } in sharing {
            let share = (target.fraction() / sum).min(maximum.fraction());
            let slice = ((frame as f64 * share + 0.5) as u64).min(left);
            left -= slice;
            rotation.turns.push(Turn { partition: Some(partition), slice: Span::from_units(slice) });
        }
        // Less than a unit for each is rounding and no domain's share.
        if left > rotation.turns.len() as u64 {
            rotation.turns.push(Turn { partition: None, slice: Span::from_units(left) });
        }
        rotation
    }

    /// The rotation of those partitions of a plan that are there from the start.
    pub fn planned(slice: Span, partitions: &[PartitionPlan]) -> Self {
        let sharing = partitions.iter().enumerate().filter_map(|(number, partition)| match partition.processors {
            Processors::Shared { target, maximum } if partition.active => {
                Some(Sharing { partition: Partition(number as u32), target, maximum })
            }
            Processors::Shared { .. } | Processors::Weighted(_) | Processors::Cgroup(_) | Processors::Dedicated => None,
        });
        Rotation::new(slice, sharing)
    }

    /// The turn of a number; numbers past the last begin again.  None without shares.
    pub fn turn(&self, number: usize) -> Option<Turn> {
        (!self.turns.is_empty()).then(|| self.turns[number % self.turns.len()])
    }

    /// The number of the next turn.
    pub fn after(&self, number: usize) -> usize {
        (number + 1) % self.turns.len().max(1)
    }

    /// The number of the turn after that of a domain which may not be among these; after an idle one a frame begins.
    pub fn following(&self, partition: Option<Partition>) -> usize {
        let later = |turn: &Turn| turn.partition.is_none() || turn.partition > partition;
        partition.and_then(|_| self.turns.iter().position(later)).unwrap_or(0)
    }

    /// How long all the turns take together.
    pub fn frame(&self) -> Span {
        self.turns.iter().map(|turn| turn.slice).sum()
    }

    /// Whether domains are switched at all: one that is alone keeps its processors.
    pub fn switches(&self) -> bool {
        self.turns.len() > 1
    }
}
