//! Where the time of logical and physical processors goes, in whole numbers.

use machine::signal::{Phase, Standing, Taken};
use units::Tod;

/// How many ways a logical processor may stand.
const STANDINGS: usize = 5;
const STANDINGS_ALL: [Standing; STANDINGS] =
    [Standing::Off, Standing::Pending, Standing::Waiting, Standing::Working, Standing::Interrupted];

/// The time of a logical processor in each state.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogicalCounts {
    standing: Standing,
    parked: bool,
    since: Tod,
    /// Unparked, and parked.
    areas: [[u64; STANDINGS]; 2],
    /// Interrupts taken: that interrupted, and that a handler tested for.
    pub slih: u64,
    pub tpi: u64,
}

impl LogicalCounts {
    /// From now on it is in this state; one in which it is already goes on.
    #[inline]
    pub fn stands(&mut self, now: Tod, standing: Standing) {
        if standing != self.standing {
            self.close(now);
            self.standing = standing;
        }
    }

    /// From now on it is parked or not.
    pub fn parks(&mut self, now: Tod, parked: bool) {
        self.close(now);
        self.parked = parked;
    }

    #[inline]
    fn close(&mut self, now: Tod) {
        self.areas[usize::from(self.parked)][place(self.standing)] += (now - self.since).units();
        self.since = now;
    }

    pub fn taken(&mut self, taken: Taken) {
        match taken {
            Taken::Slih => self.slih += 1,
            Taken::Tpi => self.tpi += 1,
        }
    }

    pub fn reset(&mut self, now: Tod) {
        self.areas = [[0; STANDINGS]; 2];
        (self.slih, self.tpi) = (0, 0);
        self.since = now;
    }

    /// The time in this state since the last reset.
    pub fn area(&self, standing: Standing, now: Tod) -> u128 {
        self.area_parked(standing, false, now) + self.area_parked(standing, true, now)
    }

    /// The time in this state since then, parked or not.
    pub fn area_parked(&self, standing: Standing, parked: bool, now: Tod) -> u128 {
        let as_now = standing == self.standing && parked == self.parked;
        let so_far = if as_now { (now - self.since).units() } else { 0 };
        u128::from(self.areas[usize::from(parked)][place(standing)] + so_far)
    }

    /// How long it has been parked.
    pub fn parked(&self, now: Tod) -> u128 {
        STANDINGS_ALL.iter().map(|standing| self.area_parked(*standing, true, now)).sum()
    }

    /// The time with work on a physical processor.
    pub fn busy(&self, now: Tod) -> u128 {
        self.area(Standing::Working, now) + self.area(Standing::Interrupted, now)
    }

    /// How long no physical processor has carried it.
    pub fn not_carried(&self, now: Tod) -> u128 {
        self.area(Standing::Off, now) + self.area(Standing::Pending, now)
    }

    /// How long a physical processor has carried it.
    pub fn carried(&self, now: Tod) -> u128 {
        [Standing::Waiting, Standing::Working, Standing::Interrupted]
            .map(|standing| self.area(standing, now))
            .iter()
            .sum()
    }
}

const fn place(standing: Standing) -> usize {
    match standing {
        Standing::Off => 0,
        Standing::Pending => 1,
        Standing::Waiting => 2,
        Standing::Working => 3,
        Standing::Interrupted => 4,
    }
}

/// Of a physical processor: for how long it carried the logical ones of each partition, and switched to it.
#[derive(Clone, Debug)]
pub struct PhysicalCounts {
    phase: Phase,
    since: Tod,
    carried: Vec<u128>,
    switched: Vec<u128>,
    idle: u128,
}

impl PhysicalCounts {
    pub fn new(partitions: usize) -> Self {
        PhysicalCounts {
            phase: Phase::Idle,
            since: Tod::START,
            carried: vec![0; partitions],
            switched: vec![0; partitions],
            idle: 0,
        }
    }

    /// It does something else from now on.  `owner` says whose each logical processor is, `switched_to` how long there
    /// were switches to it.
    pub fn carries(&mut self, now: Tod, phase: Phase, owner: &[usize], switched_to: &mut [u128]) {
        let spent = self.spent(now);
        match self.phase {
            Phase::Dedicated(logical) | Phase::Carrying(logical) => self.carried[owner[logical.index()]] += spent,
            Phase::Switching(partition, to) => {
                self.switched[partition.index()] += spent;
                if let Some(logical) = to {
                    switched_to[logical.index()] += spent;
                }
            }
            Phase::Idle => self.idle += spent,
        }
        (self.phase, self.since) = (phase, now);
    }

    /// For how long it has done what it does.
    fn spent(&self, now: Tod) -> u128 {
        u128::from((now - self.since).units())
    }

    pub fn reset(&mut self, now: Tod) {
        self.carried.fill(0);
        self.switched.fill(0);
        self.idle = 0;
        self.since = now;
    }

    /// For how long it carried logical processors of a partition, and for how long it switched to it, up to now.
    pub fn of(&self, partition: usize, owner: &[usize], now: Tod) -> (u128, u128) {
        let (carried, switched) = (self.carried[partition], self.switched[partition]);
        match self.phase {
            Phase::Dedicated(logical) | Phase::Carrying(logical) if owner[logical.index()] == partition => {
                (carried + self.spent(now), switched)
            }
            Phase::Switching(to, _) if to.index() == partition => (carried, switched + self.spent(now)),
            Phase::Dedicated(_) | Phase::Carrying(_) | Phase::Switching(..) | Phase::Idle => (carried, switched),
        }
    }

    /// The logical processor that it switches to, and for how long.
    pub fn switches(&self, now: Tod) -> Option<(usize, u128)> {
        match self.phase {
            Phase::Switching(_, Some(logical)) => Some((logical.index(), self.spent(now))),
            Phase::Switching(_, None) | Phase::Dedicated(_) | Phase::Carrying(_) | Phase::Idle => None,
        }
    }

    /// Its idle time up to now.
    pub fn idle(&self, now: Tod) -> u128 {
        self.idle + if self.phase == Phase::Idle { self.spent(now) } else { 0 }
    }

    /// For how long it did anything or nothing.
    pub fn all(&self, now: Tod) -> u128 {
        self.carried.iter().chain(&self.switched).sum::<u128>() + self.idle + self.spent(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its areas in order, after 10 units of work that is said again every 2, parked after 6.
    #[test]
    fn a_state_that_goes_on_counts_where_it_was_parked_and_where_it_was_not() {
        let at = |units| Tod::from_units(units);
        let mut counts = LogicalCounts::default();
        for now in [0, 2, 4, 6, 8] {
            counts.stands(at(now), Standing::Working);
            if now == 6 {
                counts.parks(at(now), true);
            }
        }
        let areas = [false, true].map(|parked| counts.area_parked(Standing::Working, parked, at(10)));
        assert_eq!(areas, [6, 4]);
    }
}
