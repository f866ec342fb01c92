//! What is under way at an instant with spin locks, and in the service of ENQ and DEQ.

use crate::counts::spin_lock::{row_of, rows};
use machine::guest::Guests;
use machine::ids::{Partition, Requester};
use machine::plan::Plan;
use machine::serialization::{QueuesSoFar, Serialization, SoFar};
use units::Tod;

/// What is under way at an instant with the locks of one name in one machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpinLocksSoFar {
    /// How long those who spin for one have done so, summed, and how many do.
    pub(super) spun: u128,
    pub(super) spinning: u32,
    /// How long each has been held that is held, summed, and how many are.
    pub(super) held: u128,
    pub(super) holding: u32,
}

/// What is under way with all spin locks of a plan.
pub fn spin_locks_so_far(guests: &Guests, plan: &Plan, now: Tod) -> Vec<SpinLocksSoFar> {
    let mut so_far = vec![SpinLocksSoFar::default(); rows(plan).count()];
    if so_far.is_empty() {
        return so_far;
    }
    let row_of = row_of(plan);
    for (number, requester) in (0..).zip(&guests.requesters) {
        if let Some(lock) = guests.spins_for(Requester(number)) {
            let row = &mut so_far[row_of[lock.index()] as usize];
            row.spun += u128::from((now - requester.since).units());
            row.spinning += 1;
        }
    }
    for (lock, since) in guests.held_spin_locks() {
        let row = &mut so_far[row_of[lock.index()] as usize];
        row.held += u128::from((now - since).units());
        row.holding += 1;
    }
    so_far
}

/// What is under way in the service at an instant.
#[derive(Clone, Debug, Default)]
pub struct ServiceUnderWay {
    /// Per partition.
    pub(super) systems: Vec<SoFar>,
    /// Per resource.
    pub(super) queues: Vec<QueuesSoFar>,
    /// Owners and waiters of all resources, as the service counts them.
    pub(super) queued: [u64; 2],
}

impl ServiceUnderWay {
    /// What is under way now; nothing where nobody enqueues.
    pub fn at(service: &Serialization, plan: &Plan, now: Tod) -> Self {
        if plan.enqueues.is_empty() {
            return ServiceUnderWay::default();
        }
        let systems = (0..plan.partitions.len()).map(|number| service.so_far(Partition(number as u32), now)).collect();
        let all = service.service().query(&Default::default());
        let owners = all.iter().map(|queue| u64::from(queue.owners)).sum();
        let waiters = all.iter().map(|queue| u64::from(queue.waiters())).sum();
        ServiceUnderWay { systems, queues: service.queues_so_far(now), queued: [owners, waiters] }
    }
}
