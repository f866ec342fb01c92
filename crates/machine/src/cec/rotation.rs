//! Whose turn it is on shared processors, and for how long: slices in proportion to targets, capped by maxima.
//!
//! It leaves out processors: each goes through the rotation by itself.

use crate::ids::Partition;
use crate::plan::{CecPlan, PartitionPlan, Processors};
use units::Span;

/// The turns of one frame, in order, for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    turns: Vec<Turn>,
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose it is; nobody's where maxima leave some of the frame.
    pub partition: Option<Partition>,
    /// How long.
    pub slice: Span,
}

impl Rotation {
    /// The rotation of the domains that share processors.
    ///
    /// A frame is as long as a slice for each of them.  It is divided by targets (the screens' NORM: a target over the sum
    /// of targets); what a maximum cuts off is nobody's (ASSUME: the source has equal targets only, whose slices are as
    /// the scheduling parameter says).
    pub fn new(cec: &CecPlan, partitions: &[PartitionPlan]) -> Self {
        let sharing = partitions.iter().enumerate().filter_map(|(number, partition)| match partition.processors {
            Processors::Shared { target, maximum } => Some((number, target.fraction(), maximum.fraction())),
            Processors::Dedicated => None,
        });
        let sharing: Vec<(usize, f64, f64)> = sharing.collect();
        let sum: f64 = sharing.iter().map(|(_, target, _)| target).sum();
        let frame = cec.slice.units() * sharing.len() as u64;
        let mut rotation = Rotation::default();
        let mut left = frame;
        for (number, target, maximum) in sharing {
            let share = (target / sum).min(maximum);
            let slice = ((frame as f64 * share + 0.5) as u64).min(left);
            left -= slice;
            let partition = Some(Partition(number as u32));
            rotation.turns.push(Turn { partition, slice: Span::from_units(slice) });
        }
        // Less than a unit for each is rounding and nobody's share.
        if left > rotation.turns.len() as u64 {
            rotation.turns.push(Turn { partition: None, slice: Span::from_units(left) });
        }
        rotation
    }

    /// The turn of a number; numbers past the last begin again.  None where nobody shares.
    pub fn turn(&self, number: usize) -> Option<Turn> {
        (!self.turns.is_empty()).then(|| self.turns[number % self.turns.len()])
    }

    /// The number of the next turn.
    pub fn after(&self, number: usize) -> usize {
        (number + 1) % self.turns.len()
    }

    /// Whether domains are switched at all: one that is alone keeps its processors.
    pub fn switches(&self) -> bool {
        self.turns.len() > 1
    }
}
