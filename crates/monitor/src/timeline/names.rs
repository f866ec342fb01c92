//! What a timeline knows of ENQ and DEQ: the locks of systems, and the queues of names.

use super::lane::{Lane, LaneKind};
use super::who::Who;
use super::why::{LOCK, named};
use machine::ids::{Enqueue, Requester};
use machine::plan::{Plan, Scope, Step};
use machine::serialization::member_of;
use std::collections::BTreeMap;

/// What is seen of ENQ and DEQ: the locks of systems whose guests enqueue, and the queues that somebody has stood in.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The systems, and how many are suspended for the lock of each.
    pub systems: Vec<(usize, u32)>,
    /// The place of the first lock; queues come behind the locks.
    pub locks: usize,
    pub queues: Vec<Queue>,
    /// Where each queue is among them, by its resource and its number.
    pub known: BTreeMap<(u32, u32), usize>,
}

/// A queue of a resource.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub enqueue: Enqueue,
    pub number: u32,
    /// Who stood in it first.
    pub first: Who,
    pub owners: Vec<Requester>,
    /// Whether one has it for himself.
    pub is_exclusive: bool,
    pub waiting: u32,
}

impl Names {
    /// Nobody has asked for anything; the first of the places is this one.
    pub(super) fn new(plan: &Plan, first: usize) -> Self {
        let systems = systems(plan).map(|system| (system, 0)).collect();
        Names { systems, locks: first, queues: Vec::new(), known: BTreeMap::new() }
    }

    /// How many places there are before anybody has asked for anything.
    pub(super) fn places(&self) -> usize {
        self.systems.len()
    }

    /// Adds the lane of the lock of a system, if it has one.
    pub(super) fn add_lock(&self, plan: &Plan, system: usize, lanes: &mut Vec<Lane>) -> Option<usize> {
        self.systems.iter().find(|(own, _)| *own == system)?;
        let of = plan.partitions[system].name.clone();
        lanes.push(Lane { name: format!("{of} {LOCK}"), kind: LaneKind::Lock, of });
        Some(lanes.len() - 1)
    }

    /// Adds the lanes of all queues, by resource; says which is that of each.
    pub(super) fn add_queues(&self, plan: &Plan, lanes: &mut Vec<Lane>) -> Vec<usize> {
        let mut lane_of = vec![0; self.queues.len()];
        for number in self.known.values() {
            let own = &self.queues[*number];
            lane_of[*number] = lanes.len();
            let of = plan.enqueues[own.enqueue.index()].name.clone();
            lanes.push(Lane { name: self.name(plan, own), kind: LaneKind::Enqueue, of });
        }
        lane_of
    }

    /// The name, with whose it is where it has several queues.
    fn name(&self, plan: &Plan, own: &Queue) -> String {
        let enqueue = &plan.enqueues[own.enqueue.index()];
        let name = named(plan, own.enqueue, member_of(plan, own.number));
        let same = |other: &&Queue| {
            other.enqueue == own.enqueue && member_of(plan, other.number) == member_of(plan, own.number)
        };
        if self.queues.iter().filter(same).count() == 1 {
            return name;
        }
        let guest = &plan.guests[own.first.group as usize];
        match (enqueue.scope, guest.runs_in.and_then(|own| own.partition())) {
            (Scope::Step, _) | (_, None) => format!("{name} of {}", guest.name),
            (Scope::System | Scope::Systems, Some(system)) => format!("{name} in {}", plan.partitions[system].name),
        }
    }

    pub(super) fn place(&self, number: usize) -> usize {
        self.locks + self.systems.len() + number
    }
}

/// The systems whose guests enqueue.
fn systems(plan: &Plan) -> impl Iterator<Item = usize> {
    let enqueues = |system: usize| {
        let own = plan.guests.iter().filter(|guest| guest.runs_in.and_then(|own| own.partition()) == Some(system));
        own.flat_map(|guest| &guest.program).any(Step::enqueues)
    };
    (0..plan.partitions.len()).filter(move |system| enqueues(*system))
}
