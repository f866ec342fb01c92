//! List operations: how does each take the scheduler lock, and is its time in the stretch of its processor?

use super::stand::{System, machines, plan, settings};
use crate::stand::us;
use machine::ids::Logical;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, LockMode, LockPlan, SrmPlan};
use machine::signal::control_program::{Control, ListWork};
use units::Span;

/// The lock is held for 7 us, and for 3 us longer for each contender; a slice is 100 us.
fn settings_of(mode: LockMode) -> ControlProgramPlan {
    let lock = LockPlan { mode, hold: Span::from_us(7), per_waiter: Span::from_us(3), ..LockPlan::default() };
    let srm = SrmPlan { slice: Span::from_us(100), ..settings().srm };
    ControlProgramPlan { lock, srm, ..settings() }
}

fn system(logical: u32, virtuals: u32, mode: LockMode) -> System {
    System::new(&plan(logical, settings_of(mode), vec![machines(virtuals, 1)]))
}

/// How the lock was taken in the last transition: where, exclusive or not, for how long spinning and holding it.
fn taken(system: &System) -> Vec<(u32, bool, u64, u64)> {
    let in_us = |span: Span| span.units() / Span::from_us(1).units();
    let one = |control: &Control| match control {
        Control::Lock(Logical(logical), ListWork { exclusive, spin, hold }) => {
            Some((*logical, *exclusive, in_us(*spin), in_us(*hold)))
        }
        _ => None,
    };
    system.said.iter().filter_map(one).collect()
}

/// Shared holders cannot add to the list of virtual processors, or remove from it (z/VM Performance Report, 5.3).
#[test]
fn joining_and_leaving_a_vector_take_the_lock_exclusive() {
    for mode in [LockMode::Shared, LockMode::Exclusive] {
        let mut system = system(1, 1, mode);
        system.ready(0, 50, us(0));
        assert_eq!(taken(&system), [(0, true, 0, 7)]);
        system.over(0, us(7));
        assert_eq!(taken(&system), [], "a removal for dispatch is none");
        system.over(0, us(57));
        assert_eq!(taken(&system), [(0, true, 0, 7)]);
        assert_eq!(system.due(0), Some(us(64)));
    }
}

/// 5.3 takes it shared for the work of one vector, 5.2 exclusive for all (Diagnose X'9C' Support, Table 3).
#[test]
fn going_back_at_the_end_of_a_slice_takes_it_shared_where_there_is_a_shared_mode() {
    for (mode, exclusive) in [(LockMode::Shared, false), (LockMode::Exclusive, true)] {
        let mut system = system(1, 2, mode);
        system.ready(0, 200, us(0));
        system.over(0, us(7));
        system.ready(1, 200, us(10));
        assert_eq!(taken(&system), [(0, true, 0, 7)]);
        system.over(0, us(17));
        system.over(0, us(114));
        assert_eq!(taken(&system), [(0, exclusive, 0, 7)]);
        assert_eq!((system.on(0), system.due(0)), (None, Some(us(121))));
        system.over(0, us(121));
        assert_eq!((system.on(0), system.due(0)), (Some(1), Some(us(221))));
        assert_eq!(taken(&system), []);
    }
}

#[test]
fn spin_and_hold_are_in_the_stretch_and_are_not_charged() {
    let mut system = system(2, 2, LockMode::Shared);
    system.ready(0, 50, us(0));
    system.ready(1, 50, us(2));
    assert_eq!(taken(&system), [(1, true, 5, 10)], "after the other, and longer as it is there");
    assert_eq!((system.due(0), system.due(1)), (Some(us(7)), Some(us(17))));
    system.over(0, us(7));
    system.over(1, us(17));
    let spent = system.spent(1);
    assert_eq!((spent.system, spent.spin), (Span::from_us(15), Span::from_us(5)));
    assert_eq!((spent.chargeable, spent.emulation), (Span::ZERO, Span::ZERO));
}

#[test]
fn the_path_of_a_wake_up_and_of_a_wait_come_on_top_of_it() {
    let costs = CostsPlan { wake: Span::from_us(20), wait: Span::from_us(30), ..CostsPlan::default() };
    let settings = ControlProgramPlan { costs, ..settings_of(LockMode::Shared) };
    let mut system = System::new(&plan(1, settings, vec![machines(1, 1)]));
    system.ready(0, 50, us(0));
    system.over(0, us(27));
    system.over(0, us(77));
    assert_eq!(system.due(0), Some(us(114)));
}

#[test]
fn without_a_hold_there_is_no_lock() {
    let mut system = System::new(&plan(1, settings(), vec![machines(1, 1)]));
    system.ready(0, 50, us(0));
    assert_eq!(taken(&system), []);
    system.over(0, us(50));
    assert_eq!(taken(&system), []);
}
