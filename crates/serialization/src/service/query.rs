//! Queries of owners and waiters, as by GQSCAN: resources chosen by name, reach, requester and counts.

use super::reach::Reach;
use super::resource::{Queued, Resource, Standing};
use super::{ResourceId, Service};
use crate::name::{QNAME_BYTES, ResourceName};
use crate::request::{Access, Requester, Reserve, Scope};

/// Which resources are meant: those of which everything holds that is given.
///
/// Source: MVS Programming: Authorized Assembler Services Reference, GQSCAN: RESNAME, SCOPE, SYSNAME, ASID, REQCNT,
/// OWNERCT, WAITCNT and RESERVE.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The qname, padded or not; all when it is empty.
    pub qname: Vec<u8>,
    /// The beginning of the rname.
    pub rname_beginning: Vec<u8>,
    /// The whole rname.
    pub rname: Option<Vec<u8>>,
    /// The scope.
    pub scope: Option<Scope>,
    /// A request from this system is in the queue.
    pub system: Option<u16>,
    /// One from an address space with this number is.
    pub space: Option<u16>,
    /// One of a task with this number is.
    pub task: Option<u32>,
    /// The fewest owners.
    pub owners: u32,
    /// The fewest waiters.
    pub waiters: u32,
    /// A request that came with the reserve of a volume is in the queue.
    pub with_reserve: bool,
}

/// A resource and its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Its name.
    pub name: ResourceName,
    /// The reach of its name.
    pub reach: Reach,
    /// How many have it.
    pub owners: u32,
    /// How many wait to have it for themselves.
    pub exclusive_waiters: u32,
    /// How many wait to share it.
    pub shared_waiters: u32,
    /// The requests in their order, the owners first.
    pub requests: Vec<Standee>,
}

/// A request in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standee {
    /// Whose it is.
    pub by: Requester,
    /// The access.
    pub access: Access,
    /// Whether it has it.
    pub standing: Standing,
    /// The volume it came with.
    pub reserve: Option<Reserve>,
}

impl Queue {
    /// How many wait.
    pub fn waiters(&self) -> u32 {
        self.exclusive_waiters + self.shared_waiters
    }
}

impl Service {
    /// The resources that are meant with their queues, by name and then by reach.
    pub fn query(&self, filter: &Filter) -> Vec<Queue> {
        let mut found: Vec<(u32, &Resource)> =
            self.resources.live().filter(|one| self.is_meant(filter, one.1, one.0)).collect();
        found.sort_by(|(_, a), (_, b)| (&a.name, a.reach).cmp(&(&b.name, b.reach)));
        found.into_iter().map(|(slot, _)| self.queue_of(slot)).collect()
    }

    /// One resource with its queue, for a name and reach; None when no task asks for it.
    pub fn query_one(&self, name: &ResourceName, scope: Scope, by: Requester) -> Option<Queue> {
        self.resources.find(name, Reach::of(scope, by)).map(|slot| self.queue_of(slot))
    }

    /// The name and the reach of a resource in an effect of the last request, even if no task asks for it any more.
    /// Where many end at once, one may release what others of them waited for.
    pub fn resource(&self, id: ResourceId) -> (ResourceName, Reach) {
        let resource = &self.resources.all[id.0];
        (name_of(resource), resource.reach)
    }

    fn is_meant(&self, filter: &Filter, resource: &Resource, slot: u32) -> bool {
        let (qname, rname) = resource.name.split_at(QNAME_BYTES);
        let trimmed = |name: &[u8]| name.trim_ascii_end().to_vec();
        (filter.qname.is_empty() || trimmed(qname) == trimmed(&filter.qname))
            && rname.starts_with(&filter.rname_beginning)
            && filter.rname.as_ref().is_none_or(|whole| whole == rname)
            && filter.scope.is_none_or(|scope| scope == resource.reach.scope())
            && resource.owners >= filter.owners
            && resource.waiters >= filter.waiters
            && self.resources.queue(slot).any(|(_, queued)| is_from(filter, queued))
            && (!filter.with_reserve || self.resources.queue(slot).any(|(_, queued)| queued.reserve.is_some()))
    }

    pub(super) fn queue_of(&self, slot: u32) -> Queue {
        let resource = &self.resources.all[slot];
        let requests: Vec<Standee> = self.resources.queue(slot).map(|(_, queued)| standee(queued)).collect();
        let waiting =
            |access| requests.iter().filter(|one| one.standing == Standing::Waits && one.access == access).count();
        Queue {
            name: name_of(resource),
            reach: resource.reach,
            owners: resource.owners,
            exclusive_waiters: waiting(Access::Exclusive) as u32,
            shared_waiters: waiting(Access::Shared) as u32,
            requests,
        }
    }
}

pub(super) fn name_of(resource: &Resource) -> ResourceName {
    let (qname, rname) = resource.name.split_at(QNAME_BYTES);
    ResourceName::new(qname, rname).expect("what is queued for has a name")
}

fn standee(queued: &Queued) -> Standee {
    Standee { by: queued.by, access: queued.access, standing: queued.standing, reserve: queued.reserve }
}

fn is_from(filter: &Filter, queued: &Queued) -> bool {
    filter.system.is_none_or(|system| system == queued.by.system)
        && filter.space.is_none_or(|space| space == queued.by.space)
        && filter.task.is_none_or(|task| task == queued.by.task)
}
