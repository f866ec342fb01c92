//! Shares and slices: which virtual processor is first, for how long, and does each get its share?

use super::stand::{SLICE, System, machines, plan, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, LockMode, LockPlan, VirtualMachinePlan, VmShare};
use machine::plan::{Srm, VectorOrder};
use machine::signal::control_program::Control;
use units::{Percent, Span};

/// One logical processor, and slices of 1 ms that cost nothing.
fn one(kinds: Vec<VirtualMachinePlan>) -> System {
    System::new(&plan(1, settings(), kinds))
}

fn with_share(share: u32) -> VirtualMachinePlan {
    VirtualMachinePlan { share: VmShare::Relative(share), ..machines(1, 1) }
}

fn slices(of: &System, virtuals: u32) -> Vec<u64> {
    let slices = |number: u32| of.charged[number as usize].units() / Span::from_us(SLICE).units();
    (0..virtuals).map(slices).collect()
}

/// Each one uses all it gets for this many slices.
fn contend(system: &mut System, requesters: u32, count: u64) -> Vec<u64> {
    for requester in 0..requesters {
        system.ready_for_ever(requester, us(0));
    }
    system.run_to(us(count * SLICE));
    slices(system, requesters)
}

fn order(system: &System) -> Vec<u32> {
    system.dispatched().iter().map(|(number, ..)| *number).collect()
}

#[test]
fn with_equal_shares_and_slices_it_is_round_robin() {
    let mut system = one(vec![machines(3, 1)]);
    contend(&mut system, 3, 8);
    assert_eq!(order(&system), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
}

/// CP SET SHARE, by charge over share: with a share of 200 beside two of 100 it is first again after its first slice.
#[test]
fn a_slice_end_puts_it_back_behind_those_that_have_had_no_more_of_their_share() {
    let mut system = one(vec![machines(2, 1), with_share(200)]);
    contend(&mut system, 3, 8);
    assert_eq!(order(&system), [0, 1, 2, 2, 0, 1, 2, 2, 0]);
}

#[test]
fn it_goes_on_if_none_waits_and_loses_nothing() {
    let costs = CostsPlan { dispatch: Span::from_us(2), entry: Span::from_us(5), ..CostsPlan::default() };
    let lock =
        LockPlan { mode: LockMode::Shared, hold: Span::from_us(7), per_waiter: Span::ZERO, ..LockPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, lock, ..settings() }, vec![machines(1, 1)]));
    system.ready(0, 2_500, us(0));
    system.over(0, us(7));
    system.over(0, us(7 + 2 + 1_000));
    assert!(
        system.said.iter().all(|signal| matches!(signal, Control::Spent(..) | Control::Stands(..))),
        "{:?}",
        system.said
    );
    system.over(0, us(7 + 2 + 2_000));
    assert_eq!(system.due(0), Some(us(7 + 2 + 5 + 2_500)), "one entry");
}

/// CP SET SHARE: relative shares divide what there is.
#[test]
fn shares_of_100_and_300_are_served_1_to_3() {
    let mut system = one(vec![with_share(100), with_share(300)]);
    assert_eq!(contend(&mut system, 2, 4_000), [1_000, 3_000]);
}

/// ASSUME, as another order than by share: first come, first dispatched.
#[test]
fn by_arrival_shares_make_no_difference() {
    let settings = ControlProgramPlan { order: VectorOrder::Arrival, ..settings() };
    let mut system = System::new(&plan(1, settings, vec![with_share(100), with_share(300)]));
    assert_eq!(contend(&mut system, 2, 40), [20, 20]);
}

#[test]
fn the_virtual_processors_of_a_machine_divide_its_share() {
    let mut system = one(vec![machines(1, 3), machines(1, 1)]);
    let work = Left::Work(Span::SECOND);
    for (machine, requester) in [(0, 0), (0, 1), (0, 2), (1, 3)] {
        system.ready_again_and_again(machine, requester, work, us(0));
    }
    system.run_to(us(600 * SLICE));
    assert_eq!(slices(&system, 4), [100, 100, 100, 300]);
}

