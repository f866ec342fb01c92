//! The counts of locks that threads share, in whole numbers: holders, waits, yields and sleeps.
//!
//! Each take and release is checked: a lock that is taken is free, and only its holder releases it.

use kernel::statistics::{Histogram, TimeAverage};
use machine::ids::Requester;
use machine::signal::{Locking, Use};
use units::{Span, Tod};

/// Of one lock.
#[derive(Clone, Debug, Default)]
pub struct ThreadLockCounts {
    /// Takes, and those after a wait.
    pub taken: u64,
    pub contended: u64,
    /// From the first try to having it, in all and the longest; those that did not wait are in the histogram too.
    pub wait: u128,
    pub longest: Span,
    pub spread: Histogram,
    /// Times given back, and for how long it was held then.
    pub given: u64,
    pub held: u128,
    /// Threads that wait, and whether it is held.
    pub waiting: TimeAverage,
    pub holding: TimeAverage,
    /// Yields and sleeps of waiting threads.
    pub yields: u64,
    pub sleeps: u64,
    /// Times that it was taken while it was held, or released by another or after another time; a law requires zero.
    pub broken: u64,
    holder: Option<(Requester, Tod)>,
    held_before: bool,
}

impl ThreadLockCounts {
    /// Records a transition of a thread with the lock.
    pub fn signal(&mut self, now: Tod, what: Locking) {
        match what {
            Locking::Yielded => self.yields += 1,
            Locking::Slept => self.sleeps += 1,
            Locking::Used(Use::Awaited(_)) => self.waiting.change(now, 1),
            Locking::Used(Use::Taken(_, requester, waited)) => {
                self.broken += u64::from(self.holder.replace((requester, now)).is_some());
                self.taken += 1;
                self.spread.add(waited.unwrap_or_default());
                self.holding.change(now, 1);
                if let Some(waited) = waited {
                    self.contended += 1;
                    self.wait += u128::from(waited.units());
                    self.longest = self.longest.max(waited);
                    self.waiting.change(now, -1);
                }
            }
            Locking::Used(Use::Given(requester, held)) => {
                let had = self.holder.take().is_some_and(|(holder, since)| holder == requester && now - since == held);
                self.broken += u64::from(!had);
                self.given += 1;
                self.held += u128::from(held.units());
                self.holding.change(now, -1);
            }
        }
    }

    /// Whether it is held now, and whether it was at the last reset.
    pub fn holding(&self) -> (bool, bool) {
        (self.holder.is_some(), self.held_before)
    }

    /// Starts an interval.
    pub fn reset(&mut self, now: Tod) {
        let (mut waiting, mut holding, mut spread) = (self.waiting, self.holding, std::mem::take(&mut self.spread));
        waiting.reset(now);
        holding.reset(now);
        spread.reset();
        let (holder, held_before) = (self.holder, self.holder.is_some());
        *self = ThreadLockCounts { waiting, holding, spread, holder, held_before, ..ThreadLockCounts::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::ids::Group;

    fn at(us: u64) -> Tod {
        Tod::START + Span::from_us(us)
    }

    fn taken(who: u32, waited: Option<u64>) -> Locking {
        Locking::Used(Use::Taken(Group(0), Requester(who), waited.map(Span::from_us)))
    }

    fn given(who: u32, held: u64) -> Locking {
        Locking::Used(Use::Given(Requester(who), Span::from_us(held)))
    }

    #[test]
    fn a_wait_is_counted_when_it_ends_and_holders_are_checked() {
        let mut counts = ThreadLockCounts::default();
        counts.signal(at(0), taken(1, None));
        counts.signal(at(1), Locking::Used(Use::Awaited(Requester(2))));
        counts.signal(at(3), Locking::Yielded);
        counts.signal(at(5), given(1, 5));
        counts.signal(at(6), taken(2, Some(5)));
        assert_eq!((counts.taken, counts.contended, counts.given, counts.yields), (2, 1, 1, 1));
        assert_eq!(counts.waiting.area(at(9)), counts.wait, "it waited from 1 to 6");
        assert_eq!(counts.broken, 0);
        counts.signal(at(7), taken(3, None));
        assert_eq!(counts.broken, 1, "2 has it");
        counts.reset(at(8));
        assert_eq!((counts.taken, counts.wait, counts.holding()), (0, 0, (true, true)));
    }
}
