//! Exits of an installation's own in the machine: what a call costs, and what becomes of requests that they answer.

use super::enqueues::{nothing, one, pair, resource, service, serving};
use crate::plans::closed;
use kernel::draw::Streams;
use machine::plan::{
    Answer, Change, ChangePlan, ComplexPlan, Costs, EnqStep, ExitChange, ExitPlan, Plan, Point, Ret, Scope,
    SerializationPlan, Step, Structure,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::Span;

/// How many pairs a guest makes in an interval that is this many pairs of the service alone long.
const PAIRS: u64 = 100;

/// An exit for all names.
fn exit(point: Point, answer: Answer) -> ExitPlan {
    ExitPlan {
        name: "OWN".into(),
        point,
        names: None,
        answer,
        rename: None,
        volume: None,
        own: Span::ZERO,
        stops: false,
        installed: true,
    }
}

/// The service with this exit, and prices of nothing but the service itself and the calls.
fn with(exit: ExitPlan) -> SerializationPlan {
    SerializationPlan { exits: vec![exit], ..service(Structure::None, Costs::default()) }
}

/// One guest, pair after pair, on a processor of its own.
fn alone(own: SerializationPlan, ret: Ret) -> Plan {
    let Step::Enq(enq) = pair(0, nothing()) else { unreachable!("a pair begins with an ENQ") };
    serving(vec![closed(1, vec![Step::Compute(constant_us(10)), Step::Enq(EnqStep { ret, ..enq })])], 1, own)
}

fn constant_us(us: u64) -> kernel::distribution::Distribution {
    kernel::distribution::Distribution::Constant(Span::from_us(us))
}

/// Intervals of a pair of the service alone, this many of them in each.
fn intervals(plan: &Plan, count: u32) -> Vec<IntervalTotals> {
    let interval = Span::from_us(29) * PAIRS;
    let measurement = Measurement { warm_up: Span::ZERO, interval, intervals: count, sample: Span::from_ms(100) };
    replicate(plan, &Streams::new(1, 0), &measurement, "own exits", |_| true).expect("the laws hold")
}

#[test]
fn a_call_costs_its_list_its_entry_and_what_it_does_of_its_own() {
    let own = ExitPlan { own: Span::from_us(5), ..exit(Point::Fast, Answer::default()) };
    let row = one(&alone(with(own), Ret::None), Span::from_ms(20));
    // 19 us of the service, and of an ENQ and of a DEQ a list and an entry of 0.1 us each and 5 us.
    assert!((row.cpu_us_per_pair.value - 29.4).abs() < 0.1, "{}", row.cpu_us_per_pair.value);
    assert!((row.fast_us.value - 10.4).abs() < 0.1, "{}", row.fast_us.value);
}

#[test]
fn a_name_that_an_exit_makes_local_waits_for_no_other_system() {
    let answer = Answer { scope: Some(Scope::System), skip_lists: true, ..Answer::default() };
    let delayed = |exits: Vec<ExitPlan>| {
        let complex = ComplexPlan::Star { service: Span::from_us(50) };
        let mut plan =
            alone(SerializationPlan { complex, exits, ..service(Structure::None, Costs::default()) }, Ret::None);
        plan.enqueues = vec![resource(0, Scope::Systems)];
        one(&plan, Span::from_ms(20)).delay_ms
    };
    assert_eq!(delayed(vec![]).value, 0.05);
    assert!(!delayed(vec![exit(Point::Fast, answer)]).is_known(), "no request was on its way to other systems");
}

#[test]
fn names_that_exits_make_one_are_one_resource() {
    let guests = (0..2).map(|number| closed(1, vec![pair(number, vec![Step::Compute(constant_us(100))])]));
    let own = ExitPlan { rename: Some(1), ..exit(Point::Fast, Answer::default()) };
    let mut plan = serving(guests.collect(), 2, with(own));
    plan.guests.iter_mut().enumerate().for_each(|(number, guest)| guest.name = format!("G{number}"));
    let rows = &intervals(&plan, 1)[0].enqueues;
    assert_eq!(rows[0].requests_per_s.value, 0.0);
    assert!(rows[1].requests_per_s.value > 0.0 && rows[1].contended_per_s.value > 0.0);
}

#[test]
fn a_task_that_asks_for_one_resource_by_two_names_has_it_once() {
    for ret in [Ret::None, Ret::Use, Ret::Have] {
        let Step::Enq(inner) = pair(1, nothing()) else { unreachable!("a pair begins with an ENQ") };
        let program = vec![pair(0, vec![Step::Enq(EnqStep { ret, ..inner })]), Step::Compute(constant_us(10))];
        let own = ExitPlan { rename: Some(1), ..exit(Point::Fast, Answer::default()) };
        let mut plan = serving(vec![closed(1, program)], 1, with(own));
        plan.enqueues.push(resource(1, Scope::System));
        let row = &intervals(&plan, 2)[1].enqueues[1];
        assert!(row.owners.value > 0.0 && row.owners.value <= 1.0, "{ret:?}");
        // Without a return code the second one ends the caller with X'138', which is counted as refused.
        assert_eq!(row.refused_per_s.value > 0.0, ret == Ret::None, "{ret:?}");
    }
}

#[test]
fn a_return_code_is_for_requests_that_mind_it() {
    let answer = Answer { code: Some(8), ..Answer::default() };
    for (ret, refused) in [(Ret::None, false), (Ret::Use, true), (Ret::Have, true)] {
        let row = intervals(&alone(with(exit(Point::Batch, answer.clone())), ret), 1)[0].enqueues[0].clone();
        assert!(row.requests_per_s.value > 0.0, "{ret:?}");
        assert_eq!(row.refused_per_s.value, if refused { row.requests_per_s.value } else { 0.0 }, "{ret:?}");
        assert_eq!(row.owners.value > 0.0, !refused, "{ret:?}");
    }
}

#[test]
fn what_is_kept_is_kept_although_it_is_refused_when_it_is_asked_for_again() {
    let answer = Answer { code: Some(8), ..Answer::default() };
    let Step::Enq(first) = pair(0, nothing()) else { unreachable!("a pair begins with an ENQ") };
    let kept = |ret| Step::Enq(EnqStep { ret, steps: None, ..first.clone() });
    let program = vec![kept(Ret::None), kept(Ret::Have), Step::Compute(constant_us(10))];
    let plan = serving(vec![closed(1, program)], 1, with(exit(Point::Batch, answer)));
    let row = intervals(&plan, 1)[0].enqueues[0].clone();
    assert!((row.refused_per_s.value * 2.0 - row.requests_per_s.value).abs() <= 2.0 * row.refused_per_s.value / 10.0);
    assert!(row.owners.value > 0.0);
}

#[test]
fn an_abnormal_end_is_in_place_of_an_enq_and_never_of_a_deq() {
    let answer = Answer { abend: Some(0x738), ..Answer::default() };
    let row = |ret| intervals(&alone(with(exit(Point::Batch, answer.clone())), ret), 1)[0].enqueues[0].clone();
    for ret in [Ret::None, Ret::Use] {
        let row = row(ret);
        assert!(row.requests_per_s.value > 0.0 && row.refused_per_s.value == row.requests_per_s.value);
    }
}

#[test]
fn an_exit_that_fails_is_called_once_in_each_system() {
    let own = exit(Point::Batch, Answer { fail: true, abend: Some(1), ..Answer::default() });
    let plan = alone(with(own), Ret::None);
    let rows = intervals(&plan, 2);
    let service = |number: usize| rows[number].serialization[0].clone();
    assert_eq!([service(0).exits_removed.value, service(1).exits_removed.value], [1.0, 1.0]);
    assert_eq!(rows[0].enqueues[0].refused_per_s.value, 0.0, "what it wanted is not done");
    assert!(service(0).batch_per_pair.value > 0.0);
    assert_eq!(service(1).batch_per_pair.value, 0.0);
}

#[test]
fn exits_are_called_from_when_they_are_added_until_they_are_deleted() {
    let own = ExitPlan { installed: false, ..exit(Point::Batch, Answer { abend: Some(1), ..Answer::default() }) };
    let mut plan = alone(with(own), Ret::None);
    let interval = Span::from_us(29) * PAIRS;
    let at = |at, change| ChangePlan { at, change: Change::Exit(change) };
    let within = Span::from_us(100);
    plan.changes = vec![at(interval + within, ExitChange::Add(0)), at(interval * 3 - within, ExitChange::Delete(0))];
    let refused: Vec<bool> = intervals(&plan, 4).iter().map(|row| row.enqueues[0].refused_per_s.value > 0.0).collect();
    assert_eq!(refused, [false, true, true, false]);
}
