//! Rounds: when does a virtual processor that spins try, and which is first when the lock is free again?
//!
//! ASSUME: the loop is spin_retry tries of equal length; that a try which succeeds is the first one after the release follows.

use super::spinners::{TRY, came_of, spinning, system, tried};
use super::stand::{SLICE, System, machines, plan, s, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::ids::SpinLock;
use machine::plan::Plan;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, Footprint, SpinPlan, VirtualMachinePlan, Yields};
use machine::plan::topology::{CacheLevel, SharedBy, Topology};
use machine::signal::control_program::Diagnosed::{Fast44, Sensed};
use machine::signal::control_program::VirtualStanding::{Interrupted, Ready, Running};
use units::{Span, Tod};

/// Requesters 1 and 2 spin on processors 0 and 1 without a target, the second from 3 us on. A round is a hundred tries.
fn two_spin(yields: Yields) -> System {
    let mut system = system(2, spinning(3, yields, 100));
    system.spins(0, (1, None), us(0));
    system.spins(0, (2, None), us(3));
    system
}

/// Handling a wake-up takes 10 us.
fn waking() -> ControlProgramPlan {
    ControlProgramPlan { costs: CostsPlan { wake: Span::from_us(10), ..CostsPlan::default() }, ..settings() }
}

#[test]
fn a_round_is_spin_retry_tries() {
    for (retry, round) in [(0, TRY), (1, TRY), (2, 2 * TRY), (100, 100 * TRY)] {
        let mut system = system(1, spinning(1, Yields::X44, retry));
        system.spins(0, (1, None), us(10));
        assert_eq!(system.due(0), Some(us(10 + round)), "spin_retry {retry}");
        system.over(0, us(10 + round));
        assert_eq!(system.due(0), Some(us(11 + round)), "the DIAGNOSE");
        system.run_to(us(11 + round));
        assert_eq!(came_of(&system), [(11 + round, Fast44)]);
        assert_eq!(system.due(0), Some(us(11 + 2 * round)), "the next");
    }
}

#[test]
fn a_thousand_tries_of_8_ns_are_one_event() {
    let spin = SpinPlan { yields: Yields::X44, ..SpinPlan::default() };
    let machine = VirtualMachinePlan { spin, ..machines(1, 1) };
    let mut system = System::new(&plan(1, settings(), vec![machine]));
    system.spins(0, (1, None), us(0));
    assert_eq!(system.due(0), Some(Tod::from_units(33_000)));
    assert_eq!(system.next_event().map(|(_, at)| at), system.due(0));
}

#[test]
fn a_guest_that_never_yields_has_no_rounds() {
    let mut system = system(1, spinning(1, Yields::Never, 2));
    system.spins(0, (1, None), us(0));
    for slice in 1..5 {
        assert_eq!(system.due(0), Some(us(slice * SLICE)), "its slices");
        system.over(0, us(slice * SLICE));
    }
    assert_eq!(came_of(&system), []);
}

#[test]
fn what_is_left_of_a_round_when_a_slice_ends_is_done_in_the_next() {
    let mut system = system(1, spinning(1, Yields::X44, 1_200));
    system.spins(0, (1, None), us(0));
    assert_eq!(system.due(0), Some(us(SLICE)));
    system.over(0, us(SLICE));
    assert_eq!(system.due(0), Some(us(2 * SLICE)));
    system.over(0, us(2 * SLICE));
    assert_eq!(system.due(0), Some(us(1_200 * TRY)), "2,400 us in all");
}

#[test]
fn a_running_spinner_has_it_at_the_end_of_its_try() {
    for (freed, tries) in [(0, 2), (1, 2), (2, 4), (3, 4), (77, 78), (197, 198), (198, 200)] {
        let mut system = system(1, spinning(1, Yields::X44, 100));
        system.spins(0, (1, None), us(0));
        system.freed(0, None, us(freed));
        assert_eq!(system.due(0), Some(us(tries)), "freed at {freed}");
        system.over(0, us(tries));
        assert_eq!(tried(&system), [1]);
        assert_eq!(system.served[0].charged, Span::from_us(tries));
    }
}

#[test]
fn a_try_that_ends_at_the_instant_of_the_release_finds_it_taken_still() {
    let mut system = system(1, spinning(1, Yields::X44, 100));
    system.spins(0, (1, None), us(0));
    system.freed(0, None, us(4));
    assert_eq!(system.due(0), Some(us(6)));
}

