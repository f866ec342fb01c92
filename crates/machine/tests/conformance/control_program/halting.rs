//! A guest halts at the end of a round, and the release of the lock kicks it: the cost of both, the guest that wakes, and what a kick
//! that comes early does.
//!
//! Sources: Friebel and Biemueller, How to Deal with Lock Holder Preemption (Xen Summit 2008); Linux 3.12,
//! arch/x86/kernel/kvm.c.

use super::spinners::{came_of, spinning, tried};
use super::stand::{System, machines, plan, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::ids::SpinLock;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, Yields};
use machine::signal::control_program::Diagnosed::{Halted as HasHalted, Kicked};
use machine::signal::control_program::VirtualStanding::{Halted, Idle, Ready, Running};
use units::Span;

/// A wait costs 3 us, 2 of them charged; a wake-up 5, and a kick 4.
fn settings_here() -> ControlProgramPlan {
    let us = Span::from_us;
    let costs = CostsPlan { wait: us(1), simulate: us(2), wake: us(5), kick: us(4), ..CostsPlan::default() };
    ControlProgramPlan { costs, ..settings() }
}

/// Requester 0 has the lock for this long, requester 1 spins for it from 0 us on: ten tries of 2 us.
fn held_for(work: u64) -> System {
    let mut system = System::new(&plan(2, settings_here(), vec![spinning(2, Yields::Halt, 10), machines(1, 1)]));
    system.ready_in(0, 0, Left::Work(Span::from_us(work)), us(0));
    system.spins(0, (1, None), us(0));
    system.releases(0, (0, 1));
    system
}

#[test]
fn it_halts_after_its_tries_and_its_processor_is_free() {
    let mut system = held_for(1_000);
    system.run_to(us(28));
    assert_eq!(came_of(&system), [(25, HasHalted)], "woken in 5 us, it tries for 20");
    assert_eq!((system.standing(1), system.on(1)), (Halted, None));
    assert_eq!(system.spent(1).spinning, Span::from_us(20));
    assert_eq!(system.spent(1).chargeable, Span::from_us(2), "as for any wait");
    system.ready_in(1, 2, Left::Work(Span::from_us(50)), us(30));
    assert_ne!(system.standing(2), Ready, "another machine has the processor");
}

#[test]
fn nobody_wakes_it_but_the_release_however_long_that_takes() {
    let mut system = held_for(900_000);
    system.run_to(us(800_000));
    assert_eq!((came_of(&system).len(), system.standing(1)), (1, Halted));
    assert_eq!(system.charged[1], Span::from_us(22), "no more than the threshold and the halt");
}

#[test]
fn the_releaser_kicks_it_at_its_own_expense() {
    let mut system = held_for(100);
    system.run_to(us(108));
    assert_eq!((system.on(0), system.standing(1)), (Some(0), Halted), "the call takes 4 us");
    system.run_to(us(109));
    assert_eq!(came_of(&system), [(25, HasHalted), (109, Kicked)]);
    assert_eq!(system.simulated[0], (0, Span::from_us(4)), "charged to the requester that released");
    system.run_to(us(116));
    assert_eq!(tried(&system), [0, 1], "woken in 5 us, its first try has the lock");
    assert_eq!(system.standing(0), Idle, "the releaser has nothing more to do");
}

#[test]
fn the_releaser_goes_on_with_its_work_after_the_kick() {
    let mut system = held_for(100);
    system.insists(0, Some((0, Left::Work(Span::from_us(50)))));
    system.run_to(us(158));
    assert_eq!(tried(&system), [0, 1]);
    system.run_to(us(159));
    assert_eq!((tried(&system), system.standing(0)), (vec![0, 1, 0], Running));
    assert_eq!(system.served[2].charged, Span::from_us(50), "the kick has been charged already");
}

#[test]
fn one_that_still_spins_is_not_kicked() {
    let mut system = held_for(10);
    system.run_to(us(40));
    assert_eq!((tried(&system), came_of(&system)), (vec![0, 1], vec![]));
}

#[test]
fn one_that_is_kicked_while_it_halts_wakes_at_once() {
    // The halt is simulated from 25 to 28 us, the kick from 23 + 3 to 30.
    let mut system = held_for(21);
    system.run_to(us(26));
    assert_eq!((came_of(&system), system.standing(1)), (vec![(25, HasHalted)], Running));
    system.run_to(us(29));
    assert_eq!(system.standing(1), Halted, "the call is under way");
    system.run_to(us(30));
    assert_ne!(system.standing(1), Halted);
    system.run_to(us(60));
    assert_eq!(tried(&system), [0, 1]);
}

#[test]
fn a_kick_that_is_over_before_the_halt_is_not_lost() {
    let costs = CostsPlan { wait: Span::from_us(50), ..settings_here().costs };
    let settings = ControlProgramPlan { costs, ..settings_here() };
    let mut system = System::new(&plan(2, settings, vec![spinning(2, Yields::Halt, 10)]));
    system.ready_in(0, 0, Left::Work(Span::from_us(30)), us(0));
    system.spins(0, (1, None), us(0));
    system.releases(0, (0, 1));
    system.run_to(us(76));
    assert_eq!(came_of(&system), [(25, HasHalted), (39, Kicked)]);
    assert_eq!((system.standing(1), tried(&system)), (Running, vec![0]), "the halt takes until 77 us");
    system.run_to(us(84));
    assert_eq!(tried(&system), [0, 1], "woken in 5 us, and one try");
}

#[test]
fn a_halted_guest_keeps_its_virtual_processor() {
    let mut system = held_for(1_000);
    system.run_to(us(100));
    system.ready_in(0, 7, Left::Work(Span::from_us(10)), us(100));
    system.run_to(us(900));
    assert_eq!((system.standing(1), tried(&system)), (Halted, vec![]), "requester 7 waits for the other one");
    system.run_to(us(1_100));
    assert_eq!(tried(&system), [0, 1, 7], "it has that of requester 0 from 1,009 us on");
}

#[test]
fn after_a_try_that_fails_it_has_a_round_again() {
    let mut system = held_for(100);
    system.insists(1, Some((0, Left::Spin(SpinLock(0)))));
    system.run_to(us(160));
    assert_eq!(came_of(&system), [(25, HasHalted), (109, Kicked), (134, HasHalted)]);
}
