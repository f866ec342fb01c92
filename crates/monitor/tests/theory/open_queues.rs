//! Poisson arrivals at one volume: M/M/1, M/M/c with classic aliases, M/G/1.

use super::closed_forms::{mg1_wait, mmc_queue};
use super::trial::Trial;
use crate::plans::{bound, exponential, io, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{Plan, Redispatch};
use units::Span;

/// Arrivals per ms at one volume of mean service 1 ms.
fn one_volume(rate: f64, connect: Distribution) -> Plan {
    plan(vec![volume("DISK", connect)], vec![open(1e3 * rate, vec![io(0)])])
}

#[test]
fn mm1() {
    for (busy, seconds) in [(0.3, 150), (0.5, 200), (0.7, 400)] {
        let trial = Trial::run(&format!("M/M/1 at {busy}"), &one_volume(busy, exponential(1_000)), seconds);
        let response = 1.0 / (1.0 - busy);
        trial.system_agrees(response, mmc_queue(1, busy), busy);
        // The response is exponential too (Gross 2.2).
        trial.agrees("median", |interval| interval.volumes[0].response_p50_ms.value, response * 2f64.ln());
        trial.agrees("90 %", |interval| interval.volumes[0].response_p90_ms.value, response * 10f64.ln());
        trial.agrees("cycles, 90 %", |interval| interval.guests[0].cycle_p90_ms.value, response * 10f64.ln());
    }
}

/// c servers are a base and c - 1 aliases that take waiting requests: redispatch same-volume.
#[test]
#[ignore = "slow: run by make test-all"]
fn mmc() {
    for (servers, busy, seconds) in [(2u16, 0.7, 250), (4, 0.75, 250), (8, 0.8, 250)] {
        let load = busy * f64::from(servers);
        let mut plan = one_volume(load, exponential(1_000));
        plan.volumes[0].aliasing = bound(servers - 1, Redispatch::SameVolume);
        let trial = Trial::run(&format!("M/M/{servers} at {busy}"), &plan, seconds);
        let queue = mmc_queue(u32::from(servers), load);
        trial.system_agrees(1.0 + queue / load, queue, load);
    }
}

fn mg1(name: &str, connect: Distribution, scv: f64, seconds: u64) {
    let busy = 0.6;
    let trial = Trial::run(&format!("M/G/1 at {busy}, {name}"), &one_volume(busy, connect), seconds);
    let wait = mg1_wait(busy, 1.0, scv);
    trial.system_agrees(1.0 + wait, busy * wait, busy);
}

const MEAN: Span = Span::from_ms(1);

#[test]
fn mg1_constant_and_uniform() {
    mg1("constant", Distribution::Constant(MEAN), 0.0, 150);
    let (low, high) = (Span::ZERO, Span::from_ms(2));
    mg1("uniform", Distribution::Uniform { low, high }, 1.0 / 3.0, 200);
}

#[test]
fn mg1_erlang() {
    mg1("Erlang of 4 stages", Distribution::Erlang { mean: MEAN, stages: 4 }, 0.25, 200);
}

#[test]
#[ignore = "slow: run by make test-all"]
fn mg1_gamma() {
    mg1("gamma of scv 0.5", Distribution::Gamma { mean: MEAN, scv: 0.5 }, 0.5, 200);
    mg1("gamma of scv 3", Distribution::Gamma { mean: MEAN, scv: 3.0 }, 3.0, 700);
}

#[test]
#[ignore = "slow: run by make test-all"]
fn mg1_hyperexponential() {
    mg1("hyperexponential of scv 4", Distribution::Hyperexponential { mean: MEAN, scv: 4.0 }, 4.0, 900);
}

/// The parts of service are drawn independently: their means and variances add.
#[test]
fn mg1_of_three_parts() {
    let mut plan = one_volume(0.6, exponential(600));
    plan.volumes[0].service.pend = Distribution::Constant(Span::from_us(100));
    plan.volumes[0].service.disconnect = Distribution::Uniform { low: Span::ZERO, high: Span::from_us(600) };
    let trial = Trial::run("M/G/1 of three parts", &plan, 200);
    let scv = 0.36 + 0.36 / 12.0;
    let wait = mg1_wait(0.6, 1.0, scv);
    trial.system_agrees(1.0 + wait, 0.6 * wait, 0.6);
}

/// A gap is time of the server that no I/O sees: M/G/1 with service + gap, less the gap in the response.
#[test]
fn mg1_with_a_gap() {
    let mut plan = one_volume(0.6, exponential(800));
    plan.volumes[0].gap = Span::from_us(200);
    let trial = Trial::run("M/G/1 with a gap", &plan, 250);
    let wait = mg1_wait(0.6, 1.0, 0.64);
    trial.system_agrees(0.8 + wait, 0.6 * wait, 0.48);
}

/// Aliases for all requests and no paths to share: there is no wait, and the response is the service (M/G/inf, Gross 5.2).
#[test]
fn mg_infinity() {
    let mut plan = one_volume(3.0, Distribution::Hyperexponential { mean: MEAN, scv: 4.0 });
    plan.volumes[0].aliasing = bound(40, Redispatch::None);
    let trial = Trial::run("M/G/inf", &plan, 100);
    trial.agrees("response", |interval| interval.system.response_ms.value, 1.0);
    trial.agrees("in service", |interval| interval.system.in_service.value, 3.0);
}
