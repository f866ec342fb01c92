//! Virtual machines as tests write them, under a control program that costs nothing and lets each one run anywhere.

use machine::plan::{
    CecPlan, ControlProgramPlan, ControllerPlan, CostsPlan, Dispatching, ExcessUse, GuestPlan, LockMode, LockPlan,
    Method, PartitionPlan, PauseLoopPlan, Plan, Polarization, Processors, RunsInPlan, SpinPlan, SrmPlan, Stealing,
    Unparking, VirtualMachinePlan, VmShare,
};
use units::{Percent, Span};

/// One list for all processors, slices of 5 ms, no lock, no costs.
pub fn free() -> ControlProgramPlan {
    ControlProgramPlan {
        srm: SrmPlan {
            polarization: Polarization::Horizontal,
            method: Method::None,
            cpupad: 1.0,
            excess_use: ExcessUse::Medium,
            unparking: Unparking::Large,
            slice: Span::from_ms(5),
            ..Default::default()
        },
        homes: machine::plan::Homes::InTurn,
        order: machine::plan::VectorOrder::Share,
        horizontal: Stealing::Global,
        vertical: Stealing::Near,
        barriers: [1, 2, 4],
        slice_jitter: Percent::new(0.0),
        lock: LockPlan { mode: LockMode::Shared, hold: Span::ZERO, per_waiter: Span::ZERO, ..LockPlan::default() },
        costs: CostsPlan::default(),
        controller: ControllerPlan {
            every: Span::SECOND * 2,
            history: 10,
            percentile: Percent::new(90.0),
            margin: 0.0,
            tv_threshold: 1.5,
            start: None,
            ..Default::default()
        },
        spin: SpinPlan::default(),
        soft_wait: Span::from_ms(300),
        pause_loop: PauseLoopPlan::default(),
        ..Default::default()
    }
}

/// This many virtual machines with this many virtual processors each, and the usual share.
pub fn machines(count: u32, virtual_processors: u32) -> VirtualMachinePlan {
    VirtualMachinePlan {
        name: format!("{count} OF {virtual_processors}"),
        partition: 0,
        count,
        virtual_processors,
        share: VmShare::Relative(100),
        limit: None,
        footprint: None,
        spin: SpinPlan::default(),
        ..Default::default()
    }
}

/// Kinds of virtual machines, each with the guests that run in them, under a control program with its own processors.
pub fn under(
    control_program: ControlProgramPlan,
    processors: u32,
    kinds: impl IntoIterator<Item = (VirtualMachinePlan, GuestPlan)>,
) -> Plan {
    let cec = CecPlan::slices(processors, Span::from_ms(1), Dispatching::Together, Span::ZERO);
    let mut partition = PartitionPlan::new("ZVM", processors, Processors::Dedicated);
    partition.control_program = Some(control_program);
    let mut plan = Plan { cec: Some(cec), partitions: vec![partition], ..Plan::default() };
    for (machines, (kind, mut guests)) in kinds.into_iter().enumerate() {
        guests.runs_in = Some(RunsInPlan::VirtualMachine { machines });
        plan.virtual_machines.push(kind);
        plan.guests.push(guests);
    }
    plan
}
