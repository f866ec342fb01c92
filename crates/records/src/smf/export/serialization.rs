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
/// There, requests that reach other systems are taken for those with SCOPE=SYSTEMS.
fn service(interval: &Interval, service: &SerializationTotals) -> Section {
    use r725sctl::*;
    let requests = interval.count(service.enq_per_s);
    let both = service.enq_per_s.value + value(service.deq_per_s);
    let sent = if both > 0.0 { requests * value(service.global_per_s) / both } else { 0.0 };
    let known = |rate: Figure, otherwise: f64| if rate.is_known() { interval.count(rate) } else { otherwise };
    let step = known(service.enq_step_per_s, requests * step_share(interval)).round();
    let systems = known(service.enq_systems_per_s, sent).round();
    let mut section = Section::of(&LAYOUT);
    section.count(R725SSTR, step);
    section.count(R725SSSR, systems);
    section.count(R725SSYR, requests.round() - step - systems);
    section.count(R725SEDS, service.lock_contended_percent.value / 100.0 * interval.count(service.lock_per_s));
    section.ms(R725SEDT, service.lock_waiting.value * 1_000.0 * interval.seconds);
    section
}

/// The share of requests for resources with SCOPE=STEP.
fn step_share(interval: &Interval) -> f64 {
    let of = |step: bool| {
        let rows = interval.totals.enqueues.iter().filter(|row| !step || row.scope.eq_ignore_ascii_case("step"));
        rows.map(|row| value(row.requests_per_s)).sum::<f64>()
    };
    if of(false) > 0.0 { of(true) / of(false) } else { 0.0 }
}
