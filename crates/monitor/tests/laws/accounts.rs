//! Sums over the totals of any plan, besides the laws that every run checks by itself.

use super::any_plan::any_plan;
use kernel::draw::Streams;
use machine::plan::{Aliasing, Plan};
use measures::{Figure, IntervalTotals, LogicalProcessorTotals, Role};
use monitor::{Measurement, replicate};
use proptest::prelude::*;
use units::Span;

const INTERVALS: u32 = 3;
const INTERVAL: Span = Span::from_ms(100);

fn simulate(plan: &Plan, seed: u64) -> Vec<IntervalTotals> {
    let (warm_up, sample) = (Span::from_ms(20), Span::from_ms(7));
    let measurement = Measurement { warm_up, interval: INTERVAL, intervals: INTERVALS, sample };
    let intervals = replicate(plan, &Streams::new(seed, 0), &measurement, "any", |_| true).expect("the laws hold");
    intervals.into_iter().map(IntervalTotals::printed).collect()
}

/// Sums of counts divided by one length: equal but for the last bits.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs() + b.abs())
}

fn sum<'a, T: 'a>(rows: impl IntoIterator<Item = &'a T>, figure: fn(&T) -> Figure) -> f64 {
    rows.into_iter().map(|row| figure(row).value).sum()
}

fn rates_add_up(plan: &Plan, totals: &IntervalTotals) -> Result<(), TestCaseError> {
    let (volumes, devices) = (&totals.volumes, &totals.devices);
    let all = totals.system.io_per_s.value;
    prop_assert!(close(sum(volumes, |volume| volume.io_per_s), all));
    prop_assert!(close(sum(devices, |device| device.io_per_s), all), "an I/O ends on one device");
    let avoided = sum(&totals.minidisks, |minidisk| minidisk.avoided_per_s);
    if plan.partitions.is_empty() {
        // In a partition an I/O ends for its guest when the interrupt is handled, perhaps in the next interval.
        let driven = sum(&totals.front_ends, |front_end| front_end.io_per_s);
        prop_assert!(close(sum(&totals.guests, |guest| guest.io_per_s) + driven, all + avoided), "and for one guest");
    }
    prop_assert!(close(sum(volumes, |volume| volume.avoided_per_s), avoided), "or was avoided on one volume");
    prop_assert!(close(sum(devices, |device| device.avoided_per_s), avoided), "whose base has it");
    for volume in volumes {
        prop_assert!(close(volume.reads_per_s.value + volume.writes_per_s.value, volume.io_per_s.value));
        prop_assert!(close(volume.base_io_per_s.value + volume.alias_io_per_s.value, volume.io_per_s.value));
        let base = devices.iter().find(|device| device.device == volume.device).expect("every volume has a base");
        prop_assert!(close(base.io_per_s.value, volume.base_io_per_s.value));
        prop_assert!(close(base.queue_depth.value, volume.queue_depth.value), "the queue is at the base");
        prop_assert!(close(base.queue_depth_sampled.value, volume.queue_depth_sampled.value), "as it is sampled");
    }
    for (number, pool) in plan.alias_pools.iter().enumerate() {
        let member = |volume: &usize| plan.volumes[*volume].aliasing == Aliasing::HyperPav { pool: number };
        let members: f64 = (0..volumes.len()).filter(member).map(|volume| volumes[volume].alias_io_per_s.value).sum();
        let role = Role::PoolAlias { pool: pool.name.clone() };
        prop_assert!(close(
            sum(devices.iter().filter(|device| device.role == role), |device| device.io_per_s),
            members
        ));
    }
    Ok(())
}

fn nothing_queues_at_an_alias(totals: &IntervalTotals) -> Result<(), TestCaseError> {
    for device in &totals.devices {
        if !matches!(device.role, Role::Base) {
            prop_assert_eq!(device.queue_depth.value, 0.0);
        }
        prop_assert!((0.0..=100.0 + 1e-9).contains(&device.busy_percent.value), "{}", device.busy_percent.value);
    }
    let queued = sum(&totals.volumes, |volume| volume.queue_depth);
    prop_assert!(close(queued, totals.system.queue_depth.value));
    prop_assert!(close(sum(&totals.volumes, |volume| volume.in_service), totals.system.in_service.value));
    let busy = sum(&totals.devices, |device| device.busy_percent) / 100.0;
    prop_assert!(close(busy, totals.system.in_service.value), "the utilisation law, over all");
    Ok(())
}

