//! DIAGNOSE X'44': when does it return at once, when does it end the slice of its caller, and what is the caller's place?
//!
//! z/VM Performance Report, "Diagnose X'9C' Support": those that are not fast need users "that can create a large processor
//! queue".  ASSUME: the own dispatch vector is that queue, and the caller goes to the tail of it.

use super::spinners::{came_of, costly, diagnosed, spinning, system};
use super::stand::{SLICE, System, books, machines, plan, settings, vertical};
use crate::stand::us;
use machine::control_program::Left;
use machine::ids::Logical;
use machine::plan::control_program::{
    ControlProgramPlan, LockMode, LockPlan, Stealing, VirtualMachinePlan, VmShare, Yields,
};
use machine::signal::control_program::Diagnosed::{Fast44, X44};
use machine::signal::control_program::VirtualStanding::{Ready, Running};
use machine::signal::control_program::{Control, ListWork};
use units::Span;

const LONG: u64 = 100_000;

/// One spins in rounds of 20 us, and this many others of its machine want a processor all the time.
fn with_others(logical: u32, others: u32) -> System {
    let mut system = system(logical, spinning(1 + others, Yields::X44, 10));
    system.spins(0, (0, None), us(0));
    for requester in 1..=others {
        system.ready_in(0, requester, Left::Work(Span::from_us(LONG)), us(0));
    }
    system
}

#[test]
fn while_the_vector_is_empty_it_returns_at_once() {
    let mut system = with_others(1, 0);
    system.run_to(us(20));
    assert_eq!((system.on(0), system.standing(0), system.due(0)), (Some(0), Running, Some(us(21))));
    system.over(0, us(21));
    assert_eq!((diagnosed(&system), system.due(0)), (vec![(0, 0, Fast44)], Some(us(41))));
    assert_eq!(system.dispatched().len(), 1, "it has never lost its processor");
}

#[test]
fn its_cost_is_charged_to_the_caller() {
    for (others, cost, what) in [(0, 1, Fast44), (1, 3, X44)] {
        let mut system = with_others(1, others);
        system.run_to(us(20 + cost));
        assert_eq!(came_of(&system), [(20 + cost, what)]);
        let spent = system.spent(0);
        assert_eq!((spent.chargeable, spent.spinning), (Span::from_us(cost), Span::from_us(20)));
        assert_eq!((spent.system, system.charged[0]), (Span::ZERO, Span::from_us(20 + cost)));
    }
}

#[test]
fn its_cost_is_charged_to_the_machine_of_the_caller() {
    let mut system = with_others(1, 0);
    system.run_to(us(25));
    system.freed(0, None, us(25));
    system.run_to(us(27));
    assert_eq!(system.served[0].charged, Span::from_us(27), "two rounds' tries and a DIAGNOSE between them");
}

#[test]
fn where_another_waits_its_caller_gives_its_slice_up() {
    let mut system = with_others(1, 1);
    system.run_to(us(23));
    assert_eq!((system.standing(0), system.on(0), system.depth(0)), (Ready, Some(1), 1));
    assert_eq!(system.due(0), Some(us(23 + SLICE)), "the other has a whole one");
    system.over(0, us(23 + SLICE));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(23 + SLICE + 20))), "and then it spins another round");
}

#[test]
fn its_caller_has_a_whole_slice_when_it_is_dispatched_next() {
    let mut system = system(1, spinning(2, Yields::X44, 300));
    system.spins(0, (0, None), us(0));
    system.ready_in(0, 1, Left::Work(Span::from_us(LONG)), us(0));
    system.over(0, us(600));
    system.run_to(us(603 + SLICE));
    assert_eq!(system.due(0), Some(us(603 + SLICE + 600)), "400 us were left of the one before");
}

#[test]
fn it_goes_behind_all_that_wait() {
    let mut system = with_others(1, 3);
    system.run_to(us(23 + 3 * SLICE));
    let order: Vec<u32> = system.dispatched().iter().map(|(number, ..)| *number).collect();
    assert_eq!(order, [0, 1, 2, 3, 0]);
}

/// The tail is a place, not a debt: its share would put it before the others at once.
#[test]
fn it_goes_behind_all_that_wait_whatever_its_share() {
    let mighty = VirtualMachinePlan { share: VmShare::Relative(10_000), ..spinning(1, Yields::X44, 10) };
    let mut system = System::new(&plan(1, costly(settings()), vec![mighty, machines(3, 1)]));
    for requester in 1..4 {
        system.ready(requester, LONG, us(0));
    }
    system.run_to(us(10 * SLICE));
    system.spins(0, (0, None), us(10 * SLICE));
    system.run_to(us(20 * SLICE));
    let order: Vec<u32> =
        system.dispatched().iter().map(|(number, ..)| *number).skip_while(|number| *number > 0).collect();
    let mut others = order[1..4].to_vec();
    others.sort_unstable();
    assert_eq!((order[0], &others[..], order[4]), (0, &[1, 2, 3][..], 0), "{order:?}");
}

