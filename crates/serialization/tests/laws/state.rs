//! Invariants of the queues after any history.

use super::any_history::{LIMITS, Outcome, any_history, carry_out, everybody, names};
use super::cases;
use proptest::prelude::*;
use serialization::service::{DeqOutcome, EnqOutcome, Filter, Outbox, Service};

/// Whether a request may have changed a queue.
fn changes(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Enq(EnqOutcome::Granted | EnqOutcome::Waits | EnqOutcome::Changed) => true,
        Outcome::Enq(
            EnqOutcome::Available
            | EnqOutcome::Unavailable
            | EnqOutcome::SharedByOthers
            | EnqOutcome::Held
            | EnqOutcome::NotHeld
            | EnqOutcome::Outstanding
            | EnqOutcome::OverLimit
            | EnqOutcome::Abend(_),
        ) => false,
        Outcome::Deq(DeqOutcome::Released) => true,
        Outcome::Deq(DeqOutcome::Outstanding | DeqOutcome::NotRequested | DeqOutcome::Abend(_)) => false,
        Outcome::End(released) => released > 0,
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Never two exclusive owners, never one beside sharing owners, no wait for a free resource, right counts.
    #[test]
    fn no_law_is_ever_broken(history in any_history(120)) {
        let (names, mut service, mut outbox) = (names(), Service::new(LIMITS), Outbox::new());
        for step in &history {
            carry_out(&mut service, &names, step, &mut outbox);
            prop_assert_eq!(service.broken_laws(), Vec::<String>::new());
        }
    }

    /// A refused request changes nothing.
    #[test]
    fn what_is_refused_changes_nothing(history in any_history(120)) {
        let (names, mut service, mut outbox) = (names(), Service::new(LIMITS), Outbox::new());
        for step in &history {
            let before = service.query(&Filter::default());
            let outcome = carry_out(&mut service, &names, step, &mut outbox);
            let after = service.query(&Filter::default());
            prop_assert!(changes(outcome) || before == after, "{step:?} -> {outcome:?}");
        }
    }

    /// When all tasks have ended nothing is left: no queue, no count, no reserve.
    #[test]
    fn everything_is_released_in_the_end(history in any_history(120)) {
        let (names, mut service, mut outbox) = (names(), Service::new(LIMITS), Outbox::new());
        for step in &history {
            carry_out(&mut service, &names, step, &mut outbox);
        }
        for by in everybody() {
            service.end_task(by, &mut outbox);
        }
        prop_assert_eq!(service.query(&Filter::default()), vec![]);
        prop_assert!([(1, 1), (1, 2), (2, 1)].iter().all(|&(system, space)| service.requests_of_space(system, space) == (0, 0)));
        prop_assert!([1, 2].iter().all(|&system| (0..2).all(|volume| service.reserves(system, volume) == 0)));
    }

    /// No address space ever has more requests than it may have.
    #[test]
    fn limits_hold(history in any_history(120)) {
        let (names, mut service, mut outbox) = (names(), Service::new(LIMITS), Outbox::new());
        for step in &history {
            carry_out(&mut service, &names, step, &mut outbox);
            for (system, space) in [(1, 1), (1, 2), (2, 1)] {
                let (unauthorized, authorized) = service.requests_of_space(system, space);
                prop_assert!(unauthorized <= LIMITS.unauthorized && authorized <= LIMITS.authorized);
            }
        }
    }

    /// The same history gives the same outcomes, effects and queues, in a service that has seen others before.
    #[test]
    fn what_went_before_leaves_no_trace(first in any_history(80), second in any_history(80)) {
        let names = names();
        let (mut used, mut fresh) = (Service::new(LIMITS), Service::new(LIMITS));
        let (mut one, mut other) = (Outbox::new(), Outbox::new());
        for step in &first {
            carry_out(&mut used, &names, step, &mut one);
        }
        for by in everybody() {
            used.end_task(by, &mut one);
        }
        for step in &second {
            let outcomes =
                (carry_out(&mut used, &names, step, &mut one), carry_out(&mut fresh, &names, step, &mut other));
            prop_assert_eq!(outcomes.0, outcomes.1);
            prop_assert_eq!(one.effects().len(), other.effects().len());
            prop_assert_eq!(used.query(&Filter::default()), fresh.query(&Filter::default()));
        }
    }
}
