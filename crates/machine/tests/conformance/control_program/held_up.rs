//! A spinning or yielding guest loses its logical processor. Does its round go on, is no try lost, and where does the
//! target of its yield run?

use super::spinners::{came_of, costly, diagnosed, spinning, tried};
use super::stand::{System, books, machines, plan, s, settings, vertical, weighted};
use crate::stand::us;
use machine::control_program::Left;
use machine::ids::{Logical, SpinLock, Virtual};
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, SrmPlan, Stealing, VirtualMachinePlan, Yields};
use machine::signal::control_program::Control;
use machine::signal::control_program::Diagnosed::{Dispatched, Fast44, X44, Yielded};
use machine::signal::control_program::VirtualStanding::{Interrupted, Ready, Running};
use units::{Span, Tod};

const LONG: Left = Left::Work(Span::SECOND);

/// This many logical processors of a partition that shares them, all carried; one machine.
fn shared(logical: u32, machine: VirtualMachinePlan) -> System {
    let mut system = System::not_carried(&weighted(logical, costly(settings()), vec![machine]));
    (0..logical).for_each(|logical| system.carry(logical, us(0)));
    system
}

#[test]
fn a_round_goes_on_when_its_processor_is_carried_again() {
    let mut system = shared(1, spinning(1, Yields::X44, 100));
    system.spins(0, (0, None), us(0));
    system.drop(0, us(61));
    assert_eq!((system.standing(0), system.due(0)), (Interrupted, None));
    system.carry(0, us(500));
    assert_eq!((system.standing(0), system.due(0)), (Running, Some(us(500 + 139))));
    system.run_to(us(640));
    assert_eq!(system.spent(0).spinning, Span::from_us(200), "no time passed for it meanwhile");
}

#[test]
fn a_lock_that_was_freed_meanwhile_is_tried_first_thing() {
    let mut system = shared(1, spinning(1, Yields::X44, 100));
    system.spins(0, (0, None), us(0));
    system.drop(0, us(61));
    system.freed(0, None, us(300));
    assert_eq!((tried(&system), system.due(0)), (vec![], None));
    system.carry(0, us(500));
    assert_eq!(system.due(0), Some(us(502)));
    system.over(0, us(502));
    assert_eq!(tried(&system), [0]);
}

#[test]
fn a_spinner_leaves_its_try_to_the_next_when_its_processor_is_undispatched() {
    let mut system = shared(2, spinning(2, Yields::X44, 100));
    system.spins(0, (0, None), us(0));
    system.spins(0, (1, None), us(1));
    system.freed(0, None, us(51));
    assert_eq!((system.due(0), system.due(1)), (Some(us(52)), Some(us(201))));
    system.drop(0, us(51));
    assert_eq!(system.due(1), Some(us(53)));
    system.run_to(us(53));
    assert_eq!(tried(&system), [1]);
}

/// Events at one instant happen in some order, and PR/SM may be first.
#[test]
fn a_try_at_the_instant_at_which_its_processor_is_dropped_is_not_lost() {
    let mut system = shared(2, spinning(2, Yields::X44, 100));
    system.spins(0, (0, None), us(0));
    system.freed(0, None, us(51));
    system.drop(0, us(52));
    assert_eq!(tried(&system), []);
    system.carry(0, us(400));
    system.run_to(us(402));
    assert_eq!(tried(&system), [0]);
}

#[test]
fn then_another_spinner_tries() {
    let mut system = shared(2, spinning(2, Yields::X44, 100));
    system.spins(0, (0, None), us(0));
    system.spins(0, (1, None), us(1));
    system.freed(0, None, us(51));
    system.drop(0, us(52));
    system.run_to(us(60));
    assert_eq!(tried(&system), [1]);
}

#[test]
fn a_yield_at_that_instant_comes_when_it_is_carried_again() {
    let mut system = shared(1, spinning(1, Yields::X44, 100));
    system.spins(0, (0, None), us(0));
    system.drop(0, us(200));
    system.carry(0, us(400));
    system.run_to(us(401));
    assert_eq!(came_of(&system), [(401, Fast44)]);
}

#[test]
fn a_diagnose_goes_on_when_its_processor_is_carried_again() {
    for (yields, cost, what) in [(Yields::X44, 1, Fast44), (Yields::X9C, 4, Dispatched)] {
        let mut system = shared(2, spinning(2, yields, 100));
        system.ready_in(0, 0, LONG, us(0));
        system.spins(0, (1, Some(0)), us(0));
        system.run_to(us(200));
        system.drop(1, Tod::from_units(200 * 4096 + 1024));
        assert_eq!((system.due(1), system.standing(1)), (None, Running), "it has not lost it");
        system.carry(1, us(300));
        let over = Tod::from_units((300 + cost) * 4096 - 1024);
        assert_eq!(system.due(1), Some(over));
        system.over(1, over);
        assert_eq!(diagnosed(&system), [(1, 1, what)]);
        assert_eq!(system.spent(1).chargeable, Span::from_us(cost));
    }
}

