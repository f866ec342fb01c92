//! Counters of spin locks and yields, on machines without chance whose every figure is computed by hand.

use crate::plans::spinning::two_users;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{Arrival, Plan, Step, Yields};
use measures::{Figure, IntervalTotals};
use monitor::{Measurement, replicate};
use units::Span;

const fn us(us: u64) -> Span {
    Span::from_us(us)
}

/// The first 2,000 us.
fn simulate(plan: &Plan) -> IntervalTotals {
    let measurement = Measurement { warm_up: Span::ZERO, interval: us(2_000), intervals: 1, sample: us(100) };
    replicate(plan, &Streams::new(1, 0), &measurement, "by hand", |_| true).expect("the laws hold").remove(0)
}

/// A rate as a count in these 2,000 us.
fn times(rate: Figure) -> f64 {
    (rate.value * 2e-3 * 1e6).round() / 1e6
}

fn close(found: Figure, computed: f64) {
    assert!((found.value - computed).abs() < 1e-6, "{} was counted, {computed} was computed", found.value);
}

/// SECOND spins from 1,050 to 1,100 us and has it at the try after that; each has it for 100 us.
#[test]
fn a_guest_that_finds_a_lock_held_spins_until_its_first_try_after_the_release() {
    let totals = simulate(&two_users(2, Yields::Never));
    let lock = &totals.spin_locks[0];
    assert_eq!((lock.partition.as_str(), lock.virtual_machine.as_str(), lock.number), ("ZVM", "VM", 0));
    assert_eq!((times(lock.taken_per_s), times(lock.contended_per_s)), (2.0, 1.0));
    close(lock.contended_percent, 50.0);
    close(lock.wait_us, 51.0);
    close(lock.longest_wait_ms, 0.051);
    close(lock.held_us, 100.0);
    close(lock.held_percent, 100.0 * 200.0 / 2_000.0);
    close(lock.spinning, 51.0 / 2_000.0);
    let program = &totals.control_programs[0];
    close(program.guests_percent, 100.0 * 251.0 / 2_000.0);
    close(program.spinning_percent, 100.0 * 51.0 / 2_000.0);
    close(program.work_percent, 100.0 * 200.0 / 2_000.0);
    assert_eq!((times(program.diagnoses_per_s), times(program.slice_ends_per_s)), (0.0, 0.0));
}

/// Rounds of 10 us with 5 of DIAGNOSE between them: three of these in the 50 us.
#[test]
fn with_an_empty_vector_every_x44_is_on_the_fast_path() {
    let totals = simulate(&two_users(2, Yields::X44));
    let (program, machine) = (&totals.control_programs[0], &totals.virtual_machines[0]);
    assert_eq!((times(program.x44_per_s), times(program.fast_x44_per_s)), (3.0, 3.0));
    assert_eq!((times(program.diagnoses_per_s), times(program.x9c_per_s)), (3.0, 0.0));
    close(program.fast_x44_percent, 100.0);
    close(program.chargeable_cp_percent, 100.0 * 15.0 / 2_000.0);
    close(program.spinning_percent, 100.0 * 36.0 / 2_000.0);
    assert_eq!((machine.x44_per_s, machine.fast_x44_per_s), (program.x44_per_s, program.fast_x44_per_s));
    assert_eq!((machine.spinning_percent, machine.x9c_per_s), (program.spinning_percent, Figure::ZERO));
}

/// X'9C' at 1,060, 1,077 and 1,094 us, 7 us each: FIRST runs at the end of two of them, and has just begun to think at the
/// end of the third.
#[test]
fn outcomes_of_x9c_are_counted_apart() {
    let totals = simulate(&two_users(2, Yields::X9C));
    let program = &totals.control_programs[0];
    assert_eq!((times(program.x9c_per_s), times(program.diagnoses_per_s)), (3.0, 3.0));
    assert_eq!((times(program.x9c_dispatched_per_s), times(program.x9c_soft_wait_per_s)), (2.0, 1.0));
    let none = [program.x9c_yielded_per_s, program.x9c_not_ready_per_s, program.x9c_wait_per_s, program.x44_per_s];
    assert_eq!(none, [Figure::ZERO; 4]);
    assert_eq!(totals.virtual_machines[0].x9c_per_s, program.x9c_per_s);
}

/// Rounds of 10 us with 1 of looking at the end of each: four of these in the 50 us.
#[test]
fn a_spinner_that_reads_that_the_holder_runs_issues_no_diagnose() {
    let totals = simulate(&two_users(2, Yields::SenseRunning));
    let program = &totals.control_programs[0];
    assert_eq!((times(program.sensed_per_s), times(program.diagnoses_per_s)), (4.0, 0.0));
}

