//! Alias pools of an interval: HyperPAV sections of records 78-3. A pool is the logical control unit whose bases its
//! aliases work for.
//!
//! The most aliases in use, R783HAIU, and the other high-water marks have no column: the table of pools has free aliases,
//! and no field that is placed says how many aliases a control unit has.

use super::draft::{Draft, float};
use crate::smf::layout::HYPERPAV;
use crate::smf::layout::r783hpav::{R783HLCU, R783HNAI, R783HTIO};
use crate::smf::rmf::Rmf;
use measures::PoolTotals;
use std::collections::BTreeMap;

/// Adds the pools of a record to the interval.
pub(super) fn add(draft: &mut Draft, record: &Rmf) {
    for section in record.sections(&HYPERPAV).filter(|section| section.len() >= R783HTIO.since()) {
        if draft.first(record.header.kind, R783HLCU.bytes(section).unwrap_or_default()) {
            let (tries, fails) = (float(R783HTIO, section), float(R783HNAI, section));
            let pool = R783HLCU.hex(section).unwrap_or_default();
            draft.totals.pools.push(PoolTotals {
                tries,
                fails,
                fails_per_try: fails.over(tries),
                ..PoolTotals::unknown(pool)
            });
        }
    }
}

/// The names of pools by the logical control unit that each is of.
pub(super) fn by_unit(pools: &[PoolTotals]) -> BTreeMap<u16, String> {
    pools.iter().filter_map(|pool| Some((u16::from_str_radix(&pool.pool, 16).ok()?, pool.pool.clone()))).collect()
}
