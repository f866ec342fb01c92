//! Parking: when does a control program decide, and what becomes of those that run, wait or are woken where it parks?
//!
//! Understanding HiperDispatch; ASSUME: in this order, as far as it is not said there.

use super::stand::{System, books, machines, plan, s, settings, vertical};
use crate::stand::us;
use machine::ids::{Logical, Virtual};
use machine::plan::Srm;
use machine::plan::control_program::{ControlProgramPlan, ControllerPlan, CostsPlan, Polarization, SrmPlan};
use machine::signal::control_program::VirtualStanding::{Idle, Interrupted, Ready, Running, Waking};
use machine::signal::control_program::{Control, Decision, Placed};
use units::{Span, Tod};

const US: Span = Span::from_us(1);

/// Parking takes 50 us, and handling a wake-up 10; a slice is 100 ms.
fn costly(plain: ControlProgramPlan) -> ControlProgramPlan {
    let costs = CostsPlan { park: US * 50, wake: US * 10, ..CostsPlan::default() };
    let srm = SrmPlan { slice: Span::from_ms(100), ..plain.srm };
    ControlProgramPlan { costs, srm, ..plain }
}

/// This many logical processors on chips of two, and two virtual processors for each.
fn system(logical: u32) -> System {
    System::new(&books(plan(logical, costly(vertical()), vec![machines(2 * logical, 1)])))
}

/// One of four logical processors was used for most of an interval, and all of them are busy when it ends.
fn four_run_and_three_are_parked() -> System {
    let mut system = system(4);
    system.ready(0, 400_000, us(0));
    system.run_to(us(1_950_000));
    for requester in 0..4 {
        system.ready(requester, 10_000_000, us(1_950_000));
    }
    system.run_to(s(2));
    system
}

