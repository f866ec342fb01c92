//! Spin locks of the operating systems in virtual machines: holders, guests that spin, and turns.
//!
//! A holder computes until it releases the lock.  Its operating system takes no virtual processor away from it, only
//! the control program does.

use super::Guests;
use super::program::MOST_LOCKED;
use super::requester::Activity;
use super::state::spin_lock::Locked;
use crate::effect::Outbox;
use crate::ids::{Requester, SpinLock};
use crate::plan::LockOrder;
use crate::signal::{Probe, Signal, Use};
use units::{Span, Tod};

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
