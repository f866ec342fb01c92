//! Random spin locks of virtual machines: how many, in any order, in each other, spun for and yielded in any way. Guests
//! have others answer, which take locks too, and are intercepted with them or not.

use super::any_plan::any_distribution;
use kernel::distribution::Distribution;
use machine::plan::{Arrival, GuestPlan, LockOrder, Plan, RunsInPlan, SpinLockPlan, SpinPlan, Step, Yields};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use units::Span;

/// All ways in which a control program yields for its own lock.
pub const OWN_YIELDS: [Yields; 4] = [Yields::Never, Yields::X44, Yields::X9C, Yields::SenseRunning];
/// All ways in which guests do.
pub const ALL_YIELDS: [Yields; 6] =
    [Yields::Never, Yields::X44, Yields::X9C, Yields::SenseRunning, Yields::Halt, Yields::PauseLoop];

/// Virtual machines of a kind spin like this, and have these locks.
#[derive(Clone, Debug)]
pub struct Locks {
    pub spin: SpinPlan,
    locks: Vec<(u32, LockOrder)>,
    /// Whether one is taken while another is held.
    nested: bool,
    held: Distribution,
    /// How long the simulation of an instruction takes that a lock holder issues, if it issues one.
    intercepted: Option<Span>,
    answers: Option<Answers>,
}

/// How a group is answered.
#[derive(Clone, Debug)]
struct Answers {
    request: Span,
    reply: Span,
    takes: Distribution,
}

/// No locks, or some; no group that answers, or one.
pub fn any_locks() -> impl Strategy<Value = Locks> {
    let order = select(vec![LockOrder::Unordered, LockOrder::Ticket, LockOrder::Queued]);
    let locks = prop_oneof![2 => Just(Vec::new()), 3 => vec((1..=3u32, order), 1..=2usize)];
    let way = || (0..900u64).prop_map(Span::from_us);
    let answers = (way(), way(), any_distribution(200));
    let answers = answers.prop_map(|(request, reply, takes)| Answers { request, reply, takes });
    let intercepted = option::weighted(0.4, (0..20u64).prop_map(Span::from_us));
    (any_spin(&ALL_YIELDS), locks, any::<bool>(), (any_distribution(120), intercepted), option::weighted(0.3, answers))
        .prop_map(|(spin, locks, nested, (held, intercepted), answers)| Locks {
            spin,
            locks,
            nested,
            held,
            intercepted,
            answers,
        })
}

/// Rounds of half a us at least, so that a tenth of a second is simulated soon.
pub fn any_spin(yields: &[Yields]) -> impl Strategy<Value = SpinPlan> {
    let tries = prop_oneof![Just((0, 2_048..90_000u64)), Just((1, 2_048..9_000)), Just((40, 50..3_000))];
    (tries.prop_flat_map(|(retry, one_try)| (Just(retry), one_try)), select(yields.to_vec()))
        .prop_map(|((retry, one_try), yields)| SpinPlan { retry, one_try: Span::from_units(one_try), yields })
}

impl Locks {
    /// Gives the last kind of virtual machines its locks, and the last group, which runs in it, something to do with them.
    pub fn settle(self, plan: &mut Plan) {
        let machines = plan.virtual_machines.len() - 1;
        plan.virtual_machines[machines].spin = self.spin;
        let guest = plan.guests.len() - 1;
        let Arrival::Closed { .. } = plan.guests[guest].arrival else { return };
        let first = plan.spin_locks.len();
        for (number, (count, order)) in self.locks.iter().enumerate() {
            let name = format!("L{machines}.{number}");
            // A halted guest is kicked when it is its turn.
            let halts = self.spin.yields == Yields::Halt && *order == LockOrder::Unordered;
            let order = if halts { LockOrder::Ticket } else { *order };
            plan.spin_locks.push(SpinLockPlan { name, machines, count: *count, order, ..Default::default() });
        }
        let locks = first..plan.spin_locks.len();
        plan.guests[guest].program.extend(self.taking(locks.clone()));
        if let Some(Answers { request, reply, takes }) = self.answers {
            let answering = plan.guests.len();
            plan.guests[guest].program.push(Step::Exchange { guest: answering, request, reply });
            let program = [vec![Step::Compute(takes)], self.taking(locks)].concat();
            let runs_in = Some(RunsInPlan::VirtualMachine { machines });
            plan.guests.push(GuestPlan {
                name: format!("A{machines}"),
                arrival: Arrival::Spawned,
                runs_in,
                program,
                ..Default::default()
            });
        }
    }

    /// Steps that take all locks, one after the other or one in the other.
    fn taking(&self, locks: std::ops::Range<usize>) -> Vec<Step> {
        let held = || -> Vec<Step> {
            let intercepted = self.intercepted.into_iter().map(Step::Intercept);
            [Step::Compute(self.held)].into_iter().chain(intercepted).collect()
        };
        if self.nested && locks.len() > 1 {
            let inner = Step::Lock { lock: locks.start + 1, steps: held() };
            return vec![Step::Lock { lock: locks.start, steps: [held(), vec![inner], held()].concat() }];
        }
        let twice = || vec![Step::Repeat { times: 2, steps: held() }];
        locks.map(|lock| Step::Lock { lock, steps: twice() }).collect()
    }
}
