//! Laws of any spin lock: it has at most one holder, no spinner misses a free lock for ever, and turns are kept.
//! The outcome of a yield follows from the state of its target.

use super::any_control_program::any_control_programs;
use super::any_spin_locks::ALL_YIELDS;
use super::cases;
use crate::observed::Observed;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::ids::{Logical, Requester, Virtual};
use machine::plan::{Arrival, CostsPlan, LockOrder, Plan, SpinPlan, Stealing, Yields};
use machine::signal::{Control, Diagnosed, NoProbe, Probe, Signal, Use, VirtualStanding};
use machine::world::World;
use proptest::prelude::*;
use std::collections::VecDeque;
use units::{Span, Tod};

/// A spin lock, by what was signalled.
#[derive(Clone, Debug)]
pub struct Watched {
    order: LockOrder,
    pub holder: Option<(Requester, Tod)>,
    /// Each spinning requester: since when it spins, and how many earlier ones have not released the lock.
    pub spinning: VecDeque<(Requester, Tod, usize)>,
}

/// All spin locks; asserts that each obeys its rules.
#[derive(Clone, Debug)]
pub struct AllLocks(pub Vec<Watched>);

impl AllLocks {
    /// Those of a plan, free.
    pub fn of(plan: &Plan) -> Self {
        let each = |kind: &machine::plan::SpinLockPlan| {
            let count = plan.virtual_machines[kind.machines].count * kind.count;
            let lock = Watched { order: kind.order, holder: None, spinning: VecDeque::new() };
            vec![lock; count as usize]
        };
        AllLocks(plan.spin_locks.iter().flat_map(each).collect())
    }
}

impl Watched {
    fn used(&mut self, now: Tod, what: Use) {
        let by_turns = self.order != LockOrder::Unordered;
        match what {
            Use::Awaited(requester) => {
                assert!(
                    self.spinning.iter().all(|(other, ..)| *other != requester),
                    "{requester:?} spins for it already"
                );
                let free = self.holder.is_none() && (self.spinning.is_empty() || !by_turns);
                assert!(!free, "{requester:?} could have it at once");
                let before = self.spinning.len() + usize::from(self.holder.is_some());
                self.spinning.push_back((requester, now, before));
            }
            Use::Taken(_, requester, waited) => {
                assert!(self.holder.is_none(), "{requester:?} takes what {:?} has", self.holder);
                self.holder = Some((requester, now));
                let own = self.spinning.iter().position(|(other, ..)| *other == requester);
                match (waited, own) {
                    (None, None) => assert!(!by_turns || self.spinning.is_empty(), "{requester:?} jumps the queue"),
                    (Some(waited), Some(own)) => {
                        let (_, since, before) = self.spinning.remove(own).expect("he is there");
                        assert_eq!(waited, now - since, "how long {requester:?} spun");
                        assert!(!by_turns || own == 0, "{requester:?} is not the next");
                        assert!(!by_turns || before == 0, "{requester:?} has waited for {before} too few");
                    }
                    (None, Some(_)) | (Some(_), None) => panic!("{requester:?} spins and does not"),
                }
            }
            Use::Given(requester, held) => {
                assert_eq!(self.holder.take().map(|(holder, since)| (holder, now - since)), Some((requester, held)));
                self.spinning.iter_mut().for_each(|(.., before)| *before = before.saturating_sub(1));
            }
        }
    }
}

impl Probe for AllLocks {
    fn signal(&mut self, now: Tod, signal: Signal) {
        if let Signal::SpinLock(lock, what) = signal {
            self.0[lock.index()].used(now, what);
        }
    }
}

fn run(plan: &Plan, seed: u64, length: Span, probe: impl Probe + 'static) -> World<TreeCalendar, Observed> {
    let mut world = World::new(plan, &Streams::new(seed, 0), Observed::by(probe));
    world.count_from(Tod::START);
    world.run_until(Tod::START + length).expect("the load is small");
    world
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn at_most_one_has_a_lock_and_turns_are_kept(
        plan in any_control_programs(), seed in any::<u64>()
    ) {
        run(&plan, seed, Span::from_ms(40), AllLocks::of(&plan));
    }
}

