//! Systems that share names, each with its exits and lists, in front of the one service that queues for all of them.

use super::mode::{Mode, Place};
use crate::exits::{Account, Asked, Exits, Fate, Request, Settled, Verb, Way};
use crate::name::ResourceName;
use crate::request::{Access, DeqRet, Requester, Reserve, Ret, Scope};
use crate::service::{
    Abend, Caller, Deq, DeqOutcome, Enq, EnqOutcome, Filter, Limits, Outbox, Reach, Service, Standing,
};
use std::collections::BTreeSet;
use units::Problem;

/// A resource in a request.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Its name.
    pub name: &'a ResourceName,
    /// How far the name reaches, as the caller says.
    pub scope: Scope,
    /// How it is to be used.
    pub access: Access,
    /// The volume of a RESERVE.
    pub volume: Option<u32>,
}

/// An ENQ for one resource or several.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The resource.
    pub resources: &'a [Wanted<'a>],
    /// The action.
    pub ret: Ret,
    /// The requester.
    pub by: Requester,
    /// From where.
    pub caller: Caller,
}

/// A DEQ of one resource or several.
#[derive(Clone, Copy, Debug)]
pub struct Give<'a> {
    /// The resource.
    pub resources: &'a [(&'a ResourceName, Scope)],
    /// The action for a resource that the task does not have.
    pub ret: DeqRet,
    /// The requester.
    pub by: Requester,
    /// From where.
    pub caller: Caller,
}

/// The outcome for a resource of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<T> {
    /// The queue says so.
    Queue(T),
    /// An exit gave this return code in place of it.
    Code(u8),
    /// An exit ended the caller with this completion code.
    Abend(u16),
    /// Not looked at: the caller ended before.
    Nothing,
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered<T> {
    /// Each resource, in the order of the request.
    pub told: Vec<Told<T>>,
    /// How each is queued for.
    pub settled: Vec<Settled>,
    /// Everything that was called on the way.
    pub account: Account,
}

/// A name that two tasks have at once although one of them has it exclusively: the manager that should have kept them
/// apart did not see one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hole {
    /// The name.
    pub name: ResourceName,
    /// The task that was not seen.
    pub unseen: Requester,
    /// The task that has it too, on another system.
    pub other: Requester,
}

/// Several systems and their service.
#[derive(Debug)]
pub struct Complex {
    service: Service,
    mode: Mode,
    members: Vec<Member>,
    unseen: BTreeSet<(ResourceName, Requester)>,
}

#[derive(Debug)]
struct Member {
    number: u16,
    exits: Exits,
}

impl Complex {
    /// No systems so far.
    pub fn new(mode: Mode, limits: Limits) -> Self {
        Complex { service: Service::new(limits), mode, members: Vec::new(), unseen: BTreeSet::new() }
    }

    /// A system joins, at the end of a ring.
    ///
    /// # Errors
    /// When it is there.
    pub fn join(&mut self, number: u16, mut exits: Exits) -> Result<(), Box<Problem>> {
        if self.position(number).is_some() {
            let what = format!("system {number} is a member already");
            return Err(Box::new(Problem::new(what).key("system")));
        }
        exits.set_sharing(self.mode.shares());
        self.members.push(Member { number, exits });
        Ok(())
    }

    /// A system leaves: what it held is freed, and a ring is shorter. Its exits are not called any more. Says how many
    /// requests were released.
    ///
    /// # Errors
    /// When it is not there.
    pub fn leave(&mut self, number: u16, outbox: &mut Outbox) -> Result<u32, Box<Problem>> {
        let position = self.member(number)?;
        self.members.remove(position);
        self.unseen.retain(|(_, by)| by.system != number);
        Ok(self.service.end_system(number, outbox))
    }

    /// The exits of a system.
    ///
    /// # Errors
    /// When it is not there.
    pub fn exits(&mut self, number: u16) -> Result<&mut Exits, Box<Problem>> {
        let position = self.member(number)?;
        Ok(&mut self.members[position].exits)
    }

    /// How systems share names.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The place of a system among the others.
    ///
    /// # Errors
    /// When it is not there.
    pub fn place(&self, number: u16) -> Result<Place, Box<Problem>> {
        let position = self.member(number)?;
        Ok(Place { position: position as u32, systems: self.members.len() as u32 })
    }

