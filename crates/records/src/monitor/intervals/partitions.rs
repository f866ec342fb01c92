//! Partitions and their logical processors in an interval: records 0/16.

use super::entities::Entities;
use super::laws::{self, Judge};
use super::step::Step;
use crate::monitor::layout::mrsytcup::entry::{LCUCACTM, LCUCLPTM, LCUCPUID};
use crate::monitor::layout::mrsytcup::{CALCPULN, CALCPUOF, LAYOUT, LCUPCPCT, LCUPNAME};
use measures::{Figure, IntervalTotals, LogicalProcessorTotals, PartitionTotals, sum};

/// Adds partitions and logical processors to the totals.
pub(super) fn add(totals: &mut IntervalTotals, entities: &Entities, judge: &mut Judge) {
    for step in entities.steps(LAYOUT.code) {
        let processors = |step: Step| entries(step).try_for_each(laws::logical_processor);
        if !judge.keeps(entities, step, |step| laws::partition(step).and_then(|()| processors(step))) {
            continue;
        }
        let name = LCUPNAME.text(step.later()).unwrap_or_default();
        let processors: Vec<_> = entries(step).map(|entry| processor(entry, &name)).collect();
        if processors.is_empty() {
            continue;
        }
        totals.partitions.push(partition(&processors, name));
        totals.logical_processors.extend(processors);
    }
}

fn entries(step: Step) -> impl Iterator<Item = Step> {
    step.entries(CALCPUOF, CALCPULN, LCUPCPCT)
}

fn processor(step: Step, partition: &str) -> LogicalProcessorTotals {
    let (total, effective) = (step.percent(LCUCACTM), step.percent(LCUCLPTM));
    let number = LCUCPUID.number(step.later()).unwrap_or(0);
    LogicalProcessorTotals {
        dispatched_percent: effective,
        management_percent: total.less(effective),
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
