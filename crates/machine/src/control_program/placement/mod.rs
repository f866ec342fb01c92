//! On whose dispatch vector each virtual processor is at home in vertical mode: reshuffle and rebalance.
//!
//! It is documented that there are two methods (SET SRM DSPWDMETHOD), and that the thread that decides on parking
//! places every two seconds.  Rebalance assigns vectors by each virtual processor's predicted use in the next interval
//! (z/VM control block VMUBK).  ASSUME: the rest, as marked at each function.

mod rebalance;
mod reshuffle;

use crate::ids::Logical;
use crate::plan::control_program::Method;
use crate::signal::control_program::Distance;

/// A virtual processor that is to be placed; those of a machine stand together, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placeable {
    /// Which virtual machine it belongs to; any number of its own.
    pub machine: u32,
    /// On whose vector it is at home.
    pub home: Logical,
    /// Its predicted use in the next interval, in processors' worth.
    pub predicted: f64,
}

/// An unparked logical processor, which has a vector; in topological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unparked {
    /// Which it is.
    pub logical: Logical,
    /// The core that it runs on.
    pub core: u32,
}

/// Places virtual processors; keeps the room that it needs for the next time.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The new home of each, in their order.
    homes: Vec<Logical>,
    /// Of each virtual processor, its place among the unparked; none where it has none yet.
    seats: Vec<Option<usize>>,
    /// Of each logical processor, its place among the unparked.
    place_of: Vec<Option<usize>>,
    /// Of each place, what it has so far.
    loads: Vec<Load>,
    /// The virtual processors of a machine, the biggest first.
    order: Vec<usize>,
    /// Of each virtual processor, the place that it is dealt.
    dealt: Vec<usize>,
    /// Machines: where each begins and ends among the virtual processors, and what it uses.
    machines: Vec<Machine>,
}

/// The load of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Load {
    count: usize,
    used: f64,
    /// How many it is to have; only where vectors are balanced by count.
    part: usize,
    /// Whether that may become one more; only there, too.
    may_grow: bool,
    /// How many it has of the machine that is being placed.
    siblings: usize,
}

/// The virtual processors of a machine.
#[derive(Clone, Copy, Debug)]
struct Machine {
    from: usize,
    to: usize,
    predicted: f64,
}

impl Placement {
    /// Room for this many virtual and logical processors.
    pub fn new(virtuals: usize, logicals: usize) -> Self {
        Placement {
            homes: Vec::with_capacity(virtuals),
            seats: Vec::with_capacity(virtuals),
            place_of: Vec::with_capacity(logicals),
            loads: Vec::with_capacity(logicals),
            order: Vec::with_capacity(virtuals),
            dealt: Vec::with_capacity(virtuals),
            machines: Vec::with_capacity(virtuals),
        }
    }

    /// The new home of each virtual processor, in their order.
    ///
    /// # Panics
    /// When no logical processor is unparked.
    pub fn place(
        &mut self,
        method: Method,
        who: &[Placeable],
        unparked: &[Unparked],
        distance: impl Fn(u32, u32) -> Distance,
    ) -> &[Logical] {
        assert!(!unparked.is_empty(), "at least one has to be unparked");
        self.seat_as_they_are(who, unparked);
        match method {
            Method::Reshuffle => self.reshuffle(who, unparked, distance),
            Method::Rebalance => self.rebalance(who),
            Method::None => self.take_in(who),
        }
        self.homes.clear();
        let seated = |seat: &Option<usize>| unparked[seat.expect("all have been placed")].logical;
        self.homes.extend(self.seats.iter().map(seated));
        &self.homes
    }

    /// All stay at home, except those whose home is parked.
    fn seat_as_they_are(&mut self, who: &[Placeable], unparked: &[Unparked]) {
        self.place_of.clear();
        for (place, one) in unparked.iter().enumerate() {
            let at = one.logical.index();
            self.place_of.resize(self.place_of.len().max(at + 1), None);
            self.place_of[at] = Some(place);
        }
        self.seats.clear();
        let places = &self.place_of;
        self.seats.extend(who.iter().map(|one| places.get(one.home.index()).copied().flatten()));
        self.loads.clear();
        self.loads.resize(unparked.len(), Load::default());
        self.count_loads(who);
    }

    /// The load of each vector with the present homes.
    fn count_loads(&mut self, who: &[Placeable]) {
        for load in &mut self.loads {
            *load = Load::default();
        }
        for (one, seat) in who.iter().zip(&self.seats) {
            if let Some(place) = seat {
                self.loads[*place].take(one.predicted);
            }
        }
    }

    /// Only those move whose home is parked, each to the vector that has fewest, the first of several.
    fn take_in(&mut self, who: &[Placeable]) {
        for (one, seat) in who.iter().zip(&mut self.seats).filter(|(_, seat)| seat.is_none()) {
            let fewest = (0..self.loads.len()).min_by_key(|place| self.loads[*place].count);
            let place = fewest.expect("somebody is unparked");
            self.loads[place].take(one.predicted);
            *seat = Some(place);
        }
    }
}

impl Load {
    /// One more, of the machine that is being placed.
    fn take(&mut self, predicted: f64) {
        self.count += 1;
        self.siblings += 1;
        self.used += predicted;
    }
}
