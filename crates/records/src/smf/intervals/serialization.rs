//! ENQ and its lock in an interval: records 72-5.
//!
//! The table of locks is that of spin locks; suspensions for the CMS, latch, SMF, local and CML locks have no column.

use super::draft::{Draft, ms, number};
use crate::laws::{Broken, Counted, MOST_CALLS_PER_S, MOST_WAITING};
use crate::smf::layout::SERIALIZATION;
use crate::smf::layout::r725sctl::{
    R725SEDA, R725SEDS, R725SEDT, R725SSSR, R725SSSS, R725SSTR, R725SSTS, R725SSYR, R725SSYS,
};
use crate::smf::rmf::Rmf;
use measures::{Figure, SerializationTotals, sum};

/// Adds the service of a record's system to the interval; the row is named after the system.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    let Some(section) = record.sections(&SERIALIZATION).next() else { return Ok(()) };
    if let Err(broken) = check(draft.seconds(), section, record) {
        draft.omit(broken);
        return Ok(());
    }
    if !draft.first(record.header.kind, &[]) {
        return Ok(());
    }
    let scopes = [R725SSTR, R725SSYR, R725SSSR].map(|field| number(field, section));
    let [step, _, systems] = scopes;
    let elapsed_ms = Figure::exact(1_000.0 * draft.seconds());
    let row = SerializationTotals {
        enq_per_s: draft.per_second(sum(scopes)),
        enq_step_per_s: draft.per_second(step),
        enq_systems_per_s: draft.per_second(systems),
        lock_waiting: ms(R725SEDT, section).over(elapsed_ms),
        ..SerializationTotals::unknown(draft.system.clone())
    };
    draft.totals.serialization.push(row);
    Ok(())
}

/// The laws of a section.
fn check(seconds: f64, section: &[u8], record: &Rmf) -> Result<(), Broken> {
    let counted = |field| Counted::of(field, section, record.bytes);
    for (requests, suspended) in [(R725SSTR, R725SSTS), (R725SSYR, R725SSYS), (R725SSSR, R725SSSS)] {
        let requests = counted(requests);
        requests.at_most(MOST_CALLS_PER_S * seconds, "no more requests fit the interval")?;
        counted(suspended).at_most(requests.value, "no more requests are suspended than there are")?;
    }
    let (suspended, waited) = (counted(R725SEDS), counted(R725SEDT));
    suspended.at_most(MOST_CALLS_PER_S * seconds, "no more suspensions fit the interval")?;
    counted(R725SEDA).at_most(suspended.value, "no more suspensions find others waiting than there are")?;
    waited.law(suspended.value > 0.0 || waited.value == 0.0, || "without a suspension there is no time".into())?;
    waited.at_most_ms(1_000.0 * seconds * MOST_WAITING, "no more tasks wait for the lock on the average")
}