#[test]
fn the_first_try_after_the_release_has_it() {
    for (freed, first, at) in [(10, 2, 11), (11, 1, 12), (12, 2, 13), (13, 1, 14)] {
        let mut system = two_spin(Yields::X44);
        system.freed(0, None, us(freed));
        system.run_to(us(100));
        assert_eq!(tried(&system), [first], "freed at {freed}");
        let other = if first == 1 { (1, us(203)) } else { (0, us(200)) };
        assert_eq!(system.due(other.0), Some(other.1), "the other does not notice");
        assert!(system.log.iter().any(|(when, _)| *when == us(at)), "at {at}");
    }
}

#[test]
fn a_clock_unit_decides_which_is_first() {
    for (second, first) in [(3 * 4096 - 1, 2), (3 * 4096, 1), (3 * 4096 + 1, 1)] {
        let mut system = system(2, spinning(3, Yields::X44, 100));
        system.spins(0, (1, None), us(1));
        system.spins(0, (2, None), Tod::from_units(second));
        system.freed(0, None, us(20));
        system.run_to(us(30));
        assert_eq!(tried(&system), [first], "the second came at unit {second}");
    }
}

/// Of two things at one instant that on the lower processor comes first: that round must not end with its yield.
#[test]
fn of_two_tries_at_one_instant_the_first_to_come_succeeds() {
    let mut system = system(3, spinning(4, Yields::X9C, 1));
    for (requester, work) in [(0, 10), (1, 50), (2, 50), (5, 5)] {
        system.ready_in(0, requester, Left::Work(Span::from_us(work)), us(0));
    }
    system.run_to(us(500));
    system.spins(0, (1, None), us(500));
    system.spins(0, (5, None), us(500));
    assert_eq!((system.on(0), system.on(1)), (Some(3), Some(1)), "the higher number on the lower processor");
    system.freed(0, None, us(501));
    system.run_to(us(502));
    assert_eq!((tried(&system)[4..].to_vec(), came_of(&system)), (vec![5], vec![]));
}

#[test]
fn with_turns_only_the_next_in_turn_has_it() {
    for next in [1, 2] {
        for freed in 10..14 {
            let mut system = two_spin(Yields::X44);
            system.freed(0, Some(next), us(freed));
            system.run_to(us(100));
            assert_eq!(tried(&system), [next], "freed at {freed}");
        }
    }
}

#[test]
fn a_spinner_for_another_lock_does_not_try() {
    let mut system = system(2, spinning(2, Yields::X44, 100));
    system.ready_in(0, 1, Left::Spin(SpinLock(1)), us(0));
    system.spins(0, (2, None), us(1));
    system.freed(0, None, us(10));
    system.run_to(us(150));
    assert_eq!(tried(&system), [2]);
}

#[test]
fn a_lock_is_free_for_its_own_machine_only() {
    let kinds = vec![spinning(1, Yields::X44, 100), spinning(1, Yields::X44, 100)];
    let mut system = System::new(&plan(2, settings(), kinds));
    system.spins(0, (0, None), us(0));
    system.spins(1, (1, None), us(0));
    system.freed(1, None, us(10));
    system.run_to(us(150));
    assert_eq!(tried(&system), [1]);
}

#[test]
fn an_undispatched_spinner_tries_first_thing_when_dispatched() {
    let mut system = system(1, spinning(2, Yields::Never, 1));
    system.spins(0, (1, None), us(0));
    system.ready_in(0, 0, Left::Work(Span::from_us(600)), us(500));
    system.run_to(us(SLICE));
    assert_eq!((system.on(0), system.standing(0)), (Some(1), Ready));
    system.freed(0, None, us(1_200));
    assert_eq!(system.due(0), Some(us(1_600)), "the running one does not notice");
    system.over(0, us(1_600));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(1_600 + TRY))));
    system.over(0, us(1_600 + TRY));
    assert_eq!(tried(&system), [0, 1]);
}

#[test]
fn it_tries_after_it_was_dispatched_and_its_caches_are_filled() {
    let (dispatch, entry) = (Span::from_us(2), Span::from_us(5));
    let costs = CostsPlan { dispatch, entry, ..CostsPlan::default() };
    let settings = ControlProgramPlan { costs, ..settings() };
    let mut system = System::new(&plan(1, settings, vec![spinning(1, Yields::X44, 10)]));
    system.spins(0, (1, None), us(0));
    assert_eq!(system.due(0), Some(us(7 + 10 * TRY)));
    system.freed(0, None, us(1));
    assert_eq!(system.due(0), Some(us(7 + TRY)));
}

