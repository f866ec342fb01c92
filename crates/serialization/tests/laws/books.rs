//! An account of outcomes and effects alone agrees with the queues: every change is reported.

use super::any_history::{LIMITS, Outcome, Step, any_history, carry_out, ends, granted, names};
use super::cases;
use proptest::prelude::*;
use serialization::service::{DeqOutcome, Effect, EnqOutcome, Filter, Outbox, Queue, Reach, Service, Standing};
use serialization::{Access, Requester, ResourceName};
use std::collections::{BTreeMap, BTreeSet};

type Key = (ResourceName, Reach, Requester);

/// The requests: since which step, for which access, and whether they are granted.
#[derive(Default)]
struct Books {
    standing: BTreeMap<Key, (usize, Access, Standing)>,
    reserved: BTreeSet<(u16, u32)>,
    contended: BTreeMap<(ResourceName, Reach), u32>,
}

impl Books {
    fn enter(&mut self, at: usize, step: &Step, outcome: Outcome, names: &[ResourceName]) {
        match *step {
            Step::Enq { by, what, scope, access, .. } => {
                let key = (names[what].clone(), Reach::of(scope, by), by);
                if let Outcome::Enq(EnqOutcome::Granted) = outcome {
                    self.standing.insert(key, (at, access, Standing::Owns));
                } else if let Outcome::Enq(EnqOutcome::Waits) = outcome {
                    self.standing.insert(key, (at, access, Standing::Waits));
                } else if let Outcome::Enq(EnqOutcome::Changed) = outcome {
                    self.standing.get_mut(&key).expect("it was held").1 = Access::Exclusive;
                }
            }
            Step::Deq { by, what, scope, .. } => {
                if let Outcome::Deq(DeqOutcome::Released) = outcome {
                    self.standing.remove(&(names[what].clone(), Reach::of(scope, by), by)).expect("it was held");
                }
            }
            Step::End { .. } | Step::EndAll { .. } => {
                let before = self.standing.len();
                self.standing.retain(|key, _| !ends(step, key.2));
                assert_eq!(outcome, Outcome::End((before - self.standing.len()) as u32));
            }
        }
    }

    fn hear(&mut self, service: &Service, outbox: &Outbox) {
        for (by, resource) in granted(outbox) {
            let (name, reach) = service.resource(resource);
            let entry = self.standing.get_mut(&(name, reach, by)).expect("every grant follows a request");
            assert_eq!(std::mem::replace(&mut entry.2, Standing::Owns), Standing::Waits);
        }
        for effect in outbox.effects() {
            match *effect {
                Effect::ReserveVolume { system, volume } => assert!(self.reserved.insert((system, volume))),
                Effect::ReleaseVolume { system, volume } => assert!(self.reserved.remove(&(system, volume))),
                Effect::Contention { resource, waiters } => {
                    let before = self.contended.insert(service.resource(resource), waiters);
                    assert_ne!(before.unwrap_or(0), waiters, "the same contention is not reported twice");
                }
                Effect::Granted { .. } | Effect::NoWait { .. } => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// The standing of each task follows from its answers and effects.
    #[test]
    fn every_change_is_reported(history in any_history(120)) {
        let (names, mut service, mut outbox, mut books) = (names(), Service::new(LIMITS), Outbox::new(), Books::default());
        for (at, step) in history.iter().enumerate() {
            let outcome = carry_out(&mut service, &names, step, &mut outbox);
            books.enter(at, step, outcome, &names);
            books.hear(&service, &outbox);
            let queues = service.query(&Filter::default());
            prop_assert_eq!(&told(&queues), &books.standing.iter().map(|(key, one)| (key.clone(), (one.1, one.2))).collect());
            for queue in &queues {
                let told = books.contended.get(&(queue.name.clone(), queue.reach)).copied().unwrap_or(0);
                prop_assert_eq!(told, queue.waiters());
            }
        }
    }

    /// A volume is reserved for a system exactly as long as one of its RESERVEs has what it asked for.
    #[test]
    fn volumes_are_reserved_as_long_as_needed(history in any_history(120)) {
        let (names, mut service, mut outbox, mut books) = (names(), Service::new(LIMITS), Outbox::new(), Books::default());
        for (at, step) in history.iter().enumerate() {
            let outcome = carry_out(&mut service, &names, step, &mut outbox);
            books.enter(at, step, outcome, &names);
            books.hear(&service, &outbox);
            let owners = service.query(&Filter::default()).into_iter().flat_map(|queue| queue.requests);
            let needed: BTreeSet<(u16, u32)> = owners
                .filter(|request| request.standing == Standing::Owns)
                .filter_map(|request| request.reserve.map(|reserve| (request.by.system, reserve.volume)))
                .collect();
            prop_assert_eq!(&needed, &books.reserved);
        }
    }

    /// Queues are in the order in which requests came; no request is served before an earlier one that waits.
    #[test]
    fn first_come_first_served(history in any_history(120)) {
        let (names, mut service, mut outbox, mut books) = (names(), Service::new(LIMITS), Outbox::new(), Books::default());
        for (at, step) in history.iter().enumerate() {
            let outcome = carry_out(&mut service, &names, step, &mut outbox);
            books.enter(at, step, outcome, &names);
            for queue in service.query(&Filter::default()) {
                let since = |by| books.standing[&(queue.name.clone(), queue.reach, by)].0;
                prop_assert!(queue.requests.is_sorted_by_key(|request| since(request.by)));
                prop_assert!(queue.requests.is_sorted_by_key(|request| request.standing));
            }
        }
    }
}

fn told(queues: &[Queue]) -> BTreeMap<Key, (Access, Standing)> {
    let of = |queue: &Queue| {
        let (name, reach) = (queue.name.clone(), queue.reach);
        queue
            .requests
            .iter()
            .map(move |request| ((name.clone(), reach, request.by), (request.access, request.standing)))
            .collect::<Vec<_>>()
    };
    queues.iter().flat_map(of).collect()
}
