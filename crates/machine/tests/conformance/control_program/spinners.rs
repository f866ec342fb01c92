//! Virtual processors that spin, on the test stand: the length of a try, the cost of a DIAGNOSE, and its outcome.

use super::stand::{System, machines, plan, settings};
use crate::stand::us;
use machine::ids::{Logical, Virtual};
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, SpinPlan, VirtualMachinePlan, Yields};
use machine::signal::control_program::{Control, Diagnosed};
use units::{Span, Tod};

/// How many microseconds a try takes.
pub const TRY: u64 = 2;

/// DIAGNOSE X'44' costs 1 us in the fast path and else 3, X'9C' 4, and SIGP Sense Running Status 1.
pub fn costly(plain: ControlProgramPlan) -> ControlProgramPlan {
    let us = Span::from_us;
    let costs = CostsPlan { fast_x44: us(1), x44: us(3), x9c: us(4), sense: us(1), ..plain.costs };
    ControlProgramPlan { costs, ..plain }
}

/// A virtual machine with this many virtual processors, which yield so after this many tries.
pub fn spinning(virtual_processors: u32, yields: Yields, retry: u32) -> VirtualMachinePlan {
    let spin = SpinPlan { retry, one_try: Span::from_us(TRY), yields };
    VirtualMachinePlan { spin, ..machines(1, virtual_processors) }
}

/// It alone, on this many logical processors that have one list.
pub fn system(logical: u32, machine: VirtualMachinePlan) -> System {
    System::new(&plan(logical, costly(settings()), vec![machine]))
}

/// Each yield: the virtual processor, its logical processor and the outcome, in order.
pub fn diagnosed(system: &System) -> Vec<(u32, u32, Diagnosed)> {
    let one = |(_, control): &(Tod, Control)| match control {
        Control::Diagnosed(Virtual(number), Logical(logical), what) => Some((*number, *logical, *what)),
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

/// The outcome of each, and when, in microseconds.
pub fn came_of(system: &System) -> Vec<(u64, Diagnosed)> {
    let one = |(at, control): &(Tod, Control)| match control {
        Control::Diagnosed(_, _, what) => Some(((*at - us(0)).units() / Span::from_us(1).units(), *what)),
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

/// The requesters that tried when a try could succeed, in order.
pub fn tried(system: &System) -> Vec<u32> {
    system.served.iter().map(|served| served.requester).collect()
}
