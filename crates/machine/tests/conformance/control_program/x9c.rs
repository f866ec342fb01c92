//! DIAGNOSE X'9C': which of its five outcomes does it have, what does it cost, and when does SIGP Sense spare it?
//!
//! z/VM Performance Report, "Diagnose X'9C' Support".  ASSUME: the state of the target is read when the DIAGNOSE has been
//! simulated.

use super::spinners::{came_of, costly, diagnosed, spinning, system};
use super::stand::{System, plan, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, VirtualMachinePlan, Yields};
use machine::signal::control_program::Diagnosed::{Dispatched, InSoftWait, InWait, NotReady, Sensed, Yielded};
use machine::signal::control_program::VirtualStanding::{Idle, Interrupted, Limited, Ready, Running, Waking};
use units::{Percent, Span};

const LONG: Left = Left::Work(Span::SECOND);

/// Requester 1 spins in rounds of 20 us and names requester 0, which has work on the other of two processors.
fn named_runs(yields: Yields) -> System {
    let mut system = system(2, spinning(3, yields, 10));
    system.ready_in(0, 0, LONG, us(0));
    system.spins(0, (1, Some(0)), us(0));
    system
}

/// The same, and its virtual processor waits: the other of the two is in use for another.
fn named_waits(yields: Yields) -> System {
    let mut system = system(2, spinning(3, yields, 10));
    system.spins(0, (1, Some(2)), us(0));
    system.ready_in(0, 3, LONG, us(0));
    system.ready_in(0, 2, LONG, us(0));
    assert_eq!(system.standing(2), Ready);
    system
}

#[test]
fn one_that_waits_is_yielded_to() {
    let mut system = named_waits(Yields::X9C);
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(0, 0, Yielded)]);
    assert_eq!((system.on(0), system.standing(0)), (Some(2), Ready));
}

#[test]
fn to_one_that_runs_it_need_not_yield() {
    let mut system = named_runs(Yields::X9C);
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(1, 1, Dispatched)]);
    assert_eq!((system.on(1), system.due(1)), (Some(1), Some(us(44))), "another round");
}

/// Handling a wake-up takes 10 us.
fn waking() -> ControlProgramPlan {
    ControlProgramPlan { costs: CostsPlan { wake: Span::from_us(10), ..costly(settings()).costs }, ..settings() }
}

#[test]
fn one_that_is_interrupted_has_its_processor() {
    let mut system = System::new(&plan(2, waking(), vec![spinning(3, Yields::X9C, 10)]));
    system.ready_in(0, 0, LONG, us(0));
    system.spins(0, (1, Some(0)), us(0));
    system.run_to(us(25));
    assert_eq!((system.on(0), system.on(1), system.due(1)), (Some(0), Some(1), Some(us(30))));
    // Whose interrupt the processor of requester 0 handles.
    system.ready_in(0, 2, LONG, us(25));
    assert_eq!(system.standing(0), Interrupted);
    system.run_to(us(34));
    assert_eq!(diagnosed(&system), [(1, 1, Dispatched)]);
}

#[test]
fn one_that_is_being_woken_is_not_ready() {
    let mut system = System::new(&plan(2, waking(), vec![spinning(2, Yields::X9C, 10)]));
    system.spins(0, (0, Some(1)), us(0));
    system.ready_in(0, 1, Left::Work(Span::from_us(5)), us(0));
    system.run_to(us(31));
    system.ready_in(0, 1, LONG, us(31));
    system.run_to(us(34));
    assert_eq!((diagnosed(&system), system.standing(1)), (vec![(0, 0, NotReady)], Waking));
}

#[test]
fn one_that_is_at_its_limit_is_not_ready() {
    let machine = VirtualMachinePlan { limit: Some(Percent::new(50.0)), ..spinning(2, Yields::X9C, 10) };
    let mut system = system(2, machine);
    system.ready_in(0, 0, LONG, us(0));
    let mut now = 5_000;
    system.run_to(us(now));
    while system.standing(0) != Limited {
        now += 1;
        system.run_to(us(now));
    }
    system.spins(0, (1, Some(0)), us(now));
    system.run_to(us(now + 24));
    assert_eq!((diagnosed(&system), system.standing(0)), (vec![(1, 1, NotReady)], Limited));
}

