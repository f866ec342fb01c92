//! The section of record 72-5: requests of ENQ, and waits for its lock.

use super::interval::{Interval, Kind};
use super::section::{Section, value};
use crate::smf::layout::{SERIALIZATION, r725sctl};
use measures::{Figure, SerializationTotals};

/// The service of the first partition that has one.
pub(super) fn sections(interval: &Interval) -> Vec<Kind> {
    let rows = interval.totals.serialization.iter().take(1);
    vec![(&SERIALIZATION, rows.map(|row| service(interval, row)).collect())]
}

/// Requests by scope: measured ones as they were counted; simulated ones in the shares that the table of resources has.
/// Without such a table, requests that reach other systems are taken for those with SCOPE=SYSTEMS.
fn service(interval: &Interval, service: &SerializationTotals) -> Section {
    use r725sctl::*;
    let requests = interval.count(service.enq_per_s);
    let both = service.enq_per_s.value + value(service.deq_per_s);
    let sent = if both > 0.0 { value(service.global_per_s) / both } else { 0.0 };
    let known = |rate: Figure, scope: &str, otherwise: f64| match rate.is_known() {
        true => interval.count(rate).round(),
        false => (requests * share(interval, scope).unwrap_or(otherwise)).round(),
    };
    let step = known(service.enq_step_per_s, "STEP", 0.0);
    let systems = known(service.enq_systems_per_s, "SYSTEMS", sent);
    let mut section = Section::of(&LAYOUT);
    section.count(R725SSTR, step);
    section.count(R725SSSR, systems);
    section.count(R725SSYR, requests.round() - step - systems);
    section.count(R725SEDS, service.lock_contended_percent.value / 100.0 * interval.count(service.lock_per_s));
    section.ms(R725SEDT, service.lock_waiting.value * 1_000.0 * interval.seconds);
    section
}

/// The share of requests for resources of a scope; nothing where no resource has requests.
fn share(interval: &Interval, scope: &str) -> Option<f64> {
    let rows = || interval.totals.enqueues.iter();
    let all: f64 = rows().map(|row| value(row.requests_per_s)).sum();
    let own = rows().filter(|row| row.scope.eq_ignore_ascii_case(scope));
    (all > 0.0).then(|| own.map(|row| value(row.requests_per_s)).sum::<f64>() / all)
}
