//! Run the target: how does the virtual processor that a DIAGNOSE X'9C' names come to run, and where does its caller go?
//!
//! z/VM Performance Report, "Diagnose X'9C' Support": the target is dispatched in its caller's place.  ASSUME: its caller goes
//! to the tail of the vector of the logical processor, as with X'44'. The target is at home there from then on.

use super::spinners::{costly, diagnosed, spinning};
use super::stand::{SLICE, System, books, machines, plan, settings, weighted};
use crate::stand::us;
use machine::control_program::Left;
use machine::ids::{Logical, SpinLock, Virtual};
use machine::plan::control_program::{
    ControlProgramPlan, CostsPlan, LockMode, LockPlan, Stealing, VirtualMachinePlan, VmShare, Yields,
};
use machine::signal::control_program::Diagnosed::{NotReady, Yielded};
use machine::signal::control_program::VirtualStanding::{Interrupted, Limited, Ready, Running};
use machine::signal::control_program::{Control, Distance, ListWork};
use units::{Percent, Span};

const LONG: Left = Left::Work(Span::SECOND);

/// A vector for each, and no stealing.
fn apart() -> ControlProgramPlan {
    ControlProgramPlan { horizontal: Stealing::Near, barriers: [9, 9, 9], ..costly(settings()) }
}

/// Two logical processors.  A machine of four: its first spins on the first and names requester 3, whose virtual processor
/// is the last. That one and the second are at home on the other, where the second runs.  Two more wait on the first.
fn system(settings: ControlProgramPlan) -> System {
    let kinds = vec![spinning(4, Yields::X9C, 10), machines(4, 1)];
    let mut system = System::new(&books(plan(2, settings, kinds)));
    system.spins(0, (0, Some(3)), us(0));
    system.ready_in(0, 1, LONG, us(0));
    // Its third has nothing more to do.
    system.ready_in(0, 2, Left::Work(Span::from_units(1)), us(0));
    system.ready_in(0, 3, LONG, us(0));
    for machine in [1, 3] {
        system.ready_in(machine, 3 + machine, LONG, us(0));
    }
    system
}

#[test]
fn it_is_taken_off_the_vector_of_another_and_runs_here() {
    let mut system = system(apart());
    assert_eq!((system.standing(3), system.on(1)), (Ready, Some(1)));
    let waiting = (system.depth(0), system.depth(1));
    system.over(0, us(20));
    system.over(0, us(24));
    assert_eq!(diagnosed(&system), [(0, 0, Yielded)]);
    assert_eq!((system.on(0), system.standing(3)), (Some(3), Running), "ahead of all that wait here");
    assert_eq!((system.depth(0), system.depth(1)), (waiting.0 + 1, waiting.1 - 1), "and it was reported");
    assert_eq!(system.due(0), Some(us(24 + SLICE)), "a slice of its own");
}

#[test]
fn it_was_not_stolen() {
    let mut system = system(apart());
    system.run_to(us(24));
    let (number, logical, how) = *system.dispatched().last().expect("it was dispatched");
    assert_eq!((number, logical, how.stolen), (3, 0, None));
    assert_eq!(how.moved, Distance::Chip, "from where it was last");
}

#[test]
fn its_caller_goes_behind_all_that_wait_here() {
    let mut system = system(apart());
    system.run_to(us(24 + 4 * SLICE));
    let here = system.dispatched().into_iter().filter(|(_, logical, _)| *logical == 0);
    let order: Vec<u32> = here.map(|(number, ..)| number).collect();
    assert_eq!(order[..2], [0, 3]);
    let back = order[1..].iter().position(|number| *number == 0).expect("it comes back");
    assert!(order[1..=back].len() >= 3, "after all others: {order:?}");
}

#[test]
fn it_is_at_home_here_from_then_on() {
    let mut system = system(apart());
    system.run_to(us(24 + SLICE));
    assert_eq!((system.standing(3), system.depth(1)), (Ready, 0), "it waits here after its slice");
    system.run_to(us(24 + 40 * SLICE));
    let since = system.dispatched().into_iter().filter(|(number, ..)| *number == 3);
    let places: Vec<u32> = since.map(|(_, logical, _)| logical).collect();
    assert!(places.len() > 2 && places.iter().all(|logical| *logical == 0), "{places:?}");
}

