//! A limit on I/Os kept in slices, against what follows for any such limit: rates, Little's law, waits near a slice.

use crate::plans::{bound, closed, io, open, plan, volume};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{GuestPlan, IoLimitPlan, Plan, Redispatch};
use measures::VolumeTotals;
use monitor::{Measurement, replicate};
use units::Span;

const PER_S: u64 = 3_000;
const SLICE: Span = Span::from_ms(100);

/// Reads of 50 us, as many at a time as wait, under the limit.
fn limited(guests: GuestPlan, tick: Span) -> Plan {
    let mut disk = volume("DISK", Distribution::Constant(Span::from_us(50)));
    disk.aliasing = bound(255, Redispatch::SameVolume);
    disk.limit = Some(IoLimitPlan { per_1000_s: 1_000 * PER_S, slice: SLICE, tick });
    plan(vec![disk], vec![guests])
}

fn totals(plan: &Plan, replication: u64, interval: Span, intervals: u32) -> Vec<VolumeTotals> {
    let measurement = Measurement { warm_up: Span::SECOND, interval, intervals, sample: interval };
    let found = replicate(plan, &Streams::new(1, replication), &measurement, "limit", |_| true).expect("laws hold");
    found.into_iter().map(|mut totals| totals.volumes.remove(0)).collect()
}

/// Requesters that always ask get the limit, to the tokens of one slice, and each waits for all others in turn.
#[test]
fn requesters_that_always_ask_get_the_limit_and_share_it() {
    for tick in [0, 4] {
        for requesters in [1, 8, 32, 128] {
            let plan = limited(closed(requesters, vec![io(0)]), Span::from_ms(tick));
            let disk = totals(&plan, 0, Span::from_ms(60_000), 1).remove(0);
            let slice = PER_S as f64 * SLICE.seconds();
            let rate = disk.io_per_s.value;
            assert!((rate - PER_S as f64).abs() * 60.0 <= slice, "{rate} a second of {requesters} requesters");
            let response_ms = 1e3 * f64::from(requesters) / rate;
            assert!((disk.response_ms.value - response_ms).abs() <= 0.01 * response_ms, "Little's law");
        }
    }
}

/// As many as there are requesters wait for the rest of a slice; with more than 1 % of the tokens they are the slowest
/// 1 %.
#[test]
fn one_in_a_hundred_waits_for_nearly_a_whole_slice() {
    for requesters in [4, 8, 32] {
        let disk = totals(&limited(closed(requesters, vec![io(0)]), Span::ZERO), 0, Span::from_ms(60_000), 1).remove(0);
        let burst_ms = 0.05 * PER_S as f64 * SLICE.seconds() / f64::from(requesters);
        let waits_ms = SLICE.ms() - burst_ms;
        let p99_ms = disk.response_p99_ms.value;
        assert!((p99_ms - waits_ms).abs() <= 0.02 * waits_ms, "{p99_ms} ms where {waits_ms} ms are left of a slice");
    }
}

/// No stretch of time has more I/Os than its tokens and those of the two slices that it cuts.
#[test]
fn no_stretch_has_more_than_its_tokens() {
    for (replication, demand) in [0.5, 0.9, 1.0, 1.5].into_iter().enumerate() {
        let plan = limited(open(demand * PER_S as f64, vec![io(0)]), Span::from_ms(4));
        let slice = PER_S as f64 * SLICE.seconds();
        for stretch in [1, 7] {
            let length = Span::from_ms(100 * stretch);
            let each = totals(&plan, replication as u64, length, 20);
            let counts: Vec<f64> = each.iter().map(|disk| disk.io_per_s.value * length.seconds()).collect();
            let most = slice * (stretch as f64 + 2.0);
            assert!(counts.iter().all(|count| *count <= most + 0.5), "{counts:?} of {most}");
            let all = slice * (20.0 * stretch as f64 + 2.0);
            assert!(counts.iter().sum::<f64>() <= all + 0.5);
        }
    }
}

/// A demand of half of the limit finds tokens nearly always: the mean response is the service, and the rate the demand.
#[test]
fn a_demand_below_the_limit_is_served_as_it_comes() {
    let demand = 0.5 * PER_S as f64;
    let plan = limited(open(demand, vec![io(0)]), Span::ZERO);
    let runs: Vec<VolumeTotals> = (0..10).map(|run| totals(&plan, run, Span::from_ms(10_000), 1).remove(0)).collect();
    let mean = runs.iter().map(|disk| disk.io_per_s.value).sum::<f64>() / 10.0;
    let error = (demand / 100.0).sqrt();
    assert!((mean - demand).abs() <= 5.0 * error, "{mean} a second");
    assert!(runs.iter().all(|disk| disk.held_ms.value == 0.0 && (disk.response_ms.value - 0.05).abs() < 1e-3));
}
