//! Totals of groups of partitions under one absolute cap.

use super::interval::Interval;
use machine::plan::{PartitionPlan, Processors};
use machine::signal::Standing;
use measures::{Figure, LparGroupTotals};

impl Interval<'_> {
    pub(super) fn lpar_groups(&self) -> Vec<LparGroupTotals> {
        let rows = self.plan.lpar_groups.iter().enumerate();
        rows.map(|(number, plan)| {
            let is_member = |partition: &PartitionPlan| {
                matches!(partition.processors, Processors::Weighted(weight) if weight.group == Some(number))
            };
            let partitions = self.plan.partitions.iter().enumerate();
            let members = partitions.filter(|(_, partition)| is_member(partition)).map(|(member, _)| member);
            let held = self.counts.lpar_groups[number].mean(self.end, self.length);
            LparGroupTotals {
                group: plan.name.clone(),
                partitions: members.clone().count() as u64,
                cap: Figure::exact(plan.cap),
                used: self.share(members.map(|member| self.had(member)).sum()),
                held_percent: Figure::exact(100.0 * held),
            }
        })
        .collect()
    }

    /// For how long physical processors carried logical ones of a partition, or switched to them.
    fn had(&self, partition: usize) -> u128 {
        let carried = [Standing::Waiting, Standing::Working, Standing::Interrupted];
        let carried: u128 = carried.map(|standing| self.stood(partition, standing)).iter().sum();
        carried + self.switched(partition)
    }
}
