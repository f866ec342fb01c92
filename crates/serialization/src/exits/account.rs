//! The calls on a request's path, in a fixed number of counts from which any price list computes a cost.

use super::point::{POINTS, Point};
use crate::name_list::word;
use std::ops::{AddAssign, Index, IndexMut};
use units::{Problem, Span};

/// How much an exit does of its own at a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It only decides.
    #[default]
    Plain,
    /// It looks something up.
    Light,
    /// It does work of its own.
    Heavy,
}

/// The calls at one exit point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    /// How often a parameter list was built, and storage found for it; all exits of a point get the same.
    pub lists: u32,
    /// How often an exit was entered.
    pub calls: u32,
    /// How often status was saved, the lock dropped, recovery set up, and the lock taken again.
    pub slow: u32,
    /// How often storage was obtained anew.
    pub obtained: u32,
    /// How often it came from a pool.
    pub pooled: u32,
    /// How often it was the single area that the lock serializes.
    pub single: u32,
    /// Bytes of status that were copied.
    pub bytes: u64,
    /// Pages that were touched for the first time.
    pub pages: u32,
    /// Calls of exits of class [`Class::Light`].
    pub light: u32,
    /// Calls of exits of class [`Class::Heavy`].
    pub heavy: u32,
    /// The exits' own time beside that, which no price list has.
    pub own: Span,
}

/// The calls on a request's path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    points: [Visits; POINTS],
    /// ENQs and RESERVEs, those that change a hold aside.
    pub enqs: u32,
    /// ENQs that change a hold to exclusive.
    pub changes: u32,
    /// DEQs.
    pub deqs: u32,
    /// Requests that a front end of the supervisor call looked at.
    pub front_end: u32,
    /// Resources that a manager in front of the supervisor call cares about and did not see, since they came by program
    /// call.
    pub unseen: u32,
    /// Name lists that were searched.
    pub searches: u32,
    /// Messages of managers to other systems.
    pub messages: u32,
    /// Calls that the cache of names made unnecessary.
    pub spared: u32,
}

impl Class {
    /// All of them, the lightest first.
    pub const ALL: [Class; 3] = [Class::Plain, Class::Light, Class::Heavy];

    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Class::Plain => "plain",
            Class::Light => "light",
            Class::Heavy => "heavy",
        }
    }

    /// The class that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `work` when there is no such class.
    pub fn read(written: &str) -> Result<Self, Box<Problem>> {
        word::read("work", written, &Class::ALL, Class::word)
    }
}

impl Account {
    /// All calls of exits.
    pub fn calls(&self) -> u32 {
        self.points.iter().map(|visits| visits.calls).sum()
    }

    /// All calls at points that are called without the lock.
    pub fn slow_calls(&self) -> u32 {
        Point::ALL.into_iter().filter(|point| !point.is_locked()).map(|point| self[point].calls).sum()
    }
}

impl Index<Point> for Account {
    type Output = Visits;

    #[inline]
    fn index(&self, point: Point) -> &Visits {
        &self.points[point as usize]
    }
}

impl IndexMut<Point> for Account {
    #[inline]
    fn index_mut(&mut self, point: Point) -> &mut Visits {
        &mut self.points[point as usize]
    }
}

impl AddAssign for Visits {
    fn add_assign(&mut self, other: Visits) {
        self.lists += other.lists;
        self.calls += other.calls;
        self.slow += other.slow;
        self.obtained += other.obtained;
        self.pooled += other.pooled;
        self.single += other.single;
        self.bytes += other.bytes;
        self.pages += other.pages;
        self.light += other.light;
        self.heavy += other.heavy;
        self.own += other.own;
    }
}

impl AddAssign for Account {
    fn add_assign(&mut self, other: Account) {
        for (mine, theirs) in self.points.iter_mut().zip(other.points) {
            *mine += theirs;
        }
        self.enqs += other.enqs;
        self.changes += other.changes;
        self.deqs += other.deqs;
        self.front_end += other.front_end;
        self.unseen += other.unseen;
        self.searches += other.searches;
        self.messages += other.messages;
        self.spared += other.spared;
    }
}
