//! Closed populations: the machine repairman, and networks of several volumes by exact mean value analysis.

use super::closed_forms::{Closed, most_throughput, mva, repairman};
use super::trial::Trial;
use crate::plans::{bound, closed, exponential, io, io_by_weight, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{Choice, IoPlan, Plan, Redispatch, Step, Target};
use units::Span;

fn think(us: u64) -> Step {
    Step::Think(exponential(us))
}

/// Guests that think and do an I/O of 1 ms to one volume.
fn one_volume(guests: u32, think: Step) -> Plan {
    plan(vec![volume("DISK", exponential(1_000))], vec![closed(guests, vec![think, io(0)])])
}

fn compare(trial: &Trial, theory: &Closed) {
    trial.agrees("I/Os per ms", |interval| interval.system.io_per_s.value / 1e3, theory.throughput);
    trial.system_agrees(theory.response, theory.waiting, theory.throughput);
}

#[test]
fn repairman_of_one_server() {
    for (guests, think_us) in [(3, 1_500), (10, 12_000)] {
        let trial = Trial::run(&format!("M/M/1//{guests}"), &one_volume(guests, think(think_us)), 120);
        compare(&trial, &repairman(1, guests, think_us as f64 / 1e3, 1.0));
    }
}

#[test]
#[ignore = "slow: run by make test-all"]
fn repairman_of_several_servers() {
    for (servers, guests, think_us) in [(2u16, 6, 2_000), (4, 12, 2_500)] {
        let mut plan = one_volume(guests, think(think_us));
        plan.volumes[0].aliasing = bound(servers - 1, Redispatch::SameVolume);
        let trial = Trial::run(&format!("M/M/{servers}//{guests}"), &plan, 100);
        compare(&trial, &repairman(u32::from(servers), guests, think_us as f64 / 1e3, 1.0));
    }
}

/// Thinking is an infinite-server station: only its mean counts (Baskett, Chandy, Muntz, Palacios: Open, Closed, and
/// Mixed Networks of Queues with Different Classes of Customers, 1975).
#[test]
fn how_thinking_is_distributed_does_not_matter() {
    let mean = Span::from_us(4_000);
    for (name, thinking) in
        [("constant", Distribution::Constant(mean)), ("gamma", Distribution::Gamma { mean, scv: 3.0 })]
    {
        let trial = Trial::run(&format!("M/M/1//5, think {name}"), &one_volume(5, Step::Think(thinking)), 120);
        compare(&trial, &repairman(1, 5, 4.0, 1.0));
    }
}

/// A central server: think 3 ms, compute 1 ms, an I/O to A, then three times one to A, B or C by 1 : 2 : 3.  Volumes
/// serve first come first served and alike for all guests, so the network has product form wherever a guest is in
/// its program.
#[test]
fn a_central_server_network() {
    let (service_us, guests) = ([500, 700, 600], 6);
    let program = vec![
        think(3_000),
        Step::Compute(Distribution::Erlang { mean: Span::from_us(1_000), stages: 2 }),
        io(0),
        Step::Repeat { times: 3, steps: vec![io_by_weight(&[(0, 1.0), (1, 2.0), (2, 3.0)])] },
    ];
    let volumes = ["A", "B", "C"].iter().zip(service_us).map(|(name, us)| volume(name, exponential(us))).collect();
    let plan = plan(volumes, vec![closed(guests, program)]);
    let trial = Trial::run("central server", &plan, 120);
    let visits = [1.5, 1.0, 1.5];
    let demands: Vec<f64> = visits.iter().zip(service_us).map(|(visits, us)| visits * us as f64 / 1e3).collect();
    let (throughput, residence, present) = mva(guests, 4.0, &demands);
    trial.agrees("cycles per ms", |interval| interval.guests[0].cycles_per_s.value / 1e3, throughput);
    trial.agrees("cycle", |interval| interval.guests[0].cycle_ms.value, f64::from(guests) / throughput);
    for number in 0..3 {
        let of = |figure: &str| format!("{figure} of {}", plan.volumes[number].name);
        let response = residence[number] / visits[number];
        trial.agrees(&of("response"), |interval| interval.volumes[number].response_ms.value, response);
        let waiting = present[number] - throughput * demands[number];
        trial.agrees(&of("queue"), |interval| interval.volumes[number].queue_depth.value, waiting);
        trial.agrees(&of("in service"), |i| i.volumes[number].in_service.value, throughput * demands[number]);
    }
    assert!(throughput <= most_throughput(guests, 4.0, &demands));
}

/// Three equal volumes chosen alike, no think time: N guests do N / (D (N + 2)) cycles of demand D on each.
#[test]
fn a_balanced_network() {
    let volumes = ["A", "B", "C"].map(|name| volume(name, exponential(1_000))).to_vec();
    let plan = plan(
        volumes,
        vec![closed(5, vec![Step::Io(IoPlan::reading(Choice::Uniform((0..3).map(Target::Volume).collect())))])],
    );
    let trial = Trial::run("balanced network", &plan, 100);
    let per_ms = 5.0 / (1.0 / 3.0 * 7.0);
    trial.agrees("I/Os per ms", |interval| interval.system.io_per_s.value / 1e3, per_ms);
    trial.agrees("response", |interval| interval.system.response_ms.value, 5.0 / per_ms);
    for number in 0..3 {
        let present =
            |i: &measures::IntervalTotals| i.volumes[number].queue_depth.value + i.volumes[number].in_service.value;
        trial.agrees(&format!("number at {number}"), present, 5.0 / 3.0);
    }
}
