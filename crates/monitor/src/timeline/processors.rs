//! The logical processors as a timeline knows them: whose they are, how they stand, and their places among the lanes.

use super::state::State;
use crate::counts::virtual_processor as virtuals;
use machine::ids::{Logical, Partition, SpinLock, Virtual};
use machine::plan::Plan;
use machine::signal::Standing;
use std::ops::Range;

/// All logical processors, those of the first partition first.
#[derive(Clone, Debug)]
pub(super) struct Processors {
    /// The first of them among the places; exposures come before them.
    first: usize,
    standing: Vec<Standing>,
    own: Vec<Range<usize>>,
    /// The first of the spin locks among the places.
    spin_locks: usize,
}

/// Why nobody handles an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unhandled {
    /// No processor of the partition is carried.
    NotDispatched(Partition),
    /// Those that are carried handle other interrupts, or some of them do and the others may not be interrupted.
    HandlerBusy,
    /// Those that are carried have work and are not enabled.
    NotEnabled(Partition),
    /// The processor that had begun with it is not carried.
    Dropped(Logical),
}

impl Processors {
    /// The processors of a plan with this many exposures, all undispatched.
    pub(super) fn new(plan: &Plan, exposures: usize) -> Self {
        let mut count = 0;
        let own = plan.partitions.iter().map(|partition| {
            let first = count;
            count += partition.logical as usize;
            first..count
        });
        let own = own.collect();
        let locks = plan.partitions.iter().filter(|partition| partition.control_program.is_some()).count();
        let spin_locks = exposures + count + virtuals::count(plan) as usize + locks;
        Processors { first: exposures, standing: vec![Standing::Off; count], own, spin_locks }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.standing.len()
    }

    /// The place of a processor.
    pub(super) fn place(&self, logical: Logical) -> usize {
        self.first + logical.index()
    }

    /// Whose a processor is.
    pub(super) fn owner(&self, logical: Logical) -> Partition {
        let owner = self.own.iter().position(|own| own.contains(&logical.index()));
        Partition(owner.expect("every processor is of a partition") as u32)
    }

    /// Its number in its partition.
    pub(super) fn number(&self, logical: Logical) -> usize {
        logical.index() - self.own[self.owner(logical).index()].start
    }

    /// The last processor of a partition.
    pub(super) fn last(&self, partition: Partition) -> Logical {
        Logical(self.own[partition.index()].end as u32 - 1)
    }

    /// The place of a virtual processor; they come after all of these.
    pub(super) fn virtual_place(&self, number: Virtual) -> usize {
        self.first + self.standing.len() + number.index()
    }

    /// The place of a spin lock; they come after the virtual processors and the locks of control programs.
    pub(super) fn spin_lock_place(&self, lock: SpinLock) -> usize {
        self.spin_locks + lock.index()
    }

    /// The state of a processor.
    pub(super) fn standing(&self, logical: Logical) -> Standing {
        self.standing[logical.index()]
    }

    /// The state of a processor changes.
    pub(super) fn stands(&mut self, logical: Logical, standing: Standing) {
        self.standing[logical.index()] = standing;
    }

    /// Whether a processor of a partition is carried.
    pub(super) fn any_carried(&self, partition: Partition) -> bool {
        self.of(partition).iter().any(|standing| match standing {
            Standing::Waiting | Standing::Working | Standing::Interrupted => true,
            Standing::Off | Standing::Pending => false,
        })
    }

    /// The reason why no processor of a partition handles an interrupt that comes now.
    pub(super) fn why_unhandled(&self, partition: Partition) -> Unhandled {
        if !self.any_carried(partition) {
            Unhandled::NotDispatched(partition)
        } else if self.of(partition).contains(&Standing::Interrupted) {
            Unhandled::HandlerBusy
        } else {
            Unhandled::NotEnabled(partition)
        }
    }

    fn of(&self, partition: Partition) -> &[Standing] {
        &self.standing[self.own[partition.index()].clone()]
    }
}

/// The picture of a processor in a state.
pub(super) const fn shown(standing: Standing) -> State {
    match standing {
        Standing::Off => State::NotDispatched,
        Standing::Pending => State::WorkNotDispatched,
        Standing::Waiting => State::InWait,
        Standing::Working => State::Working,
        Standing::Interrupted => State::Handling,
    }
}
