//! The section of record 72-5: requests of ENQ, and waits for its lock.

use super::interval::{Interval, Kind};
use super::section::{Section, value};
use crate::smf::layout::{SERIALIZATION, r725sctl};
use measures::SerializationTotals;

/// The service of the first partition that has one.
pub(super) fn sections(interval: &Interval) -> Vec<Kind> {
    let rows = interval.totals.serialization.iter().take(1);
    vec![(&SERIALIZATION, rows.map(|row| service(interval, row)).collect())]
}

/// Requests that reach other systems are taken for those with SCOPE=SYSTEMS, all others for SCOPE=SYSTEM.
fn service(interval: &Interval, service: &SerializationTotals) -> Section {
    use r725sctl::*;
    let requests = interval.count(service.enq_per_s);
    let both = service.enq_per_s.value + value(service.deq_per_s);
    let global = if both > 0.0 { requests * value(service.global_per_s) / both } else { 0.0 };
    let mut section = Section::of(&LAYOUT);
    section.count(R725SSSR, global);
    section.count(R725SSYR, requests.round() - global.round());
    section.count(R725SEDS, service.lock_contended_percent.value / 100.0 * interval.count(service.lock_per_s));
    section.ms(R725SEDT, service.lock_waiting.value * 1_000.0 * interval.seconds);
    section
}
