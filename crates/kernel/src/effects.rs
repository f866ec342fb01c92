//! A small list of fixed capacity in which a transition leaves what is to happen elsewhere.

/// At most `N` effects behind the oldest, first in, first out, without allocation.
#[derive(Clone, Debug)]
pub struct Effects<E: Copy, const N: usize> {
    /// The oldest, until it is taken.  It has a place of its own because nearly always it is the only one.
    first: E,
    has_first: bool,
    /// The others: a ring.
    others: [E; N],
    next: usize,
    len: usize,
}

impl<E: Copy, const N: usize> Effects<E, N> {
    /// An empty list; `blank` fills places that are not taken and never comes out.
    pub fn new(blank: E) -> Self {
        Effects { first: blank, has_first: false, others: [blank; N], next: 0, len: 0 }
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
        if !self.has_first && self.len == 0 {
            self.first = effect();
            self.has_first = true;
        } else {
            self.push_behind(effect());
        }
    }

    #[inline(never)]
    fn push_behind(&mut self, effect: E) {
        assert!(self.len < N, "a transition leaves at most {N} effects");
        self.others[(self.next + self.len) % N] = effect;
        self.len += 1;
    }

    /// Takes the oldest effect.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<E> {
        if self.has_first {
            self.has_first = false;
            return Some(self.first);
        }
        if self.len == 0 { None } else { Some(self.pop_behind()) }
    }

    #[inline(never)]
    fn pop_behind(&mut self) -> E {
        let oldest = self.others[self.next];
        self.next = (self.next + 1) % N;
        self.len -= 1;
        oldest
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