/// One processor and slices of 60 us: FIRST loses it at 1,060 us, and SECOND spins for 10 before it yields.
fn in_turns(yields: Yields) -> IntervalTotals {
    let mut plan = two_users(1, yields);
    plan.partitions[0].control_program.as_mut().expect("it has one").srm.slice = us(60);
    simulate(&plan)
}

/// X'9C' is over at 1,077 us: FIRST runs again until 1,117, and SECOND, which has waited since, has the lock at its next try.
#[test]
fn a_holder_that_waits_is_run_in_the_place_of_the_spinner() {
    let totals = in_turns(Yields::X9C);
    let (program, lock) = (&totals.control_programs[0], &totals.spin_locks[0]);
    assert_eq!((times(program.x9c_per_s), times(program.x9c_yielded_per_s)), (1.0, 1.0));
    assert_eq!(times(program.slice_ends_per_s), 2.0);
    close(lock.wait_us, 58.0);
    close(lock.held_us, 0.5 * (117.0 + 100.0));
    close(program.spinning_percent, 100.0 * 11.0 / 2_000.0);
}

/// One of them waits from 1,050 us, when SECOND comes, to 1,117, when FIRST is done; samples are 100 us apart.
#[test]
fn a_vector_is_seen_all_the_time_and_in_samples() {
    let program = &in_turns(Yields::X9C).control_programs[0];
    close(program.vector_depth, 67.0 / 2_000.0);
    close(program.vector_empty_percent, 100.0 - 100.0 * 67.0 / 2_000.0);
    close(program.vector_depth_sampled, 1.0 / 20.0);
    close(program.vector_empty_sampled_percent, 100.0 - 100.0 / 20.0);
}

#[test]
fn with_a_waiter_in_the_vector_x44_ends_a_slice() {
    let totals = in_turns(Yields::X44);
    let (program, lock) = (&totals.control_programs[0], &totals.spin_locks[0]);
    assert_eq!((times(program.x44_per_s), times(program.fast_x44_per_s)), (1.0, 0.0));
    assert_eq!(times(program.slice_ends_per_s), 2.0);
    close(lock.wait_us, 57.0);
}

/// Each exchange takes 100 us there, 30 us of work, and 200 us back, with no thinking between them.
#[test]
fn an_exchange_lasts_from_the_request_to_the_end_of_the_reply() {
    let mut plan = two_users(2, Yields::Never);
    plan.spin_locks.clear();
    let exchange = Step::Exchange { guest: 1, request: us(100), reply: us(200) };
    plan.guests[0].program = vec![exchange];
    plan.guests[1].arrival = Arrival::Spawned;
    plan.guests[1].program = vec![Step::Compute(Distribution::Constant(us(30)))];
    let totals = simulate(&plan);
    let (caller, answers) = (&totals.guests[0], &totals.guests[1]);
    assert_eq!((times(caller.exchanges_per_s), times(answers.exchanges_per_s)), (6.0, 0.0));
    close(caller.exchange_ms, 0.33);
    close(totals.processors[0].exchange_percent, 100.0);
    close(answers.population, (6.0 * 30.0) / 2_000.0);
}

/// Each is intercepted once with the lock, for 20 us. On one processor FIRST loses it at 1,120 us to SECOND, which has
/// waited since 1,050. SECOND spins, in rounds of 10 us, until it names FIRST.
#[test]
fn intercepts_are_counted_and_charged_and_may_cost_a_holder_its_processor() {
    let mut plan = two_users(1, Yields::X9C);
    for guest in &mut plan.guests {
        let Some(Step::Lock { steps, .. }) = guest.program.last_mut() else { unreachable!("they take a lock") };
        steps.push(Step::Intercept(us(20)));
    }
    let totals = simulate(&plan);
    let (program, machine, lock) = (&totals.control_programs[0], &totals.virtual_machines[0], &totals.spin_locks[0]);
    assert_eq!((times(program.intercepts_per_s), times(machine.intercepts_per_s)), (2.0, 2.0));
    close(program.chargeable_cp_percent, 100.0 * (2.0 * 20.0 + 7.0) / 2_000.0);
    assert_eq!((times(program.x9c_per_s), times(program.x9c_yielded_per_s)), (1.0, 1.0));
    assert_eq!(times(program.slice_ends_per_s), 2.0, "FIRST goes back once, and SECOND when it names FIRST");
    close(program.work_percent, 100.0 * 200.0 / 2_000.0);
    // FIRST: 1,000 to 1,100, simulated to 1,120; SECOND spins to 1,130 and yields to 1,137; FIRST gives it back then.
    close(lock.held_us, 0.5 * (137.0 + 120.0));
}