/// Otherwise a virtual processor with a low account would get everything there, and one with a high account nothing.
#[test]
fn it_is_as_far_ahead_here_as_it_was_there() {
    let kinds = vec![spinning(2, Yields::X9C, 10), machines(2, 1)];
    let mut system = System::new(&books(plan(2, apart(), kinds)));
    // The first processor has been in use for long, the other for short.
    system.ready_in(1, 2, LONG, us(0));
    system.run_to(us(200 * SLICE));
    system.ready_in(2, 3, LONG, us(200 * SLICE));
    system.spins(0, (0, Some(1)), us(200 * SLICE));
    system.ready_in(0, 1, LONG, us(200 * SLICE));
    system.run_to(us(260 * SLICE));
    assert!(diagnosed(&system).iter().any(|(.., what)| *what == Yielded));
    let had: Vec<f64> = [1, 2].map(|number| system.charged[number].seconds()).to_vec();
    let since = had[1] - 0.2;
    assert!(had[0] > 0.010 && since > 0.010, "both run here: {had:?}");
}

#[test]
fn with_one_list_it_is_taken_from_the_middle_of_it() {
    let mut system = System::new(&plan(1, costly(settings()), vec![spinning(5, Yields::X9C, 10)]));
    system.spins(0, (0, Some(2)), us(0));
    for requester in 1..5 {
        system.ready_in(0, requester, LONG, us(0));
    }
    assert_eq!(system.depth(0), 4);
    system.run_to(us(24));
    assert_eq!((system.on(0), system.depth(0)), (Some(2), 4));
    system.run_to(us(24 + 4 * SLICE));
    let order: Vec<u32> = system.dispatched().iter().map(|(number, ..)| *number).collect();
    assert_eq!(order, [0, 2, 1, 3, 4, 0]);
}

#[test]
fn interrupts_that_are_pending_go_first() {
    let waking = CostsPlan { wake: Span::from_us(10), ..costly(settings()).costs };
    let settings = ControlProgramPlan { costs: waking, ..settings() };
    let mut system = System::new(&plan(1, settings, vec![spinning(3, Yields::X9C, 10)]));
    system.spins(0, (0, Some(1)), us(0));
    system.run_to(us(10));
    system.ready_in(0, 1, LONG, us(10));
    system.run_to(us(40));
    assert_eq!(
        (system.on(0), system.due(0)),
        (Some(0), Some(us(44))),
        "a round was interrupted for 10 us; the DIAGNOSE"
    );
    system.ready_in(0, 2, LONG, us(41));
    system.run_to(us(44));
    assert_eq!(diagnosed(&system), [(0, 0, Yielded)]);
    assert_eq!((system.on(0), system.standing(1), system.due(0)), (None, Ready, Some(us(54))));
    system.over(0, us(54));
    assert_eq!((system.on(0), system.standing(2)), (Some(1), Ready), "and then the target");
}

/// A list operation takes 7 us.
fn locked() -> ControlProgramPlan {
    let lock =
        LockPlan { mode: LockMode::Shared, hold: Span::from_us(7), per_waiter: Span::ZERO, ..LockPlan::default() };
    ControlProgramPlan { lock, ..costly(settings()) }
}

#[test]
fn its_caller_is_put_back_before_it_runs() {
    let mut system = System::new(&plan(1, locked(), vec![spinning(2, Yields::X9C, 10)]));
    system.spins(0, (0, Some(1)), us(0));
    system.over(0, us(7));
    system.ready_in(0, 1, LONG, us(10));
    system.run_to(us(37));
    assert_eq!(system.due(0), Some(us(38)), "20 us, 7 for the interrupt, and 4");
    system.over(0, us(38));
    let held = ListWork { exclusive: false, spin: Span::ZERO, hold: Span::from_us(7) };
    assert!(system.said.contains(&Control::Lock(Logical(0), held)), "{:?}", system.said);
    assert_eq!((system.standing(0), system.standing(1), system.on(0)), (Ready, Ready, None));
    system.over(0, us(45));
    assert_eq!(system.on(0), Some(1));
}

