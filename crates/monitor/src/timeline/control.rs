//! Control programs as a timeline knows them: states and places of virtual processors, and the holder of the scheduler
//! lock.

use super::processors::shown;
use super::recorder::{Carried, Kept, Recorder};
use super::state::State;
use super::why::{Changed, Reason, Standstill, Waiting};
use machine::ids::{Logical, Virtual};
use machine::plan::Srm;
use machine::signal::{self, ListWork, Standing, VirtualStanding};
use units::{Span, Tod};

impl Recorder<'_> {
    /// Takes notice of what a control program does.
    pub(super) fn control(&mut self, control: signal::Control, now: Tod) {
        let joins = self.control.joins.take();
        match control {
            signal::Control::Stands(number, standing) => self.virtual_one_stands(number, standing, now),
            signal::Control::Vector(of, depth) => {
                if let Some(number) = joins {
                    self.joins_vector(number, of, depth);
                }
            }
            signal::Control::Dispatched(..) => self.starts(now),
            signal::Control::Lock(by, work) => self.locks(by, work, now),
            signal::Control::Parked(logical, parked) => self.parks(logical, parked, now),
            signal::Control::Decided(partition, decision) => self.changed(Changed::Decided(partition, decision), now),
            signal::Control::Set(partition, srm) => {
                if let Srm::Polarization(polarization) = srm {
                    let partition = partition.index();
                    self.control.global[partition] = self.control.lists[partition].one_for_all(polarization);
                }
                self.changed(Changed::Set(partition, srm), now);
            }
            signal::Control::Diagnosed(number, on, what) => self.yields(number, on, what, now),
            signal::Control::Spent(..)
            | signal::Control::Looked(..)
            | signal::Control::Placed(..)
            | signal::Control::LockYield(..)
            | signal::Control::LoopExit(..)
            | signal::Control::Intercepted(..) => {}
        }
    }

    /// The state of a virtual processor changes; one that goes on as before is not recorded.
    fn virtual_one_stands(&mut self, number: Virtual, standing: VirtualStanding, now: Tod) {
        let own = &mut self.control.virtuals[number.index()];
        let (before, on, yielded) = (own.standing, own.on, own.yielded.take());
        if before == standing {
            return;
        }
        own.standing = standing;
        self.runs_again(number, now);
        let (state, why) = match standing {
            VirtualStanding::Idle | VirtualStanding::Halted => {
                return self.carries(self.control.place(number), None, now);
            }
            VirtualStanding::Running => (State::Running, None),
            VirtualStanding::Waking => (State::Waking, Some(Standstill::Waking)),
            VirtualStanding::Ready if before == VirtualStanding::Running => {
                let why = yielded.map_or(Standstill::SliceOver(on), |what| Standstill::Yielded(on, what));
                (State::CpuWait, Some(why))
            }
            VirtualStanding::Ready => {
                self.control.joins = Some(number);
                (State::CpuWait, Some(Standstill::Ready))
            }
            VirtualStanding::Interrupted => (State::Interrupted, Some(Standstill::Interrupted(on))),
            VirtualStanding::Limited => (State::Limited, Some(Standstill::Limited)),
        };
        let carried = Carried { virtual_one: Some(number), ..Carried::nobody(now, state) };
        self.carries(self.control.place(number), Some(carried), now);
        let waits = why.map(|why| Waiting { since: now, reason: Reason::Virtual(number, why), freed: 0 });
        self.control.virtuals[number.index()].waits = waits;
    }

    /// The wait of a virtual processor is over.
    fn runs_again(&mut self, number: Virtual, now: Tod) {
        let own = &mut self.control.virtuals[number.index()];
        let (who, Some(wait)) = (own.who, own.waits.take()) else { return };
        if now > self.from && now > wait.since && !self.is_full() {
            self.waits.push(Kept { from: wait.since, to: Some(now), what: (who, wait.reason, 0) });
        }
    }

    /// A ready one has joined a vector, where this many wait now.
    fn joins_vector(&mut self, number: Virtual, of: Logical, depth: u32) {
        let others = depth.saturating_sub(1);
        let partition = self.processors.owner(of);
        let why = if self.control.global[partition.index()] {
            Standstill::InList(others)
        } else {
            Standstill::InVector(of, self.control.has(of), others)
        };
        if let Some(wait) = &mut self.control.virtuals[number.index()].waits {
            wait.reason = Reason::Virtual(number, why);
        }
    }

    /// A logical processor runs a virtual one, or does what is charged to it.
    pub(super) fn runs(&mut self, logical: Logical, number: Virtual, now: Tod) {
        self.control.joins = None;
        let own = &mut self.control.virtuals[number.index()];
        own.on = logical;
        self.control.ran[logical.index()] = Some(number);
        if own.standing == VirtualStanding::Running
            && let Some(carried) = &mut self.places[self.control.place(number)]
        {
            carried.on = Some(logical);
        }
        let carried = Carried { virtual_one: Some(number), ..Carried::nobody(now, State::Working) };
        self.goes_on(logical, carried, now);
    }

    /// A logical processor is in the control program without a guest.
    pub(super) fn works(&mut self, logical: Logical, now: Tod) {
        self.control.joins = None;
        self.goes_on(logical, Carried::nobody(now, State::ControlProgram), now);
    }

    /// The activity of a logical processor from now on; if it is the same, it is not recorded.
    fn goes_on(&mut self, logical: Logical, carried: Carried, now: Tod) {
        let place = self.processors.place(logical);
        let alike = |before: Carried| before.state == carried.state && before.virtual_one == carried.virtual_one;
        if !self.places[place].is_some_and(alike) {
            self.carries(place, Some(carried), now);
        }
    }

    /// The picture of a logical processor that has nothing to do, or is undispatched.
    pub(super) fn rests(&self, logical: Logical, standing: Standing) -> State {
        match standing {
            Standing::Off | Standing::Waiting if self.control.parked[logical.index()] => State::Parked,
            Standing::Off | Standing::Pending | Standing::Waiting | Standing::Working | Standing::Interrupted => {
                shown(standing)
            }
        }
    }

    fn parks(&mut self, logical: Logical, parked: bool, now: Tod) {
        self.control.parked[logical.index()] = parked;
        let place = self.processors.place(logical);
        let Some(before) = self.places[place] else { return };
        let state = self.rests(logical, self.processors.standing(logical));
        if before.virtual_one.is_none() && before.state != State::ControlProgram && before.state != state {
            self.carries(place, Some(Carried { since: now, state, ..before }), now);
        }
    }

    /// A logical processor has taken the lock: its spin and its work are known then.  Shared holders are not recorded,
    /// because there may be several at a time.
    fn locks(&mut self, by: Logical, work: ListWork, now: Tod) {
        if !work.exclusive || work.hold == Span::ZERO {
            return;
        }
        let from = now + work.spin;
        let place = self.control.lock(self.processors.owner(by));
        self.keep_span(place, Carried { on: Some(by), ..Carried::nobody(from, State::Locked) }, from + work.hold);
    }
}