#[test]
fn a_free_lock_is_not_kept_for_an_undispatched_spinner() {
    let mut system = system(1, spinning(3, Yields::Never, 1));
    system.spins(0, (1, None), us(0));
    system.spins(0, (2, None), us(0));
    system.freed(0, None, us(501));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(502))), "it runs and is first");
    system.over(0, us(502));
    assert_eq!((system.on(0), system.due(0)), (Some(1), Some(us(504))), "the next tries too, and may find it taken");
}

#[test]
fn a_try_that_fails_is_one_of_its_round() {
    let mut system = system(1, spinning(1, Yields::X44, 10));
    system.ready_again_and_again(0, 1, Left::Spin(SpinLock(0)), us(0));
    system.freed(0, None, us(7));
    system.over(0, us(8));
    assert_eq!(tried(&system), [1], "another was faster");
    assert_eq!(system.due(0), Some(us(10 * TRY)), "the round goes on");
    system.run_to(us(21));
    assert_eq!(came_of(&system), [(21, Fast44)]);
}

#[test]
fn a_round_whose_last_try_fails_ends_with_its_yield() {
    for retry in [1, 10] {
        let mut system = system(1, spinning(1, Yields::X44, retry));
        system.ready_again_and_again(0, 1, Left::Spin(SpinLock(0)), us(0));
        let round = u64::from(retry) * TRY;
        system.freed(0, None, us(round - 1));
        system.run_to(us(round + 1));
        assert_eq!((tried(&system), came_of(&system)), (vec![1], vec![(round + 1, Fast44)]), "spin_retry {retry}");
        assert_eq!(system.due(0), Some(us(2 * round + 1)), "and the next is a whole one");
    }
}

#[test]
fn a_former_holder_begins_a_whole_round_for_the_next() {
    let mut system = system(1, spinning(1, Yields::X44, 10));
    system.spins(0, (1, None), us(0));
    system.freed(0, None, us(7));
    system.over(0, us(8));
    system.ready_in(0, 1, Left::Work(Span::from_us(5)), us(10));
    system.over(0, us(15));
    system.spins(0, (1, None), us(20));
    assert_eq!(system.due(0), Some(us(20 + 10 * TRY)), "of the same lock");
    system.freed(0, None, us(21));
    system.over(0, us(22));
    system.ready_in(0, 1, Left::Spin(SpinLock(1)), us(30));
    assert_eq!(system.due(0), Some(us(30 + 10 * TRY)), "and of another");
}

/// A round of 8 us, then it asks for so long.
fn asks(sense: u64) -> System {
    let costs = CostsPlan { sense: Span::from_us(sense), ..CostsPlan::default() };
    let settings = ControlProgramPlan { costs, ..settings() };
    let mut system = System::new(&plan(2, settings, vec![spinning(2, Yields::SenseRunning, 4)]));
    system.ready_in(0, 0, Left::Work(Span::SECOND), us(0));
    system.spins(0, (1, Some(0)), us(0));
    assert_eq!(system.due(1), Some(us(4 * TRY + sense)));
    system
}

#[test]
fn a_spinner_does_not_try_while_it_reads_the_running_state() {
    for (freed, tries) in [(5, 6), (7, 8)] {
        let mut system = asks(7);
        system.freed(0, None, us(freed));
        assert_eq!(system.due(1), Some(us(tries)), "freed at {freed}");
        system.over(1, us(tries));
        assert_eq!(tried(&system), [1]);
    }
    for freed in [8, 9, 12, 14] {
        let mut system = asks(7);
        system.freed(0, None, us(freed));
        assert_eq!(system.due(1), Some(us(15)), "freed at {freed}: it asks");
        system.over(1, us(15));
        assert_eq!(
            (came_of(&system), system.due(1)),
            (vec![(15, Sensed)], Some(us(15 + TRY))),
            "then it finds the lock free"
        );
    }
}

