//! Channel paths of an interval: records 73, and which of them lead to a logical control unit: records 78-3.

use super::draft::{Draft, float, ms};
use crate::binary::Field;
use crate::laws::{Broken, Counted, within_ms};
use crate::smf::layout::r783cpd::{R783CPID, R783CPST};
use crate::smf::layout::r783cs::{R783CPDL, R783CPDN, R783CPDS, R783ID1};
use crate::smf::layout::smf73cha::{SMF73CMG, SMF73FG2, SMF73FG4, SMF73FG5, SMF73PID, SMF73PTI};
use crate::smf::layout::smf73cm1::SMF73TUT;
use crate::smf::layout::smf73cm2::{SMF73MCU, SMF73MRU, SMF73MWU, SMF73TRU, SMF73TUC, SMF73TWU, SMF73US};
use crate::smf::layout::{CHANNEL, PATHS_OF_UNIT};
use crate::smf::rmf::Rmf;
use measures::{ChannelTotals, Figure, IntervalTotals};
use std::collections::BTreeMap;

/// Where the data of a measurement group start in the section of a channel path.
const GROUP: usize = 24;
/// SMF73FG2: data invalid, online; SMF73FG4: the entry is not valid; SMF73FG5: words 2 and 5 are valid.
const INVALID: u64 = 0x02;
const ONLINE: u64 = 0x01;
const NO_ENTRY: u64 = 0x80;
const WORK_UNITS: u64 = 0x40;
const UNIT_SIZE: u64 = 0x08;
/// All of the time, and the skew of counters.
const MOST_PERCENT: f64 = 101.0;
/// Microseconds of SMF73TUT.
const TICK_US: f64 = 128.0;
/// R783CPST: the path is installed, online, its data are correct.
const PATH_ONLINE: u64 = 0x40;
const PATH_OFFLINE_HERE: u64 = 0x10;

/// Adds the channel paths of a record to the interval. Those that are offline, or of a measurement group that has no
/// utilization, have no row.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    for section in record.sections(&CHANNEL).filter(|section| section.len() >= SMF73FG5.since()) {
        let flag = |field: Field, bits: u64| field.number(section).unwrap_or(0) & bits != 0;
        if !flag(SMF73FG2, ONLINE) || flag(SMF73FG2, INVALID) || flag(SMF73FG4, NO_ENTRY) {
            continue;
        }
        let Some(row) = channel(section) else { continue };
        if let Err(broken) = check(draft.seconds(), section, record, &row) {
            draft.omit(broken);
        } else if draft.first(record.header.kind, row.channel.as_bytes()) {
            draft.totals.channels.push(row);
        }
    }
    Ok(())
}

/// A channel path, as RMF computes its utilization: TOTAL, of all partitions (z/OS RMF Report Analysis, Channel Path
/// Activity report).
fn channel(section: &[u8]) -> Option<ChannelTotals> {
    let data = &section[GROUP..];
    let measured = ms(SMF73PTI, section).over(Figure::exact(1_000.0));
    if measured.value <= 0.0 {
        return None;
    }
    let flags = SMF73FG5.number(section).unwrap_or(0);
    let share = |busy: Figure, of: Figure| busy.times(Figure::exact(100.0)).over(of);
    let mut row = ChannelTotals::unknown(SMF73PID.hex(section)?);
    match SMF73CMG.number(section)? {
        1 => row.busy_percent = share(float(SMF73TUT, data).times(Figure::exact(TICK_US / 1e6)), measured),
        2 => {
            if flags & WORK_UNITS != 0 {
                row.busy_percent = share(float(SMF73TUC, data), float(SMF73MCU, data).times(measured));
            }
            if flags & UNIT_SIZE != 0 {
                let kib = float(SMF73US, data).over(Figure::exact(1_024.0));
                row.read_kib_per_s = float(SMF73TRU, data).times(kib).over(measured);
                row.write_kib_per_s = float(SMF73TWU, data).times(kib).over(measured);
            }
        }
        _ => {}
    }
    row.busy_percent.is_known().then_some(row)
}

/// The laws of a channel path: it is busy no longer than it was measured, and moves no more than it can.
fn check(seconds: f64, section: &[u8], record: &Rmf, row: &ChannelTotals) -> Result<(), Broken> {
    let counted = |field, bytes| Counted::of(field, bytes, record.bytes);
    let data = &section[GROUP..];
    counted(SMF73PTI, section)
        .at_most_ms(within_ms(1_000.0 * seconds), "a channel path is measured within the interval")?;
    let measured_s = counted(SMF73PTI, section).ms() / 1_000.0;
    let group = SMF73CMG.number(section);
    let busy = counted(if group == Some(1) { SMF73TUT } else { SMF73TUC }, data);
    busy.law((0.0..=MOST_PERCENT).contains(&row.busy_percent.value), || {
        format!("a channel path is busy from 0 to 100 % of the time, not {:.0} %", row.busy_percent.value)
    })?;
    if group != Some(2) {
        return Ok(());
    }
    for (moved, most) in [(SMF73TRU, SMF73MRU), (SMF73TWU, SMF73MWU)].map(|(a, b)| (counted(a, data), counted(b, data)))
    {
        moved.law(moved.value >= 0.0, || "a count is not negative".into())?;
        if most.value > 0.0 {
            moved
                .at_most(MOST_PERCENT / 100.0 * most.value * measured_s, "a channel path moves no more than it can")?;
        }
    }
    let size = counted(SMF73US, data);
    size.law(size.value >= 0.0, || "a size is not negative".into())
}

/// Adds the channel paths that are online to each logical control unit of a record 78-3. The section of the unit locates
/// theirs. In a record that was split these places are those of the part, and lead into other sections.
pub(super) fn add_paths(draft: &mut Draft, record: &Rmf) {
    for unit in record.sections(&PATHS_OF_UNIT).filter(|section| section.len() >= R783CPDN.since()) {
        let whole = |field: Field| field.number(unit).unwrap_or(0) as usize;
        let (from, length, count) = (whole(R783CPDS), whole(R783CPDL), whole(R783CPDN));
        let end = from.saturating_add(length * count);
        if count == 0 || length < R783CPST.since() || end > record.bytes.len() || record.locates(from..end) {
            continue;
        }
        let online = |path: &&[u8]| {
            let status = R783CPST.number(path).unwrap_or(0);
            status & PATH_ONLINE != 0 && status & PATH_OFFLINE_HERE == 0
        };
        let paths = record.bytes[from..end].chunks_exact(length).filter(online);
        let mut numbers: Vec<u8> = paths.map(|path| path[R783CPID.offset]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        draft.paths.insert(R783ID1.number(unit).unwrap_or(0) as u16, numbers);
    }
}

/// Gives each pool the mean utilization of the paths to its control unit, where all of them were measured.
pub(super) fn busy_of_pools(totals: &mut IntervalTotals, paths: &BTreeMap<u16, Vec<u8>>) {
    for pool in &mut totals.pools {
        let unit = u16::from_str_radix(&pool.pool, 16).ok();
        let Some(numbers) = unit.and_then(|unit| paths.get(&unit)).filter(|numbers| !numbers.is_empty()) else {
            continue;
        };
        let named = |number: &u8| {
            let name = format!("{number:02X}");
            totals.channels.iter().find(|channel| channel.channel == name).map(|channel| channel.busy_percent)
        };
        let Some(busy) = numbers.iter().map(named).collect::<Option<Vec<Figure>>>() else { continue };
        let count = Figure::exact(busy.len() as f64);
        pool.channel_busy_percent = measures::sum(busy).over(count);
    }
}
