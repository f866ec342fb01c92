//! The spin locks of virtual machines: holders, guests that spin, and turns.

use crate::guest::program::MOST_LOCKED;
use crate::ids::{Machine, Requester, SpinLock};
use crate::plan::{LockOrder, Plan, SpinLockPlan, Yields};
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use units::Tod;

/// The spin locks of all virtual machines.
#[derive(Clone, Debug, Default)]
pub struct SpinLocks {
    /// As in the plan.
    kinds: Vec<Kind>,
    /// Those of the first kind first, machine by machine.
    pub(in crate::guest) locks: Vec<LockState>,
    /// The locks that requesters have or spin for; those that never did may be missing.
    pub(in crate::guest) locked: Vec<[Option<Locked>; MOST_LOCKED]>,
}

/// The spin locks that a plan describes at one place.
#[derive(Clone, Debug)]
struct Kind {
    first: u32,
    /// The first of the machines that have them.
    machine: u32,
    count: u32,
    draw: Draw,
}

/// A spin lock.
#[derive(Clone, Debug)]
pub(in crate::guest) struct LockState {
    pub(in crate::guest) order: LockOrder,
    pub(in crate::guest) holder: Option<Requester>,
    /// How many spin for it.
    pub(in crate::guest) spinning: u32,
    /// The same in the order in which they have come, where that counts.
    pub(in crate::guest) queue: VecDeque<Requester>,
}

/// A spin lock that a requester has, or spins for.
#[derive(Clone, Copy, Debug)]
pub(in crate::guest) struct Locked {
    pub(in crate::guest) lock: SpinLock,
    /// Since when it has the lock.
    pub(in crate::guest) since: Tod,
}

impl LockState {
    /// Whether a requester that tries now has it.
    pub(in crate::guest) fn is_for(&self, requester: Requester) -> bool {
        self.holder.is_none() && self.queue.front().is_none_or(|first| *first == requester)
    }

    /// The target of yields by guests that spin for it: the holder, or the one before them in its queue.
    pub(in crate::guest) fn named_by(&self, requester: Requester) -> Option<Requester> {
        let before = match self.order {
            LockOrder::Unordered => None,
            // The lock is free: the next in turn delays the others.
            LockOrder::Ticket if self.holder.is_none() => self.queue.front(),
            LockOrder::Ticket => None,
            LockOrder::Queued => {
                let own = self.queue.iter().position(|other| *other == requester);
                own.and_then(|own| own.checked_sub(1)).map(|before| &self.queue[before])
            }
        };
        before.copied().or(self.holder).filter(|named| *named != requester)
    }
}

impl SpinLocks {
    pub(in crate::guest) fn new(plan: &Plan, streams: &Streams) -> Self {
        let mut all = SpinLocks::default();
        for kind in &plan.spin_locks {
            let of_kind = plan.virtual_machines[..kind.machines].iter().map(|own| own.count);
            let machines = &plan.virtual_machines[kind.machines];
            let halts = machines.spin.yields == Yields::Halt;
            assert!(!halts || kind.order != LockOrder::Unordered, "a halted guest is kicked when it is its turn");
            all.kinds.push(Kind {
                first: all.locks.len() as u32,
                machine: of_kind.sum(),
                count: kind.count,
                draw: streams.stream(&format!("spin_lock/{}", kind.name)),
            });
            let most = (machines.virtual_processors + 1) as usize;
            let made = |_| LockState::new(kind, most);
            all.locks.extend((0..machines.count * kind.count).map(made));
        }
        all
    }

    /// One of a kind in a machine; drawn only where there are several.
    pub(in crate::guest) fn which(&mut self, kind: u32, machine: Machine) -> SpinLock {
        let kind = &mut self.kinds[kind as usize];
        let member = if kind.count > 1 { kind.draw.below(kind.count) } else { 0 };
        SpinLock(kind.first + (machine.0 - kind.machine) * kind.count + member)
    }

    /// The lock that a requester has or spins for as that of a depth.
    pub(in crate::guest) fn of(&self, requester: Requester, depth: usize) -> Locked {
        self.locked[requester.index()][depth].expect("it has the lock or spins for it")
    }
}

impl LockState {
    fn new(plan: &SpinLockPlan, most: usize) -> LockState {
        LockState { order: plan.order, holder: None, spinning: 0, queue: VecDeque::with_capacity(most) }
    }
}
