//! The service: ENQ, DEQ and RESERVE, and what is queued for what.

mod analysis;
mod effect;
mod environment;
mod index;
mod laws;
mod outcome;
mod query;
mod reach;
mod resource;
mod slots;
mod task;
mod volume;

pub use analysis::{Blockers, Deadlock, Link, Wait};
pub use effect::{Effect, Outbox, ResourceId};
pub use environment::{Authority, Caller, Locks, Memory};
pub use outcome::{Abend, DeqOutcome, EnqOutcome};
pub use query::{Filter, Queue, Standee};
pub use reach::Reach;
pub use resource::Standing;
pub use task::Limits;

use crate::name::ResourceName;
use crate::request::{Access, DeqRet, Requester, Reserve, Ret, Scope};
use index::NOTHING;
use resource::{Queued, Resource, Resources};
use task::Tasks;
use volume::Volumes;

/// An ENQ, or with a volume a RESERVE, for one resource.
#[derive(Clone, Copy, Debug)]
pub struct Enq<'a> {
    /// The resource.
    pub name: &'a ResourceName,
    /// How far its name reaches.
    pub scope: Scope,
    /// How it is to be used; a change is always to exclusive. ASSUME: whatever access a change names.
    pub access: Access,
    /// The action.
    pub ret: Ret,
    /// The volume to reserve with it, which takes a scope beyond the address space.
    pub reserve: Option<Reserve>,
    /// The requester.
    pub by: Requester,
    /// From where.
    pub caller: Caller,
}

/// A DEQ of one resource.
#[derive(Clone, Copy, Debug)]
pub struct Deq<'a> {
    /// The resource.
    pub name: &'a ResourceName,
    /// The scope it was asked for with.
    pub scope: Scope,
    /// The action when the task does not have it.
    pub ret: DeqRet,
    /// The requester.
    pub by: Requester,
    /// From where.
    pub caller: Caller,
}

impl Enq<'_> {
    /// Why it is not looked at any further.
    #[inline]
    pub fn refusal(&self) -> Option<Abend> {
        if !self.caller.may_call() {
            return Some(Abend::Environment);
        }
        if self.name.is_for_authorized() && self.caller.authority == Authority::Unauthorized {
            return Some(Abend::QnameEnq);
        }
        (self.reserve.is_some() && self.scope == Scope::Step).then_some(Abend::Parameters)
    }
}

impl Deq<'_> {
    /// Why it is not looked at any further.
    #[inline]
    pub fn refusal(&self) -> Option<Abend> {
        if !self.caller.may_call() {
            return Some(Abend::Environment);
        }
        let guarded = self.name.is_for_authorized() && self.caller.authority == Authority::Unauthorized;
        guarded.then_some(Abend::QnameDeq)
    }
}

/// All resources that are asked for, by all systems that share names.
#[derive(Clone, Debug)]
pub struct Service {
    resources: Resources,
    tasks: Tasks,
    volumes: Volumes,
}

impl Default for Service {
    fn default() -> Self {
        Service::new(Limits::default())
    }
}

impl Service {
    /// A service without requests.
    pub fn new(limits: Limits) -> Self {
        Service { resources: Resources::new(), tasks: Tasks::new(limits), volumes: Volumes::new() }
    }

    /// Lets one address space have more requests at once; the greater of this and the common limit counts.
    pub fn raise_limits(&mut self, system: u16, space: u16, limits: Limits) {
        self.tasks.raise(system, space, limits);
    }

