//! The search of a logical processor for work, in its own vector, then in others, and the signals when there is some.

use super::processor::{Doing, Stretch};
use super::state::{ControlProgram, Out};
use super::virtual_processor::VirtualState;
use crate::effect::Outbox;
use crate::plan::control_program::{Stealing, VectorOrder};
use crate::signal::Probe;
use crate::signal::control_program::{Control, Dispatch, Distance, VirtualStanding};

impl ControlProgram {
    /// A processor has nothing under way: interrupts first, then the one that it interrupted, then those that wait.
    pub(super) fn next(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        if !self.processors[own].carried {
            return;
        }
        if let Some(number) = self.next_wake(own) {
            return self.begin_waking(own, number, out);
        }
        if let Some(number) = self.processors[own].suspended.take() {
            return self.resume(own, number, out);
        }
        if let Some(directed) = self.processors[own].directed.take() {
            return self.dispatch_directed(own, directed, out);
        }
        if let Some(doing) = self.processors[own].changes.take() {
            let stretch = Stretch { path: self.plan.costs.park, ..Stretch::default() };
            return self.begin(own, doing, stretch, out);
        }
        if !self.processors[own].unparked {
            return self.rest(own, Doing::Parked, out);
        }
        let vector = self.vector(own);
        if self.vectors[vector].len() > 0 {
            return self.dispatch(own, (vector, None), out);
        }
        if !self.processors[own].looked {
            return self.look(own, out);
        }
        match self.victim(own) {
            Some((from, distance)) => self.dispatch(own, (from, Some(distance)), out),
            None => self.rest(own, Doing::Idle, out),
        }
    }

    /// The vector that a processor steals from, and how far away that is: the nearest, the longest of those.
    fn victim(&self, own: usize) -> Option<(usize, Distance)> {
        if self.waiting == 0 || self.has_one_list() {
            return None;
        }
        let mut best: Option<(Distance, usize, usize)> = None;
        for (other, vector) in self.vectors.iter().enumerate() {
            let waiting = vector.len();
            if waiting == 0 || other == own {
                continue;
            }
            let distance = self.away(own, other);
            let nearer = best.is_none_or(|(far, most, _)| distance < far || (distance == far && waiting > most));
            if nearer && self.may_be_stolen(other, distance) {
                best = Some((distance, waiting, other));
            }
        }
        best.map(|(distance, _, other)| (other, distance))
    }

    /// The distance of a processor from a vector that it may steal from; far, if the core of either is not known.
    #[inline]
    fn away(&self, from: usize, own: usize) -> Distance {
        let known = self.processors[from].carried && self.processors[own].carried;
        if known || from == own { self.distance(from, own) } else { Distance::Far }
    }

    /// Whether enough wait in a vector for a processor at this distance.
    fn may_be_stolen(&self, from: usize, distance: Distance) -> bool {
        let waiting = self.vectors[from].len();
        let barrier = match (self.stealing, distance) {
            (Stealing::Global | Stealing::Free | Stealing::Eager, _) | (_, Distance::Same) => 1,
            (Stealing::Near, Distance::Chip) => self.plan.barriers[0],
            (Stealing::Near, Distance::Book) => self.plan.barriers[1],
            (Stealing::Near, Distance::Far) => self.plan.barriers[2],
        };
        waiting >= barrier as usize
    }

    /// Dispatches the first of a vector, the own one or one that is stolen from.
    fn dispatch(
        &mut self,
        own: usize,
        (from, stolen): (usize, Option<Distance>),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        // Those that are at their limit leave the vector until they may run.
        let number = loop {
            let Some(number) = self.take(from) else {
                self.tell_depth(from, out);
                return self.next(own, out);
            };
            if self.may_run(number, out).is_ok() {
                break number;
            }
        };
        self.tell_depth(from, out);
        self.give(own, (number, from, stolen), out);
    }

    /// Takes the first of a vector.
    #[inline]
    fn take(&mut self, from: usize) -> Option<usize> {
        let number = self.vectors[from].take()?;
        self.waiting -= 1;
        let state = &mut self.virtuals[number];
        state.in_vector = false;
        self.vectors[from].reach(state.pass);
        Some(number)
    }