#[test]
fn one_without_work_is_in_soft_wait_for_300_ms_and_then_in_wait() {
    for (looked, what) in [(74, InSoftWait), (300_049, InSoftWait), (300_050, InWait), (1_000_000, InWait)] {
        let mut system = system(2, spinning(2, Yields::X9C, 10));
        for (requester, work) in [(0, 50), (1, 1)] {
            system.ready_in(0, requester, Left::Work(Span::from_us(work)), us(0));
        }
        system.run_to(us(looked - 24));
        assert_eq!(system.standing(0), Idle, "since 50 us after the start");
        system.spins(0, (1, Some(0)), us(looked - 24));
        system.run_to(us(looked));
        assert_eq!(came_of(&system), [(looked, what)]);
    }
}

#[test]
fn an_unknown_target_has_nothing_to_do() {
    let mut system = system(1, spinning(2, Yields::X9C, 10));
    system.spins(0, (1, None), us(0));
    system.run_to(us(24));
    assert_eq!((diagnosed(&system), system.due(0)), (vec![(0, 0, InWait)], Some(us(44))));
}

#[test]
fn one_of_another_machine_is_not_named() {
    let kinds = vec![spinning(1, Yields::X9C, 10), spinning(1, Yields::X9C, 10)];
    let mut system = System::new(&plan(1, costly(settings()), kinds));
    system.ready_in(1, 1, LONG, us(0));
    system.spins(0, (0, Some(1)), us(0));
    system.run_to(us(2_000));
    assert!(came_of(&system).iter().all(|(_, what)| *what == InWait), "{:?}", came_of(&system));
}

#[test]
fn every_outcome_costs_the_same_and_is_charged_to_the_caller() {
    for (mut system, logical, own) in [(named_runs(Yields::X9C), 1, 1), (named_waits(Yields::X9C), 0, 0)] {
        system.run_to(us(24));
        let spent = system.spent(logical);
        assert_eq!((spent.chargeable, spent.system), (Span::from_us(4), Span::ZERO));
        assert_eq!(system.charged[own], Span::from_us(24));
    }
}

#[test]
fn the_state_of_the_target_is_read_when_the_diagnose_has_been_simulated() {
    let mut system = system(2, spinning(2, Yields::X9C, 10));
    system.ready_in(0, 0, Left::Work(Span::from_us(22)), us(0));
    system.spins(0, (1, Some(0)), us(0));
    system.run_to(us(20));
    assert_eq!(system.standing(0), Running, "when it is issued");
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(1, 1, InSoftWait)]);
}

#[test]
fn sense_running_spares_it_where_the_target_runs() {
    let mut system = named_runs(Yields::SenseRunning);
    system.run_to(us(21));
    assert_eq!(diagnosed(&system), [(1, 1, Sensed)]);
    assert_eq!((system.on(1), system.due(1)), (Some(1), Some(us(42))), "another round and a look");
    let spent = system.spent(1);
    assert_eq!((spent.spinning, spent.chargeable), (Span::from_us(21), Span::ZERO));
}

#[test]
fn sense_running_is_followed_by_it_where_the_target_does_not_run() {
    let mut system = named_waits(Yields::SenseRunning);
    system.run_to(us(21));
    assert_eq!((diagnosed(&system), system.due(0)), (vec![], Some(us(25))));
    system.run_to(us(25));
    assert_eq!((diagnosed(&system), system.on(0)), (vec![(0, 0, Yielded)], Some(2)));
    let spent = system.spent(0);
    assert_eq!((spent.spinning, spent.chargeable), (Span::from_us(21), Span::from_us(4)));
}

#[test]
fn one_that_is_interrupted_does_not_run() {
    let mut system = System::new(&plan(2, waking(), vec![spinning(3, Yields::SenseRunning, 10)]));
    system.ready_in(0, 0, LONG, us(0));
    system.spins(0, (1, Some(0)), us(0));
    system.run_to(us(25));
    system.ready_in(0, 2, LONG, us(25));
    assert_eq!((system.standing(0), system.due(1)), (Interrupted, Some(us(31))));
    system.run_to(us(31));
    assert_eq!(diagnosed(&system), [], "it is asked for");
    system.run_to(us(35));
    assert_eq!(diagnosed(&system), [(1, 1, Dispatched)]);
}

#[test]
fn where_the_lock_is_free_there_is_no_target_to_run() {
    let mut system = system(1, spinning(2, Yields::SenseRunning, 10));
    system.spins(0, (1, None), us(0));
    system.run_to(us(21));
    assert_eq!(diagnosed(&system), [(0, 0, Sensed)]);
}