/// Two name requester 2, which waits. The second does so 3 us after the first, while the first is put back.
#[test]
fn one_that_another_is_about_to_run_is_not_ready() {
    let mut system = System::new(&plan(3, locked(), vec![spinning(4, Yields::X9C, 10)]));
    system.ready_in(0, 3, LONG, us(0));
    system.run_to(us(10));
    for (requester, work) in [(0, 20), (1, 16)] {
        system.ready_in(0, requester, Left::Work(Span::from_us(work)), us(10));
        system.insists(requester, Some((0, Left::Spin(SpinLock(0)))));
        system.names(requester, Some(2));
    }
    system.run_to(us(25));
    system.ready_in(0, 2, LONG, us(25));
    while diagnosed(&system).len() < 2 {
        let (event, at) = system.next_event().expect("something happens");
        system.happens(event, at);
    }
    let outcomes: Vec<_> = diagnosed(&system).into_iter().map(|(.., what)| what).collect();
    assert_eq!(outcomes, [Yielded, NotReady]);
    assert_eq!(system.standing(3), Ready, "that of requester 2");
}

#[test]
fn one_that_is_being_put_back_after_its_slice_is_not_ready() {
    let lock =
        LockPlan { mode: LockMode::Shared, hold: Span::from_us(300), per_waiter: Span::ZERO, ..LockPlan::default() };
    let settings = ControlProgramPlan { lock, ..costly(settings()) };
    let mut system = System::new(&plan(2, settings, vec![spinning(3, Yields::X9C, 10)]));
    system.ready_in(0, 0, LONG, us(0));
    system.spins(0, (1, Some(0)), us(0));
    system.ready_in(0, 2, LONG, us(0));
    system.run_to(us(5 * SLICE));
    let requeued = |number: u32, at: units::Tod| {
        let mut last = None;
        for (when, control) in &system.log {
            match control {
                Control::Stands(Virtual(own), standing) if *own == number && *when <= at => last = Some(*standing),
                _ => {}
            }
        }
        last
    };
    for (at, control) in &system.log {
        if let Control::Diagnosed(_, _, what) = control {
            let before = requeued(0, *at);
            assert!(*what != NotReady || before == Some(Ready), "{what:?} of one that is {before:?}");
        }
    }
    assert!(diagnosed(&system).iter().any(|(.., what)| *what == NotReady), "{:?}", diagnosed(&system));
}

#[test]
fn one_that_reaches_its_limit_is_passed_over() {
    let machine = VirtualMachinePlan {
        limit: Some(Percent::new(20.0)),
        share: VmShare::Relative(100),
        ..spinning(2, Yields::X9C, 10)
    };
    let mut system = System::new(&plan(1, costly(settings()), vec![machine, machines(1, 1)]));
    system.spins(0, (0, Some(1)), us(0));
    system.ready_in(0, 1, LONG, us(0));
    system.ready_in(1, 2, LONG, us(0));
    system.run_to(us(100 * SLICE));
    let used = (system.charged[0] + system.charged[1]).seconds();
    assert!((0.015..0.022).contains(&used), "20 % of 100 ms: {used}");
    assert!([Limited, Ready, Running].contains(&system.standing(1)));
}

#[test]
fn while_pr_sm_has_the_processor_it_waits_for_that() {
    let mut system = System::not_carried(&weighted(1, locked(), vec![spinning(2, Yields::X9C, 10)]));
    system.carry(0, us(0));
    system.spins(0, (0, Some(1)), us(0));
    system.over(0, us(7));
    system.ready_in(0, 1, LONG, us(10));
    while diagnosed(&system).is_empty() {
        let (event, at) = system.next_event().expect("something happens");
        system.happens(event, at);
    }
    let at = system.now;
    system.drop(0, at + Span::from_us(1));
    assert_eq!((system.standing(0), system.standing(1), system.due(0)), (Ready, Ready, None));
    system.carry(0, at + Span::from_us(100));
    system.run_to(at + Span::from_us(120));
    assert_eq!((system.on(0), system.standing(1)), (Some(1), Running));
    system.drop(0, at + Span::from_us(200));
    assert_eq!(system.standing(1), Interrupted);
}
