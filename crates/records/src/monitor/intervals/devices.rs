//! Devices, volumes and pools of an interval: records 6/3 and 6/28.

use super::entities::Entities;
use super::laws::{self, Judge, Starts};
use super::step::Step;
use crate::Sink;
use crate::binary::Field;
use crate::disk::DISK;
use crate::laws::{Broken, percent};
use crate::monitor::layout::mrioddev::{
    HFCTIO, HFRDEVCT, LAYOUT, PAVCNTIM, PAVCOUNT, PAVDDTIM, PAVFPTIM, PAVSSCH, RDEVDEV, RDEVHPPL, RDEVLPM, RDEVMCIA,
    RDEVSER, RDEVSID, SCGCOUNT, SCGSSCH, SCMCNTIM, SCMCOUNT, SCMDDTIM, SCMFPTIM, SCMSSCH,
};
use crate::monitor::layout::mriodhpp::{self, HPPFAILS, HPPMAXCT, HPPMINCT, HPPNALIS, HPPOOLNM, HPPTRIES};
use measures::{
    DeviceTotals, Figure, IntervalTotals, PoolTotals, Role, Share, SystemTotals, VolumeTotals, correct_response_ms,
    toolkit_response_ms,
};

/// Adds pools to the totals.
pub(super) fn add_pools(totals: &mut IntervalTotals, entities: &Entities, judge: &mut Judge) {
    let steps = entities.steps(mriodhpp::LAYOUT.code).filter(|step| judge.keeps(entities, *step, laws::pool));
    totals.pools.extend(steps.map(pool));
}

/// Adds devices and volumes to the interval; the system as a whole.
pub(super) fn add(interval: &mut impl Sink, entities: &Entities, judge: &mut Judge) -> SystemTotals {
    let (mut services, mut queue_depth) = (Vec::new(), Figure::ZERO);
    for step in entities.steps(LAYOUT.code) {
        if step.went_back(SCGSSCH) || !judge.keeps(entities, step, device_laws) {
            continue;
        }
        let device = device(step);
        if device.role == Role::Base && !device.label.is_empty() {
            interval.volume(volume(step, &device));
        }
        services.push(Share { io_per_s: device.io_per_s, mean: device.service_ms });
        queue_depth = queue_depth.plus(device.queue_depth);
        interval.device(device);
    }
    if services.is_empty() { SystemTotals::unknown() } else { SystemTotals::of_services(&services, queue_depth) }
}

/// The laws of a device, and of the aliases that acted for it.
fn device_laws(step: Step) -> Result<(), Broken> {
    let [starts, timed] = counters(step);
    let times = [SCMFPTIM, SCMDDTIM, SCMCNTIM];
    let base = Starts { starts, timed, times, single: true };
    let times = [PAVFPTIM, PAVDDTIM, PAVCNTIM];
    let aliases = Starts { starts: PAVSSCH, timed: PAVCOUNT, times, single: false };
    laws::starts(step, &base)?;
    laws::starts(step, &aliases)?;
    laws::volume(step, &base, &aliases)?;
    laws::often(step, RDEVMCIA)?;
    laws::queue(step, [HFCTIO, HFRDEVCT])
}

/// The 4-byte counter of starts and that of timed starts, or those of 2 bytes in records that have no others.
fn counters(step: Step) -> [Field; 2] {
    if step.later().len() >= SCGCOUNT.since() { [SCGSSCH, SCGCOUNT] } else { [SCMSSCH, SCMCOUNT] }
}

/// The number of the pool; nothing for 0 and for records that have none.
fn pool_of(record: &[u8]) -> String {
    RDEVHPPL.number(record).filter(|number| *number > 0).map_or(String::new(), |number| number.to_string())
}

/// The bits of base and alias are not published: a member of a pool without a volume label is taken for an alias, as the
/// DEVICE report shows aliases.
fn role(label: &str, pool: &str) -> Role {
    if !pool.is_empty() && label.is_empty() { Role::PoolAlias { pool: pool.to_string() } } else { Role::Base }
}

fn device(step: Step) -> DeviceTotals {
    let record = step.later();
    let [starts, timed] = counters(step);
    let number = RDEVDEV.hex(record).or_else(|| RDEVSID.hex(record)).unwrap_or_default();
    let label = RDEVSER.text(record).unwrap_or_default();
    let paths = RDEVLPM.number(record).map_or(0, |mask| u64::from(mask.count_ones()));
    let role = role(&label, &pool_of(record));
    let kind = if role == Role::Base && label.is_empty() { "" } else { DISK };
    let io_per_s = step.per_second(&[starts]);
    let mean = |span| step.mean_ms(&[span], &[timed]);
    let (pend_ms, disc_ms, conn_ms) = (mean(SCMFPTIM), mean(SCMDDTIM), mean(SCMCNTIM));
    let service_ms = pend_ms.plus(disc_ms).plus(conn_ms);
    let queue_depth = step.mean(HFCTIO, HFRDEVCT);
    DeviceTotals {
        io_per_s,
        avoided_per_s: step.per_second(&[RDEVMCIA]),
        pend_ms,
        disc_ms,
        conn_ms,
        service_ms,
        response_ms: toolkit_response_ms(service_ms, queue_depth, io_per_s),
        queue_depth,
        busy_percent: Figure::exact(percent(io_per_s.value * service_ms.value, 1_000.0)),
        ..DeviceTotals::unknown(number, kind.to_string(), label, role, paths)
    }
}

/// A volume: its base and all aliases that acted for it (z/VM HyperPAV Support, A Unified Look at Volume I/O Rate).
fn volume(step: Step, base: &DeviceTotals) -> VolumeTotals {
    let [starts, timed] = counters(step);
    let aliased = step.later().len() >= PAVDDTIM.since();
    let counted = if aliased { 2 } else { 1 };
    let mean = |own, of_aliases| step.mean_ms(&[own, of_aliases][..counted], &[timed, PAVCOUNT][..counted]);
    let io_per_s = step.per_second(&[starts, PAVSSCH][..counted]);
    let (pend_ms, disc_ms, conn_ms) = (mean(SCMFPTIM, PAVFPTIM), mean(SCMDDTIM, PAVDDTIM), mean(SCMCNTIM, PAVCNTIM));
    let service_ms = pend_ms.plus(disc_ms).plus(conn_ms);
    let share = Share { io_per_s, mean: service_ms };
    VolumeTotals {
        io_per_s,
        avoided_per_s: base.avoided_per_s,
        pend_ms,
        disc_ms,
        conn_ms,
        service_ms,
        queue_depth_sampled: base.queue_depth,
        response_ms: correct_response_ms(&[share], base.queue_depth),
        in_service: io_per_s.times(service_ms).over(Figure::exact(1_000.0)),
        base_io_per_s: base.io_per_s,
        alias_io_per_s: if aliased { step.per_second(&[PAVSSCH]) } else { Figure::ZERO },
        ..VolumeTotals::unknown(base.label.clone(), base.device.clone(), pool_of(step.later()))
    }
}

fn pool(step: Step) -> PoolTotals {
    let name = HPPOOLNM.number(step.later()).unwrap_or(0).to_string();
    let (tries, fails) = (step.advance(&[HPPTRIES]), step.advance(&[HPPFAILS]));
    PoolTotals {
        aliases: step.value(HPPNALIS),
        tries,
        fails,
        fails_per_try: fails.over(tries),
        low_water: step.value(HPPMINCT),
        high_water: step.value(HPPMAXCT),
        ..PoolTotals::unknown(name)
    }
}