#[test]
fn an_interrupt_lets_a_round_go_on_where_it_was() {
    let mut system = System::new(&plan(1, waking(), vec![spinning(2, Yields::X44, 100)]));
    system.spins(0, (1, None), us(0));
    system.over(0, us(10));
    system.ready_in(0, 2, Left::Work(Span::from_us(5)), us(60));
    assert_eq!(system.standing(0), Interrupted);
    system.over(0, us(70));
    assert_eq!((system.standing(0), system.due(0)), (Running, Some(us(10 + 200 + 10))));
}

#[test]
fn a_spinner_interrupted_before_its_try_leaves_it_to_the_next() {
    let mut system = System::new(&plan(2, waking(), vec![spinning(3, Yields::X44, 100)]));
    system.spins(0, (1, None), us(0));
    system.run_to(us(10));
    system.spins(0, (2, None), us(21));
    system.run_to(us(31));
    system.freed(0, None, us(101));
    assert_eq!((system.due(0), system.due(1)), (Some(us(102)), Some(us(231))));
    system.ready_in(0, 3, Left::Work(Span::from_us(5)), us(101));
    assert_eq!((system.standing(0), system.due(1)), (Interrupted, Some(us(103))));
    system.run_to(us(113));
    assert_eq!(tried(&system), [2, 1], "it tries first thing when it is back");
}

#[test]
fn spinning_is_emulation_and_no_work() {
    let mut system = system(1, spinning(1, Yields::Never, 1));
    system.spins(0, (1, None), us(0));
    system.freed(0, None, us(699));
    system.run_to(us(900));
    let spent = system.spent(0);
    assert_eq!((spent.emulation, spent.spinning, spent.work), (Span::from_us(700), Span::from_us(700), Span::ZERO));
    assert_eq!((spent.chargeable, spent.system), (Span::ZERO, Span::ZERO));
    assert_eq!(system.charged[0], Span::from_us(700), "it is charged all the same");
}

#[test]
fn what_is_under_way_counts_as_spinning_too() {
    let mut system = system(1, spinning(1, Yields::Never, 1));
    system.spins(0, (1, None), us(0));
    system.pass_to(us(333));
    assert_eq!(system.spent(0).spinning, Span::from_us(333));
}

#[test]
fn reading_the_running_state_is_the_guest_s_time() {
    let mut system = asks(1);
    system.run_to(us(900));
    let asked = came_of(&system);
    assert!(asked.len() == 100 && asked.iter().all(|(_, what)| *what == Sensed), "{asked:?}");
    assert_eq!(system.spent(1).spinning, Span::from_us(900), "rounds of 8 us and 1 for asking");
}

#[test]
fn spinning_uses_shares_as_work_does() {
    let mut system = system(1, spinning(2, Yields::Never, 1));
    system.spins(0, (1, None), us(0));
    system.ready_in(0, 2, Left::Work(Span::SECOND * 2), us(0));
    system.run_to(s(1));
    let had = system.spent(0).spinning.seconds();
    assert!((had - 0.5).abs() < 0.002, "{had}");
}

/// How much of its storage is left in the innermost caches after another context has used them for 50 ms.
fn found(other: Left) -> u32 {
    let level = CacheLevel { name: "L2".into(), shared_by: SharedBy::Core, kib: 1_000, beyond: 2.0 };
    let topology = Topology {
        name: "TEST".into(),
        cores_per_chip: 2,
        chips_per_book: 2,
        cores_per_book: None,
        levels: vec![level],
    };
    let footprint = Some(Footprint { kib: 800, touched_in: Span::from_us(200) });
    let kinds = (0..2).map(|_| VirtualMachinePlan { footprint, ..spinning(1, Yields::Never, 1) }).collect();
    let mut system = System::new(&Plan { topology: Some(topology), ..plan(1, settings(), kinds) });
    system.ready(0, 20_000, us(0));
    system.run_to(us(100_000));
    system.ready_in(1, 1, other, us(100_000));
    system.run_to(us(150_000));
    system.freed(1, None, us(150_000));
    system.run_to(us(200_000));
    system.ready(0, 20_000, us(200_000));
    system.dispatched().last().expect("it is dispatched").2.resident[0]
}

#[test]
fn spinning_leaves_the_caches_as_they_are() {
    let nothing = found(Left::Work(Span::from_units(1)));
    assert!(nothing > 990_000, "it finds what it had: {nothing}");
    assert_eq!(found(Left::Spin(SpinLock(0))), nothing);
    assert!(found(Left::Work(Span::from_us(20_000))) < 300_000, "work would have displaced it");
}
