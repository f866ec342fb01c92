//! The control program's own lock where PR/SM may take a processor away: delayed holders, spinners, and yields.
//!
//! ASSUME: first come, first served, as there, or the first that is dispatched; a yield to PR/SM takes no time.

use super::stand::{System, machines, plan, settings, weighted};
use crate::stand::us;
use machine::ids::Logical;
use machine::plan::control_program::{
    ControlProgramPlan, CostsPlan, Handover, LockMode, LockPlan, SpinPlan, SrmPlan, Yields,
};
use machine::signal::control_program::Diagnosed::{self, Dispatched, Sensed, X44, Yielded};
use machine::signal::control_program::{Control, ListWork};
use units::{Span, Tod};

/// The lock is held for 7 us, and 3 more for each contender. A round of tries is 10 us. Looking at a vector takes 1.
fn locked(mode: LockMode, yields: Yields) -> ControlProgramPlan {
    let lock = LockPlan { mode, hold: Span::from_us(7), per_waiter: Span::from_us(3), ..LockPlan::default() };
    let spin = SpinPlan { retry: 5, one_try: Span::from_us(2), yields };
    let costs = CostsPlan { wake: Span::from_us(1), ..CostsPlan::default() };
    let srm = SrmPlan { slice: Span::from_us(100), ..settings().srm };
    ControlProgramPlan { lock, spin, costs, srm, ..settings() }
}

const ORDERS: [Handover; 2] = [Handover::Fifo, Handover::DispatchedFirst];

/// This many logical processors, all carried, and twice as many virtual machines.
fn system(logical: u32, mode: LockMode, yields: Yields) -> System {
    handing_over(logical, mode, (yields, Handover::Fifo))
}

fn handing_over(logical: u32, mode: LockMode, (yields, handover): (Yields, Handover)) -> System {
    let mut plan = locked(mode, yields);
    plan.lock.handover = handover;
    let mut system = System::not_carried(&weighted(logical, plan, vec![machines(2 * logical, 1)]));
    (0..logical).for_each(|logical| system.carry(logical, us(0)));
    system
}

