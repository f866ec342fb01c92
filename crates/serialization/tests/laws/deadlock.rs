//! Deadlocks against what follows from every single wait, worked out the long way.

use super::any_history::{LIMITS, any_history, carry_out, names};
use super::cases;
use proptest::prelude::*;
use serialization::Requester;
use serialization::service::{Deadlock, Outbox, Service, Wait};
use std::collections::{BTreeMap, BTreeSet};

/// Sets of tasks that reach each other over waits, by trying every pair.
fn by_hand(waits: &[Wait]) -> BTreeSet<Vec<Requester>> {
    let mut reach: BTreeMap<Requester, BTreeSet<Requester>> = BTreeMap::new();
    for wait in waits {
        reach.entry(wait.by).or_default().extend(&wait.blockers[..]);
    }
    loop {
        let before = reach.clone();
        for reached in reach.values_mut() {
            let further: Vec<Requester> =
                reached.iter().filter_map(|task| before.get(task)).flatten().copied().collect();
            reached.extend(further);
        }
        if reach == before {
            break;
        }
    }
    let both = |a: &Requester, b: &Requester| reach[a].contains(b) && reach.get(b).is_some_and(|back| back.contains(a));
    let set_of = |a: &Requester| reach[a].iter().filter(|b| both(a, b)).copied().collect::<Vec<_>>();
    reach.keys().map(set_of).filter(|tasks| tasks.len() > 1).collect()
}

/// Each link is the wait of a task, and the last leads back to the first.
fn is_a_circle(deadlock: &Deadlock, waits: &[Wait]) -> bool {
    let mut links = deadlock.circle.iter().zip(deadlock.circle.iter().cycle().skip(1));
    let is_a_wait = |link: &serialization::service::Link| {
        waits.iter().any(|wait| {
            wait.by == link.waiter
                && wait.name == link.name
                && wait.reach == link.reach
                && wait.blockers.contains(&link.blocker)
        })
    };
    links.all(|(link, next)| link.blocker == next.waiter && is_a_wait(link))
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn deadlocks_are_tasks_that_reach_each_other(history in any_history(80)) {
        let (names, mut service, mut outbox) = (names(), Service::new(LIMITS), Outbox::new());
        for step in &history {
            carry_out(&mut service, &names, step, &mut outbox);
            let (waits, deadlocks) = (service.waits(), service.deadlocks());
            let found: BTreeSet<Vec<Requester>> = deadlocks.iter().map(|deadlock| deadlock.tasks.clone()).collect();
            prop_assert_eq!(found, by_hand(&waits));
            prop_assert!(deadlocks.iter().all(|deadlock| is_a_circle(deadlock, &waits)));
        }
    }
}
