//! Rebalance: the machines that use most first, siblings close together, vectors balanced by predicted use.

use super::{Load, Machine, Placeable, Placement};
use std::cmp::Ordering;

impl Placement {
    /// Assigns all homes anew, and keeps the result only if it is better balanced than before.
    ///
    /// ASSUME: a machine begins at the vector with the least predicted use.  It takes as many consecutive ones in
    /// topological order as it has virtual processors, and the first ones again after the last.  Each virtual
    /// processor, the biggest first, goes to one of these: the least predicted use, then the fewest siblings, then the
    /// fewest, then the first.  Balance is the sum of the squares of the vectors' use.
    pub(super) fn rebalance(&mut self, who: &[Placeable]) {
        let complete = self.seats.iter().all(Option::is_some);
        let before = squares(&self.loads);
        self.take_machines(who);
        self.loads.fill(Load::default());
        self.dealt.clear();
        self.dealt.resize(who.len(), 0);
        for at in 0..self.machines.len() {
            self.seat_machine(who, self.machines[at]);
        }
        let better = squares(&self.loads) < before * (1.0 - 1e-9);
        if better || !complete {
            for (seat, place) in self.seats.iter_mut().zip(&self.dealt) {
                *seat = Some(*place);
            }
        }
    }

    /// The machines, those first that use most.
    fn take_machines(&mut self, who: &[Placeable]) {
        self.machines.clear();
        let mut from = 0;
        for siblings in who.chunk_by(|one, next| one.machine == next.machine) {
            let predicted = siblings.iter().map(|one| one.predicted).sum();
            self.machines.push(Machine { from, to: from + siblings.len(), predicted });
            from += siblings.len();
        }
        self.machines
            .sort_unstable_by(|one, other| other.predicted.total_cmp(&one.predicted).then(one.from.cmp(&other.from)));
    }

    /// Deals out the virtual processors of one machine.
    fn seat_machine(&mut self, who: &[Placeable], machine: Machine) {
        let vectors = self.loads.len();
        for load in &mut self.loads {
            load.siblings = 0;
        }
        let begin = least(&self.loads, 0..vectors);
        let wide = vectors.min(machine.to - machine.from);
        self.order.clear();
        self.order.extend(machine.from..machine.to);
        let bigger = |one: &usize, other: &usize| who[*other].predicted.total_cmp(&who[*one].predicted);
        self.order.sort_unstable_by(|one, other| bigger(one, other).then(one.cmp(other)));
        for at in &self.order {
            let place = least(&self.loads, (begin..begin + wide).map(|place| place % vectors));
            self.loads[place].take(who[*at].predicted);
            self.dealt[*at] = place;
        }
    }
}

/// The vector of these with the least predicted use; of several, one with the fewest siblings, then with fewest, then
/// the first.
fn least(loads: &[Load], places: impl Iterator<Item = usize>) -> usize {
    let less = |one: &usize, other: &usize| -> Ordering {
        let (one, other) = (&loads[*one], &loads[*other]);
        let then = (one.siblings, one.count).cmp(&(other.siblings, other.count));
        one.used.total_cmp(&other.used).then(then)
    };
    places.min_by(less).expect("somebody is unparked")
}

/// How unevenly vectors are used: the least where all are used alike.
fn squares(loads: &[Load]) -> f64 {
    loads.iter().map(|load| load.used * load.used).sum()
}