    /// The service behind it.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Carries out an ENQ: exits, lists, queues and queued exits. The first resource that ends the caller is the last
    /// that is looked at. ASSUME: what was queued for before that stays so until the task ends.
    ///
    /// A resource that is in a request twice ends the caller. Source: MVS System Codes, 138.
    ///
    /// # Errors
    /// When the system is not there.
    pub fn enq(&mut self, ask: &Ask<'_>, outbox: &mut Outbox) -> Result<Answered<EnqOutcome>, Box<Problem>> {
        let position = self.member(ask.by.system)?;
        let Ask { resources, ret, by, caller } = *ask;
        let request_of = |name, scope, wanted: &Wanted<'_>, volume: Option<u32>| {
            let reserve = volume.map(|volume| Reserve { volume });
            Enq { name, scope, access: wanted.access, ret, reserve, by, caller }
        };
        let as_asked: Vec<Asked<'_>> =
            resources.iter().map(|one| Asked { name: one.name, scope: one.scope, volume: one.volume }).collect();
        let refusal = |at: usize| {
            let one = &resources[at];
            let twice = resources[..at].iter().any(|other| (other.name, other.scope) == (one.name, one.scope));
            let refusal = request_of(one.name, one.scope, one, one.volume).refusal();
            refusal.or(twice.then_some(Abend::Duplicate)).map(|abend| (at, abend))
        };
        if let Some((at, abend)) = (0..resources.len()).find_map(refusal) {
            return Ok(only(&as_asked, at, Told::Queue(EnqOutcome::Abend(abend))));
        }
        let request = Request {
            verb: Verb::Enq,
            linkage: caller.linkage,
            conditional: ret != Ret::None,
            changes: ret == Ret::Change,
            resources: &as_asked,
        };
        let (mut answered, way) = self.walk(position, &request);
        let Complex { service, members, unseen, .. } = self;
        let exits = &members[position].exits;
        for (at, wanted) in resources.iter().enumerate().filter(|_| way.fate == Fate::GoesOn) {
            let settled = answered.settled[at];
            answered.told[at] = match settled.code {
                Some(code) => Told::Code(code),
                None => {
                    let name = settled.name.map_or(wanted.name, |id| exits.name(id));
                    let outcome = service.enq(&request_of(name, exits.reach(&settled), wanted, settled.volume), outbox);
                    if settled.unseen && matches!(outcome, EnqOutcome::Granted | EnqOutcome::Waits) {
                        unseen.insert((name.clone(), by));
                    }
                    Told::Queue(outcome)
                }
            };
            if matches!(answered.told[at], Told::Queue(EnqOutcome::Abend(_))) {
                break;
            }
        }
        let code = |told: &Told<EnqOutcome>| match *told {
            Told::Queue(outcome) => outcome.return_code(),
            Told::Code(code) => Some(code),
            Told::Abend(_) | Told::Nothing => None,
        };
        let results: Vec<Option<u8>> = answered.told.iter().map(code).collect();
        answered.account += members[position].exits.queued(&request, &way, (&answered.settled, &results));
        Ok(answered)
    }

    /// Carries out a DEQ: exits, lists and queues, and what follows when the last requester of the system has gone.
    ///
    /// # Errors
    /// When the system is not there.
    pub fn deq(&mut self, give: &Give<'_>, outbox: &mut Outbox) -> Result<Answered<DeqOutcome>, Box<Problem>> {
        let position = self.member(give.by.system)?;
        let Give { resources, ret, by, caller } = *give;
        let as_asked: Vec<Asked<'_>> =
            resources.iter().map(|&(name, scope)| Asked { name, scope, volume: None }).collect();
        let refusal = |&(name, scope)| Deq { name, scope, ret, by, caller }.refusal();
        if let Some((at, abend)) = resources.iter().map(refusal).enumerate().find_map(|(at, abend)| Some((at, abend?)))
        {
            return Ok(only(&as_asked, at, Told::Queue(DeqOutcome::Abend(abend))));
        }
        let conditional = ret != DeqRet::None;
        let request =
            Request { verb: Verb::Deq, linkage: caller.linkage, conditional, changes: false, resources: &as_asked };
        let (mut answered, way) = self.walk(position, &request);
        for (at, asked) in as_asked.iter().enumerate().filter(|_| way.fate == Fate::GoesOn) {
            let settled = answered.settled[at];
            answered.told[at] = match settled.code {
                Some(code) => Told::Code(code),
                None => Told::Queue(self.release((position, give), (asked, &settled), &mut answered.account, outbox)),
            };
            if matches!(answered.told[at], Told::Queue(DeqOutcome::Abend(_))) {
                break;
            }
        }
        Ok(answered)
    }

    /// Ends a task: everything it has is released, and exits hear of resources for which its system does not ask any
    /// more. Says how many requests were released, and what was called.
    pub fn end_task(&mut self, by: Requester, outbox: &mut Outbox) -> (u32, Account) {
        let account = self.ending(by.system, |one| one == by);
        (self.service.end_task(by, outbox), account)
    }

    /// The same for all tasks of an address space at once.
    pub fn end_space(&mut self, system: u16, space: u16, outbox: &mut Outbox) -> (u32, Account) {
        let account = self.ending(system, |one| (one.system, one.space) == (system, space));
        (self.service.end_space(system, space, outbox), account)
    }

    /// Names that two systems have at once and should not, since one of them did not ask by a door that its manager watches.
    ///
    /// Source: GRS/MIM Installation Exit Performance: program calls that the intercept of the supervisor call does not see.
    pub fn holes(&self) -> Vec<Hole> {
        let mut holes = Vec::new();
        for (name, by) in &self.unseen {
            let here = Reach::System { system: by.system };
            let same = Filter { qname: name.qname().to_vec(), rname: Some(name.rname().to_vec()), ..Filter::default() };
            let queues = self.service.query(&same);
            let owners = |meant: &dyn Fn(Reach) -> bool| {
                let queues = queues.iter().filter(|queue| meant(queue.reach));
                let all = queues.flat_map(|queue| queue.requests.iter().map(|one| (queue.reach, *one)));
                all.filter(|(_, one)| one.standing == Standing::Owns).collect::<Vec<_>>()
            };
            let Some((_, mine)) = owners(&|reach| reach == here).into_iter().find(|(_, one)| one.by == *by) else {
                continue;
            };
            for (reach, other) in owners(&|reach| reach != here) {
                let seen = reach == Reach::Systems || self.unseen.contains(&(name.clone(), other.by));
                let conflict = mine.access == Access::Exclusive || other.access == Access::Exclusive;
                if seen && conflict && other.by.system != by.system {
                    holes.push(Hole { name: name.clone(), unseen: *by, other: other.by });
                }
            }
        }
        holes
    }

    /// Informs the exits of a system of the resources for which no task remains except those that end, by name.
    fn ending(&mut self, system: u16, ends: impl Fn(Requester) -> bool) -> Account {
        let mut account = Account::default();
        self.unseen.retain(|(_, by)| !ends(*by));
        let Some(position) = self.position(system) else { return account };
        for queue in self.service.query(&Filter { system: Some(system), ..Filter::default() }) {
            if queue.requests.iter().filter(|one| one.by.system == system).all(|one| ends(one.by)) {
                let settled = self.as_queued(queue.reach);
                let asked = Asked { name: &queue.name, scope: queue.reach.scope(), volume: None };
                account += self.members[position].exits.ended(&asked, &settled);
            }
        }
        account
    }

    fn walk<T: Clone>(&mut self, position: usize, request: &Request<'_>) -> (Answered<T>, Way) {
        let mut settled: Vec<Settled> = request.resources.iter().map(Settled::as_asked).collect();
        let way = self.members[position].exits.walk(request, &mut settled);
        let mut told = vec![Told::Nothing; request.resources.len()];
        if let (Fate::Abend(code), Some(first)) = (way.fate, told.first_mut()) {
            *first = Told::Abend(code);
        }
        (Answered { told, settled, account: way.account }, way)
    }

    /// Releases where the task has asked: as the exits would have it now, or else as they had it then.
    fn release(
        &mut self,
        (position, give): (usize, &Give<'_>),
        (asked, settled): (&Asked<'_>, &Settled),
        account: &mut Account,
        outbox: &mut Outbox,
    ) -> DeqOutcome {
        let Give { ret, by, caller, .. } = *give;
        let exits = &self.members[position].exits;
        let name = settled.name.map_or(asked.name, |id| exits.name(id));
        let wanted = exits.reach(settled);
        let other = match wanted {
            Scope::Step => Scope::Step,
            Scope::System => Scope::Systems,
            Scope::Systems => Scope::System,
        };
        let may_differ = settled.scope == Scope::Systems && !self.mode.shares();
        let elsewhere =
            may_differ && !self.service.has_asked(name, wanted, by) && self.service.has_asked(name, other, by);
        let scope = if elsewhere { other } else { wanted };
        let last = self.service.is_last_of_system(name, scope, by);
        let outcome = self.service.deq(&Deq { name, scope, ret, by, caller }, outbox);
        if outcome == DeqOutcome::Released {
            self.unseen.remove(&(name.clone(), by));
            if last {
                let managed = scope == Scope::Systems && !self.mode.shares();
                *account += self.members[position].exits.ended(asked, &Settled { managed, ..*settled });
            }
        }
        outcome
    }

    /// The settled form of a resource that is queued for so.
    fn as_queued(&self, reach: Reach) -> Settled {
        let managed = reach == Reach::Systems && !self.mode.shares();
        Settled { name: None, scope: reach.scope(), volume: None, managed, unseen: false, code: None }
    }

    fn position(&self, number: u16) -> Option<usize> {
        self.members.iter().position(|member| member.number == number)
    }

    fn member(&self, number: u16) -> Result<usize, Box<Problem>> {
        self.position(number).ok_or_else(|| {
            let problem = Problem::new(format!("there is no system {number}")).key("system");
            Box::new(problem.allowed(self.members.iter().map(|member| member.number.to_string())))
        })
    }
}

/// An answer for one resource; nothing was called, and the others were not looked at.
fn only<T: Clone>(asked: &[Asked<'_>], at: usize, one: Told<T>) -> Answered<T> {
    let mut told = vec![Told::Nothing; asked.len()];
    told[at] = one;
    Answered { told, settled: asked.iter().map(Settled::as_asked).collect(), account: Account::default() }
}
