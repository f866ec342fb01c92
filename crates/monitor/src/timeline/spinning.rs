//! Spin locks and yields as a timeline knows them: holders, guests that spin, outcomes of DIAGNOSEs.

use super::recorder::{Carried, Recorder, Yielded};
use super::state::State;
use super::why::Reason;
use machine::ids::{Logical, Requester, SpinLock, Virtual};
use machine::signal::{Diagnosed, Use};
use units::Tod;

impl Recorder<'_> {
    /// A guest spins for, has or releases a spin lock.
    pub(super) fn uses_spin_lock(&mut self, lock: SpinLock, what: Use, now: Tod) {
        let place = self.processors.spin_lock_place(lock);
        match what {
            Use::Awaited(requester) => self.spins(requester, lock, now),
            Use::Taken(_, requester, waited) => {
                if waited.is_some() {
                    self.spinning[lock.index()] -= 1;
                    self.waits_no_more(requester, now);
                }
                let by = Some((requester, self.people[requester.index()].who));
                self.carries(place, Some(Carried { by, ..Carried::nobody(now, State::Taken) }), now);
            }
            Use::Given(..) => self.carries(place, None, now),
        }
    }

    fn spins(&mut self, requester: Requester, lock: SpinLock, now: Tod) {
        let place = self.processors.spin_lock_place(lock);
        let holder = self.places[place].and_then(|carried| carried.by).map(|(_, who)| who);
        let others = self.spinning[lock.index()];
        self.spinning[lock.index()] += 1;
        self.waits(requester, Reason::Spinning(lock, holder, others), now);
    }

    /// The outcome of a yield; if it ended a slice, the state of the virtual processor is signalled next.
    pub(super) fn yields(&mut self, number: Virtual, on: Logical, what: Diagnosed, now: Tod) {
        let ended = match what {
            Diagnosed::X44 | Diagnosed::Yielded | Diagnosed::LoopEnded | Diagnosed::LoopYielded => Some(what),
            Diagnosed::Fast44
            | Diagnosed::NotReady
            | Diagnosed::InWait
            | Diagnosed::InSoftWait
            | Diagnosed::Dispatched
            | Diagnosed::Sensed
            | Diagnosed::Halted
            | Diagnosed::Kicked
            | Diagnosed::LoopGoesOn => None,
        };
        self.control.virtuals[number.index()].yielded = ended;
        if now >= self.from && !self.is_full() {
            self.yields.push(Yielded { at: now, number, on, what });
        }
    }
}
