//! Instructions that the control program simulates: their cost, and whether the virtual processor continues or goes back.
//!
//! ASSUME: an instruction is simulated without interruption. Its issuer loses its processor only if another one waits.

use super::spinners::{costly, diagnosed, spinning};
use super::stand::{SLICE, System, machines, plan, s, settings, weighted};
use crate::stand::us;
use machine::control_program::Left;
use machine::ids::{Logical, Virtual};
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, VirtualMachinePlan, VmShare, Yields};
use machine::signal::control_program::Control;
use machine::signal::control_program::Diagnosed::Yielded;
use machine::signal::control_program::VirtualStanding::{Limited, Ready, Running};
use units::{Percent, Span, Tod};

fn simulated(us: u64) -> Left {
    Left::Simulated(Span::from_us(us))
}

fn work(us: u64) -> Left {
    Left::Work(Span::from_us(us))
}

/// One logical processor, and slices of 1 ms that cost nothing.
fn one(kinds: Vec<VirtualMachinePlan>) -> System {
    System::new(&plan(1, settings(), kinds))
}

/// The virtual processors that were intercepted, where and when, in microseconds.
fn intercepted(system: &System) -> Vec<(u32, u32, u64)> {
    let one = |(at, control): &(Tod, Control)| match control {
        Control::Intercepted(Virtual(number), Logical(logical)) => {
            Some((*number, *logical, (*at - us(0)).units() / Span::from_us(1).units()))
        }
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

fn order(system: &System) -> Vec<u32> {
    system.dispatched().iter().map(|(number, ..)| *number).collect()
}

#[test]
fn alone_it_goes_on_and_is_charged() {
    let mut system = one(vec![machines(1, 1)]);
    system.insists(0, Some((0, simulated(2))));
    system.ready(0, 10, us(0));
    system.over(0, us(10));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(12))));
    system.insists(0, Some((0, work(5))));
    system.over(0, us(12));
    assert_eq!((intercepted(&system), system.standing(0)), (vec![(0, 0, 12)], Running));
    system.over(0, us(12));
    system.run_to(us(17));
    let spent = system.spent(0);
    assert_eq!((spent.emulation, spent.chargeable, spent.work), (us(15) - us(0), Span::from_us(2), us(15) - us(0)));
    assert_eq!(system.charged[0], Span::from_us(17));
    let charged: Vec<Span> = system.served.iter().map(|served| served.charged).collect();
    assert_eq!(charged, [10, 2, 5].map(Span::from_us), "each is reported with its charge");
    assert_eq!(order(&system), [0], "it never lost its processor");
}

#[test]
fn if_another_waits_it_goes_back_and_goes_on_later() {
    let mut system = one(vec![machines(2, 1)]);
    system.insists(0, Some((0, simulated(2))));
    system.ready(0, 100, us(0));
    system.ready(1, 30, us(50));
    system.run_to(us(101));
    assert_eq!((system.standing(1), system.on(0)), (Ready, Some(0)), "it waits until the instruction is simulated");
    system.sated(0);
    system.over(0, us(102));
    assert_eq!((system.standing(0), system.on(0), system.due(0)), (Ready, Some(1), Some(us(132))));
    system.run_to(us(132));
    assert_eq!((order(&system), intercepted(&system)), (vec![0, 1, 0], vec![(0, 0, 102)]));
    let served: Vec<u32> = system.served.iter().map(|served| served.requester).collect();
    assert_eq!(served, [0, 1, 0], "its program goes on when it is dispatched, in no time");
}

/// After a slice each, 1,000 us for a share of 100 are ahead of 600 for 50 and behind 600 for 200.
#[test]
fn it_goes_back_to_the_place_of_its_share_and_not_behind_all() {
    for (share, expected) in [(50, [0, 1, 2, 0]), (200, [0, 1, 2, 2])] {
        let mut system =
            one(vec![machines(2, 1), VirtualMachinePlan { share: VmShare::Relative(share), ..machines(1, 1) }]);
        system.ready_for_ever(0, us(0));
        system.ready_for_ever(1, us(0));
        system.insists(2, Some((2, simulated(100))));
        system.ready(2, 500, us(0));
        system.run_to(us(2 * SLICE + 600));
        assert_eq!(order(&system)[..4], expected, "a share of {share}");
    }
}

