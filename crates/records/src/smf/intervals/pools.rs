//! Alias pools of an interval: HyperPAV sections of records 78-3. A pool is the logical control unit whose bases its
//! aliases work for.
//!
//! Tries are the times an alias was needed, R783XANC, which older records lack: R783HTIO counts every I/O of the
//! subsystem, those of idle bases too, and so says nothing of tries. The most aliases in use, R783HAIU, and the other
//! high-water marks have no column: the table of pools has free aliases.

use super::channels;
use super::draft::{Draft, float};
use crate::laws::{Broken, Counted, MOST_PER_S, MOST_WAITING};
use crate::smf::layout::HYPERPAV;
use crate::smf::layout::r783hpav::{R783HLCU, R783HNAI, R783HTIO, R783XANC};
use crate::smf::rmf::Rmf;
use measures::{Figure, PoolTotals};
use std::collections::BTreeMap;

/// Adds the pools of a record to the interval.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    channels::add_paths(draft, record);
    for section in record.sections(&HYPERPAV).filter(|section| section.len() >= R783HTIO.since()) {
        if let Err(broken) = check(draft.seconds(), section, record) {
            draft.omit(broken);
        } else if draft.first(record.header.kind, R783HLCU.bytes(section).unwrap_or_default()) {
            let fails = float(R783HNAI, section);
            let tries = tries(section, fails);
            let pool = R783HLCU.hex(section).unwrap_or_default();
            draft.totals.pools.push(PoolTotals {
                tries,
                fails,
                fails_per_try: fails.over(tries),
                ..PoolTotals::unknown(pool)
            });
        }
    }
    Ok(())
}

/// The tries of a pool; unknown where the record has none beside I/Os or fails: then the field is not filled.
fn tries(section: &[u8], fails: Figure) -> Figure {
    let (tries, all) = (float(R783XANC, section), float(R783HTIO, section));
    if tries.value == 0.0 && (all.value > 0.0 || fails.value > 0.0) { Figure::UNKNOWN } else { tries }
}

/// The laws of a section.
fn check(seconds: f64, section: &[u8], record: &Rmf) -> Result<(), Broken> {
    let counted = |field| Counted::of(field, section, record.bytes);
    let (all, fails, tries) = (counted(R783HTIO), counted(R783HNAI), counted(R783XANC));
    // Short floating-point numbers have 21 bits at least.
    let most = |number: f64| number * (1.0 + 1e-6);
    for count in [all, fails, tries] {
        count.law(count.value >= 0.0, || "a count is not negative".into())?;
    }
    all.at_most(MOST_PER_S * seconds, "a subsystem starts no more I/Os in the interval")?;
    tries.at_most(MOST_PER_S * seconds, "a pool is asked no more often in the interval")?;
    // I/Os that wait at the edges of the interval are counted in one field and not yet, or no more, in the other.
    fails.at_most(most(all.value) + MOST_WAITING, "no more I/Os find no alias than there are")?;
    if tries.value > 0.0 {
        fails.at_most(most(tries.value), "no more I/Os find no alias than need one")?;
    }
    Ok(())
}

/// The names of pools by the logical control unit that each is of.
pub(super) fn by_unit(pools: &[PoolTotals]) -> BTreeMap<u16, String> {
    pools.iter().filter_map(|pool| Some((u16::from_str_radix(&pool.pool, 16).ok()?, pool.pool.clone()))).collect()
}
