//! The tasks that have asked for something, the list of their requests, and how many requests an address space has.

use super::environment::Authority;
use super::index::{Index, NOTHING, spread};
use super::resource::Queued;
use super::slots::Slots;
use crate::request::Requester;

/// How many requests an address space may have at once, the unauthorized and the authorized counted apart.
///
/// Source: MVS Planning: Global Resource Serialization, Limiting global resource serialization requests, and ENQMAXU and
/// ENQMAXA in GRSCNFxx: 16,384 and 250,000 unless raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For unauthorized requests.
    pub unauthorized: u32,
    /// For authorized ones.
    pub authorized: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { unauthorized: 16_384, authorized: 250_000 }
    }
}

impl Limits {
    #[inline]
    pub(super) const fn most(self, authority: Authority) -> u32 {
        match authority {
            Authority::Unauthorized => self.unauthorized,
            Authority::Authorized => self.authorized,
        }
    }
}

/// A task with its requests in the order in which it made them.
#[derive(Clone, Debug)]
pub(super) struct Task {
    by: Requester,
    pub(super) space: u32,
    pub(super) first: u32,
    last: u32,
    pub(super) requests: u32,
}

impl Default for Task {
    fn default() -> Self {
        Task {
            by: Requester { system: 0, space: 0, task: 0 },
            space: NOTHING,
            first: NOTHING,
            last: NOTHING,
            requests: 0,
        }
    }
}

/// An address space: how many requests it has, and how many it may have when that was raised for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    system: u16,
    space: u16,
    pub(super) unauthorized: u32,
    pub(super) authorized: u32,
    raised: Option<Limits>,
}

impl Space {
    #[inline]
    pub(super) const fn count(&self, authority: Authority) -> u32 {
        match authority {
            Authority::Unauthorized => self.unauthorized,
            Authority::Authorized => self.authorized,
        }
    }

    fn count_mut(&mut self, authority: Authority) -> &mut u32 {
        match authority {
            Authority::Unauthorized => &mut self.unauthorized,
            Authority::Authorized => &mut self.authorized,
        }
    }
}

/// All tasks and address spaces that are known.
#[derive(Clone, Debug)]
pub(super) struct Tasks {
    by_task: Index,
    by_space: Index,
    pub(super) all: Slots<Task>,
    pub(super) spaces: Slots<Space>,
    limits: Limits,
}

impl Tasks {
    pub(super) fn new(limits: Limits) -> Self {
        Tasks { by_task: Index::new(), by_space: Index::new(), all: Slots::new(), spaces: Slots::new(), limits }
    }

    #[inline]
    pub(super) fn find(&self, by: Requester) -> Option<u32> {
        self.by_task.find(spread(number(by)), |slot| self.all[slot].by == by)
    }

    /// The task, which is known from now on.
    pub(super) fn meet(&mut self, by: Requester) -> u32 {
        let slot = self.all.take();
        let space = self.space(by.system, by.space);
        self.by_task.insert(spread(number(by)), slot);
        self.all[slot] = Task { by, space, ..Task::default() };
        slot
    }

    /// Forgets a task that has no requests.
    pub(super) fn part(&mut self, slot: u32) {
        assert_eq!(self.all[slot].requests, 0, "a task that ends has released everything");
        self.by_task.remove(slot);
        self.all[slot].space = NOTHING;
        self.all.give(slot);
    }

    /// All tasks that are known, in no order that means anything.
    pub(super) fn known(&self) -> impl Iterator<Item = Requester> {
        self.all.all().filter(|(_, task)| task.space != NOTHING).map(|(_, task)| task.by)
    }

    /// Lets the address spaces of a system and a number have more requests; the greater of this and the common limit
    /// counts. Source: MVS Programming: Authorized Assembler Services Reference, ISGADMIN, SETENQMAX.
    pub(super) fn raise(&mut self, system: u16, space: u16, limits: Limits) {
        let slot = self.space(system, space);
        self.spaces[slot].raised = Some(limits);
    }

    /// Whether the address space of a task has as many requests as it may have.
    #[inline]
    pub(super) fn is_full(&self, task: Option<u32>, by: Requester, authority: Authority) -> bool {
        let space = match task {
            Some(task) => Some(self.all[task].space),
            None => self.find_space(by.system, by.space),
        };
        let common = self.limits.most(authority);
        match space {
            None => common == 0,
            Some(space) => {
                let space = &self.spaces[space];
                let raised = space.raised.map_or(0, |limits| limits.most(authority));
                space.count(authority) >= common.max(raised)
            }
        }
    }

    /// Puts a request at the end of its task's list and counts it.
    pub(super) fn adopt(&mut self, requests: &mut Slots<Queued>, slot: u32) {
        let Queued { task, authority, .. } = requests[slot];
        let owner = &mut self.all[task];
        let last = std::mem::replace(&mut owner.last, slot);
        owner.requests += 1;
        if last == NOTHING {
            owner.first = slot;
        } else {
            requests[last].later = slot;
        }
        requests[slot].earlier = last;
        requests[slot].later = NOTHING;
        *self.spaces[owner.space].count_mut(authority) += 1;
    }

    /// Takes a request out of its task's list and off the count.
    pub(super) fn release(&mut self, requests: &mut Slots<Queued>, slot: u32) {
        let Queued { task, authority, earlier, later, .. } = requests[slot];
        let owner = &mut self.all[task];
        owner.requests -= 1;
        match earlier {
            NOTHING => owner.first = later,
            before => requests[before].later = later,
        }
        match later {
            NOTHING => owner.last = earlier,
            after => requests[after].earlier = earlier,
        }
        *self.spaces[owner.space].count_mut(authority) -= 1;
    }

    pub(super) fn find_space(&self, system: u16, space: u16) -> Option<u32> {
        self.by_space.find(spread(u64::from(system) << 16 | u64::from(space)), |slot| {
            let known = &self.spaces[slot];
            known.system == system && known.space == space
        })
    }

    fn space(&mut self, system: u16, space: u16) -> u32 {
        self.find_space(system, space).unwrap_or_else(|| {
            let slot = self.spaces.take();
            self.by_space.insert(spread(u64::from(system) << 16 | u64::from(space)), slot);
            self.spaces[slot] = Space { system, space, ..Space::default() };
            slot
        })
    }
}

#[inline]
fn number(by: Requester) -> u64 {
    u64::from(by.system) << 48 | u64::from(by.space) << 32 | u64::from(by.task)
}
