//! Two users of a spin lock in one virtual machine, without chance, on one processor or two.

use crate::plans::control_program::plan;
use kernel::distribution::Distribution;
use machine::plan::{Arrival, CostsPlan, GuestPlan, LockOrder, Plan, RunsInPlan, SpinLockPlan, SpinPlan, Step, Yields};
use units::Span;

/// This many processors, and one machine of two virtual ones. Its first user has a lock from 1,000 to 1,100 us of each
/// 1,100. The second requests it at 1,050 us.  The path costs nothing but for DIAGNOSEs.
pub fn two_users(processors: u32, yields: Yields) -> Plan {
    let mut plan = plan(processors);
    let constant = |length| Distribution::Constant(Span::from_us(length));
    let holds = Step::Lock { lock: 0, steps: vec![Step::Compute(constant(100))] };
    let user = |name: &str, program| GuestPlan {
        name: name.into(),
        arrival: Arrival::Closed { count: 1 },
        runs_in: Some(RunsInPlan::VirtualMachine { machines: 0 }),
        program,
        ..Default::default()
    };
    plan.guests = vec![
        user("FIRST", vec![Step::Think(constant(1_000)), holds.clone()]),
        user("SECOND", vec![Step::Think(constant(1_050)), holds]),
    ];
    let machine = &mut plan.virtual_machines[0];
    (machine.count, machine.virtual_processors) = (1, 2);
    machine.spin = SpinPlan { retry: 10, one_try: Span::from_us(1), yields };
    plan.spin_locks = vec![SpinLockPlan {
        name: "dcache".into(),
        machines: 0,
        count: 1,
        order: LockOrder::Unordered,
        ..Default::default()
    }];
    let program = plan.partitions[0].control_program.as_mut().expect("it has one");
    program.lock.hold = Span::ZERO;
    program.lock.per_waiter = Span::ZERO;
    let [sense, fast_x44, x44, x9c] = [1, 5, 6, 7].map(Span::from_us);
    program.costs = CostsPlan { sense, fast_x44, x44, x9c, ..CostsPlan::default() };
    plan
}
