//! The virtual processors of a plan by their numbers: how many there are, whose they are, and what they are called.

use machine::ids::Virtual;
use machine::plan::{Plan, VirtualMachinePlan};
use std::ops::Range;

/// How many virtual processors a plan has.
pub fn count(plan: &Plan) -> u32 {
    plan.virtual_machines.iter().map(|kind| kind.count * kind.virtual_processors).sum()
}

/// The kinds of virtual machines, each with its virtual processors, those of its first machine first.
pub fn kinds(plan: &Plan) -> impl Iterator<Item = (&VirtualMachinePlan, Range<usize>)> {
    let mut first = 0;
    plan.virtual_machines.iter().map(move |kind| {
        let own = first..first + (kind.count * kind.virtual_processors) as usize;
        first = own.end;
        (kind, own)
    })
}

/// Index of the partition in which a virtual processor is dispatched.
pub fn partition(plan: &Plan, number: Virtual) -> usize {
    let of = kinds(plan).find(|(_, own)| own.contains(&number.index()));
    of.expect("every virtual processor is of some machine").0.partition
}

/// What a virtual processor is called: "LIGHT 7 VP 2", both counted from zero; "CMS 7" where each machine has one alone.
pub fn name(plan: &Plan, number: usize) -> String {
    let of = kinds(plan).find(|(_, own)| own.contains(&number));
    let (kind, own) = of.expect("every virtual processor is of some machine");
    let each = kind.virtual_processors as usize;
    let (machine, place) = ((number - own.start) / each, (number - own.start) % each);
    if each == 1 { format!("{} {machine}", kind.name) } else { format!("{} {machine} VP {place}", kind.name) }
}