/// The same machine with another way to spin.
fn spinning(mut plan: Plan, spin: SpinPlan) -> Plan {
    plan.virtual_machines.iter_mut().for_each(|kind| kind.spin = spin);
    if spin.yields == Yields::Halt {
        plan.spin_locks.iter_mut().for_each(|lock| lock.order = LockOrder::Ticket);
    }
    plan
}

/// Without contention: each machine has one virtual processor, or one guest that takes its locks.
fn solitary(mut plan: Plan, by_guests: bool) -> Plan {
    for (number, kind) in plan.virtual_machines.iter_mut().enumerate() {
        if by_guests {
            kind.count = 1;
        } else {
            kind.virtual_processors = 1;
        }
        let guest = plan.guests.iter_mut().find(|guest| guest.name == format!("G{number}")).expect("it has guests");
        if let (Arrival::Closed { count }, true) = (&mut guest.arrival, by_guests) {
            *count = 1;
        }
    }
    plan
}

proptest! {
    #![proptest_config(cases(300))]

    /// Every event is the same at the same instant.
    #[test]
    fn without_contention_neither_tries_nor_yields_matter(
        plan in any_control_programs(), seed in any::<u64>(), by_guests in any::<bool>()
    ) {
        let plan = solitary(plan, by_guests);
        let spins = ALL_YIELDS.into_iter().zip([(0, 9), (1, 90_000), (7, 1), (1_000, 33), (50, 100), (0, 30)]);
        let checksums = spins.map(|(yields, (retry, one_try))| {
            let plan = spinning(plan.clone(), SpinPlan { retry, one_try: Span::from_units(one_try), yields });
            run(&plan, seed, Span::from_ms(40), NoProbe).checksum()
        });
        let checksums: Vec<u64> = checksums.collect();
        prop_assert!(checksums.iter().all(|other| *other == checksums[0]), "{checksums:?}");
    }
}

/// Machines of two virtual processors with one lock each: a spinner on one reads the state of the other.
#[derive(Debug)]
struct Pairs {
    locks: AllLocks,
    stands: Vec<VirtualStanding>,
    depths: Vec<u32>,
    /// The first virtual processor of each lock's machine, and how it yields.
    own: Vec<(usize, Yields)>,
}

/// The same machine with as much of everything, and whose yields come to something at once.
fn in_pairs(mut plan: Plan) -> Plan {
    plan.changes.clear();
    plan.virtual_machines.iter_mut().for_each(|kind| kind.virtual_processors = 2);
    let mut seen = Vec::new();
    plan.spin_locks.iter_mut().for_each(|lock| (lock.count, lock.order) = (1, LockOrder::Unordered));
    for lock in &mut plan.spin_locks {
        if plan.virtual_machines[lock.machines].spin.yields == Yields::Halt {
            lock.order = LockOrder::Ticket;
        }
    }
    for lock in &plan.spin_locks {
        assert!(lock.machines >= seen.last().copied().unwrap_or(0), "they come in the order of the machines");
        seen.push(lock.machines);
    }
    for partition in &mut plan.partitions {
        if let Some(own) = &mut partition.control_program {
            (own.horizontal, own.vertical) = (Stealing::Eager, Stealing::Eager);
            let at_once = Span::ZERO;
            own.costs = CostsPlan { fast_x44: at_once, x44: at_once, x9c: at_once, ..own.costs };
        }
    }
    plan
}

/// Whether no machine has more than one lock.
fn has_one_lock_each(plan: &Plan) -> bool {
    plan.spin_locks.windows(2).all(|two| two[0].machines != two[1].machines)
}