fn decisions(system: &System) -> Vec<(Tod, Decision)> {
    let one = |(at, control): &(Tod, Control)| match control {
        Control::Decided(_, decision) => Some((*at, *decision)),
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

fn parked(system: &System) -> Vec<u32> {
    (0..4).filter(|logical| system.is_parked(*logical)).collect()
}

#[test]
fn it_decides_every_two_seconds_and_only_in_vertical_mode() {
    for (settings, decided) in [(vertical(), vec![s(2), s(4), s(6)]), (settings(), vec![])] {
        let mut system = System::new(&plan(4, settings, vec![machines(4, 1)]));
        system.run_to(s(7));
        assert_eq!(decisions(&system).iter().map(|(at, _)| *at).collect::<Vec<_>>(), decided);
        assert_eq!(system.is_parked(3), !decided.is_empty(), "nothing was used");
        assert!(!system.is_parked(0), "one is always used");
    }
}

/// These settings, with this number of processors unparked at first.
fn starting(start: u32, settings: ControlProgramPlan) -> ControlProgramPlan {
    ControlProgramPlan { controller: ControllerPlan { start: Some(start), ..settings.controller }, ..settings }
}

#[test]
fn before_the_first_decision_it_uses_as_many_as_it_starts_with() {
    let mut system = System::new(&books(plan(4, starting(2, vertical()), vec![machines(8, 1)])));
    assert_eq!(parked(&system), [2, 3], "the last ones are parked");
    for requester in 0..8 {
        system.ready(requester, 10_000_000, us(0));
    }
    system.run_to(us(1_999_999));
    let used: Vec<u32> = system.dispatched().iter().map(|(_, logical, _)| *logical).collect();
    assert!(used.contains(&0) && used.contains(&1) && used.iter().all(|logical| *logical < 2), "{used:?}");
    system.run_to(s(3));
    assert_eq!(decisions(&system)[0].1.before, 2);
}

#[test]
fn in_horizontal_mode_all_are_used_whatever_it_starts_with() {
    let system = System::new(&plan(4, starting(2, settings()), vec![machines(4, 1)]));
    assert_eq!(parked(&system), [0; 0]);
}

#[test]
fn it_starts_with_no_more_than_there_are() {
    let system = System::new(&plan(4, starting(9, vertical()), vec![machines(4, 1)]));
    assert_eq!(parked(&system), [0; 0]);
}

#[test]
fn it_decides_by_what_was_used_in_the_interval_that_is_over() {
    let mut system = system(4);
    for requester in 0..3 {
        system.ready(requester, 800_000, us(0));
    }
    system.run_to(us(1_800_000));
    system.ready(3, 9_000_000, us(1_800_000));
    system.run_to(s(4));
    let used: Vec<f64> = decisions(&system).iter().map(|(_, decision)| decision.used).collect();
    assert!((used[0] - (3.0 * 0.8 + 0.2 + 3e-5) / 2.0).abs() < 1e-9, "what is under way counts: {used:?}");
    assert!((used[1] - 1.0).abs() < 1e-3, "{used:?}");
    assert_eq!(decisions(&system)[0].1.after, 2);
}

#[test]
fn a_virtual_processor_that_runs_where_it_parks_goes_to_another_vector() {
    let mut system = four_run_and_three_are_parked();
    assert_eq!(parked(&system), [1, 2, 3]);
    for number in 1..4 {
        assert_eq!(system.standing(number), Ready);
        let placed = Placed { from: Logical(number), to: Logical(0) };
        assert!(system.said.contains(&Control::Placed(Virtual(number), placed)));
    }
    assert_eq!((system.on(0), system.depth(0)), (Some(0), 3), "a virtual processor elsewhere keeps running");
    let before = system.dispatched().len();
    system.run_to(us(3_999_999));
    let since: Vec<u32> = system.dispatched()[before..].iter().map(|(_, logical, _)| *logical).collect();
    assert!(since.len() > 10 && since.iter().all(|logical| *logical == 0), "{since:?}");
}

#[test]
fn an_interrupted_one_there_goes_too() {
    let mut system = system(4);
    system.ready(0, 400_000, us(0));
    system.run_to(us(1_900_000));
    system.ready(1, 10_000_000, us(1_900_000));
    system.run_to(us(1_999_995));
    system.ready(5, 1_000, us(1_999_995));
    assert_eq!(system.standing(1), Interrupted);
    system.run_to(s(2));
    assert_eq!((system.standing(1), system.on(0)), (Running, Some(1)), "it is free there");
    assert_eq!((system.standing(5), system.due(1)), (Waking, Some(us(2_000_005))), "what it has begun it ends");
    system.over(1, us(2_000_005));
    assert_eq!((system.standing(5), system.depth(0)), (Ready, 1));
    assert_eq!(system.due(1), Some(us(2_000_055)), "then it is parked");
}

#[test]
fn parking_costs_once() {
    let mut system = four_run_and_three_are_parked();
    let before = system.spent(3).system;
    assert_eq!(system.due(3), Some(s(2) + US * 50));
    system.run_to(s(9));
    assert!(system.is_parked(3));
    assert_eq!(system.spent(3).system - before, US * 50);
}

#[test]
fn unparking_costs_once_and_then_it_takes_its_part() {
    let mut system = four_run_and_three_are_parked();
    let before: Vec<Span> = (1..4).map(|logical| system.spent(logical).system + US * 50).collect();
    system.run_to(s(3));
    system.set(Srm::CpuPad(4.0), s(3));
    system.run_to(s(4));
    assert_eq!(parked(&system), []);
    for logical in 1..4 {
        assert_eq!((system.on(logical), system.due(logical)), (None, Some(s(4) + US * 50)));
    }
    system.run_to(s(4) + US * 50);
    assert_eq!((system.on(1), system.on(2)), (Some(1), Some(2)), "as far as barriers let them");
    system.run_to(s(9));
    let since: Vec<Span> = (1..4).map(|logical| system.spent(logical).system).collect();
    assert_eq!(since, before.iter().map(|before| *before + US * 50).collect::<Vec<_>>());
}

/// Three of six are used: on chip 0 both, on chip 1 one, on chip 2 none.
#[test]
fn a_wake_up_for_a_parked_processor_goes_to_the_nearest_that_is_not() {
    for (woken, handler) in [(3, 2), (4, 0), (5, 0), (1, 1)] {
        let mut system = system(6);
        for requester in 0..3 {
            system.ready(requester, 1_600_000, us(0));
        }
        system.run_to(s(2));
        assert_eq!(decisions(&system)[0].1.after, 3);
        system.run_to(s(3));
        system.ready(woken, 100, s(3));
        assert_eq!(system.standing(woken), Waking);
        assert_eq!(system.due(handler), Some(s(3) + US * 10), "{woken}");
        system.run_to(s(3) + US * 200);
        assert_eq!(system.standing(woken), Idle);
    }
}

#[test]
fn a_wake_up_that_it_had_before_it_was_parked_is_not_lost() {
    let mut system = system(4);
    system.ready(0, 400_000, us(0));
    system.run_to(us(1_999_995));
    system.ready(1, 1_000, us(1_999_995));
    system.ready(5, 1_000, us(1_999_995));
    system.run_to(s(2));
    assert_eq!((system.standing(1), system.standing(5)), (Waking, Waking));
    system.run_to(s(3));
    assert_eq!(system.served.len(), 3);
    assert!(system.dispatched()[1..].iter().all(|(_, logical, _)| *logical == 0), "{:?}", system.dispatched());
}

#[test]
fn a_processor_that_it_parks_twice_before_it_has_got_to_it_is_parked_once() {
    let mut system = four_run_and_three_are_parked();
    let before = system.spent(2).system;
    system.set(Srm::Polarization(Polarization::Horizontal), s(2) + US * 20);
    assert_eq!(parked(&system), [], "no processor is parked in horizontal mode");
    system.run_to(s(3));
    assert_eq!(system.spent(2).system - before, US * 100, "parked and unparked");
}

/// SET SRM POLARIZATION: four wait at home on 0 and 1, and there is no stealing.
#[test]
fn polarization_moves_all_between_the_vectors_and_the_one_list() {
    let plain = ControlProgramPlan { barriers: [9; 3], ..vertical() };
    let mut system = System::new(&books(plan(2, plain, vec![machines(6, 1)])));
    for requester in 0..6 {
        system.ready_for_ever(requester, us(0));
    }
    assert_eq!((system.depth(0), system.depth(1)), (2, 2));
    system.set(Srm::Polarization(Polarization::Horizontal), us(100));
    assert_eq!((system.depth(0), system.depth(1)), (4, 0), "that of the first is the list for all");
    assert_eq!((system.on(0), system.on(1)), (Some(0), Some(1)), "running ones keep running");
    system.set(Srm::Polarization(Polarization::Vertical), us(200));
    assert_eq!((system.depth(0), system.depth(1)), (2, 2), "each at home");
}

/// ASSUME: at home is where it ran last, which the list for all does not ask for.
#[test]
fn a_waiter_in_the_one_list_goes_to_the_vector_where_it_ran() {
    let plain = ControlProgramPlan { barriers: [9; 3], ..settings() };
    let mut system = System::new(&plan(2, plain, vec![machines(6, 1)]));
    for requester in [0, 2, 4] {
        system.ready_for_ever(requester, us(0));
    }
    system.run_to(us(1_500));
    assert_eq!((system.on(0), system.on(1), system.standing(2)), (Some(4), Some(0), Ready), "the second ran on 1");
    system.set(Srm::Polarization(Polarization::Vertical), us(1_500));
    assert_eq!((system.depth(0), system.depth(1)), (0, 1));
}

#[test]
fn a_running_one_goes_on_while_it_decides() {
    let mut system = system(4);
    for requester in 0..4 {
        system.ready(requester, 10_000_000, us(0));
    }
    system.run_to(s(5));
    assert_eq!(decisions(&system).len(), 2);
    assert_eq!(system.dispatched().len(), 4);
    assert!((0..4).all(|logical| system.spent(logical).system == US * 10));
}

#[test]
fn set_srm_is_said_as_it_is() {
    let mut system = system(4);
    system.run_to(s(1));
    system.set(Srm::CpuPad(3.0), s(1));
    assert_eq!(system.said, [Control::Set(machine::ids::Partition(0), Srm::CpuPad(3.0))]);
    system.run_to(s(2));
    assert_eq!(decisions(&system)[0].1.after, 3);
}