#[test]
fn its_own_account_stays_what_it_was() {
    let mighty = VirtualMachinePlan { share: VmShare::Relative(10_000), ..spinning(1, Yields::X44, 10) };
    let mut system = System::new(&plan(1, costly(settings()), vec![mighty, machines(3, 1)]));
    system.spins(0, (0, None), us(0));
    for requester in 1..4 {
        system.ready(requester, LONG, us(0));
    }
    system.run_to(us(12 * SLICE));
    assert!(system.dispatched().len() > 12, "it goes behind again and again");
    system.freed(0, None, us(12 * SLICE));
    while system.served.is_empty() {
        let (event, at) = system.next_event().expect("something happens");
        system.happens(event, at);
    }
    let (had_it, before) = (system.now, system.dispatched().len());
    system.ready_in(0, 0, Left::Work(Span::SECOND), had_it);
    system.run_to(us(40 * SLICE));
    let runs: Vec<u32> = system.dispatched()[before..].iter().map(|(number, ..)| *number).collect();
    let own = runs.iter().skip_while(|number| **number > 0);
    assert!(
        own.clone().count() > 20 && own.clone().all(|number| *number == 0),
        "it has had little of its share: {runs:?}"
    );
}

#[test]
fn only_waiters_in_its_own_vector_count() {
    let near = ControlProgramPlan { horizontal: Stealing::Near, barriers: [9, 9, 9], ..costly(settings()) };
    // Virtual processors are dealt to the vectors by turns.
    for (waits, what) in [(2, X44), (3, Fast44)] {
        let kinds = vec![spinning(1, Yields::X44, 10), machines(3, 1)];
        let mut system = System::new(&books(plan(2, near.clone(), kinds)));
        system.spins(0, (0, None), us(0));
        system.ready(1, LONG, us(0));
        system.ready(waits, LONG, us(0));
        assert_eq!((system.depth(0), system.depth(1)), if waits == 2 { (1, 0) } else { (0, 1) });
        system.run_to(us(23));
        assert_eq!(diagnosed(&system), [(0, 0, what)]);
    }
}

#[test]
fn with_one_list_every_waiter_counts() {
    let mut system = with_others(2, 2);
    system.run_to(us(23));
    assert_eq!(diagnosed(&system), [(0, 0, X44)]);
    assert_eq!(system.on(0), Some(2));
}

#[test]
fn whether_it_is_fast_is_seen_when_it_is_issued() {
    let mut system = system(1, spinning(2, Yields::X44, 10));
    system.spins(0, (0, None), us(0));
    system.over(0, us(20));
    system.ready_in(0, 1, Left::Work(Span::from_us(50)), us(20));
    system.run_to(us(21));
    assert_eq!((came_of(&system), system.standing(0), system.standing(1)), (vec![(21, Fast44)], Running, Ready));
    system.run_to(us(44));
    assert_eq!(came_of(&system), [(21, Fast44), (44, X44)]);
}

#[test]
fn its_caller_goes_back_even_if_none_waits_any_more() {
    let mut system = system(2, spinning(3, Yields::X44, 10));
    system.spins(0, (0, None), us(0));
    system.ready_in(0, 1, Left::Work(Span::from_us(21)), us(0));
    system.ready_in(0, 2, Left::Work(Span::from_us(LONG)), us(0));
    system.run_to(us(22));
    assert_eq!((system.depth(0), system.on(1)), (0, Some(2)), "it was taken while the DIAGNOSE was simulated");
    system.run_to(us(23));
    let order: Vec<u32> = system.dispatched().iter().map(|(number, ..)| *number).collect();
    assert_eq!((diagnosed(&system), order), (vec![(0, 0, X44)], vec![0, 1, 2, 0]));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(43))));
}

/// 5.3 takes the scheduler lock shared for it, 5.2 exclusive (Table 3).
#[test]
fn going_behind_is_a_list_operation() {
    for (mode, exclusive) in [(LockMode::Shared, false), (LockMode::Exclusive, true)] {
        let lock = LockPlan { mode, hold: Span::from_us(7), per_waiter: Span::ZERO, ..LockPlan::default() };
        let settings = ControlProgramPlan { lock, ..costly(settings()) };
        let mut system = System::new(&plan(1, settings, vec![spinning(2, Yields::X44, 10)]));
        system.spins(0, (0, None), us(0));
        system.ready_in(0, 1, Left::Work(Span::from_us(LONG)), us(0));
        system.run_to(us(14));
        system.over(0, us(34));
        assert_eq!(system.on(0), Some(0), "the DIAGNOSE");
        system.over(0, us(37));
        let held = ListWork { exclusive, spin: Span::ZERO, hold: Span::from_us(7) };
        assert!(system.said.contains(&Control::Lock(Logical(0), held)), "{:?}", system.said);
        assert_eq!((system.on(0), system.due(0), system.standing(0)), (None, Some(us(44)), Ready));
        system.over(0, us(44));
        assert_eq!(system.on(0), Some(1));
    }
}

#[test]
fn a_fast_one_is_no_list_operation() {
    let lock =
        LockPlan { mode: LockMode::Shared, hold: Span::from_us(7), per_waiter: Span::ZERO, ..LockPlan::default() };
    let settings = ControlProgramPlan { lock, ..costly(vertical()) };
    let mut system = System::new(&plan(1, settings, vec![spinning(1, Yields::X44, 10)]));
    system.spins(0, (0, None), us(0));
    system.run_to(us(500));
    let taken = system.log.iter().filter(|(_, control)| matches!(control, Control::Lock(..))).count();
    assert_eq!(taken, 1, "when it was woken");
}
