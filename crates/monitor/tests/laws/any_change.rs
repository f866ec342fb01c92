//! Random changes of a plan, a few within the tenths of a second that a law is watched.

use machine::plan::{Aliasing, Change, ChangePlan, DispatcherPlan, Plan, Processors, Share};
use proptest::collection::vec;
use proptest::prelude::*;
use units::{Percent, Span};

/// Up to eight changes in the order of time.
pub fn any_changes(plan: &Plan) -> impl Strategy<Value = Vec<ChangePlan>> + use<> {
    let possible = possible(plan);
    let there: Vec<bool> = plan.partitions.iter().map(|partition| partition.active).collect();
    vec((0..60_000u64, proptest::sample::select(possible)), 0..8).prop_map(move |drawn| {
        let mut changes: Vec<ChangePlan> =
            drawn.into_iter().map(|(us, change)| ChangePlan { at: Span::from_us(us), change }).collect();
        changes.sort_by_key(|change| change.at);
        let mut reserved = Vec::new();
        let mut there = there.clone();
        changes.retain(|change| match change.change {
            Change::Reserve { volume } if reserved.contains(&volume) => false,
            Change::Reserve { volume } => {
                reserved.push(volume);
                true
            }
            Change::Release { volume } => {
                let before = reserved.len();
                reserved.retain(|other| *other != volume);
                reserved.len() < before
            }
            Change::Add { partition } => !std::mem::replace(&mut there[partition], true),
            Change::Delete { partition } => std::mem::replace(&mut there[partition], false),
            Change::PoolAliases { .. }
            | Change::BoundAliases { .. }
            | Change::Paths { .. }
            | Change::Share { .. }
            | Change::Slice { .. }
            | Change::Online { .. }
            | Change::Srm { .. }
            | Change::Exit(_) => true,
        });
        changes
    })
}

/// Everything that can be changed, to everything it can be changed to.
fn possible(plan: &Plan) -> Vec<Change> {
    let mut possible = Vec::new();
    for (pool, built) in plan.alias_pools.iter().enumerate() {
        possible.extend((0..=built.aliases.len() as u32).map(|online| Change::PoolAliases { pool, online }));
    }
    for (control_unit, built) in plan.control_units.iter().enumerate() {
        possible.extend((0..=built.paths).map(|online| Change::Paths { control_unit, online }));
    }
    for (volume, built) in plan.volumes.iter().enumerate() {
        possible.extend([Change::Reserve { volume }, Change::Release { volume }]);
        match &built.aliasing {
            Aliasing::Pav { aliases, .. } => {
                possible.extend((0..=aliases.len() as u32).map(|online| Change::BoundAliases { volume, online }));
            }
            Aliasing::None | Aliasing::HyperPav { .. } => {}
        }
    }
    for (partition, built) in plan.partitions.iter().enumerate() {
        possible.extend([Change::Add { partition }, Change::Delete { partition }]);
        let shares = match built.processors {
            Processors::Dedicated | Processors::Cgroup(_) => Vec::new(),
            Processors::Weighted(_) => [1, 10, 500].map(Share::Weight).to_vec(),
            Processors::Shared { .. } => [5.0, 20.0, 80.0]
                .map(|percent| Share::Slices { target: Some(Percent::new(percent)), maximum: None })
                .to_vec(),
        };
        if matches!(built.processors, Processors::Weighted(_)) && built.control_program.is_none() {
            possible.extend((1..=built.logical).map(|online| Change::Online { partition, online }));
        }
        possible.extend(shares.into_iter().map(|share| Change::Share { partition, share }));
    }
    if let Some(DispatcherPlan::Slices(slices)) = plan.cec.as_ref().map(|cec| &cec.dispatcher) {
        possible.extend([1, 2, 5].map(|times| Change::Slice { slice: slices.slice * times }));
    }
    possible
}
