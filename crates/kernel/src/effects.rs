//! A small list of fixed capacity in which a transition leaves what is to happen elsewhere.

/// At most `N` effects, first in, first out, without allocation.
#[derive(Clone, Debug)]
pub struct Effects<E: Copy, const N: usize> {
    list: [E; N],
    next: usize,
    len: usize,
}

impl<E: Copy, const N: usize> Effects<E, N> {
    /// An empty list; `blank` fills places that are not taken and never comes out.
    pub fn new(blank: E) -> Self {
        Effects { list: [blank; N], next: 0, len: 0 }
    }

    /// Adds an effect.
    ///
    /// # Panics
    /// When more than `N` effects are left undone, which is a mistake in the mechanism.
    #[inline(always)]
    pub fn push(&mut self, effect: E) {
        if self.len == N {
            self.move_up();
        }
        self.list[self.len] = effect;
        self.len += 1;
    }

    /// Effects that keep bringing about others reach the end of the list before it is empty.
    #[cold]
    fn move_up(&mut self) {
        self.list.copy_within(self.next.., 0);
        self.len -= self.next;
        self.next = 0;
    }

    /// How many effects are left.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len - self.next
    }

    /// Whether none is left.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The oldest effect.
    #[inline(always)]
    pub fn first(&self) -> Option<&E> {
        self.list[..self.len].get(self.next)
    }

    /// Takes the oldest effect; once all are taken the list is empty again.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<E> {
        if self.next == self.len {
            self.next = 0;
            self.len = 0;
            return None;
        }
        self.next += 1;
        Some(self.list[self.next - 1])
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
    fn a_list_knows_its_oldest_effect_and_how_many_are_left() {
        let mut effects: Effects<u32, 4> = Effects::new(0);
        assert_eq!((effects.first(), effects.is_empty()), (None, true));
        effects.push(5);
        effects.push(6);
        assert_eq!((effects.first(), effects.len()), (Some(&5), 2));
        effects.pop();
        assert_eq!((effects.first(), effects.len()), (Some(&6), 1));
        effects.pop();
        assert_eq!((effects.first(), effects.is_empty()), (None, true));
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
