//! What a plan promises: to the logical processors of a control program by weight, to virtual machines by share.

use machine::cec::entitlement::{Claim, Entitlement, Part, entitlements};
use machine::plan::{Plan, Polarization, Processors, VirtualMachinePlan, VmShare};

/// The entitlement of one logical processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promised {
    /// "Vh", "Vm", "Vl" or "Hz".
    pub polarity: &'static str,
    /// Of a physical processor, in percent.
    pub percent: f64,
}

/// The entitlements of a partition's logical processors, one by one.
pub fn promised(plan: &Plan, partition: usize) -> Vec<Promised> {
    let own = &plan.partitions[partition];
    let count = own.logical as usize;
    let whole = |polarity| vec![Promised { polarity, percent: 100.0 }; count];
    let vertical = own.control_program.as_ref().is_some_and(|holds| holds.srm.polarization == Polarization::Vertical);
    let Some(entitled) = entitled(plan, partition) else { return whole(if vertical { "Vh" } else { "Hz" }) };
    if !vertical {
        return vec![Promised { polarity: "Hz", percent: 100.0 * entitled.horizontal.value() }; count];
    }
    let lies = entitled.vertical;
    let medium = lies.each.map_or(0.0, |each| 100.0 * each.value());
    let kinds = [(lies.high, "Vh", 100.0), (lies.medium, "Vm", medium), (lies.low, "Vl", 0.0)];
    kinds
        .into_iter()
        .flat_map(|(count, polarity, percent)| std::iter::repeat_n(Promised { polarity, percent }, count as usize))
        .collect()
}

/// The entitlement of a partition by weight; none is computed for one that shares by target, or alone.
fn entitled(plan: &Plan, partition: usize) -> Option<Entitlement> {
    let cec = plan.cec.as_ref()?;
    let claim = |processors: Processors, logicals| match processors {
        Processors::Weighted(weight) => Some(Claim { part: Part::Weight(weight.weight), logicals }),
        Processors::Dedicated => Some(Claim { part: Part::Dedicated, logicals }),
        Processors::Shared { .. } | Processors::Cgroup(_) => None,
    };
    let claims: Option<Vec<Claim>> = plan.partitions.iter().map(|own| claim(own.processors, own.logical)).collect();
    let made = entitlements(cec.processors, &claims?).ok()?;
    Some(made[partition])
}

/// The share of each machine of every kind, in percent of the processors of its partition.  Absolute shares come first,
/// the relative ones divide the rest, at least 1 %.  Where that exceeds the total, all have less.
pub fn shares(plan: &Plan) -> Vec<f64> {
    let sum = |partition: usize, of: fn(VmShare) -> f64| {
        let own = plan.virtual_machines.iter().filter(|kind| kind.partition == partition);
        own.map(|kind| f64::from(kind.count) * of(kind.share)).sum::<f64>()
    };
    let share = |kind: &VirtualMachinePlan| {
        let (taken, others) = (sum(kind.partition, absolute), sum(kind.partition, relative));
        let left = if others > 0.0 { (100.0 - taken).max(LEAST_LEFT) } else { 0.0 };
        let promised = match kind.share {
            VmShare::Absolute(share) => share.percent(),
            VmShare::Relative(share) => left * f64::from(share) / others,
        };
        promised * (100.0 / (taken + left)).min(1.0)
    };
    plan.virtual_machines.iter().map(share).collect()
}

/// The least that relative shares divide, in percent.
const LEAST_LEFT: f64 = 1.0;

fn absolute(share: VmShare) -> f64 {
    match share {
        VmShare::Absolute(share) => share.percent(),
        VmShare::Relative(_) => 0.0,
    }
}

fn relative(share: VmShare) -> f64 {
    match share {
        VmShare::Absolute(_) => 0.0,
        VmShare::Relative(share) => f64::from(share),
    }
}
