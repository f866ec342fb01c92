//! The sections of record 77-1: resources in contention.

use super::interval::{Interval, Kind};
use super::section::Section;
use crate::smf::layout::{RESOURCE, smf77enq};
use measures::EnqueueTotals;

/// Resources that were in contention, as RMF reports no others.
pub(super) fn sections(interval: &Interval) -> Vec<Kind> {
    let contended = interval.totals.enqueues.iter().filter(|enqueue| enqueue.contentions.value > 0.0);
    vec![(&RESOURCE, contended.map(|row| enqueue(interval, row)).collect())]
}

fn enqueue(interval: &Interval, enqueue: &EnqueueTotals) -> Section {
    use smf77enq::*;
    let mut section = Section::of(&LAYOUT);
    section.text(SMF77QNM, &enqueue.qname);
    section.text(SMF77RNM, &enqueue.rname);
    section.count(SMF77RLN, enqueue.rname.chars().count().min(SMF77RNM.length) as f64);
    section.count(SMF77DFG, if enqueue.scope == "SYSTEMS" { f64::from(0x40) } else { 0.0 });
    section.ms(SMF77WTM, enqueue.contention_min_ms.value);
    section.ms(SMF77WTX, enqueue.contention_max_ms.value);
    section.ms(SMF77WTT, enqueue.contention_total_ms.value);
    let looks = enqueue.contention_total_ms.value / interval.cycle_ms();
    let shares = [
        (SMF77QL1, enqueue.queue_1_percent),
        (SMF77QL2, enqueue.queue_2_percent),
        (SMF77QL3, enqueue.queue_3_percent),
        (SMF77QL4, enqueue.queue_4_percent),
    ];
    for (field, percent) in shares {
        section.count(field, percent.value / 100.0 * looks);
    }
    section.count(SMF77EXX, enqueue.exclusive_waiters_max.value);
    section.count(SMF77SHX, enqueue.shared_waiters_max.value);
    section.count(SMF77EVT, enqueue.contentions.value);
    section
}
