//! Machines with control programs to run twice: one at no cost, one with everything.

use crate::plans::virtual_machines::{free, machines, under};
use crate::plans::{closed, exponential, open};
use kernel::distribution::Distribution;
use machine::plan::{
    CacheLevel, CecPlan, Change, ChangePlan, ControlProgramPlan, ControllerPlan, CostsPlan, DispatcherPlan, ExcessUse,
    Footprint, LockMode, LockPlan, Method, PartitionPlan, Plan, Polarization, Preemption, Processors, PrsmPlan,
    RunsInPlan, SharedBy, Srm, SrmPlan, Step, Topology, Unparking, VirtualMachinePlan, VmShare, WeightPlan,
};
use units::{Percent, Span};

/// Every machine with its name.
pub fn with_control_programs() -> Vec<(&'static str, Plan)> {
    vec![("virtual machines at no cost", at_no_cost()), ("a control program with everything", control_program())]
}

/// Round robin of virtual processors, many at the same instant.
fn at_no_cost() -> Plan {
    let program = vec![Step::Think(exponential(900)), Step::Compute(Distribution::Constant(Span::from_ms(2)))];
    let control_program = ControlProgramPlan { srm: SrmPlan { slice: Span::from_ms(1), ..free().srm }, ..free() };
    under(control_program, 3, [(machines(7, 2), closed(14, program))])
}

/// Caches, the lock and costs of everything, shares and limits, vertical mode with a controller that decides often. There
/// is a partition that shares its processors beside it. SET SRM changes all that it can.
fn control_program() -> Plan {
    let costs = CostsPlan {
        wake: Span::from_us(2),
        dispatch: Span::from_us(3),
        wait: Span::from_us(1),
        simulate: Span::from_us(5),
        look: Span::from_units(1_700),
        entry: Span::from_us(6),
        park: Span::from_us(90),
        ..CostsPlan::default()
    };
    let lock = LockPlan {
        mode: LockMode::Shared,
        hold: Span::from_us(1),
        per_waiter: Span::from_units(900),
        ..LockPlan::default()
    };
    let controller = ControllerPlan { every: Span::from_ms(11), ..free().controller };
    let srm = SrmPlan { polarization: Polarization::Vertical, slice: Span::from_us(700), ..free().srm };
    let slice_jitter = Percent::new(25.0);
    let control_program = ControlProgramPlan { srm, slice_jitter, lock, costs, controller, ..free() };
    let footprint = Some(Footprint { kib: 900, touched_in: Span::from_us(300) });
    let paced = VirtualMachinePlan { share: VmShare::Absolute(Percent::new(15.0)), footprint, ..machines(2, 3) };
    let limited = VirtualMachinePlan { limit: Some(Percent::new(30.0)), footprint, ..machines(3, 2) };
    let think = Step::Think(exponential(400));
    let kinds = [
        (
            paced,
            closed(6, vec![Step::Think(Distribution::Constant(Span::from_us(700))), Step::Pace(Percent::new(27.0))]),
        ),
        (limited, closed(8, vec![think.clone(), Step::Compute(exponential(800))])),
        (machines(1, 2), open(300.0, vec![Step::Compute(exponential(900)), think])),
    ];
    let mut plan = under(control_program, 5, kinds);
    plan.topology = Some(topology());
    plan.partitions[0].processors = Processors::Weighted(WeightPlan::new(700));
    plan.partitions.push(PartitionPlan::new("BESIDE", 2, Processors::Weighted(WeightPlan::new(300))));
    let mut beside = closed(3, vec![Step::Compute(exponential(700)), Step::Think(exponential(500))]);
    beside.runs_in = Some(RunsInPlan::Partition { partition: 1, priority: 0 });
    plan.guests.push(beside);
    let prsm = PrsmPlan { run_time: Some(Span::from_ms(3)), wait_completion: false, preemption: Preemption::Share };
    plan.cec = Some(CecPlan { processors: 6, dispatcher: DispatcherPlan::Prsm(prsm), switch: Span::from_us(5) });
    plan.changes = set_srm(&[
        Srm::Method(Method::Rebalance),
        Srm::CpuPad(0.2),
        Srm::Polarization(Polarization::Horizontal),
        Srm::Slice(Span::from_us(1_300)),
        Srm::Unparking(Unparking::Small),
        Srm::Polarization(Polarization::Vertical),
        Srm::ExcessUse(ExcessUse::None),
        Srm::Method(Method::Reshuffle),
        Srm::CpuPad(3.0),
    ]);
    plan
}

/// One after the other.
fn set_srm(settings: &[Srm]) -> Vec<ChangePlan> {
    let at = |number: usize| Span::from_ms(29) * (number as u64 + 1);
    let change =
        |(number, srm): (usize, &Srm)| ChangePlan { at: at(number), change: Change::Srm { partition: 0, srm: *srm } };
    settings.iter().enumerate().map(change).collect()
}

/// Two cores a chip, two chips a book.
fn topology() -> Topology {
    let level = |name: &str, shared_by, kib, beyond| CacheLevel { name: name.into(), shared_by, kib, beyond };
    Topology {
        name: "small".into(),
        cores_per_chip: 2,
        chips_per_book: 2,
        cores_per_book: None,
        levels: vec![
            level("L2", SharedBy::Core, 1_024, 1.4),
            level("L3", SharedBy::Chip, 3_000, 2.0),
            level("L4", SharedBy::Book, 9_000, 4.0),
        ],
    }
}
