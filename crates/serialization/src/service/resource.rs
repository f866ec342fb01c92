//! A resource with its queue of requests: owners in front, waiters behind them.

use super::index::{Index, NOTHING, spread};
use super::reach::Reach;
use super::slots::Slots;
use crate::name::ResourceName;
use crate::request::{Access, Requester, Reserve};
use crate::service::Authority;

/// Whether a request has what it asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The place is free: no request.
    #[default]
    Gone,
    /// It has the resource.
    Owns,
    /// It waits for it.
    Waits,
}

/// A request in a queue: a QEL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    pub(super) by: Requester,
    pub(super) task: u32,
    pub(super) resource: u32,
    pub(super) access: Access,
    pub(super) standing: Standing,
    pub(super) authority: Authority,
    pub(super) reserve: Option<Reserve>,
    /// Neighbours in the queue of the resource.
    pub(super) ahead: u32,
    pub(super) behind: u32,
    /// Neighbours in the list of the task's requests.
    pub(super) earlier: u32,
    pub(super) later: u32,
}

impl Default for Queued {
    fn default() -> Self {
        Queued {
            by: Requester { system: 0, space: 0, task: 0 },
            task: NOTHING,
            resource: NOTHING,
            access: Access::Shared,
            standing: Standing::Gone,
            authority: Authority::Unauthorized,
            reserve: None,
            ahead: NOTHING,
            behind: NOTHING,
            earlier: NOTHING,
            later: NOTHING,
        }
    }
}

/// A resource: a QCB. Its name's storage is used again by whatever comes into its place.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    pub(super) name: Vec<u8>,
    pub(super) reach: Reach,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) first_waiter: u32,
    pub(super) owners: u32,
    pub(super) waiters: u32,
}

impl Default for Resource {
    fn default() -> Self {
        Resource {
            name: Vec::new(),
            reach: Reach::Systems,
            first: NOTHING,
            last: NOTHING,
            first_waiter: NOTHING,
            owners: 0,
            waiters: 0,
        }
    }
}

/// All resources that are asked for, and all requests.
#[derive(Clone, Debug)]
pub(super) struct Resources {
    index: Index,
    pub(super) all: Slots<Resource>,
    pub(super) requests: Slots<Queued>,
}

impl Resources {
    pub(super) fn new() -> Self {
        Resources { index: Index::new(), all: Slots::new(), requests: Slots::new() }
    }

    /// The resource of a name and reach, if any task asks for it.
    #[inline]
    pub(super) fn find(&self, name: &ResourceName, reach: Reach) -> Option<u32> {
        self.index.find(hash(name, reach), |slot| {
            let resource = &self.all[slot];
            resource.reach == reach && *resource.name == *name.bytes()
        })
    }

    /// Adds a resource that no task has asked for so far.
    pub(super) fn found(&mut self, name: &ResourceName, reach: Reach) -> u32 {
        let slot = self.all.take();
        self.index.insert(hash(name, reach), slot);
        let resource = &mut self.all[slot];
        resource.name.clear();
        resource.name.extend_from_slice(name.bytes());
        resource.reach = reach;
        slot
    }

    /// Whether a newcomer may have it at once: its queue is empty, or all there share it and so does the newcomer.
    ///
    /// Source: MVS Programming: Assembler Services Guide, ENQ: shared requests are granted together, but not past an
    /// exclusive one that waits; requests are served in the order of their queue.
    #[inline]
    pub(super) fn admits(&self, resource: u32, access: Access) -> bool {
        let Resource { first, waiters, .. } = self.all[resource];
        first == NOTHING || waiters == 0 && access == Access::Shared && self.requests[first].access == Access::Shared
    }

    /// Queues a request at the end; an owner only when there is no waiter.
    pub(super) fn join(&mut self, queued: Queued) -> u32 {
        let slot = self.requests.take();
        let resource = &mut self.all[queued.resource];
        let last = std::mem::replace(&mut resource.last, slot);
        match queued.standing {
            Standing::Owns => resource.owners += 1,
            Standing::Waits => {
                resource.waiters += 1;
                if resource.first_waiter == NOTHING {
                    resource.first_waiter = slot;
                }
            }
            Standing::Gone => unreachable!("a queued request has a state"),
        }
        if last == NOTHING {
            resource.first = slot;
        } else {
            self.requests[last].behind = slot;
        }
        self.requests[slot] = Queued { ahead: last, behind: NOTHING, ..queued };
        slot
    }

    /// Takes a request out of its queue; what it was is still to be read until another one is queued.
    pub(super) fn leave(&mut self, slot: u32) {
        let Queued { resource, standing, ahead, behind, .. } = self.requests[slot];
        let place = &mut self.all[resource];
        match standing {
            Standing::Owns => place.owners -= 1,
            Standing::Waits => place.waiters -= 1,
            Standing::Gone => unreachable!("a request leaves once"),
        }
        if place.first_waiter == slot {
            place.first_waiter = behind;
        }
        match ahead {
            NOTHING => place.first = behind,
            before => self.requests[before].behind = behind,
        }
        match behind {
            NOTHING => self.all[resource].last = ahead,
            after => self.requests[after].ahead = ahead,
        }
        self.requests[slot].standing = Standing::Gone;
        self.requests.give(slot);
    }

    /// Grants the resource to the waiter in front if possible, and returns that one.
    pub(super) fn advance(&mut self, resource: u32) -> Option<u32> {
        let place = &self.all[resource];
        let next = place.first_waiter;
        if next == NOTHING {
            return None;
        }
        let sharing =
            self.requests[place.first].access == Access::Shared && self.requests[next].access == Access::Shared;
        if place.owners > 0 && !sharing {
            return None;
        }
        self.requests[next].standing = Standing::Owns;
        let behind = self.requests[next].behind;
        let place = &mut self.all[resource];
        place.first_waiter = behind;
        place.owners += 1;
        place.waiters -= 1;
        Some(next)
    }

    /// Forgets a resource that no task asks for any more; returns whether that was so.
    pub(super) fn forget_if_idle(&mut self, resource: u32) -> bool {
        let idle = self.all[resource].first == NOTHING;
        if idle {
            self.index.remove(resource);
            self.all.give(resource);
        }
        idle
    }

    /// The requests for a resource in the order of its queue, the owners first.
    pub(super) fn queue(&self, resource: u32) -> impl Iterator<Item = (u32, &Queued)> {
        let mut slot = self.all[resource].first;
        std::iter::from_fn(move || {
            let queued = (slot != NOTHING).then(|| (slot, &self.requests[slot]))?;
            slot = queued.1.behind;
            Some(queued)
        })
    }

    /// All resources that are asked for, in no order that means anything.
    pub(super) fn live(&self) -> impl Iterator<Item = (u32, &Resource)> {
        self.all.all().filter(|(_, resource)| resource.first != NOTHING)
    }
}

#[inline]
fn hash(name: &ResourceName, reach: Reach) -> u64 {
    name.hash() ^ spread(reach.number())
}
