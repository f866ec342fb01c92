//! A service behind a short form of requests, and the effects of each request on other tasks.

use serialization::service::{
    Authority, Caller, Deq, DeqOutcome, Effect, Enq, EnqOutcome, Limits, Locks, Memory, Outbox, Service,
};
use serialization::{Access, DeqRet, Linkage, Requester, Reserve, ResourceName, Ret, Scope};

pub use Access::{Exclusive, Shared};

/// Any door, no authority needed.
pub const CALLER: Caller = Caller::PROBLEM_PROGRAM;

/// An authorized caller of the program call.
pub const SYSTEM: Caller =
    Caller { linkage: Linkage::Pc, memory: Memory::Cross, locks: Locks::None, authority: Authority::Authorized };

pub struct Harness {
    pub service: Service,
    pub outbox: Outbox,
}

/// The task of this number in the only address space.
pub fn task(number: u32) -> Requester {
    Requester { system: 1, space: 1, task: number }
}

pub fn name(rname: &str) -> ResourceName {
    ResourceName::new(b"QUEUE", rname.as_bytes()).expect("a name")
}

/// An ENQ of the resource R with the scope SYSTEMS by a task.
pub fn enq(name: &ResourceName, by: Requester, access: Access, ret: Ret) -> Enq<'_> {
    Enq { name, scope: Scope::Systems, access, ret, reserve: None, by, caller: CALLER }
}

pub fn deq(name: &ResourceName, by: Requester, ret: DeqRet) -> Deq<'_> {
    Deq { name, scope: Scope::Systems, ret, by, caller: CALLER }
}

impl Harness {
    pub fn new() -> Self {
        Harness::with(Limits::default())
    }

    pub fn with(limits: Limits) -> Self {
        Harness { service: Service::new(limits), outbox: Outbox::new() }
    }

    /// Carries out an ENQ without change; the outbox then holds its effects alone.
    pub fn ask(&mut self, ask: &Enq<'_>) -> EnqOutcome {
        self.outbox.clear();
        let outcome = self.service.enq(ask, &mut self.outbox);
        assert_eq!(self.service.broken_laws(), Vec::<String>::new());
        outcome
    }

    pub fn give_back(&mut self, ask: &Deq<'_>) -> DeqOutcome {
        self.outbox.clear();
        let outcome = self.service.deq(ask, &mut self.outbox);
        assert_eq!(self.service.broken_laws(), Vec::<String>::new());
        outcome
    }

    /// An ENQ of R.
    pub fn enq(&mut self, by: u32, access: Access, ret: Ret) -> EnqOutcome {
        self.ask(&enq(&name("R"), task(by), access, ret))
    }

    /// An unconditional ENQ of a resource.
    pub fn wants(&mut self, by: u32, access: Access, what: &str) -> EnqOutcome {
        self.ask(&enq(&name(what), task(by), access, Ret::None))
    }

    /// A RESERVE of R of a volume by a task of a system.
    pub fn reserve(&mut self, by: Requester, rname: &str, volume: u32) -> EnqOutcome {
        let name = name(rname);
        let reserve = Some(Reserve { volume });
        self.ask(&Enq { reserve, ..enq(&name, by, Exclusive, Ret::None) })
    }

    /// A DEQ of R.
    pub fn deq(&mut self, by: u32, ret: DeqRet) -> DeqOutcome {
        self.give_back(&deq(&name("R"), task(by), ret))
    }

    pub fn end_task(&mut self, by: Requester) -> u32 {
        self.outbox.clear();
        let released = self.service.end_task(by, &mut self.outbox);
        assert_eq!(self.service.broken_laws(), Vec::<String>::new());
        released
    }

    /// The tasks to which the last request granted a resource, by number.
    pub fn granted(&self) -> Vec<u32> {
        let granted = |effect: &Effect| match effect {
            Effect::Granted { by, .. } => Some(by.task),
            Effect::ReserveVolume { .. }
            | Effect::ReleaseVolume { .. }
            | Effect::Contention { .. }
            | Effect::NoWait { .. } => None,
        };
        self.outbox.effects().iter().filter_map(granted).collect()
    }
}
