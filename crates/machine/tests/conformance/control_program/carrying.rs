//! Logical processors that are not dispatched all the time: what becomes of their work, and which are asked for?
//!
//! ASSUME: nothing is published of what a control program does that PR/SM takes a processor from.

use super::stand::{System, machines, plan, s, settings, vertical, weighted};
use crate::stand::us;
use machine::ids::Logical;
use machine::plan::Srm;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan};
use machine::signal::control_program::VirtualStanding::{Idle, Interrupted, Ready, Running, Waking};
use units::Span;

/// Handling a wake-up takes 10 us, dispatching 2, entering a guest 5.
fn costly(plain: ControlProgramPlan) -> ControlProgramPlan {
    let costs = CostsPlan {
        wake: Span::from_us(10),
        dispatch: Span::from_us(2),
        entry: Span::from_us(5),
        ..CostsPlan::default()
    };
    ControlProgramPlan { costs, ..plain }
}

/// This many logical processors, of which the first this many are carried.
fn system(logical: u32, carried: u32) -> System {
    let mut system = System::not_carried(&weighted(logical, costly(settings()), vec![machines(8, 1)]));
    for number in 0..carried {
        system.carry(number, us(0));
    }
    system.waits.clear();
    system
}

#[test]
fn what_it_ran_is_suspended_and_goes_on_with_another_entry() {
    let mut system = system(1, 1);
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    assert_eq!(system.due(0), Some(us(117)));
    system.drop(0, us(57));
    assert_eq!((system.standing(0), system.due(0)), (Interrupted, None));
    assert_eq!(system.wanted, [0], "it has work");
    system.carry(0, us(200));
    assert_eq!((system.standing(0), system.due(0)), (Running, Some(us(265))), "40 were over");
    system.over(0, us(265));
    assert_eq!(system.served[0].charged, Span::from_us(110), "not for the time in between");
}

#[test]
fn its_own_path_goes_on_where_it_was() {
    let mut system = system(1, 1);
    system.ready(0, 100, us(0));
    system.drop(0, us(4));
    assert_eq!((system.standing(0), system.due(0)), (Waking, None));
    assert_eq!(system.wanted, [0]);
    system.pass_to(us(60));
    assert_eq!(system.control.under_way(Logical(0), us(60)).system, Span::from_us(4), "no time passes there");
    system.carry(0, us(100));
    assert_eq!(system.due(0), Some(us(106)));
    system.drop(0, us(105));
    system.carry(0, us(300));
    system.over(0, us(301));
    assert_eq!(system.on(0), Some(0));
    assert_eq!(system.spent(0).system, Span::from_us(10));
}

#[test]
fn it_is_called_when_work_comes_while_it_is_undispatched() {
    let mut system = system(1, 0);
    system.ready(0, 100, us(50));
    assert_eq!((system.standing(0), system.due(0)), (Waking, None));
    assert_eq!(system.wanted, [0]);
    system.ready(1, 100, us(60));
    assert_eq!(system.wanted, [0], "once");
    system.carry(0, us(70));
    system.over(0, us(80));
    system.over(0, us(90));
    assert_eq!((system.standing(0), system.standing(1)), (Running, Ready));
}

#[test]
fn one_that_had_nothing_to_do_is_not_called() {
    let mut system = system(1, 1);
    system.drop(0, us(50));
    assert_eq!(system.wanted, []);
    assert!(!system.control.is_in_wait(Logical(0)), "it is not carried");
}

#[test]
fn one_that_has_nothing_to_do_any_more_says_so() {
    let mut system = system(1, 1);
    assert!(system.control.is_in_wait(Logical(0)));
    system.ready(0, 100, us(0));
    assert!(!system.control.is_in_wait(Logical(0)));
    system.over(0, us(10));
    system.over(0, us(117));
    assert_eq!((system.standing(0), &system.waits[..]), (Idle, &[0][..]));
    assert!(system.control.is_in_wait(Logical(0)));
}

