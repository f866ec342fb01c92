//! Locks of threads: a thread that finds one held spins, yields its processor or sleeps, and may be lifted while it holds one.

use super::Guests;
use super::requester::Activity;
use super::state::thread_lock::Trial;
use crate::effect::{Outbox, ThreadCall};
use crate::ids::{Requester, ThreadLock};
use crate::plan::{Turns, Waiting};
use crate::signal::{Locking, Probe, Signal, Use};
use units::Tod;

impl Guests {
    /// A thread begins its first try: a try is an instruction, so it needs a processor.
    pub(super) fn acquire(&mut self, requester: Requester, lock: ThreadLock, effects: &mut impl Outbox) {
        let user = &mut self.requesters[requester.index()];
        user.activity = Activity::Trying(lock, Trial::First);
        user.needs = self.thread_locks[lock.index()].attempt;
        effects.ready(requester);
    }

    /// A try of a thread is over; returns whether it has the lock, else it waits.
    pub(super) fn tried(
        &mut self,
        requester: Requester,
        (lock, trial): (ThreadLock, Trial),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) -> bool {
        let state = &mut self.thread_locks[lock.index()];
        let user = &mut self.requesters[requester.index()];
        if state.is_for(requester) {
            let waited = (trial != Trial::First).then_some(now - user.since);
            state.waiters.retain(|waiter| *waiter != requester);
            state.holder = Some((requester, now));
            // A futex is left marked by a thread that has waited: its release calls the kernel, needed or not.
            state.contended = waited.is_some();
            if let Some(nice) = state.lift {
                effects.calls(requester, ThreadCall::Lift(nice));
            }
            let taken = Use::Taken(user.group, requester, waited);
            probe.signal(now, Signal::ThreadLock(lock, Locking::Used(taken)));
            return true;
        }
        state.contended = true;
        user.needs = state.round;
        user.activity = Activity::Trying(lock, Trial::Again);
        if trial == Trial::First {
            user.since = now;
            state.waiters.push_back(requester);
            probe.signal(now, Signal::ThreadLock(lock, Locking::Used(Use::Awaited(requester))));
            effects.ready(requester);
            return false;
        }
        match state.waiting {
            Waiting::Spin => effects.ready(requester),
            Waiting::Yield { .. } => {
                probe.signal(now, Signal::ThreadLock(lock, Locking::Yielded));
                effects.ready(requester);
                effects.calls(requester, ThreadCall::Yield);
            }
            Waiting::Sleep { .. } => {
                probe.signal(now, Signal::ThreadLock(lock, Locking::Slept));
                user.activity = Activity::Trying(lock, Trial::Asleep);
                state.asleep.push_back(requester);
            }
        }
        false
    }

    /// A thread releases a lock: those that try see it at their next try, and a sleeping one is woken.
    pub(super) fn release(
        &mut self,
        requester: Requester,
        lock: ThreadLock,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let state = &mut self.thread_locks[lock.index()];
        let (holder, since) = state.holder.take().expect("a released lock is held");
        assert_eq!(holder, requester, "only its holder releases a lock");
        probe.signal(now, Signal::ThreadLock(lock, Locking::Used(Use::Given(requester, now - since))));
        match (state.waiting, state.order) {
            (Waiting::Spin | Waiting::Yield { .. }, Turns::Unordered) => {
                for waiter in &state.waiters {
                    effects.calls(*waiter, ThreadCall::Try(state.attempt));
                }
            }
            (Waiting::Spin | Waiting::Yield { .. }, Turns::Ticket) => {
                if let Some(first) = state.waiters.front() {
                    effects.calls(*first, ThreadCall::Try(state.attempt));
                }
            }
            (Waiting::Sleep { wake, .. }, _) if state.contended => {
                state.contended = false;
                effects.calls(requester, ThreadCall::Spend(wake));
                if let Some(first) = state.asleep.pop_front() {
                    let woken = &mut self.requesters[first.index()];
                    (woken.activity, woken.needs) = (Activity::Trying(lock, Trial::Again), state.attempt);
                    effects.ready(first);
                }
            }
            (Waiting::Sleep { .. }, _) => {}
        }
        if state.lift.is_some() {
            effects.calls(requester, ThreadCall::Restore);
        }
    }

    /// The lock of threads that a requester waits for, if it does.
    pub fn waits_for_lock(&self, requester: Requester) -> Option<ThreadLock> {
        let Activity::Trying(lock, trial) = self.requesters[requester.index()].activity else { return None };
        (trial != Trial::First).then_some(lock)
    }
}
