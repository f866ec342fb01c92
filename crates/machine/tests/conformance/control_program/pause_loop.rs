//! The loop of a guest is intercepted after a window: how that changes, and which virtual processor runs in its place.
//!
//! Sources: Intel SDM volume 3, PAUSE-loop exiting; Linux, virt/kvm/kvm_main.c and arch/x86/kvm/vmx/vmx.c.

use super::spinners::{came_of, diagnosed, spinning, tried};
use super::stand::{System, machines, plan, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::plan::control_program::{ControlProgramPlan, LoopTarget, PauseLoopPlan, Yields};
use machine::signal::control_program::Control;
use machine::signal::control_program::Diagnosed::{LoopEnded, LoopGoesOn, LoopYielded};
use machine::signal::control_program::VirtualStanding::Running;
use units::{Span, Tod};

/// A window of 20 us that doubles up to 100, an exit of 3 us, and tries of 2 us.
fn loops() -> PauseLoopPlan {
    let us = Span::from_us;
    PauseLoopPlan { gap: us(2), window: us(20), most: us(100), exit: us(3), ..PauseLoopPlan::default() }
}

/// One machine of this many virtual processors, which leave their loops to be intercepted so; another beside it.
fn system(logical: u32, virtual_processors: u32, pause_loop: PauseLoopPlan) -> System {
    let settings = ControlProgramPlan { pause_loop, ..settings() };
    System::new(&plan(logical, settings, vec![spinning(virtual_processors, Yields::PauseLoop, 1), machines(2, 1)]))
}

/// When loops were intercepted, in us, and after which windows.
fn windows(system: &System) -> Vec<(u64, u64)> {
    let in_us = |units: u64| units / Span::from_us(1).units();
    let window = |(at, control): &(Tod, Control)| match control {
        Control::LoopExit(_, _, window) => Some((in_us((*at - us(0)).units()), in_us(window.units()))),
        _ => None,
    };
    system.log.iter().filter_map(window).collect()
}

const LONG: Left = Left::Work(Span::SECOND);

#[test]
fn a_loop_is_intercepted_after_its_window_which_grows_up_to_the_longest() {
    let mut system = system(1, 1, loops());
    system.spins(0, (0, None), us(0));
    system.run_to(us(450));
    assert_eq!(windows(&system), [(20, 20), (63, 40), (146, 80), (249, 100), (352, 100)], "3 us for each exit");
    assert_eq!(came_of(&system)[0], (23, LoopGoesOn), "no other waits");
    assert_eq!(system.spent(0).chargeable, Span::from_us(15), "charged to the guest");
}

#[test]
fn a_window_may_stay_or_start_again() {
    for (grow, expected) in [(0, [20, 20, 20]), (1, [20, 20, 20]), (3, [20, 60, 100])] {
        let mut system = system(1, 1, PauseLoopPlan { grow, ..loops() });
        system.spins(0, (0, None), us(0));
        system.run_to(us(200));
        let lengths: Vec<u64> = windows(&system).iter().map(|(_, window)| *window).take(3).collect();
        assert_eq!(lengths, expected, "{grow}");
    }
}

#[test]
fn the_number_of_tries_does_not_matter_but_their_distance_does() {
    let mut slow = system(1, 1, PauseLoopPlan { gap: Span::from_units(2 * 4096 - 1), ..loops() });
    slow.spins(0, (0, None), us(0));
    slow.run_to(us(900));
    assert_eq!(windows(&slow), [], "a loop that is too slow is none");
}

#[test]
fn a_lock_that_is_free_within_the_window_is_taken_without_an_exit() {
    let mut system = system(1, 1, loops());
    system.spins(0, (0, None), us(0));
    system.freed(0, None, us(11));
    system.run_to(us(12));
    assert_eq!((tried(&system), windows(&system)), (vec![0], vec![]));
}

#[test]
fn a_lock_that_is_freed_in_the_last_try_is_taken_after_the_exit() {
    let odd = PauseLoopPlan { window: Span::from_us(21), ..loops() };
    let mut system = system(1, 1, odd);
    system.spins(0, (0, None), us(0));
    system.freed(0, None, us(20));
    system.run_to(us(26));
    assert_eq!((windows(&system), tried(&system)), (vec![(21, 21)], vec![0]), "the try at 22 us is not made");
}

#[test]
fn a_preempted_one_of_the_machine_runs_in_its_place() {
    let mut system = system(1, 2, loops());
    system.spins(0, (0, None), us(0));
    system.ready_in(0, 1, LONG, us(5));
    system.ready_in(1, 2, LONG, us(5));
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(0, 0, LoopYielded)]);
    assert_eq!(system.on(0), Some(1), "not that of the other machine, which is as long there");
}