#[test]
fn it_gives_no_new_slice() {
    let mut system = one(vec![machines(2, 1)]);
    system.insists(0, Some((0, simulated(50))));
    system.ready(0, 600, us(0));
    system.run_to(us(600));
    system.insists(0, Some((0, work(600))));
    system.run_to(us(700));
    system.ready(1, 10, us(700));
    assert_eq!(system.due(0), Some(us(1_050)), "400 us were left, and what was simulated is no part of it");
    system.over(0, us(1_050));
    assert_eq!(system.on(0), Some(1));
}

/// A virtual processor that is to be woken here waits for this processor, too.
#[test]
fn an_interrupt_that_came_meanwhile_makes_it_go_back() {
    let costs = CostsPlan { wake: Span::from_us(5), ..CostsPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, ..settings() }, vec![machines(2, 1)]));
    system.ready_in(0, 0, simulated(100), us(0));
    system.run_to(us(50));
    system.ready(1, 30, us(50));
    assert_eq!(system.due(0), Some(us(105)), "it is not interrupted");
    system.over(0, us(105));
    assert_eq!((system.standing(0), system.due(0)), (Ready, Some(us(110))));
    system.run_to(us(140));
    assert_eq!(order(&system), [0, 1, 0]);
}

#[test]
fn it_goes_on_being_simulated_when_its_processor_is_carried_again() {
    let mut system = System::not_carried(&weighted(1, settings(), vec![machines(1, 1)]));
    system.carry(0, us(0));
    system.ready_in(0, 0, simulated(10), us(0));
    system.drop(0, us(4));
    system.pass_to(us(90));
    system.carry(0, us(100));
    system.run_to(us(106));
    assert_eq!((intercepted(&system), system.charged[0]), (vec![(0, 0, 106)], Span::from_us(10)));
}

/// It is held back by what was simulated for it, though that is no part of a slice.
#[test]
fn a_limit_holds_back_one_that_does_nothing_else() {
    for percent in [5.0, 25.0, 60.0] {
        let kind = VirtualMachinePlan { limit: Some(Percent::new(percent)), ..machines(1, 1) };
        let mut system = one(vec![kind]);
        system.ready_again_and_again(0, 0, simulated(40), us(0));
        system.run_to(s(2));
        let had = 50.0 * system.charged[0].seconds();
        assert!((had / percent - 1.0).abs() < 0.02, "{had} of {percent} %");
        assert!(system.log.iter().any(|(_, control)| *control == Control::Stands(Virtual(0), Limited)));
    }
}

/// The purpose of DIAGNOSE X'9C': the holder of a lock waits, and a spinner gives it its processor.
#[test]
fn an_intercepted_holder_waits_with_its_lock_and_is_run_by_a_yield_that_names_it() {
    let kinds = vec![spinning(2, Yields::X9C, 100), machines(1, 1)];
    let mut system = System::new(&plan(2, costly(settings()), kinds));
    system.ready_in(0, 0, simulated(20), us(0));
    system.spins(0, (1, Some(0)), us(1));
    system.ready_in(1, 2, Left::Work(Span::SECOND), us(5));
    system.run_to(us(20));
    assert_eq!((system.standing(0), system.on(0)), (Ready, Some(2)));
    system.run_to(us(205));
    assert_eq!(diagnosed(&system), [(1, 1, Yielded)]);
    let dispatched: Vec<_> = system.dispatched().iter().map(|(number, logical, _)| (*number, *logical)).collect();
    assert_eq!(dispatched[..4], [(0, 0), (1, 1), (2, 0), (0, 1)]);
}

#[test]
fn one_that_takes_no_time_is_simulated_all_the_same() {
    let mut system = one(vec![machines(2, 1)]);
    system.insists(0, Some((0, simulated(0))));
    system.ready(0, 100, us(0));
    system.ready(1, 30, us(50));
    system.run_to(us(99));
    system.over(0, us(100));
    assert_eq!(system.dispatched().last().map(|(number, ..)| *number), Some(0), "its dispatch is reported first");
    system.run_to(us(100));
    assert_eq!((intercepted(&system), system.standing(0), system.on(0)), (vec![(0, 0, 100)], Ready, Some(1)));
}
