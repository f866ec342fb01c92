//! Resources in contention in an interval: records 77-1.

use super::draft::{Draft, ms, number};
use crate::laws::{Broken, Counted, within_ms};
use crate::smf::layout::RESOURCE;
use crate::smf::layout::smf77enq::{
    SMF77DFG, SMF77EVT, SMF77EXX, SMF77QL1, SMF77QL2, SMF77QL3, SMF77QL4, SMF77QNM, SMF77RNM, SMF77SHX, SMF77WTM,
    SMF77WTT, SMF77WTX,
};
use crate::smf::rmf::Rmf;
use measures::{EnqueueTotals, Figure, sum};

/// SMF77DFG: the scope is SYSTEMS.
const SYSTEMS: u64 = 0x40;

/// Adds the resources of a record to the interval.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    for section in record.sections(&RESOURCE).filter(|section| section.len() >= SMF77DFG.since()) {
        let scope = section[SMF77DFG.offset] & SYSTEMS as u8;
        let mut name = section[..SMF77RNM.since()].to_vec();
        name.push(scope);
        if let Err(broken) = check(draft.seconds(), section, record) {
            draft.omit(broken);
        } else if draft.first(record.header.kind, &name) {
            draft.totals.enqueues.push(enqueue(section, u64::from(scope)));
        }
    }
    Ok(())
}

/// The laws of a section. ASSUME: contention is timed within the interval.
fn check(seconds: f64, section: &[u8], record: &Rmf) -> Result<(), Broken> {
    let counted = |field| Counted::of(field, section, record.bytes);
    let (least, most, all) = (counted(SMF77WTM), counted(SMF77WTX), counted(SMF77WTT));
    all.at_most_ms(within_ms(1_000.0 * seconds), "a resource is in contention within the interval")?;
    most.at_most_ms(all.ms(), "the longest contention is a part of all")?;
    least.at_most_ms(most.ms(), "the shortest contention is no longer than the longest")
}

/// A resource; the share of a length of its queue is that of its count among those of all lengths.
fn enqueue(section: &[u8], scope: u64) -> EnqueueTotals {
    let (qname, rname) = (SMF77QNM.text(section).unwrap_or_default(), SMF77RNM.text(section).unwrap_or_default());
    let lengths = [SMF77QL1, SMF77QL2, SMF77QL3, SMF77QL4].map(|field| number(field, section));
    let samples = sum(lengths);
    let [queue_1_percent, queue_2_percent, queue_3_percent, queue_4_percent] =
        lengths.map(|length| length.times(Figure::exact(100.0)).over(samples));
    let (contentions, contention_total_ms) = (number(SMF77EVT, section), ms(SMF77WTT, section));
    let name = if rname.is_empty() { qname.clone() } else { format!("{qname} {rname}") };
    let scope = if scope == SYSTEMS { "SYSTEMS" } else { "SYSTEM" };
    EnqueueTotals {
        contentions,
        contention_min_ms: ms(SMF77WTM, section),
        contention_max_ms: ms(SMF77WTX, section),
        contention_total_ms,
        contention_mean_ms: if contentions.value > 0.0 {
            contention_total_ms.over(contentions)
        } else {
            Figure::UNKNOWN
        },
        queue_1_percent,
        queue_2_percent,
        queue_3_percent,
        queue_4_percent,
        exclusive_waiters_max: number(SMF77EXX, section),
        shared_waiters_max: number(SMF77SHX, section),
        ..EnqueueTotals::unknown(name, qname, rname, scope.into(), 1)
    }
}