/// Where the lock was taken, when, after how long spinning, and for how long; in microseconds.
fn taken(system: &System) -> Vec<(u32, u64, u64, u64)> {
    let in_us = |span: Span| span.units() / Span::from_us(1).units();
    let one = |(at, control): &(Tod, Control)| match control {
        Control::Lock(Logical(logical), ListWork { spin, hold, .. }) => {
            Some((*logical, in_us(*at - us(0)), in_us(*spin), in_us(*hold)))
        }
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

fn yielded(system: &System) -> Vec<(u32, Diagnosed)> {
    let one = |(_, control): &(Tod, Control)| match control {
        Control::LockYield(Logical(logical), what) => Some((*logical, *what)),
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

/// Two processors come for the lock at 0 and at 2 us.
fn two_come(yields: Yields) -> System {
    let mut system = system(2, LockMode::Shared, yields);
    system.ready(0, 500, us(0));
    system.ready(1, 500, us(2));
    system
}

#[test]
fn the_first_has_it_at_once() {
    let mut system = system(2, LockMode::Shared, Yields::Never);
    system.ready(0, 50, us(0));
    assert_eq!((taken(&system), system.due(0)), (vec![(0, 0, 0, 7)], Some(us(7))));
    system.over(0, us(7));
    assert_eq!((system.on(0), system.due(0)), (None, Some(us(8))), "the rest of its path, without the lock");
    system.over(0, us(8));
    assert_eq!(system.on(0), Some(0));
}

#[test]
fn a_newcomer_spins_until_a_held_lock_is_given_back() {
    let mut system = two_come(Yields::Never);
    system.run_to(us(6));
    assert_eq!(system.spent(1).spin, Span::from_us(4), "what is under way counts");
    system.run_to(us(7));
    assert_eq!(taken(&system), [(0, 0, 0, 7), (1, 7, 5, 10)]);
    assert_eq!(system.due(1), Some(us(17)), "one was there when it came");
    assert_eq!(system.spent(1).system, Span::from_us(5));
}

#[test]
fn without_drops_it_is_as_where_a_processor_is_always_carried() {
    let modes = [LockMode::Shared, LockMode::Exclusive];
    for (mode, handover) in modes.into_iter().flat_map(|mode| ORDERS.map(|handover| (mode, handover))) {
        let mut shared = handing_over(4, mode, (Yields::Never, handover));
        let mut dedicated = System::new(&plan(4, locked(mode, Yields::Never), vec![machines(8, 1)]));
        for (requester, at) in [(0, 0), (1, 2), (2, 3), (3, 8), (5, 9), (6, 40), (7, 41), (4, 44)] {
            shared.run_to(us(at));
            dedicated.run_to(us(at));
            shared.ready(requester, 350, us(at));
            dedicated.ready(requester, 350, us(at));
        }
        shared.run_to(us(5_000));
        dedicated.run_to(us(5_000));
        let instants = |system: &System| system.served.clone();
        assert_eq!(instants(&shared), instants(&dedicated), "{mode:?}");
        for logical in 0..4 {
            assert_eq!(shared.spent(logical), dedicated.spent(logical), "{mode:?}");
        }
    }
}

#[test]
fn a_holder_that_is_not_carried_holds_the_others_up() {
    let mut system = two_come(Yields::Never);
    system.drop(0, us(3));
    system.run_to(us(100));
    assert_eq!((taken(&system).len(), system.spent(1).spin), (1, Span::from_us(98)));
    system.carry(0, us(100));
    assert_eq!(system.due(0), Some(us(104)), "4 us were left");
    system.run_to(us(104));
    assert_eq!(taken(&system)[1], (1, 104, 102, 10));
}

#[test]
fn whose_turn_it_is_has_it_carried_or_not_and_holds_the_others_up() {
    let mut system = system(3, LockMode::Shared, Yields::Never);
    system.ready(0, 500, us(0));
    system.ready(1, 500, us(1));
    system.ready(2, 500, us(2));
    system.drop(1, us(4));
    system.run_to(us(60));
    assert_eq!(taken(&system), [(0, 0, 0, 7), (1, 7, 3, 10)], "it has spun for the 3 us that it was carried");
    system.carry(1, us(60));
    system.run_to(us(70));
    assert_eq!(taken(&system)[2], (2, 70, 68, 13));
}

/// Three processors come for the lock, and the second loses its physical one.
fn second_dropped() -> System {
    let mut system = handing_over(3, LockMode::Shared, (Yields::Never, Handover::DispatchedFirst));
    for requester in 0..3 {
        system.ready(requester, 500, us(u64::from(requester)));
    }
    system.drop(1, us(4));
    system
}

#[test]
fn dispatched_first_passes_over_one_that_is_not() {
    let mut system = second_dropped();
    system.run_to(us(60));
    assert_eq!(taken(&system), [(0, 0, 0, 7), (2, 7, 5, 13)], "two were there when it came");
    system.carry(1, us(60));
    assert_eq!(taken(&system)[2], (1, 60, 3, 10), "the lock is free when it is dispatched again");
}

#[test]
fn while_none_that_waits_is_dispatched_the_lock_is_free_for_the_next() {
    let mut system = second_dropped();
    system.drop(2, us(5));
    system.run_to(us(40));
    assert_eq!(taken(&system).len(), 1);
    system.carry(2, us(40));
    system.carry(1, us(41));
    system.run_to(us(70));
    assert_eq!(taken(&system)[1..], [(2, 40, 3, 13), (1, 53, 15, 10)]);
}

#[test]
fn dispatched_first_holds_others_up_while_the_holder_is_not() {
    let mut system = second_dropped();
    system.drop(0, us(5));
    system.run_to(us(40));
    assert_eq!(taken(&system).len(), 1);
    system.carry(0, us(40));
    system.run_to(us(60));
    assert_eq!(taken(&system)[1], (2, 42, 40, 13), "2 us were left");
}

#[test]
fn an_undispatched_spinner_spins_on_when_it_is_dispatched() {
    let mut system = two_come(Yields::X44);
    system.drop(0, us(3));
    system.drop(1, us(6));
    assert_eq!(system.due(1), None);
    system.carry(1, us(50));
    assert_eq!(system.due(1), Some(us(56)), "4 us of its round were over");
    system.run_to(us(60));
    assert_eq!(system.spent(1).spin, Span::from_us(14));
}

/// How often two virtual processors with ended slices went back together, over all phases of the slices. The second takes
/// longer then, so that they are apart soon.
fn together(mode: LockMode) -> usize {
    let mut together = 0;
    for second in 10..130 {
        let plan = weighted(2, locked(mode, Yields::Never), vec![machines(4, 1)]);
        let mut system = System::not_carried(&plan);
        (0..2).for_each(|logical| system.carry(logical, us(0)));
        for (requester, at) in [(0, 0), (1, second), (2, 300), (3, 300)] {
            system.run_to(us(at));
            system.ready(requester, 100_000, us(at));
        }
        system.run_to(us(1_000));
        let held: Vec<_> = taken(&system).into_iter().filter(|(_, at, ..)| *at > 325).collect();
        together += held.windows(2).filter(|two| two[1].1 < two[0].1 + two[0].3).count();
    }
    together
}

#[test]
fn shared_holders_have_it_together() {
    assert!(together(LockMode::Shared) > 5);
    assert_eq!(together(LockMode::Exclusive), 0);
}

#[test]
fn one_that_never_yields_spins_for_good() {
    let mut system = two_come(Yields::Never);
    system.drop(0, us(3));
    system.run_to(us(1_000));
    assert_eq!((yielded(&system), &system.gave_way[..]), (vec![], &[][..]));
}

#[test]
fn an_x44_gives_way_to_the_next_after_each_round() {
    let mut system = two_come(Yields::X44);
    system.drop(0, us(3));
    system.run_to(us(45));
    assert_eq!(yielded(&system), [(1, X44); 4], "at 12, 22, 32 and 42");
    assert_eq!(system.gave_way, [(1, None); 4]);
    assert_eq!(system.spent(1).spin, Span::from_us(43), "nobody wanted it");
}

#[test]
fn an_x9c_gives_way_to_the_holder() {
    let mut system = two_come(Yields::X9C);
    system.drop(0, us(3));
    system.run_to(us(12));
    assert_eq!((yielded(&system), &system.gave_way[..]), (vec![(1, Yielded)], &[(1, Some(0))][..]));
}

#[test]
fn to_a_dispatched_holder_none_gives_way() {
    for (yields, what) in [(Yields::X9C, Dispatched), (Yields::SenseRunning, Sensed)] {
        let mut system = system(3, LockMode::Exclusive, yields);
        for requester in 0..3 {
            system.ready(requester, 500, us(0));
        }
        system.run_to(us(11));
        assert_eq!((yielded(&system), &system.gave_way[..]), (vec![(2, what)], &[][..]), "7 us, and then 10");
    }
}

#[test]
fn sense_running_gives_way_to_a_holder_that_is_not() {
    let mut system = two_come(Yields::SenseRunning);
    system.drop(0, us(3));
    system.run_to(us(12));
    assert_eq!((yielded(&system), &system.gave_way[..]), (vec![(1, Yielded)], &[(1, Some(0))][..]));
}

#[test]
fn one_that_gave_way_has_spun_for_the_time_it_was_dispatched() {
    let mut system = two_come(Yields::X9C);
    system.drop(0, us(3));
    system.run_to(us(12));
    // PR/SM does what was asked for.
    system.drop(1, us(12));
    system.carry(0, us(12));
    system.run_to(us(16));
    assert_eq!(taken(&system)[1], (1, 16, 10, 10));
    assert_eq!(system.due(1), None, "it has the lock and is not carried");
    system.run_to(us(30));
    system.carry(1, us(30));
    assert_eq!(system.due(1), Some(us(40)));
}

#[test]
fn a_lock_that_takes_no_time_is_none() {
    let plain = locked(LockMode::Exclusive, Yields::X44);
    let none = ControlProgramPlan { lock: LockPlan { hold: Span::ZERO, ..plain.lock }, ..plain };
    let mut system = System::not_carried(&weighted(2, none, vec![machines(4, 1)]));
    system.carry(0, us(0));
    system.ready(0, 500, us(0));
    system.drop(0, Tod::from_units(100));
    system.carry(1, us(1));
    system.ready(1, 500, us(1));
    system.run_to(us(50));
    assert_eq!((taken(&system), yielded(&system)), (vec![], vec![]));
    assert_eq!(system.on(1), Some(1));
}
