//! The state of the service at an instant, for observers that compare it with their counts.

use super::Serialization;
use super::task::{At, Standing};
use crate::ids::Partition;
use ::serialization::{Requester as By, ResourceName};
use units::Tod;

/// Requests under way in one system, in TOD-clock units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoFar {
    /// Requests that are under way, and since when each, summed.
    pub requests: (u32, u128),
    /// The remaining cost of their paths.
    pub left: u128,
    /// Waits for the lock so far.
    pub lock_waits: u128,
    /// How long the lock has been held.
    pub lock_held: u128,
    /// Waits for other systems so far.
    pub delays: u128,
}

/// Requests under way with the queues of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueuesSoFar {
    /// Waiters, and their waits so far, summed.
    pub waiting: (u32, u128),
    /// Owners, and their holding times so far, summed.
    pub owning: (u32, u128),
}

impl Serialization {
    /// Requests under way in a system.
    pub fn so_far(&self, system: Partition, now: Tod) -> SoFar {
        let mut so_far = SoFar::default();
        let since = |then: Tod| u128::from((now - then).units());
        let tasks = self.tasks.iter().flatten().filter(|task| task.system() == system);
        for own in tasks.filter_map(|task| task.under_way).map(|number| &self.under_way[number as usize]) {
            so_far.requests.0 += 1;
            so_far.requests.1 += since(own.began);
            so_far.left += u128::from(own.way.left(own.next).units());
            if let At::ForOthers(sent) = own.at {
                so_far.delays += since(sent);
            }
        }
        let lock = &self.locks[system.index()];
        so_far.lock_waits = lock.waiting().map(|(_, asked)| since(asked)).sum();
        so_far.lock_held = lock.holder().map_or(0, |(_, taken)| since(taken));
        so_far
    }

    /// Requests under way with the queues of each name, as the tasks know it.
    pub fn queues_so_far(&self, now: Tod) -> Vec<QueuesSoFar> {
        let mut so_far = vec![QueuesSoFar::default(); self.book.len()];
        for kept in self.tasks.iter().flatten().flat_map(|task| task.places).flatten() {
            let own = &mut so_far[kept.meant.enqueue.index()];
            let (place, since) = match kept.standing {
                Standing::Apart => continue,
                Standing::Waits(since) => (&mut own.waiting, since),
                Standing::Owns(since) => (&mut own.owning, since),
            };
            place.0 += 1;
            place.1 += u128::from((now - since).units());
        }
        so_far
    }

    /// Since when a task has a resource of this name, or waits for it.
    pub fn since(&self, by: By, name: &ResourceName) -> Option<Tod> {
        let task = self.tasks.get(by.task as usize)?.as_ref()?;
        let kept = task.places.iter().flatten().find(|kept| self.book.name(kept.meant) == name)?;
        match kept.standing {
            Standing::Apart => None,
            Standing::Waits(since) | Standing::Owns(since) => Some(since),
        }
    }

    /// The number in the plan of the resource that has this name.
    pub fn enqueue_of(&self, name: &ResourceName) -> Option<usize> {
        self.book.find(name).map(|one| one.enqueue.index())
    }

    /// The service that all systems share, to be asked what it has queued.
    pub fn service(&self) -> &::serialization::service::Service {
        &self.service
    }
}
