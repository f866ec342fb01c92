//! Work in slices: M/M/1 against its Markov chain, and terminals that get less done the more a switch costs.

use super::domains::one_in;
use super::slice_chain::Sliced;
use super::trial::Trial;
use crate::plans::{closed, exponential, io, open, plan, volume};
use machine::plan::Step;
use units::Span;

#[test]
fn mm1_in_slices() {
    for (slice_ms, seconds) in [(1u64, 150), (4, 150), (20, 150)] {
        let work = open(300.0, vec![Step::Compute(exponential(1_000))]);
        let plan = one_in(plan(Vec::new(), vec![work]), 2, Span::from_ms(slice_ms), Span::ZERO);
        let trial = Trial::run(&format!("M/M/1 in slices of {slice_ms} ms"), &plan, seconds);
        let (own, other) = (slice_ms as f64, slice_ms as f64);
        let number = Sliced { arrivals: 0.3, services: 1.0, own, other }.number();
        trial.agrees("number", |interval| interval.guests[0].population.value, number);
        trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, number / 0.3);
    }
}

/// A switch is time that the domain does not get, at the beginning of its slice.
#[test]
fn mm1_in_slices_with_a_switch() {
    let work = open(300.0, vec![Step::Compute(exponential(1_000))]);
    let plan = one_in(plan(Vec::new(), vec![work]), 2, Span::from_ms(5), Span::from_ms(1));
    let trial = Trial::run("M/M/1 in slices of 5 ms less 1 ms", &plan, 400);
    let number = Sliced { arrivals: 0.3, services: 1.0, own: 4.0, other: 6.0 }.number();
    trial.agrees("number", |interval| interval.guests[0].population.value, number);
}

/// Common random numbers: each purpose draws from a stream of its own, whatever the switch costs.
#[test]
fn a_longer_switch_leaves_terminals_with_less() {
    let rates = [0u64, 250, 500, 1_000, 2_000, 4_000].map(|switch_us| {
        let program = vec![Step::Think(exponential(30_000)), Step::Compute(exponential(1_000)), io(0)];
        let plan = plan(vec![volume("DISK", exponential(1_500))], vec![closed(10, program)]);
        let plan = one_in(plan, 2, Span::from_ms(5), Span::from_us(switch_us));
        Trial::run("terminals", &plan, 20).of(|interval| interval.guests[0].cycles_per_s.value)
    });
    for pair in rates.windows(2) {
        let [shorter, longer] = [&pair[0], &pair[1]].map(|rates| rates.iter().sum::<f64>());
        assert!(shorter > longer, "{shorter} against {longer}");
    }
}
