//! Partitions as these tests write them: one with processors of its own, or several that have one processor in turn.

use machine::plan::{CecPlan, Dispatching, PartitionPlan, Plan, Processors, RunsInPlan};
use units::{Percent, Span};

fn cec(processors: u32, slice: Span, switch: Span) -> CecPlan {
    CecPlan::slices(processors, slice, Dispatching::Together, switch)
}

/// Guests and volumes of a plan in the first partition, the first guests the most urgent.
fn settled(mut plan: Plan) -> Plan {
    let guests = plan.guests.len() as u8;
    for (priority, guest) in (0..guests).rev().zip(&mut plan.guests) {
        guest.runs_in = Some(RunsInPlan::Partition { partition: 0, priority });
    }
    plan.volumes.iter_mut().for_each(|volume| volume.partition = Some(0));
    plan
}

/// This many processors for the guests and volumes of a plan and no other.
pub fn dedicated(mut plan: Plan, processors: u32) -> Plan {
    plan.cec = Some(cec(processors, Span::from_ms(1), Span::ZERO));
    plan.partitions = vec![PartitionPlan::new("OWN", processors, Processors::Dedicated)];
    settled(plan)
}

/// A slice of one processor in this many for the guests and volumes of a plan; a switch takes the first part of it.
pub fn one_in(mut plan: Plan, domains: u32, slice: Span, switch: Span) -> Plan {
    plan.cec = Some(cec(1, slice, switch));
    let (target, maximum) = (Percent::new(10.0), Percent::new(100.0));
    let shared = Processors::Shared { target, maximum };
    plan.partitions = (0..domains).map(|number| PartitionPlan::new(&format!("D{number}"), 1, shared)).collect();
    settled(plan)
}
