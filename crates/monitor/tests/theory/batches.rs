//! Poisson arrivals of batches at one volume: M^X/M/1 with batches of one size and of geometric size.

use super::trial::Trial;
use crate::plans::{exponential, io, open, plan, volume};
use machine::plan::{Arrival, Batch};
use units::PerSecond;

/// Gross, Shortle, Thompson and Harris: Fundamentals of Queueing Theory, 3.1: L = load (1 + E[X^2] / E[X]) / 2 (1 - load).
fn batches(name: &str, batch: Batch, (mean, mean_square): (f64, f64)) {
    let busy = 0.6;
    let mut guests = open(1.0, vec![io(0)]);
    guests.arrival = Arrival::Open { rate: PerSecond::new(1e3 * busy / mean), batch };
    let trial = Trial::run(name, &plan(vec![volume("DISK", exponential(1_000))], vec![guests]), 600);
    let present = busy * (1.0 + mean_square / mean) / (2.0 * (1.0 - busy));
    trial.agrees("rate", |interval| interval.system.io_per_s.value, 1e3 * busy);
    trial.system_agrees(present / busy, present - busy, busy);
}

#[test]
fn batches_of_four() {
    batches("M^4/M/1", Batch::Of(4), (4.0, 16.0));
}

/// A geometric size of mean m has E[X^2] = m (2 m - 1).
#[test]
fn batches_of_geometric_size() {
    batches("M^X/M/1, geometric", Batch::Geometric { mean: 3.0 }, (3.0, 15.0));
}