    /// A virtual processor was taken from a vector, and is dispatched.
    #[inline(always)]
    pub(super) fn give(
        &mut self,
        own: usize,
        (number, from, stolen): (usize, usize, Option<Distance>),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        let VirtualState { last, number: given, .. } = self.virtuals[number];
        let moved = self.distance(last, own);
        if stolen.is_some() {
            self.join(number, (from, own));
        }
        let resident = self.run_dispatched(own, number, out).resident();
        let dispatch = Dispatch { moved, stolen, resident };
        out.tell(Control::Dispatched(given, self.logical(own), dispatch));
    }

    /// A virtual processor is at home in another vector from now on, as far ahead there as it was here.
    pub(super) fn join(&mut self, number: usize, (from, to): (usize, usize)) {
        let state = &mut self.virtuals[number];
        state.home = to;
        state.pass = self.vectors[to].at(self.vectors[from].ahead(state.pass));
    }

    /// A virtual processor is at home where it ran, though it may have been placed elsewhere meanwhile.
    #[inline]
    pub(super) fn stays(&mut self, number: usize, own: usize) {
        let home = std::mem::replace(&mut self.virtuals[number].home, own);
        if home != own && !self.has_one_list() {
            self.join(number, (home, own));
        }
    }

    /// A virtual processor waits in its vector from now on.
    #[inline]
    pub(super) fn add(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let vector = self.vector(self.virtuals[number].home);
        let (queue, state) = (&mut self.vectors[vector], &mut self.virtuals[number]);
        if state.standing != VirtualStanding::Ready {
            state.pass = queue.pass_of(state.pass);
            state.standing = VirtualStanding::Ready;
            out.tell(Control::Stands(state.number, VirtualStanding::Ready));
        }
        self.came += 1;
        self.waiting += 1;
        let pass = orders_by(self.plan.order, state);
        state.in_vector = true;
        if std::mem::take(&mut state.to_tail) {
            queue.add_last(number, pass, self.came);
        } else {
            queue.add(number, pass, self.came);
        }
        self.tell_depth(vector, out);
    }

    #[inline]
    pub(super) fn tell_depth(&mut self, vector: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let depth = self.vectors[vector].len() as u32;
        out.tell(Control::Vector(self.logical(vector), depth));
    }

    /// One waits: an idle processor that may take it is signalled: its own first, then the nearest, then the one that
    /// has been idle longest.  With one list for all it is the one that has been idle longest.  An undispatched one is
    /// called only where no other is idle.
    #[inline]
    pub(super) fn offer(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        if self.virtuals[number].standing == VirtualStanding::Ready && (self.idle > 0 || self.tells) {
            self.offer_to_idle(number, out);
        }
    }

    #[inline(never)]
    fn offer_to_idle(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let home = self.virtuals[number].home;
        let global = self.has_one_list();
        let mut best = None;
        for (other, processor) in self.processors.iter().enumerate() {
            if !(processor.is_free() || self.tells && processor.may_be_called()) {
                continue;
            }
            let distance = if global { Distance::Same } else { self.away(home, other) };
            let key = (!processor.carried, distance, processor.idle_since, other);
            if self.may_be_stolen(self.vector(home), distance) && best.is_none_or(|least| key < least) {
                best = Some(key);
            }
        }
        match best {
            Some((true, _, _, other)) => self.call(other, out),
            Some((false, _, _, other)) if other == home && !global => self.next(other, out),
            Some((false, _, _, other)) => self.look(other, out),
            None => self.call(home, out),
        }
    }

    /// A processor whose vector is empty, or an idle one that is signalled, looks at every vector there is.
    fn look(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let vectors = self.used;
        out.tell(Control::Looked(self.processors[own].logical, vectors as u32));
        let path = self.plan.costs.look * vectors as u64;
        self.begin(own, Doing::Looking, Stretch { path, ..Stretch::default() }, out);
    }
}

/// The order of a virtual processor in a vector, before the order of arrival.
#[inline]
pub(super) fn orders_by(order: VectorOrder, state: &VirtualState) -> f64 {
    match order {
        VectorOrder::Share => state.pass,
        VectorOrder::Arrival => 0.0,
    }
}