    /// Carries out an ENQ or a RESERVE; what follows for others is put into the outbox.
    ///
    /// Checked in this order: where the call comes from, its parameters, an earlier request of the task, the limit, and
    /// whether the resource can be had. ASSUME: that order.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, ENQ and RESERVE; MVS System Codes.
    pub fn enq(&mut self, ask: &Enq<'_>, outbox: &mut Outbox) -> EnqOutcome {
        if let Some(abend) = ask.refusal() {
            return EnqOutcome::Abend(abend);
        }
        let reach = Reach::of(ask.scope, ask.by);
        let resource = self.resources.find(ask.name, reach);
        let task = self.tasks.find(ask.by);
        if let Some(earlier) = self.earlier(resource, task) {
            return self.again(earlier, ask, outbox);
        }
        let can_be_had = resource.is_none_or(|resource| self.resources.admits(resource, ask.access));
        match ask.ret {
            Ret::Change => return EnqOutcome::NotHeld,
            Ret::Test if can_be_had => return EnqOutcome::Available,
            Ret::Test => return EnqOutcome::Unavailable,
            Ret::None | Ret::Use | Ret::Have => {}
        }
        if self.tasks.is_full(task, ask.by, ask.caller.authority) {
            return match ask.ret {
                Ret::None => EnqOutcome::Abend(Abend::OverLimit),
                Ret::Test | Ret::Use | Ret::Change | Ret::Have => EnqOutcome::OverLimit,
            };
        }
        match resource {
            Some(resource) if !can_be_had && ask.ret == Ret::Use => {
                outbox.push(Effect::NoWait { by: ask.by, resource: ResourceId(resource), ret: ask.ret });
                EnqOutcome::Unavailable
            }
            _ => self.queue(ask, reach, Found { resource, task, can_be_had }, outbox),
        }
    }

    /// Carries out a DEQ; tasks that go on because of it are put into the outbox.
    ///
    /// All that came with the request goes with it, the reserve of a volume too. ASSUME: a DEQ need not name the volume.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, DEQ; MVS System Codes.
    pub fn deq(&mut self, ask: &Deq<'_>, outbox: &mut Outbox) -> DeqOutcome {
        if let Some(abend) = ask.refusal() {
            return DeqOutcome::Abend(abend);
        }
        let resource = self.resources.find(ask.name, Reach::of(ask.scope, ask.by));
        let task = self.tasks.find(ask.by);
        let Some(earlier) = self.earlier(resource, task) else {
            return match ask.ret {
                DeqRet::None => DeqOutcome::Abend(Abend::NotRequested),
                DeqRet::Have => DeqOutcome::NotRequested,
            };
        };
        match (self.resources.requests[earlier].standing, ask.ret) {
            (Standing::Owns, DeqRet::None | DeqRet::Have) => {
                self.release(earlier, outbox);
                DeqOutcome::Released
            }
            (Standing::Waits, DeqRet::None) => DeqOutcome::Abend(Abend::StillWaiting),
            (Standing::Waits, DeqRet::Have) => DeqOutcome::Outstanding,
            (Standing::Gone, _) => unreachable!("a request that is found is queued"),
        }
    }

    /// Releases everything that a task has, and withdraws it from every queue; says how many requests that were.
    ///
    /// ASSUME: in the order in which they were made.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, ENQ: control ends with the task at the latest.
    pub fn end_task(&mut self, by: Requester, outbox: &mut Outbox) -> u32 {
        let Some(task) = self.tasks.find(by) else { return 0 };
        let mut released = 0;
        while self.tasks.all[task].first != NOTHING {
            self.release(self.tasks.all[task].first, outbox);
            released += 1;
        }
        self.tasks.part(task);
        released
    }

    /// Ends all tasks of an address space at once; says how many requests were released.
    ///
    /// None of them is granted anything any more: first they are withdrawn from every queue that they wait in, then
    /// what they have is released. ASSUME: both in the order of the tasks' numbers and of their requests, and from each
    /// queue the last of them first.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, ENQ: control ends with the task at the latest.
    pub fn end_space(&mut self, system: u16, space: u16, outbox: &mut Outbox) -> u32 {
        self.end_all(outbox, |by| (by.system, by.space) == (system, space))
    }

