//! Finding work: which processor is woken for waiting work, from how far does it steal, and what does the search cost?
//!
//! Eight logical processors, where it matters, are two books of two chips of two cores each.

use super::stand::{System, books, machines, plan, settings, vertical};
use crate::stand::us;
use machine::ids::Logical;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, Stealing, VirtualMachinePlan};
use machine::signal::control_program::VirtualStanding::{Idle, Limited, Ready};
use machine::signal::control_program::{Control, Dispatch, Distance};
use units::{Percent, Span};

/// A virtual processor's slices end after all that is looked at here.
const LONG: u64 = 900;

/// Looking at a vector takes 1 us, and handling a wake-up 10.
fn costs() -> CostsPlan {
    CostsPlan { look: Span::from_us(1), wake: Span::from_us(10), ..CostsPlan::default() }
}

fn eager() -> ControlProgramPlan {
    ControlProgramPlan { horizontal: Stealing::Eager, ..settings() }
}

/// Virtual processor n is at home on logical processor n mod 8.
fn system(settings: ControlProgramPlan) -> System {
    let mut system = System::new(&books(plan(8, settings, vec![machines(48, 1)])));
    system.run_to(us(50));
    system
}

/// All logical processors have work but one.
fn busy_but(idle: u32, settings: ControlProgramPlan) -> System {
    let mut system = system(settings);
    for requester in (0..8).filter(|number| *number != idle) {
        system.ready(requester, LONG, us(100));
    }
    system
}

/// The virtual processors that were stolen, the thief and the distance, in order.
fn stolen(system: &System) -> Vec<(u32, u32, Distance)> {
    let stolen = system.dispatched().into_iter();
    stolen.filter_map(|(number, logical, how)| how.stolen.map(|from| (number, logical, from))).collect()
}

/// ASSUME: apart from spinning, non-chargeable time grows with processors that find nothing (HiperDispatch, Table 1).
#[test]
fn a_processor_pays_a_look_for_each_vector_before_it_is_idle() {
    let mut system = System::new(&plan(3, ControlProgramPlan { costs: costs(), ..settings() }, vec![machines(3, 1)]));
    assert_eq!(system.due(0), Some(us(3)));
    system.run_to(us(3));
    assert_eq!(system.due(0), None);
    system.ready(0, 50, us(100));
    system.over(0, us(110));
    system.over(0, us(160));
    assert_eq!(system.said.last(), Some(&Control::Looked(Logical(0), 3)));
    assert_eq!((system.standing(0), system.due(0)), (Idle, Some(us(163))));
    system.run_to(us(500));
    assert_eq!(system.spent(0).system, Span::from_us(3 + 10 + 3), "and none while it is idle");
}

#[test]
fn of_one_list_the_processor_idle_longest_is_signalled_and_pays_a_look() {
    let mut system = System::new(&plan(3, ControlProgramPlan { costs: costs(), ..settings() }, vec![machines(4, 1)]));
    system.run_to(us(10));
    system.ready(1, 5, us(10));
    system.run_to(us(30));
    system.ready(0, LONG, us(40));
    system.over(0, us(50));
    system.ready(3, LONG, us(100));
    system.over(0, us(110));
    assert_eq!(system.standing(3), Ready);
    assert!(system.said.contains(&Control::Looked(Logical(2), 3)), "processor 1 was busy since: {:?}", system.said);
    assert_eq!((system.due(1), system.due(2)), (None, Some(us(113))));
    system.over(2, us(113));
    assert_eq!(system.on(2), Some(3));
    assert_eq!(stolen(&system), [], "a list for all has no homes");
    assert_eq!(system.dispatched()[2].2.moved, Distance::Chip);
}

#[test]
fn of_one_list_a_free_processor_takes_the_first_from_anywhere() {
    let mut system = busy_but(7, settings());
    system.ready(7, 300, us(100));
    for requester in [40, 33, 9] {
        system.ready(requester, 10, us(200));
    }
    system.run_to(us(999));
    let taken: Vec<_> = system.dispatched()[8..].iter().map(|(number, logical, _)| (*number, *logical)).collect();
    assert_eq!(taken, [(40, 7), (33, 7), (9, 7)]);
}

#[test]
fn without_barriers_anyone_is_stolen_from_at_once() {
    for home in 0..7 {
        let mut system = busy_but(7, eager());
        let from = match home {
            0..4 => Distance::Far,
            4..6 => Distance::Book,
            _ => Distance::Chip,
        };
        system.ready(8 + home, LONG, us(200));
        assert_eq!(stolen(&system), [(8 + home, 7, from)]);
    }
}

#[test]
fn without_barriers_the_nearest_goes_first_all_the_same() {
    let mut system = busy_but(7, eager());
    system.ready(7, 50, us(100));
    for requester in [8, 16, 12, 14] {
        system.ready(requester, 10, us(120));
    }
    system.run_to(us(200));
    assert_eq!(
        stolen(&system),
        [(14, 7, Distance::Chip), (12, 7, Distance::Book), (8, 7, Distance::Far), (16, 7, Distance::Far)]
    );
}

