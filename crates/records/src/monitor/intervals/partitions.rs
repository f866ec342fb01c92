//! Partitions and their logical processors in an interval: records 0/16.

use super::entities::Entities;
use super::step::Step;
use crate::monitor::layout::mrsytcup::entry::{LCUCACTM, LCUCLPTM, LCUCPUID};
use crate::monitor::layout::mrsytcup::{CALCPULN, CALCPUOF, LAYOUT, LCUPCPCT, LCUPNAME};
use measures::{Figure, IntervalTotals, LogicalProcessorTotals, PartitionTotals, sum};

/// Adds partitions and logical processors to the totals.
pub(super) fn add(totals: &mut IntervalTotals, entities: &Entities) {
    for step in entities.steps(LAYOUT.code) {
        let name = LCUPNAME.text(step.later()).unwrap_or_default();
        let processors: Vec<_> =
            step.entries(CALCPUOF, CALCPULN, LCUPCPCT).map(|entry| processor(entry, &name)).collect();
        if processors.is_empty() {
            continue;
        }
        totals.partitions.push(partition(&processors, name));
        totals.logical_processors.extend(processors);
    }
}

fn processor(step: Step, partition: &str) -> LogicalProcessorTotals {
    let (total, effective) = (step.percent(LCUCACTM), step.percent(LCUCLPTM));
    let number = LCUCPUID.number(step.later()).unwrap_or(0);
    LogicalProcessorTotals {
        dispatched_percent: effective,
        management_percent: Figure::exact((total.value - effective.value).max(0.0)),
        ..LogicalProcessorTotals::unknown(partition.to_string(), number)
    }
}

fn partition(processors: &[LogicalProcessorTotals], name: String) -> PartitionTotals {
    let count = processors.len() as u64;
    let mean = |value: fn(&LogicalProcessorTotals) -> Figure| {
        sum(processors.iter().map(value)).over(Figure::exact(count as f64))
    };
    PartitionTotals {
        dispatched_percent: mean(|processor| processor.dispatched_percent),
        management_percent: mean(|processor| processor.management_percent),
        ..PartitionTotals::unknown(name, count)
    }
}
