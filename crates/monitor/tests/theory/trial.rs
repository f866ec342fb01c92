//! A trial: replications of a plan on two threads, and the comparison of a figure with its theory.

use machine::plan::Plan;
use measures::IntervalTotals;
use monitor::{Experiment, Measurement, Watch};
use units::Span;

const REPLICATIONS: u64 = 30;
const MOST_STANDARD_ERRORS: f64 = 5.0;
const MOST_RELATIVE_ERROR: f64 = 0.005;

/// The measurements of the replications of a plan, one interval each.
pub struct Trial {
    name: String,
    intervals: Vec<IntervalTotals>,
}

impl Trial {
    /// Runs replications of this many simulated seconds each, after a warm-up of a twentieth of that.
    pub fn run(name: &str, plan: &Plan, seconds: u64) -> Self {
        let interval = Span::SECOND * seconds;
        let warm_up = Span::from_units(interval.units() / 20);
        let measurement = Measurement { warm_up, interval, intervals: 1, sample: Span::from_ms(100) };
        let experiment = Experiment { plan, name, seed: 20_260, measurement };
        let replications = experiment.run(0..REPLICATIONS, 2, &Watch::default()).expect("the laws hold");
        Trial { name: name.into(), intervals: replications.into_iter().flat_map(|made| made.intervals).collect() }
    }

    /// A figure in each replication.
    pub fn of(&self, seen: impl Fn(&IntervalTotals) -> f64) -> Vec<f64> {
        self.intervals.iter().map(seen).collect()
    }

    /// Compares a figure with its theory.
    pub fn agrees(&self, figure: &str, seen: impl Fn(&IntervalTotals) -> f64, theory: f64) {
        agree(&format!("{}, {figure}", self.name), &self.of(seen), theory);
    }

    /// Compares the response, the queue and the I/Os in service of the whole system.
    pub fn system_agrees(&self, response_ms: f64, queue_depth: f64, in_service: f64) {
        self.agrees("response", |interval| interval.system.response_ms.value, response_ms);
        self.agrees("queue", |interval| interval.system.queue_depth.value, queue_depth);
        self.agrees("in service", |interval| interval.system.in_service.value, in_service);
    }
}

/// Compares the mean over independent runs with its theory.
pub fn agree(figure: &str, values: &[f64], theory: f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    let (z, relative) = ((mean - theory) / error, error / theory.abs());
    println!("{figure}: {mean:.6} against {theory:.6}, z {z:+.2}, standard error {:.3} %", 100.0 * relative);
    assert!(relative < MOST_RELATIVE_ERROR, "{figure}: standard error {:.2} %", 100.0 * relative);
    assert!(z.abs() < MOST_STANDARD_ERRORS, "{figure}: {mean} against {theory}, {z:+.1} standard errors");
}