#[test]
fn a_lock_freed_during_a_diagnose_is_tried_right_after_it() {
    let mut system = shared(2, spinning(2, Yields::X9C, 10));
    system.ready_in(0, 0, LONG, us(0));
    system.spins(0, (1, Some(0)), us(0));
    system.run_to(us(21));
    system.freed(0, None, us(21));
    assert_eq!(system.due(1), Some(us(24)));
    system.over(1, us(24));
    assert_eq!(system.due(1), Some(us(26)));
    system.over(1, us(26));
    assert_eq!(tried(&system), [1]);
}

#[test]
fn a_spinner_may_have_it_before_one_whose_diagnose_is_simulated() {
    let mut system = shared(3, spinning(3, Yields::X9C, 10));
    system.ready_in(0, 0, LONG, us(0));
    system.spins(0, (1, Some(0)), us(0));
    system.spins(0, (2, Some(0)), us(9));
    system.run_to(us(20));
    system.freed(0, None, us(20));
    system.run_to(us(21));
    assert_eq!(tried(&system), [2]);
}

/// Handling a wake-up takes 10 us.
fn waking() -> ControlProgramPlan {
    let costs = CostsPlan { wake: Span::from_us(10), ..costly(settings()).costs };
    ControlProgramPlan { costs, ..settings() }
}

#[test]
fn an_interrupt_during_a_diagnose_is_handled_after_it() {
    let mut system = System::new(&plan(1, waking(), vec![spinning(2, Yields::X44, 10)]));
    system.spins(0, (0, None), us(0));
    system.run_to(us(30));
    system.ready_in(0, 1, LONG, us(30));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(31))));
    system.over(0, us(31));
    assert_eq!((system.standing(0), system.on(0), system.due(0)), (Interrupted, None, Some(us(41))));
    system.over(0, us(41));
    assert_eq!((system.standing(0), system.due(0)), (Running, Some(us(61))), "and then it spins on");
}

/// Four logical processors on chips of two, a vector each, 100 ms a slice. All but the first are parked after two seconds.
/// There is no stealing.
fn parks(yields: Yields) -> System {
    let plain = costly(vertical());
    let srm = SrmPlan { slice: Span::from_ms(100), ..plain.srm };
    let settings = ControlProgramPlan { srm, vertical: Stealing::Near, barriers: [9, 9, 9], ..plain };
    let machine = spinning(4, yields, 10);
    System::new(&books(plan(4, settings, vec![machine, machines(4, 1)])))
}

/// The second processor is in the middle of a DIAGNOSE when it is parked; its virtual one names that of requester 2.  Its
/// vector is empty or not.
fn parked_in_a_diagnose(yields: Yields, somebody_waits: bool) -> System {
    let mut system = parks(yields);
    // At home on the second processor.
    for (requester, work) in [(0, 5), (1, 5), (2, 5)] {
        system.ready_in(0, requester, Left::Work(Span::from_us(work)), us(0));
    }
    let cost: u64 = match yields {
        Yields::X44 => 1 + 2 * u64::from(somebody_waits),
        Yields::X9C | Yields::SenseRunning | Yields::Never | Yields::Halt | Yields::PauseLoop => 4,
    };
    let begins = Tod::from_units((2_000_000 - 20) * 4096 - cost * 2048);
    system.run_to(begins);
    system.spins(0, (1, Some(2)), begins);
    assert_eq!(system.on(1), Some(1));
    // Another has the third processor.
    system.ready_in(3, 6, LONG, begins);
    system.ready_in(0, 2, LONG, begins);
    if somebody_waits {
        system.ready_in(2, 5, LONG, begins);
    }
    system.run_to(s(2));
    assert_eq!((system.is_parked(0), system.is_parked(1)), (false, true));
    system
}

#[test]
fn a_round_goes_on_where_it_is_at_home_from_then_on() {
    let mut system = parks(Yields::X44);
    let begins = us(2_000_000 - 11);
    system.ready_in(0, 0, Left::Work(Span::from_us(5)), us(0));
    system.ready_in(0, 1, Left::Work(Span::from_us(5)), us(0));
    system.run_to(begins);
    system.spins(0, (1, None), begins);
    system.run_to(s(2));
    assert_eq!((system.is_parked(1), system.on(0)), (true, Some(1)));
    assert_eq!(system.due(0), Some(s(2) + Span::from_us(9)), "the rest of its round");
}

