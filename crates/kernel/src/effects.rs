//! A small list of fixed capacity in which a transition leaves what is to happen elsewhere.

/// At most `N` effects behind the first, first in, first out, without allocation.
///
/// An effect is made where it is kept, and read there: a copy of one that was just made in pieces would wait for them.
#[derive(Clone, Debug)]
pub struct Effects<E: Copy, const N: usize> {
    /// The oldest of all, until it is taken.  It has a place of its own because nearly always it is the only one.
    first: E,
    has_first: bool,
    /// The others: a ring.
    others: [E; N],
    next: usize,
    /// How many are left, the first included.
    left: usize,
}

impl<E: Copy, const N: usize> Effects<E, N> {
    /// An empty list; `blank` fills places that are not taken and never comes out.
    pub fn new(blank: E) -> Self {
        Effects { first: blank, has_first: false, others: [blank; N], next: 0, left: 0 }
    }

    /// Adds an effect.
    ///
    /// # Panics
    /// When more than `N` effects wait behind the first, which is a mistake in the mechanism.
    #[inline(always)]
    pub fn push(&mut self, effect: impl FnOnce() -> E) {
        if self.is_empty() {
            self.first = effect();
            self.has_first = true;
            self.left = 1;
        } else {
            self.push_behind(effect());
        }
    }

    #[inline(never)]
    fn push_behind(&mut self, effect: E) {
        let others = self.left - usize::from(self.has_first);
        assert!(others < N, "a transition leaves at most {N} effects");
        self.others[(self.next + others) % N] = effect;
        self.left += 1;
    }

    /// Whether none is left.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The effect, if exactly one is left.
    #[inline(always)]
    pub fn only(&self) -> Option<&E> {
        match (self.left, self.has_first) {
            (1, true) => Some(&self.first),
            (1, false) => Some(&self.others[self.next]),
            (_, true | false) => None,
        }
    }

    /// Takes the oldest effect, which keeps its place until the next is added.
    #[inline(always)]
    pub fn take(&mut self) -> Option<&E> {
        if self.is_empty() {
            return None;
        }
        self.left -= 1;
        if self.has_first {
            self.has_first = false;
            return Some(&self.first);
        }
        let oldest = self.next;
        self.next = (oldest + 1) % N;
        Some(&self.others[oldest])
    }

    /// The same as a copy.
    pub fn pop(&mut self) -> Option<E> {
        self.take().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_come_out_in_the_order_they_went_in() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        effects.push(|| 1);
        effects.push(|| 2);
        assert_eq!(effects.pop(), Some(1));
        effects.push(|| 3);
        assert_eq!((effects.pop(), effects.pop(), effects.pop()), (Some(2), Some(3), None));
        effects.push(|| 4);
        assert_eq!(effects.pop(), Some(4));
    }

    #[test]
    fn a_list_knows_its_only_effect() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        assert_eq!((effects.only(), effects.is_empty()), (None, true));
        effects.push(|| 5);
        assert_eq!((effects.only(), effects.is_empty()), (Some(&5), false));
        effects.push(|| 6);
        assert_eq!(effects.only(), None);
        effects.pop();
        assert_eq!((effects.only(), effects.is_empty()), (Some(&6), false), "it has moved up");
        effects.push(|| 7);
        assert_eq!(effects.only(), None);
    }

    #[test]
    fn effects_may_bring_about_others_for_ever() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        effects.push(|| 0);
        effects.push(|| 1);
        for number in 0..20 {
            assert_eq!(effects.pop(), Some(number));
            effects.push(|| number + 2);
        }
    }
}
