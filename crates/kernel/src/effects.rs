//! A small list of fixed capacity in which a transition leaves what is to happen elsewhere.

/// At most `N` effects behind the oldest, first in, first out, without allocation.
#[derive(Clone, Debug)]
pub struct Effects<E: Copy, const N: usize> {
    /// The oldest.  It has a place of its own because nearly always it is the only one.
    oldest: E,
    len: usize,
    /// Those behind it: a ring.
    others: [E; N],
    next: usize,
}

impl<E: Copy, const N: usize> Effects<E, N> {
    /// An empty list; `blank` fills places that are not taken and never comes out.
    pub fn new(blank: E) -> Self {
        Effects { oldest: blank, len: 0, others: [blank; N], next: 0 }
    }

    /// Adds an effect.
    ///
    /// # Panics
    /// When more than `N` effects wait behind the oldest, which is a mistake in the mechanism.
    #[inline(always)]
    pub fn push(&mut self, effect: E) {
        self.push_with(|| effect);
    }

    /// The same for an effect that is made where it is kept: a copy of one that was just made in pieces waits for them.
    #[inline(always)]
    pub fn push_with(&mut self, effect: impl FnOnce() -> E) {
        if self.len == 0 {
            self.oldest = effect();
        } else {
            self.push_behind(effect());
        }
        self.len += 1;
    }

    #[inline(never)]
    fn push_behind(&mut self, effect: E) {
        let behind = self.len - 1;
        assert!(behind < N, "a transition leaves at most {N} effects");
        self.others[(self.next + behind) % N] = effect;
    }

    /// Whether none is left.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The effect, if exactly one is left.
    #[inline(always)]
    pub fn only(&self) -> Option<E> {
        (self.len == 1).then_some(self.oldest)
    }

    /// Takes the oldest effect.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<E> {
        if self.len == 0 {
            return None;
        }
        let oldest = self.oldest;
        self.len -= 1;
        if self.len > 0 {
            self.move_up();
        }
        Some(oldest)
    }

    #[inline(never)]
    fn move_up(&mut self) {
        self.oldest = self.others[self.next];
        self.next = (self.next + 1) % N;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_come_out_in_the_order_they_went_in() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        effects.push(1);
        effects.push(2);
        assert_eq!(effects.pop(), Some(1));
        effects.push(3);
        assert_eq!((effects.pop(), effects.pop(), effects.pop()), (Some(2), Some(3), None));
        effects.push(4);
        assert_eq!(effects.pop(), Some(4));
    }

    #[test]
    fn a_list_knows_its_only_effect() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        assert_eq!((effects.only(), effects.is_empty()), (None, true));
        effects.push(5);
        assert_eq!((effects.only(), effects.is_empty()), (Some(5), false));
        effects.push(6);
        assert_eq!(effects.only(), None);
        effects.pop();
        assert_eq!((effects.only(), effects.is_empty()), (Some(6), false), "it has moved up");
        effects.push(7);
        assert_eq!(effects.only(), None);
    }

    #[test]
    fn effects_may_bring_about_others_for_ever() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        effects.push(0);
        effects.push(1);
        for number in 0..20 {
            assert_eq!(effects.pop(), Some(number));
            effects.push(number + 2);
        }
    }
}