#[test]
fn the_nearest_that_is_carried_handles_the_wake_ups_of_one_that_is_not() {
    let mut system = system(2, 1);
    system.ready(1, 100, us(0));
    assert_eq!((system.due(0), system.wanted.len()), (Some(us(10)), 0));
    system.over(0, us(10));
    assert_eq!(system.on(0), Some(1));
}

#[test]
fn another_idle_one_is_called_where_its_own_is_not_free() {
    let mut system = system(2, 1);
    system.ready(0, 900, us(0));
    system.over(0, us(10));
    assert_eq!(system.wanted, [], "its own was free");
    system.ready(2, 100, us(50));
    system.over(0, us(60));
    assert_eq!((system.standing(2), &system.wanted[..]), (Ready, &[1][..]));
    system.carry(1, us(80));
    assert_eq!(system.on(1), Some(2));
}

#[test]
fn one_that_would_have_to_be_carried_is_called_only_where_none_is_idle_that_is() {
    let mut system = system(3, 1);
    system.carry(2, us(0));
    system.ready(0, 900, us(0));
    system.over(0, us(10));
    system.ready(3, 100, us(50));
    system.over(0, us(60));
    assert_eq!((system.on(2), system.wanted.len()), (Some(3), 0));
}

#[test]
fn with_vectors_it_is_called_for_its_own_and_takes_them() {
    let plain = ControlProgramPlan { barriers: [9; 3], ..vertical() };
    let mut system = System::not_carried(&weighted(2, costly(plain), vec![machines(8, 1)]));
    system.carry(0, us(0));
    system.ready(1, 100, us(0));
    system.over(0, us(10));
    assert_eq!((system.standing(1), system.depth(1)), (Ready, 1), "at home on a processor that is undispatched");
    assert_eq!(system.wanted, [1]);
    system.carry(1, us(30));
    assert_eq!(system.on(1), Some(1));
}

#[test]
fn interrupted_work_stays_with_it() {
    let mut system = system(1, 1);
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    system.ready(1, 100, us(57));
    system.drop(0, us(60));
    assert_eq!((system.standing(0), system.standing(1)), (Interrupted, Waking));
    system.carry(0, us(100));
    system.over(0, us(107));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(172))), "an entry, and 60 to run");
}

/// A run that is over at the instant at which it loses its processor is over all the same, once that is there again.
#[test]
fn one_that_is_just_over_is_served_when_it_is_carried_again() {
    let mut system = system(1, 1);
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    system.drop(0, us(117));
    assert_eq!(system.served, []);
    system.carry(0, us(500));
    system.run_to(us(600));
    assert_eq!(system.served.len(), 1);
    assert_eq!(system.served[0].requester, 0);
}

#[test]
fn where_partitions_are_not_weighted_there_is_no_signal() {
    let mut system = System::not_carried(&plan(1, costly(settings()), vec![machines(1, 1)]));
    system.ready(0, 100, us(50));
    system.carry(0, us(70));
    system.run_to(us(500));
    assert_eq!(system.served.len(), 1);
    assert_eq!((system.wanted.len(), system.waits.len()), (0, 0));
}

/// A parked processor has nothing to do, so PR/SM takes it away: when it is used again it has to be asked for.
#[test]
fn one_that_is_unparked_is_called() {
    let mut system = System::not_carried(&weighted(2, costly(vertical()), vec![machines(4, 1)]));
    system.carry(0, us(0));
    system.carry(1, us(0));
    system.ready(0, 50_000_000, us(0));
    system.run_to(s(2));
    assert!(system.is_parked(1));
    system.drop(1, s(2));
    assert_eq!(system.wanted, []);
    system.run_to(s(3));
    system.ready(2, 50_000_000, s(3));
    system.set(Srm::CpuPad(1.0), s(3));
    system.run_to(s(4));
    assert!(!system.is_parked(1));
    assert_eq!(system.wanted, [1], "a virtual processor waits, and it is to be used");
    system.carry(1, s(4));
    system.run_to(us(4_000_100));
    assert!(system.on(1).is_some());
}
