//! Spin locks of the operating systems in virtual machines: holders, guests that spin, and turns.
//!
//! A holder computes until it releases the lock.  Its operating system takes no virtual processor away from it, only
//! the control program does.

use super::Guests;
use super::program::MOST_LOCKED;
use super::requester::Activity;
use crate::effect::Outbox;
use crate::ids::{Machine, Requester, SpinLock};
use crate::plan::{LockOrder, Plan, SpinLockPlan};
use crate::signal::{Probe, Signal, Use};
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use units::{Span, Tod};

/// The spin locks of all virtual machines.
#[derive(Clone, Debug, Default)]
pub struct SpinLocks {
    /// As in the plan.
    kinds: Vec<Kind>,
    /// Those of the first kind first, machine by machine.
    locks: Vec<LockState>,
    /// The locks that requesters have or spin for; those that never did may be missing.
    locked: Vec<[Option<Locked>; MOST_LOCKED]>,
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
struct LockState {
    order: LockOrder,
    holder: Option<Requester>,
    /// How many spin for it.
    spinning: u32,
    /// The same in the order in which they have come, where that counts.
    queue: VecDeque<Requester>,
}

/// A spin lock that a requester has, or spins for.
#[derive(Clone, Copy, Debug)]
struct Locked {
    lock: SpinLock,
    /// Since when it has the lock.
    since: Tod,
}

impl LockState {
    /// Whether a requester that tries now has it.
    fn is_for(&self, requester: Requester) -> bool {
        self.holder.is_none() && self.queue.front().is_none_or(|first| *first == requester)
    }

    /// The target of yields by guests that spin for it: the holder, or the one before them in its queue.
    fn named_by(&self, requester: Requester) -> Option<Requester> {
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
    pub(super) fn new(plan: &Plan, streams: &Streams) -> Self {
        let mut all = SpinLocks::default();
        for kind in &plan.spin_locks {
            let of_kind = plan.virtual_machines[..kind.machines].iter().map(|own| own.count);
            let machines = &plan.virtual_machines[kind.machines];
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
    fn which(&mut self, kind: u32, machine: Machine) -> SpinLock {
        let kind = &mut self.kinds[kind as usize];
        let member = if kind.count > 1 { kind.draw.below(kind.count) } else { 0 };
        SpinLock(kind.first + (machine.0 - kind.machine) * kind.count + member)
    }

    /// The lock that a requester has or spins for as that of a depth.
    fn of(&self, requester: Requester, depth: usize) -> Locked {
        self.locked[requester.index()][depth].expect("it has the lock or spins for it")
    }
}

impl LockState {
    fn new(plan: &SpinLockPlan, most: usize) -> LockState {
        LockState { order: plan.order, holder: None, spinning: 0, queue: VecDeque::with_capacity(most) }
    }
}

impl Guests {
    /// A requester takes a spin lock of a kind; returns whether it has it, else it spins for it.  A requester without a
    /// virtual processor gets one before.
    pub(super) fn lock(
        &mut self,
        requester: Requester,
        (kind, depth): (u32, usize),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) -> bool {
        let user = &mut self.requesters[requester.index()];
        if !user.activity.has_processor() {
            (user.activity, user.needs) = (Activity::Arriving(kind, depth), Span::ZERO);
            effects.ready(requester);
            return false;
        }
        let own = &mut self.spin_locks;
        let lock = own.which(kind, user.machine);
        if own.locked.len() <= requester.index() {
            own.locked.resize(requester.index() + 1, [None; MOST_LOCKED]);
        }
        own.locked[requester.index()][depth] = Some(Locked { lock, since: now });
        let state = &mut own.locks[lock.index()];
        if state.holder.is_none() && state.queue.is_empty() {
            state.holder = Some(requester);
            probe.signal(now, Signal::SpinLock(lock, Use::Taken(user.group, requester, None)));
            return true;
        }
        state.spinning += 1;
        if state.order != LockOrder::Unordered {
            state.queue.push_back(requester);
        }
        (user.activity, user.since) = (Activity::Spinning(depth), now);
        probe.signal(now, Signal::SpinLock(lock, Use::Awaited(requester)));
        effects.ready(requester);
        false
    }

    /// A requester that spins tries again: it has the lock and goes on, or it spins on.
    pub(super) fn try_again(
        &mut self,
        (requester, depth): (Requester, usize),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let Locked { lock, .. } = self.spin_locks.of(requester, depth);
        let state = &mut self.spin_locks.locks[lock.index()];
        if !state.is_for(requester) {
            return effects.ready(requester);
        }
        state.holder = Some(requester);
        state.spinning -= 1;
        state.queue.pop_front();
        self.spin_locks.locked[requester.index()][depth] = Some(Locked { lock, since: now });
        let user = &self.requesters[requester.index()];
        let taken = Use::Taken(user.group, requester, Some(now - user.since));
        probe.signal(now, Signal::SpinLock(lock, taken));
        self.go_on(requester, now, effects, probe);
    }

    /// A requester releases a spin lock: those that spin for it may try.
    pub(super) fn unlock(
        &mut self,
        requester: Requester,
        depth: usize,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let Locked { lock, since } = self.spin_locks.of(requester, depth);
        self.spin_locks.locked[requester.index()][depth] = None;
        let state = &mut self.spin_locks.locks[lock.index()];
        assert_eq!(state.holder.take(), Some(requester), "only its holder releases a spin lock");
        probe.signal(now, Signal::SpinLock(lock, Use::Given(requester, now - since)));
        if state.spinning > 0 {
            effects.freed(requester, lock, state.queue.front().copied());
        }
    }

    /// The lock that a requester spins for, if it does.
    pub fn spins_for(&self, requester: Requester) -> Option<SpinLock> {
        let Activity::Spinning(depth) = self.requesters[requester.index()].activity else { return None };
        Some(self.spin_locks.of(requester, depth).lock)
    }

    /// Every spin lock that is held, with since when.
    pub fn held_spin_locks(&self) -> impl Iterator<Item = (SpinLock, Tod)> {
        let own = (0..).zip(&self.spin_locks.locked);
        let own = own.flat_map(|(number, own)| own.iter().flatten().map(move |locked| (Requester(number), locked)));
        let has =
            |(own, locked): &(Requester, &Locked)| self.spin_locks.locks[locked.lock.index()].holder == Some(*own);
        own.filter(has).map(|(_, locked)| (locked.lock, locked.since))
    }

    /// The target of a yield by a requester that spins.
    pub fn named_by(&self, requester: Requester) -> Option<Requester> {
        self.spins_for(requester).and_then(|lock| self.spin_locks.locks[lock.index()].named_by(requester))
    }
}
