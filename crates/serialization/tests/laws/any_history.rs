//! Random histories: few tasks, few names and low limits, so that everything meets.

use proptest::collection::vec;
use proptest::prelude::*;
use serialization::service::{
    Authority, Caller, Deq, DeqOutcome, Effect, Enq, EnqOutcome, Limits, Locks, Memory, Outbox, Service,
};
use serialization::{Access, DeqRet, Linkage, Requester, Reserve, ResourceName, Ret, Scope};

/// One action of a task.
#[derive(Clone, Debug)]
pub enum Step {
    Enq {
        by: Requester,
        what: usize,
        scope: Scope,
        access: Access,
        ret: Ret,
        volume: Option<u32>,
        caller: Caller,
    },
    Deq {
        by: Requester,
        what: usize,
        scope: Scope,
        ret: DeqRet,
        caller: Caller,
    },
    End {
        by: Requester,
    },
    /// Of an address space, or of a whole system.
    EndAll {
        system: u16,
        space: Option<u16>,
    },
}

/// Its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Enq(EnqOutcome),
    Deq(DeqOutcome),
    End(u32),
}

pub const LIMITS: Limits = Limits { unauthorized: 5, authorized: 7 };

pub fn names() -> Vec<ResourceName> {
    let name = |k: usize| ResourceName::new(b"LAWS", format!("R{k}").as_bytes()).expect("a name");
    (0..4).map(name).collect()
}

/// Up to `most` steps.
pub fn any_history(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let enq = (any_requester(), 0..4usize, any_scope(), any_access(), any_ret(), any_volume(), any_caller()).prop_map(
        |(by, what, scope, access, ret, volume, caller)| Step::Enq { by, what, scope, access, ret, volume, caller },
    );
    let deq =
        (any_requester(), 0..4usize, any_scope(), prop_oneof![Just(DeqRet::None), Just(DeqRet::Have)], any_caller())
            .prop_map(|(by, what, scope, ret, caller)| Step::Deq { by, what, scope, ret, caller });
    let end = any_requester().prop_map(|by| Step::End { by });
    let end_all = (any_requester(), any::<bool>())
        .prop_map(|(by, whole)| Step::EndAll { system: by.system, space: (!whole).then_some(by.space) });
    vec(prop_oneof![24 => enq, 20 => deq, 4 => end, 1 => end_all], 0..=most)
}

/// Carries out a step; its effects alone are in the outbox then.
pub fn carry_out(service: &mut Service, names: &[ResourceName], step: &Step, outbox: &mut Outbox) -> Outcome {
    outbox.clear();
    match *step {
        Step::Enq { by, what, scope, access, ret, volume, caller } => {
            let reserve = volume.map(|volume| Reserve { volume });
            Outcome::Enq(service.enq(&Enq { name: &names[what], scope, access, ret, reserve, by, caller }, outbox))
        }
        Step::Deq { by, what, scope, ret, caller } => {
            Outcome::Deq(service.deq(&Deq { name: &names[what], scope, ret, by, caller }, outbox))
        }
        Step::End { by } => Outcome::End(service.end_task(by, outbox)),
        Step::EndAll { system, space: Some(space) } => Outcome::End(service.end_space(system, space, outbox)),
        Step::EndAll { system, space: None } => Outcome::End(service.end_system(system, outbox)),
    }
}

/// Whether a task ends by a step.
pub fn ends(step: &Step, who: Requester) -> bool {
    match *step {
        Step::End { by } => who == by,
        Step::EndAll { system, space } => who.system == system && space.is_none_or(|space| who.space == space),
        Step::Enq { .. } | Step::Deq { .. } => false,
    }
}

/// All tasks that a history may have in it.
pub fn everybody() -> Vec<Requester> {
    let of = |system, space| (1..=3).map(move |task| Requester { system, space, task });
    [(1, 1), (1, 2), (2, 1)].into_iter().flat_map(|(system, space)| of(system, space)).collect()
}

/// The tasks that were granted a request they had waited for.
pub fn granted(outbox: &Outbox) -> impl Iterator<Item = (Requester, serialization::service::ResourceId)> {
    outbox.effects().iter().filter_map(|effect| match *effect {
        Effect::Granted { by, resource } => Some((by, resource)),
        Effect::ReserveVolume { .. }
        | Effect::ReleaseVolume { .. }
        | Effect::Contention { .. }
        | Effect::NoWait { .. } => None,
    })
}

fn any_requester() -> impl Strategy<Value = Requester> {
    prop::sample::select(everybody())
}

fn any_scope() -> impl Strategy<Value = Scope> {
    prop_oneof![1 => Just(Scope::Step), 1 => Just(Scope::System), 6 => Just(Scope::Systems)]
}

fn any_access() -> impl Strategy<Value = Access> {
    prop_oneof![Just(Access::Shared), Just(Access::Exclusive)]
}

fn any_ret() -> impl Strategy<Value = Ret> {
    prop_oneof![
        5 => Just(Ret::None), 3 => Just(Ret::Have), 1 => Just(Ret::Use), 1 => Just(Ret::Test), 2 => Just(Ret::Change)
    ]
}

fn any_volume() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![3 => Just(None), 1 => (0..2u32).prop_map(Some)]
}

fn any_caller() -> impl Strategy<Value = Caller> {
    let linkage = prop_oneof![Just(Linkage::Svc), Just(Linkage::Pc)];
    let memory = prop_oneof![9 => Just(Memory::Home), 1 => Just(Memory::Cross)];
    let locks = prop_oneof![19 => Just(Locks::None), 1 => Just(Locks::Held)];
    let authority = prop_oneof![Just(Authority::Unauthorized), Just(Authority::Authorized)];
    (linkage, memory, locks, authority).prop_map(|(linkage, memory, locks, authority)| Caller {
        linkage,
        memory,
        locks,
        authority,
    })
}
