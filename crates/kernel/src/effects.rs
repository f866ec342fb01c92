//! A small list of fixed capacity in which a transition leaves what is to happen elsewhere.
//!
//! It leaves out carrying the effects out: the wiring of a model does that.

/// At most `N` effects, first in, first out, without allocation.
#[derive(Clone, Debug)]
pub struct Effects<E: Copy, const N: usize> {
    list: [Option<E>; N],
    next: usize,
    len: usize,
}

impl<E: Copy, const N: usize> Default for Effects<E, N> {
    fn default() -> Self {
        Effects { list: [None; N], next: 0, len: 0 }
    }
}

impl<E: Copy, const N: usize> Effects<E, N> {
    /// Adds an effect.
    ///
    /// # Panics
    /// When a transition leaves more than `N` effects, which is a mistake in the mechanism.
    #[inline]
    pub fn push(&mut self, effect: E) {
        self.list[self.len] = Some(effect);
        self.len += 1;
    }

    /// Takes the oldest effect; once all are taken the list is empty again.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        if self.next == self.len {
            self.next = 0;
            self.len = 0;
            return None;
        }
        self.next += 1;
        self.list[self.next - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_come_out_in_the_order_they_went_in() {
        let mut effects: Effects<u32, 4> = Effects::default();
        effects.push(1);
        effects.push(2);
        assert_eq!(effects.pop(), Some(1));
        effects.push(3);
        assert_eq!((effects.pop(), effects.pop(), effects.pop()), (Some(2), Some(3), None));
        effects.push(4);
        assert_eq!(effects.pop(), Some(4));
    }
}