fn pools_count(plan: &Plan, totals: &IntervalTotals) -> Result<(), TestCaseError> {
    for (pool, planned) in totals.pools.iter().zip(&plan.alias_pools) {
        let aliases = planned.aliases.len() as f64;
        let (low, high) = (pool.low_water.value, pool.high_water.value);
        let online = pool.aliases.value;
        let varied = (0.0..=aliases + 1e-9).contains(&online) && !plan.changes.is_empty();
        prop_assert!(varied || online == aliases, "{online} online of {aliases}");
        prop_assert!(pool.tries.value >= pool.fails.value && pool.fails.value >= 0.0);
        prop_assert!(0.0 <= low && low <= high && high <= aliases, "{low} to {high} of {aliases}");
        prop_assert!(pool.fails.value == 0.0 || low == 0.0, "a fail found none free");
        prop_assert!((0.0..=online + 1e-9).contains(&pool.free_mean.value));
    }
    Ok(())
}

fn logical_processors_are_their_partition(totals: &IntervalTotals) -> Result<(), TestCaseError> {
    for partition in &totals.partitions {
        let own: Vec<&LogicalProcessorTotals> =
            totals.logical_processors.iter().filter(|row| row.partition == partition.partition).collect();
        prop_assert_eq!(own.len() as u64, partition.logical_processors);
        let count = partition.logical_processors as f64;
        let mean = |figure: fn(&LogicalProcessorTotals) -> Figure| sum(own.iter().copied(), figure) / count;
        prop_assert!(close(mean(|row| row.dispatched_percent), partition.dispatched_percent.value));
        prop_assert!(close(mean(|row| row.effective_percent), partition.effective_percent.value));
        prop_assert!(close(mean(|row| row.wait_percent), partition.wait_percent.value));
        prop_assert!(close(mean(|row| row.pending_percent), partition.pending_percent.value));
        // A domain of fewer processors than are switched to it has switches that are for none of its own.
        let management = mean(|row| row.management_percent);
        prop_assert!(management <= partition.management_percent.value + 1e-9);
        for row in own {
            let work = row.effective_percent.value + row.pending_percent.value;
            prop_assert!(close(work, row.busy_percent.value), "a logical processor with work is dispatched or not");
            prop_assert!(close(row.effective_percent.value + row.wait_percent.value, row.dispatched_percent.value));
        }
    }
    Ok(())
}

fn time_is_shared_out(totals: &IntervalTotals) -> Result<(), TestCaseError> {
    for processor in &totals.processors {
        let percent = processor.think_percent.value
            + processor.compute_percent.value
            + processor.io_wait_percent.value
            + processor.resource_wait_percent.value
            + processor.message_percent.value;
        let nobody = processor.virtual_processors.value == 0.0;
        prop_assert!(close(percent, if nobody { 0.0 } else { 100.0 }), "{percent} % of {}", processor.guest);
    }
    for partition in &totals.partitions {
        let dispatched = partition.effective_percent.value + partition.wait_percent.value;
        prop_assert!(close(dispatched, partition.dispatched_percent.value));
        prop_assert!(dispatched + partition.pending_percent.value <= 100.0 + 1e-9, "it is carried or it is not");
    }
    for volume in &totals.volumes {
        let parts = volume.pend_ms.value + volume.disc_ms.value + volume.conn_ms.value;
        prop_assert!(close(parts, volume.service_ms.value));
        prop_assert!(volume.held_ms.value <= volume.pend_ms.value + 1e-9, "a held I/O is pending");
        prop_assert!((0.0..=100.0 + 1e-9).contains(&volume.reserved_percent.value));
        let quantiles =
            [&volume.response_p50_ms, &volume.response_p90_ms, &volume.response_p95_ms, &volume.response_p99_ms];
        prop_assert!(quantiles.is_sorted_by(|a, b| a.value <= b.value || !b.is_known()));
    }
    for guest in &totals.guests {
        let quantiles = [&guest.cycle_p50_ms, &guest.cycle_p90_ms, &guest.cycle_p95_ms, &guest.cycle_p99_ms];
        prop_assert!(quantiles.is_sorted_by(|a, b| a.value <= b.value || !b.is_known()));
    }
    for minidisk in &totals.minidisks {
        let turns = minidisk.wait_ms.value <= minidisk.response_ms.value + 1e-9;
        prop_assert!(turns, "a wait for a turn is no part of a response");
    }
    for unit in &totals.control_units {
        prop_assert!(unit.slowdown.value >= 1.0 - 1e-3, "no I/O is faster beside others: {}", unit.slowdown.value);
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::cases(2_000))]

    #[test]
    fn totals_of_any_plan_add_up(plan in any_plan(), seed in any::<u64>()) {
        let intervals = simulate(&plan, seed);
        prop_assert_eq!(intervals.len(), INTERVALS as usize);
        for totals in &intervals {
            rates_add_up(&plan, totals)?;
            nothing_queues_at_an_alias(totals)?;
            logical_processors_are_their_partition(totals)?;
            pools_count(&plan, totals)?;
            time_is_shared_out(totals)?;
        }
    }
}
