//! A control program without chance: machines of one virtual processor each that think and compute, on as many processors.

use crate::plans::closed;
use kernel::distribution::Distribution;
use machine::plan::{
    CecPlan, ControlProgramPlan, ControllerPlan, CostsPlan, Dispatching, ExcessUse, GuestPlan, Handover, LockMode,
    LockPlan, Method, PartitionPlan, PauseLoopPlan, Plan, Polarization, Processors, RunsInPlan, SpinPlan, SrmPlan,
    Stealing, Step, Unparking, VirtualMachinePlan, VmShare,
};
use units::{Percent, Span};

/// What the path of the control program costs: every part another number of us.
const COSTS: CostsPlan = CostsPlan {
    wake: Span::from_us(10),
    dispatch: Span::from_us(20),
    wait: Span::from_us(30),
    simulate: Span::from_us(40),
    look: Span::ZERO,
    entry: Span::from_us(50),
    park: Span::ZERO,
    fast_x44: Span::ZERO,
    x44: Span::ZERO,
    x9c: Span::ZERO,
    sense: Span::ZERO,
    kick: Span::ZERO,
};

/// Each takes the lock for 8 us, and 2 more for each earlier contender.
const LOCK: LockPlan = LockPlan {
    mode: LockMode::Exclusive,
    hold: Span::from_us(8),
    per_waiter: Span::from_us(2),
    handover: Handover::Fifo,
};

/// Thinks 1 ms, wakes in 8 + 10 us, is dispatched in 20, fills caches for 50, computes for 500.
pub const CYCLE: Span = Span::from_us(1_588);

fn control_program() -> ControlProgramPlan {
    ControlProgramPlan {
        srm: SrmPlan {
            polarization: Polarization::Vertical,
            method: Method::None,
            cpupad: 1.0,
            excess_use: ExcessUse::None,
            unparking: Unparking::Small,
            slice: Span::from_ms(5),
            ..Default::default()
        },
        homes: machine::plan::Homes::InTurn,
        order: machine::plan::VectorOrder::Share,
        horizontal: Stealing::Eager,
        vertical: Stealing::Near,
        barriers: [100; 3],
        slice_jitter: Percent::new(0.0),
        lock: LOCK,
        costs: COSTS,
        controller: ControllerPlan {
            every: Span::from_ms(10),
            history: 1,
            percentile: Percent::new(100.0),
            margin: 0.0,
            tv_threshold: 100.0,
            start: None,
            ..Default::default()
        },
        spin: SpinPlan::default(),
        soft_wait: Span::from_ms(300),
        pause_loop: PauseLoopPlan::default(),
        ..Default::default()
    }
}

/// This many machines of a kind, of one virtual processor each.
pub fn machines(name: &str, count: u32, share: VmShare) -> VirtualMachinePlan {
    let (limit, footprint, spin) = (None, None, SpinPlan::default());
    VirtualMachinePlan {
        name: name.into(),
        partition: 0,
        count,
        virtual_processors: 1,
        share,
        limit,
        footprint,
        spin,
        ..Default::default()
    }
}

/// This many processors, and as many machines whose guest thinks for 1 ms and computes for 0.5 ms.
pub fn plan(processors: u32) -> Plan {
    let constant = |us| Distribution::Constant(Span::from_us(us));
    let program = vec![Step::Think(constant(1_000)), Step::Compute(constant(500))];
    let runs_in = Some(RunsInPlan::VirtualMachine { machines: 0 });
    let guests = vec![GuestPlan { runs_in, ..closed(processors, program) }];
    let partition = PartitionPlan {
        control_program: Some(control_program()),
        ..PartitionPlan::new("ZVM", processors, Processors::Dedicated)
    };
    Plan {
        cec: Some(CecPlan::slices(processors, Span::from_ms(10), Dispatching::Together, Span::ZERO)),
        partitions: vec![partition],
        virtual_machines: vec![machines("VM", processors, VmShare::Relative(100))],
        guests,
        ..Plan::default()
    }
}
