//! The path station: processor sharing at sharing 1, a load-dependent station below it; insensitive both.

use super::closed_forms::{ps_response, sharing_number};
use super::trial::Trial;
use crate::plans::{bound, exponential, io, io_by_weight, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{ControlUnitPlan, Plan, Redispatch};
use units::Span;

const MEAN: Span = Span::from_ms(1);

/// Distributions of mean 1 ms that theory says are all the same.
fn alike() -> [(&'static str, Distribution); 4] {
    [
        ("constant", Distribution::Constant(MEAN)),
        ("Erlang", Distribution::Erlang { mean: MEAN, stages: 3 }),
        ("exponential", exponential(1_000)),
        ("hyperexponential", Distribution::Hyperexponential { mean: MEAN, scv: 4.0 }),
    ]
}

/// Two volumes with aliases for all requests behind the paths of one control unit.
fn station(rate: f64, connect: Distribution, sharing: f64) -> Plan {
    let both = io_by_weight(&[(0, 2.0), (1, 1.0)]);
    let mut plan = plan(vec![volume("A", connect), volume("B", connect)], vec![open(1e3 * rate, vec![both])]);
    plan.control_units.push(ControlUnitPlan::shared("CU", 4, sharing));
    for volume in &mut plan.volumes {
        volume.control_unit = Some(0);
        volume.aliasing = bound(60, Redispatch::None);
    }
    plan
}

fn compare(trial: &Trial, rate: f64, number: f64) {
    trial.agrees("response", |interval| interval.system.response_ms.value, number / rate);
    trial.agrees("connected", |interval| interval.control_units[0].connected.value, number);
    trial.agrees("slowdown", |interval| interval.control_units[0].slowdown.value, number / rate);
    trial.agrees("in service", |interval| interval.system.in_service.value, number);
}

#[test]
#[ignore = "slow: run by make test-all"]
fn sharing_1_is_processor_sharing() {
    let rate = 0.6;
    for (name, connect) in alike() {
        let trial = Trial::run(&format!("M/G/1-PS at {rate}, {name}"), &station(rate, connect, 1.0), 200);
        compare(&trial, rate, rate * ps_response(rate, 1.0));
    }
}

#[test]
#[ignore = "slow: run by make test-all"]
fn below_1_the_station_gets_faster_the_more_are_connected() {
    for (rate, sharing, seconds) in [(2.0, 0.3, 100), (4.0, 0.1, 40)] {
        for (name, connect) in alike() {
            let trial = Trial::run(&format!("sharing {sharing}, {name}"), &station(rate, connect, sharing), seconds);
            compare(&trial, rate, sharing_number(rate, sharing));
        }
    }
}

/// Delays of Poisson arrivals give Poisson arrivals, so time before connecting changes nothing at the station.
#[test]
fn pending_and_disconnect_time_only_add() {
    let rate = 0.6;
    let mut plan = station(rate, exponential(1_000), 1.0);
    for volume in &mut plan.volumes {
        volume.service.pend = Distribution::Constant(Span::from_us(200));
        volume.service.disconnect = exponential(300);
    }
    let trial = Trial::run("M/G/1-PS behind pend and disconnect", &plan, 150);
    let response = ps_response(rate, 1.0);
    trial.agrees("response", |interval| interval.system.response_ms.value, 0.5 + response);
    trial.agrees("connect", |interval| interval.volumes[0].conn_ms.value, response);
    trial.agrees("connected", |interval| interval.control_units[0].connected.value, rate * response);
}

/// A station of a single exposure cannot share: it is M/G/1 first come first served again.
#[test]
fn one_exposure_shares_with_none() {
    let mut plan = plan(vec![volume("A", exponential(1_000))], vec![open(500.0, vec![io(0)])]);
    plan.control_units.push(ControlUnitPlan::shared("CU", 4, 1.0));
    plan.volumes[0].control_unit = Some(0);
    let trial = Trial::run("M/M/1 over paths of its own", &plan, 250);
    trial.system_agrees(2.0, 0.5, 0.5);
}