    /// Ends all tasks of a system that leaves those that share names with it, as [`Service::end_space`] does; says how
    /// many requests were released.
    ///
    /// Source: MVS Planning: Global Resource Serialization, a system that is removed from the complex: the resources
    /// that it held are freed.
    pub fn end_system(&mut self, system: u16, outbox: &mut Outbox) -> u32 {
        self.end_all(outbox, |by| by.system == system)
    }

    /// Whether no other task of its system has or waits for a resource that the task has or waits for.
    pub fn is_last_of_system(&self, name: &ResourceName, scope: Scope, by: Requester) -> bool {
        let Some(resource) = self.resources.find(name, Reach::of(scope, by)) else { return false };
        let mut asks = false;
        for (_, queued) in self.resources.queue(resource).filter(|(_, queued)| queued.by.system == by.system) {
            if queued.by != by {
                return false;
            }
            asks = true;
        }
        asks
    }

    /// All tasks that have asked for something and have not ended since, by number.
    pub fn tasks(&self) -> Vec<Requester> {
        let mut tasks: Vec<Requester> = self.tasks.known().collect();
        tasks.sort_unstable();
        tasks
    }

    /// Whether a task has or waits for a resource.
    pub fn has_asked(&self, name: &ResourceName, scope: Scope, by: Requester) -> bool {
        self.earlier(self.resources.find(name, Reach::of(scope, by)), self.tasks.find(by)).is_some()
    }

    /// How many requests an address space has at once, the unauthorized and the authorized.
    pub fn requests_of_space(&self, system: u16, space: u16) -> (u32, u32) {
        let count = |space| (self.tasks.spaces[space].unauthorized, self.tasks.spaces[space].authorized);
        self.tasks.find_space(system, space).map_or((0, 0), count)
    }

    /// How many RESERVEs of a system have a volume.
    pub fn reserves(&self, system: u16, volume: u32) -> u32 {
        self.volumes.reserves(system, volume)
    }

    fn end_all(&mut self, outbox: &mut Outbox, ends: impl Fn(Requester) -> bool) -> u32 {
        let mut tasks = self.tasks();
        tasks.retain(|&by| ends(by));
        let mut released = 0;
        for &by in &tasks {
            let mut next = self.tasks.find(by).map_or(NOTHING, |task| self.tasks.all[task].first);
            while next != NOTHING {
                let Queued { resource, standing, .. } = self.resources.requests[next];
                if standing == Standing::Owns {
                    next = self.resources.requests[next].later;
                    continue;
                }
                released += self.withdraw(resource, &ends, outbox);
                // Others of the list may have gone too, but none before this one was left waiting.
                next = self.tasks.find(by).map_or(NOTHING, |task| self.tasks.all[task].first);
            }
        }
        released + tasks.into_iter().map(|by| self.end_task(by, outbox)).sum::<u32>()
    }

    /// Withdraws all waits of tasks that end, the last first, so that none of them is granted anything meanwhile.
    fn withdraw(&mut self, resource: u32, ends: &impl Fn(Requester) -> bool, outbox: &mut Outbox) -> u32 {
        let mut withdrawn = 0;
        let mut slot = self.resources.all[resource].last;
        while slot != NOTHING {
            let Queued { by, standing, ahead, .. } = self.resources.requests[slot];
            if standing == Standing::Waits && ends(by) {
                self.release(slot, outbox);
                withdrawn += 1;
            }
            slot = ahead;
        }
        withdrawn
    }

    /// The request for a resource that a task made before and has not released. A task has one at most, so either of
    /// the two lists will do: the shorter.
    #[inline]
    fn earlier(&self, resource: Option<u32>, task: Option<u32>) -> Option<u32> {
        let (resource, task) = (resource?, task?);
        let (queue, list) = (&self.resources.all[resource], &self.tasks.all[task]);
        let requests = &self.resources.requests;
        let by_queue = queue.owners + queue.waiters <= list.requests;
        let mut slot = if by_queue { queue.first } else { list.first };
        while slot != NOTHING {
            let queued = &requests[slot];
            if queued.task == task && queued.resource == resource {
                return Some(slot);
            }
            slot = if by_queue { queued.behind } else { queued.later };
        }
        None
    }