#[test]
fn one_of_another_machine_does_not() {
    let mut system = system(1, 1, loops());
    system.spins(0, (0, None), us(0));
    system.ready_in(1, 2, LONG, us(5));
    system.run_to(us(24));
    assert_eq!((diagnosed(&system), system.on(0)), (vec![(0, 0, LoopGoesOn)], Some(0)));
}

#[test]
fn without_a_direction_the_first_of_the_vector_runs() {
    let mut system = system(1, 2, PauseLoopPlan { target: LoopTarget::Next, ..loops() });
    system.spins(0, (0, None), us(0));
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(0, 0, LoopGoesOn)], "the vector is empty");
    system.ready_in(1, 2, LONG, us(25));
    system.run_to(us(70));
    assert_eq!((diagnosed(&system)[1], system.on(0)), ((0, 0, LoopEnded), Some(2)));
}

/// A spinner that was just intercepted is unlikely to hold the lock (`kvm_vcpu_eligible_for_directed_yield`).
#[test]
fn one_that_was_intercepted_itself_is_passed_over_once() {
    let mut system = system(1, 2, PauseLoopPlan { grow: 1, ..loops() });
    system.spins(0, (0, None), us(0));
    system.spins(0, (1, None), us(1));
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(0, 0, LoopYielded)], "the other has not looped yet");
    system.run_to(us(24 + 46));
    let outcomes: Vec<_> = diagnosed(&system).iter().map(|(number, _, what)| (*number, *what)).collect();
    assert_eq!(outcomes, [(0, LoopYielded), (1, LoopGoesOn), (1, LoopYielded)], "passed over, then taken");
}

#[test]
fn those_that_wait_run_in_turn() {
    let mut system = system(1, 3, PauseLoopPlan { grow: 1, ..loops() });
    system.spins(0, (0, None), us(0));
    system.ready_in(0, 1, Left::Work(Span::from_us(1)), us(1));
    system.run_to(us(30));
    assert_eq!(tried(&system), [1], "in place of the one that loops, until 24 us");
    system.ready_in(0, 1, LONG, us(30));
    system.ready_in(0, 2, LONG, us(30));
    system.run_to(us(47));
    assert_eq!(system.on(0), Some(2), "the first after the last that was found");
}

#[test]
fn a_dispatch_shrinks_the_window() {
    for (shrink, window) in [(0, 20), (2, 50), (1, 100)] {
        let mut system = system(1, 1, PauseLoopPlan { shrink, target: LoopTarget::Next, ..loops() });
        system.spins(0, (0, None), us(0));
        system.run_to(us(64));
        system.ready_in(1, 2, Left::Work(Span::from_us(30)), us(64));
        // Intercepted at 146 us, its slice is over at 149 with a window of 100 us; the other runs until 179.
        system.run_to(us(179 + window));
        assert_eq!(windows(&system)[2..], [(146, 80), (179 + window, window)], "{shrink}");
    }
}

#[test]
fn an_interrupt_starts_the_window_again() {
    let wakes = machine::plan::control_program::CostsPlan { wake: Span::from_us(5), ..settings().costs };
    let settings = ControlProgramPlan { pause_loop: loops(), costs: wakes, ..settings() };
    let mut system = System::new(&plan(1, settings, vec![spinning(1, Yields::PauseLoop, 1), machines(1, 1)]));
    system.spins(0, (0, None), us(0));
    system.run_to(us(20));
    system.ready_in(1, 1, Left::Work(Span::from_us(1)), us(20));
    system.run_to(us(60));
    assert_eq!(windows(&system), [(45, 20)], "from 5 to 20 us, and from 25 us on");
    assert_eq!(system.standing(0), Running);
}