impl Pairs {
    fn of(plan: &Plan) -> Pairs {
        let first = |kind: usize| -> u32 {
            plan.virtual_machines[..kind].iter().map(|kind_before| 2 * kind_before.count).sum()
        };
        let own = plan.spin_locks.iter().flat_map(|lock| {
            let kind = &plan.virtual_machines[lock.machines];
            (0..kind.count).map(move |number| ((first(lock.machines) + 2 * number) as usize, kind.spin.yields))
        });
        let virtuals: u32 = plan.virtual_machines.iter().map(|kind| 2 * kind.count).sum();
        let logicals: u32 = plan.partitions.iter().map(|partition| partition.logical).sum();
        Pairs {
            locks: AllLocks::of(plan),
            stands: vec![VirtualStanding::Idle; virtuals as usize],
            depths: vec![0; logicals as usize],
            own: own.collect(),
        }
    }

    fn diagnosed(&self, caller: Virtual, on: Logical, what: Diagnosed) {
        let machine = |(first, _): &(usize, Yields)| (*first..first + 2).contains(&caller.index());
        let lock = self.own.iter().position(machine).expect("a task that yields spins for a lock");
        let (first, yields) = self.own[lock];
        let other = self.stands[2 * first + 1 - caller.index()];
        let held = self.locks.0[lock].holder.is_some();
        let possible: &[Diagnosed] = match (yields, held, other) {
            (Yields::Never, ..) => &[],
            (Yields::X44, ..) if self.depths[on.index()] == 0 => &[Diagnosed::Fast44],
            (Yields::X44, ..) => &[Diagnosed::X44],
            (Yields::SenseRunning, false, _) | (Yields::SenseRunning, true, VirtualStanding::Running) => {
                &[Diagnosed::Sensed]
            }
            (Yields::X9C, false, _) => &[Diagnosed::InWait],
            (Yields::X9C | Yields::SenseRunning, true, standing) => match standing {
                VirtualStanding::Running | VirtualStanding::Interrupted => &[Diagnosed::Dispatched],
                VirtualStanding::Ready => &[Diagnosed::Yielded, Diagnosed::NotReady],
                VirtualStanding::Limited => &[Diagnosed::NotReady],
                // A holder of a lock has work.
                VirtualStanding::Idle | VirtualStanding::Waking | VirtualStanding::Halted => &[],
            },
            (Yields::PauseLoop, ..) => &[Diagnosed::LoopGoesOn, Diagnosed::LoopEnded, Diagnosed::LoopYielded],
            // Only the other is kicked, and it has halted.
            (Yields::Halt, true, _) => &[Diagnosed::Halted],
            (Yields::Halt, false, _) => &[Diagnosed::Halted, Diagnosed::Kicked],
        };
        assert!(possible.contains(&what), "{what:?} of {yields:?}, lock held {held}, the other {other:?}");
    }
}

impl Probe for Pairs {
    fn signal(&mut self, now: Tod, signal: Signal) {
        self.locks.signal(now, signal);
        let Signal::Control(control) = signal else { return };
        match control {
            Control::Stands(runner, standing) => self.stands[runner.index()] = standing,
            Control::Vector(of, depth) => self.depths[of.index()] = depth,
            Control::Diagnosed(caller, on, what) => self.diagnosed(caller, on, what),
            Control::Spent(..)
            | Control::Dispatched(..)
            | Control::Lock(..)
            | Control::LockYield(..)
            | Control::Intercepted(..)
            | Control::LoopExit(..)
            | Control::Looked(..)
            | Control::Parked(..)
            | Control::Placed(..)
            | Control::Decided(..)
            | Control::Set(..) => {}
        }
    }
}

proptest! {
    #![proptest_config(cases(1_000))]

    /// Fast where the vector is empty, already dispatched where the holder runs, and so on.
    #[test]
    fn the_outcome_of_a_yield_follows_from_the_standing_of_its_target(
        plan in any_control_programs().prop_map(in_pairs).prop_filter("one lock each", has_one_lock_each),
        seed in any::<u64>()
    ) {
        run(&plan, seed, Span::from_ms(40), Pairs::of(&plan));
    }
}
