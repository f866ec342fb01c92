//! Counters of control programs, on machines without chance whose every figure is computed by hand.

use crate::plans::control_program::{CYCLE, machines, plan};
use kernel::draw::Streams;
use machine::plan::{CecPlan, Dispatching, Plan, VmShare};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::{Percent, Span};

fn simulate(plan: &Plan, warm_up: Span, interval: Span, intervals: u32) -> Vec<IntervalTotals> {
    let measurement = Measurement { warm_up, interval, intervals, sample: interval };
    replicate(plan, &Streams::new(1, 0), &measurement, "by hand", |_| true).expect("the laws hold")
}

/// One processor whose every cycle is the same, over ten of them that begin in the middle of one.
fn alone() -> IntervalTotals {
    simulate(&plan(1), Span::from_us(1_300), CYCLE * 10, 1).remove(0)
}

/// The share of a cycle that this many us are, in percent.
fn of_cycle(us: f64) -> f64 {
    100.0 * us / 1_588.0
}

fn close(found: f64, computed: f64) {
    assert!((found - computed).abs() < 1e-6, "{found} was counted, {computed} was computed");
}

#[test]
fn time_goes_to_guests_to_the_control_program_for_them_and_for_itself() {
    let totals = &alone().control_programs[0];
    close(totals.guests_percent.value, of_cycle(50.0 + 500.0));
    close(totals.chargeable_cp_percent.value, of_cycle(40.0));
    close(totals.nonchargeable_cp_percent.value, of_cycle(18.0 + 20.0 + 38.0));
    close(totals.total_percent.value, of_cycle(666.0));
    close(totals.wait_percent.value, of_cycle(1_588.0 - 666.0));
    close(totals.tv_ratio.value, 666.0 / 550.0);
    close(totals.work_percent.value, of_cycle(500.0));
    close(totals.dispatches_per_s.value, 1e6 / 1_588.0);
}

#[test]
fn a_processor_and_a_machine_have_their_parts_of_it() {
    let totals = alone();
    let (processor, machine) = (&totals.control_processors[0], &totals.virtual_machines[0]);
    assert_eq!(processor.polarity, "Vh");
    close(processor.busy_percent.value + processor.wait_percent.value, 100.0);
    close(processor.busy_percent.value, of_cycle(666.0));
    assert_eq!((processor.parked_percent.value, processor.vector_empty_percent.value), (0.0, 100.0));
    close(machine.charged_percent.value, of_cycle(590.0));
    close(machine.running.value, (20.0 + 550.0 + 38.0 + 40.0) / 1_588.0);
    close(machine.waking.value, 18.0 / 1_588.0);
    close(machine.running.value + machine.waking.value + machine.idle.value, 1.0);
}

/// Two come at once: the second spins for 8 us, then holds the lock for 10.
#[test]
fn a_processor_that_finds_the_lock_held_spins_for_it() {
    let totals = &simulate(&plan(2), Span::ZERO, Span::from_us(1_100), 1)[0];
    let lock = &totals.locks[0];
    close(lock.taken_per_s.value * 1.1e-3, 2.0);
    close(lock.collisions_per_s.value * 1.1e-3, 1.0);
    close(lock.spin_us_per_collision.value, 8.0);
    close(lock.hold_us.value, 9.0);
    close(lock.spin_s_per_s.value, 8.0 / 1_100.0);
    assert_eq!(lock.exclusive_collisions_per_s, lock.collisions_per_s);
    assert_eq!((lock.shared_per_s.value, lock.shared_spin_percent.value), (0.0, 0.0));
    let spun: Vec<f64> = totals.control_processors.iter().map(|processor| processor.spin_percent.value).collect();
    close(spun[0], 0.0);
    close(spun[1], 100.0 * 8.0 / 1_100.0);
}

/// Three processors of which two use 0.85 are too many by one: 0.85 and 1 more are two.
#[test]
fn a_decision_is_logged_when_it_is_made_and_its_processor_parked_from_then_on() {
    let mut parks = plan(2);
    parks.partitions[0].logical = 3;
    parks.cec = Some(CecPlan::slices(3, Span::from_ms(10), Dispatching::Together, Span::ZERO));
    let intervals = simulate(&parks, Span::from_ms(15), Span::from_ms(10), 2);
    let decided: Vec<f64> = intervals.iter().flat_map(|totals| &totals.decisions).map(|row| row.at_s.value).collect();
    assert_eq!(decided, [-0.005, 0.005, 0.015]);
    let first = &intervals[0].decisions[0];
    assert_eq!((first.before.value, first.after.value, first.entitled.value), (3.0, 2.0, 3.0));
    let totals = &intervals[1];
    assert_eq!(totals.control_programs[0].decisions.value, 1.0);
    assert_eq!(totals.control_programs[0].unparked.value, 2.0);
    assert_eq!(totals.control_processors[2].parked_percent.value, 100.0);
}

#[test]
fn relative_shares_divide_what_absolute_ones_leave() {
    let mut shares = plan(1);
    shares.virtual_machines.push(machines("HALF", 1, VmShare::Absolute(Percent::new(40.0))));
    shares.virtual_machines.push(machines("TWO", 2, VmShare::Relative(250)));
    let totals = simulate(&shares, Span::ZERO, CYCLE, 1).remove(0);
    let promised: Vec<f64> = totals.virtual_machines.iter().map(|machine| machine.share.value).collect();
    assert_eq!(promised, [10.0, 40.0, 25.0, 25.0]);
}