    /// The answer to a task that asks for what it asked for before.
    fn again(&mut self, earlier: u32, ask: &Enq<'_>, outbox: &mut Outbox) -> EnqOutcome {
        let Queued { standing, resource, .. } = self.resources.requests[earlier];
        match (ask.ret, standing) {
            (Ret::None, _) => EnqOutcome::Abend(Abend::Duplicate),
            (_, Standing::Waits) => EnqOutcome::Outstanding,
            (Ret::Test | Ret::Use | Ret::Have, Standing::Owns) => EnqOutcome::Held,
            (Ret::Change, Standing::Owns) if self.resources.all[resource].owners > 1 => {
                outbox.push(Effect::NoWait { by: ask.by, resource: ResourceId(resource), ret: ask.ret });
                EnqOutcome::SharedByOthers
            }
            (Ret::Change, Standing::Owns) => {
                // Past any waiters: they keep their places. ASSUME: an exclusive hold is changed as well.
                self.resources.requests[earlier].access = Access::Exclusive;
                EnqOutcome::Changed
            }
            (Ret::Test | Ret::Use | Ret::Change | Ret::Have, Standing::Gone) => {
                unreachable!("a request that is found is queued")
            }
        }
    }

    fn queue(&mut self, ask: &Enq<'_>, reach: Reach, found: Found, outbox: &mut Outbox) -> EnqOutcome {
        let resource = found.resource.unwrap_or_else(|| self.resources.found(ask.name, reach));
        let task = found.task.unwrap_or_else(|| self.tasks.meet(ask.by));
        let can_be_had = found.can_be_had;
        let slot = self.resources.join(Queued {
            by: ask.by,
            task,
            resource,
            access: ask.access,
            standing: if can_be_had { Standing::Owns } else { Standing::Waits },
            authority: ask.caller.authority,
            reserve: ask.reserve,
            ..Queued::default()
        });
        self.tasks.adopt(&mut self.resources.requests, slot);
        if !can_be_had {
            let waiters = self.resources.all[resource].waiters;
            outbox.push(Effect::Contention { resource: ResourceId(resource), waiters });
            return EnqOutcome::Waits;
        }
        if let Some(reserve) = ask.reserve {
            self.volumes.reserve(ask.by.system, reserve, outbox);
        }
        EnqOutcome::Granted
    }

    /// Removes a request, grants the resource to those that may have it now, and forgets it when no request is left.
    fn release(&mut self, slot: u32, outbox: &mut Outbox) {
        let Queued { by, resource, standing, reserve, .. } = self.resources.requests[slot];
        let waited = self.resources.all[resource].waiters;
        self.tasks.release(&mut self.resources.requests, slot);
        self.resources.leave(slot);
        if let (Some(reserve), Standing::Owns) = (reserve, standing) {
            self.volumes.release(by.system, reserve, outbox);
        }
        if self.resources.forget_if_idle(resource) {
            return;
        }
        while let Some(next) = self.resources.advance(resource) {
            let Queued { by, reserve, .. } = self.resources.requests[next];
            outbox.push(Effect::Granted { by, resource: ResourceId(resource) });
            if let Some(reserve) = reserve {
                self.volumes.reserve(by.system, reserve, outbox);
            }
        }
        let Resource { owners, waiters, .. } = self.resources.all[resource];
        assert!(owners > 0, "a resource with waiters has an owner");
        if waiters != waited {
            outbox.push(Effect::Contention { resource: ResourceId(resource), waiters });
        }
    }
}

/// What there was when a request came: its resource, its task, whether it need not wait.
struct Found {
    resource: Option<u32>,
    task: Option<u32>,
    can_be_had: bool,
}
