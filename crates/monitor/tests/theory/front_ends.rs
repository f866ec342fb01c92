//! Front-end processors: saturated in slices, by the formula of a device that is re-driven at each interrupt, and messages
//! that ride together.

use super::domains::{dedicated, one_in};
use super::trial::Trial;
use crate::plans::{closed, exponential, open, plan, volume};
use machine::plan::{FrontEndPlan, Plan, Step, Way};
use units::Span;

fn message(way: Way) -> Step {
    Step::Message { front_end: 0, way }
}

fn with_front_end(plan: Plan, messages: f64) -> Plan {
    let front_ends =
        vec![FrontEndPlan { name: "4705".into(), volume: 0, messages, first_messages: None, ..Default::default() }];
    Plan { front_ends, ..plan }
}

/// While its domain has its slice T it does one I/O of exponential length m after the other. The one that ends in the other
/// slice waits: (T / m + 1 - exp(-T / m)) / 2T.
fn saturated_io_per_s(mean_ms: f64, slice_ms: f64) -> f64 {
    let own = slice_ms / mean_ms;
    1e3 * (own + 1.0 - (-own).exp()) / (2.0 * slice_ms)
}

#[test]
fn the_formula_gives_the_values_of_its_source() {
    for (slice, rate) in [(30.0, 60.2), (20.0, 65.5), (10.0, 74.2)] {
        assert!((saturated_io_per_s(11.2, slice) - rate).abs() < 0.05, "{slice}");
    }
}

/// More guests than fit on an I/O have always a message to send, so it is never idle.
#[test]
fn saturated_in_slices() {
    for (mean_us, slice_ms) in
        [(11_200, 30), (11_200, 20), (11_200, 10), (5_000, 30), (5_000, 10), (18_000, 20), (40_000, 10)]
    {
        let plan = plan(vec![volume("4705", exponential(mean_us))], vec![closed(4, vec![message(Way::In)])]);
        let plan = one_in(with_front_end(plan, 1.5), 2, Span::from_ms(slice_ms), Span::ZERO);
        let trial = Trial::run(&format!("front end, {mean_us} us, slices of {slice_ms} ms"), &plan, 150);
        let rate = saturated_io_per_s(mean_us as f64 / 1e3, slice_ms as f64);
        trial.agrees("I/Os per s", |interval| interval.front_ends[0].io_per_s.value, rate);
        trial.agrees("messages per I/O", |interval| interval.front_ends[0].messages_per_io.value, 1.5);
    }
}

/// One message for each I/O, one way: M/M/1.
#[test]
fn one_message_at_a_time() {
    let plan = plan(vec![volume("4705", exponential(1_000))], vec![open(600.0, vec![message(Way::In)])]);
    let trial = Trial::run("front end, M/M/1", &dedicated(with_front_end(plan, 1.0), 1), 80);
    trial.agrees("response", |interval| interval.guests[0].message_ms.value, 2.5);
    trial.agrees("present", |interval| interval.guests[0].population.value, 1.5);
}

/// One I/O carries up to two messages, those that are there when it starts. The number that wait while an I/O is under way is
/// geometric. Its r is the root of `mu r^3 - (lambda + mu) r + lambda` between 0 and 1. Source: Bailey, On Queueing Processes
/// with Bulk Service, 1954; Neuts, A General Class of Bulk Queues with Poisson Input, 1967, with groups of 1 to 2.
#[test]
fn two_messages_ride_together() {
    let arrivals: f64 = 1.2;
    // With mu = 1, r^3 - (lambda + 1) r + lambda = (r - 1) (r^2 + r - lambda).
    let ratio = ((1.0 + 4.0 * arrivals).sqrt() - 1.0) / 2.0;
    let none_waits = 1.0 / (1.0 / arrivals + 1.0 / (1.0 - ratio));
    let busy = none_waits / (1.0 - ratio);
    let plan = plan(vec![volume("4705", exponential(1_000))], vec![open(1e3 * arrivals, vec![message(Way::In)])]);
    let trial = Trial::run("front end, two at a time", &dedicated(with_front_end(plan, 2.0), 1), 80);
    trial.agrees("waiting", |interval| interval.front_ends[0].in_queue.value, busy * ratio / (1.0 - ratio));
    trial.agrees("I/Os per ms", |interval| interval.front_ends[0].io_per_s.value / 1e3, busy);
    trial.agrees("messages per I/O", |interval| interval.front_ends[0].messages_per_io.value, arrivals / busy);
}
