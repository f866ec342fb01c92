//! The logical processors that want a physical one, in the order of dispatch: a winner tree for those that may run, by
//! group, and one for those that a cap of their own holds back.

use units::Tod;

/// The place of one that waits: the lower goes first.
pub(super) type Order = (usize, u128);

/// The logical processors that wait.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Of those without a group, and then of each group.
    ready: Vec<Tournament>,
    /// Of all that their own cap holds back, by the instant when it does no more.
    held: Tournament,
    /// The tree of each logical processor, and its leaf there.
    seats: Vec<(usize, usize)>,
    /// The logical processors of each tree, rising.
    members: Vec<Vec<u32>>,
}

impl Queue {
    /// An empty queue; each logical processor belongs to a group or to none.
    pub fn new(groups: impl Iterator<Item = Option<usize>>, number: usize) -> Self {
        let mut members = vec![Vec::new(); number + 1];
        let seat = |(logical, group): (u32, Option<usize>)| {
            let tree = group.map_or(0, |group| group + 1);
            members[tree].push(logical);
            (tree, members[tree].len() - 1)
        };
        let seats: Vec<(usize, usize)> = (0..).zip(groups).map(seat).collect();
        let ready = members.iter().map(|members| Tournament::new(members.len())).collect();
        Queue { ready, held: Tournament::new(seats.len()), seats, members }
    }

    /// A logical processor may run and waits at this place.
    pub fn wait(&mut self, logical: usize, order: Order) {
        let (tree, leaf) = self.seats[logical];
        self.ready[tree].set(leaf, Some(order));
        self.held.set(logical, None);
    }

    /// It waits, and its cap holds it back until then.
    pub fn hold(&mut self, logical: usize, until: Tod) {
        let (tree, leaf) = self.seats[logical];
        self.ready[tree].set(leaf, None);
        self.held.set(logical, Some((0, u128::from(until.units()))));
    }

    /// It does not wait.
    pub fn leave(&mut self, logical: usize) {
        let (tree, leaf) = self.seats[logical];
        self.ready[tree].set(leaf, None);
        self.held.set(logical, None);
    }

    /// The first of those of a group, or of none, that may run.
    pub fn first(&self, group: Option<usize>) -> Option<u32> {
        let tree = group.map_or(0, |group| group + 1);
        self.ready[tree].first().map(|leaf| self.members[tree][leaf])
    }

    /// The first that a cap holds back, and until when.
    pub fn first_held(&self) -> Option<(usize, Tod)> {
        let first = self.held.first()?;
        self.held.keys[first].map(|(_, until)| (first, Tod::from_units(until as u64)))
    }
}

/// A winner tree: a change of one leaf replays its matches; of equals the first wins.
#[derive(Clone, Debug)]
struct Tournament {
    keys: Vec<Option<Order>>,
    /// The winner of nodes `2 n` and `2 n + 1`, as a leaf; leaves begin in the middle.
    winners: Vec<u32>,
}

impl Tournament {
    fn new(leaves: usize) -> Self {
        let leaves = leaves.max(1).next_power_of_two();
        let mut winners = vec![0; 2 * leaves];
        for node in (1..2 * leaves).rev() {
            winners[node] = if node < leaves { winners[2 * node] } else { (node - leaves) as u32 };
        }
        Tournament { keys: vec![None; leaves], winners }
    }

    fn set(&mut self, leaf: usize, key: Option<Order>) {
        if self.keys[leaf] == key {
            return;
        }
        self.keys[leaf] = key;
        let mut node = (self.keys.len() + leaf) / 2;
        while node > 0 {
            let [one, other] = [self.winners[2 * node], self.winners[2 * node + 1]];
            self.winners[node] = if self.before(other, one) { other } else { one };
            node /= 2;
        }
    }

    /// Whether a leaf on the right goes before one on the left of it.
    fn before(&self, right: u32, left: u32) -> bool {
        match (self.keys[right as usize], self.keys[left as usize]) {
            (Some(right), Some(left)) => right < left,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    fn first(&self) -> Option<usize> {
        let first = self.winners[1] as usize;
        self.keys[first].map(|_| first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two without a group, three of the first group.
    fn queue() -> Queue {
        Queue::new([None, Some(0), Some(0), None, Some(0)].into_iter(), 1)
    }

    #[test]
    fn the_lowest_goes_first_and_of_equals_the_first() {
        let mut queue = queue();
        [(1, 7), (2, 5), (4, 5)].into_iter().for_each(|(logical, at)| queue.wait(logical, (0, at)));
        assert_eq!((queue.first(None), queue.first(Some(0))), (None, Some(2)));
        queue.wait(2, (1, 0));
        assert_eq!(queue.first(Some(0)), Some(4), "a class comes before the time received");
        queue.leave(4);
        queue.leave(1);
        assert_eq!(queue.first(Some(0)), Some(2));
    }

    #[test]
    fn one_that_is_held_back_waits_apart() {
        let mut queue = queue();
        queue.wait(0, (0, 1));
        queue.wait(3, (0, 2));
        queue.hold(0, Tod::from_units(9));
        assert_eq!((queue.first(None), queue.first_held()), (Some(3), Some((0, Tod::from_units(9)))));
        queue.wait(0, (0, 1));
        assert_eq!((queue.first(None), queue.first_held()), (Some(0), None));
    }

    #[test]
    fn the_first_of_many_is_the_least_of_all_after_any_change() {
        let mut tree = Tournament::new(100);
        let mut keys = vec![None; 128];
        let mut draw = 12_345_u64;
        for _ in 0..5_000 {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (leaf, value) = ((draw >> 33) as usize % 100, (draw >> 50) % 40);
            let key = (value < 30).then_some((0, u128::from(value)));
            keys[leaf] = key;
            tree.set(leaf, key);
            let least = (0..100).filter(|leaf| keys[*leaf].is_some()).min_by_key(|leaf| (keys[*leaf], *leaf));
            assert_eq!(tree.first(), least);
        }
    }
}
