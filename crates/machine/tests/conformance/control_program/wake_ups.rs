//! Wake-ups: where is the interrupt of a virtual processor handled, what does it preempt, and what goes first?
//!
//! ASSUME: handled where it ran last, which the study of HiperDispatch found necessary, and in this order.

use super::stand::{System, machines, plan, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan};
use machine::signal::control_program::Control;
use machine::signal::control_program::VirtualStanding::{Idle, Interrupted, Ready, Running, Waking};
use units::Span;

/// Handling a wake-up takes 10 us, dispatching 2, entering a guest 5; one list.
fn system(logical: u32, virtuals: u32) -> System {
    let costs = CostsPlan {
        wake: Span::from_us(10),
        dispatch: Span::from_us(2),
        entry: Span::from_us(5),
        ..CostsPlan::default()
    };
    System::new(&plan(logical, ControlProgramPlan { costs, ..settings() }, vec![machines(virtuals, 1)]))
}

#[test]
fn it_is_handled_where_the_virtual_processor_ran_last() {
    let mut system = system(2, 3);
    system.ready(0, 900, us(0));
    system.over(0, us(10));
    system.ready(2, 50, us(100));
    assert_eq!((system.due(0), system.due(1)), (Some(us(110)), None), "before it ran: those of a number go round");
    system.over(0, us(110));
    assert_eq!(system.on(1), Some(2));
    system.over(1, us(167));
    assert_eq!(system.standing(2), Idle);
    system.ready(2, 50, us(200));
    assert_eq!(system.due(1), Some(us(210)), "it ran here");
    assert_eq!(system.on(0), Some(0), "and no work is interrupted there");
}

#[test]
fn an_idle_processor_handles_it_at_once_and_runs_it() {
    let mut system = system(1, 1);
    system.ready(0, 100, us(20));
    assert_eq!((system.standing(0), system.due(0)), (Waking, Some(us(30))));
    system.over(0, us(30));
    assert_eq!((system.standing(0), system.due(0)), (Running, Some(us(137))), "dispatched, entered, and 100 to run");
}

#[test]
fn it_interrupts_the_guest_there_and_costs_it_another_entry() {
    let mut system = system(1, 2);
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    assert_eq!(system.due(0), Some(us(117)));
    system.ready(1, 100, us(57));
    assert_eq!((system.standing(0), system.standing(1)), (Interrupted, Waking));
    assert_eq!((system.on(0), system.due(0)), (None, Some(us(67))));
    system.over(0, us(67));
    assert_eq!((system.standing(0), system.standing(1)), (Running, Ready), "it goes on before the other");
    assert_eq!(system.due(0), Some(us(132)), "40 were over: entered again, and 60 to run");
    system.over(0, us(132));
    assert_eq!(system.served[0].charged, Span::from_us(110), "both entries are its");
    assert_eq!(system.on(0), Some(1));
}

#[test]
fn those_that_come_while_the_control_program_works_wait_in_order_and_go_before_interrupted_work() {
    let mut system = system(1, 3);
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    system.ready(2, 100, us(57));
    system.ready(1, 100, us(59));
    assert_eq!(system.due(0), Some(us(67)), "the first goes on");
    system.over(0, us(67));
    assert_eq!([0, 1, 2].map(|number| system.standing(number)), [Interrupted, Waking, Ready]);
    assert_eq!(system.due(0), Some(us(77)));
    system.over(0, us(77));
    assert_eq!([0, 1, 2].map(|number| system.standing(number)), [Running, Ready, Ready]);
    system.run_to(us(1_000));
    let order: Vec<u32> = system.served.iter().map(|served| served.requester).collect();
    assert_eq!(order, [0, 2, 1], "as they were woken");
}

/// The instant at which a run is over belongs to it, noticed or not.
#[test]
fn one_that_comes_when_a_run_is_just_over_interrupts_none() {
    let mut system = system(1, 2);
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    system.ready(1, 100, us(117));
    assert_eq!((system.standing(0), system.standing(1)), (Running, Waking));
    system.over(0, us(117));
    assert_eq!((system.standing(0), system.due(0)), (Idle, Some(us(127))));
    system.over(0, us(127));
    assert_eq!(system.on(0), Some(1));
}

/// The virtual processor is in no wait in between: no wake-up is needed.
#[test]
fn one_that_wants_more_at_once_lets_those_that_wait_go_first() {
    let mut system = system(1, 2);
    system.ready_again_and_again(0, 0, Left::Work(Span::from_us(100)), us(0));
    system.over(0, us(10));
    system.ready(1, 100, us(117));
    system.over(0, us(117));
    assert_eq!((system.standing(0), system.standing(1)), (Interrupted, Waking));
    system.over(0, us(127));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(232))), "entered, and 100 to run");
}

#[test]
fn one_that_is_wanted_again_while_it_is_taken_off_is_woken_again() {
    let costs = CostsPlan { wake: Span::from_us(10), wait: Span::from_us(20), ..CostsPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, ..settings() }, vec![machines(1, 1)]));
    system.ready(0, 100, us(0));
    system.over(0, us(10));
    system.over(0, us(110));
    system.ready(0, 100, us(120));
    assert_eq!((system.standing(0), system.due(0)), (Running, Some(us(130))));
    system.over(0, us(130));
    assert_eq!((system.standing(0), system.due(0)), (Waking, Some(us(140))));
    system.over(0, us(140));
    assert_eq!(system.on(0), Some(0));
}

/// With a path that is free this is a queue of textbooks.
#[test]
fn one_that_takes_no_time_interrupts_none() {
    let mut system = System::new(&plan(1, settings(), vec![machines(2, 1)]));
    system.ready(0, 100, us(0));
    system.ready(1, 100, us(50));
    assert_eq!((system.standing(0), system.standing(1)), (Running, Ready));
    assert_eq!(system.due(0), Some(us(100)));
    assert!(
        !system.said.iter().any(|signal| matches!(signal, Control::Spent(..))),
        "its run is one: {:?}",
        system.said
    );
}