/// Understanding HiperDispatch: there are barriers to steals from afar.  ASSUME: as many have to wait.
#[test]
fn with_barriers_only_with_enough_waiting_at_that_distance() {
    for (thief, barrier, from) in [(1, 1, Distance::Chip), (3, 2, Distance::Book), (7, 4, Distance::Far)] {
        let mut system = busy_but(thief, vertical());
        for waiting in 1..barrier {
            system.ready(8 * waiting, LONG, us(200));
            assert_eq!(stolen(&system), [], "{waiting} wait");
        }
        system.ready(8 * barrier, LONG, us(200));
        assert_eq!(stolen(&system), [(8, thief, from)], "the first of them");
        assert_eq!(system.depth(0), barrier - 1);
    }
}

#[test]
fn the_nearest_first_and_of_those_the_longest() {
    let mut system = busy_but(1, vertical());
    system.ready(1, 50, us(100));
    let waiting = [(0, 1), (2, 2), (3, 3), (4, 5)];
    for (home, count) in waiting {
        for nth in 1..=count {
            system.ready(home + 8 * nth, 10, us(120));
        }
    }
    assert_eq!(stolen(&system), []);
    system.run_to(us(150));
    assert_eq!(stolen(&system), [(8, 1, Distance::Chip)]);
    system.run_to(us(160));
    assert_eq!(stolen(&system)[1], (11, 1, Distance::Book), "three wait there, and two in the other of that book");
    system.run_to(us(900));
    let farther = stolen(&system)[2..].iter().filter(|(_, _, from)| *from == Distance::Far).count();
    assert_eq!((farther, system.depth(4)), (2, 3), "of those of the other book down to the barrier");
}

/// Its own first, then those of others: it goes on with its own vector as long as that is not empty.
#[test]
fn the_own_vector_goes_before_those_of_others() {
    let mut system = busy_but(1, eager());
    system.ready(1, 50, us(100));
    for requester in [8, 16, 9, 17] {
        system.ready(requester, 10, us(120));
    }
    system.run_to(us(190));
    let taken: Vec<_> = system.dispatched()[8..].iter().map(|(number, logical, _)| (*number, *logical)).collect();
    assert_eq!(taken, [(9, 1), (17, 1), (8, 1), (16, 1)]);
}

#[test]
fn an_idle_processor_that_may_take_it_is_signalled_the_nearest_first() {
    let mut system = system(ControlProgramPlan { costs: costs(), ..eager() });
    for requester in [0, 1, 4] {
        system.ready(requester, LONG, us(100));
    }
    system.run_to(us(150));
    system.ready(8, LONG, us(200));
    system.over(0, us(210));
    assert_eq!(
        system.due(2),
        Some(us(218)),
        "it looks; of those of the book the one idle longest, and the first of them"
    );
    system.over(2, us(218));
    assert_eq!(stolen(&system), [(8, 2, Distance::Book)]);
}

/// ASSUME: it is at home there from then on, whatever takes it off its processor: here it is a limit.
#[test]
fn a_stolen_virtual_processor_is_at_home_with_the_thief() {
    let limited = VirtualMachinePlan { limit: Some(Percent::new(2.5)), ..machines(1, 1) };
    let mut system = System::new(&books(plan(8, eager(), vec![machines(8, 1), limited])));
    for requester in 0..7 {
        system.ready_for_ever(requester, us(0));
    }
    system.run_to(us(100_000));
    system.ready_for_ever(8, us(100_000));
    assert_eq!(stolen(&system), [(8, 7, Distance::Far)]);
    system.run_to(us(101_000));
    assert_eq!(system.standing(8), Limited);
    system.ready_for_ever(7, us(101_000));
    system.run_to(us(101_900));
    assert_eq!((system.standing(8), system.depth(0), system.depth(7)), (Ready, 0, 1));
}

/// ASSUME: its interrupts are handled where it ran last.
#[test]
fn a_stolen_virtual_processor_is_woken_at_the_thief() {
    let mut system = busy_but(7, eager());
    system.ready(8, 10, us(200));
    system.run_to(us(300));
    system.ready(7, LONG, us(300));
    system.ready(8, 10, us(400));
    assert_eq!((system.depth(0), system.depth(7)), (0, 1));
    system.run_to(us(1_200));
    let (number, logical, how) = *system.dispatched().last().expect("he was dispatched");
    assert_eq!((number, logical), (8, 0), "idle from 1,000 us on");
    assert_eq!(how, Dispatch { moved: Distance::Far, stolen: Some(Distance::Far), ..how }, "as far as home is");
}

#[test]
fn one_that_goes_back_at_the_end_of_its_slice_waits_where_it_ran() {
    let mut system = busy_but(7, eager());
    system.ready_for_ever(8, us(200));
    system.ready_for_ever(15, us(300));
    assert_eq!((stolen(&system).len(), system.on(7), system.depth(7)), (1, Some(8), 1));
    for requester in 0..7 {
        system.ready_for_ever(16 + requester, us(310));
    }
    system.run_to(us(1_200));
    assert_eq!((system.standing(8), system.on(7)), (Ready, Some(15)), "behind the other, on the thief's vector");
    assert_eq!(system.depth(7), 1);
}
