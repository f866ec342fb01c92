//! ENQ and its lock in an interval: records 72-5.
//!
//! The table of locks is that of spin locks; suspensions for the CMS, latch, SMF, local and CML locks have no column.

use super::draft::{Draft, ms, number};
use crate::smf::layout::SERIALIZATION;
use crate::smf::layout::r725sctl::{R725SEDT, R725SSSR, R725SSTR, R725SSYR};
use crate::smf::rmf::Rmf;
use measures::{Figure, SerializationTotals, sum};

/// Adds the service of a record's system to the interval; the row is named after the system.
pub(super) fn add(draft: &mut Draft, record: &Rmf) {
    let Some(section) = record.sections(&SERIALIZATION).next() else { return };
    if !draft.first(record.header.kind, &[]) {
        return;
    }
    let requests = sum([R725SSTR, R725SSYR, R725SSSR].map(|field| number(field, section)));
    let elapsed_ms = Figure::exact(1_000.0 * draft.seconds());
    let row = SerializationTotals {
        enq_per_s: draft.per_second(requests),
        lock_waiting: ms(R725SEDT, section).over(elapsed_ms),
        ..SerializationTotals::unknown(draft.system.clone())
    };
    draft.totals.serialization.push(row);
}
