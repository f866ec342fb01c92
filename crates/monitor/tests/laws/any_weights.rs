//! Random partitions by weight: caps, polarization, runs of any length, waits that end them or not.

use machine::plan::{CecPlan, DispatcherPlan, Polarization, Preemption, Processors, PrsmPlan, WeightPlan};
use proptest::prelude::*;
use units::Span;

/// A dispatcher by weight for some processors.
pub fn any_prsm() -> impl Strategy<Value = PrsmPlan> {
    let run_time = proptest::option::of((100..5_000u64).prop_map(Span::from_us));
    let preemption = prop_oneof![Just(Preemption::Never), Just(Preemption::Share), Just(Preemption::Always)];
    (run_time, any::<bool>(), preemption).prop_map(|(run_time, wait_completion, preemption)| PrsmPlan {
        run_time,
        wait_completion,
        preemption,
    })
}

/// The share of a partition.
pub fn any_weight() -> impl Strategy<Value = Processors> {
    let polarization = prop_oneof![Just(Polarization::Horizontal), Just(Polarization::Vertical)];
    (1..=999u32, any::<bool>(), proptest::option::of(0.05..2.0), polarization).prop_map(
        |(weight, capped, cap, polarization)| {
            // Work on a low one would never end if a cap left it no time.
            let capped = capped && polarization == Polarization::Horizontal;
            Processors::Weighted(WeightPlan { weight, capped, cap, polarization, group: None, online: None })
        },
    )
}

/// Processors that go round by these rules.
pub fn by_weight(processors: u32, prsm: PrsmPlan, switch: Span) -> CecPlan {
    CecPlan { processors, dispatcher: DispatcherPlan::Prsm(prsm), switch }
}