/// CP SET SHARE: absolute shares are of the system, relative ones divide what they leave.
#[test]
fn absolute_shares_come_first_and_relative_ones_divide_the_rest() {
    let half = VirtualMachinePlan { share: VmShare::Absolute(Percent::new(50.0)), ..machines(1, 1) };
    let mut system = one(vec![with_share(100), half, with_share(300)]);
    assert_eq!(contend(&mut system, 3, 800), [100, 400, 300]);
}

#[test]
fn a_sleeper_saves_nothing_up() {
    let mut system = one(vec![machines(2, 1)]);
    system.ready_for_ever(0, us(0));
    system.run_to(us(1_000 * SLICE));
    system.ready_for_ever(1, us(1_000 * SLICE));
    system.run_to(us(1_020 * SLICE));
    let had = slices(&system, 2);
    assert!((9..=11).contains(&had[1]), "half of what came since: {had:?}");
}

/// ASSUME: its place is that of the one dispatched last, also when it has run before.
#[test]
fn one_that_has_slept_in_between_saves_nothing_up() {
    let mut system = one(vec![machines(3, 1)]);
    contend(&mut system, 3, 30);
    system.sated(2);
    system.run_to(us(4_000 * SLICE));
    let before = slices(&system, 3);
    system.ready_for_ever(2, us(4_000 * SLICE));
    system.run_to(us(4_030 * SLICE));
    let since: Vec<u64> = slices(&system, 3).iter().zip(&before).map(|(now, before)| now - before).collect();
    assert!(since.iter().all(|slices| (9..=11).contains(slices)), "{since:?}");
}

#[test]
fn an_interrupted_one_goes_on_with_the_rest_of_its_slice() {
    let costs = CostsPlan { wake: Span::from_us(10), ..CostsPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, ..settings() }, vec![machines(2, 1)]));
    system.ready_for_ever(0, us(0));
    system.over(0, us(10));
    assert_eq!(system.due(0), Some(us(1_010)));
    system.ready_for_ever(1, us(400));
    system.over(0, us(410));
    assert_eq!(system.due(0), Some(us(1_020)), "ten were the other's");
    system.over(0, us(1_020));
    assert_eq!((system.on(0), system.due(0)), (Some(1), Some(us(2_020))));
}

/// SET SRM DSPSLICE.
#[test]
fn a_slice_that_is_set_counts_from_the_next_slice() {
    let mut system = one(vec![machines(2, 1)]);
    system.ready_for_ever(0, us(0));
    system.ready_for_ever(1, us(0));
    system.set(Srm::Slice(Span::from_us(300)), us(200));
    system.over(0, us(1_000));
    assert_eq!((system.on(0), system.due(0)), (Some(1), Some(us(1_300))));
}

/// ASSUME: slices of one length would bring virtual processors back to the same place for ever.
#[test]
fn slices_stray_evenly_by_no_more_than_their_jitter() {
    let jitter = ControlProgramPlan { slice_jitter: Percent::new(25.0), ..settings() };
    let mut system = System::new(&plan(1, jitter, vec![machines(2, 1)]));
    contend(&mut system, 2, 4_000);
    let run = |said: &Control| if let Control::Spent(_, spent) = said { Some(spent.emulation) } else { None };
    let runs: Vec<f64> = system.log.iter().filter_map(|(_, said)| run(said)).map(|run| run.ms()).collect();
    assert!(runs.iter().all(|ms| (0.75 - 1e-6..=1.25).contains(ms)), "1 ms is the slice");
    let count = runs.len() as f64;
    let mean = runs.iter().sum::<f64>() / count;
    let square = runs.iter().map(|ms| (ms - mean) * (ms - mean)).sum::<f64>() / count;
    assert!((mean - 1.0).abs() < 5.0 * (0.5 * 0.5 / 12.0 / count).sqrt(), "{mean}");
    assert!((square / (0.5 * 0.5 / 12.0) - 1.0).abs() < 5.0 * (0.8 / count).sqrt(), "uniform: {square}");
}

/// However cold the innermost caches are: half of a slice is the guest's own, else it might never get on.
#[test]
fn a_refill_leaves_the_guest_half_of_its_slice() {
    let costs = CostsPlan { entry: Span::from_us(800), ..CostsPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, ..settings() }, vec![machines(2, 1)]));
    system.ready_for_ever(0, us(0));
    assert_eq!(system.due(0), Some(us(800 + SLICE / 2)));
}
