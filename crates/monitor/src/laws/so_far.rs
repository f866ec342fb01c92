//! The state of spin locks and of the service of ENQ and DEQ at an instant.

use crate::counts::spin_lock::{row_of, rows};
use machine::guest::Guests;
use machine::ids::{Partition, Requester};
use machine::plan::Plan;
use machine::serialization::{QueuesSoFar, Serialization, SoFar};
use units::Tod;

/// The locks of one name in one machine at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpinLocksSoFar {
    /// The spin times so far of those that spin, summed, and their number.
    pub(super) spun: u128,
    pub(super) spinning: u32,
    /// How long each has been held that is held, summed, and how many are.
    pub(super) held: u128,
    pub(super) holding: u32,
}

/// All spin locks of a plan at an instant.
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

/// A lock of threads at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadLockSoFar {
    /// The waits so far of the threads that wait, summed, and their number.
    pub(super) waited: u128,
    pub(super) waiting: u32,
    /// How long it has been held, if it is.
    pub(super) held: u128,
    pub(super) holding: bool,
}

/// All locks of threads at an instant.
pub fn thread_locks_so_far(guests: &Guests, now: Tod) -> Vec<ThreadLockSoFar> {
    let held = |since: Option<Tod>| since.map_or(0, |since| u128::from((now - since).units()));
    let holders = guests.thread_locks.iter().map(|lock| lock.holder.map(|(_, since)| since));
    let mut so_far: Vec<ThreadLockSoFar> = holders
        .map(|since| ThreadLockSoFar { held: held(since), holding: since.is_some(), ..ThreadLockSoFar::default() })
        .collect();
    if so_far.is_empty() {
        return so_far;
    }
    for (number, requester) in (0..).zip(&guests.requesters) {
        if let Some(lock) = guests.waits_for_lock(Requester(number)) {
            so_far[lock.index()].waited += u128::from((now - requester.since).units());
            so_far[lock.index()].waiting += 1;
        }
    }
    so_far
}

/// The service at an instant.
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
    /// The state now; empty where no guest enqueues.
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
