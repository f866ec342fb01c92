//! Random domains: up to three, shared or dedicated, in slices of any length or by weight, and the guests of each.

use super::any_plan::any_distribution;
use super::any_weights::{any_prsm, any_weight, by_weight};
use kernel::distribution::Distribution;
use machine::plan::{CecPlan, CpEnablePlan, Dispatching, PartitionPlan, Plan, Processors, RunsInPlan};
use proptest::collection::vec;
use proptest::prelude::*;
use units::{Percent, Span};

/// Domains, and a number by which guests and volumes are given to them.
#[derive(Clone, Debug)]
pub struct Domains {
    cec: Option<CecPlan>,
    partitions: Vec<PartitionPlan>,
    deal: u64,
}

/// No domains, or up to three.
pub fn any_domains() -> impl Strategy<Value = Domains> {
    let partition = (1..=2u32, any::<bool>(), any_target(), any_distribution(60), 0..=2u32, any::<u8>());
    let partitions = vec((partition, any_weight()), 0..=3usize);
    let dispatching = prop_oneof![Just(Dispatching::Together), Just(Dispatching::Apart)];
    let dispatcher = (dispatching, proptest::option::of(any_prsm()));
    (partitions, 500..20_000u64, 0..50u64, dispatcher, any::<u64>()).prop_map(
        |(drawn, slice_us, switch_us, (dispatching, prsm), deal)| {
            let mut partitions: Vec<PartitionPlan> = Vec::new();
            for (number, (drawn, weight)) in drawn.into_iter().enumerate() {
                let partition = partition_plan((number, drawn));
                let shared = if prsm.is_some() { weight } else { partition.processors };
                let dedicated = partition.processors == Processors::Dedicated;
                let processors = if dedicated { Processors::Dedicated } else { shared };
                partitions.push(PartitionPlan { processors, ..partition });
            }
            let dedicated = |plan: &&PartitionPlan| plan.processors == Processors::Dedicated;
            let own: u32 = partitions.iter().filter(dedicated).map(|plan| plan.logical).sum();
            let (slice, switch) = (Span::from_us(slice_us), Span::from_us(switch_us));
            let cec = match prsm {
                Some(prsm) => by_weight(own + 2, prsm, switch),
                None => CecPlan::slices(own + 2, slice, dispatching, switch),
            };
            Domains { cec: (!partitions.is_empty()).then_some(cec), partitions, deal }
        },
    )
}

/// Looked at often enough to be adjusted within the tenths of a second that a law is watched.
const CPENABLE: CpEnablePlan =
    CpEnablePlan { low: Percent::new(10.0), high: Percent::new(30.0), every: Span::from_ms(3) };

/// A share of the frame.
fn any_target() -> impl Strategy<Value = Processors> {
    (1..=9u32, prop_oneof![Just(100.0), 30.0..90.0]).prop_map(|(target, maximum)| Processors::Shared {
        target: Percent::new(10.0 * f64::from(target)),
        maximum: Percent::new(maximum),
    })
}

type Drawn = (usize, (u32, bool, Processors, Distribution, u32, u8));

fn partition_plan((number, (logical, dedicated, shared, slih, enabled, active)): Drawn) -> PartitionPlan {
    PartitionPlan {
        active: active > 50,
        slih,
        enabled,
        cpenable: (enabled == 1).then_some(CPENABLE),
        ..PartitionPlan::new(&format!("D{number}"), logical, if dedicated { Processors::Dedicated } else { shared })
    }
}

impl Domains {
    /// Gives every volume, and most guests, to a domain.
    pub fn settle(&self, mut plan: Plan) -> Plan {
        let count = self.partitions.len() as u64;
        if count == 0 {
            return plan;
        }
        let pick = |number: usize| (self.deal >> (3 * (number % 20))) % (count + 1);
        for (number, volume) in plan.volumes.iter_mut().enumerate() {
            volume.partition = (pick(number) < count).then_some(pick(number) as usize);
        }
        for (number, guest) in plan.guests.iter_mut().enumerate() {
            let partition = pick(number + 7);
            let priority = (number % 2) as u8;
            guest.runs_in =
                (partition < count).then_some(RunsInPlan::Partition { partition: partition as usize, priority });
        }
        Plan { cec: self.cec.clone(), partitions: self.partitions.clone(), ..plan }
    }
}
