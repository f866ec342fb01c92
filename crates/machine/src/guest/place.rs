//! Where the users of a program run: in a partition with a priority, or in virtual machines by turns.

use crate::ids::{Machine, Partition};
use crate::plan::{Plan, RunsInPlan, SampleTaken, ThreadPlan};

/// The place in which a guest runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsIn {
    /// In a partition, at a place among the priorities in use there: 0 goes first.
    Partition {
        /// Which partition.
        partition: Partition,
        /// How urgent.
        rank: usize,
    },
    /// In a virtual machine.
    Machine(Machine),
    /// As a thread of a group.
    Thread(ThreadPlan),
}

impl RunsIn {
    /// In this partition, with this priority.
    pub(super) fn partition(plan: &Plan, (partition, priority): (usize, u8)) -> RunsIn {
        let used = priorities(plan, partition);
        let rank = used.iter().position(|used| *used == priority).expect("a guest that runs there uses it");
        RunsIn::Partition { partition: Partition(partition as u32), rank }
    }
}

/// Where a group runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// All of them there.
    One(RunsIn),
    /// Each in the next of this many machines, of which this is the first.
    ByTurns { first: u32, count: u32, turn: u32 },
}

impl Place {
    pub(super) fn new(plan: &Plan, own: RunsInPlan) -> Place {
        match own {
            RunsInPlan::Partition { partition, priority } => Place::One(RunsIn::partition(plan, (partition, priority))),
            RunsInPlan::Cgroup(thread) => Place::One(RunsIn::Thread(thread)),
            RunsInPlan::VirtualMachine { machines } => {
                let first = plan.virtual_machines[..machines].iter().map(|kind| kind.count).sum();
                Place::ByTurns { first, count: plan.virtual_machines[machines].count, turn: 0 }
            }
        }
    }

    /// The machine of the next guest; counts where they run in machines.
    pub(super) fn next(&mut self) -> Machine {
        match self {
            Place::One(_) => Machine(0),
            Place::ByTurns { first, count, turn } => {
                let machine = Machine(*first + *turn);
                *turn = (*turn + 1) % *count;
                machine
            }
        }
    }

    /// How many machines they run in.
    pub(super) fn machines(&self) -> u32 {
        match self {
            Place::One(_) => 1,
            Place::ByTurns { count, .. } => *count,
        }
    }

    /// The machine of a number, by turns.
    pub(super) fn machine(&self, number: u32) -> Machine {
        match self {
            Place::One(_) => Machine(0),
            Place::ByTurns { first, count, .. } => Machine(first + number % count),
        }
    }

    /// The place of a guest of the group that was given this machine.
    pub(super) fn of(self, machine: Machine) -> RunsIn {
        match self {
            Place::One(place) => place,
            Place::ByTurns { .. } => RunsIn::Machine(machine),
        }
    }
}

/// How many priorities each partition has in use.
pub fn ranks(plan: &Plan) -> Vec<usize> {
    (0..plan.partitions.len()).map(|partition| priorities(plan, partition).len()).collect()
}

/// The priorities in use in a partition, the highest first.
fn priorities(plan: &Plan, partition: usize) -> Vec<u8> {
    let own = plan.guests.iter().filter_map(|guest| match guest.runs_in {
        Some(RunsInPlan::Partition { partition: own, priority }) if own == partition => Some(priority),
        Some(RunsInPlan::Partition { .. } | RunsInPlan::VirtualMachine { .. } | RunsInPlan::Cgroup(_)) | None => None,
    });
    let mut used: Vec<u8> = own.collect();
    if let Some(SampleTaken::ByTask { priority, .. }) = plan.partitions[partition].sampler.map(|own| own.taken) {
        used.push(priority);
    }
    used.sort_unstable();
    used.dedup();
    used.reverse();
    used
}