#[test]
fn after_a_diagnose_it_spins_on_where_it_is_at_home_from_then_on() {
    for (somebody_waits, what) in [(false, Fast44), (true, X44)] {
        let mut system = parked_in_a_diagnose(Yields::X44, somebody_waits);
        system.run_to(us(2_000_002));
        assert_eq!(diagnosed(&system), [(1, 1, what)]);
        assert_eq!((system.on(1), system.standing(1)), (None, Ready), "its processor is parked");
        system.freed(0, None, us(2_000_002));
        system.run_to(s(3));
        let places: Vec<u32> = system.dispatched().iter().map(|(_, logical, _)| *logical).collect();
        assert_eq!((places.last(), tried(&system).last()), (Some(&0), Some(&1)));
    }
}

#[test]
fn the_target_does_not_run_on_a_parked_processor() {
    let mut system = parked_in_a_diagnose(Yields::X9C, true);
    system.run_to(s(2) + Span::from_us(100));
    assert_eq!(diagnosed(&system).len(), 1);
    assert!((1..4).all(|logical| system.on(logical).is_none()), "all are parked but one");
    system.run_to(us(3_999_999));
    let ran = [1, 2].map(|number: usize| system.charged[number]);
    assert!(ran[0] > Span::from_us(100) && ran[1] > Span::from_ms(300), "both get on in those two seconds: {ran:?}");
}

#[test]
fn a_caller_whose_processor_is_parked_waits_in_a_vector_in_use() {
    for yields in [Yields::X44, Yields::X9C, Yields::SenseRunning, Yields::Never] {
        let mut system = parked_in_a_diagnose(yields, true);
        system.freed(0, None, s(2));
        system.run_to(s(3));
        assert!(tried(&system).contains(&1), "{yields:?}");
        assert!(system.served.iter().filter(|served| served.requester == 1).count() == 2, "{yields:?}");
    }
}

#[test]
fn set_srm_polarization_loses_no_target() {
    let plain = costly(vertical());
    let settings = ControlProgramPlan { costs: CostsPlan { wake: Span::from_us(10), ..plain.costs }, ..plain };
    for at in 5..120 {
        let mut system = System::new(&books(plan(2, settings.clone(), vec![spinning(6, Yields::X9C, 10)])));
        for requester in 0..6 {
            let named = (requester + 1) % 6;
            system.ready_again_and_again(0, requester, Left::Spin(SpinLock(0)), us(u64::from(requester)));
            system.names(requester, Some(named));
        }
        system.run_to(us(at));
        let to = machine::plan::Polarization::Horizontal;
        system.set(machine::plan::Srm::Polarization(to), us(at));
        system.run_to(us(30_000));
        assert!((0..6).all(|number| system.charged[number as usize] > Span::ZERO), "{at}");
    }
}

#[test]
fn tries_on_a_lock_that_is_freed_at_every_instant_are_all_answered() {
    for at in 1..200 {
        let mut system = shared(2, spinning(4, Yields::X9C, 5));
        for requester in 0..4 {
            system.spins(0, (requester, Some((requester + 1) % 4)), us(0));
        }
        system.run_to(Tod::from_units(at * 900));
        let now = system.now;
        system.freed(0, None, now);
        let before = system.served.len();
        system.run_to(now + Span::from_ms(1));
        assert!(system.served.len() > before, "freed at {now}");
    }
}

#[test]
fn a_yield_that_ends_a_slice_while_an_interrupt_is_pending_loses_neither() {
    let mut system = System::new(&plan(1, waking(), vec![spinning(3, Yields::X44, 10)]));
    system.spins(0, (0, None), us(0));
    system.run_to(us(10));
    system.ready_in(0, 1, LONG, us(10));
    system.run_to(us(40));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(43))));
    system.ready_in(0, 2, LONG, us(41));
    system.run_to(us(43));
    assert_eq!((diagnosed(&system), system.due(0)), (vec![(0, 0, X44)], Some(us(53))));
    system.run_to(us(53));
    assert_eq!((system.standing(0), system.on(0), system.standing(2)), (Ready, Some(1), Ready));
}

#[test]
fn a_target_of_a_yield_is_signalled_as_dispatched() {
    let mut system = shared(1, spinning(2, Yields::X9C, 10));
    system.spins(0, (0, Some(1)), us(0));
    system.ready_in(0, 1, LONG, us(0));
    system.run_to(us(24));
    assert_eq!(diagnosed(&system), [(0, 0, Yielded)]);
    let told = |control: &Control| matches!(control, Control::Dispatched(Virtual(1), Logical(0), _));
    assert!(system.said.iter().any(told));
}
